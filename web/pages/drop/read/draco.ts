/* Draco's own decoder, which comes with three.js: meshes as they were packed, bit by bit. */
import wasm from 'three/examples/jsm/libs/draco/gltf/draco_decoder.wasm?url';
import wrapper from 'three/examples/jsm/libs/draco/gltf/draco_wasm_wrapper.js?raw';

type Arrays = Record<string, Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array | Float32Array>;
/** `name` is the decoder's word for a type, `heap` its view of the memory in which such numbers are. */
const types = [['DT_INT8', 'HEAP8', 1], ['DT_UINT8', 'HEAPU8', 1], ['DT_INT16', 'HEAP16', 2], ['DT_UINT16', 'HEAPU16', 2], ['DT_INT32', 'HEAP32', 4],
  ['DT_UINT32', 'HEAPU32', 4], ['DT_FLOAT32', 'HEAPF32', 4]] as const;

export class Draco {
  private readonly meshes: any[] = [null];
  private readonly decoder: any;
  constructor(private readonly library: any) { this.decoder = new library.Decoder(); }

  /** Its number, 0 where the bytes are damaged. */
  open(packed: Uint8Array): number {
    const bytes = new Int8Array(packed);
    if (this.decoder.GetEncodedGeometryType(bytes) !== this.library.TRIANGULAR_MESH) return 0;
    const mesh = new this.library.Mesh(), status = this.decoder.DecodeArrayToMesh(bytes, bytes.length, mesh);
    if (status.ok() && mesh.ptr !== 0) return this.meshes.push(mesh) - 1;
    this.library.destroy(mesh);
    return 0;
  }
  close(number: number): void { this.library.destroy(this.meshes[number]); }
  points(number: number): number { return this.meshes[number].num_points(); }
  triangles(number: number): number { return this.meshes[number].num_faces(); }
  /** Uint32, three of each triangle. */
  indices(number: number): Uint8Array {
    const size = 12 * this.triangles(number);
    return this.taken(size, (at) => { this.decoder.GetTrianglesUInt32Array(this.meshes[number], size, at); return this.library.HEAPU8.slice(at, at + size); });
  }
  /** The numbers of an attribute as they are stored; null where there is no such attribute. */
  numbers(number: number, id: number, components: number): Arrays[string] | null {
    const mesh = this.meshes[number], attribute = this.decoder.GetAttributeByUniqueId(mesh, id);
    if (attribute.ptr === 0 || attribute.num_components() !== components) return null;
    const type = types.find(([name]) => this.library[name] === attribute.data_type());
    if (!type) return null;
    const [name, heap, size] = type, count = components * this.points(number);
    return this.taken(count * size, (at) => {
      const done = this.decoder.GetAttributeDataArrayForAllPoints(mesh, attribute, this.library[name], count * size, at);
      return done ? (this.library as Arrays)[heap]!.slice(at / size, at / size + count) : null;
    });
  }
  private taken<T>(size: number, use: (at: number) => T): T {
    const at = this.library._malloc(size);
    try { return use(at); } finally { this.library._free(at); }
  }
}

export async function start(): Promise<Draco> {
  const wasmBinary = await (await fetch(wasm)).arrayBuffer();
  // the wrapper is a script of old that leaves a global behind
  return new Draco(await (new Function(`${wrapper}; return DracoDecoderModule;`)() as (options: object) => Promise<unknown>)({ wasmBinary }));
}
