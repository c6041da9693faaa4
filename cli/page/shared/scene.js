/* A scene of parts in 3D: the camera and what moves it, how parts are drawn and found under the pointer.
 *
 * The view draws only when something changed. Every part is styled through the state texture (shaders.js), so that
 * lighting, ghosting or hiding one is an upload of that texture. A part has a center, a radius, the 3x4 matrix `rows` of
 * its pose, and `half`, the half extents of its box along its own axes. Pages derive their own view: it has colorNames(),
 * restyled() after the theme or the size changed, and may have an overlay of its own. */

class SceneView {
  /* `events` has placed(project, camera), called after each drawing. */
  constructor(canvas, { parts, up, sphere }, events) {
    this.canvas = canvas;
    this.parts = parts;
    this.up = up;
    this.events = events;
    this.sphere = sphere;
    const options = { antialias: true, alpha: true, stencil: true, premultipliedAlpha: true, powerPreference: 'high-performance' };
    const context = canvas.getContext('webgl2', options);
    this.renderer = new THREE.WebGLRenderer({ canvas, ...options, ...(context ? { context } : {}) });
    this.renderer.setClearColor(0x000000, 0);
    this.renderer.autoClear = false;
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(38, 1, 0.1, 1000);
    this.camera.up.set(...{ x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] }[up]);
    this.controls = new THREE.OrbitControls(this.camera, canvas);
    this.controls.enableKeys = false;
    this.controls.screenSpacePanning = true;
    this.controls.rotateSpeed = 0.8;
    this.controls.addEventListener('change', () => this.redraw());
    this.controls.addEventListener('start', () => (this.flight = null));
    this.showEdges = true;
    this.shift = 0;
    this.orbitsWithShift = false; /* where a page needs the arrow keys itself */
    this.drawables = [];
    this.marked = [];
    this.makeState();
  }

  /* After the derived view is made. */
  begin() {
    this.readTheme();
    this.fit(true);
    new ResizeObserver(() => this.resize()).observe(this.canvas);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
      this.readTheme();
      this.style();
      this.restyled();
    });
    this.listenKeys();
    this.resize();
  }

  /* --- what the theme says ------------------------------------------------------------------------------------- */

  readTheme() {
    const css = getComputedStyle(document.documentElement);
    const color = (name) => new THREE.Color(css.getPropertyValue(`--${name}`).trim());
    this.colors = Object.fromEntries(this.colorNames().map((n) => [n, color(n)]));
    this.common.ink.value = this.colors.edge;
    this.common.second.value = this.colors['part-b'];
  }

  /* --- parts ----------------------------------------------------------------------------------------------------- */

  makeState() {
    const height = Math.max(1, Math.ceil((2 * this.parts.length) / STATE_WIDTH));
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
      spin: { value: new THREE.Matrix4() },
      cut: { value: new THREE.Vector4() },
    };
    this.materials = makeMaterials(this.common);
  }

  /* Cuts at the plane common.cut, or not. */
  setCut(on) {
    if (!!this.cutting === on) return;
    this.cutting = on;
    for (const set of this.materials)
      for (const material of Object.values(set)) {
        if (on) material.defines.CUT = 1;
        else delete material.defines.CUT;
        material.needsUpdate = true;
      }
  }

  addDrawable(surface, edges, materials) {
    const add = (object, order) => {
      object.frustumCulled = false;
      object.renderOrder = order;
      object.matrixAutoUpdate = false;
      this.scene.add(object);
      return object;
    };
    const drawable = {
      materials,
      shown: true,
      solid: add(new THREE.Mesh(surface, materials.solid), 0),
      clear: add(new THREE.Mesh(surface, materials.clear), 2),
      edge: add(new THREE.LineSegments(edges, materials.edge), 1),
      clearEdge: add(new THREE.LineSegments(edges, materials.clearEdge), 3),
    };
    this.drawables.push(drawable);
    return drawable;
  }

  /* Takes it away; its geometry goes too where nothing else has it. */
  removeDrawable(drawable, dispose) {
    const { solid, clear, edge, clearEdge } = drawable;
    this.drawables.splice(this.drawables.indexOf(drawable), 1);
    this.scene.remove(solid, clear, edge, clearEdge);
    if (dispose) for (const object of [solid, edge]) object.geometry.dispose();
  }

  /* Before each drawing: a view may say of each drawable whether it is `shown`. */
  arrange() {}

  /* Writes how one part is drawn: its color (0 … 1 each), MODE, opacity, stripes, turned or not, filled by a cut or not. */
  paint(part, color, mode, alpha, striped = false, turned = false, full = false) {
    const at = 8 * part.index;
    for (let k = 0; k < 3; k++) this.state[at + k] = Math.min(255, Math.round(255 * color[k]));
    this.state[at + 3] = Math.round(255 * alpha);
    this.state[at + 4] = mode;
    this.state[at + 5] = striped ? 255 : 0;
    this.state[at + 6] = turned ? 255 : 0;
    this.state[at + 7] = full ? 255 : 0;
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
    this.arrange();
    for (const { solid, clear, edge, clearEdge, shown } of this.drawables) {
      solid.visible = shown && this.hasSolid;
      clear.visible = shown && this.hasClear;
      edge.visible = shown && this.hasSolid && this.showEdges;
      clearEdge.visible = shown && this.hasClear && this.showEdges;
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
    this.restyled();
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

  /* Where the camera is going to look from; null where it rests. */
  flightDirection() {
    return this.flight && this.flight.end.direction;
  }

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
    const first = this.up === 'z' ? [0.62, -0.78, 0.5] : this.up === 'x' ? [0.5, 0.62, 0.78] : [0.62, 0.5, 0.78];
    const direction = now ? new THREE.Vector3(...first).normalize() : this.direction();
    const { center, distance } = this.frame(direction);
    this.move(center, direction, distance * 1.12, now);
    this.wantFit = now; /* fit again when the size of the canvas becomes known */
  }

  /* What to have in sight: the corners of the boxes of all parts. */
  corners() {
    const out = [];
    for (const { half, rows, center } of this.parts)
      for (let corner = 0; corner < 8; corner++) {
        const [x, y, z] = [0, 1, 2].map((k) => ((corner >> k) & 1 ? half[k] : -half[k]));
        out.push([0, 1, 2].map((r) => center[r] + rows[4 * r] * x + rows[4 * r + 1] * y + rows[4 * r + 2] * z));
      }
    return out;
  }

  /* Where to look, and from how far, to have all corners in sight and in the middle. */
  frame(direction) {
    const right = new THREE.Vector3().crossVectors(this.camera.up, direction).normalize();
    const above = new THREE.Vector3().crossVectors(direction, right).toArray(),
      away = direction.toArray(),
      side = right.toArray();
    const tall = Math.tan(this.halfAngle()),
      wide = tall * this.freeAspect(),
      dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    const corners = this.corners().map((p) => [dot(p, side), dot(p, above), dot(p, away)]);
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

  /* By angles, and nearer or farther. */
  orbit(theta, phi, zoom) {
    const toY = new THREE.Quaternion().setFromUnitVectors(this.camera.up, new THREE.Vector3(0, 1, 0));
    const round = new THREE.Spherical().setFromVector3(this.camera.position.clone().sub(this.controls.target).applyQuaternion(toY));
    round.theta += theta;
    round.phi = Math.max(0.01, Math.min(Math.PI - 0.01, round.phi + phi));
    const direction = new THREE.Vector3().setFromSpherical(round).normalize().applyQuaternion(toY.conjugate());
    this.flight = null;
    this.look({ target: this.controls.target.clone(), direction, distance: round.radius * zoom });
  }

  listenKeys() {
    this.canvas.addEventListener('keydown', (e) => {
      if (this.orbitsWithShift && !e.shiftKey && e.key.startsWith('Arrow')) return;
      const turn = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
      if (turn) this.orbit(turn[0] * 0.12, turn[1] * 0.12, 1);
      else if (e.key === '+' || e.key === '=') this.orbit(0, 0, 1 / 1.15);
      else if (e.key === '-') this.orbit(0, 0, 1.15);
      else return;
      e.preventDefault();
    });
  }

  /* --- marks over all ---------------------------------------------------------------------------------------------- */

  clearMarks() {
    for (const object of this.marked) {
      this.scene.remove(object);
      object.geometry.dispose();
      object.material.dispose();
    }
    this.marked = [];
  }

  /* What picking does not see. */
  overlays() {
    return this.marked;
  }

  addLines(segments, color, pixels, behind, before) {
    for (const object of this.makeLines(segments, color, pixels, behind, before)) this.addMark(object);
  }

  /* Lines of so many pixels, twice: as strong as `behind` behind surfaces, as `before` in front of them. */
  makeLines(segments, color, pixels, behind, before) {
    const geometry = new THREE.LineSegmentsGeometry();
    geometry.setPositions(segments);
    return [
      [false, behind],
      [true, before],
    ].map(([depthTest, opacity]) => {
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
      return new THREE.LineSegments2(geometry, material);
    });
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

  /* --- what lies under the pointer: answered by drawing numbers into one pixel ----------------------------------- */

  /* The part drawn at this pixel; ghosts only where nothing solid or lit is. */
  partAt(x, y) {
    if (!this.ready || !this.width) return null;
    this.pickTarget = this.pickTarget || new THREE.WebGLRenderTarget(1, 1);
    this.camera.setViewOffset(this.width, this.height, Math.floor(x) + this.shift, Math.floor(y), 1, 1);
    let found = 0;
    for (const kind of ['pick', 'pickGhost']) {
      if (!found) found = this.readPart(kind);
    }
    this.redraw();
    return found ? this.parts[found - 1] : null;
  }

  readPart(kind) {
    const pixel = new Uint8Array(4);
    this.drawIds(this.pickTarget, kind);
    this.renderer.readRenderTargetPixels(this.pickTarget, 0, 0, 1, 1, pixel);
    this.renderer.setRenderTarget(null);
    return pixel[3] ? pixel[0] + 256 * pixel[1] + 65536 * pixel[2] : 0;
  }

  /* Draws every part in its number, which stays the target: red + 256 green + 65536 blue is its index + 1. */
  drawIds(target, kind = 'pick') {
    const others = this.overlays().filter((object) => object.visible);
    others.forEach((object) => (object.visible = false));
    this.arrange();
    for (const { materials, solid, clear, edge, clearEdge, shown } of this.drawables) {
      solid.material = materials[kind];
      solid.visible = shown;
      clear.visible = edge.visible = clearEdge.visible = false;
    }
    this.renderer.setRenderTarget(target);
    this.renderer.clear();
    this.renderer.render(this.scene, this.camera);
    for (const { materials, solid } of this.drawables) solid.material = materials.solid;
    others.forEach((object) => (object.visible = true));
  }
}

/* One mesh drawn once for each of `count` parts: `rows` are three attributes of four numbers a part, `part` its index. */
function instancedGeometry({ position, normal }, rows, part, count) {
  const geometry = new THREE.InstancedBufferGeometry();
  geometry.setAttribute('position', position);
  if (normal) geometry.setAttribute('normal', normal);
  rows.forEach((row, r) => geometry.setAttribute(`row${r}`, row));
  geometry.setAttribute('part', part);
  geometry.maxInstancedCount = geometry.instanceCount = count;
  return geometry;
}

function drawAxes(camera) {
  const { x, y, z, w } = camera.quaternion,
    rows = poseRows([0, 0, 0, -x, -y, -z, w]);
  const axes = [
    ['X', '#e5484d', 0],
    ['Y', '#3a9d4f', 1],
    ['Z', '#3b82f6', 2],
  ].map(([name, color, k]) => ({ name, color, at: [rows[k], -rows[4 + k], rows[8 + k]] }));
  axes.sort((p, q) => p.at[2] - q.at[2]);
  const ns = 'http://www.w3.org/2000/svg';
  $('axes').replaceChildren(
    ...axes.flatMap(({ name, color, at }) => {
      const line = document.createElementNS(ns, 'path'),
        text = document.createElementNS(ns, 'text');
      line.setAttribute('d', `M0 0L${at[0] * 20} ${at[1] * 20}`);
      line.setAttribute('stroke', color);
      line.setAttribute('stroke-width', 2.4);
      text.setAttribute('x', at[0] * 27);
      text.setAttribute('y', at[1] * 27);
      text.setAttribute('fill', color);
      text.textContent = name;
      return [line, text];
    }),
  );
}
