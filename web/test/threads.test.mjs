/* Threads: the answers of one, to the bit; what ends them; where there can be none. */
import test from 'node:test';
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { execFileSync } from 'node:child_process';
import { Worker } from 'node:worker_threads';
import { init } from 'carom/threads';
import { init as double } from 'carom/threads-f64';
import { libraries } from './both.mjs';
import { golden, files } from './golden.mjs';
import { story, meshes, pairs, broad, world } from './story.mjs';
import { Pool } from './node_modules/carom/dist/pool.js';
import { share } from './node_modules/carom/dist/share.js';
import { platform } from './node_modules/carom/dist/spawn.node.js';

const inits = { float: init, double };
/** Without its words on the console; what they were. */
async function quietly(run) {
  const said = [], { warn } = console;
  console.warn = (text) => said.push(text);
  try {
    return [await run(), said.join('\n')];
  } finally {
    console.warn = warn;
  }
}
const jobs = (cm) => cm.pool?.c[0];

for (const one of libraries) {
  const told = story(one);
  for (const threads of [1, 2, 3])
    test(`${threads} threads answer as a library without, ${one.precision}`, async () => {
      const cm = await inits[one.precision]({ threads });
      assert.equal(cm.threads, threads);
      for (const [name, tell] of Object.entries({ meshes, pairs, broad, world })) {
        const before = jobs(cm);
        assert.deepEqual(tell(cm), told[name], name);
        assert.ok(threads === 1 || jobs(cm) - before >= 4, `${name}: ${jobs(cm) - before} jobs`);
      }
      cm.dispose();
      assert.equal(cm.threads, 1);
      assert.deepEqual(pairs(cm), told.pairs, 'the one that calls goes on');
    });
}
test('a world outlives the threads it was made with', async () => {
  const cm = await init({ threads: 3 }), w = cm.world();
  for (let i = 0; i < 2000; i++) w.add({ shape: cm.sphere(1), pose: { position: [i, 0, 0] } });
  cm.dispose();
  assert.equal(w.update().length, 3997); // with the next, and, touching, the one after it
  w.dispose();
});

for (const name of ['carom', 'carom-f64'])
  test(`${name}: hashes over all answers are those of native builds, by three threads`, async () => {
    const { bytes, pages, data } = share(fs.readFileSync(`golden-${name}.wasm`)), module = new WebAssembly.Module(bytes), pool = new Pool(3);
    const memory = new WebAssembly.Memory({ initial: pages, maximum: 16384, shared: true });
    for (const piece of data) new Uint8Array(memory.buffer).set(piece.bytes, piece.at);
    const run = (_, count, fn, arg) => pool.run(count, fn, arg);
    const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: files, carom: { run, memory } }), { exports } = instance;
    await pool.start({ allocate: exports.malloc }, exports, module, memory, platform.spawn);
    assert.deepEqual(golden(module, () => instance), []);
    assert.ok(pool.c[0] >= 10, `${pool.c[0]} jobs`);
    pool.end();
  });

test('a callback that a thread needs is called where the caller is, and what it throws comes out of the call', async () => {
  const cm = await init({ threads: 3 }), n = 1500, poses = new Float32Array(7 * n).map((_, i) => +(i % 7 === 6)); // all at the origin
  let calls = 0, angry = true;
  const shape = cm.custom((d, p) => { calls++; cm.overlap(cm.sphere(1), null, cm.sphere(1)); if (angry && calls === 1000) throw new Error('mine'); p.set(d); }, 2);
  const batch = { shapes: [shape], shapeOf: new Uint32Array(n), poses }, out = new Uint8Array(n);
  const owner = cm.memory.dispatch.bind(cm.memory), { answer } = cm.pool;
  let asked = 0, answering = false;
  cm.pool.answer = function () { answering = true; answer.call(this); answering = false; };
  cm.memory.dispatch = (...args) => { asked += answering; return owner(...args); };
  assert.throws(() => cm.overlapMany(batch, out), /^Error: mine$/);
  angry = false;
  assert.equal(cm.overlapMany(batch, out), n);
  assert.ok(asked > 0, 'threads asked');
  shape.dispose();
  cm.dispose();
});
test('who disposes within a callback gets the answers', async () => {
  const cm = await init({ threads: 2 }), n = 1500, poses = new Float32Array(7 * n).map((_, i) => +(i % 7 === 6));
  let calls = 0;
  const shape = cm.custom((d, p) => { if (++calls === 1000) cm.dispose(); p.set(d); }, 2);
  assert.equal(cm.threads, 2);
  assert.equal(cm.overlapMany({ shapes: [shape], shapeOf: new Uint32Array(n), poses }, new Uint8Array(n)), n);
  assert.equal(cm.threads, 1);
  shape.dispose();
});

test('a trap in a thread is an error of the call, and of those that follow', async () => {
  const cm = await init({ threads: 3 }), fn = 1 << 20; // no such function
  cm.pool.some = () => { for (let i = 0; i < 10000 && cm.pool.c[8] === 0; i++) Atomics.wait(cm.pool.c, 8, 0, 1); }; // the caller itself meets none
  assert.throws(() => cm.pool.run(1000, fn, 0), /^Error: carom: a thread failed: RuntimeError/);
  assert.equal(cm.threads, 1);
  assert.throws(() => cm.mesh({ positions: [0, 0, 0, 1, 0, 0, 0, 1, 0] }), /a thread failed/);
});
test('a trap of the caller is one, too, and no thread works on', async () => {
  const cm = await init({ threads: 3 }), { add } = Atomics;
  Atomics.add = (...args) => Math.min(0, add(...args)); // the caller finds indices to take, however fast the threads are
  try {
    assert.throws(() => cm.pool.run(1000, 1 << 20, 0), WebAssembly.RuntimeError);
  } finally {
    Atomics.add = add;
  }
  assert.equal(cm.threads, 1);
  assert.throws(() => cm.mesh({ positions: [0, 0, 0, 1, 0, 0, 0, 1, 0] }));
});

test('thousands of calls, and no leak', async () => {
  const cm = await init({ threads: 3 }), n = 2000, rays = new Float32Array(7 * n).fill(1), out = { met: new Uint8Array(n), t: new Float32Array(n) };
  const positions = Array.from({ length: 3 * 600 }, (_, i) => Math.sin(i * i)), w = cm.world();
  for (let i = 0; i < 600; i++) w.add({ shape: cm.sphere(1), pose: { position: [i, 0, 0] } });
  const call = () => {
    const mesh = cm.mesh({ positions });
    cm.raycastMany(rays, mesh, null, out);
    mesh.dispose();
    w.update();
  };
  // The threads' timing decides where blocks lie, and so how far the heap grows; what leaks makes it grow in every round.
  const grown = [];
  do {
    const before = cm.memoryBytes;
    for (let i = 0; i < 1000; i++) call();
    grown.push(cm.memoryBytes - before);
  } while (grown.at(-1) > 0 && grown.length < 10);
  assert.equal(grown.at(-1), 0, `bytes more in each thousand calls: ${grown}`);
  w.dispose();
  cm.dispose();
});
test('three threads allocate and free at once, and none gets what another has', async () => {
  const { bytes, pages, data } = share(fs.readFileSync('node_modules/carom/dist/carom.wasm')), module = new WebAssembly.Module(bytes);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: 4096, shared: true });
  for (const piece of data) new Uint8Array(memory.buffer).set(piece.bytes, piece.at);
  const program = `const { workerData: { module, memory, me, start }, parentPort } = require('node:worker_threads');
    const none = () => 0, imports = Object.fromEntries(WebAssembly.Module.imports(module).map(({ name, kind }) => [name, kind === 'memory' ? memory : none]));
    const { exports } = new WebAssembly.Instance(module, { carom: imports }), held = [], at = (p) => new Int32Array(memory.buffer, p, 1);
    exports.__stack_pointer.value = 100000 * me; // within the stack of the caller, who does nothing here
    let wrong = 0;
    for (Atomics.add(start, 0, 1); Atomics.load(start, 0) < 3;); // all at once
    for (let i = 0; i < 100000; i++) {
      const p = exports.malloc(16 + (i * 7) % 300);
      at(p)[0] = 1e6 * me + i;
      held.push([p, 1e6 * me + i]);
      if (held.length <= 50) continue;
      const [[q, value]] = held.splice((i * 13) % 50, 1);
      wrong += at(q)[0] !== value;
      exports.free(q);
    }
    parentPort.postMessage(wrong);`;
  const start = new Int32Array(new SharedArrayBuffer(4));
  const wrong = await Promise.all([1, 2, 3].map((me) => new Promise((done, fail) => new Worker(program, { eval: true, workerData: { module, memory, me, start } }).once('message', done).once('error', fail))));
  assert.deepEqual(wrong, [0, 0, 0]);
});
test('memory that a thread makes grow is seen', async () => {
  const cm = await init({ threads: 2 }), { memory } = cm;
  // another instance allocates: its heap is the caller's
  const module = new WebAssembly.Module(share(fs.readFileSync('node_modules/carom/dist/carom.wasm')).bytes);
  const worker = new Worker(`const { workerData: { module, memory, stack }, parentPort } = require('node:worker_threads');
    const none = () => 0, imports = Object.fromEntries(WebAssembly.Module.imports(module).map(({ name, kind }) => [name, kind === 'memory' ? memory : none]));
    const { exports } = new WebAssembly.Instance(module, { carom: imports });
    exports.__stack_pointer.value = stack;
    const p = exports.malloc(50e6);
    new Uint8Array(memory.buffer)[p + 50e6 - 1] = 77;
    parentPort.postMessage(p);`, { eval: true, workerData: { module, memory: memory.memory, stack: memory.allocate(1 << 16) + (1 << 16) } });
  const [p] = await new Promise((done) => worker.once('message', (p) => done([p])));
  const t = memory.enter();
  assert.equal(memory.u8[p + 50e6 - 1], 77);
  memory.release(t);
  cm.dispose();
});

test('where there can be no threads there is one, with the same answers; and the console says why', async () => {
  const told = meshes(libraries[0]), bytes = fs.readFileSync('node_modules/carom/dist/carom.wasm'), { SharedArrayBuffer } = globalThis, { wait } = Atomics;
  const cases = {
    'Cross-Origin-Opener-Policy': async () => { delete globalThis.SharedArrayBuffer; return init({ threads: 2 }); },
    'call init in a worker': async () => { Atomics.wait = () => { throw new TypeError('Atomics.wait cannot be called in this context'); }; return init({ threads: 2 }); },
    'compiled module': () => init({ threads: 2, source: new WebAssembly.Module(bytes) }),
  };
  for (const [words, run] of Object.entries(cases)) {
    const [cm, said] = await quietly(run);
    Object.assign(globalThis, { SharedArrayBuffer });
    Atomics.wait = wait;
    assert.equal(cm.threads, 1);
    assert.match(said, new RegExp(words));
    assert.deepEqual(meshes(cm), told);
  }
  const [, said] = await quietly(() => init({ threads: 1 }));
  assert.equal(said, '', 'who asks for one is told nothing');
});
test('where no thread can be started there is one, and the console says why', async () => {
  fs.cpSync('node_modules/carom/dist', 'lacking', { recursive: true });
  fs.rmSync('lacking/thread.node.js');
  const { init: lacking } = await import('./lacking/threads.node.js'), [cm, said] = await quietly(() => lacking({ threads: 3 }));
  assert.equal(cm.threads, 1);
  assert.match(said, /^carom: one thread only, as no thread could be started: .*thread\.node\.js/);
  assert.deepEqual(meshes(cm), meshes(libraries[0]));
});
test('what is no module of this library, or one for one thread, is refused; so is a number that makes no sense', async () => {
  await assert.rejects(init({ threads: 2, source: fs.readFileSync('node_modules/carom/dist/carom-scalar.wasm') }), /^TypeError: carom: this module was compiled for one thread$/);
  await assert.rejects(init({ threads: 2, source: new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]) }), /^TypeError: carom: not a module of this library$/);
  for (const threads of [0, -1, 65, NaN]) await assert.rejects(init({ threads }), /^RangeError: threads/);
});
test('threads do not keep a program alive', () => {
  fs.writeFileSync('alive.mjs', "import { init } from 'carom/threads';\nconsole.log((await init({ threads: 3 })).threads);\n");
  assert.equal(execFileSync(process.execPath, ['alive.mjs'], { encoding: 'utf8', timeout: 600000 }), '3\n');
});
test('worlds answer alike, run after run', async () => {
  const cm = await init({ threads: 3 }), told = world(libraries[0], 2);
  for (let i = 0; i < 5; i++) assert.deepEqual(world(cm, 2), told);
  cm.dispose();
});
