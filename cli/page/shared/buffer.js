/* The data inside a page, small vectors, and numbers as text.
 *
 * Numbers for the graphics card stand in blocks of base64 (type "application/x-carom-buffer") that make one
 * little-endian buffer when joined in order; the JSON beside them names byte offsets into it. */

/* Joins the base64 blocks and takes them out of the document. */
function readBuffer(total) {
  const bytes = new Uint8Array(total);
  let at = 0;
  for (const block of document.querySelectorAll('script[type="application/x-carom-buffer"]')) {
    const text = atob(block.textContent);
    for (let i = 0; i < text.length; i++) bytes[at++] = text.charCodeAt(i);
    block.remove();
  }
  if (at !== total) throw new Error(`the report is damaged: ${at} of ${total} bytes`);
  return bytes.buffer;
}

/* --- packed blocks: base64 of zlib, unpacked when needed ------------------------------------------------------------- */

function bytesOf(base64) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
  const text = atob(base64),
    bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/* The bytes of a block, in an ArrayBuffer. */
async function unpack(base64) {
  const stream = new DecompressionStream('deflate'),
    writer = stream.writable.getWriter(),
    reader = stream.readable.getReader(),
    pieces = [];
  const written = writer.write(bytesOf(base64)).then(() => writer.close());
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value);
    size += value.length;
  }
  await written;
  const out = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    out.set(piece, at);
    at += piece.length;
  }
  return out.buffer;
}

/* Reads `count` numbers from `bytes` at `at`, each seven bits a byte, the lowest first, its sign the lowest bit of all, and
 * gives each to `take`. Returns where they end. */
function readSigned(bytes, at, count, take) {
  for (let i = 0; i < count; i++) {
    let value = 0,
      shift = 0,
      byte;
    do {
      byte = bytes[at++];
      value |= (byte & 127) << shift;
      shift += 7;
    } while (byte & 128);
    take((value >>> 1) ^ -(value & 1), i);
  }
  return at;
}

const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const mix = (a, b, t) => [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t];
const length = (a) => Math.hypot(a[0], a[1], a[2]);

/* Writes the 3x4 matrix of a pose, row by row, to `rows` from element `at` of each of its three arrays. */
function writeRows([px, py, pz, x, y, z, w], rows, at) {
  const [a, b, c] = rows;
  a[at] = 1 - 2 * (y * y + z * z);
  a[at + 1] = 2 * (x * y - z * w);
  a[at + 2] = 2 * (x * z + y * w);
  a[at + 3] = px;
  b[at] = 2 * (x * y + z * w);
  b[at + 1] = 1 - 2 * (x * x + z * z);
  b[at + 2] = 2 * (y * z - x * w);
  b[at + 3] = py;
  c[at] = 2 * (x * z - y * w);
  c[at + 1] = 2 * (y * z + x * w);
  c[at + 2] = 1 - 2 * (x * x + y * y);
  c[at + 3] = pz;
}

/* The same as one array of twelve. */
const oneRows = [0, 1, 2].map(() => new Float64Array(4));
function poseRows(pose) {
  const [a, b, c] = (writeRows(pose, oneRows, 0), oneRows);
  return [a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3], c[0], c[1], c[2], c[3]];
}

/* --- numbers as text ------------------------------------------------------------------------------------------- */

const unit = { metres: 1, name: 'm' };

/* Four significant digits; never an exponent where a person would not write one. */
function digits(value) {
  if (value === 0 || !Number.isFinite(value)) return String(Math.abs(value) || 0);
  const size = Math.abs(value);
  if (size < 1e-4 || size >= 1e7) return value.toExponential(2).replace('e-', 'e−').replace('e+', 'e').replace(/^-/, '−');
  const text = size >= 1000 ? value.toFixed(size >= 10000 ? 0 : 1) : value.toPrecision(4);
  return text
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '')
    .replace(/^-/, '−');
}
const lengthText = (metres) => `${digits(metres / unit.metres)} ${unit.name}`;
const sizeText = (size) => `${size.map((x) => digits(x / unit.metres)).join(' × ')} ${unit.name}`;
const countText = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ' ');
const plural = (n, one, many = `${one}s`) => `${countText(n)} ${n === 1 ? one : many}`;
