import { PlaneGeometry, Mesh, Vector3, BufferGeometry, Float32BufferAttribute } from 'three';
import { differenceOf, geometryOf, searchOf, Solid } from '../frame/difference';
import { fmt, h, num, table, vec } from '../frame/html';
import { page } from '../frame/page';
import { v3 } from '../frame/view';
import { ask, poseOf, shapeOf, type Kind } from './query';
import code from './query.ts?code';

const kinds: Record<Kind, string> = { block: 'block', crystal: 'crystal', cylinder: 'cylinder', cone: 'cone', ellipsoid: 'ellipsoid' };
/** Where the difference's origin is drawn, and how large. */
const home = new Vector3(0.7, -0.9, 0), size = 0.7;
const there = (w: Vector3) => w.clone().multiplyScalar(size).add(home);

page({
  params: searchOf<Kind>({ first: 2, most: 40, play: 20 }, kinds, ['block', [-3.2, -0.7, 0], [0, 25, 0]], ['ellipsoid', [-2.2, 1.1, 0.4], [20, 0, 35]]),
  ask,
  code,
  eye: [-0.4, 3.2, 11.4],
  target: [-0.5, -0.1, 0],
  scene(view, cm, set) {
    const bodies = { a: new Solid(view, 'a', 0.32), b: new Solid(view, 'b', 0.32) }, difference = new Solid(view, 'body', 0.16, 0.5);
    const origin = view.point('ink', 0.07), cross = view.lines('ink', 0.6), word = view.label();
    const corners = Array.from({ length: 4 }, () => ({ of: view.point('c', 0.065), a: view.point('a', 0.055), b: view.point('b', 0.055) }));
    const edges = Array.from({ length: 6 }, () => view.rod('c', 0.022)), faces = view.add(new Mesh(new BufferGeometry(), view.flat('c', 0.25)));
    const support = view.point('hot', 0.085), supports = { a: view.point('hot', 0.07), b: view.point('hot', 0.07) };
    const shortest = view.rod('touch', 0.03), between = view.rod('touch', 0.025), plane = view.add(new Mesh(new PlaneGeometry(2.6, 2.6), view.flat('hot', 0.16)));
    cross.set([0, 1, 2].flatMap((k) => [-1, 1].flatMap((side) => there(new Vector3().setComponent(k, 0.35 * side)).toArray())));
    origin.position.copy(home);
    return {
      bodies: [
        { name: 'A', place: 'a', turn: 'turnA', shape: (s) => shapeOf(cm, s.kindA), pose: (s) => poseOf(cm, s.a, s.turnA) },
        { name: 'B', place: 'b', turn: 'turnB', shape: (s) => shapeOf(cm, s.kindB), pose: (s) => poseOf(cm, s.b, s.turnB) },
      ],
      show(s, answer) {
        const { poseA, poseB, steps, chosen, distance, witness } = answer, shapes = { a: shapeOf(cm, s.kindA), b: shapeOf(cm, s.kindB) };
        for (const [k, kind, pose] of [['a', s.kindA, poseA], ['b', s.kindB, poseB]] as const) {
          const q = pose.rotation as { x: number; y: number; z: number; w: number };
          bodies[k].make(kind, () => geometryOf(cm.api.shapeTessellate(shapes[k])), 35);
          bodies[k].position.copy(v3(s[k])), bodies[k].quaternion.set(q.x, q.y, q.z, q.w);
        }
        difference.make(JSON.stringify([s.kindA, s.turnA, s.kindB, s.turnB]), () => differenceOf(cm, shapes.a, poseA, shapes.b, poseB), 35);
        difference.position.copy(there(v3(s.b).sub(v3(s.a)))), difference.scale.setScalar(size);

        const step = chosen === undefined ? undefined : steps[chosen]!, last = chosen === steps.length - 1;
        const pairs = step ? Array.from({ length: step.vertices.length / 6 }, (_, i) => [new Vector3().fromArray(step.vertices, 6 * i), new Vector3().fromArray(step.vertices, 6 * i + 3)] as const) : [];
        const w = pairs.map(([p, q]) => there(q.clone().sub(p))), asked = !!step && v3(step.direction).length() > 0;
        corners.forEach((corner, i) => {
          for (const part of Object.values(corner)) part.visible = i < pairs.length;
          if (i < pairs.length) corner.of.position.copy(w[i]!), corner.a.position.copy(pairs[i]![0]), corner.b.position.copy(pairs[i]![1]);
        });
        const ends = w.flatMap((p, i) => w.slice(i + 1).map((q) => [p, q] as const));
        edges.forEach((edge, i) => { edge.visible = i < ends.length; if (edge.visible) edge.set(...ends[i]!); });
        const sides = w.length === 3 ? [[0, 1, 2]] : w.length === 4 ? [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]] : [];
        faces.geometry.dispose();
        faces.geometry = new BufferGeometry().setAttribute('position', new Float32BufferAttribute(sides.flat().flatMap((i) => w[i]!.toArray()), 3));
        faces.visible = sides.length > 0;

        for (const part of [support, supports.a, supports.b, plane]) part.visible = asked;
        word.hide();
        if (step && asked) {
          const p = v3(step.support.a), q = v3(step.support.b), at = there(q.clone().sub(p)), n = v3(step.direction);
          support.position.copy(at), supports.a.position.copy(p), supports.b.position.copy(q);
          plane.position.copy(home).addScaledVector(n, at.clone().sub(home).dot(n)), plane.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), n);
          word.set(at.clone().addScaledVector(n, -0.3), 'w');
        }
        shortest.visible = !!step && pairs.length > 0 && asked;
        if (step && shortest.visible) shortest.set(home, there(v3(step.closest)));
        between.visible = last && distance > 0;
        if (between.visible) between.set(witness.pointA, witness.pointB);

        const huge = 1e38, apart = distance > 0;
        return {
          verdict: !step ? `They overlap, ${fmt(-distance, 3)} deep: where balls within the two overlap, or hulls have near centers, the depth is asked for at once`
            : apart ? `Apart by ${fmt(distance, 4)}: proven after ${steps.length} steps` : `They overlap: the origin lies in the difference, found after ${steps.length} steps`,
          tone: apart ? 'apart' : 'touch',
          numbers: [
            table(['step', 'simplex', 'at least', 'at most', 'support point w'], steps.map((one, i) => ({
              class: i === chosen ? 'chosen' : '',
              cells: [
                h('button', { type: 'button', class: 'pick', 'data-key': `step-${i}`, 'aria-pressed': i === chosen, onclick: () => set({ step: i }) }, `${i}${one.exact ? '' : ', fast'}`),
                ['none', 'point', 'edge', 'triangle', 'tetrahedron'][one.vertices.length / 6]!,
                one.lower > -huge ? num(one.lower, 6) : '–',
                one.upper < huge ? num(one.upper, 6) : '–',
                v3(one.direction).length() > 0 ? vec(answer.points[i]!) : 'holds the origin',
              ],
            })), 'The steps'),
            table(['the answer', ''], [['distance', num(distance, 6)], ['on A', vec(witness.pointA)], ['on B', vec(witness.pointB)], ['normal, from A to B', vec(witness.normal)]], 'The answer'),
          ],
        };
      },
    };
  },
});
