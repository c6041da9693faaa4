// The reader program: node reader.mjs FILE CHORD UNIT OVERRIDE, the stream on descriptor 3. An IFC always states its unit. See read.mjs.
import { readIfc } from './read.mjs'

const [file, chord, unit, override] = process.argv.slice(2)
await readIfc(file, Number(chord) || 0, override === '1' ? Number(unit) : 0)
