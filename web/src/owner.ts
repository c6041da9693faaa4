/// <reference lib="esnext.disposable" preserve="true" />
/* What owns something in the module's memory, and shapes.
 *
 * An owner is disposed of once, by dispose() or `using`. Whoever borrows it (a compound, a world) retains it: its memory
 * is given back when the last borrower is gone. One that is collected without having been disposed of gives its memory
 * back, too, and says so on the console: collection may come late, or never. */
import type { Shape } from './generated/types.js';

(Symbol as { dispose?: symbol }).dispose ??= Symbol.for('Symbol.dispose');

interface Held { kind: string; address: number; free: (address: number) => void; users: number; disposed: boolean }

const lost = new FinalizationRegistry<Held>((held) => {
  if (held.disposed) return;
  console.warn(`carom: a ${held.kind} was never disposed of`);
  held.disposed = true;
  if (held.users === 0) held.free(held.address);
});

export abstract class Owner implements Disposable {
  /** @internal */
  protected readonly held: Held;
  /** @internal */
  constructor(kind: string, address: number, free: (address: number) => void) {
    this.held = { kind, address, free, users: 0, disposed: false };
    lost.register(this, this.held, this.held);
  }
  /** Its address in the module's memory, for functions of `cm.api`. */
  get pointer(): number {
    if (this.held.disposed) throw new Error(`this ${this.held.kind} was disposed of`);
    return this.held.address;
  }
  get disposed(): boolean { return this.held.disposed; }
  /** Gives its memory back, as soon as nothing borrows it. A second time does nothing. */
  dispose(): void {
    if (this.held.disposed) return;
    this.held.disposed = true;
    lost.unregister(this.held);
    if (this.held.users === 0) this.held.free(this.held.address);
  }
  [Symbol.dispose](): void { this.dispose(); }
  /** @internal */
  retain(): void { this.held.users++; }
  /** @internal */
  giveBack(): void { if (--this.held.users === 0 && this.held.disposed) this.held.free(this.held.address); }
}

/** A shape without memory of its own: a sphere, a box. It needs no dispose(). */
export class PlainShape implements Shape {
  /** @internal */
  constructor(readonly words: Uint32Array) {}
  check(): void { /* borrows nothing */ }
}

/** A shape that owns what it is made of: a hull, a mesh, a height field, a compound. */
export abstract class BuiltShape extends Owner implements Shape {
  /** @internal */
  constructor(kind: string, address: number, free: (address: number) => void, readonly words: Uint32Array) {
    super(kind, address, free);
  }
  check(): void { if (this.disposed) throw new Error(`this ${this.held.kind} was disposed of`); }
}

export function retain(shape: Shape): void { if (shape instanceof Owner) shape.retain(); }
export function giveBack(shape: Shape): void { if (shape instanceof Owner) shape.giveBack(); }
