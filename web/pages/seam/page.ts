import { BoxGeometry, BufferGeometry, CapsuleGeometry, CylinderGeometry, Float32BufferAttribute, SphereGeometry, LineSegments, Points, PointsMaterial, WireframeGeometry } from 'three';
import { num, table } from '../frame/html';
import { page } from '../frame/page';
import { choice, number, type Vec3 } from '../frame/state';
import type { Arrow } from '../frame/view';
import { ask } from './query';
import { aimed, land } from './rays';
import code from './query.ts?code';
import slideCode from './slide.ts?code';

const count = (n: number) => n.toLocaleString('en');
const shot = (s: { show: string }) => s.show === 'rays', slid = (s: { show: string }) => s.show === 'body';

page({
  params: {
    show: choice('at the seams', 'rays', { rays: 'rays', body: 'a body that slides' }),
    rays: number('rays', 20000, 1000, 100000, { step: 1000, when: shot }),
    far: number('they come from', 40, 1, 1000, { step: 1, unit: 'units away', when: shot }),
    bumps: number('bumps', 0.4, 0, 0.5, { step: 0.02, when: shot }),
    seed: number('other rays', 1, 1, 999, { step: 1, when: shot }),
    body: choice('body', 'box', { box: 'box', ball: 'ball', capsule: 'capsule', cylinder: 'cylinder' }, { when: slid }),
    at: number('along the floor', 0.31, 0, 1, { step: 0.002, play: 12, when: slid }),
    depth: number('deep in it by', 0.03, 0.001, 0.1, { step: 0.001, when: slid }),
  },
  ask,
  code: `${code}\n${slideCode}`,
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
    // the bodies as slide.ts has them; a cylinder of the library stands along z, a capsule of three along y
    const bodies = {
      box: view.body(new BoxGeometry(1, 0.6, 0.8), 'b', { opacity: 0.2 }), ball: view.body(new SphereGeometry(0.4, 32, 20), 'b', { opacity: 0.2 }),
      capsule: view.body(new CapsuleGeometry(0.3, 0.8, 12, 24).rotateZ(Math.PI / 2), 'b', { opacity: 0.2 }), cylinder: view.body(new CylinderGeometry(0.35, 0.35, 1, 32).rotateX(Math.PI / 2), 'b', { opacity: 0.2 }),
    };
    // an arrow a contact, the way it pushes: the mesh's, and those of its triangles alone that push aside
    const arrows = { touch: [] as Arrow[], a: [] as Arrow[] };
    const point = (name: keyof typeof arrows, list: { point: number[]; normal: number[] }[]) => {
      while (arrows[name].length < list.length) arrows[name].push(view.arrow(name, 0.018));
      arrows[name].forEach((arrow, i) => {
        arrow.visible = i < list.length;
        if (arrow.visible) arrow.set(list[i]!.point as Vec3, list[i]!.point.map((x, k) => x - 0.8 * list[i]!.normal[k]!) as Vec3);
      });
    };
    let drawn = NaN;
    return {
      show(s, answer) {
        const bumps = s.show === 'rays' ? s.bumps : 0, { positions, indices } = land(bumps);
        if (drawn !== bumps) {
          drawn = bumps;
          const geometry = new BufferGeometry().setAttribute('position', new Float32BufferAttribute(positions, 3)).setIndex(indices);
          geometry.computeVertexNormals();
          (ground.children[0] as LineSegments).geometry = geometry;
          wires.geometry = new WireframeGeometry(geometry);
        }
        for (const [name, body] of Object.entries(bodies)) body.visible = s.show === 'body' && s.body === name;
        rays.visible = leaks.visible = holes.visible = s.show === 'rays';
        if (!answer.slide) point('touch', []), point('a', []);
        if (answer.slide) {
          const { mesh, single, steps, here } = answer.slide;
          bodies[s.body].position.fromArray(here.position);
          bodies[s.body].rotation.y = 0.6;
          point('touch', here.mesh), point('a', here.single.filter(({ tilt }) => tilt > 1));
          return {
            verdict: `Triangle by triangle, ${count(single.held)} of ${count(steps)} steps are held back at a flat floor; by the mesh ${mesh.held === 0 ? 'none' : count(mesh.held)}`,
            tone: mesh.held === 0 ? 'touch' : 'apart',
            numbers: [table(['a slide', 'steps held', 'most degrees aside', 'contacts here'], [
              ['triangle by triangle', num(single.held, 0), num(single.tilt, 2), num(here.single.length, 0)],
              { class: 'best', cells: ['carom, the mesh', num(mesh.held, 0), num(mesh.tilt, 2), num(here.mesh.length, 0)] },
            ], 'The slide')],
          };
        }
        const shots = answer.rays!;
        // a few of the rays
        const some = aimed({ ...s, rays: 60 }, positions), points: number[] = [];
        for (let i = 0; i < 60; i++) {
          const long = Math.min(1, 4 / s.far), target = some.targets.subarray(3 * i, 3 * i + 3), direction = some.rays.subarray(7 * i + 3, 7 * i + 6);
          for (let k = 0; k < 3; k++) points.push(target[k]! - long * direction[k]!);
          points.push(...target);
        }
        rays.set(points);
        fill(leaks, shots.leaks), fill(holes, shots.holes);
        return {
          verdict: `The textbook's test lets ${count(shots.textbook.missed)} of ${count(s.rays)} rays through, the mesh ${shots.missed === 0 ? 'none' : count(shots.missed)}`,
          tone: shots.missed === 0 ? 'touch' : 'apart',
          numbers: [
            table(['rays', 'through', 'met', 'met twice'], [
              ['triangle by triangle, in float', num(shots.textbook.missed, 0), num(shots.textbook.met, 0), num(shots.textbook.twice, 0)],
              { class: 'best', cells: ['carom, the mesh', num(shots.missed, 0), num(shots.hits, 0), '–'] },
            ], 'The rays'),
            table(['the mesh', ''], [['triangles', num(shots.triangles, 0)], ['open edges, its rim', num(shots.open, 0)]], 'The mesh'),
          ],
        };
      },
    };
  },
});
