/* glTF by the command's own reader, compiled (module/gltf.c): what it reads, leaves out, says and refuses is the
 * command's. What is compressed with Draco is unpacked by that library's own decoder, fetched where a file has such. */
import wasm from '../../../out/check/gltf.wasm?url';
import { System } from '../system';
import type { Draco } from './draco';
import { type Dropped, type Reader } from './read';

let compiled: Promise<WebAssembly.Module> | undefined;

/** Whether its JSON speaks of Draco. */
function hasDraco({ bytes }: Dropped): boolean {
  const binary = bytes.length > 20 && bytes[0] === 0x67 && bytes[1] === 0x6c, view = new DataView(bytes.buffer, bytes.byteOffset);
  return new TextDecoder('latin1').decode(binary ? bytes.subarray(20, 20 + view.getUint32(12, true)) : bytes).includes('KHR_draco_mesh_compression');
}

export const read: Reader = async (file, others) => {
  const system = new System();
  let memory!: WebAssembly.Memory, draco: Draco | undefined;
  const named = (at: number): Dropped | undefined => {
    const bytes = new Uint8Array(memory.buffer), name = new TextDecoder().decode(bytes.subarray(at >>> 0, bytes.indexOf(0, at >>> 0)));
    return name === file.name ? file : others.find((other) => other.name === name);
  };
  const page = {
    size_of: (name: number): number => named(name)?.bytes.length ?? -1,
    read(name: number, out: number) { new Uint8Array(memory.buffer).set(named(name)!.bytes, out >>> 0); },
  };
  const part = { // as cli/read/gltf_draco.h has them; nothing is asked of them where nothing speaks of Draco
    draco_part_open: (at: number, size: number): number => draco!.open(new Uint8Array(memory.buffer).subarray(at >>> 0, (at >>> 0) + size)),
    draco_part_close: (number: number) => draco!.close(number),
    draco_part_points: (number: number): number => draco!.points(number),
    draco_part_triangles: (number: number): number => draco!.triangles(number),
    draco_part_indices(number: number, out: number) { new Uint8Array(memory.buffer).set(draco!.indices(number), out >>> 0); },
    draco_part_numbers(number: number, id: number, components: number, out: number): number {
      const numbers = draco!.numbers(number, id, components);
      if (!numbers) return 0;
      new Float64Array(memory.buffer, out >>> 0, numbers.length).set(numbers);
      return 1;
    },
  };
  compiled ??= WebAssembly.compileStreaming(fetch(wasm));
  if (hasDraco(file)) draco = await (await import('./draco')).start();
  const started = await system.start(await compiled, { page, env: part });
  memory = started.memory;
  const name = new TextEncoder().encode(`${file.name}\0`), at = started.exports.malloc!(name.length) >>> 0;
  new Uint8Array(memory.buffer).set(name, at);
  // where it refuses the file it ends, and its stream says why; where the memory runs out the stream is cut off
  const code = system.run(() => started.exports.gltf_read!(at) ?? 0);
  if (code !== 0) throw new Error(new TextDecoder().decode(system.take(1)).trim());
  return system.take(0);
};
