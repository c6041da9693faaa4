/* PLY: one part. No unit, no axes: those that the command assumes. Not by three.js, whose loader passes over polygons of more than four corners and over strips, and whose
 * geometry has no faces where these have texture points. */
import { cut } from './polygon';
import { Unread, type Reader } from './read';
import { Stream } from './stream';

const numbers = { char: 'int8', uchar: 'uint8', short: 'int16', ushort: 'uint16', int: 'int32', uint: 'uint32', float: 'float32', double: 'float64' } as const;
type Type = (typeof numbers)[keyof typeof numbers];
const sizes: Record<Type, number> = { int8: 1, uint8: 1, int16: 2, uint16: 2, int32: 4, uint32: 4, float32: 4, float64: 8 };
interface Property { name: string; type: Type; count?: Type }
interface Element { name: string; count: number; properties: Property[] }
interface Head { format: string; elements: Element[]; end: number }

function typeOf(word: string): Type {
  const type = numbers[word as keyof typeof numbers] ?? word;
  if (!(type in sizes)) throw new Error(`'${word}' is no type of a number`);
  return type as Type;
}

function readHead(bytes: Uint8Array): Head {
  const text = new TextDecoder('latin1').decode(bytes), end = /(^|[\r\n])end_header[ \t]*(\r\n|\n|\r)/.exec(text);
  if (!text.startsWith('ply') || !end) throw new Error('the file is cut off: its head has no end');
  const head: Head = { format: '', elements: [], end: end.index + end[0].length };
  for (const line of text.slice(0, end.index).split(/[\r\n]+/)) {
    const [word, ...rest] = line.trim().split(/\s+/);
    if (word === 'format') head.format = rest[0] ?? '';
    else if (word === 'element') head.elements.push({ name: rest[0] ?? '', count: Number(rest[1]), properties: [] });
    else if (word === 'property') {
      const list = rest[0] === 'list', [type = '', name = ''] = list ? rest.slice(2) : rest;
      head.elements.at(-1)?.properties.push({ name, type: typeOf(type), ...(list ? { count: typeOf(rest[1] ?? '') } : {}) });
    }
  }
  return head;
}

/** Numbers one after another; `row` begins a row. */
interface Source { row: () => void; next: (type: Type) => number }
const cutOff = () => new Error('the file is cut off: its head announces more');

/** Of a text with a line a row, a row is its line: some programs write more into it than the head says. */
function textSource(text: string, rows: number): Source {
  const lines = text.split(/[\r\n]+/).map((line) => line.trim()).filter(Boolean), byLine = lines.length === rows;
  let words = byLine ? [] : text.split(/\s+/).filter(Boolean), at = 0, line = 0;
  return {
    row: () => { if (byLine) { words = lines[line++]!.split(/\s+/); at = 0; } },
    next: () => {
      const word = words[at++], value = Number(word);
      if (word === undefined) throw cutOff();
      if (Number.isNaN(value) && !/^[-+]?nan$/i.test(word)) throw new Error(`'${word}' is no number`);
      return value;
    },
  };
}
function binarySource(bytes: Uint8Array, little: boolean): Source {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  return {
    row: () => undefined,
    next: (type) => {
      if (at + sizes[type] > view.byteLength) throw cutOff();
      const from = at;
      at += sizes[type];
      switch (type) {
        case 'int8': return view.getInt8(from);
        case 'uint8': return view.getUint8(from);
        case 'int16': return view.getInt16(from, little);
        case 'uint16': return view.getUint16(from, little);
        case 'int32': return view.getInt32(from, little);
        case 'uint32': return view.getUint32(from, little);
        case 'float32': return view.getFloat32(from, little);
        case 'float64': return view.getFloat64(from, little);
      }
    },
  };
}

/** The triangles of a strip; -1 begins anew, and what leads from one run to the next has a corner twice. */
function trianglesOf(strip: readonly number[]): number[][] {
  const faces: number[][] = [];
  let start = 0;
  strip.forEach((corner, i) => {
    if (corner < 0) start = i + 1;
    if (i < start + 2) return;
    const odd = (i - start) % 2, face = [strip[i - 2 + odd]!, strip[i - 1 - odd]!, corner];
    if (new Set(face).size === 3) faces.push(face);
  });
  return faces;
}

function readRows({ elements }: Head, source: Source): { points: number[]; faces: number[][] } {
  const points: number[] = [], faces: number[][] = [];
  for (const { name, count, properties } of elements.filter((e) => e.properties.length > 0))
    for (let i = 0; i < count; i++) {
      const point = [0, 0, 0];
      let corners: number[] = [];
      source.row();
      for (const p of properties) {
        if (p.count) {
          const values = Array.from({ length: source.next(p.count) }, () => source.next(p.type));
          if (/^vertex_ind(ex|ices)$/.test(p.name)) corners = values;
          continue;
        }
        const value = source.next(p.type), axis = ['x', 'y', 'z'].indexOf(p.name);
        if (axis >= 0) point[axis] = Math.fround(value); // as the command knows it
      }
      if (name === 'vertex') points.push(...point);
      else if (name === 'face') faces.push(corners);
      else if (name === 'tristrips') for (const face of trianglesOf(corners)) faces.push(face);
    }
  return { points, faces };
}

export const read: Reader = async ({ name, bytes }) => {
  const head = readHead(bytes), body = bytes.subarray(head.end), rows = head.elements.reduce((sum, e) => sum + (e.properties.length > 0 ? e.count : 0), 0);
  const { points, faces } = readRows(head, head.format === 'ascii' ? textSource(new TextDecoder().decode(body), rows) : binarySource(body, head.format === 'binary_little_endian'));
  const surfaces = faces.filter((face) => face.length > 2);
  if (surfaces.length === 0) throw new Unread(`${name}: it holds points and no triangles.`);
  if (surfaces.some((face) => face.some((corner) => !(corner >= 0 && 3 * corner < points.length)))) throw new Unread(`${name}: a face has a point that does not exist.`);
  const indices = surfaces.flatMap((face) => {
    const triangles = cut(points, face);
    if (!triangles) throw new Unread(`${name}: a polygon of ${face.length} corners crosses itself: cut it into triangles first.`);
    return triangles;
  });
  const stream = new Stream('Stanford Polygon Library (PLY) Importer', { bias: 1, upBias: 'z', singlePoints: true, singlePlaces: true });
  const mesh = stream.mesh({ name: '', points, indices, polygons: surfaces.filter((face) => face.length > 3).length });
  stream.node(null, '', null, [mesh]);
  return stream.end();
};
