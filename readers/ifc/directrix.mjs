// Disks swept along a part of a curve that the file tells by parameters, as every bar of reinforcement of Revit is, also
// where the part is the whole. web-ifc cuts polylines, lines, circles and ellipses by parameters, and nothing else: of a
// bar along an IfcCompositeCurve or an IfcIndexedPolyCurve it makes no triangle, nor of any IfcSweptDiskSolidPolygonal, a
// polyline with rounded corners. It is given a polyline instead: the part, in chords.
//
// The parameter of such a curve counts on over its segments, each as long as its own one is (ISO 10303-42): a polyline by
// one a side, an arc by its angle in the file's unit, a line by its vectors.
import { isSet, number, numbers, reference, references, step } from './model.mjs'
import { chordError } from './profiles.mjs'

const PARAMETER = 2 // the type of an argument with a name, IFCPARAMETERVALUE(0.)

/** @typedef {import('./model.mjs').Model} Model */
/** Points of a curve with the parameter of each, from 0. @typedef {{points: number[][], at: number[]}} Way */
/** The unit of angles in radians, chords of a circle, and how far those made so far are off.
 * @typedef {{unit: number, segments: (r: number) => number, deviation: number}} Cut */

const minus = (/** @type {number[]} */ a, /** @type {number[]} */ b) => a.map((x, k) => x - b[k])
const dot = (/** @type {number[]} */ a, /** @type {number[]} */ b) => a.reduce((sum, x, k) => sum + x * b[k], 0)
const cross = (/** @type {number[]} */ a, /** @type {number[]} */ b) => [0, 1, 2].map(k => a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3])
const along = (/** @type {number[]} */ p, /** @type {number} */ x, /** @type {number[]} */ a) => p.map((c, k) => c + x * a[k])
const unitOf = (/** @type {number[]} */ a) => a.map(x => x / (Math.hypot(...a) || 1))
const threeOf = (/** @type {number[]} */ p) => [p[0] ?? NaN, p[1] ?? NaN, p[2] ?? 0]
/** @param {Model} model @param {number} id of a point or a direction */
const coordinates = (model, id) => threeOf(numbers(model.line(id).args[0]))

/** Center and axes of an IfcAxis2Placement2D or 3D. @param {Model} model @param {number} id */
function placement(model, id) {
    const { kind, args } = model.line(id), flat = kind.endsWith('2D')
    const axis = !flat && reference(args[1]) ? unitOf(coordinates(model, reference(args[1]))) : [0, 0, 1]
    const wanted = reference(args[flat ? 1 : 2])
    const first = wanted ? coordinates(model, wanted) : Math.abs(axis[0]) > 1 - 1e-9 ? [0, 0, 1] : [1, 0, 0]
    const x = unitOf(along(first, -dot(first, axis), axis))
    return { center: coordinates(model, reference(args[0])), x, y: cross(axis, x) }
}

/** @param {number[]} center @param {number[]} a half axes @param {number[]} b @param {number} from @param {number} angle @param {Cut} cut @returns {Way} */
function arc(center, a, b, from, angle, cut) {
    const radius = Math.max(Math.hypot(...a), Math.hypot(...b)), n = Math.max(1, Math.ceil((cut.segments(radius) * Math.abs(angle)) / (2 * Math.PI) - 1e-9))
    const steps = Array.from({ length: n + 1 }, (_, k) => k / n)
    cut.deviation = Math.max(cut.deviation, radius * (1 - Math.cos(angle / n / 2)))
    const point = (/** @type {number} */ t) => along(along(center, Math.cos(from + t * angle), a), Math.sin(from + t * angle), b)
    return { points: steps.map(point), at: steps.map(t => (t * Math.abs(angle)) / cut.unit) }
}

/** @param {Model} model @param {any[]} args of an IfcTrimmedCurve @param {Cut} cut @returns {Way | null} */
function trimmed(model, args, cut) {
    const { kind, args: basis } = model.line(reference(args[0]))
    const trims = [args[1], args[2]].map(trim => (Array.isArray(trim) ? trim : []))
    const told = trims.map(trim => trim.find(one => one?.type === PARAMETER)), parameters = told.map(number)
    const points = trims.map(trim => coordinates(model, references(trim)[0] ?? 0))
    if (!trims.every((trim, k) => told[k] || references(trim).length > 0)) return null
    if (kind === 'IfcLine') {
        const vector = model.line(reference(basis[1])), vectors = unitOf(coordinates(model, reference(vector.args[0]))).map(x => x * number(vector.args[1]))
        const start = coordinates(model, reference(basis[0]))
        const [p, q] = [0, 1].map(k => (told[k] ? along(start, parameters[k], vectors) : points[k]))
        return { points: [p, q], at: [0, Math.hypot(...minus(q, p)) / Math.hypot(...vectors)] }
    }
    if (kind !== 'IfcCircle' && kind !== 'IfcEllipse') return null
    const { center, x, y } = placement(model, reference(basis[0])), radii = [number(basis[1]), number(basis[kind === 'IfcCircle' ? 1 : 2])]
    const [from, to] = [0, 1].map(k => {
        if (told[k]) return parameters[k] * cut.unit
        const arm = minus(points[k], center)
        return Math.atan2(dot(arm, y) / radii[1], dot(arm, x) / radii[0])
    })
    const way = args[3]?.value === false ? -1 : 1, turn = 2 * Math.PI, rest = (way * (to - from)) % turn
    return arc(center, x.map(c => c * radii[0]), y.map(c => c * radii[1]), from, way * (rest > 0 ? rest : rest + turn), cut)
}

/** The arc from a to c through b. @param {number[][]} corners @param {Cut} cut @returns {Way} */
function through([a, b, c], cut) {
    const u = minus(b, a), v = minus(c, a), normal = cross(u, v), size = dot(normal, normal)
    if (!(size > 1e-18 * dot(u, u) * dot(v, v))) return { points: [a, c], at: [0, 1] }
    const arm = cross(minus(v.map(x => x * dot(u, u)), u.map(x => x * dot(v, v))), normal).map(x => x / (2 * size)) // from a to the center
    const center = along(a, 1, arm), x = arm.map(k => -k), y = cross(unitOf(normal), x), end = minus(c, center)
    const angle = Math.atan2(dot(end, y), dot(end, x))
    return arc(center, x, y, 0, angle > 0 ? angle : angle + 2 * Math.PI, cut)
}

/** One way after another; null where the next does not begin where the last ends. @param {(Way | null)[]} ways @param {number} gap @returns {Way | null} */
function chain(ways, gap) {
    /** @type {Way} */
    const out = { points: [], at: [] }
    for (const way of ways) {
        if (!way || way.points.length < 2) return null
        const begun = out.at.at(-1) ?? 0, last = out.points.at(-1)
        if (last && !(Math.hypot(...minus(way.points[0], last)) <= gap)) return null
        for (let k = last ? 1 : 0; k < way.points.length; k++) {
            out.points.push(way.points[k])
            out.at.push(begun + way.at[k])
        }
    }
    return out.points.length > 1 ? out : null
}

/** A curve that is no composite one within another, as any number may be within those. @param {Model} model @param {number} id
 * @param {Cut} cut @param {number} gap between segments that is none @returns {Way | null} */
function wayOf(model, id, cut, gap, whole = true) {
    const { kind, args } = model.line(id)
    if (kind === 'IfcTrimmedCurve') return trimmed(model, args, cut)
    if (kind === 'IfcPolyline') {
        const points = references(args[0]).map(point => coordinates(model, point))
        return { points, at: points.map((_, k) => k) }
    }
    if (kind === 'IfcIndexedPolyCurve') {
        const list = model.line(reference(args[0])).args[0], points = (Array.isArray(list) ? list : []).map(p => threeOf(numbers(p)))
        if (!Array.isArray(args[1])) return { points, at: points.map((_, k) => k) }
        return chain(args[1].map(segment => {
            const corners = numbers(segment?.value).map(k => points[k - 1] ?? [NaN, NaN, NaN])
            return model.kindOf(segment?.typecode) === 'IfcArcIndex' && corners.length === 3 ? through(corners, cut) : { points: corners, at: corners.map((_, k) => k) }
        }), gap)
    }
    if (kind !== 'IfcCompositeCurve' || !whole) return null
    return chain(references(args[0]).map(segment => {
        const line = model.line(segment)
        const way = line.kind === 'IfcCompositeCurveSegment' ? wayOf(model, reference(line.args[2]), cut, gap, false) : null
        if (!way || line.args[1]?.value !== false) return way
        const length = way.at.at(-1) ?? 0
        return { points: way.points.reverse(), at: way.at.reverse().map(t => length - t) }
    }), gap)
}

/** What of a way lies between two parameters; null where they are not on it. @param {Way} way @param {number} from @param {number} to */
function between(way, from, to) {
    const end = /** @type {number} */ (way.at.at(-1)), slack = 1e-6 * end
    if (!(from >= 0 && from < to && to <= end + slack)) return null
    const point = (/** @type {number} */ t) => {
        const k = Math.max(1, way.at.findIndex(at => at >= t)), share = (t - way.at[k - 1]) / (way.at[k] - way.at[k - 1])
        return along(way.points[k - 1], share, minus(way.points[k], way.points[k - 1]))
    }
    const inner = way.points.filter((_, k) => way.at[k] > from + slack && way.at[k] < to - slack)
    const points = [point(from), ...inner, to >= end - slack ? way.points[way.points.length - 1] : point(to)]
    return points.flat().every(Number.isFinite) ? points : null
}

/** A polyline with its corners rounded; null where that does not fit. @param {number[][]} points @param {number} radius @param {Cut} cut */
function roundCorners(points, radius, cut) {
    const sides = points.slice(1).map((p, k) => minus(p, points[k])), lengths = sides.map(side => Math.hypot(...side))
    const backs = [0, ...points.slice(1, -1).map((_, k) => { // from each corner to where its arc begins
        const turn = Math.acos(Math.max(-1, Math.min(1, dot(sides[k], sides[k + 1]) / (lengths[k] * lengths[k + 1]))))
        return radius * Math.tan(turn / 2)
    }), 0]
    if (!lengths.every((length, k) => backs[k] + backs[k + 1] <= length * (1 + 1e-9))) return null
    const out = [points[0]]
    for (let k = 1; k + 1 < points.length; k++) {
        const p = points[k], u = unitOf(sides[k - 1]), v = unitOf(sides[k]), from = along(p, -backs[k], u), to = along(p, backs[k], v)
        const inward = minus(v, u), size = Math.hypot(...inward) // the bisector; its length is twice the sine of half the turn
        const middle = size > 1e-9 ? along(p, (radius / Math.sqrt(1 - (size * size) / 4) - radius) / size, inward) : p
        out.push(...(size > 1e-9 ? through([from, middle, to], cut).points : [p]))
    }
    return [...out, points[points.length - 1]]
}

/** The polyline for a swept disk that web-ifc would lose; null for any other. @param {Model} model @param {number} solid @param {number} unit @param {(r: number) => number} segments */
function partOf(model, solid, unit, segments) {
    const { kind, args } = model.line(solid), curve = reference(args[0]), polygonal = kind === 'IfcSweptDiskSolidPolygonal'
    if (!polygonal && kind !== 'IfcSweptDiskSolid') return null
    if (!polygonal && (!/^Ifc(CompositeCurve|IndexedPolyCurve|TrimmedCurve)$/.test(model.line(curve).kind) || !(isSet(args[3]) || isSet(args[4])))) return null
    for (const one of unit > 0 || polygonal ? [unit || 1] : [1, Math.PI / 180]) { // where none is stated: the one in which it is the whole
        const cut = { unit: one, segments, deviation: 0 }, way = wayOf(model, curve, cut, number(args[1])), end = way?.at.at(-1)
        if (!way || !end) return null
        const own = model.line(curve).kind === 'IfcTrimmedCurve' // from 0 or from its first trim: only the whole is no question
        const from = own ? 0 : number(args[3]), to = isSet(args[4]) ? number(args[4]) - (own ? number(args[3]) : 0) : end
        if (own && !(Math.abs(to - end) <= 1e-6 * end)) return null
        if (!(unit > 0 || polygonal) && !(Math.abs(to - end) <= 1e-6 * end)) continue
        const points = between(way, from, to), radius = polygonal ? number(args[5]) : 0
        const rounded = points && radius > 0 ? roundCorners(points, radius, cut) : points
        if (rounded) return { points: rounded, deviation: cut.deviation }
    }
    return null
}

/** The file with polylines for what web-ifc would not cut, and how far these disks are off.
 * @param {Model} model @param {Buffer} file @param {{unit: number, segments: (r: number) => number, n: number, lastId: number}} how n: segments of the largest circle */
export function replaceDirectrices(model, file, { unit, segments, n, lastId }) {
    /** @type {Map<number, number>} */
    const deviations = new Map()
    /** @type {Buffer[]} */
    const pieces = []
    let copied = 0, next = lastId
    for (let at = file.indexOf('IFCSWEPTDISKSOLID'); at >= 0; at = file.indexOf('IFCSWEPTDISKSOLID', at + 1)) {
        const head = /#(\d+)\s*=\s*$/.exec(file.toString('latin1', Math.max(0, at - 64), at))
        const start = at - (head ? head[0].length : 0)
        const line = /^IFCSWEPTDISKSOLID(?:POLYGONAL)?\s*\(\s*#\d+\s*,([^,();]*),([^,();]*)(?:,[^,();]*){2,3}\)/.exec(file.toString('latin1', at, at + 400))
        const id = head && line ? Number(head[1]) : 0, part = id > 0 ? partOf(model, id, unit, segments) : null
        if (!line || !part) continue
        const ids = part.points.map(point => `#${++next}=IFCCARTESIANPOINT((${point.map(step).join(',')}));\n`)
        const names = part.points.map((_, k) => `#${next - part.points.length + 1 + k}`)
        const lines = `${ids.join('')}#${++next}=IFCPOLYLINE((${names.join(',')}));\n#${id}=IFCSWEPTDISKSOLID(#${next},${line[1]},${line[2]},$,$)`
        pieces.push(file.subarray(copied, start), Buffer.from(lines, 'latin1'))
        copied = at + line[0].length
        deviations.set(id, chordError(number(model.line(id).args[1]), n) + part.deviation)
    }
    return { file: pieces.length > 0 ? Buffer.concat([...pieces, file.subarray(copied)]) : file, deviations, lastId: next }
}
