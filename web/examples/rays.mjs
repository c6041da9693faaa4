// A batch of rays: a depth picture of a mesh, 64 by 32, in one call.
import { init } from 'carom';

const cm = await init();
const points = new Float32Array(3 * 200);
for (let i = 0; i < 200; i++) { // points spread over a sphere
  const y = 1 - (2 * (i + 0.5)) / 200, r = Math.sqrt(1 - y * y), a = i * 2.399963;
  points.set([r * Math.cos(a), y, r * Math.sin(a)], 3 * i);
}
const stone = cm.hull(points);
const width = 64, height = 32, rays = new Float32Array(7 * width * height);
for (let i = 0; i < width * height; i++) {
  const x = ((i % width) / width - 0.5) * 2.4, y = (0.5 - Math.floor(i / width) / height) * 2.4;
  rays.set([x, y, 5, 0, 0, -1, Infinity], 7 * i); // origin, direction, max
}
const out = { met: new Uint8Array(width * height), t: new Float32Array(width * height) };
const found = cm.raycastMany(rays, stone, null, out);
const shades = '@%#*+=-:. ';
for (let row = 0; row < height; row++)
  console.log(Array.from({ length: width }, (_, x) => shades[Math.min(9, Math.floor((out.t[row * width + x] - 4) * 8))] ?? ' ').join('').trimEnd());
console.log(`${found} of ${width * height} rays hit; ${stone.info.faces} faces`);
stone.dispose();
