import { BufferGeometry, Float32BufferAttribute, Mesh, PlaneGeometry, Vector3 } from 'three';
import { differenceOf, geometryOf, searchOf, Solid } from '../frame/difference';
import { fmt, h, num, table, vec } from '../frame/html';
import { page } from '../frame/page';
import { v3 } from '../frame/view';
import { ask, poseOf, shapeOf, type Kind } from './query';
import code from './query.ts?code';

const kinds: Record<Kind, string> = { block: 'block', cylinder: 'cylinder', cone: 'cone', ellipsoid: 'ellipsoid' };
/** Where the difference's origin is drawn, and how large. */
const home = new Vector3(1.2, -0.2, 0), size = 0.85;
const there = (w: Vector3) => w.clone().multiplyScalar(size).add(home);

page({
  params: searchOf<Kind>({ first: 4, most: 100, play: 25 }, kinds, ['cylinder', [-3, -0.3, 0], [0, 25, 0]], ['block', [-2.4, 0.4, 0.3], [20, 10, 35]]),
  ask,
  code,
  eye: [0.2, 3, 11.5],
  target: [-0.4, 0, 0],
  scene(view, cm, set) {
    const bodies = { a: new Solid(view, 'a', 0.3), b: new Solid(view, 'b', 0.3) }, outside = new Solid(view, 'touch', 0.06, 0.9);
    const difference = new Solid(view, 'body', 0.12, 0.45), origin = view.point('ink', 0.07), word = view.label();
    const polytope = view.add(new Mesh(new BufferGeometry(), view.lit('c', 0.16, true))), ribs = view.lines('c'), nearest = view.add(new Mesh(new BufferGeometry(), view.flat('hot', 0.5)));
    const foot = view.arrow('hot', 0.025), support = view.point('touch', 0.08), plane = view.add(new Mesh(new PlaneGeometry(2.2, 2.2), view.flat('touch', 0.16)));
    const triangles = (mesh: Mesh, corners: Vector3[]) => {
      mesh.geometry.dispose();
      mesh.geometry = new BufferGeometry().setAttribute('position', new Float32BufferAttribute(corners.flatMap((p) => p.toArray()), 3));
      mesh.geometry.computeVertexNormals();
      mesh.visible = corners.length > 0;
    };
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
          for (const solid of k === 'a' ? [bodies.a] : [bodies.b, outside]) {
            solid.make(kind, () => geometryOf(cm.api.shapeTessellate(shapes[k])), 35);
            solid.position.copy(v3(s[k])), solid.quaternion.set(q.x, q.y, q.z, q.w);
          }
        }
        difference.make(JSON.stringify([s.kindA, s.turnA, s.kindB, s.turnB]), () => differenceOf(cm, shapes.a, poseA, shapes.b, poseB), 35);
        difference.position.copy(there(v3(s.b).sub(v3(s.a)))), difference.scale.setScalar(size);

        const step = chosen === undefined ? undefined : steps[chosen]!, last = chosen === steps.length - 1;
        const w = step ? Array.from({ length: step.corners }, (_, i) => there(new Vector3().fromArray(step.vertices, 6 * i + 3).sub(new Vector3().fromArray(step.vertices, 6 * i)))) : [];
        const corners = step ? Array.from(step.faces, (i) => w[i]!) : [];
        triangles(polytope, corners.filter((_, i) => Math.floor(i / 3) !== step!.face));
        triangles(nearest, step && corners.length ? corners.slice(3 * step.face, 3 * step.face + 3) : []);
        ribs.set(Array.from({ length: corners.length / 3 }, (_, f) => [0, 1, 1, 2, 2, 0].flatMap((k) => corners[3 * f + k]!.toArray())).flat());
        for (const part of [foot, support, plane]) part.visible = !!step;
        word.hide();
        if (step) {
          const n = v3(step.direction), at = there(v3(step.support.b).sub(v3(step.support.a)));
          support.position.copy(at);
          plane.position.copy(home).addScaledVector(n, at.clone().sub(home).dot(n)), plane.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), n);
          foot.set(home, step.kind === 'face' ? plane.position : there(v3(step.closest)));
          word.set(at.clone().addScaledVector(n, -0.25), step.kind === 'face' ? 'a corner of this face' : 'the support point');
        }
        outside.visible = last;
        if (last) outside.position.copy(v3(answer.out));

        const apart = distance > 0, huge = 1e38, faces = steps[0]?.kind === 'face';
        return {
          verdict: apart ? `Apart by ${fmt(distance, 3)}: move one into the other` : faces ? `${fmt(-distance, 4)} deep: of two hulls only a few faces can be nearest, and are measured` : `${fmt(-distance, 4)} deep, after ${steps.length} steps`,
          tone: apart ? 'apart' : 'touch',
          numbers: [
            table(['step', 'corners', 'faces', 'depth at least', 'at most', 'normal, from A to B'], steps.map((one, i) => ({
              class: i === chosen ? 'chosen' : '',
              cells: [
                h('button', { type: 'button', class: 'pick', 'data-key': `step-${i}`, 'aria-pressed': i === chosen, onclick: () => set({ step: i }) }, String(i)),
                one.kind === 'face' ? '–' : num(one.corners, 0), one.kind === 'face' ? 'one, measured' : one.faceCount ? num(one.faceCount, 0) : 'flat',
                one.upper < huge ? num(-one.upper, 6) : '–', one.lower > -huge ? num(-one.lower, 6) : '–', vec(one.direction),
              ],
            })), 'The steps'),
            table(['the answer', ''], [['distance', num(distance, 6)], ['on A', vec(witness.pointA)], ['on B', vec(witness.pointB)], ['normal, from A to B', vec(witness.normal)], ['B touches at', vec(answer.out)]], 'The answer'),
          ],
        };
      },
    };
  },
});
