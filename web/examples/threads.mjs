// Several threads: a mesh is built and asked by a hundred thousand rays, the answers are those of one thread.
import { init } from 'carom/threads';

const positions = [], indices = [], n = 120; // a landscape of 28,800 triangles
for (let i = 0; i <= n; i++)
  for (let j = 0; j <= n; j++) positions.push(i - n / 2, 3 * Math.sin(i / 5) * Math.cos(j / 7), j - n / 2);
for (let i = 0; i < n; i++)
  for (let j = 0; j < n; j++) {
    const a = i * (n + 1) + j;
    indices.push(a, a + 1, a + n + 1, a + 1, a + n + 2, a + n + 1);
  }
const count = 100_000, rays = new Float32Array(7 * count); // origin, direction, max
for (let i = 0; i < count; i++) rays.set([(i * 37) % 110 - 55, 20, (i * 61) % 130 - 65, 0.1, -1, 0.05, Infinity], 7 * i);

const answers = [];
for (const threads of [1, 2]) {
  const cm = await init({ threads }), out = { met: new Uint8Array(count), t: new Float32Array(count) };
  const start = performance.now(), mesh = cm.mesh({ positions, indices });
  const found = cm.raycastMany(rays, mesh, null, out);
  console.log(`${cm.threads} threads: ${found} rays hit, ${(performance.now() - start).toFixed(0)} ms`);
  answers.push(out.t);
  mesh.dispose();
  cm.dispose(); // ends the threads
}
console.log(answers[0].every((t, i) => t === answers[1][i]) ? 'the same answers' : 'other answers');
