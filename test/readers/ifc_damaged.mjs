// Reads damaged files, from one number to another, and prints a word for each; ends where one kills the reader, after
// which web-ifc is of no more use.   node ifc_damaged.mjs FIRST END
import fs from 'node:fs'

import { damaged, missing, read } from './ifc_files.mjs'

for (let n = Number(process.argv[2]); n < Number(process.argv[3]); n++) {
    fs.writeSync(1, `start ${n}\n`)
    const scene = await read(damaged(n))
    const whole = scene.parts.every(part => [part.volume, ...part.low, ...part.high].every(Number.isFinite))
    fs.writeSync(1, `${!whole ? 'invented' : scene.died ? 'died' : scene.refused ? 'refused' : missing(scene).length > 0 ? 'reported' : 'read'}\n`)
    if (scene.died) break
}
