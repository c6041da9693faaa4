// Do two meshes clash, and how deep? Two rings: linked, crossing, apart. Any arrays will do: those of a glTF, an STL, an OBJ.
import { init } from 'carom';

function ring(radius, tube, around = 48, across = 24) {
  const positions = [], indices = [], turn = 2 * Math.PI;
  for (let i = 0; i < around; i++) for (let j = 0; j < across; j++) {
    const u = (turn * i) / around, v = (turn * j) / across, r = radius + tube * Math.cos(v);
    positions.push(r * Math.cos(u), r * Math.sin(u), tube * Math.sin(v));
    const a = i * across + j, b = i * across + ((j + 1) % across), next = (k) => (k + across) % (around * across);
    indices.push(a, next(a), next(b), a, next(b), b);
  }
  return { positions: new Float32Array(positions), indices: new Uint32Array(indices), solid: true };
}
const cm = await init();
const part = cm.mesh(ring(1, 0.25));
console.log(`${part.info.triangles} triangles, closed: ${part.info.closed}`);
const upright = { x: Math.SQRT1_2, y: 0, z: 0, w: Math.SQRT1_2 };
for (const x of [1.0, 1.6, 2.6]) {
  const r = cm.relation(part, null, part, { position: [x, 0, 0], rotation: upright });
  const how = r.distance > 0 ? `gap ${r.distance.toFixed(4)}` : `depth ${(-r.distance).toFixed(4)}, ${r.crossings} crossing triangles`;
  console.log(`x ${x}: ${r.relation}, ${how}, near ${r.pointA.x.toFixed(2)} ${r.pointA.y.toFixed(2)} ${r.pointA.z.toFixed(2)}`);
}
part.dispose();
