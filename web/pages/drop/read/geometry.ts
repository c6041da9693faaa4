/* three.js' geometries as the stream's meshes. */
import type { BufferAttribute, BufferGeometry, InterleavedBufferAttribute } from 'three';
import type { StreamMesh } from './stream';

function pointsOf(attribute: BufferAttribute | InterleavedBufferAttribute): Float64Array {
  const points = new Float64Array(3 * attribute.count);
  for (let i = 0; i < attribute.count; i++) {
    points[3 * i] = attribute.getX(i);
    points[3 * i + 1] = attribute.getY(i);
    points[3 * i + 2] = attribute.getZ(i);
  }
  return points;
}
const upTo = (count: number) => Uint32Array.from({ length: count - (count % 3) }, (_, i) => i);

/** The triangles of a geometry, or those of a range of its corners. */
export function meshOf(name: string, geometry: BufferGeometry, start = 0, count = Infinity): StreamMesh {
  const position = geometry.getAttribute('position');
  if (!position) return { name, points: [], indices: [] };
  const indices = geometry.index ? Uint32Array.from(geometry.index.array) : upTo(position.count);
  if (start === 0 && count >= indices.length) return { name, points: pointsOf(position), indices };
  // a range alone has its own points
  const part = indices.subarray(start, start + count), all = pointsOf(position), points = new Float64Array(3 * part.length);
  part.forEach((corner, i) => points.set(all.subarray(3 * corner, 3 * corner + 3), 3 * i));
  return { name, points, indices: upTo(part.length) };
}
