// What web-ifc takes otherwise than the standard has it, and tells nothing of: it is given the same in other words.
//
// - A direction has no length (IfcDirection). web-ifc multiplies depths of extrusions and vectors of lines by it.
// - The axes of a transformation are made perpendicular, and what is left out follows from the others (IfcBaseAxis).
//   web-ifc takes each as it stands, or that of the frame: a mapped item that is turned by its first axis alone is sheared.
// - Scales of an uneven transformation that are left out are the first one. web-ifc takes 1.
// - What is swept has a profile of the type AREA. web-ifc does not look at the type, and makes a solid of a curve's, too.
// - PnIndex, where a face set has it, says which points of the list its corners are. web-ifc takes them for the points.
import { isNumber, isSet, number, numbers, reference, step, text } from './model.mjs'
import { replaceLines } from './references.mjs'

const SLACK = 1e-6 // what the digits of a file may leave

/** @typedef {import('./model.mjs').Model} Model */

const dot = (/** @type {number[]} */ a, /** @type {number[]} */ b) => a.reduce((sum, x, k) => sum + x * (b[k] ?? 0), 0)
const cross = (/** @type {number[]} */ a, /** @type {number[]} */ b) => [0, 1, 2].map(k => a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3])
/** Of length 1; null for one without a direction. @param {number[]} a */
const unitOf = a => {
    const size = Math.hypot(...a)
    return size > 0 && Number.isFinite(size) ? a.map(x => x / size) : null
}
/** What of a is perpendicular to all of `others`, which are so to each other; null where that is nothing. @param {number[]} a @param {number[][]} others */
function across(a, ...others) {
    const left = others.reduce((rest, other) => rest.map((x, k) => x - dot(rest, other) * other[k]), a)
    return Math.hypot(...left) > SLACK * Math.hypot(...a) ? unitOf(left) : null
}

/** The axes of a transformation in space, as IfcBaseAxis has them; null where they are parallel.
 * @param {(number[] | null)[]} given the three that the file has @returns {number[][] | null} */
function axesInSpace([first, second, third]) {
    const z = third ? unitOf(third) : [0, 0, 1], x = z && across(first ?? (Math.abs(z[0]) > 1 - SLACK ? [0, 1, 0] : [1, 0, 0]), z)
    if (!z || !x) return null
    const y = across(second ?? [0, 1, 0], z, x) ?? (second ? null : cross(z, x))
    return y && [x, y, z]
}
/** In the plane. @param {(number[] | null)[]} given @returns {number[][] | null} */
function axesInPlane([first, second]) {
    if (!first) {
        const y = second ? unitOf(second) : [0, 1]
        return y && [[y[1], -y[0]], y]
    }
    const x = unitOf(first)
    if (!x) return null
    const left = [-x[1], x[0]]
    return [x, second && dot(second, left) < 0 ? left.map(c => -c) : left]
}

/** @param {number} id */
const name = id => (id ? `#${id}` : '$')
const list = (/** @type {number[]} */ numbers) => `(${numbers.map(step).join(',')})`

/** Lines to replace, by what becomes of their text, and lines to add.
 * @typedef {{changed: Map<number, (text: string) => string>, added: string[], last: number, broken: {line: number, reason: string}[]}} Changes */

/** The number of a new line. @param {Changes} changes @param {string} text */
function add(changes, text) {
    changes.added.push(`#${++changes.last}=${text};\n`)
    return changes.last
}

/** Directions whose length counts in web-ifc. @param {Model} model @param {Changes} changes */
function unitDirections(model, changes) {
    const at = (/** @type {number} */ line, /** @type {number} */ place) => reference(model.line(line).args[place])
    const swept = ['IfcExtrudedAreaSolid', 'IfcSurfaceOfLinearExtrusion'].flatMap(kind => model.all(kind, true)).map(id => at(id, 2))
    const lines = model.all('IfcTrimmedCurve').map(id => at(id, 0)).filter(id => model.line(id).kind === 'IfcLine') // those of edges end at their corners
    for (const id of new Set([...swept, ...lines.map(line => at(at(line, 1), 0))])) {
        const ratios = numbers(model.line(id).args[0]), unit = unitOf(ratios)
        if (unit && Math.abs(Math.hypot(...ratios) - 1) > SLACK) changes.changed.set(id, () => `IFCDIRECTION(${list(unit)})`)
    }
}

/** @param {Model} model @param {Changes} changes */
function axesOfTransformations(model, changes) {
    for (const id of model.all('IfcCartesianTransformationOperator', true)) {
        const { kind, args } = model.line(id), flat = kind.includes('Operator2D')
        const at = flat ? [0, 1] : [0, 1, 4] // axes; between them stand the origin and the scale
        const given = at.map(k => (reference(args[k]) ? numbers(model.line(reference(args[k])).args[0]) : null))
        const taken = given.map((axis, k) => (axis ? unitOf(axis) : at.map((_, i) => (i === k ? 1 : 0))))
        const axes = flat ? axesInPlane(given) : axesInSpace(given)
        if (!axes) {
            changes.broken.push({ line: id, reason: 'its axes are parallel' })
            continue
        }
        const off = axes.some((axis, k) => !(Math.hypot(...axis.map((x, i) => x - (taken[k]?.[i] ?? NaN))) <= SLACK))
        const scale = isSet(args[3]) ? step(number(args[3])) : '$', uneven = /nonuniform$/i.test(kind)
        if (!off && !(uneven && scale !== '$' && args.slice(flat ? 4 : 5).some(other => !isSet(other)))) continue
        const names = axes.map((axis, k) => name(off ? add(changes, `IFCDIRECTION(${list(axis)})`) : reference(args[at[k]])))
        const scales = uneven ? (flat ? [4] : [5, 6]).map(k => (isSet(args[k]) ? step(number(args[k])) : scale)) : []
        const words = [names[0], names[1], name(reference(args[2])), scale, ...names.slice(2), ...scales]
        changes.changed.set(id, () => `${kind.toUpperCase()}(${words.join(',')})`)
    }
}

/** What is swept of a curve that bounds nothing gives no triangles: it loses its profile. @param {Model} model @param {Changes} changes */
function sweptCurves(model, changes) {
    for (const id of model.all('IfcSweptAreaSolid', true)) {
        const { kind, args } = model.line(id), profile = reference(args[0])
        const of = model.line(profile), open = of.kind === 'IfcArbitraryOpenProfileDef'
        if (!open && (text(of.args[0]) !== 'CURVE' || of.kind === 'IfcCenterLineProfileDef')) continue
        changes.changed.set(id, line => line.replace(/#\d+/, '$'))
        changes.broken.push({ line: id, reason: `its profile, #${profile}, is ${open ? 'open' : 'of the type CURVE'} and bounds no area: ${kind} is of an AREA` })
    }
}

/** What is extruded by nothing is no solid; web-ifc makes a plate of it, and takes 0 for a number that has its type
 * beside it. @param {Model} model @param {Changes} changes */
function depthsOfExtrusions(model, changes) {
    for (const id of model.all('IfcExtrudedAreaSolid', true)) {
        const depth = model.line(id).args[3]
        if (!isNumber(depth) || number(depth) === 0) changes.broken.push({ line: id, reason: 'its depth is none' })
    }
}

/** Face sets whose corners are numbers of numbers get a list of their own. @param {Model} model @param {Changes} changes */
function ownPoints(model, changes) {
    for (const [kind, at] of /** @type {[string, number][]} */ ([['IfcTriangulatedFaceSet', 4], ['IfcPolygonalFaceSet', 3]]))
        for (const id of model.all(kind, true)) {
            const { args } = model.line(id), chosen = Array.isArray(args[at]) ? numbers(args[at]) : []
            if (chosen.length === 0) continue
            const points = model.line(reference(args[0])).args[0] ?? []
            if (chosen.some(n => !points[n - 1])) {
                changes.broken.push({ line: id, reason: 'its PnIndex has numbers that no point has' })
                continue
            }
            const own = name(add(changes, `IFCCARTESIANPOINTLIST3D((${chosen.map(n => list(numbers(points[n - 1]))).join(',')}))`))
            changes.changed.set(id, line => line.replace(/#\d+/, own).replace(at === args.length - 1 ? /,\s*\([\s\d,]*\)\s*\)$/ : /$^/, ',$)'))
        }
}

/** The file in words that web-ifc takes as the standard has them, and lines that are wrong in it.
 * @param {Model} model @param {Buffer} file @param {number} lastId */
export function sayByStandard(model, file, lastId) {
    /** @type {Changes} */
    const changes = { changed: new Map(), added: [], last: lastId, broken: [] }
    unitDirections(model, changes)
    axesOfTransformations(model, changes)
    ownPoints(model, changes)
    sweptCurves(model, changes)
    depthsOfExtrusions(model, changes)
    return { file: changes.changed.size > 0 ? replaceLines(file, changes.changed, changes.added.join('')) : file, broken: changes.broken, lastId: changes.last }
}
