/* STL by three.js: one part, or one a solid where it is text with several. No unit, no axes: millimetres and z up are assumed, as by the command. */
import { STLLoader } from 'three/examples/jsm/loaders/STLLoader.js';
import { meshOf } from './geometry';
import type { Reader } from './read';
import { Stream } from './stream';

export const read: Reader = async ({ bytes }) => {
  const geometry = new STLLoader().parse(bytes.buffer), names = (geometry.userData.groupNames ?? []) as string[];
  const stream = new Stream('Stereolithography (STL) Importer', { bias: 0.001, upBias: 'z', singlePoints: true, singlePlaces: true });
  const groups = geometry.groups.length > 0 ? geometry.groups : [{ start: 0, count: Infinity }];
  const meshes = groups.map(({ start, count }, i) => stream.mesh(meshOf(names[i] ?? '', geometry, start, count)));
  const root = stream.node(null, '', null, []);
  meshes.forEach((mesh, i) => stream.node(root, names[i] ?? '', null, [mesh]));
  return stream.end();
};
