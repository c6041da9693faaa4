// The reader program: node reader.mjs FILE CHORD UNIT (which an IFC always states), the stream on descriptor 3. See read.mjs.
import { readIfc } from './read.mjs'

await readIfc(process.argv[2], Number(process.argv[3]) || 0)
