/* OBJ by three.js: a part an object or group. No unit, no axes: those that the command assumes. */
import { OBJLoader } from 'three/examples/jsm/loaders/OBJLoader.js';
import type { BufferGeometry, Object3D } from 'three';
import { meshOf } from './geometry';
import type { Reader } from './read';
import { Stream } from './stream';

export const read: Reader = async ({ bytes }) => {
  const scene = new OBJLoader().parse(new TextDecoder().decode(bytes));
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
