// Writes the stream of docs/reader.md, to file descriptor 3 where nothing else is said. See there for every record.
import fs from 'node:fs'

const STREAM = 3
const MAGIC = 0x324d415254534d43n
const TAG = { META: 1, MESH: 2, NODE: 3, NOTE: 4, FAIL: 6, END: 7, PROPERTY: 8, LEFT_OUT: 9, PLACE: 10 }
export const NONE = 0xffffffff
/** What is in the file and not among the parts: no body by nature; a body and nothing of it; a body and not all of it. */
export const APART = 0, GONE = 1, PARTLY = 2
const FLUSH_AT = 1 << 20

/** @type {(bytes: Uint8Array) => void} */
let write = writeAll
/** Sends the stream elsewhere. @param {(bytes: Uint8Array) => void} where */
export function sendTo(where) { write = where }

/** @type {Uint8Array[]} */
let waiting = []
let waitingBytes = 0

/** @param {Uint8Array} bytes */
function writeAll(bytes) {
    for (let done = 0; done < bytes.length;) {
        try {
            done += fs.writeSync(STREAM, bytes, done)
        } catch (error) {
            if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EAGAIN') throw error
        }
    }
}
function flush() {
    if (waitingBytes > 0) write(Buffer.concat(waiting))
    waiting = []
    waitingBytes = 0
}
/** @param {ArrayBufferView} view */
function put(view) {
    waiting.push(new Uint8Array(view.buffer, view.byteOffset, view.byteLength))
    waitingBytes += view.byteLength
    if (waitingBytes > FLUSH_AT) flush()
}
/** @param {number} tag @param {...ArrayBufferView} parts */
function record(tag, ...parts) {
    let size = 0
    for (const part of parts) size += part.byteLength
    put(new Uint32Array([tag]))
    put(new BigUint64Array([BigInt(size)]))
    for (const part of parts) put(part)
}
/** @param {string} text */
const bytes = text => Buffer.from(text, 'utf8')

export function start() { put(new BigUint64Array([MAGIC])) }
export function end() {
    record(TAG.END)
    flush()
}
/** A unit of 0 is one that the file does not state; then `bias` is assumed.
 * @param {{unit: number, bias: number, up: string, singlePoints: boolean, singlePlaces: boolean, format: string}} facts */
export function meta({ unit, bias, up, singlePoints, singlePlaces, format }) {
    const single = (singlePoints ? 1 : 0) | (singlePlaces ? 2 : 0)
    record(TAG.META, new Float64Array([unit, bias]), new Uint8Array([up.charCodeAt(0), up.charCodeAt(0), single]), bytes(format))
}
/** @param {Float64Array} points @param {Uint32Array} indices @param {number} deviation below zero where not known */
export function mesh(points, indices, deviation) {
    record(TAG.MESH, new Uint32Array([points.length / 3, indices.length / 3, 0, 0, 0, 0, 0, 0]), new Float64Array([deviation]), points, indices)
}
/** @param {number} parent @param {number[]} local rows of 3 x 4 @param {string} name @param {number[]} meshes */
export function node(parent, local, name, meshes) {
    const text = bytes(name)
    record(TAG.NODE, new Uint32Array([parent, meshes.length, text.length]), new Float64Array(local), text, new Uint32Array(meshes))
}
/** Of the latest node. @param {string} key @param {string} value */
export function property(key, value) {
    const name = bytes(key)
    record(TAG.PROPERTY, new Uint32Array([name.length]), name, bytes(value))
}
/** @param {number} fate @param {{id: string, kind: string, name: string, reason: string}} thing */
export function leftOut(fate, { id, kind, name, reason }) {
    const texts = [bytes(id), bytes(kind), bytes(name)]
    record(TAG.LEFT_OUT, new Uint32Array([fate, ...texts.map(t => t.length)]), ...texts, bytes(reason))
}
/** @param {{east: number, north: number, height: number, axis: number[], scale: number, system: string}} p */
export function place({ east, north, height, axis, scale, system }) {
    record(TAG.PLACE, new Float64Array([east, north, height, axis[0], axis[1], scale]), bytes(system))
}
/** @param {string} text */
export function note(text) { record(TAG.NOTE, bytes(text)) }
/** The file is refused. @param {string} why */
export function fail(why) {
    record(TAG.FAIL, bytes(why))
    end()
}
