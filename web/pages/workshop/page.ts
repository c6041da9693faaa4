import { CapsuleGeometry, Mesh, SphereGeometry } from 'three';
import { num, table } from '../frame/html';
import { page } from '../frame/page';
import { choice, number } from '../frame/state';
import { ask, type State } from './query';
import code from './query.ts?code';

page({
  params: {
    t: number('time', 1.05, 0, 4, { step: 0.005, play: 4, unit: 'seconds' }),
    response: choice<State['response']>('what is hit', 'bounce', { bounce: 'bounces', halt: 'halts', vanish: 'vanishes', slide: 'slides on' }),
    rate: number('steps a second', 60, 4, 240, { step: 1 }),
    each: number('balls on each side', 8, 1, 16, { step: 1 }),
    speed: number('speed', 6.5, 1, 14, { step: 0.1 }),
    angle: number('upwards', 42, 0, 80, { step: 0.5, unit: 'degrees' }),
    restitution: number('restitution', 0.8, 0, 1),
  },
  ask,
  code,
  eye: [4.6, 3.8, 10.4],
  target: [0, 1.1, 0],
  scene(view) {
    view.floor(0, 6);
    const post = view.body(new CapsuleGeometry(0.25, 2.2, 12, 32), 'c', { opacity: 0.5, edges: false });
    post.position.y = 1.1;
    const unit = new SphereGeometry(1, 24, 16), colors = { a: view.lit('a'), b: view.lit('b'), halted: view.lit('touch') }, ghosts = { a: view.lit('a', 0.22), b: view.lit('b', 0.22) };
    const balls: Mesh[] = [], trails = { a: view.lines('a', 0.55), b: view.lines('b', 0.55) };
    return {
      show(s, answer) {
        while (balls.length < answer.balls.length) balls.push(view.add(new Mesh(unit, colors.a)));
        const points: Record<'a' | 'b', number[]> = { a: [], b: [] };
        balls.forEach((mesh, i) => {
          const ball = answer.balls[i];
          mesh.visible = !!ball;
          if (!ball) return;
          const side = ball.side < 0 ? 'a' : 'b', last = ball.path[ball.path.length - 1]!;
          mesh.position.set(...last);
          mesh.scale.setScalar(answer.radius * (ball.gone ? 0.6 : 1));
          mesh.material = ball.gone ? ghosts[side] : ball.halted ? colors.halted : colors[side];
          for (let k = 1; k < ball.path.length; k++) points[side].push(...ball.path[k - 1]!, ...ball.path[k]!);
        });
        trails.a.set(points.a), trails.b.set(points.b);
        const hits = answer.events.length, first = answer.events[0];
        return {
          verdict: first ? `${hits} hit${hits === 1 ? '' : 's'} until now, the first after ${first.t.toFixed(4)} s` : 'Nothing has been hit yet',
          tone: first ? 'touch' : 'plain',
          numbers: [
            table(['now', ''], [['balls that are there', num(answer.left, 0)], ['of them halted', num(answer.halted, 0)], ['kinetic energy', num(answer.energy)], ['steps', num(answer.steps, 0)]], 'Now'),
            table(['hits, the last first', 'at second'], answer.events.slice(-12).reverse().map((event) => [`${event.a} and ${event.b}`, num(event.t)]), 'The hits'),
          ],
        };
      },
    };
  },
});
