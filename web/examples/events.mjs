// Events without physics: a coin that is picked up, a door that is walked through, a bullet that misses nothing.
import { init } from 'carom';

const cm = await init();
const world = cm.world();
const player = world.add({ shape: cm.capsule([0, 0.4, 0], [0, 1.4, 0], 0.4), user: 'player' });
const coin = world.add({ shape: cm.sphere(0.3), pose: { position: [3, 1, 0] }, trigger: true, user: 'coin' });
world.add({ shape: cm.box([0.1, 2, 1]), pose: { position: [6, 1, 0] }, trigger: true, user: 'door' });
world.add({ shape: cm.box([0.01, 3, 3]), pose: { position: [20, 1, 0] }, fixed: true, user: 'thin wall' });
const bullet = world.add({ shape: cm.sphere(0.05), pose: { position: [0, 3, 0] }, user: 'bullet' });

for (let step = 0; step < 10; step++) {
  world.setMotion(player, { move: [1, 0, 0] });
  world.setMotion(bullet, { move: [300 / 60, 0, 0] }); // 300 m/s: 5 m a step, through 2 cm of wall
  for (const e of world.update()) {
    if (e.kind === 'stayed') continue;
    console.log(`step ${step}: ${e.userA} and ${e.userB}: ${e.kind} at ${(step + e.u).toFixed(3)}`);
    if (e.kind === 'entered' && e.userB === 'coin') world.remove(coin);
    if (e.kind === 'hit' && e.userB === 'bullet') world.remove(bullet);
  }
  if (step === 3) break;
}
console.log(`${world.count} objects are left`);
world.dispose();
