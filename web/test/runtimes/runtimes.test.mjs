/* Runtimes other than Node.js and browsers: every entry, and the bits. bun runs JavaScriptCore, the engine of Safari. */
import test from 'node:test';
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { once } from 'node:events';
import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';
import { alive } from './live.mjs';

const run = promisify(execFile);
const program = (name) => path.resolve('../node_modules/.bin', name);
/** Why a runtime cannot be tested here: it is not for this machine. */
const missing = async (name) => (await run(program(name), ['--version']).then(() => false, (error) => `SKIPPED: ${name}: ${error.message}`));
const all = { answers: [alive('float'), alive('double'), alive('float')], failed: [[], []] };

fs.writeFileSync('main.mjs', `import fs from 'node:fs';
import { init } from 'carom';
import { init as double } from 'carom/f64';
import { init as inline } from 'carom/inline';
import { live } from './live.mjs';
import { golden } from './golden.mjs';
const answers = [live(await init()), live(await double()), live(await inline())];
const failed = ['carom', 'carom-f64'].map((name) => golden(new WebAssembly.Module(fs.readFileSync(\`golden-\${name}.wasm\`))));
console.log(JSON.stringify({ answers, failed }));\n`);

for (const [name, ...args] of [['deno', 'run', '--quiet', '--allow-read'], ['bun', 'run']])
  test(`${name}: fetched, double, within the script; hashes are those of native builds`, { skip: await missing(name) }, async () => {
    const { stdout } = await run(program(name), [...args, 'main.mjs'], { env: { ...process.env, DENO_NO_UPDATE_CHECK: '1' } });
    assert.deepEqual(JSON.parse(stdout), all);
  });

/* Beside one thread of the same engine: what is asked is made by Math, whose last bits are the engine's own. */
fs.writeFileSync('threaded.mjs', `import { init } from 'carom';
import { init as double } from 'carom/f64';
import { init as threads } from 'carom/threads';
import { init as threads64 } from 'carom/threads-f64';
import { story } from './story.mjs';
for (const [one, many] of [[init, threads], [double, threads64]]) {
  const cm = await many({ threads: 3 });
  console.log(cm.threads, JSON.stringify(story(cm)) === JSON.stringify(story(await one())), cm.pool.c[0] > 10);
  cm.dispose();
}\n`);
for (const [name, ...args] of [['deno', 'run', '--quiet', '--allow-read'], ['bun', 'run']])
  test(`${name}: three threads answer as one`, { skip: await missing(name) }, async () => {
    const { stdout, stderr } = await run(program(name), [...args, 'threaded.mjs'], { env: { ...process.env, DENO_NO_UPDATE_CHECK: '1' } });
    assert.equal(stdout, '3 true true\n3 true true\n');
    assert.equal(stderr, '');
  });

/* workerd takes modules by import alone, and compiles none. esbuild bundles as wrangler does, and leaves them. */
test('workerd: imported modules; one thread, and why; hashes are those of native builds', { skip: await missing('workerd') }, async (t) => {
  const { build } = await import('esbuild');
  fs.rmSync('workerd', { recursive: true, force: true });
  fs.mkdirSync('workerd');
  fs.writeFileSync('workerd/main.mjs', `import { init } from 'carom';
import { init as double } from 'carom/f64';
import module from 'carom/carom.wasm';
import module64 from 'carom/carom-f64.wasm';
import goldens from 'golden/carom.wasm';
import goldens64 from 'golden/carom-f64.wasm';
import { live } from '../live.mjs';
import { golden } from '../golden.mjs';
import { init as threads } from 'carom/threads';
export default {
  async fetch() {
    const answers = [live(await init(module)), live(await double(module64))], said = [];
    console.warn = (text) => said.push(text);
    const cm = await threads({ source: module, threads: 2 });
    return Response.json({ answers, threaded: [live(cm), cm.threads, (await threads({ source: module })).threads, said], failed: [golden(goldens), golden(goldens64)] });
  },
};\n`);
  await build({ entryPoints: ['workerd/main.mjs'], bundle: true, format: 'esm', conditions: ['workerd', 'worker', 'browser'], external: ['*.wasm'], outfile: 'workerd/out.mjs', logLevel: 'error' });
  const modules = { 'carom/carom': 'node_modules/carom/dist/carom', 'carom/carom-f64': 'node_modules/carom/dist/carom-f64', 'golden/carom': 'golden-carom', 'golden/carom-f64': 'golden-carom-f64' };
  fs.writeFileSync('workerd/config.capnp', `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (compatibilityDate = "2026-10-01", modules = [
    (name = "out.mjs", esModule = embed "out.mjs"),
${Object.entries(modules).map(([name, file]) => `    (name = "${name}.wasm", wasm = embed "../${file}.wasm"),`).join('\n')}
  ]))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);\n`);
  const child = spawn(program('workerd'), ['serve', 'workerd/config.capnp', '--control-fd=3'], { stdio: ['ignore', 'inherit', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (text) => { said += text; });
  t.after(() => child.kill());
  const [line] = await Promise.race([once(child.stdio[3], 'data'), once(child, 'exit').then(() => assert.fail(said))]);
  const response = await fetch(`http://127.0.0.1:${JSON.parse(String(line).split('\n')[0]).port}/`);
  const text = await response.text();
  assert.equal(response.status, 200, `${text}\n${said}`);
  assert.deepEqual(JSON.parse(text), { answers: [alive('float'), alive('double')], threaded: [alive('float'), 1, 1, ['carom: one thread only, as there are no workers here']], failed: all.failed });
});
