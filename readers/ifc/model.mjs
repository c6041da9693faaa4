// What an IFC file says, line by line: attributes by their place, which is the same in IFC2x3, IFC4 and IFC4x3 for all
// that is read here.

const REFERENCE = 5, REAL = 4, INTEGER = 10

/** @typedef {{value: any, type: number} | null | any[]} Argument */

export class Model {
    /** @param {any} api web-ifc @param {number} id of its model */
    constructor(api, id) {
        this.api = api
        this.id = id
        /** @type {Map<number, {kind: string, args: any[]}>} */
        this.lines = new Map()
        /** @type {Map<number, string>} */
        this.kinds = new Map()
    }
    /** @param {number} typeCode */
    kindOf(typeCode) {
        let kind = this.kinds.get(typeCode)
        if (kind === undefined) this.kinds.set(typeCode, (kind = this.api.GetNameFromTypeCode(typeCode)))
        return /** @type {string} */ (kind)
    }
    /** A line's class and attributes; class "" where there is no such line. @param {number} id */
    line(id) {
        let line = this.lines.get(id)
        if (line === undefined) {
            const raw = this.api.GetRawLineData(this.id, id)
            line = raw.type === undefined ? { kind: '', args: [] } : { kind: this.kindOf(raw.type), args: raw.arguments }
            this.lines.set(id, line)
        }
        return line
    }
    /** The ids of all lines of a class, and of those that inherit from it where asked. @param {string} kind @param {boolean} [inherited] */
    all(kind, inherited = false) {
        const code = this.api.GetTypeCodeFromName(kind.toUpperCase())
        const found = this.api.GetLineIDsWithType(this.id, code, inherited)
        /** @type {number[]} */
        const ids = []
        for (let i = 0; i < found.size(); i++) ids.push(found.get(i))
        return [...new Set(ids)].sort((a, b) => a - b)
    }
}

/** The line that an argument refers to, or 0. @param {Argument} argument */
export const reference = argument => (argument && !Array.isArray(argument) && argument.type === REFERENCE ? Number(argument.value) : 0)
/** @param {Argument} argument */
export const references = argument => (Array.isArray(argument) ? argument.flat(4).map(reference).filter(id => id > 0) : reference(argument) ? [reference(argument)] : [])
/** @param {Argument} argument */
export const text = argument => (argument && !Array.isArray(argument) && argument.value !== undefined && argument.value !== null ? String(argument.value) : '')
/** A number, 0 where there is none. @param {Argument} argument */
export const number = argument => {
    const value = Number(text(argument) || 0)
    return Number.isFinite(value) ? value : 0
}
/** One as it stands in the file, without a type beside it. @param {Argument} argument */
export const isNumber = argument => Boolean(argument) && !Array.isArray(argument) && (argument?.type === REAL || argument?.type === INTEGER)
/** @param {Argument} argument */
export const numbers = argument => (Array.isArray(argument) ? argument.map(number) : [])
/** A number as STEP has it: with a point. @param {number} x */
export function step(x) {
    const short = String(x)
    if (!Number.isFinite(x)) return '0.'
    if (/e/.test(short)) return short.includes('.') ? short.replace('e', 'E') : short.replace('e', '.E')
    return short.includes('.') ? short : short + '.'
}
/** @param {Argument} argument */
export const isSet = argument => argument !== null && argument !== undefined

// --- units -----------------------------------------------------------------------------------------------------------

/** @type {Record<string, number>} */
const PREFIXES = {
    EXA: 1e18, PETA: 1e15, TERA: 1e12, GIGA: 1e9, MEGA: 1e6, KILO: 1e3, HECTO: 1e2, DECA: 1e1, DECI: 1e-1, CENTI: 1e-2,
    MILLI: 1e-3, MICRO: 1e-6, NANO: 1e-9, PICO: 1e-12, FEMTO: 1e-15, ATTO: 1e-18,
}

/** A unit in metres or radians; 0 where it is of another kind or not known. @param {Model} model @param {number} id @param {string} kind */
function unitSize(model, id, kind, depth = 0) {
    const { kind: line, args } = model.line(id)
    // IfcSIUnit: (Dimensions derived and left out) UnitType, Prefix, Name; IfcConversionBasedUnit: Dimensions, UnitType, Name, Factor
    if (line === 'IfcSIUnit') {
        const at = args.findIndex(a => text(a) === kind)
        return at < 0 ? 0 : (isSet(args[at + 1]) ? (PREFIXES[text(args[at + 1])] ?? 0) : 1)
    }
    if (!line.startsWith('IfcConversionBasedUnit') || text(args[1]) !== kind || depth > 8) return 0
    const factor = model.line(reference(args[3]))
    return number(factor.args[0]) * unitSize(model, reference(factor.args[1]), kind, depth + 1)
}

/** @param {Model} model */
export function readUnits(model) {
    const units = { length: 0, angle: 0 }
    for (const project of [...model.all('IfcProject'), ...model.all('IfcProjectLibrary')]) {
        const assignment = model.line(project).args.map(reference).find(id => model.line(id).kind === 'IfcUnitAssignment')
        for (const unit of assignment ? references(model.line(assignment).args[0]) : []) {
            units.length ||= unitSize(model, unit, 'LENGTHUNIT')
            units.angle ||= unitSize(model, unit, 'PLANEANGLEUNIT')
        }
    }
    return units
}

/** Metres of the unit that a map's coordinates are in: IfcProjectedCRS ends with its MapUnit; without one, the project's
 * length unit holds. @param {Model} model @param {number} id of the system @param {number} unit */
function mapMetres(model, id, unit) {
    const { kind, args } = model.line(id), mapUnit = reference(args[args.length - 1])
    return (kind === 'IfcProjectedCRS' && mapUnit && unitSize(model, mapUnit, 'LENGTHUNIT')) || unit
}

/** Where the file's origin lies on the map, or null: what `place` has no words for is said in `notes`.
 * @param {Model} model @param {number} unit @param {string[]} notes */
export function readPlace(model, unit, notes) {
    for (const id of model.all('IfcMapConversion', true)) {
        const { kind, args } = model.line(id)
        const metres = mapMetres(model, reference(args[1]), unit)
        const axis = isSet(args[5]) && isSet(args[6]) ? [number(args[5]), number(args[6])] : [1, 0]
        const own = isSet(args[7]) ? number(args[7]) : 1
        // IfcMapConversionScaled (IFC4X3) ends with a factor for each axis, on top of the scale
        const factors = kind === 'IfcMapConversionScaled' ? [8, 9, 10].map(k => (isSet(args[k]) ? number(args[k]) : 1)) : [1, 1, 1]
        const even = factors.every(factor => factor === factors[0])
        if (!even) notes.push(`its IfcMapConversionScaled stretches the axes by ${factors.join(', ')}: its place on the map is told without that`)
        const scale = own * (even ? factors[0] : 1)
        return { east: number(args[2]) * metres, north: number(args[3]) * metres, height: number(args[4]) * metres, axis, scale: scale > 0 ? scale : 1, system: text(model.line(reference(args[1])).args[0]) }
    }
    for (const id of model.all('IfcRigidOperation', true)) {
        const { args } = model.line(id), system = text(model.line(reference(args[1])).args[0])
        const measures = [args[2], args[3]].map(argument => model.kindOf(Number(/** @type {any} */ (argument)?.typecode) || 0))
        if (measures.some(measure => measure !== 'IfcLengthMeasure')) {
            notes.push(`its IfcRigidOperation tells of (${text(args[2])}, ${text(args[3])})${system && ` in ${system}`}, which are no lengths: its place on the map is not known`)
            continue
        }
        const metres = mapMetres(model, reference(args[1]), unit)
        return { east: number(args[2]) * metres, north: number(args[3]) * metres, height: number(args[4]) * metres, axis: [1, 0], scale: 1, system }
    }
    return null
}

/** What is said of a context whose coordinates are told within a frame of its own, which is not the origin; or null.
 * @param {Model} model */
export function readWorldSystem(model) {
    for (const id of model.all('IfcGeometricRepresentationContext')) {
        const { kind, args } = model.line(reference(model.line(id).args[4]))
        if (kind !== 'IfcAxis2Placement3D') continue
        const at = (/** @type {number} */ k, /** @type {number[]} */ otherwise) => (reference(args[k]) ? numbers(model.line(reference(args[k])).args[0]) : otherwise)
        const origin = at(0, [0, 0, 0]), [x, y, z] = at(1, [0, 0, 1]), [u, v, w] = at(2, [1, 0, 0])
        if (origin.every(c => c === 0) && x === 0 && y === 0 && z > 0 && u > 0 && v === 0 && w === 0) continue
        return `its WorldCoordinateSystem lies at (${origin.join(', ')}) of its unit${x || y || v || w || z < 0 || u < 0 ? ', turned' : ''}: coordinates are told within it, and other models may stand elsewhere by that`
    }
    return null
}

// --- structure -------------------------------------------------------------------------------------------------------

/** What holds what: spatial structure, assemblies, the openings of a wall; and what is cut out of what.
 * @param {Model} model */
export function readStructure(model) {
    /** @type {Map<number, number>} */
    const parents = new Map()
    /** @type {Map<number, number[]>} */
    const voids = new Map()
    /** @type {Set<number>} */
    const wholes = new Set()
    const set = (/** @type {number} */ child, /** @type {number} */ parent) => {
        if (!parents.has(child) && parent) parents.set(child, parent)
    }
    for (const kind of ['IfcRelAggregates', 'IfcRelNests'])
        for (const id of model.all(kind)) {
            const { args } = model.line(id)
            wholes.add(reference(args[4]))
            for (const child of references(args[5])) set(child, reference(args[4]))
        }
    for (const id of model.all('IfcRelContainedInSpatialStructure')) {
        const { args } = model.line(id)
        for (const child of references(args[4])) set(child, reference(args[5]))
    }
    for (const id of model.all('IfcRelVoidsElement')) {
        const { args } = model.line(id)
        const host = reference(args[4])
        voids.set(host, [...(voids.get(host) ?? []), reference(args[5])])
        set(reference(args[5]), host)
    }
    return { parents, voids, wholes }
}

/** The chain of holders from the project down, without spaces: what stands in a room is on the room's storey, and a
 * pattern that drops rooms must not drop it. @param {Model} model @param {Map<number, number>} parents @param {number} id */
export function holders(model, parents, id) {
    const chain = []
    const seen = new Set([id])
    for (let at = parents.get(id); at && !seen.has(at); at = parents.get(at)) {
        seen.add(at)
        if (!/^Ifc(Space|SpatialZone|Project|ProjectLibrary)$/.test(model.line(at).kind)) chain.unshift(at)
    }
    return chain
}

// --- properties ------------------------------------------------------------------------------------------------------

/** A property's value as IFC writes it: TRUE, FALSE or UNKNOWN, and several, as of an enumeration, with commas.
 * @param {Model} model @param {Argument} value @returns {string} */
function said(model, value) {
    if (Array.isArray(value)) return value.map(one => said(model, one)).join(', ')
    if (typeof value?.value === 'boolean') return value.value ? 'TRUE' : 'FALSE'
    const typecode = /** @type {{typecode?: number} | null} */ (value)?.typecode
    if (typecode !== undefined && value?.value === undefined && model.kindOf(typecode).toUpperCase() === 'IFCLOGICAL') return 'UNKNOWN'
    return text(value)
}

const VALUED = /^IfcProperty(SingleValue|EnumeratedValue|ListValue)$/

/** The properties of a set or of quantities, as "Set.Property" and value. @param {Model} model @param {number} set
 * @returns {[string, string][]} */
function setEntries(model, set) {
    const { kind, args } = model.line(set)
    const at = kind === 'IfcPropertySet' ? 4 : kind === 'IfcElementQuantity' ? 5 : -1
    if (at < 0) return []
    const name = text(args[2])
    return references(args[at]).flatMap(id => {
        const one = model.line(id)
        const value = VALUED.test(one.kind) ? one.args[2] : one.kind.startsWith('IfcQuantity') ? one.args[3] : null
        /** @type {[string, string][]} */
        const entry = isSet(value) ? [[`${name}.${text(one.args[0])}`, said(model, value)]] : []
        return entry
    })
}

/** For every product: its type, layers, and the property sets of itself and of its type. @param {Model} model */
export function readProperties(model) {
    /** @type {Map<number, number[]>} */
    const sets = new Map()
    /** @type {Map<number, number>} */
    const types = new Map()
    /** @type {Map<number, string[]>} */
    const layers = new Map()
    /** @type {Map<number, [string, string][]>} */
    const known = new Map()
    for (const id of model.all('IfcRelDefinesByProperties')) {
        const { args } = model.line(id)
        for (const product of references(args[4])) sets.set(product, [...(sets.get(product) ?? []), ...references(args[5])])
    }
    for (const id of model.all('IfcRelDefinesByType')) {
        const { args } = model.line(id)
        for (const product of references(args[4])) types.set(product, reference(args[5]))
    }
    for (const id of model.all('IfcPresentationLayerAssignment', true)) {
        const { args } = model.line(id)
        for (const item of references(args[2])) layers.set(item, [...(layers.get(item) ?? []), text(args[0])])
    }
    const entries = (/** @type {number} */ set) => {
        let list = known.get(set)
        if (!list) known.set(set, (list = setEntries(model, set)))
        return list
    }
    return {
        layers,
        /** @param {number} product */
        of(product) {
            /** @type {Map<string, string>} */
            const all = new Map()
            const type = types.get(product)
            if (type) {
                all.set('type', text(model.line(type).args[2]))
                for (const set of references(model.line(type).args[5])) for (const [key, value] of entries(set)) all.set(key, value)
            }
            for (const set of sets.get(product) ?? []) for (const [key, value] of entries(set)) all.set(key, value)
            return all
        },
    }
}

