// Compares what carom reads of glTF files with what three.js shows: parts, triangles, bounds, volumes.
//   node compare.mjs GLTF_PARTS FILE-OR-FOLDER...
// Every file ends in one of: the same, refused by carom with a reason, refused by both, or WRONG; exit code 1 where
// one is wrong. What carom reads and three.js does not is counted apart.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { readParts } from './three.mjs';

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

const counts = {};
const reasons = {};
for (const input of inputs)
  for (const file of filesBelow(input)) {
    const ours = caromParts(file);
    const theirs = await readParts(file);
    let verdict;
    if (ours.error && theirs.error) verdict = 'refused by both';
    else if (ours.error && theirs.parts.length === 0) verdict = 'refused, and nothing to see in three.js';
    else if (ours.error) verdict = 'refused';
    else if (theirs.error) verdict = 'read, refused by three.js';
    else verdict = differences(ours.parts, theirs.parts).length === 0 ? 'the same' : 'WRONG';
    counts[verdict] = (counts[verdict] || 0) + 1;
    if (ours.error) {
      const kind = ours.error.replace(/\d+/g, '#').slice(0, 100);
      reasons[kind] = (reasons[kind] || 0) + 1;
    }
    if (verdict === 'WRONG') console.log(`WRONG ${file}: ${differences(ours.parts, theirs.parts).slice(0, 3).join('; ')}`);
    else if (verbose || verdict === 'refused' || verdict.startsWith('read,'))
      console.log(`${verdict}: ${file}${ours.error ? `: ${ours.error}` : ''}${theirs.error ? ` [three.js: ${theirs.error}]` : ''}`);
  }
console.log(JSON.stringify({ counts, reasons }, null, 1));
process.exit(counts.WRONG ? 1 : 0);
