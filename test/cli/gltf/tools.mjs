// What writes and compresses glTF here: gltf-transform with all its extensions, and gltfpack.
import { NodeIO } from '@gltf-transform/core';
import { ALL_EXTENSIONS } from '@gltf-transform/extensions';
import { MeshoptDecoder, MeshoptEncoder } from 'meshoptimizer';
import draco3d from 'draco3dgltf';
import * as gltfpack from 'gltfpack';
import fs from 'node:fs';

await MeshoptEncoder.ready;
await MeshoptDecoder.ready;
export const encoder = MeshoptEncoder;
export const io = new NodeIO().registerExtensions(ALL_EXTENSIONS).registerDependencies({
  'draco3d.decoder': await draco3d.createDecoderModule(),
  'draco3d.encoder': await draco3d.createEncoderModule(),
  'meshopt.decoder': MeshoptDecoder,
  'meshopt.encoder': MeshoptEncoder,
});

export async function transform(document, steps, output) {
  document.setLogger({ debug() {}, info() {}, warn() {}, error() {} });
  await document.transform(...steps);
  fs.writeFileSync(output, await io.writeBinary(document));
}

export async function pack(input, output, options) {
  const files = { read: (file) => fs.readFileSync(file), write: (file, data) => fs.writeFileSync(file, data) };
  await gltfpack.pack(['-i', input, '-o', output, ...options.split(' ').filter(Boolean)], files);
}
