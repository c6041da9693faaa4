/* The report's data: what cli/page/report.c wrote into the page, turned into plain objects.
 *
 * The metadata is one JSON block (id "report"; its fields are described in cli/page/report.c). Numbers stand
 * in the buffer (buffer.js). Coordinates there are float32: points of a mesh relative to the mesh's own
 * center, outlines relative to the scene's origin; both in metres. */

const RELATIONS = {
  crossing: { tone: 'crossing', label: 'Crossing', rank: 0, clash: true },
  inside: { tone: 'inside', label: 'Inside', rank: 1, clash: true },
  identical: { tone: 'identical', label: 'Identical', rank: 2, clash: true },
  clearance: { tone: 'clearance', label: 'Within clearance', rank: 3, clash: false },
  touching: { tone: 'touching', label: 'Touching', rank: 4, clash: false },
};

/* "engine/crank/pin" -> { folder: "engine/crank/", leaf: "pin" }; `shared` letters, which all names begin with, go. */
function splitName(name, shared) {
  const cut = name.lastIndexOf('/', name.length - 2) + 1;
  return { folder: name.slice(shared, cut), leaf: name.slice(cut) };
}

/* How many letters of folders all names have in common. */
function sharedFolder(names) {
  if (names.length < 2) return 0;
  let shared = names[0].lastIndexOf('/') + 1;
  for (const name of names)
    while (shared && !(name.startsWith(names[0].slice(0, shared)) && shared < name.length))
      shared = shared > 1 ? names[0].lastIndexOf('/', shared - 2) + 1 : 0;
  return shared;
}

function loadReport() {
  const block = document.getElementById('report');
  const report = JSON.parse(block.textContent);
  block.remove();
  const buffer = readBuffer(report.bytes);
  for (const mesh of report.meshes) {
    mesh.position = new Float32Array(buffer, mesh.points_at, 3 * mesh.points);
    mesh.corner = new Uint32Array(buffer, mesh.corners_at, 3 * mesh.triangles);
    const low = [Infinity, Infinity, Infinity],
      high = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < mesh.position.length; i++) {
      low[i % 3] = Math.min(low[i % 3], mesh.position[i]);
      high[i % 3] = Math.max(high[i % 3], mesh.position[i]);
    }
    mesh.center = mesh.points ? mix(low, high, 0.5) : [0, 0, 0];
    mesh.radius = mesh.points ? length(sub(high, low)) / 2 : 0;
    mesh.size = mesh.points ? sub(high, low) : [0, 0, 0];
  }
  for (const bounds of report.bounds) {
    if (!bounds) continue;
    bounds.position = new Float32Array(buffer, bounds.points_at, 3 * bounds.points);
    bounds.corner = new Uint32Array(buffer, bounds.corners_at, 3 * bounds.triangles);
  }
  const shared = sharedFolder(report.parts.map((part) => part.name));
  report.parts.forEach((part, index) => {
    const rows = poseRows(part.pose),
      mesh = report.meshes[part.mesh],
      c = mesh.center;
    Object.assign(part, splitName(part.name, shared), {
      index,
      rows,
      hits: [],
      visible: true,
      radius: mesh.radius,
      half: mesh.size.map((x) => x / 2),
      triangles: mesh.triangles,
    });
    part.center = [0, 4, 8].map((r) => rows[r] * c[0] + rows[r + 1] * c[1] + rows[r + 2] * c[2] + rows[r + 3]);
    part.search = part.name.toLowerCase();
  });
  for (const gone of report.resolved ?? []) {
    const part = (name) => ({ ...splitName(name, shared), name, search: name.toLowerCase(), gone: true, index: -1, hits: [], radius: 0, center: [0, 0, 0], triangles: 0 });
    report.findings.push({ ...gone, a: part(gone.name_a), b: part(gone.name_b), status: 'resolved', tolerance: 0, crossings: 0 });
  }
  report.findings.forEach((finding, index) => {
    const a = finding.a.gone ? finding.a : report.parts[finding.a],
      b = finding.b.gone ? finding.b : report.parts[finding.b];
    Object.assign(finding, RELATIONS[finding.relation], { index, partA: a, partB: b, link: `finding-${index}`, resolved: finding.status === 'resolved' });
    finding.pointA = sub(finding.point_a, report.origin);
    finding.pointB = sub(finding.point_b, report.origin);
    finding.search = `${a.search} ${b.search} ${(finding.test ?? '').toLowerCase()}`;
    a.hits.push(finding);
    b.hits.push(finding);
    if (finding.outline) {
      finding.segments = new Float32Array(buffer, finding.outline.at, 6 * finding.outline.segments);
      const [low, high] = finding.outline.bounds.map((p) => sub(p, report.origin));
      finding.place = mix(low, high, 0.5);
      finding.reach = length(sub(high, low)) / 2;
    } else {
      finding.place = mix(finding.pointA, finding.pointB, 0.5);
      finding.reach = length(sub(finding.pointA, finding.pointB)) / 2;
    }
    if (finding.relation === 'identical' && !a.gone) finding.place = a.center;
    if (finding.relation === 'inside' && !a.gone) finding.place = finding.inner === 'a' ? a.center : b.center;
  });
  return report;
}

/* A ball around the given parts. */
function modelSphere(parts) {
  const low = [Infinity, Infinity, Infinity],
    high = [-Infinity, -Infinity, -Infinity];
  for (const part of parts)
    for (let k = 0; k < 3; k++) {
      low[k] = Math.min(low[k], part.center[k] - part.radius);
      high[k] = Math.max(high[k], part.center[k] + part.radius);
    }
  if (!parts.length) return { center: [0, 0, 0], radius: 1 };
  const center = mix(low, high, 0.5);
  let radius = 0;
  for (const part of parts) radius = Math.max(radius, length(sub(part.center, center)) + part.radius);
  return { center, radius: radius || 1 };
}
