// Compares what carom reads of glTF files with what three.js shows, and with what gltf-transform decodes: parts,
// triangles, bounds, volumes.
//   node compare.mjs GLTF_PARTS FILE-OR-FOLDER...
// With each of the two every file ends in one of: the same, refused by carom with a reason, refused by both, or WRONG;
// exit code 1 where one is wrong. What carom reads and the other does not is counted apart.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import * as three from './three.mjs';
import * as transform from './transform.mjs';

const [program, ...inputs] = process.argv.slice(2);
const verbose = process.env.VERBOSE === '1';

function* filesBelow(input) {
  if (!fs.statSync(input).isDirectory()) return yield input;
  for (const name of fs.readdirSync(input).sort()) {
    const full = path.join(input, name);
    if (fs.statSync(full).isDirectory()) yield* filesBelow(full);
    else if (/\.(gltf|glb|vrm)$/i.test(name)) yield full;
  }
}

function caromParts(file) {
  const done = spawnSync(program, [file], { encoding: 'utf8', maxBuffer: 1 << 30 });
  if (done.status === 0) return { parts: done.stdout.trim().split('\n').map((line) => JSON.parse(line)) };
  return { error: done.stderr.trim().replace(`carom: ${file}: `, '') || `status ${done.status} ${done.signal}` };
}

// Single precision matrices and sums in another order: a few units in the last place of the largest coordinate.
function differences(ours, theirs) {
  if (ours.length !== theirs.length) return [`${ours.length} parts against ${theirs.length}`];
  const center = (p) => p.min.map((low, k) => (low + p.max[k]) / 2);
  const size = Math.max(...theirs.flatMap((p) => [...p.min, ...p.max].map(Math.abs)), 1e-30);
  const found = [];
  const free = new Set(theirs.keys());
  for (const own of ours) {
    // The nearest of the same count: the order of parts is each reader's own.
    let best = -1, least = Infinity;
    for (const i of free) {
      if (theirs[i].triangles !== own.triangles) continue;
      const gap = Math.max(...own.min.map((v, k) => Math.abs(v - theirs[i].min[k])), ...own.max.map((v, k) => Math.abs(v - theirs[i].max[k])));
      if (gap < least) (best = i), (least = gap);
    }
    if (best < 0) {
      found.push(`no part of ${own.triangles} triangles at ${center(own)}`);
      continue;
    }
    free.delete(best);
    const extent = Math.max(...own.max.map((v, k) => v - own.min[k]));
    const volume = Math.abs(own.volume - theirs[best].volume);
    if (!(least <= 2e-6 * size)) found.push(`bounds differ by ${least} of ${size}`);
    if (!(volume <= 1e-5 * size * extent * extent + 1e-300)) found.push(`volumes ${own.volume} and ${theirs[best].volume}`);
  }
  return found;
}

const others = { 'three.js': three.readParts, 'gltf-transform': transform.readParts };
const counts = { 'three.js': {}, 'gltf-transform': {} };
const reasons = { carom: {}, 'three.js': {}, 'gltf-transform': {} };

function note(name, error) {
  const kind = error.replace(/\d+/g, '#').slice(0, 100);
  reasons[name][kind] = (reasons[name][kind] || 0) + 1;
}
function judge(ours, theirs) {
  if (ours.error && theirs.error) return 'refused by both';
  if (ours.error && theirs.parts.length === 0) return 'refused, and nothing to see in the other';
  if (ours.error) return 'refused';
  if (theirs.error) return 'read, refused by the other';
  return differences(ours.parts, theirs.parts).length === 0 ? 'the same' : 'WRONG';
}

for (const input of inputs)
  for (const file of filesBelow(input)) {
    const ours = caromParts(file);
    if (ours.error) note('carom', ours.error);
    for (const [name, read] of Object.entries(others)) {
      const theirs = await read(file), verdict = judge(ours, theirs);
      counts[name][verdict] = (counts[name][verdict] || 0) + 1;
      if (theirs.error) note(name, theirs.error);
      if (verdict === 'WRONG') console.log(`WRONG (${name}) ${file}: ${differences(ours.parts, theirs.parts).slice(0, 3).join('; ')}`);
      else if (verbose || verdict === 'refused')
        console.log(`${verdict}: ${file}${ours.error ? `: ${ours.error}` : ''}${theirs.error ? ` [${name}: ${theirs.error}]` : ''}`);
    }
  }
console.log(JSON.stringify({ counts, reasons }, null, 1));
process.exit(Object.values(counts).some((count) => count.WRONG) ? 1 : 0);
