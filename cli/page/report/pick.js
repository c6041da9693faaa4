/* What lies under the pointer, and from where a place is seen best: both answered by drawing numbers into a small
 * buffer, so that a model of any size costs one pass. */

Object.assign(View.prototype, {
  listen() {
    const { canvas } = this;
    let down = null,
      rest = 0;
    canvas.addEventListener('pointerdown', (e) => {
      down = [e.clientX, e.clientY, e.button];
    });
    canvas.addEventListener('pointerup', (e) => {
      if (!down || down[2] !== 0 || Math.hypot(e.clientX - down[0], e.clientY - down[1]) > 4) return;
      this.click(e.offsetX, e.offsetY);
    });
    canvas.addEventListener('dblclick', (e) => {
      const part = this.partAt(e.offsetX, e.offsetY);
      if (part) this.flyTo(part);
    });
    canvas.addEventListener('pointermove', (e) => {
      clearTimeout(rest);
      this.events.hover(null);
      if (e.buttons || e.pointerType === 'touch' || !this.ready) return;
      const [x, y] = [e.offsetX, e.offsetY];
      rest = setTimeout(() => {
        const finding = this.findingAt(x, y);
        this.events.hover(finding || this.partAt(x, y), x, y);
      }, 70);
    });
    canvas.addEventListener('pointerleave', () => {
      clearTimeout(rest);
      this.events.hover(null);
    });
  },

  click(x, y) {
    const finding = this.findingAt(x, y);
    if (finding) this.events.pickFinding(finding);
    else this.events.pick(this.partAt(x, y));
  },

  findingAt(x, y) {
    let best = null,
      least = 9;
    for (const finding of this.pinList || []) {
      const at = this.project(finding.place);
      const away = at ? Math.hypot(at[0] - x, at[1] - y) : Infinity;
      if (away < least) {
        least = away;
        best = finding;
      }
    }
    return best;
  },
});

/* One part alone, in its own frame. */
function loneGeometry(mesh) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(mesh.position, 3));
  geometry.setIndex(new THREE.BufferAttribute(mesh.corner, 1));
  return geometry;
}

/* The direction from which most of the finding's outline (or the line between its points) is not hidden by its own two
 * parts, seen from `distance`; the present direction where it is as good. `hidden`: there is no good one, and then the
 * direction is the one that sees that line at its longest. Draws the candidates side by side into one small picture and
 * counts. */
function bestDirection(view, finding, distance) {
  const SIDE = 72,
    present = view.direction(),
    up = view.camera.up,
    candidates = [present];
  const east = new THREE.Vector3(up.y, up.z, up.x),
    north = new THREE.Vector3().crossVectors(up, east);
  const heavy = finding.partA.triangles + finding.partB.triangles > 200000;
  for (const height of heavy ? [0.45] : [0.12, 0.45, 0.95, -0.5])
    for (let i = 0; i < 8; i++) {
      const turn = (i * Math.PI) / 4 + 0.35,
        flat = Math.sqrt(1 - Math.min(0.99, height * height));
      candidates.push(
        new THREE.Vector3()
          .addScaledVector(east, flat * Math.cos(turn))
          .addScaledVector(north, flat * Math.sin(turn))
          .addScaledVector(up, height)
          .normalize(),
      );
    }
  const columns = Math.ceil(Math.sqrt(candidates.length)),
    rows = Math.ceil(candidates.length / columns);
  const target = new THREE.WebGLRenderTarget(columns * SIDE, rows * SIDE);
  const scene = new THREE.Scene(),
    lone = [];
  const dark = new THREE.MeshBasicMaterial({
    color: 0x000000,
    side: THREE.DoubleSide,
    polygonOffset: true,
    polygonOffsetFactor: 2,
    polygonOffsetUnits: 2,
  });
  for (const part of [finding.partA, finding.partB]) {
    const mesh = view.report.meshes[part.mesh];
    if (part.gone || !mesh.position || (finding.relation === 'inside' && part !== (finding.inner === 'a' ? finding.partA : finding.partB))) continue;
    const object = new THREE.Mesh(loneGeometry(mesh), dark);
    object.frustumCulled = false;
    object.matrixAutoUpdate = false;
    object.matrix.set(...part.rows, 0, 0, 0, 1);
    scene.add(object);
    lone.push(object.geometry);
  }
  const shape = new THREE.BufferGeometry(),
    segments = finding.segments;
  const points = segments && segments.length ? segments : new Float32Array([...finding.pointA, ...finding.pointB]);
  shape.setAttribute('position', new THREE.BufferAttribute(points, 3));
  const bright = new THREE.LineBasicMaterial({ color: 0xffffff });
  const lines = new THREE.LineSegments(shape, bright),
    dots = new THREE.Points(shape, new THREE.PointsMaterial({ color: 0xffffff, size: 3, sizeAttenuation: false }));
  lines.frustumCulled = dots.frustumCulled = false;
  scene.add(lines, dots);
  const camera = view.camera.clone();
  camera.clearViewOffset();
  camera.aspect = 1;
  camera.near = distance * 0.02;
  camera.far = distance + view.sphere.radius * 2.1;
  camera.updateProjectionMatrix();
  const { renderer } = view,
    aim = new THREE.Vector3(...finding.place);
  candidates.forEach((direction, i) => {
    camera.position.copy(aim).addScaledVector(direction, distance);
    camera.lookAt(aim);
    camera.updateMatrixWorld();
    target.viewport.set((i % columns) * SIDE, Math.floor(i / columns) * SIDE, SIDE, SIDE);
    renderer.setRenderTarget(target);
    if (i === 0) renderer.clear();
    renderer.render(scene, camera);
  });
  const pixels = new Uint8Array(4 * columns * SIDE * rows * SIDE);
  renderer.readRenderTargetPixels(target, 0, 0, columns * SIDE, rows * SIDE, pixels);
  renderer.setRenderTarget(null);
  target.dispose();
  for (const geometry of lone) geometry.dispose();
  shape.dispose();
  dark.dispose();
  bright.dispose();
  dots.material.dispose();
  const line = new THREE.Vector3(...sub(finding.pointB, finding.pointA)).normalize();
  const choose = (score) => {
    let best = 0,
      most = -1;
    candidates.forEach((direction, i) => {
      const value = score(direction, i) * (1 + 0.3 * direction.dot(present) + (i === 0 ? 0.15 : 0));
      if (value > most) {
        most = value;
        best = i;
      }
    });
    return best;
  };
  const seen = candidates.map((_, i) => {
    let count = 0;
    const x0 = (i % columns) * SIDE,
      y0 = Math.floor(i / columns) * SIDE;
    for (let y = y0; y < y0 + SIDE; y++) for (let x = x0; x < x0 + SIDE; x++) if (pixels[4 * (y * columns * SIDE + x)] > 128) count++;
    return count;
  });
  let best = choose((_, i) => seen[i]);
  const hidden = seen[best] < 12;
  if (hidden) best = choose((direction) => 1.1 - Math.abs(direction.dot(line)));
  return { direction: candidates[best].clone(), hidden };
}
