/* Parts in chunks of near ones: a chunk is drawn in detail where the camera is close enough to it, else as the boxes of
 * its parts. Detail is made when it is first wanted, so a model of any size opens at once. */

const CHUNK_TRIANGLES = 30000;
const CHUNK_PARTS = 512;
const COPY_TRIANGLES = 30000; /* a repeated mesh is copied up to this many triangles in all, else instanced */
const SMALL_MESH = 100; /* triangles up to which it is copied always: an instance costs more */
const DETAIL_TRIANGLES = 2e6; /* drawn in detail at a time; twice as many are kept */
const SLOW = 90, /* milliseconds from picture to picture while something moves: then less is drawn until it rests */
  QUICK = 35,
  LEAST_SHARE = 1 / 256;

/* The bits of each number below 1024, with two zeros after each. */
const SPREAD = Uint32Array.from({ length: 1024 }, (_, x) => {
  let out = 0;
  for (let bit = 0; bit < 10; bit++) out += ((x >> bit) & 1) * 8 ** bit;
  return out;
});

/* Parts along a curve that keeps near ones together (Morton 1966). */
function alongCurve(parts) {
  const low = [0, 1, 2].map((k) => parts.reduce((least, part) => Math.min(least, part.center[k]), Infinity)),
    high = [0, 1, 2].map((k) => parts.reduce((most, part) => Math.max(most, part.center[k]), -Infinity)),
    size = Math.max(...sub(high, low)) || 1,
    code = new Float64Array(parts.length);
  parts.forEach((part, at) => {
    for (let k = 0; k < 3; k++) code[at] += SPREAD[Math.floor(((part.center[k] - low[k]) / size) * 1023)] * 2 ** k;
  });
  return Array.from(parts.keys())
    .sort((a, b) => code[a] - code[b] || a - b)
    .map((at) => parts[at]);
}

/* Cuts all parts into chunks: copies of several meshes, or, where `mesh` is set, many of one. */
function planChunks(report) {
  const users = new Uint32Array(report.meshes.length),
    open = new Map(), /* the chunk that is being filled, by its mesh; null: copies */
    chunks = [];
  for (const part of report.parts) users[part.mesh]++;
  for (const part of alongCurve(report.parts)) {
    const mesh = report.meshes[part.mesh],
      repeated = mesh.triangles > SMALL_MESH && users[part.mesh] > 1 && users[part.mesh] * mesh.triangles > COPY_TRIANGLES ? mesh : null;
    if (!mesh.triangles) continue;
    let chunk = open.get(repeated);
    if (!chunk || chunk.parts.length === CHUNK_PARTS || chunk.triangles + mesh.triangles > CHUNK_TRIANGLES) {
      chunk = { mesh: repeated, parts: [], triangles: 0, low: [Infinity, Infinity, Infinity], high: [-Infinity, -Infinity, -Infinity] };
      chunks.push(chunk);
      open.set(repeated, chunk);
    }
    chunk.parts.push(part);
    chunk.triangles += mesh.triangles;
    part.chunk = chunk;
    for (let k = 0; k < 3; k++) {
      chunk.low[k] = Math.min(chunk.low[k], part.center[k] - part.radius);
      chunk.high[k] = Math.max(chunk.high[k], part.center[k] + part.radius);
    }
  }
  for (const chunk of chunks) {
    chunk.center = mix(chunk.low, chunk.high, 0.5);
    chunk.radius = length(sub(chunk.high, chunk.low)) / 2;
  }
  return chunks;
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

/* The arrays of a chunk of copies. */
function fillBatch(report, chunk) {
  const position = new Float32Array(9 * chunk.triangles),
    normal = new Int8Array(9 * chunk.triangles);
  const part = new Float32Array(3 * chunk.triangles);
  let at = 0,
    edges = 0;
  for (const one of chunk.parts) edges += prepareMesh(report.meshes[one.mesh]).edge.length;
  const edge = new Float32Array(edges),
    edgePart = new Float32Array(edges / 3);
  edges = 0;
  for (const one of chunk.parts) {
    const mesh = report.meshes[one.mesh];
    transformInto(position, at, mesh.flat, one.rows, false);
    transformInto(normal, at, mesh.normal, one.rows, true);
    part.fill(one.index, at / 3, (at + mesh.flat.length) / 3);
    at += mesh.flat.length;
    transformInto(edge, edges, mesh.edge, one.rows, false);
    edgePart.fill(one.index, edges / 3, (edges + mesh.edge.length) / 3);
    edges += mesh.edge.length;
  }
  return { position, normal, part, edge, edgePart };
}

/* Three corners a triangle, counterclockwise from outside, of `count` boxes; bits 0, 1, 2 of a corner: its end along x, y, z. */
function boxCorners(count) {
  const sides = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]],
    one = sides.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]);
  return Uint16Array.from({ length: 36 * count }, (_, i) => 8 * Math.floor(i / 36) + one[i % 36]);
}

/* The boxes of parts. They are no instances, as a machine without a graphics card draws each instance by itself: 115,000
 * took 7 s. */
function boxGeometry(parts, corners) {
  const position = new Float32Array(24 * parts.length),
    part = new Float32Array(8 * parts.length),
    geometry = new THREE.BufferGeometry();
  const box = new Float32Array(24);
  parts.forEach(({ rows, index, half: [x, y, z] }, at) => {
    for (let i = 0; i < 8; i++) {
      box[3 * i] = i & 1 ? x : -x;
      box[3 * i + 1] = i & 2 ? y : -y;
      box[3 * i + 2] = i & 4 ? z : -z;
    }
    transformInto(position, 24 * at, box, rows, false);
    part.fill(index, 8 * at, 8 * at + 8);
  });
  geometry.setAttribute('position', new THREE.BufferAttribute(position, 3));
  geometry.setAttribute('part', new THREE.BufferAttribute(part, 1));
  geometry.setIndex(corners);
  return geometry;
}

/* The three attributes of the poses of parts. */
function poseAttributes(parts) {
  const rows = [0, 1, 2].map(() => new Float32Array(4 * parts.length));
  parts.forEach((part, at) => {
    const of = part.rows;
    for (let r = 0; r < 3; r++) for (let k = 0; k < 4; k++) rows[r][4 * at + k] = of[4 * r + k];
  });
  return rows.map((row) => new THREE.InstancedBufferAttribute(row, 4));
}

const partAttribute = (parts) => new THREE.InstancedBufferAttribute(new Float32Array(parts.map((part) => part.index)), 1);

/* --- the chunks of the view ------------------------------------------------------------------------------------------ */

Object.assign(View.prototype, {
  /* The boxes of all parts: what is seen first. */
  makeChunks() {
    this.noEdges = new THREE.BufferGeometry();
    this.noEdges.setAttribute('position', new THREE.BufferAttribute(new Float32Array(0), 3));
    this.chunks = planChunks(this.report);
    this.allDetail = this.chunks.reduce((sum, chunk) => sum + chunk.triangles, 0) <= DETAIL_TRIANGLES;
    this.kept = 0; /* triangles whose detail exists */
    const corners = new THREE.BufferAttribute(boxCorners(CHUNK_PARTS), 1);
    for (const chunk of this.chunks) {
      chunk.parts.sort((a, b) => b.radius - a.radius || a.index - b.index); /* the first ones stand for all */
      chunk.boxes = this.addDrawable(boxGeometry(chunk.parts, corners), this.noEdges, this.materials[2]);
    }
  },

  makeDetail(chunk) {
    const { report } = this;
    if (chunk.mesh) {
      prepareMesh(chunk.mesh);
      const { flat, normal, edge } = chunk.mesh,
        rows = poseAttributes(chunk.parts),
        part = partAttribute(chunk.parts),
        instance = (attributes) => instancedGeometry(attributes, rows, part, chunk.parts.length);
      chunk.mesh.attributes ??= {
        position: new THREE.BufferAttribute(flat, 3),
        normal: new THREE.BufferAttribute(normal, 3, true),
        edge: new THREE.BufferAttribute(edge, 3),
      };
      const { position, normal: facing, edge: lines } = chunk.mesh.attributes;
      chunk.detail = this.addDrawable(instance({ position, normal: facing }), instance({ position: lines }), this.materials[1]);
    } else {
      const data = fillBatch(report, chunk),
        surface = new THREE.BufferGeometry(),
        edges = new THREE.BufferGeometry();
      surface.setAttribute('position', new THREE.BufferAttribute(data.position, 3));
      surface.setAttribute('normal', new THREE.BufferAttribute(data.normal, 3, true));
      surface.setAttribute('part', new THREE.BufferAttribute(data.part, 1));
      edges.setAttribute('position', new THREE.BufferAttribute(data.edge, 3));
      edges.setAttribute('part', new THREE.BufferAttribute(data.edgePart, 1));
      chunk.detail = this.addDrawable(surface, edges, this.materials[0]);
      for (const one of chunk.parts) report.forget(one.mesh);
    }
    this.kept += chunk.triangles;
  },

  dropDetail(chunk) {
    this.removeDrawable(chunk.detail, !chunk.mesh);
    chunk.detail = null;
    this.kept -= chunk.triangles;
  },

  /* Says of each chunk whether it is in sight, and whether in detail: those that fill most of the view first, up to the
   * limit, and before them those of the selected parts. */
  arrange() {
    const { camera, selection } = this,
      planes = new THREE.Frustum(),
      setFrom = planes.setFromProjectionMatrix || planes.setFromMatrix; /* the older of the versions of three.js call it so */
    setFrom.call(planes, new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse));
    const lit = new Set(selection ? (selection.relation ? [selection.partA.chunk, selection.partB.chunk] : [selection.chunk]) : []),
      ball = new THREE.Sphere(),
      eye = camera.position.toArray();
    for (const chunk of this.chunks) {
      ball.center.fromArray(chunk.center);
      ball.radius = chunk.radius;
      chunk.seen = this.bounds.turned || planes.intersectsSphere(ball);
      chunk.away = length(sub(chunk.center, eye));
      chunk.size = lit.has(chunk) ? Infinity : chunk.radius / (chunk.away || 1e-30);
    }
    /* The near ones first: what they hide is not shaded. */
    [...this.chunks].sort((a, b) => a.away - b.away).forEach(({ boxes, detail }, at) => {
      for (const drawable of [boxes, detail]) if (drawable) drawable.solid.renderOrder = at / this.chunks.length;
    });
    const all = this.allDetail && this.share === 1;
    let left = DETAIL_TRIANGLES * this.share;
    const near = all ? this.chunks : [...this.chunks].sort((a, b) => b.size - a.size);
    for (const chunk of near) {
      chunk.wanted = all || (chunk.seen && (chunk.size === Infinity || left >= chunk.triangles));
      if (chunk.wanted && chunk.seen) left -= chunk.triangles;
      chunk.boxes.solid.geometry.setDrawRange(0, 36 * Math.ceil(chunk.parts.length * this.share));
      chunk.boxes.shown = chunk.seen && !(chunk.wanted && chunk.detail);
      if (chunk.detail) chunk.detail.shown = chunk.seen && chunk.wanted;
    }
  },

  /* Draws less of the model while it moves, where the machine is too slow for all of it, and all when it rests. The time
   * from picture to picture tells how slow it is, where both are of one motion: however long it is then. */
  keepPace() {
    const now = performance.now(),
      goesOn = this.moving && this.moved,
      pace = goesOn ? now - this.drawnAt : 0;
    this.drawnAt = now;
    this.moved = this.moving;
    if (goesOn) {
      if (pace > SLOW) this.share = Math.max(LEAST_SHARE, this.share / Math.max(2, pace / SLOW));
      else if (pace < QUICK) this.share = Math.min(1, this.share * 1.25);
    }
    clearTimeout(this.resting);
    this.resting = this.moving || this.share < 1 ? setTimeout(() => this.rest(), Math.min(Math.max(350, 2 * pace), 2000)) : 0;
  },

  /* Not while a picture is asked for and not drawn yet: a slow machine is still at the one before, and may go on moving. */
  rest() {
    if (this.pending) return; /* that picture sets the time anew */
    this.moving = this.moved = false;
    this.lastShare = this.share; /* to begin the next motion with */
    if (this.share === 1) {
      this.load();
      return;
    }
    this.share = 1;
    this.redraw();
  },

  /* The camera moves: by the pointer, by keys, in flight. */
  moves() {
    if (!this.moving && this.lastShare) this.share = this.lastShare;
    this.moving = true;
  },

  /* Makes what is wanted and not there yet, the largest in sight first, step by step, so that the page stays alive. */
  async load() {
    if (this.loading || this.moving) return;
    this.loading = true;
    for (;;) {
      let next = null;
      for (const chunk of this.chunks)
        if (chunk.wanted && !chunk.detail && (!next || chunk.seen > next.seen || (chunk.seen === next.seen && chunk.size > next.size))) next = chunk;
      if (!next || this.moving) break;
      await this.report.fetch(next.mesh ? [next.mesh] : next.parts.map((part) => this.report.meshes[part.mesh]));
      this.makeDetail(next);
      for (const chunk of this.chunks) if (this.kept > 2 * DETAIL_TRIANGLES && chunk.detail && !chunk.wanted) this.dropDetail(chunk);
      await this.breathe();
    }
    this.loading = false;
    this.redraw();
  },

  /* Lets the page draw and listen. What is loaded meanwhile is drawn again only a few times a second, and a fifth of the
   * time at most: the browser gives the second frame after a picture once it is through with that. */
  async breathe() {
    const now = performance.now();
    if (now - (this.rested ?? 0) < 30) return;
    if (now > (this.showAt ?? 0)) {
      this.showAt = Infinity;
      this.redraw();
      const later = (frames, then) => requestAnimationFrame(() => (frames ? later(frames - 1, then) : then()));
      later(2, () => (this.showAt = performance.now() + Math.max(400, 4 * (performance.now() - now))));
    }
    await new Promise((done) => setTimeout(done));
    this.rested = performance.now();
  },
});
