/* Every entry, every way in, types, bundlers. */
import test from 'node:test';
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import http from 'node:http';
import { execFileSync } from 'node:child_process';
import { init } from 'carom';
import { init as inline } from 'carom/inline';
import * as browser from './node_modules/carom/dist/index.js';

const file = (name) => `node_modules/carom/dist/${name}.wasm`;
const works = (cm) => { cm.selftest(); assert.equal(cm.distance(cm.sphere(1), { position: [3, 0, 0] }, cm.sphere(1)), 1); };
const bytes = fs.readFileSync(file('carom'));

test('init takes nothing, bytes, a module, a file URL, a Response, a promise of one', async () => {
  const type = { headers: { 'content-type': 'application/wasm' } };
  for (const source of [undefined, bytes, bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), new WebAssembly.Module(bytes), new URL(file('carom-scalar'), import.meta.url),
    new Response(bytes, type), Promise.resolve(new Response(bytes))]) works(await init(source));
  works(await browser.init(new Response(bytes, type)));
  await assert.rejects(init(new Response('gone', { status: 404, statusText: 'Not Found' })), /404 Not Found/);
});
test('an address is fetched', async (t) => {
  const server = http.createServer((request, response) => response.setHeader('content-type', 'application/wasm').end(bytes)).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await new Promise((done) => server.once('listening', done));
  works(await init(`http://127.0.0.1:${server.address().port}/carom.wasm`));
});
test('the module within the script', async () => works(await inline()));
test('two libraries in one program know nothing of each other', async () => {
  const [a, b] = [await init(), await init()];
  const sphere = a.sphere(2);
  assert.equal(b.distance(sphere, null, b.sphere(1), { position: [4, 0, 0] }), 1, 'shapes without memory are values');
});
test('types hold under tsc --strict, without types of Node.js', () => {
  const compilerOptions = { strict: true, noEmit: true, module: 'nodenext', target: 'es2022', lib: ['es2022', 'dom'], types: [] };
  fs.writeFileSync('tsconfig.json', JSON.stringify({ compilerOptions, files: ['consumer.ts'] }));
  try {
    execFileSync(process.execPath, ['../../node_modules/typescript/bin/tsc'], { encoding: 'utf8' });
  } catch (error) {
    assert.fail(error.stdout);
  }
});
test('esbuild bundles it, with the module copied beside, or within the script', async () => {
  const { build } = await import('esbuild');
  for (const [entry, folder] of [['carom', 'bundle'], ['carom/inline', 'bundle-inline']]) {
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(`${folder}/main.mjs`, `import { init } from '${entry}';\nconst cm = await init();\ncm.selftest();\nconsole.log(cm.version);\n`);
    await build({ entryPoints: [`${folder}/main.mjs`], bundle: true, format: 'esm', platform: 'node', outfile: `${folder}/out.mjs` });
    if (entry === 'carom') fs.copyFileSync(file('carom'), `${folder}/carom.wasm`);
    assert.equal(execFileSync(process.execPath, [`${folder}/out.mjs`], { encoding: 'utf8' }), '0.1.0\n');
  }
});
test('the archive has all and no more: at most 6 MB, with license and notices', () => {
  let total = 0;
  const walk = (folder) => fs.readdirSync(folder, { withFileTypes: true }).flatMap((e) => (e.isDirectory() ? walk(path.join(folder, e.name)) : path.join(folder, e.name)));
  const files = walk('node_modules/carom');
  for (const name of files) total += fs.statSync(name).size;
  assert.ok(total <= 6e6, `${total} bytes`);
  for (const name of ['LICENSE', 'NOTICES', 'README.md', 'dist/carom.wasm']) assert.ok(files.includes(path.join('node_modules/carom', name)), name);
});
test('every exported function is there by its name', async () => {
  const cm = await init();
  const exported = WebAssembly.Module.exports(new WebAssembly.Module(bytes)).map((e) => e.name).filter((name) => name.startsWith('cm_'));
  const camel = (name) => name.slice(3).replace(/_+([a-z0-9])/g, (_, c) => c.toUpperCase());
  assert.deepEqual(exported.filter((name) => typeof cm.api[camel(name)] !== 'function').sort(), ['cm_broad_pair_list_free', 'cm_check_groups_destroy', 'cm_check_result_destroy', 'cm_tessellation_destroy'], 'called by those that copy');
  assert.ok(exported.length > 300, `${exported.length} functions`);
});
