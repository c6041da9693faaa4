/* The check of many parts, as JavaScript asks for it. */
import test from 'node:test';
import assert from 'node:assert/strict';
import { libraries, each, boxMesh } from './both.mjs';

/** Boxes of size 2 in a row: 0 and 1 overlap by 0.5, 1 and 2 touch, 3 is 0.25 beyond 2, 4 lies within 3. */
function row(cm) {
  const box = cm.mesh(boxMesh(1)), small = cm.mesh(boxMesh(0.25));
  const part = (shape, x, name, storey) => ({ shape, pose: { position: [x, 0, 0] }, name, properties: [{ key: 'storey', value: storey }] });
  return {
    box, parts: [part(box, 0, 'engine/left', 'one'), part(box, 1.5, 'engine/right', 'one'), part(box, 3.5, 'wall', 'two'), part(box, 5.75, 'tower', 'two'), part(small, 5.75, 'tower/core', 'two')],
    dispose: () => { box.dispose(); small.dispose(); },
  };
}
const short = (result) => result.findings.map((f) => `${f.partA} ${f.partB} ${cmText(f)}${f.fails ? '!' : ''}`);
const cmText = (f) => (f.kind === 'inside' ? f.result.relation : f.kind);

each('parts that cross, lie in one another, touch, or are too near', (cm, eps) => {
  const { parts, dispose } = row(cm), result = cm.check({ parts, clearance: 0.3, outlines: true });
  assert.deepEqual(short(result), ['0 1 crossing!', '3 4 bInA!', '1 2 touching!', '2 3 clearance!']);
  assert.deepEqual(result.kinds, [1, 1, 0, 1, 1]);
  assert.deepEqual([result.pairsTotal, result.pairsNear, result.failing, result.allowed], [10, 4, 4, 0]);
  const [crossing, , , gap] = result.findings;
  assert.ok(Math.abs(crossing.result.distance + 0.5) < 4 * eps && Math.abs(gap.result.distance - 0.25) < 8 * eps, `${crossing.result.distance} ${gap.result.distance}`);
  assert.ok(crossing.outlineSegments > 0 && crossing.outline.length === 6 * crossing.outlineSegments);
  for (const f of result.findings) assert.match(f.id, /^[0-9a-f]{16}$/);
  assert.equal(cm.api.findingText(result.findings[1]), 'b_inside_a');
  const again = cm.check({ parts }, result);
  assert.equal(again, result);
  assert.equal(again.findings[0], crossing, 'objects are filled again');
  assert.deepEqual(short(again), ['0 1 crossing!', '3 4 bInA!', '1 2 touching']);
  const near = cm.checkNearest({ parts, sides: [1, 0, 0, 2, 0] });
  assert.deepEqual([near.partA, near.partB, near.result.relation], [0, 3, 'separated']);
  assert.ok(Math.abs(near.result.distance - 3.75) < 8 * eps);
  dispose();
});
each('tests, tolerances, exceptions and selectors', (cm) => {
  const { parts, dispose } = row(cm), ask = (options) => short(cm.check({ parts, ...options }));
  assert.deepEqual(ask({ tolerance: 0.6 }), ['3 4 bInA!', '0 1 touching', '1 2 touching', '2 3 touching']);
  assert.deepEqual(ask({ tolerances: [{ first: 'left', second: 'right', tolerance: 0.6 }] }), ['3 4 bInA!', '0 1 touching', '1 2 touching']);
  assert.deepEqual(ask({ leftOut: 'storey=one' }), ['3 4 bInA!']);
  assert.deepEqual(ask({ failOn: 'touching', sides: [0, 1, 2, 1, 0] }), ['1 2 touching!']);
  const result = cm.check({ parts, tests: [{ name: 'within', a: 'storey=one', kind: 'hard' }, { name: 'gaps', a: 'wall', kind: 'clearance', clearance: 0.3, severity: 'warning' }] });
  assert.deepEqual(result.findings.map((f) => [f.test, f.kind, f.fails]), [[0, 'crossing', true], [1, 'touching', false], [1, 'clearance', false]]);
  assert.deepEqual(result.tests.map((t) => [t.partsA, t.partsB, t.findings]), [[2, 5, 1], [1, 5, 2]]);
  const [first] = result.findings, accepted = cm.check({ parts, exceptions: [{ id: cm.check({ parts }).findings[0].id }, { first: 'tower', second: 'core', depth: 3 }, { first: 'x', second: 'y' }] });
  assert.deepEqual(accepted.findings.map((f) => f.allowed), [0, 1, 0xffffffff]);
  assert.deepEqual([[...accepted.uses], accepted.allowed, accepted.failing], [[1, 1, 0], 2, 0]);
  assert.notEqual(first.id, accepted.findings[0].id, 'the name of a test is in the identity');
  assert.ok(cm.selects('engine/*', parts[0]) && cm.selects('storey=t*', parts[2]) && !cm.selects('storey=t*', parts[0]));
  const product = parts.map((p, i) => ({ ...p, file: 'a.ifc', id: i < 2 ? 'P' : `${i}`, node: i < 2 ? 1 : i + 1, parent: i === 4 ? 4 : 0 }));
  assert.deepEqual(short(cm.check({ parts: product, skipProduct: true })), ['3 4 bInA!', '1 2 touching']);
  const tree = cm.check({ parts: product, skipParent: true });
  assert.deepEqual([short(tree), tree.skippedProduct, tree.skippedParent], [['0 1 crossing!', '1 2 touching'], 0, 1]);
  const sides = new Uint8Array([4, 0, 0, 0, 0]);
  assert.equal(cm.api.checkChoose(parts, 'engine/*', 1, sides), 2);
  assert.deepEqual([...sides], [5, 1, 0, 0, 0]);
  dispose();
});
each('what was there before, and what has something in common', (cm) => {
  const { parts, dispose } = row(cm), before = cm.check({ parts }), turned = [...parts].reverse();
  const now = cm.check({ parts: turned.map((p) => (p.name === 'wall' ? { ...p, pose: { position: [3.9, 0, 0] } } : p)) });
  assert.deepEqual(now.findings.map((f) => [f.partA, f.partB, f.kind]), [[3, 4, 'crossing'], [1, 2, 'crossing'], [0, 1, 'inside']]);
  assert.deepEqual([...cm.compareFindings(before.findings, now.findings)], [0, 0xffffffff, 1]);
  const groups = cm.groupFindings(before.findings, 5, [7, 7, 8, 8, 8]);
  assert.deepEqual([[...groups.groups], [...groups.members]], [[7, 7, 0, 1, 7, 8, 1, 1, 8, 8, 2, 1], [0, 2, 1]]);
  assert.deepEqual([...cm.groupFindings(before.findings, 5).groups], [1, 0xffffffff, 0, 2, 3, 0xffffffff, 2, 1]);
  dispose();
});
test('progress is told, can end the check, and may throw; what is wrong is said by name', () => {
  for (const cm of libraries) {
    const { parts, box, dispose } = row(cm), seen = [];
    cm.check({ parts, progress: (done, total) => { seen.push([done, total]); } });
    assert.deepEqual(seen.map(([, total]) => total), Array(seen.length).fill(seen.length));
    assert.deepEqual(seen.map(([done]) => done), seen.map((_, i) => i + 1));
    assert.throws(() => cm.check({ parts, progress: () => false }), { name: 'CaromError', status: 'limit', field: 'progress' });
    assert.throws(() => cm.check({ parts, progress: () => { throw new Error('stop'); } }), /^Error: stop$/);
    const refuses = (options, expected) => assert.throws(() => cm.check({ parts, ...options }), { name: 'CaromError', ...expected });
    refuses({ parts: [parts[0], { shape: cm.sphere(1) }] }, { status: 'unsupported', index: 1 });
    refuses({ parts: [parts[0], { ...parts[1], pose: { position: [NaN, 0, 0] } }] }, { status: 'notFinite', index: 1 });
    refuses({ clearance: -1 }, { status: 'invalid', field: 'clearance' });
    refuses({ exceptions: [{ first: 'a' }] }, { status: 'invalid', index: 0 });
    assert.throws(() => cm.check({ parts, exceptions: [{ id: 'abc' }] }), /not 16 hexadecimal digits/);
    assert.throws(() => cm.check({ parts, sides: [1] }), { message: 'sides: 1 elements, others have 5' });
    assert.throws(() => cm.check({ parts, failOn: 'always' }), /not a CheckFailOn: always/);
    dispose();
    assert.throws(() => cm.check({ parts: [{ shape: box }, { shape: box }] }), /disposed/);
  }
});
