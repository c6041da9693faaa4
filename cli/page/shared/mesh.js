/* Meshes made ready for drawing: smooth normals with creases kept, and feature edges.
 *
 * Every triangle gets its own three corners, so that a crease shows; a normal is the mean, weighted by angle, of the
 * faces around the corner that bend less than the crease angle from this one. */

const CREASE = Math.cos((38 * Math.PI) / 180); /* smoother than this is a curved surface */
const FEATURE = Math.cos((30 * Math.PI) / 180); /* sharper than this is an edge to draw */
const FAN_LIMIT = 96; /* corners with more faces than this get flat normals: the mean costs their square */

function prepareMesh(mesh) {
  if (mesh.flat) return mesh;
  const { position: p, corner } = mesh,
    count = mesh.triangles;
  const flat = new Float32Array(9 * count),
    normal = new Float32Array(3 * count),
    angle = new Float32Array(3 * count);
  for (let t = 0; t < count; t++) {
    for (let k = 0; k < 3; k++) for (let d = 0; d < 3; d++) flat[9 * t + 3 * k + d] = p[3 * corner[3 * t + k] + d];
    const o = 9 * t;
    const ux = flat[o + 3] - flat[o],
      uy = flat[o + 4] - flat[o + 1],
      uz = flat[o + 5] - flat[o + 2];
    const vx = flat[o + 6] - flat[o],
      vy = flat[o + 7] - flat[o + 1],
      vz = flat[o + 8] - flat[o + 2];
    const nx = uy * vz - uz * vy,
      ny = uz * vx - ux * vz,
      nz = ux * vy - uy * vx,
      size = Math.hypot(nx, ny, nz) || 1;
    normal.set([nx / size, ny / size, nz / size], 3 * t);
    const wx = vx - ux,
      wy = vy - uy,
      wz = vz - uz;
    const u = Math.hypot(ux, uy, uz),
      v = Math.hypot(vx, vy, vz),
      w = Math.hypot(wx, wy, wz);
    angle[3 * t] = Math.acos(Math.max(-1, Math.min(1, (ux * vx + uy * vy + uz * vz) / (u * v || 1))));
    angle[3 * t + 1] = Math.acos(Math.max(-1, Math.min(1, -(ux * wx + uy * wy + uz * wz) / (u * w || 1))));
    angle[3 * t + 2] = Math.max(0, Math.PI - angle[3 * t] - angle[3 * t + 1]);
  }
  const around = cornersAround(mesh);
  mesh.flat = flat;
  mesh.normal = creaseNormals(mesh, around, normal, angle);
  mesh.edge = featureEdges(mesh, around, normal);
  return mesh;
}

/* For every point the corners (3 * triangle + k) that stand on it: list[start[i]] … list[start[i + 1] - 1]. */
function cornersAround({ corner, points }) {
  const start = new Uint32Array(points + 1),
    list = new Uint32Array(corner.length);
  for (const point of corner) start[point + 1]++;
  for (let i = 0; i < points; i++) start[i + 1] += start[i];
  const next = start.slice(0, points);
  for (let c = 0; c < corner.length; c++) list[next[corner[c]]++] = c;
  return { start, list };
}

function creaseNormals({ corner, points }, { start, list }, normal, angle) {
  const out = new Int8Array(3 * corner.length);
  for (let point = 0; point < points; point++) {
    const from = start[point],
      to = start[point + 1],
      smooth = to - from <= FAN_LIMIT;
    for (let i = from; i < to; i++) {
      const face = 3 * Math.floor(list[i] / 3),
        nx = normal[face],
        ny = normal[face + 1],
        nz = normal[face + 2];
      let x = smooth ? 0 : nx,
        y = smooth ? 0 : ny,
        z = smooth ? 0 : nz;
      for (let j = from; smooth && j < to; j++) {
        const other = 3 * Math.floor(list[j] / 3),
          ox = normal[other],
          oy = normal[other + 1],
          oz = normal[other + 2];
        if (other !== face && nx * ox + ny * oy + nz * oz < CREASE) continue;
        const weight = angle[list[j]];
        ((x += weight * ox), (y += weight * oy), (z += weight * oz));
      }
      const scale = 127 / (Math.hypot(x, y, z) || 1);
      ((out[3 * list[i]] = x * scale), (out[3 * list[i] + 1] = y * scale), (out[3 * list[i] + 2] = z * scale));
    }
  }
  return out;
}

/* The edges where the surface bends sharply or ends: two points each. */
function featureEdges({ corner, points, position }, { start, list }, normal) {
  const out = [];
  const near = []; /* [other end, triangle] of the edges from this point to higher ones */
  for (let point = 0; point < points; point++) {
    near.length = 0;
    for (let i = start[point]; i < start[point + 1]; i++) {
      const face = Math.floor(list[i] / 3),
        k = list[i] - 3 * face;
      for (const step of [1, 2]) {
        const other = corner[3 * face + ((k + step) % 3)];
        if (other > point) near.push([other, face]);
      }
    }
    near.sort((a, b) => a[0] - b[0]);
    for (let i = 0, j; i < near.length; i = j) {
      for (j = i + 1; j < near.length && near[j][0] === near[i][0];) j++;
      if (j - i === 2) {
        const f = 3 * near[i][1],
          g = 3 * near[i + 1][1];
        if (normal[f] * normal[g] + normal[f + 1] * normal[g + 1] + normal[f + 2] * normal[g + 2] > FEATURE) continue;
      }
      for (const end of [point, near[i][0]]) out.push(position[3 * end], position[3 * end + 1], position[3 * end + 2]);
    }
  }
  return new Float32Array(out);
}
