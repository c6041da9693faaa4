/* STEP, IGES and BREP by occt-import-js: a part a body, in millimetres, as that gives them. Curved faces are cut finer than
 * a thousandth of the size of all; how far each part's triangles are off it does not tell, as the command's reader does. */
import start from 'occt-import-js';
import wasm from 'occt-import-js/dist/occt-import-js.wasm?url';
import { Unread, type Reader } from './read';
import { Stream } from './stream';

const names = { step: 'STEP', iges: 'IGES', brep: 'BREP' };
export const reader = (format: 'step' | 'iges' | 'brep'): Reader => async ({ name, bytes }) => {
  // it looks for the rest of a cut file for ever; a text ends with the whole, behind the parts of the last shape
  const tail = new TextDecoder('latin1').decode(bytes.subarray(-4096));
  if (format === 'brep' && !new TextDecoder('latin1').decode(bytes.subarray(0, 64)).includes('Open CASCADE Topology') && !/\*\s+[+-]\d+ \d+\s*$/.test(tail))
    throw new Unread(`${name}: it is cut off or damaged.`);
  const occt = await start({ locateFile: () => wasm });
  const asked = { linearUnit: 'millimeter', linearDeflectionType: 'bounding_box_ratio', linearDeflection: 0.001, angularDeflection: 0.35 } as const;
  const found = format === 'step' ? occt.ReadStepFile(bytes, asked) : format === 'iges' ? occt.ReadIgesFile(bytes, asked) : occt.ReadBrepFile(bytes, asked);
  if (!found.success) throw new Unread(`${name}: Open CASCADE cannot read it as ${names[format]}.`);
  // a BREP has no unit; none of them says which way is up
  const stream = new Stream(`${names[format]} (occt-import-js)`, { unit: format === 'brep' ? 0 : 0.001, bias: 0.001, upBias: 'z', singlePoints: true, singlePlaces: false });
  const meshes = found.meshes.map((mesh) => stream.mesh({ name: mesh.name ?? '', points: mesh.attributes.position.array, indices: mesh.index.array }));
  const put = (node: typeof found.root, parent: number | null): void => {
    const number = stream.node(parent, node.name, null, node.meshes.length === 1 ? [meshes[node.meshes[0]!]!] : []);
    // several bodies of one product are parts below it
    if (node.meshes.length > 1) for (const mesh of node.meshes) stream.node(number, found.meshes[mesh]!.name ?? '', null, [meshes[mesh]!]);
    for (const child of node.children) put(child, number);
  };
  put(found.root, null);
  stream.note('curved faces are cut into triangles that may lie a thousandth of its size off: where round parts cross by less, they may fit (the command counts that in)');
  return stream.end();
};
