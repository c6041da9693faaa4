// Runs the command on small models, and validates what it writes as SARIF: CAROM_COMMAND, CAROM_SARIF_SCHEMA.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Ajv from 'ajv-draft-04'
import addFormats from 'ajv-formats'

const ajv = new Ajv({ strict: false, allErrors: true })
addFormats(ajv)
const validate = ajv.compile(JSON.parse(readFileSync(process.env.CAROM_SARIF_SCHEMA, 'utf8')))
const folder = mkdtempSync(join(tmpdir(), 'carom-sarif-'))

/** Boxes of 1 x 1 x 1 at x, as an OBJ. @param {string} name @param {[string, number][]} boxes */
function model(name, boxes) {
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map(i => [i & 1, (i >> 1) & 1, i >> 2])
    const faces = [[1, 3, 4, 2], [5, 6, 8, 7], [1, 2, 6, 5], [3, 7, 8, 4], [1, 5, 7, 3], [2, 4, 8, 6]]
    const text = boxes.map(([part, x], n) => `o ${part}\n${corners.map(([a, b, c]) => `v ${a + x} ${b} ${c}\n`).join('')}` +
        faces.map(face => `f ${face.map(i => i + 8 * n).join(' ')}\n`).join(''))
    writeFileSync(join(folder, name), text.join(''))
    return name
}

/** @param {number} code @param {string[]} args */
function check(code, ...args) {
    const run = spawnSync(process.env.CAROM_COMMAND, ['check', ...args, '--sarif', 'out.sarif', '--format', 'json'], { cwd: folder, encoding: 'utf8' })
    assert.equal(run.status, code, run.stderr)
    const sarif = JSON.parse(readFileSync(join(folder, 'out.sarif'), 'utf8'))
    assert.ok(validate(sarif), `${args.join(' ')}: ${JSON.stringify(validate.errors, null, 1)}`)
    return { results: sarif.runs[0].results, answer: run.stdout }
}

const clash = model('a b;&?#%ü.obj', [['"<a>\u0001', 0], ['b\ud83d\ude00', 0.5], ['inner', 1.5], ['inner', 1.5], ['far', 9.001]])
const first = check(1, clash, '--clearance', '8m')
assert.ok(first.results.length > 3)
writeFileSync(join(folder, 'before.json'), first.answer)
writeFileSync(join(folder, 'list.txt'), '**:**; "cast" in; A. Meyer; 2025-03-14\n')
writeFileSync(join(folder, 'rules.json'), JSON.stringify({ schema: 'carom-rules-1',
    tests: [{ name: 'warned', clearance: '8m', severity: 'warning' }, { name: 'a <b> & "c"', a: ['no part'] }] }))
assert.equal(check(0, clash, '--approved', 'list.txt', '--baseline', 'before.json').results[0].baselineState, 'unchanged')
check(0, clash, '--rules', 'rules.json', '--group', 'part')
check(1, join(folder, clash)) // from the root
assert.equal(check(0, model('alone.obj', [['alone', 0]])).results.length, 0)
assert.equal(check(0, 'alone.obj', '--ignore', '**').results.length, 0) // no part
rmSync(folder, { recursive: true })
