// Makes variants of models as gltfpack and gltf-transform write them.
//   node variants.mjs FOLDER MODEL...
import * as fn from '@gltf-transform/functions';
import fs from 'node:fs';
import path from 'node:path';
import { encoder, io, pack, transform } from './tools.mjs';

const [folder, ...models] = process.argv.slice(2);
fs.mkdirSync(folder, { recursive: true });

const packs = {
  plain: '-kn -km', quantized: '', normalized: '-vpn -kn', float: '-vpf -kn', noq: '-noq -mi',
  'c-ext': '-c -kn -ce ext', 'cc-ext': '-cc -ce ext', 'cz-ext': '-cz -kn -ce ext', 'c-khr': '-c -kn -ce khr', 'cc-khr': '-cc -ce khr', 'cz-khr': '-cz -kn -ce khr',
  'cfloat-khr': '-cz -vpf -ce khr', 'cfloat-ext': '-cc -vpf -ce ext', mi: '-mi', 'mi-c': '-mi -c -ce ext', 'mi-cz': '-mi -cz -ce khr', fallback: '-cf -kn', vi: '-vi -c',
};
const transforms = {
  'quantize': [fn.quantize({ quantizePosition: 14 })],
  'quantize-scene': [fn.quantize({ quantizePosition: 12, quantizationVolume: 'scene' })],
  'meshopt-medium': [fn.meshopt({ encoder, level: 'medium' })],
  'meshopt-high': [fn.meshopt({ encoder, level: 'high' })],
  'draco-edgebreaker': [fn.draco({ method: 'edgebreaker' })],
  'draco-sequential': [fn.draco({ method: 'sequential', quantizePosition: 16 })],
  'sparse': [fn.sparse({ ratio: 0.9 })],
  'instance': [fn.dedup(), fn.instance({ min: 2 })],
  'weld-flatten-join': [fn.weld(), fn.flatten(), fn.join()],
};
let made = 0, failed = 0;
async function attempt(output, write) {
  try {
    await write(output);
    made++;
  } catch (error) {
    console.log(`${output}: not made: ${String(error).slice(0, 200)}`);
    failed++;
  }
}
for (const model of models) {
  const name = path.basename(model).replace(/\W+/g, '_');
  for (const [key, options] of Object.entries(packs))
    await attempt(path.join(folder, `${name}.pack-${key}.glb`), (output) => pack(model, output, options));
  for (const [key, steps] of Object.entries(transforms))
    await attempt(path.join(folder, `${name}.gt-${key}.glb`), async (output) => transform(await io.read(model), steps, output));
}
console.log(`${made} variants, ${failed} that the tools could not make`);
