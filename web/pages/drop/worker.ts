/* Reads what was dropped and checks it, beside the page: a large model would hold that up. A worker is for one check;
 * whoever stops it ends it. */
import wasm from '../../out/check/check.wasm?url';
import { Check, type Asked } from './check';
import { isBeside } from './read/beside';
import { read, Unread, type Dropped } from './read/read';

export interface Job { files: Dropped[]; asked: Asked }
export type Said =
  | { kind: 'progress'; text: string; done: number; total: number }
  | { kind: 'failed'; text: string }
  | { kind: 'answer'; code: number; json: Uint8Array<ArrayBuffer>; messages: string[] }
  | { kind: 'report'; html: Uint8Array<ArrayBuffer> };
const say = (said: Said, move: Transferable[] = []) => (self as unknown as Worker).postMessage(said, move);

const compiled = WebAssembly.compileStreaming(fetch(wasm));
let shown = 0;
/** Not for every pair: twenty times a second is enough to see. */
function progress(done: number, total: number): void {
  const now = performance.now();
  if (done < total && now - shown < 50) return;
  shown = now;
  say({ kind: 'progress', text: `${done} of ${total} near pairs`, done, total });
}

async function work({ files, asked }: Job): Promise<void> {
  const models = files.filter(({ name }) => !isBeside(name)), streams: { name: string; stream: Uint8Array }[] = [];
  for (const [i, file] of models.entries()) {
    say({ kind: 'progress', text: `reading ${file.name}`, done: i, total: models.length });
    streams.push({ name: file.name, stream: await read(file, files) });
  }
  say({ kind: 'progress', text: 'building the parts', done: models.length, total: models.length });
  const check = await Check.load(await compiled, progress), { code, json, messages } = check.run(streams, asked);
  const done = code <= 2 && json.length > 0;
  say({ kind: 'answer', code, json, messages }, [json.buffer]);
  if (!done) return;
  const html = check.report();
  say({ kind: 'report', html }, [html.buffer]);
}
addEventListener('message', async ({ data }: MessageEvent<Job>) => {
  try {
    await work(data);
  } catch (error) {
    say({ kind: 'failed', text: error instanceof Unread ? error.message : `It stopped: ${error instanceof Error ? error.message : String(error)}` });
  }
});
