/* Node.js fetches no files: those are read. */
import { readFile } from 'node:fs/promises';
import type { Source } from './load.js';

export async function fromFile(source: Source): Promise<Source> {
  return source instanceof URL && source.protocol === 'file:' ? readFile(source) : source;
}
