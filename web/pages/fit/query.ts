import type { Carom } from 'carom';
import { models } from './models';

type Vec3 = [number, number, number];
export interface State { model: keyof typeof models; turn: Vec3; spin: number }

/** Once a model, in its own frame: these turn with it. */
function fitOnce(cm: Carom, name: State['model']) {
  const { api } = cm, { positions, indices } = models[name](), points = { data: positions };
  const sphere = { center: api.v(0, 0, 0), radius: 0 };
  const carriedBy = api.fitSphere(points, sphere); // the smallest: 2, 3 or 4 points carry it
  using mesh = cm.mesh({ positions, indices, solid: true });
  using hull = cm.hull(positions);
  return {
    points, sphere, carriedBy, box: api.fitAabb(points)!, oriented: api.fitObb(points)!, capsule: api.fitCapsule(points)!,
    count: mesh.info.points, volume: mesh.info.volume, hull: { volume: hull.info.volume, vertices: hull.info.vertices, faces: hull.info.faces },
  };
}
const fitted = new Map<string, ReturnType<typeof fitOnce>>();

export function ask(cm: Carom, s: State) {
  const { api } = cm;
  if (!fitted.has(s.model)) fitted.set(s.model, fitOnce(cm, s.model));
  const { points, ...fit } = fitted.get(s.model)!;

  const about = (axis: Vec3, degrees: number) => api.quatFromAxisAngle(axis, (degrees * Math.PI) / 180);
  const turned = api.quatMul(about([0, 0, 1], s.turn[2]), api.quatMul(about([0, 1, 0], s.turn[1]), about([1, 0, 0], s.turn[0])));
  const rotation = api.quatNormalize(api.quatMul(about([0, 1, 0], s.spin), turned));

  // anew for every pose: the axis-aligned box of the points, and the one around the turned box
  const tight = api.fitAabbPosed(points, { rotation })!, loose = api.aabbPosed(fit.box, { rotation });
  const volumes = {
    sphere: api.volumeSphere(fit.sphere), loose: api.volumeAabb(loose), tight: api.volumeAabb(tight), capsule: api.volumeCapsule(fit.capsule),
    oriented: api.volumeObb(fit.oriented), hull: fit.hull.volume,
  };
  return { rotation, ...fit, tight, loose, volumes };
}
