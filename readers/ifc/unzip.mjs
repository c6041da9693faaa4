// The model in an IFCZIP: its one entry that ends in .ifc. One with several is refused: which is meant?
import zlib from 'node:zlib'

const END = 0x06054b50, ENTRY = 0x02014b50, LOCAL = 0x04034b50
const MOST_BYTES = 2 ** 31 - 1

/** @param {Buffer} file @param {(why: string) => Error} refuse @returns {Buffer} */
export function unzipIfc(file, refuse) {
    let end = file.length - 22
    while (end >= 0 && end > file.length - 65558 && file.readUInt32LE(end) !== END) end--
    if (end < 0 || file.readUInt32LE(end) !== END) throw refuse('the archive is cut off: its list of entries is missing')
    const count = file.readUInt16LE(end + 10)
    /** @type {string[]} */
    const names = []
    /** @type {{name: string, method: number, packed: number, local: number}[]} */
    const models = []
    for (let i = 0, at = file.readUInt32LE(end + 16); i < count; i++) {
        if (at + 46 > file.length || file.readUInt32LE(at) !== ENTRY) throw refuse('the archive is damaged')
        const method = file.readUInt16LE(at + 10), packed = file.readUInt32LE(at + 20), length = file.readUInt16LE(at + 28), local = file.readUInt32LE(at + 42)
        const name = file.toString('utf8', at + 46, at + 46 + length)
        names.push(name)
        at += 46 + length + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32)
        if (!/\.ifc$/i.test(name) || /^__MACOSX\//.test(name)) continue // what a Mac puts beside each file
        models.push({ name, method, packed, local })
    }
    if (models.length === 1) return unpack(file, models[0], refuse)
    if (models.length > 1) throw refuse(`the archive holds ${models.length} models (${models[0].name}, ${models[1].name}${models.length > 2 ? ', ...' : ''}): unpack it, and name those to check`)
    throw refuse(names.some(name => /\.ifcxml$/i.test(name)) ? 'it holds IFCXML, which is not read: save it as IFC-SPF (.ifc)' : 'the archive holds no .ifc')
}

/** @param {Buffer} file @param {{method: number, packed: number, local: number}} entry @param {(why: string) => Error} refuse */
function unpack(file, { method, packed, local }, refuse) {
    if (local + 30 > file.length || file.readUInt32LE(local) !== LOCAL) throw refuse('the archive is damaged')
    const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28)
    const bytes = file.subarray(start, start + packed)
    if (method === 0) return bytes
    if (method !== 8) throw refuse(`the archive packs by method ${method}; 0 and 8 are read`)
    try {
        return zlib.inflateRawSync(bytes, { maxOutputLength: MOST_BYTES })
    } catch (error) {
        throw refuse(`the archive cannot be unpacked: ${/** @type {Error} */ (error).message}`)
    }
}
