import { BoxGeometry, BufferGeometry, Float32BufferAttribute, Group, LineDashedMaterial, LineSegments, Mesh, Object3D, SphereGeometry } from 'three';
import { fmt, h, num, table } from '../frame/html';
import { page } from '../frame/page';
import { choice, flag, number, vec3 } from '../frame/state';
import { v3 } from '../frame/view';
import { models } from './models';
import { ask, type State } from './query';
import code from './query.ts?code';

const kinds = {
  sphere: { name: 'sphere', color: 'c', say: 'turns with it' },
  loose: { name: 'box of the turned box', color: 'soft', say: 'anew, six numbers' },
  tight: { name: 'box of the turned points', color: 'b', say: 'anew, all points' },
  capsule: { name: 'capsule', color: 'y', say: 'turns with it' },
  oriented: { name: 'oriented box', color: 'a', say: 'turns with it' },
  hull: { name: 'convex hull', color: 'touch', say: 'turns with it' },
} as const;
type Kind = keyof typeof kinds;

/** Points and triangles, each triangle with its own normals. */
function faceted(positions: ArrayLike<number>, indices: ArrayLike<number>): BufferGeometry {
  const corners = Array.from(indices).flatMap((i) => [positions[3 * i]!, positions[3 * i + 1]!, positions[3 * i + 2]!]);
  const geometry = new BufferGeometry().setAttribute('position', new Float32BufferAttribute(corners, 3));
  geometry.computeVertexNormals();
  return geometry;
}
const smooth = ({ positions, indices }: { positions: number[]; indices: number[] }) => {
  const geometry = new BufferGeometry().setAttribute('position', new Float32BufferAttribute(positions, 3)).setIndex(indices);
  geometry.computeVertexNormals();
  return geometry;
};

page({
  params: {
    model: choice<State['model']>('model', 'knot', { knot: 'a knot', chair: 'a chair', ring: 'a ring' }),
    spin: number('spin about y', 20, 0, 360, { step: 0.5, play: 10, unit: 'degrees' }),
    turn: vec3('turned', [25, 0, 15], -180, 180, { unit: 'degrees', step: 0.5 }),
    sphere: flag(kinds.sphere.name, false, { group: 'show' }),
    loose: flag(kinds.loose.name, true, { group: 'show' }),
    tight: flag(kinds.tight.name, true, { group: 'show' }),
    capsule: flag(kinds.capsule.name, false, { group: 'show' }),
    oriented: flag(kinds.oriented.name, true, { group: 'show' }),
    hull: flag(kinds.hull.name, false, { group: 'show' }),
  },
  ask,
  code,
  eye: [2.6, 3.2, 9],
  scene(view, cm) {
    view.floor(-2.5, 4);
    const turning = view.add(new Group()), upright = view.add(new Group());
    const inner = <O extends Object3D>(object: O) => (turning.add(object), object), outer = <O extends Object3D>(object: O) => (upright.add(object), object);
    const unit = () => new BoxGeometry(2, 2, 2);
    const oriented = inner(view.body(unit(), 'a', { opacity: 0.12 })), sphere = inner(view.body(new SphereGeometry(1, 48, 32), 'c', { opacity: 0.16, edges: false }));
    const tight = outer(view.body(unit(), 'b', { opacity: 0.08 })), loose = outer(view.body(unit(), 'soft', { opacity: 0.02 }));
    const dashed = loose.children[1] as LineSegments;
    dashed.material = new LineDashedMaterial({ color: (view.line('soft')).color, dashSize: 0.06, gapSize: 0.05 });
    dashed.computeLineDistances();
    let shown = '', model: Object3D | undefined, hull: Object3D | undefined, capsule: Object3D | undefined;
    const place = (object: Object3D, { min, max }: { min: { x: number; y: number; z: number }; max: { x: number; y: number; z: number } }) => {
      object.position.set((min.x + max.x) / 2, (min.y + max.y) / 2, (min.z + max.z) / 2);
      object.scale.set((max.x - min.x) / 2, (max.y - min.y) / 2, (max.z - min.z) / 2);
    };
    return {
      bodies: [{ name: 'turn', turn: 'turn', shape: (s) => cm.sphere(ask(cm, s).sphere.radius), pose: () => ({}) }],
      show(s, answer) {
        if (shown !== s.model) {
          shown = s.model;
          const made = models[s.model]();
          for (const old of [model, hull, capsule]) if (old) old.removeFromParent();
          model = inner(new Mesh(s.model === 'chair' ? faceted(made.positions, made.indices) : smooth(made), view.lit('body')));
          using shape = cm.hull(made.positions);
          const skin = cm.api.shapeTessellate(shape), { a, b, radius } = answer.capsule;
          hull = inner(view.body(faceted(skin.points, skin.indices), 'touch', { opacity: 0.14, crease: 1 }));
          const round = cm.api.shapeTessellate(cm.capsule(a, b, radius), { segments: 48 });
          capsule = inner(view.body(smooth({ positions: Array.from(round.points), indices: Array.from(round.indices) }), 'y', { opacity: 0.2, edges: false }));
        }
        const q = answer.rotation, o = answer.oriented;
        turning.quaternion.set(q.x, q.y, q.z, q.w);
        sphere.position.copy(v3(answer.sphere.center)), sphere.scale.setScalar(answer.sphere.radius);
        oriented.position.copy(v3(o.center)), oriented.scale.copy(v3(o.half)), oriented.quaternion.set(o.rotation.x, o.rotation.y, o.rotation.z, o.rotation.w);
        place(tight, answer.tight), place(loose, answer.loose);
        sphere.visible = s.sphere, tight.visible = s.tight, loose.visible = s.loose, oriented.visible = s.oriented, hull!.visible = s.hull, capsule!.visible = s.capsule;
        const order = (Object.keys(kinds) as Kind[]).sort((p, k) => answer.volumes[k] - answer.volumes[p]), most = answer.volumes[order[0]!];
        const times = (k: Kind) => answer.volumes[k] / answer.volume;
        return {
          verdict: `The model fills ${fmt(100 / times('tight'), 0)} % of its axis-aligned box, ${fmt(100 / times('oriented'), 0)} % of the oriented one`,
          tone: 'plain',
          numbers: [
            table(['volume', '', 'size', 'times the model', 'when it turns'], order.map((k) => ({
              class: s[k] ? '' : 'off',
              cells: [kinds[k].name, h('span', { class: 'bars', 'aria-hidden': 'true' }, h('span', { style: `left:0; top:.3rem; width:${(100 * answer.volumes[k]) / most}%; background:var(--${kinds[k].color})` })), num(answer.volumes[k]), fmt(times(k), 2), kinds[k].say],
            })), 'The volumes'),
            table(['the fits', ''], [
              ['volume of the model', num(answer.volume)], ['points of the model', String(answer.count)], ['points that carry the smallest sphere', String(answer.carriedBy)],
              ['its radius', num(answer.sphere.radius)], ['vertices and faces of the hull', `${answer.hull.vertices}, ${answer.hull.faces}`],
            ], 'The fits'),
          ],
        };
      },
    };
  },
});
