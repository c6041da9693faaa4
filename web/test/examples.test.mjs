/* The programs of examples/, as they are in the package: what they print. */
import test from 'node:test';
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { execFileSync } from 'node:child_process';

const folder = 'node_modules/carom/examples';
const expected = {
  'picking.mjs': /^crate 55 at 0\.50 0\.50 0\.40\ncrate 28 at 3\.60 -2\.40 0\.40\nnothing\n$/,
  'character.mjs': /^(firm at x .*\n){4}firm at x 5\.50 y -0\.\d\d wall\n$/,
  'clash.mjs': /^2304 triangles, closed: true\nx 1: separated, gap 0\.4979.*\nx 1\.6: crossing, depth 0\.09\d\d, \d+ crossing.*\nx 2\.6: separated, gap 0\.1000.*\n$/,
  'events.mjs': /player and coin: entered at 2\.300\n(.*\n)*step 3: thin wall and bullet: hit at 3\.988\n3 objects are left\n$/,
  'instances.mjs': /^crate 0 at 0\.50\n1[34]\d\d lines\npicked crate 42\n$/,
  'rays.mjs': /@@@@(.*\n)+1104 of 2048 rays hit; 396 faces\n$/,
  'threads.mjs': /^1 threads: (\d+) rays hit, \d+ ms\n2 threads: \1 rays hit, \d+ ms\nthe same answers\n$/,
};
test('there are no others', () => assert.deepEqual(fs.readdirSync(folder).sort(), Object.keys(expected).sort()));
for (const [name, output] of Object.entries(expected))
  test(`${name}: at most 30 lines, and right`, () => {
    const program = fs.readFileSync(`${folder}/${name}`, 'utf8');
    assert.ok(program.split('\n').length <= 31, `${program.split('\n').length} lines`);
    fs.writeFileSync(name, program); // copied, and run
    assert.match(execFileSync(process.execPath, [name], { encoding: 'utf8' }), output);
  });
test('the program of the README prints what it says', () => {
  const readme = fs.readFileSync('node_modules/carom/README.md', 'utf8');
  const program = /```js\n(import \{ init \} from 'carom';[^]*?)```/.exec(readme)[1];
  fs.writeFileSync('readme.mjs', program);
  const said = [...program.matchAll(/console\.log\(.*\); *\/\/ (.*)/g)].map((m) => m[1]);
  assert.deepEqual(execFileSync(process.execPath, ['readme.mjs'], { encoding: 'utf8' }).trim().split('\n'), said);
});
