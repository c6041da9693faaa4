/* The layers over the scene. Each has a name, objects in the scene, and is told of the time, the theme, the selection
 * and the scale of the picture; what is off costs nothing. */

/* An attribute of numbers that grows. */
class Growing {
  constructor(size) {
    this.size = size;
    this.array = new Float32Array(size * 64);
    this.count = 0;
  }
  clear() {
    this.count = 0;
  }
  push(...values) {
    if ((this.count + 1) * this.size > this.array.length) {
      const more = new Float32Array(2 * this.array.length);
      more.set(this.array);
      this.array = more;
    }
    for (let k = 0; k < this.size; k++) this.array[this.count * this.size + k] = values[k];
    this.count++;
  }
}

class Layer {
  constructor(view, name, on) {
    Object.assign(this, { view, name, on, objects: [] });
  }
  add(object, order) {
    object.frustumCulled = false;
    object.matrixAutoUpdate = false;
    object.renderOrder = order;
    object.visible = this.on;
    this.view.scene.add(object);
    this.objects.push(object);
    return object;
  }
  toggle(on = !this.on) {
    this.on = on;
    for (const object of this.objects) object.visible = on;
    this.setTime(this.view.time || 0);
    this.view.redraw();
  }
  /* Puts the values into the geometries of all objects. A buffer that has grown needs a new attribute. */
  fill(geometry, lists, instanced) {
    for (const [name, list] of Object.entries(lists)) {
      const old = geometry.attributes[name];
      if (!old || old.array !== list.array) {
        const Kind = instanced ? THREE.InstancedBufferAttribute : THREE.BufferAttribute;
        geometry.setAttribute(name, new Kind(list.array, list.size).setUsage(THREE.DynamicDrawUsage));
        delete geometry._maxInstanceCount;
      }
      geometry.attributes[name].needsUpdate = true;
    }
    const { count } = Object.values(lists)[0];
    if (instanced) geometry.maxInstancedCount = geometry.instanceCount = count;
    else geometry.setDrawRange(0, count);
  }
  setTime() {}
  restyle() {}
  /* Everything anew: the theme, the selection or what is hidden has changed. */
  again() {
    this.frame = -1;
    this.key = '';
    this.setTime(this.view.time || 0);
  }
  scaled() {}
  set(name, value) {
    for (const object of this.objects) if (object.material.uniforms[name]) object.material.uniforms[name].value = value;
  }
}

/* Objects smaller than a few pixels. */
class Dots extends Layer {
  constructor(view) {
    super(view, 'dots', true);
    this.drawn = view.play.objects.filter((o) => !o.shape.plane && (o.body !== BODY.STILL || o.radius === 0));
    this.place = new Float32Array(3 * this.drawn.length);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(this.place, 3).setUsage(THREE.DynamicDrawUsage));
    geometry.setAttribute(
      'part',
      new THREE.Float32BufferAttribute(
        this.drawn.map((o) => o.index),
        1,
      ),
    );
    geometry.setAttribute(
      'radius',
      new THREE.Float32BufferAttribute(
        this.drawn.map((o) => o.radius),
        1,
      ),
    );
    this.points = this.add(new THREE.Points(geometry, makeDotMaterial(view.common, view.colors.rim)), 2.5);
  }
  setTime() {
    this.drawn.forEach((o, i) => this.place.set(o.center, 3 * i));
    this.points.geometry.attributes.position.needsUpdate = true;
  }
  restyle() {
    this.set('rim', this.view.colors.rim);
  }
  scaled(perPixel, ratio) {
    this.set('perPixel', perPixel);
    this.set('pixels', (this.drawn.length > 1000 ? 6 : 9) * ratio);
  }
}

/* The size of the smaller of two objects, by which marks at their contact are drawn. */
function reachOf(a, b) {
  const sizes = [a.radius, b.radius].filter((x) => x > 0);
  return sizes.length ? Math.min(...sizes) : 0;
}

/* Contact points of the last frame, behind surfaces fainter. */
class Contacts extends Layer {
  constructor(view) {
    super(view, 'contacts', true);
    this.lists = { position: new Growing(3), reach: new Growing(1) };
    this.geometry = new THREE.BufferGeometry();
    this.frame = -1;
    for (const [opacity, depthTest] of [
      [0.45, false],
      [1, true],
    ])
      this.add(
        new THREE.Points(this.geometry, makeContactMaterial(view.colors.contact, view.colors.rim, opacity, depthTest)),
        depthTest ? 9 : 8,
      );
  }
  setTime(time) {
    const { play } = this.view,
      frame = frameAt(play, time),
      about = this.view.about();
    if (!this.on || frame === this.frame) return;
    this.frame = frame;
    const { position, reach } = this.lists,
      [from, to] = rangeOf(play.contact_ends, frame);
    position.clear();
    reach.clear();
    for (let i = from; i < to; i++) {
      const a = play.objects[play.contactIds[9 * i]],
        b = play.objects[play.contactIds[9 * i + 1]];
      if (!about(a, b)) continue;
      position.push(...play.contact32.subarray(9 * i + 2, 9 * i + 5));
      reach.push(reachOf(a, b));
    }
    this.fill(this.geometry, this.lists, false);
  }
  restyle() {
    this.set('color', this.view.colors.contact);
    this.set('rim', this.view.colors.rim);
  }
  scaled(perPixel, ratio) {
    this.set('perPixel', perPixel);
    this.set('pixels', 12 * ratio);
  }
}

/* Their normals, from the first object to the second. */
class Arrows extends Layer {
  constructor(view) {
    super(view, 'normals', true);
    this.lists = { at: new Growing(3), along: new Growing(3), reach: new Growing(1) };
    this.geometry = arrowGeometry();
    this.key = '';
    for (const [opacity, depthTest] of [
      [0.4, false],
      [1, true],
    ])
      this.add(new THREE.Mesh(this.geometry, makeArrowMaterial(view.colors.contact, opacity, depthTest)), depthTest ? 7 : 6);
  }
  setTime(time) {
    const { play } = this.view,
      frame = frameAt(play, time),
      about = this.view.about(),
      hits = recentHits(this.view, time),
      key = `${frame} ${hits.map((e) => e.index)}`;
    if (!this.on || key === this.key) return;
    this.key = key;
    const { at, along, reach } = this.lists,
      [from, to] = rangeOf(play.contact_ends, frame);
    for (const list of [at, along, reach]) list.clear();
    for (let i = from; i < to; i++) {
      const a = play.objects[play.contactIds[9 * i]],
        b = play.objects[play.contactIds[9 * i + 1]];
      if (!about(a, b)) continue;
      at.push(...play.contact32.subarray(9 * i + 2, 9 * i + 5));
      along.push(...play.contact32.subarray(9 * i + 6, 9 * i + 9));
      reach.push(reachOf(a, b));
    }
    for (const event of hits) {
      at.push(...event.point);
      along.push(...event.normal);
      reach.push(reachOf(event.a, event.b));
    }
    this.fill(this.geometry, this.lists, true);
  }
  restyle() {
    this.set('color', this.view.colors.contact);
  }
  scaled(perPixel, ratio) {
    this.set('perPixel', perPixel);
    this.set('pixels', 46 * ratio);
  }
}

/* How long hits flash: a fifth of a second as it is played, at least two steps; of configurations, which stand for
 * themselves, never into the next. */
const flashTime = ({ play, speed }) => (play.robot && play.robot.held ? Math.min(0.2 * (speed || 1), 0.9) : Math.max(0.2 * (speed || 1), 2 * play.dt));

/* The hits that flash at `time`. */
function recentHits(view, time) {
  const { list, dt } = view.play,
    lasts = flashTime(view),
    about = view.about(),
    out = [];
  for (let i = eventAt(list, time + 1e-6 * dt); i >= 0 && list[i].time > time - lasts && out.length < 4000; i--)
    if (list[i].point && about(list[i].a, list[i].b) && (list[i].kind === 'hit' || list[i].kind === 'began')) out.push(list[i]);
  return out;
}

class Bursts extends Layer {
  constructor(view) {
    super(view, 'bursts', true);
    this.lists = { position: new Growing(3), age: new Growing(1), reach: new Growing(1) };
    this.geometry = new THREE.BufferGeometry();
    this.add(new THREE.Points(this.geometry, makeBurstMaterial(view.colors.burst)), 10);
  }
  setTime(time) {
    if (!this.on) return;
    const { position, age, reach } = this.lists,
      lasts = flashTime(this.view);
    for (const list of [position, age, reach]) list.clear();
    for (const event of recentHits(this.view, time)) {
      position.push(...event.point);
      age.push(Math.max(0, (time - event.time) / lasts));
      reach.push(reachOf(event.a, event.b));
    }
    this.fill(this.geometry, this.lists, false);
  }
  restyle() {
    this.set('color', this.view.colors.burst);
  }
  scaled(perPixel, ratio) {
    this.set('perPixel', perPixel);
    this.set('pixels', 34 * ratio);
  }
}

/* What objects sweep over in the step at hand, and their outlines at its start and end. */
class Swept extends Layer {
  constructor(view) {
    super(view, 'swept', false);
    this.frame = -1;
    this.sets = view.groups.filter((group) => group.moves).map((group) => ({ group }));
  }
  /* Made when first needed. */
  make(set) {
    const { shape } = set.group,
      { view } = this;
    const rows = () => [0, 1, 2].map(() => new Growing(4));
    Object.assign(set, { start: rows(), end: rows(), sweptStart: rows(), sweptEnd: rows(), tone: new Growing(3) });
    const swept = sweptGeometry(shape);
    if (swept) {
      set.volume = new THREE.InstancedBufferGeometry();
      for (const [name, attribute] of Object.entries(swept)) set.volume.setAttribute(name, attribute);
      this.add(new THREE.Mesh(set.volume, makeSweptMaterial()), 4);
    }
    for (const which of ['startLines', 'endLines']) {
      const geometry = (set[which] = new THREE.InstancedBufferGeometry());
      geometry.setAttribute('position', shape.lines);
      const opacity = which === 'startLines' ? 0.55 : 0.95;
      this.add(new THREE.LineSegments(geometry, makeOutlineMaterial(view.colors.start, opacity)), 5);
    }
  }
  setTime(time) {
    const { play } = this.view,
      frame = stepEndAt(play, time);
    if (!this.on || frame === this.frame) return;
    this.frame = frame;
    for (const set of this.sets) {
      if (!set.start) this.make(set);
      this.fillSet(set, frame);
    }
  }
  fillSet(set, frame) {
    const { view } = this,
      { play } = view,
      from = new Float64Array(7),
      to = new Float64Array(7),
      lists = [...set.start, ...set.end, ...set.sweptStart, ...set.sweptEnd, set.tone];
    for (const list of lists) list.clear();
    const start = play.times[Math.max(0, frame - 1)],
      about = view.about();
    const pair = [0, 1, 2].map(() => [0, 0, 0, 0]);
    const put = (pose, into) => {
      writeRows(pose, pair, 0);
      into.forEach((list, r) => list.push(...pair[r]));
    };
    for (const object of set.group.shape.parts) {
      if (object.standsFor || object.track < 0 || object.gone <= start || !object.visible || !about(object, object)) continue;
      framePose(play, object.track, Math.max(0, frame - 1), from);
      if (object.gone < play.times[frame]) poseAt(play, object, object.gone - 1e-9 * play.dt, Math.max(0, frame - 1), to);
      else framePose(play, object.track, frame, to);
      if (from.every((x, k) => x === to[k])) continue;
      put(from, set.start);
      put(to, set.end);
      if (object.unswept) continue; /* it is looked at at both ends only */
      put(from, set.sweptStart);
      put(to, set.sweptEnd);
      set.tone.push(...view.baseColor(object).toArray());
    }
    const named = (name, lists) => Object.fromEntries(lists.map((list, r) => [`${name}${r}`, list]));
    if (set.volume) this.fill(set.volume, { ...named('start', set.sweptStart), ...named('goal', set.sweptEnd), tone: set.tone }, true);
    this.fill(set.startLines, named('row', set.start), true);
    this.fill(set.endLines, named('row', set.end), true);
  }
  restyle() {
    this.set('color', this.view.colors.start);
    this.frame = -1;
    this.setTime(this.view.time || 0);
  }
}

/* The objects' boxes in the broad phase, around all of their way through the step. */
class Boxes extends Layer {
  constructor(view) {
    super(view, 'boxes', false);
    this.lists = { low: new Growing(3), high: new Growing(3), level: new Growing(1) };
    this.geometry = boxGeometry();
    this.frame = -1;
    this.add(new THREE.LineSegments(this.geometry, makeBoxMaterial(view.colors.box, view.colors.box, 0.85)), 5);
  }
  setTime(time) {
    const { play } = this.view,
      frame = stepEndAt(play, time);
    if (!this.on || frame === this.frame) return;
    this.frame = frame;
    for (const list of Object.values(this.lists)) list.clear();
    const about = this.view.about();
    for (const object of play.movers)
      if (object.gone > play.times[Math.max(0, frame - 1)] && object.visible && about(object, object))
        this.put(play.boxes, frame * play.tracks + object.track, 0);
    play.still_boxes.forEach((index, i) => {
      if (play.objects[index].visible && about(play.objects[index], play.objects[index])) this.put(play.stillBoxes, i, 0);
    });
    this.fill(this.geometry, this.lists, true);
  }
  put(from, i, level) {
    const low = from.subarray(6 * i, 6 * i + 3),
      high = from.subarray(6 * i + 3, 6 * i + 6);
    if (low[0] === 0 && high[0] === 0 && low[1] === 0 && high[1] === 0) return;
    this.lists.low.push(...low);
    this.lists.high.push(...high);
    this.lists.level.push(level);
  }
  restyle() {
    this.set('first', this.view.colors.box);
    this.set('last', this.view.colors.box);
  }
}

/* The cells or nodes of the broad phase's structure, as the library walks them. */
class Cells extends Layer {
  constructor(view) {
    super(view, 'cells', false);
    this.lists = { low: new Growing(3), high: new Growing(3), level: new Growing(1) };
    this.geometry = boxGeometry();
    this.frame = -1;
    const { colors } = view;
    this.add(new THREE.LineSegments(this.geometry, makeBoxMaterial(colors['cell-first'], colors['cell-last'], 0.9)), 5);
  }
  setTime(time) {
    const { play } = this.view;
    let frame = stepEndAt(play, time);
    while (frame > 0 && play.cell_same[frame]) frame--;
    if (!this.on || frame === this.frame) return;
    this.frame = frame;
    for (const list of Object.values(this.lists)) list.clear();
    const [from, to] = rangeOf(play.cell_ends, frame);
    let deepest = 1;
    for (let i = from; i < to; i++) deepest = Math.max(deepest, play.cellDepth[7 * i + 6]);
    for (let i = from; i < to; i++) {
      this.lists.low.push(...play.cell32.subarray(7 * i, 7 * i + 3));
      this.lists.high.push(...play.cell32.subarray(7 * i + 3, 7 * i + 6));
      this.lists.level.push(play.cellDepth[7 * i + 6] / deepest);
    }
    this.fill(this.geometry, this.lists, true);
  }
  restyle() {
    this.set('first', this.view.colors['cell-first']);
    this.set('last', this.view.colors['cell-last']);
  }
}

/* The box that the scene measures, around its object at the end of the last step. */
class Measured extends Layer {
  constructor(view) {
    super(view, 'measured', view.play.boxed !== undefined);
    this.lists = { low: new Growing(3), high: new Growing(3), level: new Growing(1) };
    this.geometry = boxGeometry();
    this.frame = -1;
    this.add(new THREE.LineSegments(this.geometry, makeBoxMaterial(view.colors.gap, view.colors.gap, 1)), 5);
  }
  setTime(time) {
    const { play } = this.view,
      frame = frameAt(play, time);
    if (!this.on || frame === this.frame) return;
    this.frame = frame;
    for (const list of Object.values(this.lists)) list.clear();
    if (play.objects[play.boxed].gone > play.times[frame]) {
      this.lists.low.push(...play.boxed_at[frame].slice(0, 3));
      this.lists.high.push(...play.boxed_at[frame].slice(3));
      this.lists.level.push(0);
    }
    this.fill(this.geometry, this.lists, true);
  }
  restyle() {
    this.set('first', this.view.colors.gap);
    this.set('last', this.view.colors.gap);
  }
}
