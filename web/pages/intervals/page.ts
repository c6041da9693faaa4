import { BoxGeometry } from 'three';
import { fmt, num, table } from '../frame/html';
import { page } from '../frame/page';
import { choice, vec3 } from '../frame/state';
import { ask } from './query';
import code from './query.ts?code';

const axes = ['x', 'y', 'z'] as const;
/* Where the rails run: along the edges of a room around the boxes. */
const rails = { x: { y: -2.6, z: 3 }, y: { x: -4, z: 3 }, z: { x: -4, y: -2.6 } };
const on = { x: (t: number) => [t, rails.x.y, rails.x.z], y: (t: number) => [rails.y.x, t, rails.y.z], z: (t: number) => [rails.z.x, rails.z.y, t] };
const aside = { x: [0, 0, 0.16], y: [-0.16, 0, 0], z: [-0.16, 0, 0] };
const range = { x: [-4, 4], y: [-2.6, 2.6], z: [-3, 3] };

page({
  params: {
    what: choice('B is', 'box', { box: 'a box', point: 'a point' }),
    a: vec3('center', [-1.1, -0.3, 0], -3, 3, { group: 'A' }),
    halfA: vec3('half size', [1.2, 0.9, 0.8], 0.1, 2, { group: 'A' }),
    b: vec3('center', [1.3, 0.6, 0.5], -3, 3, { group: 'B' }),
    halfB: vec3('half size', [0.8, 0.7, 1], 0.1, 2, { group: 'B', when: (s) => s.what === 'box' }),
  },
  ask,
  code,
  eye: [4.2, 3.6, 11.5],
  target: [-0.6, -0.9, 0.4],
  scene(view, cm) {
    view.floor(-2.6, 4);
    const a = view.body(new BoxGeometry(2, 2, 2), 'a'), b = view.body(new BoxGeometry(2, 2, 2), 'b'), dot = view.point('b', 0.1);
    const drops = { a: view.lines('a', 0.35), b: view.lines('b', 0.35) };
    const marks = axes.map(() => ({
      rail: view.rod('grid', 0.012), a: view.rod('a', 0.05), b: view.rod('b', 0.05), shared: view.rod('touch', 0.03), gap: view.rod('apart', 0.03), label: view.label(),
    }));
    axes.forEach((k, i) => marks[i]!.rail.set(on[k](range[k][0]!), on[k](range[k][1]!)));
    return {
      bodies: [
        { name: 'A', place: 'a', shape: (s) => cm.box(s.halfA), pose: (s) => ({ position: s.a }) },
        { name: 'B', place: 'b', shape: (s) => (s.what === 'box' ? cm.box(s.halfB) : cm.sphere(0.15)), pose: (s) => ({ position: s.b }) },
      ],
      show(s, answer) {
        const box = s.what === 'box';
        a.position.set(...s.a), a.scale.set(...s.halfA);
        b.position.set(...s.b), b.scale.set(...s.halfB), b.visible = box;
        dot.position.set(...s.b), dot.visible = !box;
        for (const [name, of] of [['a', answer.a], ['b', answer.b]] as const) {
          const points: number[] = [], { min, max } = of;
          for (const x of [min.x, max.x]) points.push(x, min.y, max.z, x, rails.x.y, rails.x.z);
          for (const y of [min.y, max.y]) points.push(min.x, y, max.z, rails.y.x, y, rails.y.z);
          for (const z of [min.z, max.z]) points.push(min.x, min.y, z, rails.z.x, rails.z.y, z);
          drops[name].set(points);
        }
        axes.forEach((k, i) => {
          const mark = marks[i]!, gap = answer.gaps[k], out = (t: number, n: number) => on[k](t).map((x, j) => x + n * aside[k][j]!);
          mark.a.set(out(answer.a.min[k], 1), out(answer.a.max[k], 1));
          mark.b.set(out(answer.b.min[k], 2), out(answer.b.max[k], 2));
          const from = Math.max(answer.a.min[k], answer.b.min[k]), to = Math.min(answer.a.max[k], answer.b.max[k]);
          mark.shared.set(on[k](from), on[k](gap > 0 ? from : to));
          mark.gap.set(on[k](to), on[k](gap > 0 ? from : to));
          mark.label.set(out((from + to) / 2, 3.6), gap > 0 ? `gap ${fmt(gap, 2)}` : `${k} ${fmt(-gap, 2)}`, gap > 0 ? 'apart' : 'touch');
        });
        const parting = axes.filter((k) => answer.gaps[k] > 0);
        const verdict = answer.overlap ? (answer.contact!.points[0]!.depth === 0 ? 'They just touch: that counts' : 'They overlap: no axis separates')
          : `Apart: ${parting.join(', ')} separate${parting.length > 1 ? '' : 's'}`;
        return {
          verdict,
          tone: answer.overlap ? 'touch' : 'apart',
          numbers: [
            table(['axis', 'A from', 'to', 'B from', 'to', 'gap', ''], axes.map((k) => ({
              class: answer.gaps[k] > 0 ? 'apart' : 'touch',
              cells: [k, num(answer.a.min[k], 2), num(answer.a.max[k], 2), num(answer.b.min[k], 2), num(answer.b.max[k], 2), num(answer.gaps[k]), answer.gaps[k] > 0 ? 'separates' : 'overlaps'],
            })), 'The three intervals'),
            table(['the pair', ''], answer.contact
              ? [['depth, the least overlap', num(answer.contact.points[0]!.depth)], ['signed distance', num(answer.distance)]]
              : [['distance, over the corner where two axes part them', num(answer.distance)]], 'The pair'),
          ],
        };
      },
    };
  },
});
