import { BoxGeometry, Group, SphereGeometry } from 'three';
import { chart, fmt, num, table, vec } from '../frame/html';
import { page } from '../frame/page';
import { choice, number, vec3 } from '../frame/state';
import type { View } from '../frame/view';
import { ask } from './query';
import code from './query.ts?code';

/** The moving body at one moment: a sphere or a box. */
function mover(view: View, color: string, opacity: number, edges = true): { show(what: string, at: { x: number; y: number; z: number } | undefined, size: number): void } {
  const ball: Group = view.body(new SphereGeometry(1, 32, 24), color, { opacity, edges: false }), cube: Group = view.body(new BoxGeometry(2, 2, 2), color, { opacity, edges });
  return {
    show(what, at, size) {
      ball.visible = !!at && what === 'sphere', cube.visible = !!at && what === 'box';
      for (const object of [ball, cube]) if (at) object.position.set(at.x, at.y, at.z), object.scale.setScalar(size);
    },
  };
}

page({
  params: {
    u: number('time u', 0.3, 0, 1, { step: 0.005, play: 3 }),
    what: choice<'sphere' | 'box'>('A is', 'sphere', { sphere: 'a sphere', box: 'a box' }),
    frames: number('frames in the step', 4, 1, 24, { step: 1 }),
    start: vec3('start', [-3.2, 0.9, 0.3], -4, 4, { group: 'A' }),
    end: vec3('end', [3.6, -0.5, -0.2], -4, 4, { group: 'A' }),
    size: number('radius or half size', 0.45, 0.05, 1.5, { group: 'A' }),
    wall: vec3('center', [0.9, 0, 0], -3, 3, { group: 'B, the wall' }),
    half: vec3('half size', [0.08, 1.4, 1.4], 0.02, 2, { group: 'B, the wall' }),
  },
  ask,
  code,
  eye: [2.2, 3, 11],
  target: [0.1, 0.1, 0],
  scene(view, cm) {
    view.floor(-1.9, 4);
    const wall = view.body(new BoxGeometry(2, 2, 2), 'b', { opacity: 0.45 });
    const now = mover(view, 'a', 0.85), first = mover(view, 'touch', 0.3), last = mover(view, 'apart', 0.2), end = mover(view, 'body', 0.25);
    const path = view.rod('body', 0.012), held = view.rod('touch', 0.03), normal = view.arrow('hot', 0.03), ghosts = Array.from({ length: 25 }, () => mover(view, 'a', 0.1, false));
    const words = { first: view.label('touch'), last: view.label('apart') };
    const shapeOf = (s: { what: string; size: number }) => (s.what === 'sphere' ? cm.sphere(s.size) : cm.box([s.size, s.size, s.size]));
    return {
      bodies: [
        { name: 'A', place: 'start', shape: shapeOf, pose: (s) => ({ position: s.start }) },
        { name: 'end', place: 'end', shape: shapeOf, pose: (s) => ({ position: s.end }) },
        { name: 'B', place: 'wall', shape: (s) => cm.box(s.half), pose: (s) => ({ position: s.wall }) },
      ],
      show(s, answer) {
        const { hit } = answer, above = (p: { x: number; y: number; z: number }) => ({ x: p.x, y: p.y + s.size + 0.28, z: p.z });
        wall.position.set(...s.wall), wall.scale.set(...s.half);
        now.show(s.what, answer.now.position, s.size);
        end.show(s.what, { x: s.end[0], y: s.end[1], z: s.end[2] }, s.size);
        ghosts.forEach((ghost, i) => ghost.show(s.what, answer.frames[i]?.position, s.size));
        path.set(s.start, s.end);
        first.show(s.what, answer.first?.position, s.size), last.show(s.what, answer.last?.position, s.size);
        held.visible = normal.visible = !!hit;
        words.first.hide(), words.last.hide();
        if (hit) {
          held.set(answer.first!.position, answer.last!.position);
          normal.set(hit.point, { x: hit.point.x - hit.normal.x, y: hit.point.y - hit.normal.y, z: hit.point.z - hit.normal.z });
          words.first.set(above(answer.first!.position), `first ${fmt(hit.first, 3)}`), words.last.set(above(answer.last!.position), `last ${fmt(hit.last, 3)}`);
        }
        const tunnel = hit && !answer.seen;
        return {
          verdict: !hit ? 'It passes: no contact at any time' : tunnel ? `Tunnel: none of ${answer.frames.length} frames sees the contact at u = ${fmt(hit.first, 3)}` : `Contact from u = ${fmt(hit.first, 3)} to ${fmt(hit.last, 3)}`,
          tone: !hit ? 'apart' : tunnel ? 'apart' : 'touch',
          numbers: [
            chart('Signed distance over u: the curve, its frames, and the contact that the sweep finds', answer.curve, [
              ...answer.frames.map((frame) => ({ u: frame.u, y: frame.distance, color: frame.overlap ? 'touch' : 'a' })),
              { u: s.u, y: answer.now.distance, color: 'hot', text: fmt(answer.now.distance, 3) },
            ], hit ? [{ from: hit.first, to: hit.last, color: 'touch' }] : []),
            table(['the sweep', ''], hit ? [
              ['first', num(hit.first, 6)], ['last', num(hit.last, 6)], ['distance left at first', num(answer.first!.distance, 6)], ['normal, from A to B', vec(hit.normal)],
              ['point', vec(hit.point)], ['at the start', hit.start], ['blocking', hit.blocking ? 'yes' : 'no'],
            ] : [['hit', 'none']], 'The sweep'),
            table(['frame', 'u', 'distance', 'overlap'], answer.frames.map((frame, i) => ({ class: frame.overlap ? 'touch' : '', cells: [String(i), num(frame.u, 3), num(frame.distance), frame.overlap ? 'yes' : 'no'] })), 'The frames'),
          ],
        };
      },
    };
  },
});
