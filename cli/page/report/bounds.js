/* Bounding volumes as a layer: of the selected part, of the two parts of a finding, or of the whole model. A part or the
 * whole can be turned: sphere, oriented box, capsule and hull turn with it and keep their volume, the axis-aligned box is
 * found anew for each angle, from the points of the hull. */

const BOUNDS = ['sphere', 'aabb', 'box', 'capsule', 'hull']; /* in the order of "volumes" in the data */
const BOUND_LABELS = { sphere: 'Sphere', aabb: 'AABB', box: 'OBB', capsule: 'Capsule', hull: 'Hull' };

/* The twelve edges of the box from -1 to 1, two ends each. */
const BOX_EDGES = [0, 1, 2].flatMap((axis) =>
  [0, 1, 2, 3].flatMap((side) => {
    const end = (x) => {
      const p = [0, 0, 0];
      p[axis] = x;
      p[(axis + 1) % 3] = side & 1 ? 1 : -1;
      p[(axis + 2) % 3] = side & 2 ? 1 : -1;
      return p;
    };
    return [...end(-1), ...end(1)];
  }),
);

const VEIL_VERTEX = `
  varying vec3 toEye, facing;
  void main() {
    vec4 seen = modelViewMatrix * vec4(position, 1.0);
    toEye = -seen.xyz;
    facing = normalMatrix * normal;
    gl_Position = projectionMatrix * seen;
  }`;
const VEIL_FRAGMENT = `
  uniform vec3 color;
  uniform float flat_;
  varying vec3 toEye, facing;
  void main() {
    float rim = 1.0 - abs(dot(normalize(facing), normalize(toEye)));
    gl_FragColor = vec4(color, mix(0.03 + 0.5 * rim * rim * rim, 0.07, flat_));
  }`;

/* Clear, and for what is round stronger at its rim. */
const makeVeil = (color, flat) =>
  new THREE.ShaderMaterial({
    vertexShader: VEIL_VERTEX,
    fragmentShader: VEIL_FRAGMENT,
    uniforms: { color: { value: color }, flat_: { value: flat ? 1 : 0 } },
    transparent: true,
    depthWrite: false,
    side: THREE.DoubleSide,
  });

/* The older of the versions of three.js that a page may have call them so. */
const ballGeometry = (radius) => new (THREE.SphereBufferGeometry || THREE.SphereGeometry)(radius, 48, 32);
const cubeGeometry = () => new (THREE.BoxBufferGeometry || THREE.BoxGeometry)(2, 2, 2);

/* A surface around the segment from a to b, its latitudes the same as a sphere's. */
function capsuleGeometry([ax, ay, az, bx, by, bz, radius]) {
  const geometry = ballGeometry(1),
    axis = new THREE.Vector3(bx - ax, by - ay, bz - az),
    turn = new THREE.Quaternion().setFromUnitVectors(
      new THREE.Vector3(0, 1, 0),
      axis.lengthSq() > 0 ? axis.clone().normalize() : new THREE.Vector3(0, 1, 0),
    ),
    { position, normal } = geometry.attributes,
    p = new THREE.Vector3();
  for (let i = 0; i < position.count; i++) {
    const upper = position.getY(i) > 1e-9;
    p.fromBufferAttribute(normal, i).applyQuaternion(turn);
    normal.setXYZ(i, p.x, p.y, p.z);
    p.multiplyScalar(radius);
    position.setXYZ(i, p.x + (upper ? bx : ax), p.y + (upper ? by : ay), p.z + (upper ? bz : az));
  }
  return geometry;
}

/* What is bounded: its volumes, the pose they stand in, and the points of its hull in the scene's frame. */
class Bounded {
  constructor(bounds, rows, parts) {
    const buffer = bounds.position;
    this.bounds = bounds;
    this.rows = rows;
    this.parts = parts;
    this.points = new Float32Array(buffer.length);
    transformInto(this.points, 0, buffer, rows, false);
    const [x, y, z] = bounds.sphere;
    this.pivot = [0, 4, 8].map((r) => rows[r] * x + rows[r + 1] * y + rows[r + 2] * z + rows[r + 3]);
  }

  /* The axis-aligned box of the points under a matrix, and its volume. */
  aabb(matrix) {
    const m = matrix.elements,
      p = this.points,
      low = [Infinity, Infinity, Infinity],
      high = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < p.length; i += 3)
      for (let k = 0; k < 3; k++) {
        const x = m[k] * p[i] + m[4 + k] * p[i + 1] + m[8 + k] * p[i + 2] + m[12 + k];
        if (x < low[k]) low[k] = x;
        if (x > high[k]) high[k] = x;
      }
    const size = sub(high, low);
    return { low, high, volume: size[0] * size[1] * size[2] };
  }

  volume(kind, matrix) {
    return kind === 'aabb' ? this.aabb(matrix).volume : this.bounds.volumes[BOUNDS.indexOf(kind)];
  }
}

/* The layer of the view. */
class BoundsLayer {
  constructor(view) {
    Object.assign(this, { view, on: false, shown: new Set(['sphere', 'aabb', 'box']), angle: 0, axis: view.up, objects: [], about: [] });
    this.matrix = new THREE.Matrix4();
  }

  /* What the selection is about. A finding's parts cannot be turned: which way would they. */
  choose(selection) {
    const { report } = this.view,
      of = (part) => {
        const bounds = report.boundsOf.get(part.mesh);
        return bounds && bounds.position ? [new Bounded(bounds, part.rows, [part])] : [];
      },
      whole = report.boundsOf.get(-1);
    /* the hulls of what is selected have to be unpacked first */
    const parts = !this.on || !selection ? [] : selection.relation ? [selection.partA, selection.partB] : [selection],
      wait = this.on ? report.fetch([...parts.map((part) => report.boundsOf.get(part.mesh)), whole].filter(Boolean)) : null;
    if (wait) {
      this.view.fetching = (this.view.fetching ?? 0) + 1;
      wait.then(() => {
        this.view.fetching--;
        this.fetched();
      });
    }
    this.about = !this.on
      ? []
      : selection && selection.relation
        ? [...of(selection.partA), ...of(selection.partB)]
        : selection
          ? of(selection)
          : whole && whole.position
            ? [new Bounded(whole, poseRows([0, 0, 0, 0, 0, 0, 1]), report.parts)]
            : [];
    this.turns = this.about.length === 1 && !(selection && selection.relation);
    if (!this.turns) this.angle = 0;
    this.rebuild();
  }

  /* The turn at hand, about the middle of the sphere, which therefore stays where it is. */
  turnTo(angle) {
    this.angle = this.turns ? angle : 0;
    this.place();
    this.view.style();
    this.view.pins();
  }

  get turned() {
    return this.angle !== 0;
  }
  turning(part) {
    return this.turned && this.about[0].parts.includes(part);
  }

  /* What to have in sight. */
  corners() {
    return this.about.flatMap((bounded) => {
      const { low, high } = bounded.aabb(this.matrix),
        r = this.shown.has('sphere') ? bounded.bounds.sphere[3] : 0;
      const ends = [low, high, bounded.pivot.map((x) => x - r), bounded.pivot.map((x) => x + r)];
      return ends.flatMap((p) => [0, 1, 2].map((k) => bounded.pivot.map((x, d) => (d === k ? p[d] : x))));
    });
  }

  clear() {
    for (const object of this.objects) {
      this.view.scene.remove(object);
      object.geometry.dispose();
      object.material.dispose();
    }
    this.objects = [];
  }

  rebuild() {
    this.clear();
    for (const bounded of this.about)
      for (const kind of BOUNDS) if (this.shown.has(kind)) this.build(bounded, kind);
    this.place();
  }

  add(object, bounded, kind, base) {
    object.frustumCulled = false;
    object.matrixAutoUpdate = false;
    object.renderOrder = 6;
    Object.assign(object.userData, { bounded, kind, base });
    this.view.scene.add(object);
    this.objects.push(object);
  }

  build(bounded, kind) {
    const { view } = this,
      color = view.colors[`bound-${kind}`],
      base = new THREE.Matrix4().set(...bounded.rows, 0, 0, 0, 1),
      { sphere, box, capsule, position, corner } = bounded.bounds;
    const veil = (geometry, flat) => this.add(new THREE.Mesh(geometry, makeVeil(color, flat)), bounded, kind, base);
    const lines = (segments) => {
      for (const object of view.makeLines(segments, color, 1.8, 0.3, 1)) this.add(object, bounded, kind, base);
    };
    if (kind === 'sphere') {
      const geometry = ballGeometry(sphere[3]);
      geometry.translate(sphere[0], sphere[1], sphere[2]);
      veil(geometry, false);
    } else if (kind === 'capsule') {
      veil(capsuleGeometry(capsule), false);
    } else if (kind === 'hull') {
      const geometry = new THREE.BufferGeometry(),
        hull = prepareMesh({ position, corner, points: position.length / 3, triangles: corner.length / 3 });
      geometry.setAttribute('position', new THREE.BufferAttribute(hull.flat, 3));
      geometry.setAttribute('normal', new THREE.BufferAttribute(hull.normal, 3, true));
      veil(geometry, true);
      if (hull.edge.length) lines(hull.edge);
    } else {
      const [x, y, z, hx, hy, hz, ...turn] = kind === 'box' ? box : [0, 0, 0, 1, 1, 1, 0, 0, 0, 1];
      const stand = new THREE.Matrix4().compose(
        new THREE.Vector3(x, y, z),
        new THREE.Quaternion(...turn),
        new THREE.Vector3(hx, hy, hz),
      );
      base.multiply(stand);
      veil(cubeGeometry(), true);
      lines(new Float32Array(BOX_EDGES));
    }
  }

  /* Puts all volumes where the turn at hand wants them. */
  place() {
    const { view, about } = this;
    this.matrix.identity();
    if (about.length) {
      const [x, y, z] = about[0].pivot,
        axis = new THREE.Vector3(...{ x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] }[this.axis]);
      this.matrix
        .makeTranslation(x, y, z)
        .multiply(new THREE.Matrix4().makeRotationAxis(axis, (this.angle * Math.PI) / 180))
        .multiply(new THREE.Matrix4().makeTranslation(-x, -y, -z));
    }
    view.common.spin.value.copy(this.matrix);
    for (const object of this.objects) {
      const { bounded, kind, base } = object.userData;
      if (kind === 'aabb') {
        const { low, high } = bounded.aabb(this.matrix),
          c = mix(low, high, 0.5),
          h = sub(high, c);
        object.matrix.makeScale(...h.map((x) => Math.max(x, 1e-12))).setPosition(...c);
      } else object.matrix.multiplyMatrices(this.matrix, base);
      object.matrixWorldNeedsUpdate = true;
    }
    view.redraw();
  }
}

/* --- the panel beside it --------------------------------------------------------------------------------------------- */

/* Three digits; large numbers as powers of ten. */
function volumeText(cubic) {
  const value = cubic / unit.metres ** 3;
  return `${value >= 1e5 ? value.toExponential(2).replace('e+', 'e') : digits(value)} ${unit.name}³`;
}

class BoundsPanel {
  constructor(view) {
    Object.assign(this, { view, layer: view.bounds, spinning: 0 });
    this.rows = {};
    for (const kind of BOUNDS) {
      const box = element('input', ''),
        value = element('span', 'value'),
        bar = element('span', 'bar', element('i', ''), element('b', ''));
      box.type = 'checkbox';
      box.checked = this.layer.shown.has(kind);
      box.addEventListener('input', () => {
        if (box.checked) this.layer.shown.add(kind);
        else this.layer.shown.delete(kind);
        this.layer.rebuild();
      });
      this.rows[kind] = { value, bar };
      $('bound-rows').append(element('label', `bound tone-bound-${kind}`, box, element('span', 'word', BOUND_LABELS[kind]), value, bar));
    }
    $('turn').addEventListener('input', () => {
      this.stop();
      this.turn(Number($('turn').value));
    });
    $('turn-axis').value = this.layer.axis;
    $('turn-axis').addEventListener('input', () => {
      this.layer.axis = $('turn-axis').value;
      this.turn(this.layer.angle);
    });
    $('turn-play').addEventListener('click', () => (this.spinning ? this.stop() : this.start()));
    this.button();
  }

  show(selection) {
    const { layer } = this;
    this.stop();
    layer.fetched = () => {
      this.show(selection);
      layer.view.style();
      if (layer.on && !selection) layer.view.fit(); /* the volumes of the whole reach farther than it */
    };
    layer.choose(selection);
    $('bounds-panel').hidden = !layer.on || !layer.about.length;
    this.update();
  }

  turn(angle) {
    this.layer.turnTo(angle);
    this.update();
  }

  start() {
    if (!this.layer.turns) return;
    let before = 0;
    const step = (now) => {
      if (before) this.turn((this.layer.angle + (now - before) * 0.036) % 360); /* once in ten seconds */
      before = now;
      this.spinning = requestAnimationFrame(step);
    };
    this.spinning = requestAnimationFrame(step);
    this.button();
  }

  stop() {
    cancelAnimationFrame(this.spinning);
    this.spinning = 0;
    this.button();
  }

  button() {
    const label = this.spinning ? 'Stop' : 'Turn it';
    $('turn-play').replaceChildren(icon(this.spinning ? 'pause' : 'play'));
    $('turn-play').title = $('turn-play').ariaLabel = label;
  }

  /* The numbers: each volume, and how much of it is empty. The bars are as long as the volumes, full as far as the model. */
  update() {
    const { layer } = this,
      { about } = layer;
    if (!about.length) return;
    const one = about.length === 1 ? about[0] : null,
      volumes = BOUNDS.map((kind) => (one ? one.volume(kind, layer.matrix) : 0)),
      most = Math.max(...volumes),
      model = one ? one.bounds.model : null;
    $('bounds-of').textContent = one ? (one.parts.length === 1 ? one.parts[0].leaf : 'The whole model') : 'Both parts';
    BOUNDS.forEach((kind, k) => {
      const { value, bar } = this.rows[kind],
        empty = model !== null && volumes[k] > 0 ? Math.max(0, 1 - model / volumes[k]) : null;
      value.textContent = '';
      put(
        value,
        one ? volumeText(volumes[k]) : null,
        empty === null ? null : ` · ${(100 * empty).toFixed(0)} %`,
        empty === null ? null : element('span', 'more', ' empty'),
      );
      bar.hidden = !one || !(most > 0);
      bar.children[0].style.width = `${(100 * volumes[k]) / most}%`;
      bar.children[1].style.width = `${model === null ? 0 : Math.min(100, (100 * Math.min(model, volumes[k])) / most)}%`;
    });
    $('bounds-model').textContent = !one
      ? 'Select one part, or nothing, for volumes and to turn it.'
      : model === null
        ? 'Not closed: no volume of its own.'
        : `${one.parts.length === 1 ? 'Its own' : 'Of all parts'} ${volumeText(model)}`;
    $('turn-row').hidden = !layer.turns;
    $('turn').value = layer.angle;
    $('turn-angle').textContent = `${layer.angle.toFixed(0)}°`;
  }
}
