// The bodies of products: which items they have, what of them web-ifc could read, and their triangles.
import { createHash } from 'node:crypto'

import { reference, references, step, text, number, numbers } from './model.mjs'
import { isClosed, joinNear, windAlike } from './closing.mjs'
import { outlineOf, segmentsOf, chordError, ANGLES } from './profiles.mjs'

/** @typedef {import('./model.mjs').Model} Model */

// --- which items -----------------------------------------------------------------------------------------------------

/** Identifiers of what is no body. Exporters leave the identifier out, or write what they like; the items decide then. */
const NO_BODY = /^(Axis|FootPrint|Box|Annotation|Clearance|Profile|CoG|Reference|Lighting|SurveyPoints|Plan)$/i
/** What has an inside, whatever cuts it. */
const SOLIDS = /^Ifc(.*AreaSolid.*|SweptDiskSolid.*|SectionedSolid.*|Boolean.*Result|CsgSolid|.*Brep.*|Block|Sphere|RectangularPyramid|RightCircular.*)$/
/** @param {Model} model @param {number[]} items */
export const areSolids = (model, items) => items.every(item => SOLIDS.test(model.line(item).kind))
const CURVES = /^Ifc(Polyline|IndexedPolyCurve|TrimmedCurve|CompositeCurve.*|Circle|Ellipse|Line|BSplineCurve.*|RationalBSplineCurve.*|GeometricCurveSet|GeometricSet|TextLiteral.*|AnnotationFillArea|CartesianPoint.*|BoundingBox|GradientCurve|SegmentedReferenceCurve|OffsetCurve.*|Edge.*|VertexPoint|Clothoid|Direction|Axis2Placement.*)$/

const MOST_MAPPED = 32 // one within the other

/** The representations of a product that are its body, and those that are not. @param {Model} model @param {number} product */
export function representationsOf(model, product) {
    const shape = reference(model.line(product).args[6])
    const all = shape ? references(model.line(shape).args[2]) : []
    const named = all.filter(id => text(model.line(id).args[1]).toLowerCase() === 'body')
    const body = named.length > 0 ? named : all.filter(id => !NO_BODY.test(text(model.line(id).args[1])))
    return { shape, all, body, others: all.filter(id => !body.includes(id)) }
}

/** The items that triangles are expected of, mapped ones followed to their source; one that is mapped within itself, too. @param {Model} model @param {number[]} representations */
export function solidItems(model, representations) {
    /** @type {number[]} */
    const items = []
    /** @type {[number, number][]} */
    const stack = representations.flatMap(id => references(model.line(id).args[3])).map(item => [item, 0])
    for (let steps = 0; stack.length > 0 && steps < 1e6; steps++) {
        const [item, depth] = /** @type {[number, number]} */ (stack.pop())
        const { kind, args } = model.line(item)
        if (kind === 'IfcMappedItem' && depth < MOST_MAPPED) {
            const map = model.line(reference(args[0]))
            for (const inner of references(model.line(reference(map.args[1])).args[3])) stack.push([inner, depth + 1])
        } else if (!CURVES.test(kind)) items.push(item)
    }
    return items
}

/** What web-ifc calls the geometry of an item: itself, or what it refers to first, its shells or the root of its tree.
 * @param {Model} model @param {number} item */
function geometryNames(model, item) {
    const { kind, args } = model.line(item)
    return /^Ifc(ShellBasedSurfaceModel|FaceBasedSurfaceModel|CsgSolid)$/.test(kind) ? [item, ...references(args[0])] : [item]
}

/** Items without a single triangle. @param {Model} model @param {number[]} items @param {Map<number, number>} triangles by geometry */
export const lostItems = (model, items, triangles) => [...new Set(items)].filter(item => !geometryNames(model, item).some(id => (triangles.get(id) ?? 0) > 0))

/** Does a face bound no area, so that nothing is lost with it? @param {Model} model @param {number} id */
export function isWithoutArea(model, id) {
    const { kind, args } = model.line(id)
    if (kind !== 'IfcFace') return false
    return references(args[0]).every(bound => {
        const loop = model.line(reference(model.line(bound).args[0]))
        if (loop.kind !== 'IfcPolyLoop') return false
        const points = references(loop.args[0]).map(point => numbers(model.line(point).args[0]))
        if (points.length < 3) return true
        const area = [0, 0, 0] // twice the vector area, about the first corner
        let around = 0
        points.forEach((p, i) => {
            const q = points[(i + 1) % points.length], o = points[0]
            const a = p.map((x, k) => x - o[k]), b = q.map((x, k) => x - o[k])
            for (const k of [0, 1, 2]) area[k] += a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3]
            around += Math.hypot(...p.map((x, k) => x - q[k]))
        })
        return Math.hypot(...area) <= 1e-9 * around * around
    })
}

// --- profiles --------------------------------------------------------------------------------------------------------

/** @param {Model} model @param {number} id of an IfcAxis2Placement2D, or 0 @returns {(p: number[]) => number[]} */
function placement2D(model, id) {
    if (!id) return p => p
    const { args } = model.line(id)
    const [x, y] = numbers(model.line(reference(args[0])).args[0])
    const direction = reference(args[1]) ? numbers(model.line(reference(args[1])).args[0]) : [1, 0]
    const length = Math.hypot(direction[0], direction[1]) || 1, c = direction[0] / length, s = direction[1] / length
    return p => [x + c * p[0] - s * p[1], y + s * p[0] + c * p[1]]
}

/** The file as web-ifc is to see it: parametric profiles as arbitrary ones, and a cube at its end that shows the scale
 * which web-ifc applies to all coordinates (it cannot be asked, nor switched off). Besides how far each profile is off.
 * @param {Model} model @param {Buffer} file @param {{angle: number}} units @param {(r: number) => number} segments @param {number} lastId */
export function replaceProfiles(model, file, units, segments, lastId) {
    /** @type {Map<number, number>} */
    const deviations = new Map()
    /** @type {Buffer[]} */
    const pieces = []
    let copied = 0, next = lastId, sloped = 0
    /** @type {string[]} */
    const wrong = []
    for (let at = file.indexOf('PROFILEDEF'); at >= 0; at = file.indexOf('PROFILEDEF', at + 1)) {
        const start = file.lastIndexOf('#', at)
        const head = start < 0 ? null : /^#(\d+)\s*=\s*(IFC[A-Z]+)$/.exec(file.toString('latin1', start, at))
        if (!head) continue
        const id = Number(head[1]), { kind, args } = model.line(id)
        if (!kind.endsWith('ProfileDef') || kind.toUpperCase() !== head[2] + 'PROFILEDEF') continue
        if (kind === 'IfcRectangleProfileDef' && reference(args[2])) continue
        const parameters = args.slice(3).map(number)
        if (kind === 'IfcAsymmetricIShapeProfileDef' && args.length < 15) parameters.length = 8
        for (const angle of ANGLES[kind] ?? []) {
            parameters[angle] = (parameters[angle] ?? 0) * units.angle
            sloped += parameters[angle] !== 0 ? 1 : 0
        }
        while (parameters.length < 14) parameters.push(0)
        let outline = null
        try {
            outline = outlineOf(kind, parameters, segments)
        } catch (error) {
            wrong.push(`${kind} #${id}: ${/** @type {Error} */ (error).message}`)
        }
        if (!outline) continue
        const finish = endOfLine(file, at)
        if (finish < 0) break
        const place = placement2D(model, reference(args[2]))
        let lines = ''
        const curve = (/** @type {number[][]} */ points) => {
            const ids = points.map(p => {
                const [x, y] = place(p)
                lines += `#${++next}=IFCCARTESIANPOINT((${step(x)},${step(y)}));\n`
                return `#${next}`
            })
            lines += `#${++next}=IFCPOLYLINE((${[...ids, ids[0]].join(',')}));\n`
            return `#${next}`
        }
        const outer = curve(outline.outer), inner = outline.inner.map(curve)
        const use = text(args[0]) === 'CURVE' ? '.CURVE.' : '.AREA.'
        lines += inner.length > 0 ? `#${id}=IFCARBITRARYPROFILEDEFWITHVOIDS(${use},$,${outer},(${inner.join(',')}));` : `#${id}=IFCARBITRARYCLOSEDPROFILEDEF(${use},$,${outer});`
        pieces.push(file.subarray(copied, start), Buffer.from(lines, 'latin1'))
        copied = finish + 1
        deviations.set(id, outline.deviation)
    }
    const finish = file.lastIndexOf('ENDSEC')
    const cube = next + 7
    pieces.push(file.subarray(copied, finish), Buffer.from(cubeLines(next + 1), 'latin1'), file.subarray(finish))
    return { file: Buffer.concat(pieces), deviations, sloped, wrong, cube }
}

/** A cube of one unit without a place. @param {number} id of its first line; the product is the seventh */
const cubeLines = id => `#${id}=IFCRECTANGLEPROFILEDEF(.AREA.,$,#${id + 1},1.,1.);
#${id + 1}=IFCAXIS2PLACEMENT2D(#${id + 2},$);
#${id + 2}=IFCCARTESIANPOINT((0.,0.));
#${id + 3}=IFCDIRECTION((0.,0.,1.));
#${id + 4}=IFCEXTRUDEDAREASOLID(#${id},$,#${id + 3},1.);
#${id + 5}=IFCSHAPEREPRESENTATION($,'Body','SweptSolid',(#${id + 4}));
#${id + 6}=IFCBUILDINGELEMENTPROXY('0000000000000000000000',$,$,$,$,$,#${id + 7},$,$);
#${id + 7}=IFCPRODUCTDEFINITIONSHAPE($,$,(#${id + 5}));
`

/** Web-ifc's scale, from the cube; 0 where it gave nothing. @param {any} api @param {number} modelId @param {number} cube */
export function scaleOf(api, modelId, cube) {
    const { pieces } = piecesOf(api, modelId, cube, 1)
    return pieces.length === 1 ? pieces[0].matrix[0] : 0
}

/** The place of the semicolon that ends a line, strings jumped over. @param {Buffer} file @param {number} from */
function endOfLine(file, from) {
    let quoted = false
    for (let i = from; i < file.length; i++) {
        if (file[i] === 0x27) quoted = !quoted
        else if (file[i] === 0x3b && !quoted) return i
    }
    return -1
}

// --- curves ----------------------------------------------------------------------------------------------------------

/** The radii of the arcs of an IfcIndexedPolyCurve. @param {Model} model @param {number} id */
function arcRadii(model, id) {
    const { args } = model.line(id)
    const points = (model.line(reference(args[0])).args[0] ?? []).map(numbers)
    return (Array.isArray(args[1]) ? args[1] : []).map(segment => numbers(segment?.value)).filter(corners => corners.length === 3).map(corners => {
        const [a, b, c] = corners.map(k => points[k - 1] ?? [0, 0])
        const side = (/** @type {number[]} */ p, /** @type {number[]} */ q) => Math.hypot(...p.map((x, i) => x - q[i]))
        const x = side(a, b), y = side(b, c), z = side(c, a), s = (x + y + z) / 2
        const radius = (x * y * z) / (4 * Math.sqrt(s * (s - x) * (s - y) * (s - z)))
        return Number.isFinite(radius) ? radius : 0 // a straight one has none
    })
}

/** The largest radius of what web-ifc itself cuts into chords. @param {Model} model */
export function largestRadius(model) {
    let most = 0
    /** @type {[string, number[]][]} */
    const radii = [['IfcCircle', [1]], ['IfcEllipse', [1, 2]], ['IfcSweptDiskSolid', [1]], ['IfcRightCircularCylinder', [2]], ['IfcRightCircularCone', [2]], ['IfcSphere', [1]], ['IfcCylindricalSurface', [1]]]
    for (const [kind, places] of radii) for (const id of model.all(kind)) for (const at of places) most = Math.max(most, number(model.line(id).args[at]))
    for (const id of model.all('IfcIndexedPolyCurve')) most = Math.max(most, ...arcRadii(model, id))
    return most
}

/** How far the triangles of an item may be off its true surface; below zero where that is not known.
 * @param {Model} model @param {number} item @param {number} n segments of a circle @param {Map<number, number>} profiles of replaced ones */
export function deviationOf(model, item, n, profiles, depth = 0) {
    const replaced = profiles.get(item)
    if (replaced !== undefined) return replaced
    if (depth > 40) return -1
    const { kind, args } = model.line(item)
    const of = (/** @type {number} */ id) => deviationOf(model, id, n, profiles, depth + 1)
    const most = (/** @type {number[]} */ list) => (list.some(d => d < 0) ? -1 : Math.max(0, ...list))
    switch (kind) {
        case 'IfcExtrudedAreaSolid': return of(reference(args[0]))
        case 'IfcExtrudedAreaSolidTapered': return most([of(reference(args[0])), of(reference(args[4]))])
        case 'IfcSweptDiskSolid': return most([chordError(number(args[1]), n), of(reference(args[0]))])
        case 'IfcRightCircularCylinder': case 'IfcRightCircularCone': return chordError(number(args[2]), n)
        case 'IfcSphere': return 2 * chordError(number(args[1]), n) // along meridians and along parallels
        case 'IfcCsgSolid': return of(reference(args[0]))
        case 'IfcBooleanResult': case 'IfcBooleanClippingResult': return most([of(reference(args[1])), of(reference(args[2]))])
        case 'IfcCompositeProfileDef': return most(references(args[2]).map(of))
        case 'IfcArbitraryClosedProfileDef': return of(reference(args[2]))
        case 'IfcArbitraryProfileDefWithVoids': return most([of(reference(args[2])), ...references(args[3]).map(of)])
        case 'IfcCompositeCurve': return most(references(args[0]).map(of))
        case 'IfcCompositeCurveSegment': return of(reference(args[2]))
        case 'IfcTrimmedCurve': return of(reference(args[0]))
        case 'IfcCircle': return chordError(number(args[1]), n)
        case 'IfcEllipse': return chordError(Math.max(number(args[1]), number(args[2])), n)
        case 'IfcIndexedPolyCurve': return chordError(Math.max(0, ...arcRadii(model, item)), n)
        case 'IfcPolyline': case 'IfcLine': case 'IfcFacetedBrep': case 'IfcFacetedBrepWithVoids': case 'IfcFaceBasedSurfaceModel':
        case 'IfcShellBasedSurfaceModel': case 'IfcTriangulatedFaceSet': case 'IfcPolygonalFaceSet': case 'IfcTriangulatedIrregularNetwork':
        case 'IfcBlock': case 'IfcHalfSpaceSolid': case 'IfcPolygonalBoundedHalfSpace': case 'IfcBoxedHalfSpace': case 'IfcRectangleProfileDef': return 0
    }
    return -1
}

// --- triangles -------------------------------------------------------------------------------------------------------

/** @typedef {{points: Float32Array, indices: Uint32Array, matrix: number[]}} Piece matrix: rows of 3 x 4, z up, the file's unit */

/** web-ifc turns models to y up; its columns become rows in the file's own axes. @param {number[]} t */
const ownAxes = t => [t[0], t[4], t[8], t[12], -t[2], -t[6], -t[10], -t[14], t[1], t[5], t[9], t[13]]

/** The pieces of one product, and how many triangles each geometry gave. @param {any} api @param {number} modelId @param {number} product @param {number} scale web-ifc's */
export function piecesOf(api, modelId, product, scale) {
    /** @type {Piece[]} */
    const pieces = []
    /** @type {Map<number, number>} */
    const triangles = new Map()
    let bad = 0, open = false
    api.StreamMeshes(modelId, [product], (/** @type {any} */ mesh) => {
        for (let i = 0; i < mesh.geometries.size(); i++) {
            const placed = mesh.geometries.get(i), geometry = api.GetGeometry(modelId, placed.geometryExpressID)
            const vertices = api.GetVertexArray(geometry.GetVertexData(), geometry.GetVertexDataSize())
            const indices = api.GetIndexArray(geometry.GetIndexData(), geometry.GetIndexDataSize())
            const points = new Float32Array(vertices.length / 2)
            for (let k = 0, p = 0; k < vertices.length; k += 6) points[p++] = vertices[k], points[p++] = vertices[k + 1], points[p++] = vertices[k + 2]
            const matrix = ownAxes(placed.flatTransformation).map(entry => entry / scale)
            geometry.delete()
            if (indices.length === 0) continue
            if (![...matrix, ...points].every(Number.isFinite)) {
                bad++
                continue
            }
            triangles.set(placed.geometryExpressID, (triangles.get(placed.geometryExpressID) ?? 0) + indices.length / 3)
            const corners = Uint32Array.from(indices)
            if (!isClosed(points, corners)) {
                joinNear(points, corners)
                open = open || !isClosed(points, corners)
            }
            windAlike(points, corners)
            pieces.push({ points, indices: corners, matrix })
        }
    })
    return { pieces, triangles, bad, open }
}

/** @param {number[]} m */
const determinant = m => m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) + m[2] * (m[4] * m[9] - m[5] * m[8])

/** The matrix that leads from the axes of `m` back. @param {number[]} m @returns {number[]} */
function inverse(m) {
    const d = 1 / determinant(m)
    const r = [
        (m[5] * m[10] - m[6] * m[9]) * d, (m[2] * m[9] - m[1] * m[10]) * d, (m[1] * m[6] - m[2] * m[5]) * d,
        (m[6] * m[8] - m[4] * m[10]) * d, (m[0] * m[10] - m[2] * m[8]) * d, (m[2] * m[4] - m[0] * m[6]) * d,
        (m[4] * m[9] - m[5] * m[8]) * d, (m[1] * m[8] - m[0] * m[9]) * d, (m[0] * m[5] - m[1] * m[4]) * d]
    const t = [0, 3, 6].map(i => -(r[i] * m[3] + r[i + 1] * m[7] + r[i + 2] * m[11]))
    return [r[0], r[1], r[2], t[0], r[3], r[4], r[5], t[1], r[6], r[7], r[8], t[2]]
}
/** a after b. @param {number[]} a @param {number[]} b */
function product(a, b) {
    const out = []
    for (let i = 0; i < 12; i += 4)
        for (let k = 0; k < 4; k++) out.push(a[i] * b[k] + a[i + 1] * b[4 + k] + a[i + 2] * b[8 + k] + (k === 3 ? a[i + 3] : 0))
    return out
}

/** All pieces of a product as one mesh, in the axes of its first piece where those are not mirrored.
 * @param {Piece[]} pieces */
export function joinPieces(pieces) {
    const first = pieces[0].matrix
    const matrix = determinant(first) > 0 ? first : [1, 0, 0, first[3], 0, 1, 0, first[7], 0, 0, 1, first[11]]
    const back = inverse(matrix)
    const points = new Float64Array(pieces.reduce((n, p) => n + p.points.length, 0))
    const indices = new Uint32Array(pieces.reduce((n, p) => n + p.indices.length, 0))
    let at = 0, corner = 0
    for (const piece of pieces) {
        const m = piece.matrix === matrix ? null : product(back, piece.matrix), p = piece.points, base = at / 3
        for (let i = 0; i < p.length; i += 3) {
            const x = p[i], y = p[i + 1], z = p[i + 2]
            points[at++] = m ? m[0] * x + m[1] * y + m[2] * z + m[3] : x
            points[at++] = m ? m[4] * x + m[5] * y + m[6] * z + m[7] : y
            points[at++] = m ? m[8] * x + m[9] * y + m[10] * z + m[11] : z
        }
        const start = corner
        for (const index of piece.indices) indices[corner++] = index + base
        if (volume(points, indices, start, corner) < 0) // inside out: where its axes are mirrored
            for (let i = start; i < corner; i += 3) [indices[i], indices[i + 1]] = [indices[i + 1], indices[i]]
    }
    const hash = createHash('sha1').update(points).update(indices).digest('latin1')
    return { matrix, points, indices, hash }
}

/** Six times the volume that triangles enclose, about their first corner. @param {Float64Array} p @param {Uint32Array} indices @param {number} from @param {number} to */
function volume(p, indices, from, to) {
    const o = 3 * indices[from]
    let sum = 0
    for (let i = from; i < to; i += 3) {
        const [a, b, c] = [3 * indices[i], 3 * indices[i + 1], 3 * indices[i + 2]]
        const ax = p[a] - p[o], ay = p[a + 1] - p[o + 1], az = p[a + 2] - p[o + 2], bx = p[b] - p[o], by = p[b + 1] - p[o + 1], bz = p[b + 2] - p[o + 2]
        const cx = p[c] - p[o], cy = p[c + 1] - p[o + 1], cz = p[c + 2] - p[o + 2]
        sum += ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
    }
    return sum
}

export { segmentsOf }
