/* Batches that hold many parts, so that a model of thousands costs a few draw calls. */

const BATCH_TRIANGLES = 150000;
const COPY_TRIANGLES = 30000; /* repeated meshes are copied up to this many triangles in all, else instanced */

/* How the parts are drawn: `batches` hold copies of several parts in the scene's frame, `shared` one mesh for many
 * parts. Every part finds itself again through part.range = { batch, start, count } or { shared }. */
function planBatches(report) {
  const users = report.meshes.map(() => []);
  for (const part of report.parts) users[part.mesh].push(part);
  const batches = [],
    shared = [];
  let batch = null;
  users.forEach((parts, index) => {
    const mesh = report.meshes[index];
    if (!mesh.triangles || !parts.length) return;
    if (parts.length > 1 && parts.length * mesh.triangles > COPY_TRIANGLES) {
      shared.push({ mesh, parts });
      return;
    }
    for (const part of parts) {
      if (!batch || (batch.triangles && batch.triangles + mesh.triangles > BATCH_TRIANGLES))
        batches.push((batch = { parts: [], triangles: 0 }));
      batch.parts.push(part);
      batch.triangles += mesh.triangles;
    }
  });
  return { batches, shared };
}

/* Writes triples moved by the pose `rows` (or only turned, where `turn`) to `out` from element `at`. */
function transformInto(out, at, triples, rows, turn) {
  const [a, b, c, px, d, e, f, py, g, h, i, pz] = rows,
    x0 = turn ? 0 : px,
    y0 = turn ? 0 : py,
    z0 = turn ? 0 : pz;
  for (let n = 0; n < triples.length; n += 3) {
    const x = triples[n],
      y = triples[n + 1],
      z = triples[n + 2];
    out[at + n] = a * x + b * y + c * z + x0;
    out[at + n + 1] = d * x + e * y + f * z + y0;
    out[at + n + 2] = g * x + h * y + i * z + z0;
  }
}

/* The arrays of one batch. */
function fillBatch(report, batch) {
  const position = new Float32Array(9 * batch.triangles),
    normal = new Int8Array(9 * batch.triangles);
  const part = new Float32Array(3 * batch.triangles);
  let at = 0,
    edges = 0;
  for (const one of batch.parts) edges += prepareMesh(report.meshes[one.mesh]).edge.length;
  const edge = new Float32Array(edges),
    edgePart = new Float32Array(edges / 3);
  edges = 0;
  for (const one of batch.parts) {
    const mesh = report.meshes[one.mesh];
    transformInto(position, at, mesh.flat, one.rows, false);
    transformInto(normal, at, mesh.normal, one.rows, true);
    part.fill(one.index, at / 3, (at + mesh.flat.length) / 3);
    one.range = { batch, start: at / 3, count: mesh.flat.length / 3 };
    at += mesh.flat.length;
    transformInto(edge, edges, mesh.edge, one.rows, false);
    edgePart.fill(one.index, edges / 3, (edges + mesh.edge.length) / 3);
    edges += mesh.edge.length;
  }
  return { position, normal, part, edge, edgePart };
}
