/* A cut: what lies on the side of a plane that the viewer looks from is taken away, and closed solids that are selected
 * show their section; where both parts of a finding are, both colors in stripes. The plane goes through the chosen finding, or through the middle of what is chosen, and
 * is moved by its slider, by the grip in the picture, or by keys on either. */

class CutLayer {
  constructor(view) {
    Object.assign(this, { view, on: false, axis: 'auto', flipped: false, offset: 0, reach: 1, selection: null, sections: [] });
    this.through = [0, 0, 0];
    this.normal = [0, 0, 1];
    this.choose(null);
  }

  /* Puts the plane through what is selected. */
  choose(selection) {
    const { view } = this,
      finding = selection && selection.relation ? selection : null;
    this.selection = selection;
    this.offset = 0;
    this.flipped = false;
    this.through = finding ? (finding.relation === 'identical' || finding.relation === 'inside' ? finding.place : mix(finding.pointA, finding.pointB, 0.5)) : selection ? selection.center : view.sphere.center;
    this.reach = finding ? Math.max(finding.partA.radius, finding.partB.radius) : selection ? selection.radius : view.sphere.radius;
    this.turn();
  }

  /* Finds the normal, which points to the viewer: that of an axis, or the one of the planes along the line between the
   * two points of a finding which faces the viewer most. */
  turn() {
    const { view, selection } = this,
      toEye = (view.flightDirection() || view.direction()).toArray(),
      dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2],
      at = ['x', 'y', 'z'].indexOf(this.axis);
    let n = toEye;
    if (at >= 0) n = [0, 1, 2].map((k) => (k === at ? (toEye[k] < 0 ? -1 : 1) : 0));
    else if (selection && selection.relation) {
      const line = sub(selection.pointB, selection.pointA),
        size = length(line),
        along = size > 0 ? line.map((x) => x / size) : [0, 0, 0],
        square = sub(toEye, along.map((x) => x * dot(toEye, along)));
      if (length(square) > 1e-3) n = square;
    }
    this.normal = n.map((x) => (this.flipped ? -x : x) / length(n));
    this.place();
  }

  /* A point of the plane: where it crosses the normal through its first place. */
  center() {
    return this.through.map((x, k) => x + this.offset * this.normal[k]);
  }

  place() {
    const { view, normal } = this,
      c = this.center();
    view.common.cut.value.set(...normal, c[0] * normal[0] + c[1] * normal[1] + c[2] * normal[2]);
    view.setCut(this.on);
    if (view.cut) {
      view.mark(); /* the outline is cut too */
      this.fill();
    }
    view.redraw();
  }

  /* The sections of the selected solids: of A, of B over it, and of A again in stripes. */
  fill() {
    const { view, selection } = this,
      { parts, meshes } = view.report;
    for (const object of this.sections) {
      view.scene.remove(object);
      object.geometry.dispose();
      object.material.dispose();
    }
    this.sections = [];
    if (!this.on || !selection) return;
    const both = selection.relation ? [selection.partA, selection.partB, selection.partA] : [selection];
    const add = (geometry, material) => {
      const object = new THREE.Mesh(geometry, material);
      object.frustumCulled = false;
      object.matrixAutoUpdate = false;
      object.renderOrder = 0.1 + 0.01 * this.sections.length; /* after what is solid, before edges */
      view.scene.add(object);
      this.sections.push(object);
      return object;
    };
    const c = new THREE.Vector3(...this.center()),
      /* beyond both parts; one square for all sections, so that all have one depth */
      size = Math.max(...both.map((part) => 2 * part.radius + length(sub(part.center, c.toArray())))),
      turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), new THREE.Vector3(...this.normal));
    both.forEach((part, at) => {
      const mesh = meshes[part.mesh];
      if (!parts.includes(part) || !mesh.solid || !mesh.position) return;
      for (const side of [THREE.BackSide, THREE.FrontSide])
        add(loneGeometry(mesh), makeCountMaterial(view.common, side)).matrix.set(...part.rows, 0, 0, 0, 1);
      const color = view.colors[part === selection.partB ? 'part-b' : 'part-a'];
      add(cubeGeometry(), makeSectionMaterial(view.common, color, at === 2)).matrix.compose(c, turn, new THREE.Vector3(size, size, 0));
    });
  }

  moveTo(offset) {
    this.offset = Math.max(-this.reach, Math.min(this.reach, offset));
    this.place();
  }

  /* What of these segments the plane leaves, as far as it leaves them. */
  below(segments) {
    const { x, y, z, w } = this.view.common.cut.value,
      out = [];
    for (let i = 0; segments && i < segments.length; i += 6) {
      const a = [...segments.subarray(i, i + 3)],
        b = [...segments.subarray(i + 3, i + 6)],
        above = [a, b].map((p) => x * p[0] + y * p[1] + z * p[2] - w);
      if (above[0] > 0 && above[1] > 0) continue;
      const cross = above[0] * above[1] < 0 ? mix(a, b, above[0] / (above[0] - above[1])) : null;
      out.push(...(above[0] > 0 && cross ? cross : a), ...(above[1] > 0 && cross ? cross : b));
    }
    return new Float32Array(out);
  }
}

/* The panel of the cut, and the grip. */
class CutPanel {
  constructor(view) {
    Object.assign(this, { view, layer: view.cut });
    const { layer } = this;
    $('cut-axis').addEventListener('input', () => {
      layer.axis = $('cut-axis').value;
      layer.flipped = false;
      layer.turn();
      this.update();
    });
    $('cut-flip').addEventListener('click', () => {
      layer.flipped = !layer.flipped;
      layer.offset = -layer.offset;
      layer.turn();
      this.update();
    });
    /* Finer near the middle. */
    $('cut-offset').addEventListener('input', () => this.move(layer.reach * Number($('cut-offset').value) ** 3));
    const grip = $('cut-grip');
    grip.addEventListener('keydown', (e) => {
      const by = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, PageUp: 10, PageDown: -10 }[e.key];
      if (!by) return;
      e.preventDefault();
      this.move(layer.offset + by * 0.01 * layer.reach);
    });
    grip.addEventListener('pointerdown', (e) => {
      grip.setPointerCapture(e.pointerId);
      this.held = { x: e.clientX, y: e.clientY, offset: layer.offset };
      e.preventDefault();
      grip.focus();
    });
    grip.addEventListener('pointermove', (e) => {
      if (!this.held) return;
      const { x, y, offset } = this.held;
      this.move(offset + this.metres(e.clientX - x, e.clientY - y));
    });
    for (const end of ['pointerup', 'pointercancel']) grip.addEventListener(end, () => (this.held = null));
  }

  /* How far along the normal a way on the screen is; where the normal points to the viewer, upwards is nearer. */
  metres(dx, dy) {
    const { view, layer } = this,
      from = layer.center(),
      step = view.camera.position.distanceTo(view.controls.target) * 0.1,
      a = view.project(from),
      b = view.project(from.map((x, k) => x + step * layer.normal[k]));
    if (!a || !b) return 0;
    const [px, py] = [b[0] - a[0], b[1] - a[1]],
      size = Math.hypot(px, py),
      across = (view.height * 0.1) / (2 * Math.tan(view.halfAngle())); /* what the step is long across the view */
    if (size < across * 0.35) return (-dy / across) * step;
    return ((dx * px + dy * py) / (size * size)) * step;
  }

  move(offset) {
    this.layer.moveTo(offset);
    this.update();
  }

  show(selection) {
    this.layer.choose(selection);
    this.update();
  }

  update() {
    const { layer } = this;
    $('cut-panel').hidden = !layer.on;
    $('cut-axis').value = layer.axis;
    $('cut-offset').value = Math.cbrt(layer.offset / layer.reach);
    $('cut-at').textContent = lengthText(layer.offset);
    this.placed();
  }

  /* After each drawing: the grip stands in the middle of the plane. */
  placed() {
    const { view, layer } = this,
      at = layer.on ? view.project(layer.center()) : null,
      seen = at && at[0] > 0 && at[1] > 0 && at[0] < view.width && at[1] < view.height;
    $('cut-grip').hidden = !seen;
    if (seen) $('cut-grip').style.transform = `translate(${at[0]}px, ${at[1]}px) translate(-50%, 22px)`;
  }
}
