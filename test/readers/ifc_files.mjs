// Files made for the tests of the reader of IFC, and the reader's stream decoded, in this process.
import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const folder = process.env.CAROM_READER
if (!folder) throw new Error('CAROM_READER names the folder of the reader')
const { readIfc } = await import(path.join(folder, 'read.mjs'))
const stream = await import(path.join(folder, 'stream.mjs'))
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'carom-ifc-'))
process.on('exit', () => fs.rmSync(scratch, { recursive: true }))

// --- the stream, decoded -----------------------------------------------------------------------------------------------

/** The scene of a file: parts with volume and box in metres, what was left out, or why the file is refused. */
export async function read(text, { chord = 0, taken = 0, name = 'a.ifc' } = {}) {
    const file = path.join(scratch, name), pieces = []
    fs.writeFileSync(file, text)
    stream.sendTo(bytes => pieces.push(Buffer.from(bytes)))
    try {
        await readIfc(file, chord, taken)
    } catch (error) {
        return { died: String(error), parts: [], leftOut: [], notes: [] }
    }
    return decode(Buffer.concat(pieces))
}

function decode(b) {
    const out = { parts: [], leftOut: [], notes: [], refused: null, place: null, unit: 0 }
    const meshes = [], nodes = []
    let at = 8
    while (at < b.length) {
        const tag = b.readUInt32LE(at), size = Number(b.readBigUInt64LE(at + 4)), r = b.subarray(at + 12, at + 12 + size)
        const u32 = i => r.readUInt32LE(4 * i), f64 = i => r.readDoubleLE(i), utf8 = (from, to = r.length) => r.toString('utf8', from, to)
        at += 12 + size
        if (tag === 1) out.unit = f64(0)
        if (tag === 2) {
            const points = [], indices = []
            for (let i = 0; i < 3 * u32(0); i++) points.push(f64(40 + 8 * i))
            for (let i = 0; i < 3 * u32(1); i++) indices.push(r.readUInt32LE(40 + 8 * points.length + 4 * i))
            meshes.push({ points, indices, deviation: f64(32) })
        }
        if (tag === 3) {
            const matrix = Array.from({ length: 12 }, (_, i) => f64(12 + 8 * i)), name = utf8(108, 108 + u32(2))
            const parent = u32(0)
            nodes.push({ path: parent === 0xffffffff ? '' : `${nodes[parent].path}/${name}`, properties: {} })
            if (u32(1) > 0) out.parts.push({ name, path: nodes.at(-1).path, ...measure(meshes[r.readUInt32LE(108 + u32(2))], matrix, out.unit || 1), properties: nodes.at(-1).properties })
        }
        if (tag === 4) out.notes.push(utf8(0))
        if (tag === 6) out.refused = utf8(0)
        if (tag === 8) nodes.at(-1).properties[utf8(4, 4 + u32(0))] = utf8(4 + u32(0))
        if (tag === 9) out.leftOut.push({ fate: u32(0), id: utf8(16, 16 + u32(1)), kind: utf8(16 + u32(1), 16 + u32(1) + u32(2)), reason: utf8(16 + u32(1) + u32(2) + u32(3)) })
        if (tag === 10) out.place = { numbers: [0, 1, 2, 3, 4, 5].map(i => f64(8 * i)), system: utf8(48) }
    }
    return out
}

function measure({ points, indices, deviation }, m, unit) {
    const world = []
    for (let i = 0; i < points.length; i += 3) for (let k = 0; k < 12; k += 4) world.push(unit * (m[k] * points[i] + m[k + 1] * points[i + 1] + m[k + 2] * points[i + 2] + m[k + 3]))
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity]
    world.forEach((x, i) => { low[i % 3] = Math.min(low[i % 3], x), high[i % 3] = Math.max(high[i % 3], x) })
    let volume = 0
    for (let i = 0; i < indices.length; i += 3) {
        const [a, b, c] = [0, 1, 2].map(k => [0, 1, 2].map(d => world[3 * indices[i + k] + d] - low[d]))
        volume += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6
    }
    return { volume, low, high, triangles: indices.length / 3, deviation: deviation * unit }
}

export const missing = scene => scene.leftOut.filter(thing => thing.fate !== 0)
export const partOf = (scene, name) => scene.parts.find(part => part.name === `IfcColumn_${name}`)
export const near = (got, expected, share, what) => assert.ok(Math.abs(got - expected) <= share * Math.abs(expected), `${what}: ${got}, expected ${expected}`)

// --- files -------------------------------------------------------------------------------------------------------------

export const MILLIMETRES = '#10=IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.);\n#11=IFCSIUNIT(*,.PLANEANGLEUNIT.,$,.RADIAN.);\n#14=IFCUNITASSIGNMENT((#10,#11));\n'

/** A file of products: each has the lines of its item, of which the id is item(n) for what is at place n. */
export function ifc(products, { schema = 'IFC4', units = MILLIMETRES, more = '' } = {}) {
    let text = `ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\nFILE_NAME('x','2020-01-01T00:00:00',(''),(''),'','','');\nFILE_SCHEMA(('${schema}'));\nENDSEC;\nDATA;\n${units}`
    text += `#20=IFCCARTESIANPOINT((0.,0.,0.));\n#21=IFCDIRECTION((0.,0.,1.));\n#22=IFCDIRECTION((1.,0.,0.));\n#23=IFCAXIS2PLACEMENT3D(#20,#21,#22);
#24=IFCGEOMETRICREPRESENTATIONCONTEXT($,'Model',3,1.E-5,#23,$);\n#30=IFCPROJECT('0YvctVUKr0kugbFTf53O9L',$,'p',$,$,$,$,(#24),#14);\n#31=IFCLOCALPLACEMENT($,#23);
#36=IFCCARTESIANPOINT((30.,-20.));\n#37=IFCDIRECTION((0.6,0.8));\n#38=IFCAXIS2PLACEMENT2D(#36,#37);\n#41=IFCCARTESIANPOINT((0.,0.));\n#39=IFCAXIS2PLACEMENT2D(#41,$);
#42=IFCCARTESIANPOINT((300.,0.));\n#43=IFCCARTESIANPOINT((300.,200.));\n#44=IFCCARTESIANPOINT((0.,200.));\n#45=IFCPOLYLINE((#41,#42,#43,#44,#41));
#51=IFCCARTESIANPOINT((50.,50.));\n#52=IFCCARTESIANPOINT((100.,50.));\n#53=IFCCARTESIANPOINT((100.,150.));\n#54=IFCCARTESIANPOINT((50.,150.));\n#55=IFCPOLYLINE((#51,#52,#53,#54,#51));
#60=IFCCIRCLE(#39,100.);\n#62=IFCCARTESIANPOINT((100.,0.));\n#63=IFCCARTESIANPOINT((-100.,0.));\n#64=IFCTRIMMEDCURVE(#60,(#62),(#63),.T.,.CARTESIAN.);\n#65=IFCPOLYLINE((#63,#62));
#66=IFCCOMPOSITECURVESEGMENT(.CONTINUOUS.,.T.,#64);\n#67=IFCCOMPOSITECURVESEGMENT(.CONTINUOUS.,.T.,#65);\n#68=IFCCOMPOSITECURVE((#66,#67),.F.);
#70=IFCRECTANGLEPROFILEDEF(.AREA.,$,$,300.,200.);\n${more}`
    products.forEach(([name, lines], i) => {
        const id = 1000 + 100 * i
        text += lines(id) + `#${id + 91}=IFCCARTESIANPOINT((${i}000.,0.,0.));\n#${id + 92}=IFCAXIS2PLACEMENT3D(#${id + 91},#21,#22);\n#${id + 93}=IFCLOCALPLACEMENT(#31,#${id + 92});
#${id + 95}=IFCSHAPEREPRESENTATION(#24,'Body','SweptSolid',(#${id}));\n#${id + 96}=IFCPRODUCTDEFINITIONSHAPE($,$,(#${id + 95}));
#${id + 97}=IFCCOLUMN('0YvctVUKr0kugbFTf53${String(i).padStart(3, '0')}',$,'${name}',$,$,#${id + 93},#${id + 96},$);\n`
    })
    return text + 'ENDSEC;\nEND-ISO-10303-21;\n'
}
export const extruded = profile => id => `#${id + 1}=${profile};\n#${id}=IFCEXTRUDEDAREASOLID(#${id + 1},#23,#21,1000.);\n`

const q = 1 - Math.PI / 4 // what a rounding of radius 1 takes off a square corner
const U_SLOPE = Math.tan(0.1)
/** Name, profile (placed and turned by #38), area in square millimetres. */
export const PROFILES = [
    ['rectangle', 'IFCRECTANGLEPROFILEDEF(.AREA.,$,#38,300.,200.)', 60000],
    ['unplaced', 'IFCRECTANGLEHOLLOWPROFILEDEF(.AREA.,$,$,300.,200.,20.,$,$)', 60000 - 260 * 160],
    ['rounded', 'IFCROUNDEDRECTANGLEPROFILEDEF(.AREA.,$,#38,300.,200.,40.)', 60000 - 4 * q * 1600],
    ['hollow', 'IFCRECTANGLEHOLLOWPROFILEDEF(.AREA.,$,#38,300.,200.,20.,10.,30.)', 60000 - 4 * q * 900 - (260 * 160 - 4 * q * 100)],
    ['circle', 'IFCCIRCLEPROFILEDEF(.AREA.,$,#38,150.)', Math.PI * 150 ** 2],
    ['tube', 'IFCCIRCLEHOLLOWPROFILEDEF(.AREA.,$,#38,150.,20.)', Math.PI * (150 ** 2 - 130 ** 2)],
    ['ellipse', 'IFCELLIPSEPROFILEDEF(.AREA.,$,#38,150.,80.)', Math.PI * 150 * 80],
    ['trapezium', 'IFCTRAPEZIUMPROFILEDEF(.AREA.,$,#38,300.,200.,100.,-20.)', 25000],
    ['I', 'IFCISHAPEPROFILEDEF(.AREA.,$,#38,200.,300.,10.,20.,15.,$,$)', 2 * 200 * 20 + 260 * 10 + 4 * q * 225],
    ['L', 'IFCLSHAPEPROFILEDEF(.AREA.,$,#38,150.,100.,10.,12.,5.,$)', 1500 + 900 + q * 144 - 2 * q * 25],
    ['T', 'IFCTSHAPEPROFILEDEF(.AREA.,$,#38,150.,100.,10.,20.,8.,4.,3.,$,$)', 2000 + 1300 + 2 * q * 64 - 2 * q * 16 - 2 * q * 9],
    ['U', 'IFCUSHAPEPROFILEDEF(.AREA.,$,#38,200.,80.,8.,12.,10.,5.,$)', 2 * 80 * 12 + 176 * 8 + 2 * q * 100 - 2 * q * 25],
    ['sloped U', 'IFCUSHAPEPROFILEDEF(.AREA.,$,#38,200.,80.,8.,12.,$,$,0.1)', 2 * 80 * 12 + 8 * (200 - 2 * (12 + 36 * U_SLOPE))],
    ['C', 'IFCCSHAPEPROFILEDEF(.AREA.,$,#38,200.,80.,5.,30.,6.)', 5 * 200 + 2 * 75 * 5 + 2 * 25 * 5 + 4 * q * (36 - 121)],
    ['Z', 'IFCZSHAPEPROFILEDEF(.AREA.,$,#38,200.,80.,8.,12.,10.,5.)', 2 * 80 * 12 + 176 * 8 + 2 * q * 100 - 2 * q * 25],
    ['asymmetric I', 'IFCASYMMETRICISHAPEPROFILEDEF(.AREA.,$,#38,200.,300.,10.,20.,15.,120.,14.,8.,$,$,$,$)', 200 * 20 + 120 * 14 + 266 * 10 + 2 * q * 225 + 2 * q * 64],
    ['arbitrary', 'IFCARBITRARYCLOSEDPROFILEDEF(.AREA.,$,#45)', 60000],
    ['with voids', 'IFCARBITRARYPROFILEDEFWITHVOIDS(.AREA.,$,#45,(#55))', 55000],
    ['half a disk', 'IFCARBITRARYCLOSEDPROFILEDEF(.AREA.,$,#68)', (Math.PI * 100 ** 2) / 2],
]

// --- items -------------------------------------------------------------------------------------------------------------

export const box = (id, x, y, z, height) => `#${id + 1}=IFCCARTESIANPOINT((${x}.,${y}.,${z}.));\n#${id + 2}=IFCAXIS2PLACEMENT3D(#${id + 1},$,$);\n#${id}=IFCEXTRUDEDAREASOLID(#70,#${id + 2},#21,${height}.);\n`
const plane = (id, z) => `#${id + 1}=IFCCARTESIANPOINT((0.,0.,${z}.));\n#${id + 2}=IFCAXIS2PLACEMENT3D(#${id + 1},$,$);\n#${id}=IFCPLANE(#${id + 2});\n`
export const CUBE = [[0, 0, 0], [200, 0, 0], [200, 200, 0], [0, 200, 0], [0, 0, 200], [200, 0, 200], [200, 200, 200], [0, 200, 200]]
export const QUADS = [[1, 4, 3, 2], [5, 6, 7, 8], [1, 2, 6, 5], [2, 3, 7, 6], [3, 4, 8, 7], [4, 1, 5, 8]]
const TRIANGLES = QUADS.flatMap(([a, b, c, d]) => [[a, b, c], [a, c, d]])
const list = rows => `(${rows.map(row => `(${row.map(x => `${x}.`).join(',')})`).join(',')})`
const whole = rows => `(${rows.map(row => `(${row.join(',')})`).join(',')})`
/** Name, lines, cubic millimetres . */
export const ITEMS = [
    ['extruded', id => box(id, 0, 0, 0, 1000), 60e6],
    ['tapered', id => `#${id + 1}=IFCRECTANGLEPROFILEDEF(.AREA.,$,$,150.,100.);\n#${id}=IFCEXTRUDEDAREASOLIDTAPERED(#70,#23,#21,1000.,#${id + 1});\n`, 35e6],
    ['slanted', id => `#${id + 1}=IFCDIRECTION((0.6,0.,0.8));\n#${id}=IFCEXTRUDEDAREASOLID(#70,#23,#${id + 1},1000.);\n`, 48e6],
    ['revolved', id => `#${id + 1}=IFCCARTESIANPOINT((500.,0.));\n#${id + 2}=IFCAXIS2PLACEMENT2D(#${id + 1},$);\n#${id + 3}=IFCRECTANGLEPROFILEDEF(.AREA.,$,#${id + 2},100.,50.);\n#${id + 4}=IFCDIRECTION((0.,1.,0.));\n#${id + 5}=IFCAXIS1PLACEMENT(#20,#${id + 4});\n#${id}=IFCREVOLVEDAREASOLID(#${id + 3},#23,#${id + 5},1.5707963267948966);\n`, 5000 * 500 * Math.PI / 2],
    ['swept disk', id => `#${id + 1}=IFCCARTESIANPOINT((1000.,0.,0.));\n#${id + 2}=IFCPOLYLINE((#20,#${id + 1}));\n#${id}=IFCSWEPTDISKSOLID(#${id + 2},20.,$,0.,1.);\n`, Math.PI * 400 * 1000],
    ['pipe', id => `#${id + 1}=IFCCARTESIANPOINT((1000.,0.,0.));\n#${id + 2}=IFCPOLYLINE((#20,#${id + 1}));\n#${id}=IFCSWEPTDISKSOLID(#${id + 2},20.,10.,0.,1.);\n`, Math.PI * 300 * 1000],
    ['clipped', id => box(id + 10, 0, 0, 0, 1000) + plane(id + 20, 500) + `#${id + 1}=IFCHALFSPACESOLID(#${id + 20},.F.);\n#${id}=IFCBOOLEANCLIPPINGRESULT(.DIFFERENCE.,#${id + 10},#${id + 1});\n`, 30e6],
    ['clipped within a boundary', id => box(id + 10, 0, 0, 0, 1000) + plane(id + 20, 500) + `#${id + 1}=IFCPOLYGONALBOUNDEDHALFSPACE(#${id + 20},.F.,#23,#45);\n#${id}=IFCBOOLEANCLIPPINGRESULT(.DIFFERENCE.,#${id + 10},#${id + 1});\n`, 60e6 - 150 * 100 * 500],
    ['difference', id => box(id + 10, 0, 0, 0, 1000) + box(id + 20, 150, 0, 500, 1000) + `#${id}=IFCBOOLEANRESULT(.DIFFERENCE.,#${id + 10},#${id + 20});\n`, 60e6 - 150 * 200 * 500],
    ['union', id => box(id + 10, 0, 0, 0, 1000) + box(id + 20, 150, 0, 500, 1000) + `#${id}=IFCBOOLEANRESULT(.UNION.,#${id + 10},#${id + 20});\n`, 120e6 - 150 * 200 * 500],
    ['intersection', id => box(id + 10, 0, 0, 0, 1000) + box(id + 20, 150, 0, 500, 1000) + `#${id}=IFCBOOLEANRESULT(.INTERSECTION.,#${id + 10},#${id + 20});\n`, 150 * 200 * 500],
    ['faceted brep', id => CUBE.map((p, i) => `#${id + 1 + i}=IFCCARTESIANPOINT((${p.map(x => `${x}.`).join(',')}));\n`).join('') + QUADS.map((face, i) => `#${id + 20 + i}=IFCPOLYLOOP((${face.map(k => `#${id + k}`).join(',')}));\n#${id + 30 + i}=IFCFACEOUTERBOUND(#${id + 20 + i},.T.);\n#${id + 40 + i}=IFCFACE((#${id + 30 + i}));\n`).join('') + `#${id + 50}=IFCCLOSEDSHELL((${QUADS.map((_, i) => `#${id + 40 + i}`).join(',')}));\n#${id}=IFCFACETEDBREP(#${id + 50});\n`, 8e6],
    ['triangles', id => `#${id + 1}=IFCCARTESIANPOINTLIST3D(${list(CUBE)});\n#${id}=IFCTRIANGULATEDFACESET(#${id + 1},$,.T.,${whole(TRIANGLES)},$);\n`, 8e6],
    ['polygons', id => `#${id + 1}=IFCCARTESIANPOINTLIST3D(${list(CUBE)});\n` + QUADS.map((face, i) => `#${id + 2 + i}=IFCINDEXEDPOLYGONALFACE((${face.join(',')}));\n`).join('') + `#${id}=IFCPOLYGONALFACESET(#${id + 1},.T.,(${QUADS.map((_, i) => `#${id + 2 + i}`).join(',')}),$);\n`, 8e6],
    ['polygons numbered anew', id => `#${id + 1}=IFCCARTESIANPOINTLIST3D(${list([...CUBE].reverse())});\n` + QUADS.map((face, i) => `#${id + 2 + i}=IFCINDEXEDPOLYGONALFACE((${face.join(',')}));\n`).join('') + `#${id}=IFCPOLYGONALFACESET(#${id + 1},.T.,(${QUADS.map((_, i) => `#${id + 2 + i}`).join(',')}),(8,7,6,5,4,3,2,1));\n`, 8e6],
    ['mapped', id => box(id + 10, 0, 0, 0, 1000) + `#${id + 1}=IFCSHAPEREPRESENTATION(#24,'Body','SweptSolid',(#${id + 10}));\n#${id + 2}=IFCREPRESENTATIONMAP(#23,#${id + 1});\n#${id + 3}=IFCCARTESIANTRANSFORMATIONOPERATOR3D($,$,#20,2.,$);\n#${id}=IFCMAPPEDITEM(#${id + 2},#${id + 3});\n`, 480e6],
    ['mirrored', id => box(id + 10, 100, 0, 0, 1000) + `#${id + 1}=IFCSHAPEREPRESENTATION(#24,'Body','SweptSolid',(#${id + 10}));\n#${id + 2}=IFCREPRESENTATIONMAP(#23,#${id + 1});\n#${id + 4}=IFCDIRECTION((-1.,0.,0.));\n#${id + 5}=IFCDIRECTION((0.,1.,0.));\n#${id + 3}=IFCCARTESIANTRANSFORMATIONOPERATOR3D(#${id + 4},#${id + 5},#20,1.,#21);\n#${id}=IFCMAPPEDITEM(#${id + 2},#${id + 3});\n`, 60e6],
    ['cylinder', id => `#${id}=IFCRIGHTCIRCULARCYLINDER(#23,500.,50.);\n`, Math.PI * 2500 * 500],
    ['sphere', id => `#${id}=IFCSPHERE(#23,100.);\n`, 4e6 * Math.PI / 3],
    ['block', id => `#${id}=IFCBLOCK(#23,300.,200.,100.);\n`, 6e6],
    ['cone', id => `#${id}=IFCRIGHTCIRCULARCONE(#23,300.,100.);\n`, Math.PI * 1e6],
    ['csg', id => box(id + 10, 0, 0, 0, 1000) + box(id + 20, 150, 0, 500, 1000) + `#${id + 1}=IFCBOOLEANRESULT(.DIFFERENCE.,#${id + 10},#${id + 20});\n#${id}=IFCCSGSOLID(#${id + 1});\n`, 45e6],
    ['composite', id => `#${id + 1}=IFCARBITRARYCLOSEDPROFILEDEF(.AREA.,$,#55);\n#${id + 2}=IFCCARTESIANPOINT((500.,0.));\n#${id + 3}=IFCAXIS2PLACEMENT2D(#${id + 2},$);\n#${id + 4}=IFCRECTANGLEPROFILEDEF(.AREA.,$,#${id + 3},100.,50.);\n#${id + 5}=IFCCOMPOSITEPROFILEDEF(.AREA.,$,(#${id + 1},#${id + 4}),$);\n#${id}=IFCEXTRUDEDAREASOLID(#${id + 5},#23,#21,1000.);\n`, 10e6],
    ['derived', id => `#${id + 2}=IFCCARTESIANTRANSFORMATIONOPERATOR2D($,$,#41,2.);\n#${id + 1}=IFCDERIVEDPROFILEDEF(.AREA.,$,#70,#${id + 2},$);\n#${id}=IFCEXTRUDEDAREASOLID(#${id + 1},#23,#21,1000.);\n`, 240e6],
    ['derived of a tube', id => `#${id + 3}=IFCCARTESIANPOINT((500.,100.));\n#${id + 2}=IFCCARTESIANTRANSFORMATIONOPERATOR2D($,$,#${id + 3},1.);\n#${id + 4}=IFCRECTANGLEHOLLOWPROFILEDEF(.AREA.,$,#38,300.,200.,20.,$,$);\n#${id + 1}=IFCDERIVEDPROFILEDEF(.AREA.,$,#${id + 4},#${id + 2},$);\n#${id}=IFCEXTRUDEDAREASOLID(#${id + 1},#23,#21,1000.);\n`, 60e6 - 260 * 160e3],
    ['faces wound anyhow', id => CUBE.map((p, i) => `#${id + 1 + i}=IFCCARTESIANPOINT((${p.map(x => `${x}.`).join(',')}));\n`).join('') + QUADS.map((face, i) => `#${id + 20 + i}=IFCPOLYLOOP((${(i % 3 === 1 ? [...face].reverse() : face).map(k => `#${id + k}`).join(',')}));\n#${id + 30 + i}=IFCFACEOUTERBOUND(#${id + 20 + i},.T.);\n#${id + 40 + i}=IFCFACE((#${id + 30 + i}));\n`).join('') + `#${id + 50}=IFCCONNECTEDFACESET((${QUADS.map((_, i) => `#${id + 40 + i}`).join(',')}));\n#${id}=IFCFACEBASEDSURFACEMODEL((#${id + 50}));\n`, 8e6],
    ['arcs', id => `#${id + 1}=IFCCARTESIANPOINTLIST2D(((-100.,0.),(0.,-100.),(100.,0.)));\n#${id + 2}=IFCINDEXEDPOLYCURVE(#${id + 1},(IFCARCINDEX((1,2,3)),IFCLINEINDEX((3,1))),$);\n#${id + 3}=IFCARBITRARYCLOSEDPROFILEDEF(.AREA.,$,#${id + 2});\n#${id}=IFCEXTRUDEDAREASOLID(#${id + 3},#23,#21,1000.);\n`, 5e6 * Math.PI],
]
export const STRUCTURE = `#80=IFCBUILDINGSTOREY('storey0000000000000000',$,'Ground',$,$,#31,$,$,.ELEMENT.,0.);\n#81=IFCSPACE('space00000000000000000',$,'Kitchen',$,$,#31,$,$,.ELEMENT.,$,$);
#82=IFCRELAGGREGATES('r1',$,$,$,#30,(#80));\n#83=IFCRELAGGREGATES('r2',$,$,$,#80,(#81));\n#84=IFCRELCONTAINEDINSPATIALSTRUCTURE('r3',$,$,$,(#1097,#1197),#81);
#85=IFCPROPERTYSINGLEVALUE('FireRating',$,IFCLABEL('F\\X2\\00FC\\X0\\r 90'),$);\n#86=IFCPROPERTYSET('s',$,'Pset_ColumnCommon',$,(#85,#74,#75,#76,#77));
#74=IFCPROPERTYSINGLEVALUE('LoadBearing',$,IFCBOOLEAN(.T.),$);\n#75=IFCPROPERTYSINGLEVALUE('Compartmentation',$,IFCLOGICAL(.U.),$);\n#76=IFCPROPERTYENUMERATEDVALUE('Status',$,(IFCLABEL('EXISTING'),IFCLABEL('DEMOLISH')),$);\n#77=IFCPROPERTYSINGLEVALUE('IsExternal',$,IFCBOOLEAN(.F.),$);\n#87=IFCRELDEFINESBYPROPERTIES('r4',$,$,$,(#1097),#86);
#88=IFCCOLUMNTYPE('t',$,'HEB 200',$,$,$,$,$,$,.COLUMN.);\n#89=IFCRELDEFINESBYTYPE('r5',$,$,$,(#1097),#88);\n#90=IFCPRESENTATIONLAYERASSIGNMENT('S-COLS',$,(#1095),$);
#99=IFCGRID('grid000000000000000000',$,'Axes',$,$,#31,$,$,$,$,$);\n#98=IFCANNOTATION('note000000000000000000',$,'Text',$,$,#31,$);
#97=IFCPROJECTEDCRS('EPSG:25832',$,$,$,$,$,$);\n#96=IFCMAPCONVERSION(#24,#97,500000000.,5400000000.,120000.,0.,1.,$);\n`

/** The n-th damaged file. */
export function damaged(n) {
    const text = ifc([ITEMS[0], ITEMS[8], ITEMS[11], ['I', extruded(PROFILES[8][1])]], { more: STRUCTURE })
    let seed = Math.imul(n + 1, 2654435761) >>> 0
    const random = below => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) % 65521 % below
    const bytes = Buffer.from(text, 'latin1'), start = text.indexOf('DATA;')
    for (let k = random(3); k >= 0; k--) bytes[start + random(bytes.length - start)] = "#(),;'$*0123456789.ABC=".charCodeAt(random(23))
    return n % 8 === 0 ? bytes.subarray(0, random(bytes.length)) : bytes
}
