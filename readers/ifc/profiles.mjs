// The parametric profiles of IFC as polygons: corners, some of them rounded, cut into chords that are off by no more
// than asked. In the profile's own axes, in the file's unit, counter-clockwise.
//
// web-ifc knows most of these classes too, but leaves out roundings and slopes of some of them and one class as a whole;
// so all that is not a plain rectangle is turned into an arbitrary profile before it sees the file.

/** @typedef {{x: number, y: number, r?: number}} Corner r: radius of the rounding, 0 for none */
/** @typedef {{outer: number[][], inner: number[][][], deviation: number}} Outline */

/** Segments of a full circle whose chords are off by no more than `chord`. @param {number} radius @param {number} chord @param {number} most */
export function segmentsOf(radius, chord, most) {
    const wanted = chord < radius ? Math.PI / Math.acos(1 - chord / radius) : 0
    return Math.min(most, Math.max(12, 4 * Math.ceil(wanted / 4)))
}
/** How far a chord of so many segments a circle is off. @param {number} radius @param {number} segments */
export const chordError = (radius, segments) => radius * (1 - Math.cos(Math.PI / segments))

/** Corners as points, the rounded ones as chords of the arc that touches both sides.
 * @param {Corner[]} corners @param {(r: number) => number} segments @param {{deviation: number}} out */
function roundOff(corners, segments, out) {
    const points = []
    for (let i = 0; i < corners.length; i++) {
        const a = corners[(i + corners.length - 1) % corners.length], c = corners[i], b = corners[(i + 1) % corners.length]
        const r = c.r ?? 0
        const toA = [a.x - c.x, a.y - c.y], toB = [b.x - c.x, b.y - c.y]
        const la = Math.hypot(...toA), lb = Math.hypot(...toB)
        const cross = (toB[0] * toA[1] - toB[1] * toA[0]) / (la * lb), dot = (toA[0] * toB[0] + toA[1] * toB[1]) / (la * lb)
        if (!(r > 0) || !(Math.abs(cross) > 1e-9)) {
            points.push([c.x, c.y])
            continue
        }
        const angle = Math.atan2(Math.abs(cross), dot) // between the sides
        const back = r / Math.tan(angle / 2)
        if (back > la * (1 + 1e-9) || back > lb * (1 + 1e-9)) throw new Error(`a rounding of ${r} does not fit its profile`)
        const turn = Math.PI - angle, n = Math.max(1, Math.ceil((segments(r) * turn) / (2 * Math.PI) - 1e-9))
        const start = [c.x + (toA[0] / la) * back, c.y + (toA[1] / la) * back]
        const left = cross > 0 ? 1 : -1 // a left turn: the center lies to the left of the way
        const way = [-toA[0] / la, -toA[1] / la], center = [start[0] - left * r * way[1], start[1] + left * r * way[0]]
        const from = Math.atan2(start[1] - center[1], start[0] - center[0])
        for (let k = 0; k <= n; k++) points.push([center[0] + r * Math.cos(from + (left * turn * k) / n), center[1] + r * Math.sin(from + (left * turn * k) / n)])
        out.deviation = Math.max(out.deviation, r * (1 - Math.cos(turn / n / 2)))
    }
    return points
}

/** @param {number} a @param {number} b @param {(r: number) => number} segments @param {{deviation: number}} out */
function ellipse(a, b, segments, out) {
    const n = segments(Math.max(a, b)), points = []
    for (let k = 0; k < n; k++) points.push([a * Math.cos((2 * Math.PI * k) / n), b * Math.sin((2 * Math.PI * k) / n)])
    out.deviation = Math.max(out.deviation, chordError(Math.max(a, b), n))
    return points
}

/** @param {number} x @param {number} y @param {number} r @returns {Corner[]} */
const rectangle = (x, y, r) => [{ x: -x / 2, y: -y / 2, r }, { x: x / 2, y: -y / 2, r }, { x: x / 2, y: y / 2, r }, { x: -x / 2, y: y / 2, r }]

/** An I whose flanges may differ; thicknesses of sloped flanges are those halfway between web and edge.
 * @param {number} depth @param {number} web @param {{width: number, thick: number, fillet: number, edge: number, slope: number}} low @param {typeof low} high */
function iShape(depth, web, low, high) {
    /** @param {typeof low} f @param {number} x */
    const inner = (f, x) => f.thick + (Math.abs((f.width / 2 + web / 2) / 2) - x) * Math.tan(f.slope)
    const y = depth / 2, w = web / 2
    return [
        { x: -low.width / 2, y: -y }, { x: low.width / 2, y: -y },
        { x: low.width / 2, y: -y + inner(low, low.width / 2), r: low.edge }, { x: w, y: -y + inner(low, w), r: low.fillet },
        { x: w, y: y - inner(high, w), r: high.fillet }, { x: high.width / 2, y: y - inner(high, high.width / 2), r: high.edge },
        { x: high.width / 2, y }, { x: -high.width / 2, y },
        { x: -high.width / 2, y: y - inner(high, high.width / 2), r: high.edge }, { x: -w, y: y - inner(high, w), r: high.fillet },
        { x: -w, y: -y + inner(low, w), r: low.fillet }, { x: -low.width / 2, y: -y + inner(low, low.width / 2), r: low.edge },
    ]
}

/** Corners of the outline and of its hole, by class. `p` are the attributes after Position; absent ones are 0. Angles are in radians.
 * @type {Record<string, (p: number[]) => Corner[][]>} */
const OUTLINES = {
    IfcRectangleProfileDef: ([x, y]) => [rectangle(x, y, 0)],
    IfcRoundedRectangleProfileDef: ([x, y, r]) => [rectangle(x, y, r)],
    IfcRectangleHollowProfileDef: ([x, y, t, inner, outer]) => [rectangle(x, y, outer), rectangle(x - 2 * t, y - 2 * t, inner)],
    IfcTrapeziumProfileDef: ([bottom, top, y, offset]) => [[
        { x: -bottom / 2, y: -y / 2 }, { x: bottom / 2, y: -y / 2 }, { x: -bottom / 2 + offset + top, y: y / 2 }, { x: -bottom / 2 + offset, y: y / 2 }]],
    IfcIShapeProfileDef: ([width, depth, web, thick, fillet, edge, slope]) => {
        const flange = { width, thick, fillet, edge, slope }
        return [iShape(depth, web, flange, flange)]
    },
    IfcAsymmetricIShapeProfileDef: ([width, depth, web, thick, fillet, topWidth, topThick, topFillet, edge, slope, topEdge, topSlope]) => [
        iShape(depth, web, { width, thick, fillet, edge, slope }, { width: topWidth, thick: topThick || thick, fillet: topFillet, edge: topEdge, slope: topSlope })],
    IfcLShapeProfileDef: ([depth, width0, thick, fillet, edge, slope]) => {
        const width = width0 || depth, t = Math.tan(slope)
        /** Thickness at a distance from the heel of a leg, that of its middle being given. @param {number} leg @param {number} at */
        const at = (leg, at) => thick + (leg / 2 - at) * t
        // Where the inner faces of both legs meet: x = thickness of the standing one at height y, and the other way round.
        const x = (thick + (depth / 2) * t - t * (thick + (width / 2) * t)) / (1 - t * t), y = at(width, x)
        return [[
            { x: -width / 2, y: -depth / 2 }, { x: width / 2, y: -depth / 2 }, { x: width / 2, y: -depth / 2 + at(width, width), r: edge },
            { x: -width / 2 + x, y: -depth / 2 + y, r: fillet }, { x: -width / 2 + at(depth, depth), y: depth / 2, r: edge }, { x: -width / 2, y: depth / 2 }]]
    },
    IfcTShapeProfileDef: ([depth, width, web, thick, fillet, edge, webEdge, webSlope, slope]) => {
        const s = Math.tan(slope), v = Math.tan(webSlope)
        // The flange's lower face: thick at the middle of each overhang; the web: as thick as given at the middle of the depth.
        /** @param {number} x from the middle */
        const under = x => thick + (width / 4 - x) * s
        /** @param {number} y from the top */
        const half = y => web / 2 + (depth / 2 - y) * v
        const x = (web / 2 + (depth / 2 - thick - (width / 4) * s) * v) / (1 - s * v), y = under(x)
        return [[
            { x: -half(depth), y: -depth / 2, r: webEdge }, { x: half(depth), y: -depth / 2, r: webEdge },
            { x, y: depth / 2 - y, r: fillet }, { x: width / 2, y: depth / 2 - under(width / 2), r: edge },
            { x: width / 2, y: depth / 2 }, { x: -width / 2, y: depth / 2 },
            { x: -width / 2, y: depth / 2 - under(width / 2), r: edge }, { x: -x, y: depth / 2 - y, r: fillet }]]
    },
    IfcUShapeProfileDef: ([depth, width, web, thick, fillet, edge, slope]) => {
        const s = Math.tan(slope)
        /** @param {number} x from the back */
        const at = x => thick + (width / 2 - x) * s
        const l = -width / 2, y = depth / 2
        return [[
            { x: l, y: -y }, { x: l + width, y: -y }, { x: l + width, y: -y + at(width), r: edge }, { x: l + web, y: -y + at(web), r: fillet },
            { x: l + web, y: y - at(web), r: fillet }, { x: l + width, y: y - at(width), r: edge }, { x: l + width, y }, { x: l, y }]]
    },
    IfcCShapeProfileDef: ([depth, width, t, girth, r]) => {
        const x = width / 2, y = depth / 2, outer = r > 0 ? r + t : 0
        return [[
            { x: -x, y: -y, r: outer }, { x, y: -y, r: outer }, { x, y: -y + girth }, { x: x - t, y: -y + girth }, { x: x - t, y: -y + t, r },
            { x: -x + t, y: -y + t, r }, { x: -x + t, y: y - t, r }, { x: x - t, y: y - t, r }, { x: x - t, y: y - girth }, { x, y: y - girth },
            { x, y, r: outer }, { x: -x, y, r: outer }]]
    },
    IfcZShapeProfileDef: ([depth, width, web, thick, fillet, edge]) => {
        const y = depth / 2, w = web / 2
        return [[
            { x: -w, y: -y }, { x: width - w, y: -y }, { x: width - w, y: -y + thick, r: edge }, { x: w, y: -y + thick, r: fillet },
            { x: w, y }, { x: w - width, y }, { x: w - width, y: y - thick, r: edge }, { x: -w, y: y - thick, r: fillet }]]
    },
}
/** Which attributes after Position are angles, in the file's unit. @type {Record<string, number[]>} */
export const ANGLES = { IfcIShapeProfileDef: [6], IfcAsymmetricIShapeProfileDef: [9, 11], IfcLShapeProfileDef: [5], IfcTShapeProfileDef: [7, 8], IfcUShapeProfileDef: [6] }

/** The outline of a profile, or null for a class that is left as it is.
 * @param {string} kind @param {number[]} p its attributes after Position, angles in radians @param {(r: number) => number} segments @returns {Outline | null} */
export function outlineOf(kind, p, segments) {
    const out = { deviation: 0 }
    if (kind === 'IfcCircleProfileDef') return { outer: ellipse(p[0], p[0], segments, out), inner: [], ...out }
    if (kind === 'IfcEllipseProfileDef') return { outer: ellipse(p[0], p[1], segments, out), inner: [], ...out }
    if (kind === 'IfcCircleHollowProfileDef') {
        const outer = ellipse(p[0], p[0], segments, out), hole = ellipse(p[0] - p[1], p[0] - p[1], () => outer.length, out)
        return { outer, inner: [hole], ...out }
    }
    const make = OUTLINES[kind]
    if (!make) return null
    const [outer, ...inner] = make(p).map(corners => roundOff(corners, segments, out))
    return { outer, inner, ...out }
}
