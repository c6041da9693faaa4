import { BoxGeometry, SphereGeometry } from 'three';
import { fmt, h, num, table, vec } from '../frame/html';
import { page } from '../frame/page';
import { number, vec3 } from '../frame/state';
import { ask } from './query';
import code from './query.ts?code';

const axes = ['x', 'y', 'z'] as const;

page({
  params: {
    center: vec3('center', [2.1, 1.6, 1.2], -4, 4, { group: 'A, the sphere' }),
    radius: number('radius', 1.1, 0.05, 2.5, { group: 'A, the sphere' }),
    box: vec3('center', [-0.4, -0.2, 0], -3, 3, { group: 'B, the box' }),
    half: vec3('half size', [1.6, 1.1, 0.9], 0.1, 2.5, { group: 'B, the box' }),
  },
  ask,
  code,
  eye: [4.5, 4, 9.5],
  target: [0.4, 0.2, 0],
  scene(view, cm) {
    view.floor(-2.6, 4);
    const box = view.body(new BoxGeometry(2, 2, 2), 'b'), ball = view.body(new SphereGeometry(1, 48, 32), 'a', { edges: false, opacity: 0.42 });
    const center = view.point('a', 0.06), closest = view.point('hot', 0.07), shares = axes.map((k) => view.rod(k, 0.028)), straight = view.rod('hot', 0.018);
    const out = view.arrow('touch', 0.03), words = axes.map(() => view.label()), outWord = view.label('touch');
    return {
      bodies: [
        { name: 'A', place: 'center', shape: (s) => cm.sphere(s.radius), pose: (s) => ({ position: s.center }) },
        { name: 'B', place: 'box', shape: (s) => cm.box(s.half), pose: (s) => ({ position: s.box }) },
      ],
      show(s, answer) {
        box.position.set(...s.box), box.scale.set(...s.half);
        ball.position.set(...s.center), ball.scale.setScalar(s.radius);
        center.position.set(...s.center), closest.position.copy(answer.closest);
        // from the closest point to the center, axis by axis
        const at = { ...answer.closest };
        axes.forEach((k, i) => {
          const from = { ...at };
          at[k] += answer.apart[k];
          shares[i]!.set(from, at);
          if (answer.apart[k] === 0) words[i]!.hide();
          else words[i]!.set({ x: (from.x + at.x) / 2, y: (from.y + at.y) / 2, z: (from.z + at.z) / 2 }, `${k} ${fmt(Math.abs(answer.apart[k]), 2)}`, 'soft');
        });
        straight.set(answer.closest, s.center);
        const contact = answer.contact, point = contact?.points[0];
        out.visible = !!point;
        outWord.hide();
        if (contact && point) {
          // the sphere leaves against the normal, by the depth
          const n = contact.normal, from = point.pointA, to = { x: from.x - n.x * point.depth, y: from.y - n.y * point.depth, z: from.z - n.z * point.depth };
          out.set(from, to);
          outWord.set(to, `out ${fmt(point.depth, 2)}`);
        }
        const most = Math.max(answer.square, answer.limit) * 1.02;
        const bar = h('div', { class: 'box' }, h('p', {}, 'Shares of the squared distance, x, y and z; the mark is the squared radius.'),
          h('div', { class: 'stack' }, ...axes.map((k) => h('span', { style: `width:${(100 * answer.shares[k]) / most}%; background:var(--${k})` })), h('i', { style: `left:${(100 * answer.limit) / most}%` })),
          h('p', {}, num(answer.square), answer.overlap ? ' ≤ ' : ' > ', num(answer.limit)));
        return {
          verdict: answer.inside ? `Inside: depth ${fmt(point!.depth, 3)}, by the nearest face` : answer.overlap ? `They touch: ${fmt(point!.depth, 3)} deep` : `Apart: the center is ${fmt(answer.distance, 3)} from the box`,
          tone: answer.overlap ? 'touch' : 'apart',
          numbers: [
            bar,
            table(['axis', 'center', 'box from', 'to', 'clamped', 'apart', 'share'], axes.map((k, i) => [
              k, num(s.center[i]!, 2), num(answer.box.min[k], 2), num(answer.box.max[k], 2), num(answer.closest[k], 2), num(answer.apart[k]), num(answer.shares[k]),
            ]), 'The clamp'),
            ...(contact && point ? [table(['contact', ''], [['depth', num(point.depth)], ['normal, from A to B', vec(contact.normal)], ['on the sphere', vec(point.pointA)], ['on the box', vec(point.pointB)]], 'The contact')] : []),
          ],
        };
      },
    };
  },
});
