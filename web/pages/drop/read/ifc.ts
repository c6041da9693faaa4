/* IFC by the command's own reader (readers/ifc), on web-ifc: the same parts, and the same is said of what could not be
 * read. It is a program for Node.js; node.ts stands for what it asks of that. */
import './node';
import { readIfc } from '../../../../readers/ifc/read.mjs';
import { sendTo } from '../../../../readers/ifc/stream.mjs';
import { files } from './node';
import type { Reader } from './read';
import { join } from './stream';

export const read: Reader = async ({ name, bytes }) => {
  const parts: Uint8Array[] = [];
  files.set(name, bytes);
  sendTo((chunk: Uint8Array) => { parts.push(chunk); });
  try {
    await readIfc(name, 0);
  } finally { files.delete(name); }
  return join(parts);
};
