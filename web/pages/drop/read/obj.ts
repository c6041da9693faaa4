/* OBJ by three.js: a part an object or group. No unit, no axes: those that the command assumes. */
import { OBJLoader } from 'three/examples/jsm/loaders/OBJLoader.js';
import type { BufferGeometry, Object3D } from 'three';
import { meshOf } from './geometry';
import { Unread, type Reader } from './read';
import { Stream } from './stream';

/** What shows that it is cut off: a last line that is half, or points of which no face follows. */
function refuse(text: string): string | undefined {
  const last = text.slice(text.lastIndexOf('\n') + 1).trim().split(/\s+/);
  if (/^[vf]$/.test(last[0]!) && last.length < 4) return 'the file is cut off: its last line is not whole';
  const points = Math.max(text.lastIndexOf('\nv '), text.lastIndexOf('\nv\t')), faces = Math.max(text.lastIndexOf('\nf '), text.lastIndexOf('\nf\t'));
  return faces >= 0 && points > faces ? 'the file may be cut off: it ends with points that no face has' : undefined;
}

export const read: Reader = async ({ name, bytes }) => {
  const text = new TextDecoder().decode(bytes), why = refuse(text);
  if (why) throw new Unread(`${name}: ${why}.`);
  const scene = new OBJLoader().parse(text);
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
