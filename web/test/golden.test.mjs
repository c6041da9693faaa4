/* The same bits as native: the library's golden tests, on the object that the module is linked from. Those of the modules
 * with vectors run by three threads in threads.test.mjs, and by one in browser.test.mjs. */
import test from 'node:test';
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { golden } from './golden.mjs';

test('carom-scalar: hashes over all answers are those of native builds', () => {
  assert.deepEqual(golden(new WebAssembly.Module(fs.readFileSync('golden-carom-scalar.wasm'))), []);
});
for (const name of ['carom', 'carom-scalar', 'carom-f64'])
  test(`${name}.wasm imports callbacks, what runs threads, and nothing else`, () => {
    const module = new WebAssembly.Module(fs.readFileSync(`node_modules/carom/dist/${name}.wasm`));
    const imports = WebAssembly.Module.imports(module);
    assert.deepEqual([imports.length, imports.filter((i) => i.module !== 'carom' || i.kind !== 'function' || !/^([ir]+_[ir]?|run)$/.test(i.name))], [name === 'carom-scalar' ? 9 : 10, []]); // the scalar one knows no threads
  });
