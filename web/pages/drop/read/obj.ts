/* OBJ by three.js: a part an object or group. No unit, no axes: those that the command assumes. */
import { OBJLoader } from 'three/examples/jsm/loaders/OBJLoader.js';
import type { BufferGeometry, Object3D } from 'three';
import { meshOf } from './geometry';
import { cut } from './polygon';
import { Unread, type Reader } from './read';
import { Stream } from './stream';

/** What shows that it is cut off: a last line that is half, or points of which no face follows. */
function refuse(text: string): string | undefined {
  const last = text.slice(text.lastIndexOf('\n') + 1).trim().split(/\s+/);
  if (/^[vf]$/.test(last[0]!) && last.length < 4) return 'the file is cut off: its last line is not whole';
  const points = Math.max(text.lastIndexOf('\nv '), text.lastIndexOf('\nv\t')), faces = Math.max(text.lastIndexOf('\nf '), text.lastIndexOf('\nf\t'));
  return faces >= 0 && points > faces ? 'the file may be cut off: it ends with points that no face has' : undefined;
}

/** The text with triangles for polygons, and without comments behind numbers: three.js makes fans of polygons, which cover what lies outside where one bends inwards, and takes
 * the words of a comment for corners. */
function withTriangles(text: string): string {
  const points: number[] = [];
  return text.replace(/\\\r?\n/g, ' ').split('\n').map((line) => {
    if (!/^\s*[vf]\s/.test(line)) return line;
    const numbers = line.replace(/#.*/, ''), [word, ...rest] = numbers.trim().split(/\s+/);
    if (word === 'v') for (let k = 0; k < 3; k++) points.push(Number(rest[k]));
    if (word !== 'f' || rest.length < 4) return numbers;
    const places = rest.flatMap((corner) => { // counted from 1, or backwards from -1
      const at = parseInt(corner, 10), from = at < 0 ? points.length + 3 * at : 3 * (at - 1);
      return points.slice(from, from + 3);
    });
    if (places.length !== 3 * rest.length) return numbers; // of a point that does not exist
    const order = cut(places, rest.map((_, i) => i));
    if (!order) throw new Error(`a polygon of ${rest.length} corners crosses itself: cut it into triangles first`);
    return Array.from({ length: order.length / 3 }, (_, i) => `f ${order.slice(3 * i, 3 * i + 3).map((k) => rest[k]).join(' ')}`).join('\n');
  }).join('\n');
}

export const read: Reader = async ({ name, bytes }) => {
  const text = new TextDecoder().decode(bytes), why = refuse(text);
  if (why) throw new Unread(`${name}: ${why}.`);
  const scene = new OBJLoader().parse(withTriangles(text));
  const stream = new Stream('Wavefront Object Importer', { bias: 1, upBias: 'y', singlePoints: true, singlePlaces: true });
  const things = scene.children as (Object3D & { geometry: BufferGeometry; isMesh?: boolean; isPoints?: boolean })[];
  const meshes = things.map(({ name, geometry, isMesh, isPoints }) => {
    const corners = geometry.getAttribute('position').count;
    return stream.mesh(isMesh ? meshOf(name, geometry) : { name, points: [], indices: [], ...(isPoints ? { dots: corners } : { lines: corners / 2 }) });
  });
  const root = stream.node(null, '', null, []);
  things.forEach(({ name }, i) => stream.node(root, name, null, [meshes[i]!]));
  return stream.end();
};
