/* STL by three.js: one part, or one a solid where it is text with several. No unit, no axes: millimetres and z up are assumed, as by the command. */
import { STLLoader } from 'three/examples/jsm/loaders/STLLoader.js';
import { meshOf } from './geometry';
import { Unread, type Reader } from './read';
import { Stream } from './stream';

/** What a file that is cut off lacks, as the command says it: three.js takes it for a smaller one. */
function refuse(bytes: Uint8Array<ArrayBuffer>): string | undefined {
  const size = bytes.length, announced = size < 84 ? 0 : new DataView(bytes.buffer, bytes.byteOffset).getUint32(80, true);
  if (size === 84 + 50 * announced) return;
  if (/^\s*solid/i.test(new TextDecoder('latin1').decode(bytes.subarray(0, 100))))
    return /(^|[\r\n])[ \t]*end ?solid[^\r\n]*\s*$/i.test(new TextDecoder().decode(bytes.subarray(-4096))) ? undefined : 'the file is cut off: endsolid is missing';
  if (size < 84) return 'the file is cut off: a binary STL has 84 bytes before its triangles';
  const holds = Math.floor((size - 84) / 50);
  return announced > holds ? `the file is cut off, or no STL: its head announces ${announced} triangles, and it holds ${holds}` : undefined;
}

export const read: Reader = async ({ name, bytes }) => {
  const why = refuse(bytes);
  if (why) throw new Unread(`${name}: ${why}.`);
  const geometry = new STLLoader().parse(bytes.buffer), names = (geometry.userData.groupNames ?? []) as string[];
  const stream = new Stream('Stereolithography (STL) Importer', { bias: 0.001, upBias: 'z', singlePoints: true, singlePlaces: true });
  const groups = geometry.groups.length > 0 ? geometry.groups : [{ start: 0, count: Infinity }];
  const meshes = groups.map(({ start, count }, i) => stream.mesh(meshOf(names[i] ?? '', geometry, start, count)));
  const root = stream.node(null, '', null, []);
  meshes.forEach((mesh, i) => stream.node(root, names[i] ?? '', null, [mesh]));
  return stream.end();
};
