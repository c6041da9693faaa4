/* The model in 3D: parts, marks, the outline and the two points of the selected finding.
 *
 * The view draws only when something changed. Parts are drawn in batches (geometry.js) and styled through the state
 * texture (shaders.js), so a model of thousands of parts costs a few draw calls. The frame is the scene's, with the
 * scene's origin at zero. */

class View {
  /* `events` has pick(part or null), pickFinding(finding), hover(part or null, x, y) and placed(project, camera). */
  constructor(canvas, report, events) {
    this.canvas = canvas;
    this.report = report;
    this.events = events;
    this.sphere = modelSphere(report.parts);
    const options = { antialias: true, alpha: true, premultipliedAlpha: true, powerPreference: 'high-performance' };
    const context = canvas.getContext('webgl2', options);
    this.renderer = new THREE.WebGLRenderer({ canvas, ...options, ...(context ? { context } : {}) });
    this.renderer.setClearColor(0x000000, 0);
    this.renderer.autoClear = false;
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(38, 1, 0.1, 1000);
    this.camera.up.set(...{ x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] }[report.up]);
    this.controls = new THREE.OrbitControls(this.camera, canvas);
    this.controls.enableKeys = false;
    this.controls.screenSpacePanning = true;
    this.controls.rotateSpeed = 0.8;
    this.controls.addEventListener('change', () => this.redraw());
    this.controls.addEventListener('start', () => (this.flight = null));
    this.ghosting = true;
    this.xray = 'auto';
    this.showEdges = true;
    this.showPins = true;
    this.shift = 0;
    this.selection = null; /* a finding, a part, or null */
    this.marked = [];
    this.drawables = [];
    this.makeState();
    this.readTheme();
    this.fit(true);
    new ResizeObserver(() => this.resize()).observe(canvas);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
      this.readTheme();
      this.style();
      this.pins();
      this.mark();
    });
    this.listen();
    this.resize();
  }

  /* --- what the theme says ------------------------------------------------------------------------------------- */

  readTheme() {
    const css = getComputedStyle(document.documentElement);
    const color = (name) => new THREE.Color(css.getPropertyValue(`--${name}`).trim());
    this.colors = Object.fromEntries(
      ['part', 'edge', 'ghost', 'outline', 'outline-core', 'part-a', 'part-b', 'raised', 'rim', 'ink', ...Object.keys(RELATIONS)].map(
        (n) => [n, color(n)],
      ),
    );
    this.common.ink.value = this.colors.edge;
    this.common.second.value = this.colors['part-b'];
  }

  /* --- parts ----------------------------------------------------------------------------------------------------- */

  makeState() {
    const height = Math.max(1, Math.ceil((2 * this.report.parts.length) / STATE_WIDTH));
    this.state = new Uint8Array(4 * STATE_WIDTH * height);
    this.stateMap = new THREE.DataTexture(this.state, STATE_WIDTH, height, THREE.RGBAFormat);
    this.common = {
      state: { value: this.stateMap },
      stateSize: { value: new THREE.Vector2(STATE_WIDTH, height) },
      upward: { value: new THREE.Vector3() },
      focus: { value: 1 },
      second: { value: new THREE.Color() },
      stripe: { value: 12 },
      ink: { value: new THREE.Color() },
    };
    this.materials = makeMaterials(this.common);
  }

  /* Builds the geometry step by step, so that the page stays alive meanwhile. */
  async build() {
    const { batches, shared } = planBatches(this.report);
    let rest = performance.now();
    const breathe = async () => {
      if (performance.now() - rest < 30) return;
      this.redraw();
      await new Promise((done) => setTimeout(done));
      rest = performance.now();
    };
    for (const batch of batches) {
      for (const part of batch.parts) {
        prepareMesh(this.report.meshes[part.mesh]);
        await breathe();
      }
      const data = fillBatch(this.report, batch);
      const surface = new THREE.BufferGeometry();
      surface.setAttribute('position', new THREE.BufferAttribute(data.position, 3));
      surface.setAttribute('normal', new THREE.BufferAttribute(data.normal, 3, true));
      surface.setAttribute('part', new THREE.BufferAttribute(data.part, 1));
      const edges = new THREE.BufferGeometry();
      edges.setAttribute('position', new THREE.BufferAttribute(data.edge, 3));
      edges.setAttribute('part', new THREE.BufferAttribute(data.edgePart, 1));
      batch.surface = surface;
      this.addDrawable(surface, edges, this.materials[0]);
      await breathe();
    }
    for (const group of shared) {
      prepareMesh(group.mesh);
      const rows = [0, 1, 2].map((r) => new Float32Array(group.parts.flatMap((part) => part.rows.slice(4 * r, 4 * r + 4))));
      const part = new Float32Array(group.parts.map((one) => one.index));
      const instance = (position, normal) => {
        const geometry = new THREE.InstancedBufferGeometry();
        geometry.setAttribute('position', position);
        if (normal) geometry.setAttribute('normal', normal);
        rows.forEach((row, r) => geometry.setAttribute(`row${r}`, new THREE.InstancedBufferAttribute(row, 4)));
        geometry.setAttribute('part', new THREE.InstancedBufferAttribute(part, 1));
        geometry.maxInstancedCount = geometry.instanceCount = group.parts.length;
        return geometry;
      };
      group.position = new THREE.BufferAttribute(group.mesh.flat, 3);
      for (const one of group.parts) one.range = { shared: group };
      this.addDrawable(
        instance(group.position, new THREE.BufferAttribute(group.mesh.normal, 3, true)),
        instance(new THREE.BufferAttribute(group.mesh.edge, 3)),
        this.materials[1],
      );
      await breathe();
    }
    this.ready = true;
    this.redraw();
  }

  addDrawable(surface, edges, materials) {
    const add = (object, order) => {
      object.frustumCulled = false;
      object.renderOrder = order;
      object.matrixAutoUpdate = false;
      this.scene.add(object);
      return object;
    };
    this.drawables.push({
      materials,
      solid: add(new THREE.Mesh(surface, materials.solid), 0),
      clear: add(new THREE.Mesh(surface, materials.clear), 2),
      edge: add(new THREE.LineSegments(edges, materials.edge), 1),
      clearEdge: add(new THREE.LineSegments(edges, materials.clearEdge), 3),
    });
  }

  /* Writes every part's color and mode for the selection at hand. */
  style() {
    const { parts } = this.report,
      chosen = this.selection,
      ghosts = chosen && this.ghosting;
    let solid = false,
      clear = false;
    for (const part of parts) {
      let color = this.colors.part,
        mode = MODE.SOLID,
        alpha = 1;
      const lit = chosen && (chosen === part ? 'part-a' : chosen.partA === part ? 'part-a' : chosen.partB === part ? 'part-b' : null);
      if (lit) {
        color = this.colors[lit];
        if (this.isGlass(part)) ((mode = MODE.GLASS), (alpha = 0.34));
        else if (this.isStriped()) mode = chosen.partA === part ? MODE.SOLID : MODE.HIDDEN;
      } else if (!part.visible) {
        mode = MODE.HIDDEN;
      } else if (ghosts) {
        ((color = this.colors.ghost), (mode = MODE.GHOST), (alpha = 0.17));
      }
      /* Neighbors of one color melt into one lump: a little shade of its own for each part. */
      const shade = lit ? 1 : 0.93 + 0.14 * ((((part.index * 0.61803) % 1) + 1) % 1);
      const at = 8 * part.index;
      this.state.set(
        [color.r, color.g, color.b].map((c) => Math.min(255, Math.round(255 * c * shade))),
        at,
      );
      this.state[at + 3] = Math.round(255 * alpha);
      this.state[at + 4] = mode;
      this.state[at + 5] = lit && mode === MODE.SOLID && this.isStriped() ? 255 : 0;
      if (mode === MODE.SOLID) solid = true;
      if (mode >= MODE.GHOST) clear = true;
    }
    this.hasSolid = solid;
    this.hasClear = clear;
    this.stateMap.needsUpdate = true;
    this.redraw();
  }

  /* Selected parts hide what lies inside them or between them: then they are drawn as glass. */
  isGlass(part) {
    const chosen = this.selection;
    if (this.xray !== 'auto') return this.xray;
    if (chosen.relation === 'inside') return part === (chosen.inner === 'a' ? chosen.partB : chosen.partA);
    return this.buried && !this.isStriped();
  }

  /* Two parts in one place would fight for every pixel: one is drawn, in stripes of both colors. */
  isStriped() {
    return this.selection.relation === 'identical' && this.xray !== true;
  }

  /* --- the selection --------------------------------------------------------------------------------------------- */

  select(selection, { fly = true } = {}) {
    this.selection = selection;
    this.best = null;
    this.buried = false;
    if (selection && selection.relation && this.ready) {
      this.best = bestDirection(this, selection, this.distanceOf(selection));
      this.buried = this.best.hidden;
    }
    this.style();
    this.pins();
    this.mark();
    if (selection && fly) this.flyTo(selection);
  }

  /* Draws outline and points of the selected finding: once dim without the depth test, once bright with it, so that
   * what lies behind a surface is seen as behind. */
  mark() {
    for (const object of this.marked) {
      this.scene.remove(object);
      object.geometry.dispose();
      object.material.dispose();
    }
    this.marked = [];
    const finding = this.selection && this.selection.relation ? this.selection : null;
    if (finding) {
      if (finding.segments && finding.segments.length) {
        this.addLines(finding.segments, this.colors.outline, 6.5, 0.5, 0.9);
        this.addLines(finding.segments, this.colors['outline-core'], 2.4, 0.35, 1);
      }
      const ends = new Float32Array([...finding.pointA, ...finding.pointB]);
      if (length(sub(finding.pointA, finding.pointB)) > 0) {
        this.addLines(ends, this.colors.raised, 5, 0.6, 0.9);
        this.addLines(ends, finding.distance > 0 ? this.colors.clearance : this.colors.ink, 2.2, 1, 1);
      }
      const tones = [this.colors['part-a'], this.colors['part-b']].flatMap((c) => [c.r, c.g, c.b]);
      this.addPoints(ends, new Float32Array(tones), 13, 0.95);
    }
    this.redraw();
  }

  addLines(segments, color, pixels, behind, before) {
    const geometry = new THREE.LineSegmentsGeometry();
    geometry.setPositions(segments);
    for (const [depthTest, opacity] of [
      [false, behind],
      [true, before],
    ]) {
      const material = new THREE.LineMaterial({
        color,
        linewidth: pixels * this.ratio,
        transparent: true,
        opacity,
        depthTest,
        depthWrite: false,
      });
      material.resolution.set(this.canvas.width, this.canvas.height);
      material.polygonOffset = true;
      material.polygonOffsetFactor = material.polygonOffsetUnits = -4;
      this.addMark(new THREE.LineSegments2(geometry, material));
    }
  }

  addPoints(position, tone, pixels, opacity) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(position, 3));
    geometry.setAttribute('tone', new THREE.BufferAttribute(tone, 3));
    const material = makePinMaterial(this.colors.rim, opacity, false);
    material.uniforms.pixels.value = pixels * this.ratio;
    this.addMark(new THREE.Points(geometry, material));
  }

  addMark(object) {
    object.frustumCulled = false;
    object.renderOrder = 10 + this.marked.length;
    this.scene.add(object);
    this.marked.push(object);
  }

  /* The marks of all findings in the list: faint where a surface hides them. */
  setFindings(findings) {
    this.findings = findings;
    this.pins();
  }

  pins() {
    for (const object of this.pinned || []) {
      this.scene.remove(object);
      object.geometry.dispose();
      object.material.dispose();
    }
    this.pinned = [];
    const chosen = this.selection;
    this.pinList =
      !this.showPins || (chosen && chosen.relation)
        ? []
        : (this.findings || []).filter((f) => !chosen || f.partA === chosen || f.partB === chosen);
    if (this.pinList.length) {
      const position = new Float32Array(this.pinList.flatMap((f) => f.place));
      const tone = new Float32Array(this.pinList.flatMap((f) => this.colors[f.tone].toArray()));
      for (const [opacity, depthTest] of [
        [0.38, false],
        [1, true],
      ]) {
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute('position', new THREE.BufferAttribute(position, 3));
        geometry.setAttribute('tone', new THREE.BufferAttribute(tone, 3));
        const material = makePinMaterial(this.colors.rim, opacity, depthTest);
        material.uniforms.pixels.value = 14 * this.ratio;
        const points = new THREE.Points(geometry, material);
        points.frustumCulled = false;
        points.renderOrder = 8;
        this.scene.add(points);
        this.pinned.push(points);
      }
    }
    this.redraw();
  }

  /* --- drawing --------------------------------------------------------------------------------------------------- */

  redraw() {
    if (this.pending) return;
    this.pending = requestAnimationFrame((now) => {
      this.pending = 0;
      if (this.flight) this.advance(now);
      this.draw();
      if (this.flight) this.redraw();
    });
  }

  draw() {
    if (!this.width) return;
    this.placeCamera();
    for (const { solid, clear, edge, clearEdge } of this.drawables) {
      solid.visible = this.hasSolid;
      clear.visible = this.hasClear;
      edge.visible = this.hasSolid && this.showEdges;
      clearEdge.visible = this.hasClear && this.showEdges;
    }
    this.common.upward.value.copy(this.camera.up).transformDirection(this.camera.matrixWorldInverse);
    this.renderer.clear();
    this.renderer.render(this.scene, this.camera);
    this.events.placed((point) => this.project(point), this.camera);
  }

  /* Near and far follow the distance to what is looked at: a crack of 0.1 mm in a hall needs its own. */
  placeCamera() {
    const distance = this.camera.position.distanceTo(this.controls.target);
    const toCenter = this.camera.position.distanceTo(new THREE.Vector3(...this.sphere.center));
    const far = toCenter + this.sphere.radius;
    this.common.focus.value = distance;
    this.camera.near = Math.max(Math.min(distance * 0.05, toCenter), toCenter - this.sphere.radius * 1.01, far * 1e-6);
    this.camera.far = Math.max(far * 1.02, this.camera.near * 2);
    this.camera.setViewOffset(this.width, this.height, this.shift, 0, this.width, this.height);
    this.camera.updateMatrixWorld();
  }

  /* Something covers this many pixels at the right (or, negative, at the left): what is looked at moves aside. */
  cover(pixels) {
    this.shift = pixels / 2;
    this.redraw();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!width || !height) return;
    this.ratio = Math.min(window.devicePixelRatio || 1, 2);
    this.width = width;
    this.common.stripe.value = 9 * this.ratio;
    this.height = height;
    this.renderer.setPixelRatio(this.ratio);
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    if (this.wantFit) this.fit(true);
    this.mark();
    this.pins();
    this.draw(); /* at once: a resized canvas is blank until drawn */
  }

  /* A point of the scene in pixels of the canvas, or null behind the camera. */
  project(point) {
    const p = new THREE.Vector3(...point).applyMatrix4(this.camera.matrixWorldInverse);
    if (p.z > -this.camera.near) return null;
    p.applyMatrix4(this.camera.projectionMatrix);
    return [(p.x + 1) * 0.5 * this.width, (1 - p.y) * 0.5 * this.height];
  }

  /* --- the camera ------------------------------------------------------------------------------------------------ */

  direction() {
    const d = this.camera.position.clone().sub(this.controls.target);
    return d.lengthSq() > 0 ? d.normalize() : new THREE.Vector3(0, 0, 1);
  }

  distanceFor(radius) {
    return radius / Math.sin(Math.atan(Math.tan(this.halfAngle()) * Math.min(1, this.freeAspect())));
  }

  halfAngle() {
    return (this.camera.fov * Math.PI) / 360;
  }

  freeAspect() {
    return this.camera.aspect * (1 - (2 * Math.abs(this.shift)) / (this.width || 1));
  }

  fit(now = false) {
    const first = this.report.up === 'z' ? [0.62, -0.78, 0.5] : this.report.up === 'x' ? [0.5, 0.62, 0.78] : [0.62, 0.5, 0.78];
    const direction = now ? new THREE.Vector3(...first).normalize() : this.direction();
    const { center, distance } = this.frame(direction);
    this.move(center, direction, distance * 1.12, now);
    this.wantFit = now; /* fit again when the size of the canvas becomes known */
  }

  /* Where to look, and from how far, to have the boxes of all parts in sight and in the middle. */
  frame(direction) {
    const right = new THREE.Vector3().crossVectors(this.camera.up, direction).normalize();
    const above = new THREE.Vector3().crossVectors(direction, right).toArray(),
      away = direction.toArray(),
      side = right.toArray();
    const tall = Math.tan(this.halfAngle()),
      wide = tall * this.freeAspect(),
      dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    const corners = [];
    for (const { half, rows, center } of this.report.parts)
      for (let corner = 0; corner < 8; corner++) {
        const [x, y, z] = [0, 1, 2].map((k) => ((corner >> k) & 1 ? half[k] : -half[k]));
        const p = [0, 1, 2].map((r) => center[r] + rows[4 * r] * x + rows[4 * r + 1] * y + rows[4 * r + 2] * z);
        corners.push([dot(p, side), dot(p, above), dot(p, away)]);
      }
    if (!corners.length) return { center: [0, 0, 0], distance: 1 };
    const middle = [0, 1, 2].map((k) => {
      let low = Infinity,
        high = -Infinity;
      for (const p of corners) ((low = Math.min(low, p[k])), (high = Math.max(high, p[k])));
      return (low + high) / 2;
    });
    let distance = this.sphere.radius * 0.02;
    for (const p of corners)
      distance = Math.max(distance, p[2] - middle[2] + Math.max(Math.abs(p[0] - middle[0]) / wide, Math.abs(p[1] - middle[1]) / tall));
    return { center: [0, 1, 2].map((k) => middle[0] * side[k] + middle[1] * above[k] + middle[2] * away[k]), distance };
  }

  move(target, direction, distance, now) {
    const end = { target: new THREE.Vector3(...target), direction, distance };
    this.wantFit = false;
    if (now || matchMedia('(prefers-reduced-motion: reduce)').matches) return this.look(end);
    this.flight = {
      end,
      started: 0,
      start: {
        target: this.controls.target.clone(),
        direction: this.direction(),
        distance: this.camera.position.distanceTo(this.controls.target),
      },
    };
    this.redraw();
  }

  look({ target, direction, distance }) {
    this.controls.target.copy(target);
    this.camera.position.copy(target).addScaledVector(direction, distance);
    this.controls.update();
    this.redraw();
  }

  advance(now) {
    const { start, end } = this.flight;
    this.flight.started = this.flight.started || now;
    const u = Math.min(1, (now - this.flight.started) / 650),
      t = u * u * (3 - 2 * u);
    const direction = start.direction.clone().lerp(end.direction, t);
    if (u === 1) this.flight = null;
    this.look({
      target: start.target.clone().lerp(end.target, t),
      direction: direction.lengthSq() > 1e-9 ? direction.normalize() : end.direction,
      distance: start.distance * (end.distance / start.distance) ** t,
    });
  }

  flyTo(selection) {
    if (!selection.relation) {
      return this.move(selection.center, this.direction(), this.distanceFor(Math.max(selection.radius, this.sphere.radius * 1e-4)) * 1.9);
    }
    this.move(selection.place, this.best ? this.best.direction : this.direction(), this.distanceOf(selection));
  }

  /* From how far to look at a finding: its outline or line fills the view, yet the parts can be told. */
  distanceOf({ partA, partB, relation, reach, place, pointA, pointB }) {
    const small = Math.min(partA.radius, partB.radius);
    const whole = small * ({ inside: 1.8, identical: 1.8, touching: 0.7 }[relation] || 0);
    const ends = 1.15 * Math.max(length(sub(pointA, place)), length(sub(pointB, place)));
    return this.distanceFor(Math.max(reach * 1.7, small * 0.22, this.sphere.radius * 1e-5, whole, ends));
  }
}
