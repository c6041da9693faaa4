/** What of readers/ifc is used here: plain JavaScript. */
declare module '*/readers/ifc/read.mjs' {
  export function readIfc(path: string, chord: number): Promise<void>;
}
declare module '*/readers/ifc/stream.mjs' {
  export function sendTo(where: (bytes: Uint8Array) => void): void;
}
