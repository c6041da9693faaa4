/* What the reader of IFC uses of Node.js, for a browser: the site's build puts this in place of node:fs, node:module,
 * node:crypto and node:zlib. */
import { inflateSync } from 'three/examples/jsm/libs/fflate.module.js';
import * as web from 'web-ifc';
import wasm from 'web-ifc/web-ifc.wasm?url';

/** The files there are. */
export const files = new Map<string, Uint8Array<ArrayBuffer>>();

class Buffer extends Uint8Array<ArrayBuffer> {
  static override from(text: any, encoding?: any): any {
    if (typeof text !== 'string') return new Buffer(text as never);
    return encoding === 'latin1' ? new Buffer(Array.from(text as string, (c) => c.charCodeAt(0)) as never) : viewed(new TextEncoder().encode(text));
  }
  static concat(parts: readonly Uint8Array[]): Buffer {
    const all = new Buffer(parts.reduce((sum, part) => sum + part.length, 0) as never);
    let at = 0;
    for (const part of parts) { all.set(part, at); at += part.length; }
    return all;
  }
  override toString(encoding = 'utf8', start = 0, end = this.length): string {
    const bytes = super.subarray(start, end);
    if (encoding !== 'latin1') return new TextDecoder().decode(bytes);
    let text = '';
    for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...new Uint8Array(bytes.buffer, bytes.byteOffset + i, Math.min(8192, bytes.length - i)));
    return text;
  }
  override indexOf(value: any, from = 0): number {
    if (typeof value === 'number') return super.indexOf(value, from);
    const wanted = Buffer.from(value, 'latin1') as Buffer;
    for (let at = super.indexOf(wanted[0]!, from); at >= 0; at = super.indexOf(wanted[0]!, at + 1))
      if (wanted.every((byte, i) => this[at + i] === byte)) return at;
    return -1;
  }
  override lastIndexOf(value: any, from = this.length): number { return super.lastIndexOf(typeof value === 'string' ? value.charCodeAt(0) : value, from); } // of one character
  readUInt32LE(at: number): number { return new DataView(this.buffer, this.byteOffset).getUint32(at, true); }
  readUInt16LE(at: number): number { return new DataView(this.buffer, this.byteOffset).getUint16(at, true); }
}
const viewed = (bytes: Uint8Array): Buffer => new Buffer(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);
(globalThis as any).Buffer = Buffer;

/** Two hashes of 32 bits that know nothing of one another, of all bytes and how many there are: equal bodies have equal ones. */
export function createHash() {
  let a = 0x811c9dc5, b = 0x9e3779b9, count = 0;
  const hash = {
    update(view: ArrayBufferView) {
      const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
      for (const byte of bytes) { a = Math.imul(a ^ byte, 0x01000193); b = Math.imul((b << 5 | b >>> 27) ^ byte, 0x85ebca6b); }
      count += bytes.length;
      return hash;
    },
    digest: () => `${a >>> 0} ${b >>> 0} ${count}`,
  };
  return hash;
}

class IfcAPI extends web.IfcAPI {
  override Init(): Promise<void> { return super.Init(() => wasm, true); }
  /** The module for browsers in this release takes no fourth argument. The scale that it applies is measured by the reader. */
  override StreamMeshes(model: number, products: number[], each: (mesh: web.FlatMesh, index: number, total: number) => void): void { (this.wasmModule as any).StreamMeshes(model, products, each); }
}
export const createRequire = () => () => ({ IfcAPI, LogLevel: web.LogLevel });

export default {
  readFileSync: (path: string) => viewed(files.get(path)!),
  writeSync: (): never => { throw new Error('the stream goes elsewhere'); },
  inflateRawSync: (bytes: Uint8Array) => viewed(inflateSync(bytes)),
};
