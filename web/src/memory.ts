/* The module's memory as the bindings use it: scratch space taken as from a stack, views that are renewed when the
 * memory has grown, errors, texts, and callbacks.
 *
 * Nothing here hands out a view of the memory: what leaves is copied. A call enters, takes scratch, calls, leaves (the
 * memory may have grown meanwhile, and a callback may have thrown) and releases. Calls nest, through callbacks. */
import { statuses, type Shape, type Status } from './generated/types.js';

export type Exports = Record<string, (...args: any[]) => any>;

/** What a call refuses, and why: `field` names the part of a description, `index` the first bad element of an array. */
export class CaromError extends Error {
  override readonly name = 'CaromError';
  constructor(readonly status: Status, message: string, readonly field?: string, readonly index?: number) {
    super(message);
  }
}

const SCRATCH = 1 << 16, DEPTH = 256;
const NONE = 0xffffffff;

export class Memory {
  u8!: Uint8Array;
  u16!: Uint16Array;
  i32!: Int32Array;
  u32!: Uint32Array;
  f32!: Float32Array;
  f64!: Float64Array;

  private top: number;
  private readonly end: number;
  private depth = 0;
  private readonly tops = new Int32Array(DEPTH);
  private readonly slotTops = new Int32Array(DEPTH);
  private readonly blocks: { depth: number; address: number }[] = [];
  private readonly slots: (((...args: number[]) => number | void) | undefined)[] = [undefined];
  private readonly kept = new Map<number, (...args: number[]) => number | void>();
  private nextKept = 1 << 20;
  private thrown: { error: unknown } | undefined;
  private readonly malloc: (bytes: number) => number;
  readonly free: (address: number) => void;
  /** The cm_tasks that descriptions point to; 0: none. */
  tasks = 0;
  /** What ended a job of threads before it was done: nothing can be asked any more. */
  broken: Error | undefined;
  /** Where the module counts the pages of a memory that threads share; 0: it is not shared. */
  private readonly pages: number = 0;
  private readonly decoder = new TextDecoder();
  private readonly encoder = new TextEncoder();

  constructor(readonly exports: Exports, private readonly memory: WebAssembly.Memory,
    readonly shape: (words: Uint32Array) => Shape) {
    this.malloc = exports.malloc as (bytes: number) => number;
    this.free = exports.free as (address: number) => void;
    this.renew();
    if (this.u8.buffer instanceof ArrayBuffer === false) this.pages = (exports.pages!() as number) >> 2;
    this.top = this.allocate(SCRATCH);
    this.end = this.top + SCRATCH;
  }

  private renew(): void {
    if (this.pages) this.memory.grow(0); // whoever made it grow, the buffer is of its present size then
    const buffer = this.memory.buffer;
    this.u8 = new Uint8Array(buffer);
    this.u16 = new Uint16Array(buffer);
    this.i32 = new Int32Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.f32 = new Float32Array(buffer);
    this.f64 = new Float64Array(buffer);
  }
  /** After anything that may have made the memory grow: a view of what it was has no length, or, where the memory is
   * shared, its old one. */
  fresh(): void {
    if (this.u8.length === 0 || (this.pages && this.u32[this.pages]! * 65536 > this.u8.length)) this.renew();
  }

  /* --- scratch --- */

  enter(): number {
    const depth = this.depth;
    if (depth === DEPTH) throw new RangeError('callbacks that call back, too deep');
    if (this.broken) throw this.broken;
    this.fresh();
    this.tops[depth] = this.top;
    this.slotTops[depth] = this.slots.length;
    return (this.depth = depth + 1);
  }
  /** After the call: the memory may have grown, and a callback may have thrown. */
  leave(): void {
    this.fresh();
    if (this.thrown) {
      const { error } = this.thrown;
      this.thrown = undefined;
      throw error;
    }
  }
  release(depth: number): void {
    this.depth = depth - 1;
    this.top = this.tops[depth - 1]!;
    const slots = this.slotTops[depth - 1]!;
    if (this.slots.length > slots) this.slots.length = slots; // to set it takes time
    while (this.blocks.length > 0 && this.blocks[this.blocks.length - 1]!.depth >= depth) this.free(this.blocks.pop()!.address);
    this.fresh();
  }
  /** Room until the call is over. What is large is taken from the heap. */
  take(bytes: number): number {
    if (!(bytes >= 0 && bytes <= 0x7fffffff)) throw new RangeError(`no room for ${bytes} bytes`);
    const address = this.top, next = address + ((bytes + 15) & ~15);
    if (next <= this.end) {
      this.top = next;
      return address;
    }
    const block = this.allocate(bytes);
    this.blocks.push({ depth: this.depth, address: block });
    return block;
  }
  allocate(bytes: number): number {
    const address = this.malloc(bytes) >>> 0;
    this.fresh();
    if (address === 0) throw new CaromError('noMemory', `no memory for ${bytes} bytes`);
    return address;
  }
  /** Writes an address, once it is known: what finds it may make the memory grow. */
  point(place: number, address: number): void {
    this.u32[place >> 2] = address;
  }
  zero(address: number, bytes: number): void {
    this.u8.fill(0, address, address + bytes);
  }

  /* --- arrays and texts --- */

  put_f32(from: ArrayLike<number>): number { const p = this.take(4 * from.length); this.f32.set(from, p >> 2); return p; }
  put_f64(from: ArrayLike<number>): number { const p = this.take(8 * from.length); this.f64.set(from, p >> 3); return p; }
  put_u32(from: ArrayLike<number>): number { const p = this.take(4 * from.length); this.u32.set(from, p >> 2); return p; }
  put_i32(from: ArrayLike<number>): number { const p = this.take(4 * from.length); this.i32.set(from, p >> 2); return p; }
  put_u8(from: ArrayLike<number>): number { const p = this.take(from.length); this.u8.set(from, p); return p; }
  copy_f32(p: number, count: number, to: ArrayLike<number>): void { (to as Float32Array).set(this.f32.subarray(p >> 2, (p >> 2) + count)); }
  copy_f64(p: number, count: number, to: ArrayLike<number>): void { (to as Float64Array).set(this.f64.subarray(p >> 3, (p >> 3) + count)); }
  copy_u32(p: number, count: number, to: ArrayLike<number>): void { (to as Uint32Array).set(this.u32.subarray(p >> 2, (p >> 2) + count)); }
  copy_i32(p: number, count: number, to: ArrayLike<number>): void { (to as Int32Array).set(this.i32.subarray(p >> 2, (p >> 2) + count)); }
  copy_u8(p: number, count: number, to: ArrayLike<number>): void { (to as Uint8Array).set(this.u8.subarray(p, p + count)); }
  putAll<E>(from: readonly E[], size: number, put: (m: Memory, p: number, v: E) => void): number {
    const p = this.take(from.length * size);
    for (let i = 0; i < from.length; i++) put(this, p + size * i, from[i]!);
    return p;
  }
  putIndices(from: ArrayLike<number>): number {
    if (!(from instanceof Uint16Array)) return this.put_u32(from);
    const p = this.take(2 * from.length);
    this.u16.set(from, p >> 1);
    return p;
  }
  putSamples(from: ArrayLike<number>, wide: boolean): number {
    if (!(from instanceof Uint16Array || from instanceof Int16Array)) return wide ? this.put_f64(from) : this.put_f32(from);
    const p = this.take(2 * from.length);
    this.u16.set(from, p >> 1);
    return p;
  }
  putText(text: string): number {
    if (this.pages) return this.put_u8(this.encoder.encode(`${text}\0`)); // browsers encode into no shared memory
    const p = this.take(3 * text.length + 1), { written } = this.encoder.encodeInto(text, this.u8.subarray(p));
    this.u8[p + written] = 0;
    return p;
  }
  text(address: number): string {
    if (address === 0) return '';
    return this.decoder.decode(this.u8.slice(address, this.u8.indexOf(0, address)));
  }
  /** How many elements of `size` numbers an array has. */
  count(from: ArrayLike<number>, size: number, field: string): number {
    if (from.length % size !== 0) throw new RangeError(`${field}: ${from.length} numbers, not a multiple of ${size}`);
    return from.length / size;
  }
  expect(from: ArrayLike<unknown> | null | undefined, least: number, field: string): void {
    if (from && from.length < least) throw new RangeError(`${field}: ${from.length} numbers, ${least} are needed`);
  }
  /** Of several arrays that one number counts: the first that is given sets it, the others must be as long. */
  agree(place: number, count: number, field: string): void {
    const known = this.u32[place >> 2]!;
    if (known === NONE) this.u32[place >> 2] = count;
    else if (known !== count) throw new RangeError(`${field}: ${count} elements, others have ${known}`);
  }
  getHex(p: number): string { return this.u32[(p >> 2) + 1]!.toString(16).padStart(8, '0') + this.u32[p >> 2]!.toString(16).padStart(8, '0'); }
  putHex(p: number, text: string): void {
    if (!/^([0-9a-f]{16})?$/i.test(text)) throw new TypeError(`not 16 hexadecimal digits: ${text}`);
    this.u32[p >> 2] = Number(`0x${text.slice(8) || 0}`);
    this.u32[(p >> 2) + 1] = Number(`0x${text.slice(0, 8) || 0}`);
  }
  getU64(p: number): number { return this.u32[p >> 2]! + this.u32[(p >> 2) + 1]! * 0x100000000; }
  putU64(p: number, value: number): void {
    this.u32[p >> 2] = value;
    this.u32[(p >> 2) + 1] = Math.floor(value / 0x100000000);
  }
  /** Objects of a list that is filled again and again, those beyond its present length too. */
  pool(list: unknown[]): unknown[] {
    let pool = pools.get(list);
    if (!pool) pools.set(list, (pool = [...list]));
    return pool;
  }
  call(name: string, ...args: number[]): number { return this.exports[name]!(...args) as number; }

  /* --- errors --- */

  check(status: number, error: number): void {
    if (status === 0) return;
    const name = statuses[status] ?? 'invalid';
    let field: string | undefined, index: number | undefined;
    if (error !== 0) {
      field = this.text(this.u32[(error + 4) >> 2]!).replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) || undefined;
      index = this.u32[(error + 8) >> 2];
      if (index === NONE) index = undefined;
    }
    const text = this.text((this.exports.cm_status_text ?? this.exports.cmd_status_text)!(status) as number);
    throw new CaromError(name, `${text}${field ? `: ${field}` : ''}${index === undefined ? '' : ` ${index}`}`, field, index);
  }

  /* --- callbacks --- */

  /** Gives a function a number, to be handed over as `user`; for this call, or until `forget`. */
  callback(fn: (...args: number[]) => number | void, keep: boolean): number {
    if (keep) {
      this.kept.set(this.nextKept, fn);
      this.lastKept = this.nextKept;
      return this.nextKept++;
    }
    this.slots.push(fn);
    return this.slots.length - 1;
  }
  /** The number of the function that was kept last; 0 where none was since it was asked. */
  takeKept(): number {
    const n = this.lastKept;
    this.lastKept = 0;
    return n;
  }
  private lastKept = 0;
  forget(slot: number): void { this.kept.delete(slot); }
  /** The module's function pointer for callbacks of this signature: what it calls is `dispatch`, its import. */
  trampoline(signature: string): number { return this.exports[`callback_${signature}`]!() as number; }
  /** Calls the function that has this number; no signature has more than four arguments besides. An exception ends the query where it can, and is thrown once the module
   * has returned. */
  dispatch(slot: number, a: number, b: number, c: number, d: number): number {
    if (this.thrown) return 0;
    this.fresh();
    try {
      const fn = slot < 1 << 20 ? this.slots[slot] : this.kept.get(slot);
      return fn!(a, b, c, d) as number;
    } catch (error) {
      this.thrown = { error };
      return 0;
    }
  }
}

const pools = new WeakMap<unknown[], unknown[]>();
