import { BoxGeometry, Color, InstancedMesh, Matrix4, MeshLambertMaterial, Vector3 } from 'three';
import { fmt, num, table } from '../frame/html';
import { page } from '../frame/page';
import { choice, number, vec3 } from '../frame/state';
import { ask, crates, pick, type State } from './query';
import code from './query.ts?code';

const css = (name: string) => new Color(getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim());

page({
  params: {
    count: choice<State['count']>('crates', '20000', { 2000: '2,000', 20000: '20,000', 100000: '100,000' }),
    yaw: number('looks to the side', 25, -180, 180, { step: 0.5, unit: 'degrees', play: 12, group: 'the camera' }),
    pitch: number('looks up', -8, -80, 40, { step: 0.5, unit: 'degrees', group: 'the camera' }),
    fov: number('opening', 38, 5, 110, { step: 0.5, unit: 'degrees', group: 'the camera' }),
    far: number('sees as far as', 55, 2, 200, { step: 0.5, group: 'the camera' }),
    eye: vec3('place', [10, 4, 30], -60, 60, { step: 0.1, group: 'the camera' }),
  },
  ask,
  code,
  eye: [38, 62, 88],
  target: [0, 0, 2],
  scene(view, cm) {
    view.orbit.maxDistance = 400;
    const planes = view.lines('hot'), camera = view.point('hot', 0.8), mark = view.body(new BoxGeometry(2, 2, 2), 'a', { opacity: 0.9 }), word = view.label('a');
    const center = view.rod('hot', 0.06), centerMark = view.body(new BoxGeometry(2, 2, 2), 'hot', { opacity: 0.9 });
    mark.visible = false;
    let mesh: InstancedMesh | undefined, field = crates(0), lit: number[] = [], state: State;
    const material = new MeshLambertMaterial();
    const make = (count: number) => {
      mesh?.removeFromParent();
      mesh?.dispose();
      field = crates(count);
      mesh = view.add(new InstancedMesh(new BoxGeometry(2, 2, 2), material, count));
      const matrix = new Matrix4(), dim = css('grid');
      for (let i = 0; i < count; i++) {
        const [x, y, z, h] = field.subarray(6 * i, 6 * i + 4) as unknown as [number, number, number, number];
        mesh.setMatrixAt(i, matrix.makeScale(h, h, h).setPosition(x, y, z));
        mesh.setColorAt(i, dim);
      }
      mesh.frustumCulled = false;
      lit = [];
    };
    const put = (object: typeof mark, crate: number | undefined) => {
      object.visible = crate !== undefined;
      if (crate === undefined) return;
      const [x, y, z, h] = field.subarray(6 * crate, 6 * crate + 4) as unknown as [number, number, number, number];
      object.position.set(x, y, z), object.scale.setScalar(1.04 * h);
    };
    const colors = () => {
      if (!mesh) return;
      for (let i = 0; i < mesh.count; i++) mesh.setColorAt(i, css('grid'));
      lit.forEach((i) => mesh!.setColorAt(i, css('b')));
      mesh.instanceColor!.needsUpdate = true;
    };
    addEventListener('theme', colors);
    return {
      bodies: [{ name: 'camera', place: 'eye', shape: () => cm.sphere(1.6), pose: (s) => ({ position: s.eye }) }],
      hover({ origin, direction }) {
        const hit = pick(cm, state, origin, direction);
        put(mark, hit?.crate);
        if (hit) word.set({ x: hit.point.x, y: hit.point.y + 1.6, z: hit.point.z }, `crate ${hit.crate}, ${fmt(1000 * hit.ms, 0)} µs`);
        else word.hide();
        view.draw();
      },
      show(s, answer) {
        state = s;
        if (mesh?.count !== answer.count) make(answer.count);
        const dim = css('grid'), bright = css('b');
        for (const i of lit) mesh!.setColorAt(i, dim);
        for (const i of answer.shown) mesh!.setColorAt(i, bright);
        lit = answer.shown;
        mesh!.instanceColor!.needsUpdate = true;
        camera.position.set(...s.eye);
        // the edges of the frustum: where three of its planes meet
        const [left, right, bottom, top, near, far] = answer.frustum.planes as readonly { normal: { x: number; y: number; z: number }; d: number }[];
        const meet = (...three: (typeof left)[]) => {
          const [a, b, c] = three.map((plane) => new Vector3(plane!.normal.x, plane!.normal.y, plane!.normal.z)) as [Vector3, Vector3, Vector3];
          const bc = b.clone().cross(c), ca = c.clone().cross(a), ab = a.clone().cross(b);
          return bc.multiplyScalar(-three[0]!.d).addScaledVector(ca, -three[1]!.d).addScaledVector(ab, -three[2]!.d).divideScalar(a.dot(b.clone().cross(c)));
        };
        const ring = (end: typeof left) => [meet(left, bottom, end), meet(right, bottom, end), meet(right, top, end), meet(left, top, end)];
        const a = ring(near), b = ring(far), points: number[] = [];
        for (let i = 0; i < 4; i++) for (const p of [a[i]!, a[(i + 1) % 4]!, b[i]!, b[(i + 1) % 4]!, a[i]!, b[i]!]) points.push(p.x, p.y, p.z);
        planes.set(points);
        center.visible = !!answer.center;
        if (answer.center) center.set(s.eye, answer.center.point);
        put(centerMark, answer.center?.crate);
        put(mark, undefined), word.hide();
        return {
          verdict: `${answer.shown.length.toLocaleString('en')} of ${answer.count.toLocaleString('en')} crates, in ${fmt(answer.ms, 2)} ms`,
          tone: 'plain',
          numbers: [
            table(['the camera', ''], [
              ['crates kept by the frustum', num(answer.shown.length, 0)], ['of', num(answer.count, 0)],
              ['the ray through the middle of its picture', answer.center ? `crate ${answer.center.crate}` : 'meets none'],
              ...(answer.center ? [['at a distance of', num(answer.center.t)]] : []),
            ], 'The camera'),
          ],
        };
      },
    };
  },
});
