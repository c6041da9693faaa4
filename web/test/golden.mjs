/* Runs golden tests in a module of them; what failed, and why. In Node.js and in a page. */
export function golden(module) {
  const failed = [];
  let ran = 0;
  for (const { name } of WebAssembly.Module.exports(module)) {
    if (name === 'memory' || name === 'golden_message') continue;
    const nothing = () => 0; // formatted text drags in files that are never opened
    const { exports } = new WebAssembly.Instance(module, { wasi_snapshot_preview1: { fd_close: nothing, fd_seek: nothing, fd_write: nothing } });
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
