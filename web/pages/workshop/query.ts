import type { Carom } from 'carom';

type Vec3 = [number, number, number];
export interface State {
  t: number; rate: number; response: 'halt' | 'vanish' | 'bounce' | 'slide';
  each: number; speed: number; angle: number; restitution: number;
}

/** Plays the scene from the start until t. */
export function ask(cm: Carom, s: State) {
  const { RESPONSE_HALT, RESPONSE_VANISH, RESPONSE_BOUNCE, RESPONSE_SLIDE } = cm.constants;
  const response = { halt: RESPONSE_HALT, vanish: RESPONSE_VANISH, bounce: RESPONSE_BOUNCE, slide: RESPONSE_SLIDE }[s.response];
  using world = cm.world();
  using dynamics = cm.dynamics(world, [0, -9.81, 0]);
  world.add({ shape: cm.halfspace([0, 1, 0]), fixed: true, user: 'floor' });
  world.add({ shape: cm.capsule([0, 0, 0], [0, 2.2, 0], 0.25), fixed: true, user: 'post' });

  const radius = 0.22, ball = cm.sphere(radius), up = (s.angle * Math.PI) / 180;
  const balls = Array.from({ length: 2 * s.each }, (_, i) => {
    const side = i % 2 ? 1 : -1, k = i >> 1, z = (k - (s.each - 1) / 2) * 0.62, fast = s.speed * (1 + 0.07 * Math.sin(5 * k + side));
    const position: Vec3 = [4.5 * side, 0.6, z];
    const id = world.add({ shape: ball, pose: { position }, sweep: 'always', user: i });
    const velocity = [-side * fast * Math.cos(up), fast * Math.sin(up), 0.25 * Math.sin(3 * k)];
    dynamics.add(id, { velocity, response, restitution: s.restitution });
    return { id, side, path: [position], gone: false, halted: false };
  });

  const events: { t: number; a: string; b: string }[] = [], dt = 1 / s.rate;
  const name = (user: unknown) => (typeof user === 'number' ? `ball ${user + 1}` : String(user));
  let steps = 0;
  for (let at = 0; at < s.t - 1e-9; steps++) {
    const step = Math.min(dt, s.t - at); // the last one ends at t
    dynamics.step(step);
    for (const event of world.events) if (event.kind === 'hit') events.push({ t: at + event.u * step, a: name(event.userA), b: name(event.userB) });
    at += step;
    const there = new Set(world.ids);
    for (const one of balls) {
      one.gone ||= !there.has(one.id);
      if (one.gone) continue;
      const { x, y, z } = world.getPose(one.id).position;
      one.path.push([x, y, z]);
    }
  }
  events.sort((p, q) => p.t - q.t); // within a step they come by pairs
  let energy = 0;
  for (const one of balls) {
    if (one.gone) continue;
    const state = dynamics.get(one.id);
    one.halted = state.halted;
    energy += state.energy;
  }
  return { radius, balls, events, steps, energy, left: balls.filter((one) => !one.gone).length, halted: balls.filter((one) => one.halted).length };
}
