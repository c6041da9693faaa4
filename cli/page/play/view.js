/* The simulation in 3D: every shape once, drawn for all objects that have it; half-spaces as grids; layers over it. */

const PALETTE = 10; /* --hue-0 … in the style */

/* What the first look has in sight: where everything begins, what stands still, where things happen, and where the
 * moving go, unless that is far off (a bullet that met nothing). */
function sightPoints(play) {
  const near = [];
  const around = ({ center, half, rows }) => {
    for (let corner = 0; corner < 8; corner++) {
      const h = [0, 1, 2].map((k) => ((corner >> k) & 1 ? half[k] : -half[k]));
      near.push([0, 1, 2].map((r) => center[r] + rows[4 * r] * h[0] + rows[4 * r + 1] * h[1] + rows[4 * r + 2] * h[2]));
    }
  };
  const step = Math.max(1, Math.floor(play.objects.length / 1500));
  for (let i = 0; i < play.objects.length; i += step) if (!play.objects[i].shape.plane) around(play.objects[i]);
  play.visuals.slice(0, 1500).forEach(around);
  const events = Math.max(1, Math.floor(play.list.length / 1500));
  for (let i = 0; i < play.list.length; i += events) if (play.list[i].point) near.push(play.list[i].point);
  for (const [a, b, c, d, e, f] of play.boxed_at || []) near.push([a, b, c], [d, e, f]);
  if (!near.length) near.push([0, 0, 0]);
  const core = ballAround(near),
    far = [];
  const frames = Math.max(1, Math.floor((play.times.length * play.movers.length) / 4000));
  let n = 0;
  for (let f = 0; f < play.times.length; f++)
    for (const object of play.movers) {
      if (n++ % frames || play.times[f] > object.gone) continue;
      const p = [...framePose(play, object.track, f, scratch.at)].slice(0, 3);
      if (length(sub(p, core.center)) < 2.5 * core.radius + 3 * object.radius)
        for (let k = 0; k < 3; k++) for (const s of [-1, 1]) far.push(p.map((x, d) => (d === k ? x + s * object.radius : x)));
    }
  return near.concat(far);
}

function ballAround(points) {
  const low = [Infinity, Infinity, Infinity],
    high = [-Infinity, -Infinity, -Infinity];
  for (const p of points) for (let k = 0; k < 3; k++) ((low[k] = Math.min(low[k], p[k])), (high[k] = Math.max(high[k], p[k])));
  const center = mix(low, high, 0.5);
  return { center, radius: Math.max(length(sub(high, low)) / 2, 1e-6) };
}

/* A ball around all that is ever drawn. */
function wholeBall(play, sight) {
  const points = [sight.center.map((x) => x - sight.radius), sight.center.map((x) => x + sight.radius)];
  for (const object of play.objects)
    if (!object.shape.plane)
      points.push(
        object.center.map((x) => x - object.radius),
        object.center.map((x) => x + object.radius),
      );
  const { pose32 } = play;
  for (const object of play.movers)
    for (let f = 0; f < play.times.length; f += Math.max(1, play.times.length >> 6)) {
      const at = 5 * (f * play.tracks + object.track);
      points.push([pose32[at], pose32[at + 1], pose32[at + 2]]);
    }
  const ball = ballAround(points);
  return { center: ball.center, radius: ball.radius * 1.05 };
}

class PlayView extends SceneView {
  /* `events` has pick(object or null), hover(object or null, x, y) and placed(project, camera). */
  constructor(canvas, play, events) {
    const points = sightPoints(play),
      sight = ballAround(points);
    super(canvas, { parts: [...play.objects, ...play.visuals], up: play.up, sphere: wholeBall(play, sight) }, events);
    this.play = play;
    this.sight = sight;
    this.sightPoints = points;
    this.ghosting = true;
    this.showVisuals = true; /* where an object has one */
    this.showShapes = false; /* of those objects too; both: the shape is clear */
    this.selection = null; /* an object, an event, or null */
    this.orbitsWithShift = true;
    this.triggers = play.objects.filter((o) => o.trigger);
    this.grounds = [];
    this.groups = [];
    this.layers = [];
    this.begin();
    this.listenPointer();
  }

  colorNames() {
    const hues = Array.from({ length: PALETTE }, (_, i) => `hue-${i}`);
    const names = ['part', 'edge', 'ghost', 'part-a', 'part-b', 'raised', 'rim', 'ink', 'floor', 'floor-line'];
    return [...names, 'contact', 'burst', 'box', 'cell-first', 'cell-last', 'trigger', 'start', 'gap', ...hues];
  }

  corners() {
    return this.sightPoints;
  }

  /* The picture has the scene and some air; the whole ball of what flies far off does not count. */
  fit(now = false) {
    const whole = this.sphere;
    this.sphere = this.sight;
    super.fit(now);
    this.sphere = whole;
  }

  restyled() {
    for (const ground of this.grounds) {
      ground.material.uniforms.fill.value = this.colors.floor;
      ground.material.uniforms.ink.value = this.colors['floor-line'];
    }
    for (const layer of this.layers) layer.restyle();
    this.redraw();
  }

  overlays() {
    return [...this.marked, ...this.grounds, ...this.layers.flatMap((layer) => layer.objects)];
  }

  /* --- parts ----------------------------------------------------------------------------------------------------- */

  async build() {
    let rest = performance.now();
    for (const shape of this.play.shapes) {
      if (shape.plane) shape.parts.forEach((object) => this.addGround(object));
      else if (shape.triangles && shape.parts.length) this.addGroup(shape);
      if (performance.now() - rest > 30) {
        this.redraw();
        await new Promise((done) => setTimeout(done));
        rest = performance.now();
      }
    }
    for (const Kind of [Dots, Contacts, Arrows, Swept, Boxes, Cells, Bursts, Measured]) this.layers.push(new Kind(this));
    this.layer = Object.fromEntries(this.layers.map((layer) => [layer.name, layer]));
    this.ready = true;
    this.style();
    this.lookAround();
    this.restyled();
  }

  addGroup(shape) {
    prepareMesh(shape);
    const count = shape.parts.length;
    const group = { shape, count, rows: [0, 1, 2].map(() => new Float32Array(4 * count)), moves: false };
    shape.parts.forEach((object, slot) => {
      Object.assign(object, { group, slot });
      writeRows(object.place, group.rows, 4 * slot);
      if (object.track >= 0) group.moves = true;
    });
    group.attributes = group.rows.map((row) => new THREE.InstancedBufferAttribute(row, 4).setUsage(THREE.DynamicDrawUsage));
    const part = new THREE.InstancedBufferAttribute(new Float32Array(shape.parts.map((one) => one.index)), 1);
    const make = (attributes) => instancedGeometry(attributes, group.attributes, part, count);
    shape.surface = new THREE.BufferAttribute(shape.flat, 3);
    shape.lines = new THREE.BufferAttribute(shape.edge, 3);
    this.addDrawable(
      make({ position: shape.surface, normal: new THREE.BufferAttribute(shape.normal, 3, true) }),
      make({ position: shape.lines }),
      this.materials[1],
    );
    this.groups.push(group);
  }

  /* A half-space: a square of its plane around what is nearest to the middle of the scene. */
  addGround(object) {
    const [x, y, z, d] = object.shape.plane,
      radius = 2.1 * this.sight.radius,
      fine = 10 ** Math.floor(Math.log10(radius / 8));
    const spacing = fine * (radius / fine > 40 ? 5 : radius / fine > 16 ? 2 : 1);
    const material = makeGroundMaterial(this.colors, spacing, radius);
    const mesh = new THREE.Mesh(squareGeometry(radius), material);
    Object.assign(mesh, { frustumCulled: false, renderOrder: 1.5, matrixAutoUpdate: false, object, spacing, extent: radius });
    mesh.plane = { normal: new THREE.Vector3(x, y, z), d };
    object.ground = mesh;
    this.grounds.push(mesh);
    this.scene.add(mesh);
    this.placeGround(mesh);
  }

  placeGround(mesh) {
    const { object, plane, spacing } = mesh,
      [px, py, pz, qx, qy, qz, qw] = object.place;
    const normal = plane.normal
      .clone()
      .applyQuaternion(new THREE.Quaternion(qx, qy, qz, qw))
      .normalize();
    const d = plane.d - normal.dot(new THREE.Vector3(px, py, pz));
    const middle = new THREE.Vector3(...this.sight.center);
    const onPlane = middle.clone().addScaledVector(normal, -(normal.dot(middle) + d));
    const u = new THREE.Vector3(...(Math.abs(normal.x) < 0.9 ? [1, 0, 0] : [0, 1, 0]));
    u.addScaledVector(normal, -u.dot(normal)).normalize();
    const v = new THREE.Vector3().crossVectors(normal, u);
    /* Lines stand at whole multiples of the spacing from the scene's own origin. */
    for (const axis of [u, v]) {
      const from = axis.dot(onPlane) + axis.dot(new THREE.Vector3(...this.play.origin));
      onPlane.addScaledVector(axis, Math.round(from / (5 * spacing)) * 5 * spacing - from);
    }
    mesh.matrix.makeBasis(u, v, normal).setPosition(onPlane);
    object.center = onPlane.toArray();
  }

  /* Everything at `time`. */
  setTime(time) {
    this.time = time;
    const changed = poseAll(this.play, time);
    for (const group of this.groups) if (group.moves) for (const one of group.attributes) one.needsUpdate = true;
    for (const ground of this.grounds) if (ground.object.track >= 0) this.placeGround(ground);
    if (this.occupy(time) || changed) this.style();
    for (const layer of this.layers) layer.setTime(time);
    this.redraw();
  }

  /* Which triggers have something within; true where that changed. */
  occupy(time) {
    if (!this.triggers.length) return false;
    const before = this.triggers.map((o) => o.inside > 0);
    for (const object of this.triggers) object.inside = 0;
    for (const stay of this.play.stays)
      if (stay.time <= time && time < Math.max(stay.until, stay.time + 2 * this.play.dt)) {
        stay.a.inside++;
        stay.b.inside++;
      }
    return this.triggers.some((o, i) => o.inside > 0 !== before[i]);
  }

  /* Whether a shape or what is looked at in its place is drawn: MODE.SOLID, GLASS or HIDDEN. */
  lookAt(object) {
    if (!object.visual) return MODE.SOLID;
    if (object.standsFor) return this.showVisuals ? MODE.SOLID : MODE.HIDDEN;
    return !this.showVisuals ? MODE.SOLID : this.showShapes ? MODE.GLASS : MODE.HIDDEN;
  }

  baseColor(object) {
    if (object.trigger) return this.colors.trigger;
    if (object.body === BODY.STILL) return this.colors.part;
    return this.colors[`hue-${object.hue}`];
  }

  /* Writes every object's color and mode for the time and the selection at hand. */
  style() {
    const chosen = this.selection,
      ghosts = chosen && this.ghosting;
    let solid = false,
      clear = false;
    for (const object of this.parts) {
      let color = this.baseColor(object),
        mode = object.trigger ? MODE.GLASS : MODE.SOLID,
        alpha = object.trigger ? (object.inside ? 0.75 : 0.38) : 1;
      const own = object.standsFor || object,
        lit = chosen && (chosen === own || chosen.a === own ? 'part-a' : chosen.b === own ? 'part-b' : null);
      if (lit) color = this.colors[lit];
      else if (ghosts && !object.trigger) ((color = this.colors.ghost), (mode = MODE.GHOST), (alpha = 0.17));
      const looked = this.lookAt(object);
      if (!object.visible || !object.alive || looked === MODE.HIDDEN) mode = MODE.HIDDEN;
      else if (looked === MODE.GLASS && mode === MODE.SOLID) ((mode = MODE.GLASS), (alpha = 0.7));
      const shade = lit || object.body !== BODY.STILL ? 1 : 0.95 + 0.1 * ((object.index * 0.61803) % 1);
      this.paint(object, [color.r * shade, color.g * shade, color.b * shade], mode, alpha);
      if (mode === MODE.SOLID) solid = true;
      if (mode >= MODE.GHOST) clear = true;
      if (object.ground) {
        object.ground.visible = object.visible;
        object.ground.material.uniforms.fill.value = lit ? color : this.colors.floor;
      }
    }
    this.hasSolid = solid;
    this.hasClear = clear;
    this.stateMap.needsUpdate = true;
    this.redraw();
  }

  select(selection) {
    this.selection = selection;
    this.refocus();
  }

  /* What the layers show: while all else is a ghost only what the selection is about. */
  about() {
    const { selection } = this;
    if (!selection || !this.ghosting) return () => true;
    if (!selection.a) return (a, b) => a === selection || b === selection;
    const has = (o) => o === selection.a || o === selection.b;
    return (a, b) => has(a) && has(b);
  }

  refocus() {
    this.style();
    for (const layer of this.layers) layer.again();
    this.redraw();
  }

  placeCamera() {
    super.placeCamera();
    const perPixel = (2 * Math.tan(this.halfAngle())) / (this.height * this.ratio || 1);
    for (const layer of this.layers) layer.scaled(perPixel, this.ratio);
  }

  /* --- the camera ------------------------------------------------------------------------------------------------ */

  /* Frames the object, or what the event is about. */
  flyTo(item) {
    const objects = (item.a ? [item.a, item.b] : [item]).filter((o) => !o.shape.plane);
    const points = [];
    const small = Math.min(...objects.map((o) => o.radius));
    for (const o of objects) {
      /* Beside something small a large thing counts only where it is hit. */
      if (item.point && o.radius > 12 * small) continue;
      points.push(
        o.center.map((x) => x - o.radius / 1.7),
        o.center.map((x) => x + o.radius / 1.7),
      );
    }
    if (item.point) points.push(item.point);
    if (!points.length) points.push(item.a ? item.a.center : item.center);
    const { center, radius } = ballAround(points);
    const least = objects.length ? small * 1.2 : this.sight.radius * 0.3;
    this.move(center, this.sideways(item), this.distanceFor(Math.max(radius, least, this.sight.radius * 1e-3)) * 1.7);
  }

  /* The present direction, turned so that two that touch are seen beside each other, and a little from the side of the
   * smaller, lest the larger hide it. */
  sideways(item) {
    const direction = this.direction();
    if (!item.normal) return direction;
    const normal = new THREE.Vector3(...item.normal),
      size = (o) => (o.shape.plane ? Infinity : o.radius);
    const across = direction.clone().addScaledVector(normal, -direction.dot(normal));
    if (across.length() < 0.05) {
      across.crossVectors(normal, this.camera.up);
      if (across.length() < 0.05) return direction;
    }
    const side = size(item.a) > size(item.b) ? 1 : size(item.a) < size(item.b) ? -1 : 0;
    return across
      .normalize()
      .addScaledVector(normal, 0.45 * side)
      .normalize();
  }

  /* Turns the first look where still things hide what moves: from each of eight sides the pixels of movers are counted,
   * at three times, in a small picture. */
  lookAround() {
    const { parts, play } = this,
      moves = (o) => o.body !== BODY.STILL;
    if (!parts.some(moves) || !parts.some((o) => !moves(o) && !o.shape.plane && !o.trigger)) return;
    const [wide, tall] = [192, 120],
      target = new THREE.WebGLRenderTarget(wide, tall),
      pixels = new Uint8Array(4 * wide * tall),
      first = this.direction(),
      up = this.camera.up;
    let best = null,
      most = 0;
    for (let k = 0; k < 8; k++) {
      const direction = first.clone().applyAxisAngle(up, (k * Math.PI) / 4),
        { center, distance } = this.frame(direction);
      this.look({ target: new THREE.Vector3(...center), direction, distance: distance * 1.12 });
      let seen = 0;
      for (const part of [0, 0.35, 0.7]) {
        this.setTime(part * play.end);
        SceneView.prototype.placeCamera.call(this);
        this.drawIds(target);
        this.renderer.readRenderTargetPixels(target, 0, 0, wide, tall, pixels);
        this.renderer.setRenderTarget(null);
        for (let i = 0; i < pixels.length; i += 4) {
          const id = pixels[i] + 256 * pixels[i + 1] + 65536 * pixels[i + 2];
          if (pixels[i + 3] && id && moves(parts[id - 1])) seen++;
        }
      }
      if (k === 0) seen *= 1.2; /* the usual side, unless another is clearly better */
      if (seen > most) ((most = seen), (best = { target: this.controls.target.clone(), direction, distance: distance * 1.12 }));
    }
    target.dispose();
    if (best) this.look(best);
    this.wantFit = false;
  }

  /* --- the pointer ------------------------------------------------------------------------------------------------- */

  listenPointer() {
    const { canvas } = this;
    let down = null,
      rest = 0;
    canvas.addEventListener('pointerdown', (e) => (down = [e.clientX, e.clientY, e.button]));
    canvas.addEventListener('pointerup', (e) => {
      if (!down || down[2] !== 0 || Math.hypot(e.clientX - down[0], e.clientY - down[1]) > 4) return;
      this.events.pick(this.objectAt(e.offsetX, e.offsetY));
    });
    canvas.addEventListener('dblclick', (e) => {
      const object = this.objectAt(e.offsetX, e.offsetY);
      if (object) this.flyTo(object);
    });
    canvas.addEventListener('pointermove', (e) => {
      clearTimeout(rest);
      this.events.hover(null);
      if (e.buttons || e.pointerType === 'touch' || !this.ready) return;
      const [x, y] = [e.offsetX, e.offsetY];
      rest = setTimeout(() => this.events.hover(this.objectAt(x, y), x, y), 70);
    });
    canvas.addEventListener('pointerleave', () => {
      clearTimeout(rest);
      this.events.hover(null);
    });
  }

  /* What is drawn there, or the dot or half-space. */
  objectAt(x, y) {
    if (!this.ready) return null;
    const found = this.partAt(x, y);
    if (found) return found.standsFor || found;
    let best = null,
      least = 8;
    for (const object of this.play.objects) {
      if (!object.visible || !object.alive || object.shape.plane || this.play.objects.length > 20000) continue;
      const at = this.project(object.center);
      const away = at ? Math.hypot(at[0] - x, at[1] - y) : Infinity;
      if (away < least) ((least = away), (best = object));
    }
    return best || this.groundAt(x, y);
  }

  /* The nearest half-space whose grid is met there. */
  groundAt(x, y) {
    const { origin, direction } = new THREE.Ray(this.camera.position.clone(), this.rayThrough(x, y));
    let best = null,
      least = Infinity;
    for (const mesh of this.grounds) {
      if (!mesh.visible) continue;
      const normal = new THREE.Vector3().setFromMatrixColumn(mesh.matrix, 2),
        middle = new THREE.Vector3().setFromMatrixPosition(mesh.matrix);
      const t = middle.clone().sub(origin).dot(normal) / direction.dot(normal);
      const away = origin.clone().addScaledVector(direction, t).distanceTo(middle);
      if (t > 0 && t < least && away < 0.7 * mesh.extent) ((least = t), (best = mesh.object));
    }
    return best;
  }

  rayThrough(x, y) {
    const tall = Math.tan(this.halfAngle());
    const across = ((2 * (x + this.shift)) / this.width - 1) * tall * this.camera.aspect,
      up = (1 - (2 * y) / this.height) * tall;
    return new THREE.Vector3(across, up, -1).normalize().applyQuaternion(this.camera.quaternion);
  }
}

/* The square from -extent to extent in x and y. */
function squareGeometry(extent) {
  const corner = [-extent, -extent, 0, extent, -extent, 0, extent, extent, 0, -extent, -extent, 0, extent, extent, 0, -extent, extent, 0];
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(corner, 3));
  return geometry;
}
