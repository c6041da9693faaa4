/* The module, over a memory that threads share. There is one binary for both: here its memory becomes an import that is
 * shared, and its data, which every instance would write again over what has changed since, is taken out and written
 * once. Everything else stays as it is, byte for byte. */

const MEMORY = 5, IMPORT = 2, DATA = 11, DATA_COUNT = 12;
const MOST = 65536; // pages that a memory can have

/** Reads numbers as WebAssembly writes them (LEB128). */
class Reader {
  constructor(readonly bytes: Uint8Array, public at: number) {}
  byte(): number { return this.bytes[this.at++]!; }
  number(): number {
    let value = 0, shift = 0, byte: number;
    do { byte = this.byte(); value += (byte & 127) * 2 ** shift; shift += 7; } while (byte & 128);
    return value;
  }
}
function number(value: number): number[] { return value < 128 ? [value] : [(value & 127) | 128, ...number(Math.floor(value / 128))]; }

export interface Shared {
  bytes: Uint8Array<ArrayBuffer>;
  /** Pages that the memory has at the start. */
  pages: number;
  /** What is to be written into it, once. */
  data: { at: number; bytes: Uint8Array }[];
}

export function share(bytes: Uint8Array): Shared {
  const parts: ArrayLike<number>[] = [bytes.subarray(0, 8)], data: Shared['data'] = [];
  let imports: Uint8Array | undefined, pages = 0;
  const reader = new Reader(bytes, 8);
  while (reader.at < bytes.length) {
    const start = reader.at, id = reader.byte(), size = reader.number(), end = reader.at + size;
    if (id === IMPORT) imports = bytes.subarray((parts.push([]), reader.at), end);
    else if (id === MEMORY) {
      reader.number(), reader.number(); // one memory, and whether it has a limit
      pages = reader.number();
    } else if (id === DATA) {
      for (let count = reader.number(); count > 0; count--) { // kind 0, i32.const, where (signed, but never negative), end, bytes
        if (reader.number() !== 0 || reader.byte() !== 0x41) throw new TypeError('carom: not a module of this library');
        const at = reader.number(), length = (reader.byte(), reader.number());
        data.push({ at, bytes: bytes.subarray(reader.at, (reader.at += length)) });
      }
    } else if (id !== DATA_COUNT) parts.push(bytes.subarray(start, end));
    reader.at = end;
  }
  if (!imports || !pages) throw new TypeError('carom: not a module of this library');
  const old = new Reader(imports, 0), count = old.number(), text = (s: string): number[] => [s.length, ...new TextEncoder().encode(s)];
  const memory = [...text('carom'), ...text('memory'), 2, 3, ...number(pages), ...number(MOST)]; // a memory, shared
  const section = [...number(count + 1), ...imports.subarray(old.at), ...memory];
  parts[parts.findIndex((part) => part.length === 0)] = [IMPORT, ...number(section.length), ...section];
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) { out.set(part, at); at += part.length; }
  return { bytes: out, pages, data };
}
