import { BoxGeometry, Vector3 } from 'three';
import { fmt, h, num, table, vec } from '../frame/html';
import { page } from '../frame/page';
import { choice, vec3 } from '../frame/state';
import { v3 } from '../frame/view';
import { ask } from './query';
import code from './query.ts?code';

const degrees = { unit: 'degrees', step: 0.5 };
const xyz = ['x', 'y', 'z'] as const;
const names = [...xyz.map((i) => `A ${i}`), ...xyz.map((j) => `B ${j}`), ...xyz.flatMap((i) => xyz.map((j) => `A ${i} × B ${j}`))];

page({
  params: {
    axis: choice<string>('axis on the rail', 'best', { best: 'the best one', ...Object.fromEntries(names.map((name, i) => [String(i + 1), name])) }),
    parallel: choice<'free' | 'nearly' | 'exactly'>('B is turned', 'free', { free: 'as set', nearly: 'as A, but 0.002°', exactly: 'as A' }),
    a: vec3('center', [-1.2, -0.2, 0], -3, 3, { group: 'A' }),
    turnA: vec3('turned', [0, 20, 10], -180, 180, { group: 'A', ...degrees }),
    halfA: vec3('half size', [1.3, 0.7, 0.9], 0.1, 2, { group: 'A' }),
    b: vec3('center', [1.15, 0.7, 0.5], -3, 3, { group: 'B' }),
    turnB: vec3('turned', [35, 40, 30], -180, 180, { group: 'B', ...degrees, when: (s) => s.parallel === 'free' }),
    halfB: vec3('half size', [0.6, 1.3, 0.8], 0.1, 2, { group: 'B' }),
  },
  ask,
  code,
  eye: [3.5, 3.2, 10.5],
  target: [0, -0.3, 0],
  scene(view, cm, set) {
    view.floor(-2.8, 4);
    const boxes = { a: view.body(new BoxGeometry(2, 2, 2), 'a'), b: view.body(new BoxGeometry(2, 2, 2), 'b') };
    const drops = { a: view.lines('a', 0.4), b: view.lines('b', 0.4) }, bars = { a: view.rod('a', 0.055), b: view.rod('b', 0.055) };
    const rail = view.rod('grid', 0.014), mark = view.rod('hot', 0.04), word = view.label();
    const corners = { a: new Float32Array(24), b: new Float32Array(24) };
    return {
      bodies: [
        { name: 'A', place: 'a', turn: 'turnA', shape: (s) => cm.box(s.halfA), pose: (s) => ({ position: s.a, rotation: ask(cm, s).a.rotation }) },
        { name: 'B', place: 'b', turn: 'turnB', shape: (s) => cm.box(s.halfB), pose: (s) => ({ position: s.b, rotation: ask(cm, s).b.rotation }) },
      ],
      show(s, answer) {
        for (const k of ['a', 'b'] as const) {
          const { center, half, rotation } = answer[k];
          boxes[k].position.set(...center), boxes[k].scale.set(...half), boxes[k].quaternion.set(rotation.x, rotation.y, rotation.z, rotation.w);
          cm.api.cornersObb(answer[k], corners[k]);
        }
        let best = 0;
        answer.axes.forEach((axis, i) => { if ((axis.gap ?? -Infinity) > answer.axes[best]!.gap!) best = i; });
        const chosen = s.axis === 'best' ? best : Number(s.axis) - 1, axis = answer.axes[chosen]!, shown = axis.n !== undefined;
        for (const object of [rail, mark, ...Object.values(bars), ...Object.values(drops)]) object.visible = shown;
        word.hide();
        if (axis.n) {
          // the rail runs along the axis, below the boxes or in front of them: square to it, away from the middle
          const n = v3(axis.n), middle = v3(s.a).add(v3(s.b)).multiplyScalar(0.5);
          const aside = new Vector3(0, -1, 0.35).addScaledVector(n, n.y - 0.35 * n.z);
          if (aside.length() < 0.5) aside.set(1, 0, 0).addScaledVector(n, -n.x);
          const base = middle.addScaledVector(aside.normalize(), 2.3);
          const at = (t: number, off = 0) => base.clone().addScaledVector(n, t - base.dot(n)).addScaledVector(aside, off);
          const low = Math.min(axis.fromA, axis.fromB), high = Math.max(axis.toA, axis.toB);
          rail.set(at(low - 0.5), at(high + 0.5));
          bars.a.set(at(axis.fromA, 0.08), at(axis.toA, 0.08)), bars.b.set(at(axis.fromB, 0.22), at(axis.toB, 0.22));
          const inner = [Math.max(axis.fromA, axis.fromB), Math.min(axis.toA, axis.toB)] as const;
          mark.set(at(inner[0]), at(inner[1]));
          word.set(at((inner[0] + inner[1]) / 2, 0.55), `${axis.name}: ${axis.gap > 0 ? `gap ${fmt(axis.gap, 3)}` : `overlap ${fmt(-axis.gap, 3)}`}`, axis.gap > 0 ? 'apart' : 'touch');
          for (const k of ['a', 'b'] as const) {
            const of = Array.from({ length: 8 }, (_, i) => new Vector3().fromArray(corners[k], 3 * i)).sort((p, q) => p.dot(n) - q.dot(n));
            drops[k].set([of[0]!, at(of[0]!.dot(n)), of[7]!, at(of[7]!.dot(n))].flatMap((p) => p.toArray()));
          }
        }
        const ends = answer.axes.flatMap((one) => (one.n ? [one.fromA, one.fromB, one.toA, one.toB] : [])), least = Math.min(...ends), most = Math.max(...ends);
        const bar = (name: string, from: number, to: number) => h('span', { class: name, style: `left:${(100 * (from - least)) / (most - least)}%; width:${(100 * (to - from)) / (most - least)}%` });
        const separate = answer.axes.filter((one) => one.gap !== undefined && one.gap > 0).length;
        const name = answer.axes[best]!.name.replaceAll(' ', '\u00a0');
        return {
          verdict: answer.overlap ? `They overlap: ${fmt(answer.contact!.points.reduce((d, p) => Math.max(d, p.depth), 0), 3)} deep along ${name}`
            : `Apart: ${separate} of 15 axes separate${separate === 1 ? 's' : ''}, ${name} most`,
          tone: answer.overlap ? 'touch' : 'apart',
          numbers: [
            table(['axis', 'sine', 'A and B on it', 'gap', ''], answer.axes.map((one, i) => ({
              class: [one.n ? (one.gap > 0 ? 'apart' : '') : 'off', i === best ? 'best' : '', i === chosen ? 'chosen' : ''].join(' '),
              cells: [
                h('button', { type: 'button', class: 'pick', 'data-key': `axis-${i}`, 'aria-pressed': i === chosen, onclick: () => set({ axis: String(i + 1) }) }, one.name),
                num(one.sine, 3),
                one.n ? h('span', { class: 'bars', 'aria-hidden': 'true' }, bar('one', one.fromA, one.toA), bar('two', one.fromB, one.toB)) : '–',
                one.n ? num(one.gap) : '–',
                !one.n ? 'parallel edges' : i === best ? (one.gap > 0 ? 'farthest apart' : 'least overlap') : one.gap > 0 ? 'separates' : '',
              ],
            })), 'The fifteen axes'),
            table(['what the tests answer', ''], answer.contact
              ? [['normal, from A to B', vec(answer.contact.normal)], ['deepest', num(Math.max(...answer.contact.points.map((p) => p.depth)))], ['points of contact', String(answer.contact.points.length)]]
              : [['the axis that separates most', vec(answer.separating!)]], 'The answers'),
          ],
        };
      },
    };
  },
});
