/* The stream of a reader program (docs/reader.md), as the command reads it: what a file has, in the file's unit and axes. */

/** Triangles: points x, y, z, three corners each. */
export interface StreamMesh { name: string; points: ArrayLike<number>; indices: ArrayLike<number>; polygons?: number; lines?: number; dots?: number }

export class Stream {
  private readonly parts: Uint8Array<ArrayBuffer>[] = [];
  private meshes = 0;
  private nodes = 0;

  /** `unit` in metres: 0 where the file does not say; then `bias` is assumed. `up` likewise. `single`: points and places
   * are known in single precision only. */
  constructor(format: string, facts: { unit?: number; bias: number; up?: 'x' | 'y' | 'z'; upBias: 'x' | 'y' | 'z'; singlePoints: boolean; singlePlaces: boolean }) {
    const { unit = 0, bias, up, upBias, singlePoints, singlePlaces } = facts;
    this.parts.push(bytesOf(new BigUint64Array([0x324d415254534d43n])));
    this.record(1, new Float64Array([unit, bias]), new Uint8Array([up?.charCodeAt(0) ?? 0, upBias.charCodeAt(0), (singlePoints ? 1 : 0) | (singlePlaces ? 2 : 0)]), text(format));
  }
  /** Answers its number, for nodes that come later. */
  mesh({ name, points, indices, polygons = 0, lines = 0, dots = 0 }: StreamMesh, deviation = -1): number {
    const title = text(name);
    this.record(2, new Uint32Array([points.length / 3, indices.length / 3, polygons, lines, dots, 0, 0, title.length]), new Float64Array([deviation]), title,
      Float64Array.from(points), Uint32Array.from(indices));
    return this.meshes++;
  }
  /** Answers its number. `parent` is that of an earlier node, null for the first. `matrix` is 4 x 4 by columns, as three.js' are. */
  node(parent: number | null, name: string, matrix: ArrayLike<number> | null, meshes: readonly number[]): number {
    const title = text(name), m = matrix ?? [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    const rows = Float64Array.from([0, 1, 2].flatMap((row) => [0, 1, 2, 3].map((column) => m[4 * column + row]!)));
    this.record(3, new Uint32Array([parent ?? 0xffffffff, meshes.length, title.length]), rows, title, new Uint32Array(meshes));
    return this.nodes++;
  }
  note(line: string): void { this.record(4, text(line)); }
  /** Of the latest node. */
  property(key: string, value: string): void {
    const name = text(key);
    this.record(8, new Uint32Array([name.length]), name, text(value));
  }
  end(): Uint8Array<ArrayBuffer> {
    this.record(7);
    return join(this.parts);
  }
  private record(tag: number, ...parts: ArrayBufferView<ArrayBuffer>[]): void {
    const head = new DataView(new ArrayBuffer(12));
    head.setUint32(0, tag, true);
    head.setBigUint64(4, BigInt(parts.reduce((sum, part) => sum + part.byteLength, 0)), true);
    this.parts.push(bytesOf(head), ...parts.map(bytesOf));
  }
}
const text = (words: string) => new TextEncoder().encode(words);
const bytesOf = (view: ArrayBufferView<ArrayBuffer>) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
export function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) { all.set(part, at); at += part.length; }
  return all;
}
