import { BoxGeometry, Color, InstancedMesh, Matrix4, MeshLambertMaterial } from 'three';
import { fmt, h, num, table } from '../frame/html';
import { page } from '../frame/page';
import { choice, flag, number } from '../frame/state';
import { edgesOf } from '../frame/view';
import { ask, boxes, type State } from './query';
import code from './query.ts?code';

const names: Record<State['kind'], string> = {
  brute: 'brute force', sweep: 'sort and sweep', sweep3: 'sweep on three axes', grid: 'grid', octree: 'octree', quadtree: 'quadtree', bsp: 'k-d tree', bvh: 'tree of boxes',
};
const css = (name: string) => new Color(getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim());

page({
  params: {
    kind: choice<State['kind']>('structure', 'octree', names),
    step: number('step', 0, 0, 1200, { step: 1, play: 40 }),
    count: number('boxes', 1000, 10, 4000, { step: 10 }),
    size: number('size', 0.16, 0.02, 0.8),
    cells: flag('draw its cells', true),
  },
  ask,
  code,
  eye: [6.2, 5, 10],
  scene(view, _cm, set) {
    view.floor(-3.3, 4);
    const cells = view.lines('c', 0.4);
    let mesh: InstancedMesh | undefined, last: { s: State; pairs: number[] };
    const matrix = new Matrix4();
    const draw = () => {
      const { s, pairs } = last, at = boxes(s), calm = css('b'), hot = css('a');
      if (mesh?.count !== s.count) {
        mesh?.removeFromParent();
        mesh?.dispose();
        mesh = view.add(new InstancedMesh(new BoxGeometry(1, 1, 1), new MeshLambertMaterial(), s.count));
        mesh.frustumCulled = false;
      }
      const paired = new Set(pairs);
      for (let i = 0; i < s.count; i++) {
        const [x, y, z, X, Y, Z] = at.subarray(6 * i, 6 * i + 6) as unknown as [number, number, number, number, number, number];
        mesh.setMatrixAt(i, matrix.makeScale(X - x, Y - y, Z - z).setPosition((x + X) / 2, (y + Y) / 2, (z + Z) / 2));
        mesh.setColorAt(i, paired.has(i) ? hot : calm);
      }
      mesh.instanceMatrix.needsUpdate = true;
      mesh.instanceColor!.needsUpdate = true;
    };
    addEventListener('theme', () => { draw(); view.draw(); });
    return {
      show(s, answer) {
        last = { s, pairs: answer.pairs };
        draw();
        cells.visible = s.cells;
        const clamp = (v: number[]) => v.map((x) => Math.max(-6, Math.min(6, x)));
        cells.set(answer.cells.flatMap((cell) => edgesOf(clamp(cell.min), clamp(cell.max))));
        const brute = answer.answers.find((one) => one.kind === 'brute')!, chosen = answer.answers.find((one) => one.kind === s.kind)!;
        const same = answer.answers.every((one) => one.pairs === brute.pairs);
        return {
          verdict: `${chosen.pairs.toLocaleString('en')} pairs by ${chosen.tests.toLocaleString('en')} tests; brute force takes ${brute.tests.toLocaleString('en')}`,
          tone: same ? 'touch' : 'apart',
          numbers: [table(['structure', 'tests', '', 'pairs', 'cells', 'depth', 'KB', 'ms'], answer.answers.map((one) => ({
            class: one.kind === s.kind ? 'chosen best' : '',
            cells: [
              h('button', { type: 'button', class: 'pick', 'data-key': one.kind, 'aria-pressed': one.kind === s.kind, onclick: () => set({ kind: one.kind }) }, names[one.kind]),
              num(one.tests, 0), h('span', { class: 'bars', 'aria-hidden': 'true' }, h('span', { style: `left:0; top:.3rem; width:${Math.max(0.5, (100 * one.tests) / brute.tests)}%; background:var(--b)` })),
              num(one.pairs, 0), num(one.nodes, 0), num(one.depth, 0), fmt(one.bytes / 1024, 0), fmt(one.ms, 2),
            ],
          })), 'The structures')],
        };
      },
    };
  },
});
