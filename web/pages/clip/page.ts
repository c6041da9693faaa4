import { BufferGeometry, Float32BufferAttribute, Mesh, Vector3 } from 'three';
import { geometryOf, Solid } from '../frame/difference';
import { fmt, h, num, table, vec } from '../frame/html';
import { page } from '../frame/page';
import { number, vec3 } from '../frame/state';
import { v3 } from '../frame/view';
import { ask, poseOf, prismOf } from './query';
import code from './query.ts?code';

const degrees = { unit: 'degrees', step: 0.5 };
const pointsOf = (numbers: ArrayLike<number>) => Array.from({ length: numbers.length / 3 }, (_, i) => new Vector3(numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]));

page({
  params: {
    step: number('step', 3, 0, 14, { step: 1, play: 10 }),
    margin: number('margin', 0.02, 0, 0.3),
    keep: number('points kept', 4, 1, 8, { step: 1 }),
    sidesA: number('sides', 4, 3, 12, { group: 'A', step: 1 }),
    turnA: vec3('turned', [0, 20, 0], -180, 180, { group: 'A', ...degrees }),
    sidesB: number('sides', 5, 3, 12, { group: 'B', step: 1 }),
    b: vec3('center', [0.7, 0.46, 0.4], -2, 2, { group: 'B' }),
    turnB: vec3('turned', [0, 10, 2], -180, 180, { group: 'B', ...degrees }),
  },
  ask,
  code,
  eye: [3.2, 3.6, 6.2],
  target: [0.2, -0.1, 0],
  scene(view, cm, set) {
    const bodies = { a: new Solid(view, 'a', 0.16), b: new Solid(view, 'b', 0.14) };
    const reference = Array.from({ length: 32 }, () => view.rod('ink', 0.012)), outline = Array.from({ length: 64 }, () => view.rod('hot', 0.02));
    const filled = view.add(new Mesh(new BufferGeometry(), view.flat('hot', 0.45))), before = view.lines('hot', 0.7), plane = view.add(new Mesh(new BufferGeometry(), view.flat('c', 0.28)));
    const spots = Array.from({ length: 64 }, () => ({ kept: view.point('touch', 0.065), other: view.point('body', 0.05), deep: view.rod('touch', 0.02) })), word = view.label();
    const fan = (mesh: Mesh, corners: Vector3[]) => {
      mesh.geometry.dispose();
      mesh.geometry = new BufferGeometry().setAttribute('position', new Float32BufferAttribute(corners.slice(2).flatMap((p, i) => [corners[0]!, corners[i + 1]!, p]).flatMap((p) => p.toArray()), 3));
      mesh.visible = corners.length > 2;
    };
    const around = (rods: typeof outline, corners: Vector3[]) => rods.forEach((rod, i) => {
      rod.visible = i < corners.length && corners.length > 1;
      if (rod.visible) rod.set(corners[i]!, corners[(i + 1) % corners.length]!);
    });
    return {
      bodies: [
        { name: 'B', place: 'b', turn: 'turnB', shape: (s) => prismOf(cm, s.sidesB, 1.3), pose: (s) => poseOf(cm, s.b, s.turnB) },
        { name: 'A', turn: 'turnA', shape: (s) => prismOf(cm, s.sidesA, 1.6), pose: (s) => poseOf(cm, [0, -0.5, 0], s.turnA) },
      ],
      show(s, answer) {
        const { steps, chosen, points, distance } = answer;
        for (const [k, sides, radius, pose] of [['a', s.sidesA, 1.6, answer.poseA], ['b', s.sidesB, 1.3, answer.poseB]] as const) {
          const q = pose.rotation as { x: number; y: number; z: number; w: number };
          bodies[k].make(String(sides), () => geometryOf(cm.api.shapeTessellate(prismOf(cm, sides, radius))));
          bodies[k].position.copy(v3(pose.position!)), bodies[k].quaternion.set(q.x, q.y, q.z, q.w);
        }
        const step = chosen === undefined ? undefined : steps[chosen]!, last = chosen === steps.length - 1, clips = steps.filter((one) => one.kind === 'clip');
        const shown = step?.kind === 'clip' ? step : clips.at(-1), polygon = shown ? pointsOf(shown.polygon) : [], edges = shown ? pointsOf(shown.reference) : [];
        around(reference, edges), around(outline, polygon), fan(filled, polygon);
        const earlier = step?.kind === 'clip' && chosen! > 0 ? pointsOf(steps[chosen! - 1]!.polygon) : [];
        before.set(earlier.flatMap((p, i) => [...p.toArray(), ...earlier[(i + 1) % earlier.length]!.toArray()]));
        const cut = step?.kind === 'clip' && step.side < edges.length ? [edges[step.side]!, edges[(step.side + 1) % edges.length]!] as const : undefined;
        plane.visible = !!cut;
        if (cut) {
          const n = v3(step!.direction).multiplyScalar(0.55);
          fan(plane, [cut[0].clone().sub(n), cut[1].clone().sub(n), cut[1].clone().add(n), cut[0].clone().add(n)]);
        }
        const contacts = step?.kind === 'contacts' ? step.contacts : [];
        word.hide();
        spots.forEach(({ kept, other, deep }, i) => {
          const point = contacts[i], stays = !!point && (!last || points[i]!.kept);
          kept.visible = stays, other.visible = !!point && !stays, deep.visible = !!point;
          if (!point) return;
          (stays ? kept : other).position.copy(v3(point.pointB));
          deep.set(point.pointA, point.pointB);
        });
        const deepest = points.reduce((best, point) => (point.depth > (best?.depth ?? -Infinity) ? point : best), points[0]);
        if (deepest && contacts.length) word.set(v3(deepest.pointB).add(new Vector3(0, -0.3, 0)), `${fmt(deepest.depth, 3)} deep`, 'touch');

        return {
          verdict: !points.length ? `No contact: ${fmt(distance, 3)} apart, more than the margin` : `${points.length} ${points.length === 1 ? 'point' : 'points'} of contact, ${fmt(deepest!.depth, 3)} deep; ${points.filter((p) => p.kept).length} are kept for a solver`,
          tone: points.length ? 'touch' : 'apart',
          numbers: [
            table(['step', 'what it does', 'corners left'], steps.map((one, i) => ({
              class: i === chosen ? 'chosen' : '',
              cells: [
                h('button', { type: 'button', class: 'pick', 'data-key': `step-${i}`, 'aria-pressed': i === chosen, onclick: () => set({ step: i }) }, String(i)),
                one.kind === 'contacts' ? (i === steps.length - 1 ? 'eight at most are kept' : 'within the margin') : one.side >= one.reference.length / 3 ? `the side of ${one.referenceIsA ? 'B' : 'A'} that faces ${one.referenceIsA ? 'A' : 'B'}` : `cut at edge ${one.side + 1} of ${one.referenceIsA ? 'A' : 'B'}`,
                num(one.left, 0),
              ],
            })), 'The steps'),
            table(['point', 'depth', 'on B', ''], points.map((point, i) => ({ class: point.kept ? 'apart' : 'off', cells: [String(i + 1), num(point.depth, 5), vec(point.pointB), point.kept ? 'kept' : 'left out'] })), 'The points'),
            table(['the answer', ''], [['distance', num(distance, 6)], ...(answer.normal ? [['normal, from A to B', vec(answer.normal)]] : [])], 'The answer'),
          ],
        };
      },
    };
  },
});
