import { BufferGeometry, Float32BufferAttribute, LineSegments, Points, PointsMaterial, WireframeGeometry } from 'three';
import { num, table } from '../frame/html';
import { page } from '../frame/page';
import { number } from '../frame/state';
import { ask } from './query';
import { aimed, land } from './rays';
import code from './query.ts?code';

const count = (n: number) => n.toLocaleString('en');

page({
  params: {
    rays: number('rays', 20000, 1000, 100000, { step: 1000 }),
    far: number('they come from', 40, 1, 1000, { step: 1, unit: 'units away' }),
    bumps: number('bumps', 0.4, 0, 0.5, { step: 0.02 }),
    seed: number('other rays', 1, 1, 999, { step: 1 }),
  },
  ask,
  code,
  eye: [3, 5.6, 7.8],
  scene(view) {
    const ground = view.body(new BufferGeometry(), 'body', { opacity: 0.55, edges: false }), wires = view.add(new LineSegments(new BufferGeometry(), view.line('b', 0.5)));
    const rays = view.lines('soft', 0.16), dots = (name: string, size: number) => {
      const material = new PointsMaterial({ size, depthTest: false, transparent: true });
      material.color = view.line(name).color;
      const points = view.add(new Points(new BufferGeometry(), material));
      points.frustumCulled = false;
      points.renderOrder = 1; // over the surface
      return points;
    };
    const leaks = dots('a', 0.1), holes = dots('hot', 0.12);
    const fill = (points: Points, list: number[][]) => {
      points.geometry.dispose();
      points.geometry = new BufferGeometry().setAttribute('position', new Float32BufferAttribute(list.flat(), 3));
    };
    let drawn = NaN;
    return {
      show(s, answer) {
        const { positions, indices } = land(s.bumps);
        if (drawn !== s.bumps) {
          drawn = s.bumps;
          const geometry = new BufferGeometry().setAttribute('position', new Float32BufferAttribute(positions, 3)).setIndex(indices);
          geometry.computeVertexNormals();
          (ground.children[0] as LineSegments).geometry = geometry;
          wires.geometry = new WireframeGeometry(geometry);
        }
        // a few of the rays
        const some = aimed({ ...s, rays: 60 }, positions), points: number[] = [];
        for (let i = 0; i < 60; i++) {
          const long = Math.min(1, 4 / s.far), target = some.targets.subarray(3 * i, 3 * i + 3), direction = some.rays.subarray(7 * i + 3, 7 * i + 6);
          for (let k = 0; k < 3; k++) points.push(target[k]! - long * direction[k]!);
          points.push(...target);
        }
        rays.set(points);
        fill(leaks, answer.leaks), fill(holes, answer.holes);
        return {
          verdict: `The textbook's test lets ${count(answer.textbook.missed)} of ${count(s.rays)} rays through, the mesh ${answer.missed === 0 ? 'none' : count(answer.missed)}`,
          tone: answer.missed === 0 ? 'touch' : 'apart',
          numbers: [
            table(['rays', 'through', 'met', 'met twice'], [
              ['triangle by triangle, in float', num(answer.textbook.missed, 0), num(answer.textbook.met, 0), num(answer.textbook.twice, 0)],
              { class: 'best', cells: ['carom, the mesh', num(answer.missed, 0), num(answer.hits, 0), '–'] },
            ], 'The rays'),
            table(['the mesh', ''], [['triangles', num(answer.triangles, 0)], ['open edges, its rim', num(answer.open, 0)]], 'The mesh'),
          ],
        };
      },
    };
  },
});
