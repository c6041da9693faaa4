/* The model in 3D: parts, marks, the outline and the two points of the selected finding.
 *
 * The view draws only when something changed. Parts are drawn in chunks (batches.js) and styled through the state
 * texture (shaders.js), so a model of thousands of parts costs a few draw calls. The frame is the scene's, with the
 * scene's origin at zero. */

/* What has to be unpacked to show a finding. */
const neededBy = (report, finding) => [finding, ...[finding.partA, finding.partB].filter((part) => !part.gone).map((part) => report.meshes[part.mesh])];

class View extends SceneView {
  /* `events` has pick(part or null), pickFinding(finding), hover(part or null, x, y) and placed(project, camera). */
  constructor(canvas, report, events) {
    super(canvas, { parts: report.parts, up: report.up, sphere: modelSphere(report.parts) }, events);
    this.report = report;
    this.ghosting = true;
    this.xray = 'auto';
    this.showPins = true;
    this.selection = null; /* a finding, a part, or null */
    this.pinned = [];
    this.bounds = new BoundsLayer(this);
    this.share = 1; /* of the model that is drawn */
    this.makeChunks();
    this.ready = true;
    this.cut = new CutLayer(this);
    this.begin();
    this.controls.addEventListener('start', () => this.moves());
    this.listen();
  }

  colorNames() {
    return ['part', 'edge', 'ghost', 'outline', 'outline-core', 'part-a', 'part-b', 'raised', 'rim', 'ink', ...Object.keys(RELATIONS), ...BOUNDS.map((kind) => `bound-${kind}`)];
  }

  restyled() {
    this.pins();
    this.mark();
    this.bounds.rebuild();
  }

  overlays() {
    return [...this.marked, ...this.pinned, ...this.bounds.objects, ...this.cut.sections];
  }

  /* Bounding volumes reach farther than the model. */
  corners() {
    const many = this.chunks && this.parts.length > 2000;
    const ends = ({ low, high }) => Array.from({ length: 8 }, (_, corner) => [0, 1, 2].map((k) => ((corner >> k) & 1 ? high[k] : low[k])));
    return [...(many ? this.chunks.flatMap(ends) : super.corners()), ...this.bounds.corners()];
  }

  placeCamera() {
    const model = this.sphere;
    if (this.bounds.on) this.sphere = { center: model.center, radius: 2 * model.radius };
    super.placeCamera();
    this.sphere = model;
  }

  orbit(theta, phi, zoom) {
    this.moves();
    super.orbit(theta, phi, zoom);
  }

  /* --- parts ----------------------------------------------------------------------------------------------------- */

  draw() {
    if (this.flight) this.moves();
    this.keepPace();
    super.draw();
    if (this.ready && this.chunks.some((chunk) => chunk.wanted && !chunk.detail)) this.load();
  }

  /* Writes every part's color and mode for the selection at hand. */
  style() {
    const { parts } = this.report,
      chosen = this.selection,
      among = chosen ? null : this.among,
      ghosts = (chosen || among) && this.ghosting;
    let solid = false,
      clear = false;
    for (const part of parts) {
      let color = this.colors.part,
        mode = MODE.SOLID,
        alpha = 1;
      const lit = chosen && (chosen === part ? 'part-a' : chosen.partA === part ? 'part-a' : chosen.partB === part ? 'part-b' : null);
      if (lit) {
        color = this.colors[lit];
        if (part.space || this.isGlass(part)) ((mode = MODE.GLASS), (alpha = 0.34));
        else if (this.isStriped()) mode = chosen.partA === part ? MODE.SOLID : MODE.HIDDEN;
      } else if (!part.visible) {
        mode = MODE.HIDDEN;
      } else if ((ghosts && !among?.has(part)) || part.space) {
        /* A space is air: what stands in it is to be seen, and picked. */
        ((color = this.colors.ghost), (mode = MODE.GHOST), (alpha = 0.17));
      }
      /* Neighbors of one color melt into one lump: a little shade of its own for each part. */
      const shade = lit ? 1 : 0.93 + 0.14 * ((((part.index * 0.61803) % 1) + 1) % 1);
      const stripes = lit && mode === MODE.SOLID && this.isStriped();
      this.paint(
        part,
        [color.r, color.g, color.b].map((c) => c * shade),
        mode,
        alpha,
        stripes,
        this.bounds.turning(part),
        this.report.meshes[part.mesh].solid,
      );
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
    if (this.cut.on) return false; /* the cut shows the inside */
    if (chosen.relation === 'inside') return part === (chosen.inner === 'a' ? chosen.partB : chosen.partA);
    return this.buried && !this.isStriped();
  }

  /* Two parts in one place would fight for every pixel: one is drawn, in stripes of both colors. */
  isStriped() {
    return this.selection.relation === 'identical' && this.xray !== true;
  }

  /* --- the selection --------------------------------------------------------------------------------------------- */

  /* `among`: without a selection, the parts of a group, of which the others are ghosts. */
  select(selection, { fly = true, among = null } = {}) {
    this.selection = selection;
    this.among = among;
    this.best = null;
    this.buried = false;
    const wait = selection && selection.relation ? this.report.fetch(neededBy(this.report, selection)) : null;
    if (wait) {
      /* with what there is now, and again with all */
      this.fetching = (this.fetching ?? 0) + 1;
      wait.then(() => {
        this.fetching--;
        if (this.selection === selection) this.select(selection, { fly });
        if (this.selection === selection) this.events.ready(selection);
      });
    } else if (selection && selection.relation) {
      this.best = bestDirection(this, selection, this.distanceOf(selection));
      this.buried = this.best.hidden;
    }
    this.style();
    this.pins();
    this.mark();
    if (selection && fly && !wait) this.flyTo(selection);
  }

  /* Draws outline and points of the selected finding: once dim without the depth test, once bright with it, so that
   * what lies behind a surface is seen as behind. */
  mark() {
    this.clearMarks();
    const finding = this.selection && this.selection.relation ? this.selection : null;
    if (finding) {
      const segments = this.cut.on ? this.cut.below(finding.segments) : finding.segments;
      if (segments && segments.length) {
        this.addLines(segments, this.colors.outline, 6.5, 0.5, 0.9);
        this.addLines(segments, this.colors['outline-core'], 2.4, 0.35, 1);
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

  /* The marks of all findings in the list: faint where a surface hides them. */
  setFindings(findings) {
    this.findings = findings;
    this.pins();
  }

  pins() {
    for (const object of this.pinned) {
      this.scene.remove(object);
      object.geometry.dispose();
      object.material.dispose();
    }
    this.pinned = [];
    const chosen = this.selection;
    this.pinList =
      !this.showPins || (chosen && chosen.relation) || this.bounds.turned
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

  /* --- the camera ------------------------------------------------------------------------------------------------ */

  /* Has all of these findings in sight. */
  flyAround(findings) {
    const low = [0, 1, 2].map((k) => Math.min(...findings.map((f) => f.place[k] - f.reach))),
      high = [0, 1, 2].map((k) => Math.max(...findings.map((f) => f.place[k] + f.reach)));
    const radius = Math.max(length(sub(high, low)) / 2, ...findings.slice(0, 50).map((f) => Math.min(f.partA.radius, f.partB.radius)));
    const middle = mix(low, high, 0.5),
      direction = this.direction();
    let distance = this.distanceFor(Math.max(radius, this.sphere.radius * 1e-4)) * 1.25;
    /* Not from inside of one of their parts, where one shade would be all that is seen: then all of that part. */
    for (const part of new Set(findings.slice(0, 50).flatMap((f) => [f.partA, f.partB]))) {
      const way = part.space ? 0 : 1.1 * this.wayOut(part, middle, direction.toArray());
      if (way > distance) distance = Math.max(way, this.distanceFor(part.radius));
    }
    this.move(middle, direction, distance);
  }

  /* How far it is from a point within a part's box to its side; 0 from a point that is not in it. */
  wayOut({ half, rows, center }, point, direction) {
    const off = sub(point, center);
    let way = Infinity;
    for (let k = 0; k < 3; k++) {
      const axis = [rows[k], rows[4 + k], rows[8 + k]],
        square = axis[0] ** 2 + axis[1] ** 2 + axis[2] ** 2,
        along = (v) => (v[0] * axis[0] + v[1] * axis[1] + v[2] * axis[2]) / square,
        at = along(off),
        pace = along(direction);
      if (!(Math.abs(at) <= half[k])) return 0;
      if (pace !== 0) way = Math.min(way, (Math.sign(pace) * half[k] - at) / pace);
    }
    return way;
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
