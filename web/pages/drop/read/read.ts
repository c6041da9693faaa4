/* From a dropped file to the stream that the command reads. Who reads a format is loaded when such a file is there. */

import { endingOf } from './beside';

/** A file that was dropped. */
export interface Dropped { name: string; bytes: Uint8Array<ArrayBuffer> }
/** Why a file is not read, in words for whoever dropped it. */
export class Unread extends Error {}
/** Reads `file`; `others` are what was dropped with it, to which it may refer. */
export type Reader = (file: Dropped, others: readonly Dropped[]) => Promise<Uint8Array<ArrayBuffer>>;

interface Format { name: string; load: () => Promise<Reader> }
const cad = (format: 'step' | 'iges' | 'brep', name: string): Format => ({ name, load: async () => (await import('./occt')).reader(format) });
const formats: Record<string, Format> = {
  stl: { name: 'STL', load: async () => (await import('./stl')).read },
  obj: { name: 'OBJ', load: async () => (await import('./obj')).read },
  ply: { name: 'PLY', load: async () => (await import('./ply')).read },
  glb: { name: 'glTF', load: async () => (await import('./gltf')).read },
  gltf: { name: 'glTF', load: async () => (await import('./gltf')).read },
  ifc: { name: 'IFC', load: async () => (await import('./ifc')).read },
  ifczip: { name: 'IFC', load: async () => (await import('./ifc')).read },
  step: cad('step', 'STEP'), stp: cad('step', 'STEP'), iges: cad('iges', 'IGES'), igs: cad('iges', 'IGES'), brep: cad('brep', 'BREP'),
};

export async function read(file: Dropped, others: readonly Dropped[]): Promise<Uint8Array<ArrayBuffer>> {
  const format = formats[endingOf(file.name)];
  if (!format) throw new Unread(`${file.name}: this page does not know the format. It reads ${[...new Set(Object.values(formats).map((f) => f.name))].join(', ')}; the command reads more.`);
  if (file.bytes.length === 0) throw new Unread(`${file.name}: the file is empty.`);
  try {
    return await (await format.load())(file, others);
  } catch (error) {
    if (error instanceof Unread) throw error;
    throw new Unread(`${file.name}: it could not be read as ${format.name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
