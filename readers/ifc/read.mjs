// Reads an IFC file (2x3, 4, 4x3; plain or zipped) and writes the stream of docs/reader.md.
//
// web-ifc makes the triangles. It drops without a word what it does not know, so nothing is taken on trust: every item
// of every product's body must have given triangles, and what its log says while it works on a product is reported.
import fs from 'node:fs'
import { createRequire } from 'node:module'

import { Model, readPlace, readProperties, readStructure, readUnits, readWorldSystem, reference, references, holders, text } from './model.mjs'
import { replaceDirectrices } from './directrix.mjs'
import { areSolids, deviationOf, isWithoutArea, joinPieces, largestRadius, lostItems, piecesOf, replaceProfiles, representationsOf, scaleOf, segmentsOf, solidItems } from './geometry.mjs'
import { brokenLines, leadingZeros, upperCase } from './references.mjs'
import { sayByStandard } from './standard.mjs'
import * as stream from './stream.mjs'
import { unzipIfc } from './unzip.mjs'

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]
/** What has no body that could clash. Spaces and openings have one: the command leaves them out unless asked for them. */
const APART_KINDS = /^Ifc(Grid|Annotation|VirtualElement|Port|DistributionPort|Alignment.*|Referent|LinearElement|LinearPositioningElement|Structural.*)$/
/** Their names are often numbers; what people call them is the LongName. */
const SPACES = /^Ifc(Space|SpatialZone|ExternalSpatialElement)$/
const SPATIAL_KINDS = /^Ifc(Project|Site|Building|BuildingStorey|Facility|FacilityPart.*|Bridge|BridgePart|Road|RoadPart|Railway|RailwayPart|MarineFacility|MarinePart)$/
/** Lines that are about looks. */
const LOOKS = /^Ifc(Material|Styled|Presentation|Surface(Style|Texture)|Colour|FillArea|Curve(Style|Font)|TextStyle|Indexed(Colour|Texture))/
/** Lines on which no body hangs; exports of a part of a model leave such lines behind. */
const NO_MATTER = /^Ifc(Rel(Defines|Associates|Assigns|Contained|Aggregates|Nests|Connects|Space|Services|Referenced|Declares|Covers|Fills|Flow|Sequence).*|Property.*|ComplexProperty|ElementQuantity|Quantity.*|OwnerHistory|Person.*|Organization.*|Application|Classification.*|Document.*|.*Type|.*Style)$/
const DEFAULT_CHORD = 1e-3
/** Segments of a full circle at most: by default, and where a chord is asked for. */
const MOST_BY_DEFAULT = 96, MOST_ASKED = 1440

// --- what web-ifc says ---------------------------------------------------------------------------------------------

/** @type {string[]} */
let said = []
for (const way of /** @type {const} */ (['log', 'info', 'warn', 'error', 'debug', 'trace']))
    console[way] = (...words) => void said.push(words.join(' '))

/** What was said since the last call that may matter for geometry; `#` numbers get their class. @param {Model} model */
function hear(model) {
    const heard = new Set()
    for (const line of said) {
        const error = /\[(?:error|critical)\]\s*(.*)/s.exec(line)
        if (!error || error[1].startsWith('[GetColor()]')) continue
        const words = error[1].trim()
        const id = Number(/(?:\s|#)(\d+)\D*$/.exec(words)?.[1] ?? 0)
        if (LOOKS.test(model.line(id).kind) || / ExpressID 0$/.test(words)) continue // an optional reference that is not there
        if (words.includes('No basis found') && isWithoutArea(model, id)) continue
        heard.add(id && model.line(id).kind ? `${words} (${model.line(id).kind})` : words)
    }
    said = []
    return [...heard]
}

// --- opening -------------------------------------------------------------------------------------------------------

class Refused extends Error {}

/** @param {string} path */
function readFile(path) {
    let file = fs.readFileSync(path)
    if (file.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004') file = unzipIfc(file, why => new Refused(why))
    const head = file.subarray(0, 4096).toString('latin1')
    if (!head.includes('ISO-10303-21')) throw new Refused('this is no IFC-SPF file: it does not start with ISO-10303-21')
    const schema = /FILE_SCHEMA\s*\(\s*\(\s*'([^']*)'/.exec(file.subarray(0, 65536).toString('latin1'))?.[1] ?? ''
    if (!/^IFC(2X3|4|4X3)(_|$)/.test(schema.toUpperCase()) || /_RC\d/.test(schema)) throw new Refused(`its schema is ${schema || 'not named'}; IFC2X3, IFC4 and IFC4X3 are read`)
    const capitals = upperCase(file)
    if (!file.subarray(-65536).toString('latin1').includes('END-ISO-10303-21')) throw new Refused('the file is cut off: END-ISO-10303-21 is missing')
    const zeros = leadingZeros(file)
    const notes = []
    if (capitals) notes.push(`words of it are in small letters (${capitals}), which the format does not have: they are read as capitals`)
    if (zeros.count > 0) notes.push(`numbers of it begin with their point (.5), which the format does not have: they are read as if a 0 stood before it (${zeros.count})`)
    return { file: zeros.file, schema, notes }
}

/** @param {any} api @param {Buffer} file @param {number} segments */
function openModel(api, file, segments) {
    const id = api.OpenModel(file, { COORDINATE_TO_ORIGIN: false, CIRCLE_SEGMENTS: segments, ALLOW_INCOMPATIBLE_SCHEMA_ALIASES: false })
    const why = id < 0 ? said.map(line => /\[(?:error|critical)\]\s*(.*)/s.exec(line)?.[1]).find(Boolean) : ''
    if (id < 0) throw new Refused(`web-ifc does not open it${why ? `: ${why.trim()}` : ''}`)
    return id
}

// --- names and places ------------------------------------------------------------------------------------------------

/** "IfcWall_Name", as a component of a path: a stroke in it ("L 2-1/2") would be taken for the end of one. @param {Model} model @param {number} id */
function nameOf(model, id) {
    const { kind, args } = model.line(id)
    return `${kind}_${(text(args[2]) || text(args[0])).replaceAll('/', '_')}`
}

/** The project and what holds products become nodes, each below its holder. @param {Model} model @param {ReturnType<typeof readStructure>} structure */
function nodeMaker(model, structure) {
    /** @type {Map<number, number>} */
    const numbers = new Map()
    let count = 1
    const add = (/** @type {number} */ parent, /** @type {number[]} */ matrix, /** @type {string} */ name, /** @type {number[]} */ meshes) => {
        stream.node(parent, matrix, name, meshes)
        return count++
    }
    stream.node(stream.NONE, IDENTITY, text(model.line(model.all('IfcProject')[0] ?? 0).args[2]), [])
    /** @param {number} id the node of what holds it, made where it is not there yet */
    const above = id => {
        let parent = 0
        for (const holder of holders(model, structure.parents, id)) {
            let number = numbers.get(holder)
            if (number === undefined) {
                number = add(parent, IDENTITY, nameOf(model, holder), [])
                numbers.set(holder, number)
            }
            parent = number
        }
        return parent
    }
    return { add, above }
}

/** @param {Model} model @param {ReturnType<typeof readStructure>} structure @param {number} id */
const pathOf = (model, structure, id) => [...holders(model, structure.parents, id), id].map(at => nameOf(model, at)).join('/')

// --- products --------------------------------------------------------------------------------------------------------

/** Sorts products into those with a body and those that have none by nature, which are reported.
 * @param {Model} model @param {ReturnType<typeof readStructure>} structure @param {number} cube no product of the file */
function sortProducts(model, structure, cube) {
    /** @type {{id: number, representations: ReturnType<typeof representationsOf>, items: number[]}[]} */
    const bodies = []
    for (const id of model.all('IfcProduct', true)) {
        const { kind, args } = model.line(id)
        if (!kind || id === cube) continue
        const report = (/** @type {string} */ reason) => stream.leftOut(stream.APART, { id: text(args[0]), kind, name: pathOf(model, structure, id), reason })
        if (APART_KINDS.test(kind)) {
            report('has no body that could clash')
            continue
        }
        const representations = representationsOf(model, id)
        const items = solidItems(model, representations.body)
        if (items.length > 0) bodies.push({ id, representations, items })
        else if (representations.all.length > 0) report('has only curves, points or a box in the file')
        else if (!SPATIAL_KINDS.test(kind) && !structure.wholes.has(id)) report('has no shape in the file')
    }
    return bodies
}

/** Representations besides the body (a clearance, a simpler body) are hidden from web-ifc, which takes all there are.
 * @param {any} api @param {number} modelId @param {Model} model @param {ReturnType<typeof representationsOf>} representations */
function hideOthers(api, modelId, model, representations) {
    if (!representations.others.some(id => solidItems(model, [id]).length > 0)) return
    const line = api.GetRawLineData(modelId, representations.shape)
    line.arguments[2] = representations.body.map(value => ({ type: 5, value }))
    api.WriteRawLineData(modelId, line)
}

/** @param {any} api @param {number} modelId @param {Model} model @param {ReturnType<typeof readStructure>} structure
 * @param {ReturnType<typeof sortProducts>} bodies @param {number} scale web-ifc's @param {(item: number) => number} deviation
 * @returns {number[]} of each mesh; below 0 where it is not known */
function writeProducts(api, modelId, model, structure, bodies, scale, deviation) {
    const nodes = nodeMaker(model, structure), properties = readProperties(model)
    /** @type {string[]} */
    const holed = []
    /** @type {number[]} */
    const deviations = []
    /** @type {Map<string, number>} */
    const meshes = new Map()
    for (const { id, representations, items } of bodies) {
        const { kind, args } = model.line(id), globalId = text(args[0])
        const report = (/** @type {number} */ fate, /** @type {string} */ reason) => stream.leftOut(fate, { id: globalId, kind, name: pathOf(model, structure, id), reason })
        const within = items.find(item => model.line(item).kind === 'IfcMappedItem')
        if (within) { // web-ifc would follow it until it has no memory left
            report(stream.GONE, `IfcMappedItem #${within} is mapped within itself`)
            continue
        }
        let found
        hear(model)
        try {
            hideOthers(api, modelId, model, representations)
            found = piecesOf(api, modelId, id, scale)
        } catch (error) {
            report(stream.GONE, `web-ifc failed on it: ${error instanceof Error ? error.message : String(error)}`)
            continue
        }
        const heard = hear(model)
        const cuts = (structure.voids.get(id) ?? []).flatMap(opening => solidItems(model, representationsOf(model, opening).body))
        const lost = lostItems(model, items, found.triangles)
        const names = lost.map(item => `${model.line(item).kind || 'a line that is not there'} #${item}`).join(', ')
        const because = heard.length > 0 ? ` (web-ifc: ${heard.slice(0, 3).join('; ')})` : ''
        if (found.pieces.length === 0) {
            report(stream.GONE, `no triangles came of ${names || 'it'}${because}`)
            continue
        }
        if (lost.length > 0) report(stream.PARTLY, `no triangles came of ${names}${because}`)
        else if (found.bad > 0) report(stream.PARTLY, 'coordinates that are no numbers came of some of it')
        else if (heard.length > 0) report(stream.PARTLY, `web-ifc: ${heard.slice(0, 3).join('; ')}`)

        if (found.open && areSolids(model, items)) holed.push(nameOf(model, id))
        const joined = joinPieces(found.pieces)
        const off = [...items, ...cuts].map(deviation)
        let mesh = meshes.get(joined.hash)
        if (mesh === undefined) {
            meshes.set(joined.hash, (mesh = meshes.size))
            deviations[mesh] = off.some(d => d < 0) ? -1 : Math.max(0, ...off)
            stream.mesh(joined.points, joined.indices, deviations[mesh])
        }
        nodes.add(nodes.above(id), joined.matrix, nameOf(model, id), [mesh])
        stream.property('id', globalId)
        stream.property('class', kind)
        const longName = SPACES.test(kind) ? text(args[7]) : ''
        if (longName) stream.property('long_name', longName)
        const storey = holders(model, structure.parents, id).findLast(at => model.line(at).kind === 'IfcBuildingStorey')
        if (storey) stream.property('storey', text(model.line(storey).args[2]))
        const layer = [...representations.body, ...items].flatMap(item => properties.layers.get(item) ?? [])[0]
        if (layer) stream.property('layer', layer)
        for (const [key, value] of properties.of(id)) stream.property(key, value)
    }
    if (holed.length > 0) stream.note(`${holed.length} solid${holed.length > 1 ? 's' : ''} of the file came with holes, and ${holed.length > 1 ? 'count as surfaces' : 'counts as a surface'} unless carom closes T-junctions: ${holed.slice(0, 3).join(', ')}${holed.length > 3 ? ', ...' : ''}`)
    return deviations
}

/** Where circles have as many segments as they may, and a chord is more off than it should be.
 * @param {number[]} deviations @param {number} chord @param {number} unit metres of theirs @param {boolean} asked */
function noteCoarse(deviations, chord, unit, asked) {
    const coarse = deviations.filter(off => off > chord * (1 + 1e-9)), mm = (/** @type {number} */ length) => `${Number((1000 * unit * length).toPrecision(2))} mm`
    if (coarse.length === 0) return
    stream.note(`${asked ? 'warning: ' : ''}${coarse.length} of ${deviations.length} bod${deviations.length === 1 ? 'y' : 'ies'} ${coarse.length === 1 ? 'is' : 'are'} up to ${mm(coarse.reduce((a, b) => Math.max(a, b)))} off ${coarse.length === 1 ? 'its' : 'their'} curves, more than the ${mm(chord)} ${asked ? 'asked for' : 'of the default'}`)
}

/** A library has types with shapes, and no product that stands anywhere. @param {Model} model */
function refuseLibrary(model) {
    const types = model.all('IfcTypeProduct', true).filter(id => references(model.line(id).args[6]).length > 0).map(id => nameOf(model, id))
    if (types.length > 0) throw new Refused(`it has the shapes of types alone, of which none is placed: ${types.slice(0, 3).join(', ')}${types.length > 3 ? ', ...' : ''}`)
}

/** Broken lines are reported unless no body hangs on them. @param {Model} model @param {{line: number, reason: string}[]} broken */
function reportBroken(model, broken) {
    for (const { line, reason } of broken) {
        const { kind } = model.line(line)
        if (!NO_MATTER.test(kind) && !LOOKS.test(kind)) stream.leftOut(stream.PARTLY, { id: '', kind, name: `${kind || 'line'} #${line}`, reason })
    }
}

// --- the whole -------------------------------------------------------------------------------------------------------

/** @type {any} */
let engine = null
/** web-ifc, started once; anew after a failure, which leaves its memory in no known state. */
async function start() {
    if (engine) return engine
    const web = createRequire(import.meta.url)('web-ifc')
    engine = new web.IfcAPI()
    await engine.Init()
    engine.SetLogLevel(web.LogLevel.LOG_LEVEL_ERROR)
    return engine
}

/** @param {any} api @param {ReturnType<typeof readFile>} opened @param {number} asked @param {number} taken */
function write(api, { file, schema, notes: said }, asked, taken) {
    let modelId = openModel(api, file, 12), model = new Model(api, modelId)
    const units = readUnits(model), unit = units.length > 0 ? units.length : 1
    const trueUnit = taken > 0 ? taken : unit
    const chord = (asked > 0 ? asked : DEFAULT_CHORD) / trueUnit, most = asked > 0 ? MOST_ASKED : MOST_BY_DEFAULT
    const segments = (/** @type {number} */ radius) => segmentsOf(radius, chord, most)
    const n = segments(largestRadius(model))
    const standard = sayByStandard(model, file, api.GetMaxExpressID(modelId))
    const swept = replaceDirectrices(model, standard.file, { unit: units.angle, segments, n, lastId: standard.lastId })
    const replaced = replaceProfiles(model, swept.file, { angle: units.angle > 0 ? units.angle : 1 }, segments, swept.lastId)
    for (const [id, off] of swept.deviations) replaced.deviations.set(id, off)
    api.CloseModel(modelId)
    modelId = openModel(api, replaced.file, n)
    model = new Model(api, modelId)
    const scale = scaleOf(api, modelId, replaced.cube)
    if (!(scale > 0)) throw new Refused('web-ifc makes no triangles of it at all')

    stream.meta({ unit: units.length, bias: 1, up: 'z', singlePoints: true, singlePlaces: false, format: `${schema} (web-ifc ${api.GetVersion()})` })
    if (replaced.sloped > 0) stream.note('sloped flanges: their thickness is taken as that of the middle of the leg')
    for (const wrong of replaced.wrong) stream.note(wrong)
    /** @type {string[]} */
    const notes = []
    const place = readPlace(model, unit, notes)
    if (place) stream.place(place)
    for (const note of [...said, ...notes]) stream.note(note)
    const world = readWorldSystem(model)
    if (world) stream.note(world)
    const structure = readStructure(model)
    reportBroken(model, [...brokenLines(file), ...standard.broken])
    const bodies = sortProducts(model, structure, replaced.cube)
    if (bodies.length === 0) refuseLibrary(model)
    const deviations = writeProducts(api, modelId, model, structure, bodies, scale, item => deviationOf(model, item, n, replaced.deviations))
    noteCoarse(deviations, chord, trueUnit, asked > 0)
    api.CloseModel(modelId)
}

/** Reads a file and writes the stream. @param {string} path
 * @param {number} chord metres that a chord may be off its curve; 0 = a millimetre, within bounds
 * @param {number} taken metres of the unit in which the file will be taken; 0 = the one that it states */
export async function readIfc(path, chord, taken = 0) {
    stream.start()
    try {
        const opened = readFile(path)
        write(await start(), opened, chord, taken)
        stream.end()
    } catch (error) {
        engine = null
        if (!(error instanceof Refused)) throw error
        stream.fail(error.message)
    }
}
