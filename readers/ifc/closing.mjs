// What keeps a body open though its faces bound it: points that web-ifc computed twice, and faces wound backwards.
//
// Points of a body are single precision, and where a cut gives the same corner twice the two differ in the last places:
// the ridge of a gable wall lies at 6.70525e-8 and at 6.70530e-8. Points of an open body that are nearer than two such
// places of its largest coordinate become one.
//
// Faces that a file winds as it likes: those of a surface model (IfcFaceBasedSurfaceModel, as Revit writes furniture,
// ceilings and floors) have no inside for IFC, so exporters turn some of them inwards, and the body that they bound would
// not be closed: 45 of 215 parts of a house, 94 of 803 of an office.
//
// Triangles that share an edge with one other are neighbors; all that hang together so are wound alike again, in the way
// that most of their area is. What has no two sides (a Möbius strip) stays as it is. Linear in the triangles.

/** Numbers for corners, equal points having one. @param {ArrayLike<number>} points @param {Uint32Array} indices */
function numberCorners(points, indices) {
    /** @type {Map<string, number>} */
    const numbers = new Map()
    /** @type {Map<number, number>} */
    const known = new Map()
    return indices.map(index => {
        let number = known.get(index)
        if (number === undefined) {
            const key = `${points[3 * index] + 0} ${points[3 * index + 1] + 0} ${points[3 * index + 2] + 0}` // + 0: no minus zero
            number = numbers.get(key)
            if (number === undefined) numbers.set(key, (number = numbers.size))
            known.set(index, number)
        }
        return number
    })
}

/** For each edge from the lower to the higher number: the triangles there, and in `ways` whether they run along it.
 * @param {Uint32Array} corners */
function findEdges(corners) {
    /** @type {Map<number, {triangles: number[], ways: boolean[]}>} */
    const edges = new Map()
    for (let i = 0; i < corners.length; i++) {
        const a = corners[i], b = corners[i % 3 === 2 ? i - 2 : i + 1]
        if (a === b) continue
        const key = Math.min(a, b) * 2 ** 26 + Math.max(a, b)
        let edge = edges.get(key)
        if (!edge) edges.set(key, (edge = { triangles: [], ways: [] }))
        edge.triangles.push(Math.floor(i / 3))
        edge.ways.push(a < b)
    }
    return edges
}

/** Does every edge have its two triangles? @param {ArrayLike<number>} points @param {Uint32Array} indices */
export function isClosed(points, indices) {
    for (const edge of findEdges(numberCorners(points, indices)).values()) if (edge.triangles.length % 2 !== 0) return false
    return true
}

/** Joins points of an open body that are nearer than what their numbers resolve, in place. @param {Float32Array} points @param {Uint32Array} indices */
export function joinNear(points, indices) {
    let size = 0
    for (const x of points) size = Math.max(size, Math.abs(x))
    const near = size * 2 ** -22, cell = 2 * near // a place of single precision is 2^-23 of the number, or less
    /** @type {Map<string, number[]>} */
    const cells = new Map()
    if (!(near > 0)) return
    for (let i = 0; i < points.length; i += 3) {
        const at = [0, 1, 2].map(k => points[i + k] / cell), low = at.map(x => Math.floor(x - 0.5))
        let same = -1
        for (let c = 0; c < 8 && same < 0; c++) // the cells within half a cell of it
            same = cells.get(low.map((x, k) => x + ((c >> k) & 1)).join())?.find(j => Math.hypot(...[0, 1, 2].map(k => points[i + k] - points[j + k])) <= near) ?? -1
        if (same >= 0) {
            points.copyWithin(i, same, same + 3)
            continue
        }
        const key = at.map(Math.floor).join(), list = cells.get(key)
        if (list) list.push(i)
        else cells.set(key, [i])
    }
}

/** @param {ArrayLike<number>} p @param {Uint32Array} indices @param {number} triangle */
function areaOf(p, indices, triangle) {
    const [a, b, c] = [0, 1, 2].map(k => 3 * indices[3 * triangle + k])
    const u = [0, 1, 2].map(k => p[b + k] - p[a + k]), v = [0, 1, 2].map(k => p[c + k] - p[a + k])
    return Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
}

/** Winds triangles alike that hang together, in place. @param {ArrayLike<number>} points @param {Uint32Array} indices */
export function windAlike(points, indices) {
    const edges = findEdges(numberCorners(points, indices)), count = indices.length / 3
    /** @type {[number, boolean][][]} */
    const neighbors = Array.from({ length: count }, () => [])
    let wrong = false
    for (const { triangles: [a, b], ways } of edges.values()) {
        if (ways.length !== 2) continue
        const against = ways[0] === ways[1]
        neighbors[a].push([b, against])
        neighbors[b].push([a, against])
        wrong ||= against
    }
    if (!wrong) return
    const turned = new Int8Array(count) // 1: as it is, -1: to be turned, 0: not visited
    for (let first = 0; first < count; first++) {
        if (turned[first] !== 0) continue
        const piece = [first]
        let sided = true, kept = 0
        turned[first] = 1
        for (let i = 0; i < piece.length; i++) {
            const at = piece[i]
            kept += turned[at] * areaOf(points, indices, at)
            for (const [other, against] of neighbors[at]) {
                const way = against ? -turned[at] : turned[at]
                if (turned[other] === 0) {
                    turned[other] = way
                    piece.push(other)
                } else sided &&= turned[other] === way
            }
        }
        const few = kept >= 0 ? -1 : 1
        for (const at of sided ? piece : [])
            if (turned[at] === few) [indices[3 * at], indices[3 * at + 1]] = [indices[3 * at + 1], indices[3 * at]]
    }
}
