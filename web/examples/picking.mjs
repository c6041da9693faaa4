// Picking: which object is under the pointer? A world of a thousand crates, a ray for each click.
import { init } from 'carom';

const cm = await init();
const world = cm.world();
const crate = cm.box([0.4, 0.4, 0.4]); // half sizes
for (let i = 0; i < 1000; i++) {
  const position = [(i % 10) - 4.5, (Math.floor(i / 10) % 10) - 4.5, -Math.floor(i / 100)];
  world.add({ shape: crate, pose: { position }, fixed: true, user: `crate ${i}` });
}
world.update(); // puts the boxes in order; queries are right without, only slower

const eye = { x: 0, y: 0, z: 20 };
for (const through of [{ x: 0.5, y: 0.5, z: 0.4 }, { x: 3.6, y: -2.4, z: 0.4 }, { x: 9, y: 9, z: 0 }]) {
  const direction = { x: through.x - eye.x, y: through.y - eye.y, z: through.z - eye.z };
  const hit = world.raycast({ origin: eye, direction });
  if (!hit) console.log('nothing');
  else console.log(hit.user, 'at', hit.point.x.toFixed(2), hit.point.y.toFixed(2), hit.point.z.toFixed(2));
}
world.dispose();
