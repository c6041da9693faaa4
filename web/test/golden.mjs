/* Runs golden tests in a module of them; what failed, and why. In Node.js and in a page. What the library gives to threads
 * is done backwards, by three in turn, unless `instantiate` says otherwise. */
export function golden(module, instantiate = alone) {
  const failed = [];
  let ran = 0;
  for (const { name } of WebAssembly.Module.exports(module)) {
    if (!name.startsWith('test_')) continue;
    const { exports } = instantiate(module);
    try {
      ran += exports[name]();
    } catch (error) {
      const bytes = new Uint8Array(exports.memory.buffer), at = exports.golden_message();
      failed.push(`${name}: ${error.message}: ${new TextDecoder().decode(bytes.slice(at, bytes.indexOf(0, at)))}`);
    }
  }
  if (ran < 12) failed.push(`only ${ran} tests ran`);
  return failed;
}
const nothing = () => 0; // formatted text drags in files that are never opened
export const files = { fd_close: nothing, fd_seek: nothing, fd_write: nothing };
function alone(module) {
  const run = (_, count, fn, arg) => { for (let i = count - 1; i >= 0; i--) instance.exports.work(fn, arg, i, i + 1, i % 3); };
  const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: files, carom: { run } });
  return instance;
}
