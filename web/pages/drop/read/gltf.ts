/* glTF by three.js: its buffers and accessors are read by the loader, its tree as it stands in the file, so that names and
 * matrices are the file's own. Metres and y up by its specification. */
import { Matrix4, LoadingManager, Object3D, Quaternion, Vector3, type BufferGeometry } from 'three';
import { GLTFLoader, type GLTFParser } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { MeshoptDecoder } from 'three/examples/jsm/libs/meshopt_decoder.module.js';
import { toTrianglesDrawMode } from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import { meshOf } from './geometry';
import { Unread, type Dropped, type Reader } from './read';
import { Stream } from './stream';

interface Primitive { mode?: number; attributes: Record<string, number>; extensions?: Record<string, unknown>; targets?: unknown[] }
interface GltfNode { name?: string; mesh?: number; skin?: number; children?: number[]; matrix?: number[]; translation?: number[]; rotation?: number[]; scale?: number[]; extensions?: Record<string, unknown> }
interface Gltf { nodes?: GltfNode[]; meshes?: { name?: string; primitives: Primitive[]; weights?: number[] }[]; scenes?: { nodes?: number[] }[]; scene?: number; animations?: unknown[]; extensionsRequired?: string[] }

/** What a file may need without saying anything else of its geometry than this page shows. */
const known = new Set(['EXT_meshopt_compression', 'KHR_mesh_quantization', 'KHR_materials_unlit', 'KHR_texture_transform', 'KHR_texture_basisu', 'EXT_texture_webp', 'EXT_texture_avif', 'KHR_lights_punctual']);

const matrixOf = ({ matrix, translation = [0, 0, 0], rotation = [0, 0, 0, 1], scale = [1, 1, 1] }: GltfNode): ArrayLike<number> =>
  matrix ?? new Matrix4().compose(new Vector3().fromArray(translation), new Quaternion().fromArray(rotation).normalize(), new Vector3().fromArray(scale)).elements;

/** Opens it without its materials and textures. What it refers to is fetched from among `others`, when it is needed; what
 * is not there comes into `missing`. */
async function open(file: Dropped, others: readonly Dropped[], missing: string[]): Promise<GLTFParser> {
  const manager = new LoadingManager().setURLModifier((url) => {
    if (/^(data|blob):/.test(url)) return url;
    const name = decodeURIComponent(url).replace(/^.*\//, ''), other = others.find((o) => o.name === name);
    if (!other) missing.push(name);
    return other ? URL.createObjectURL(new Blob([other.bytes])) : 'data:,'; // the worker ends with the check, and its addresses with it
  });
  const loader = new GLTFLoader(manager).setMeshoptDecoder(MeshoptDecoder);
  loader.register(() => ({ name: 'carom', loadMesh: async () => new Object3D() as never, loadMaterial: async () => ({}) as never }));
  return (await loader.parseAsync(file.bytes.buffer, '')).parser;
}
/** The triangles of a primitive, strips and fans as well. */
function triangles(name: string, { mode = 4 }: Primitive, geometry: BufferGeometry) {
  const corners = geometry.index?.count ?? geometry.getAttribute('position')?.count ?? 0;
  if (mode === 0) return { name, points: [], indices: [], dots: corners };
  if (mode < 4) return { name, points: [], indices: [], lines: mode === 1 ? corners >> 1 : Math.max(0, corners - (mode === 3 ? 1 : 0)) };
  return meshOf(name, mode === 4 ? geometry : toTrianglesDrawMode(geometry, mode === 5 ? 1 : 2));
}

export const read: Reader = async (file, others) => {
  const missing: string[] = [];
  try {
    return await write(file, await open(file, others, missing));
  } catch (error) {
    throw missing.length ? new Unread(`${file.name}: it needs ${missing.join(', ')}: drop that with it.`) : error;
  }
};

async function write(file: Dropped, parser: GLTFParser): Promise<Uint8Array<ArrayBuffer>> {
  const text = file.bytes[0] === 0x67 && file.bytes[1] === 0x6c ? 'glTF 2.0, binary' : 'glTF 2.0';
  const gltf = parser.json as Gltf;
  const strange = (gltf.extensionsRequired ?? []).filter((name) => !known.has(name));
  if (strange.length) throw new Unread(`${file.name}: it needs ${strange.join(', ')}, which this page does not read.`);
  const stream = new Stream(text, { unit: 1, bias: 1, up: 'y', upBias: 'y', singlePoints: true, singlePlaces: false });
  const nodes = gltf.nodes ?? [], written = new Map<number, number[]>();
  // those of the scene that is shown, a node before its children
  const order: { node: number; parent: number | null }[] = [], waiting = (gltf.scenes?.[gltf.scene ?? 0]?.nodes ?? []).map((node) => ({ node, parent: null as number | null })).reverse();
  while (waiting.length) {
    const next = waiting.pop()!;
    if (order.length > nodes.length) throw new Unread(`${file.name}: its nodes hang from one another in a circle.`);
    order.push(next);
    for (const child of [...(nodes[next.node]!.children ?? [])].reverse()) waiting.push({ node: child, parent: next.node });
  }
  for (const { node } of order) {
    const { mesh: number, skin, extensions } = nodes[node]!;
    if (number === undefined || written.has(number)) continue;
    const { name = '', primitives } = gltf.meshes![number]!;
    if (skin !== undefined || extensions?.EXT_mesh_gpu_instancing || primitives.some((p) => p.targets?.length))
      throw new Unread(`${file.name}: it has skins, morph targets or instances, which this page does not read; the command does.`);
    const geometries = await parser.loadGeometries(primitives as never) as BufferGeometry[];
    written.set(number, geometries.map((geometry, i) => stream.mesh(triangles(primitives.length > 1 && name ? `${name}-${i}` : name, primitives[i]!, geometry))));
  }
  const root = stream.node(null, '', null, []), numbers = new Map<number, number>();
  for (const { node, parent } of order) {
    const one = nodes[node]!;
    numbers.set(node, stream.node(parent === null ? root : numbers.get(parent)!, one.name ?? '', matrixOf(one), one.mesh === undefined ? [] : written.get(one.mesh)!));
  }
  if (gltf.animations?.length) stream.note('animations are not played: parts stand where the file puts them');
  return stream.end();
}
