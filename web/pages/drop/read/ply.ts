/* PLY by three.js: one part. No unit, no axes: those that the command assumes. */
import { PLYLoader } from 'three/examples/jsm/loaders/PLYLoader.js';
import { meshOf } from './geometry';
import { Unread, type Reader } from './read';
import { Stream } from './stream';

export const read: Reader = async ({ name, bytes }) => {
  const geometry = new PLYLoader().parse(bytes.buffer);
  if (!geometry.index) throw new Unread(`${name}: it holds points and no triangles.`);
  const stream = new Stream('Stanford Polygon Library (PLY) Importer', { bias: 1, upBias: 'z', singlePoints: true, singlePlaces: true });
  const mesh = stream.mesh(meshOf('', geometry));
  stream.node(null, '', null, [mesh]);
  return stream.end();
};
