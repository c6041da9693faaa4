// A character that walks over a hill, up a step, and stops at a wall. No physics engine.
import { init } from 'carom';

const cm = await init();
const world = cm.world();
const hill = cm.heightField({
  heights: Float32Array.from({ length: 21 * 21 }, (_, i) => Math.sin((i % 21) / 3) * 0.5),
  columns: 21, rows: 21, columnSpacing: 1, rowSpacing: 1, origin: [-10, 0, -10],
});
world.add({ shape: hill, fixed: true, user: 'hill' });
world.add({ shape: cm.box([0.5, 0.15, 2]), pose: { position: [2, -0.2, 0] }, fixed: true, user: 'step' });
world.add({ shape: cm.box([0.2, 3, 10]), pose: { position: [6, 0, 0] }, fixed: true, user: 'wall' });
world.update();

const mover = cm.mover({ shape: cm.capsule([0, 0.3, 0], [0, 1.5, 0], 0.3), pose: { position: [-8, 2, 0] } });
const dt = 1 / 60, velocity = { x: 4, y: 0, z: 0 };
for (let frame = 0; frame < 300; frame++) {
  velocity.y -= 10 * dt; // gravity is yours
  const result = mover.step({ world }, velocity, dt);
  velocity.y = result.velocity.y;
  const { x, y } = mover.pose.position;
  if (frame % 60 === 59) console.log(`${mover.footing} at x ${x.toFixed(2)} y ${y.toFixed(2)}`, result.hits.map((h) => world.user(h.id)).join());
}
world.dispose();
hill.dispose();
