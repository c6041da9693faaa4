/* The simulation as cli/page/playback.c wrote it into the page, turned into plain objects. All places are relative to the
 * scene's origin. */

const KINDS = [
  { kind: 'began', label: 'Contact began', tone: 'began' },
  { kind: 'hit', label: 'Hit', tone: 'hit' },
  { kind: 'limit', label: 'Held: no proof', tone: 'hit' },
  { kind: 'stayed', label: 'Contact stayed', tone: 'began' },
  { kind: 'ended', label: 'Contact ended', tone: 'ended' },
  { kind: 'entered', label: 'Entered trigger', tone: 'entered' },
  { kind: 'left', label: 'Left trigger', tone: 'left' },
];
const BODY = { STILL: 0, FREE: 1, PATH: 2 };

/* What a person calls a kind of shape. */
function shapeWord({ kind, round }) {
  const words = { point: 'sphere', segment: 'capsule' };
  if (round) return words[kind] || `rounded ${kind}`;
  return { halfspace: 'half-space', height_field: 'height field' }[kind] || kind;
}

/* The box and ball around a shape's points, about its middle. */
function measureShape(shape) {
  const half = [0, 0, 0];
  let radius = 0;
  for (let i = 0; i < shape.position.length; i += 3) {
    const p = shape.position.subarray(i, i + 3);
    for (let k = 0; k < 3; k++) half[k] = Math.max(half[k], Math.abs(p[k]));
    radius = Math.max(radius, length(p));
  }
  Object.assign(shape, { half, radius, parts: [] });
}

function readShapes(play, buffer) {
  for (const shape of play.shapes) {
    if (shape.plane) {
      Object.assign(shape, { half: [0, 0, 0], radius: 0, parts: [], triangles: 0 });
      continue;
    }
    shape.position = new Float32Array(buffer, shape.points_at, 3 * shape.points);
    shape.corner = new Uint32Array(buffer, shape.corners_at, 3 * shape.triangles);
    measureShape(shape);
  }
}

function readObjects(play) {
  play.objects.forEach((object, index) => {
    const shape = play.shapes[object.shape];
    object.gone = object.gone === undefined ? Infinity : object.gone;
    object.track = object.track === undefined ? -1 : object.track;
    object.body = object.body || BODY.STILL;
    object.place = object.pose || [0, 0, 0, 0, 0, 0, 1];
    Object.assign(object, {
      index,
      shape,
      rows: poseRows(object.place),
      center: object.place.slice(0, 3),
      radius: shape.radius,
      half: shape.half,
      visible: true,
      alive: true,
      inside: 0 /* how many objects are within it now, if it is a trigger */,
      events: [],
      search: object.name.toLowerCase(),
      className: play.classes[object.class || 0] || '',
    });
    shape.parts.push(object);
  });
  play.movers = play.objects.filter((o) => o.track >= 0);
  readVisuals(play);
}

/* What is looked at in place of a shape: a part of its own, that takes all but its shape and place from its object. */
function readVisuals(play) {
  play.visuals = [];
  for (const object of play.objects) {
    if (!object.visual) continue;
    const shape = play.shapes[object.visual.shape],
      visual = Object.create(object);
    Object.assign(visual, {
      index: play.objects.length + play.visuals.length,
      standsFor: object,
      shape,
      radius: shape.radius,
      half: shape.half,
      place: [0, 0, 0, 0, 0, 0, 1],
      offset: object.visual.pose,
    });
    object.visual = visual;
    placeVisual(visual);
    visual.rows = poseRows(visual.place);
    visual.center = visual.place.slice(0, 3);
    shape.parts.push(visual);
    play.visuals.push(visual);
  }
}

/* Where each object was amid a step, when it ran into something: [time, x, y, z, qx, qy, qz, qw] in order of time. */
function readImpacts(play, buffer) {
  const words = new Uint32Array(buffer, play.impacts_at, 8 * play.impacts),
    floats = new Float32Array(buffer, play.impacts_at, 8 * play.impacts),
    shorts = new Int16Array(buffer, play.impacts_at, 16 * play.impacts);
  for (let i = 0; i < play.impacts; i++) {
    const object = play.objects[words[8 * i]],
      time = (words[8 * i + 1] - 1 + floats[8 * i + 2]) * play.dt;
    object.impacts = object.impacts || [];
    object.impacts.push([
      time,
      ...floats.subarray(8 * i + 3, 8 * i + 6),
      ...[...shorts.subarray(16 * i + 12, 16 * i + 16)].map((x) => x / 32767),
    ]);
  }
}

function readEvents(play, buffer) {
  const words = new Uint32Array(buffer, play.events_at, 12 * play.events),
    floats = new Float32Array(buffer, play.events_at, 12 * play.events);
  const list = [];
  for (let i = 0; i < play.events; i++) {
    const at = 12 * i,
      kind = words[at + 3];
    const event = {
      ...KINDS[kind & 7],
      ...(play.robot ? ROBOT_KINDS[KINDS[kind & 7].kind] : null),
      a: play.objects[words[at]],
      b: play.objects[words[at + 1]],
      step: words[at + 2],
      time: (words[at + 2] - 1 + floats[at + 4]) * play.dt,
      point: kind & 8 ? [...floats.subarray(at + 5, at + 8)] : null,
      depth: floats[at + 8],
      normal: kind & 8 ? [...floats.subarray(at + 9, at + 12)] : null,
      until: Infinity,
      partA: play.objects[words[at]],
      partB: play.objects[words[at + 1]],
    };
    list.push(event);
  }
  list.sort((e, f) => e.time - f.time);
  /* Which begin belongs to which end. */
  const open = new Map();
  list.forEach((event, index) => {
    event.index = index;
    event.search = `${event.a.search} ${event.b.search} ${event.kind}`;
    if (play.robot && play.robot.held) event.search += ` ${play.robot.names[event.step]}`;
    event.a.events.push(event);
    event.b.events.push(event);
    const pair = `${event.a.index},${event.b.index}`;
    if (event.kind === 'began' || event.kind === 'entered') open.set(pair, event);
    else if ((event.kind === 'ended' || event.kind === 'left') && open.has(pair)) {
      const begin = open.get(pair);
      begin.until = event.time;
      event.since = begin.time;
      open.delete(pair);
    }
  });
  play.list = list;
  play.stays = list.filter((e) => e.kind === 'entered');
}

function loadPlay() {
  const block = document.getElementById('simulation');
  const play = JSON.parse(block.textContent);
  block.remove();
  const buffer = readBuffer(play.bytes);
  play.times = play.frames.map((step) => step * play.dt);
  play.end = play.times[play.times.length - 1];
  readShapes(play, buffer);
  readObjects(play);
  readImpacts(play, buffer);
  readEvents(play, buffer);
  const poses = play.tracks * play.times.length,
    contacts = play.contact_ends[play.contact_ends.length - 1] || 0,
    cells = play.cell_ends[play.cell_ends.length - 1] || 0;
  play.pose32 = new Float32Array(buffer, play.tracks_at, 5 * poses);
  play.pose16 = new Int16Array(buffer, play.tracks_at, 10 * poses);
  play.boxes = new Float32Array(buffer, play.boxes_at, 6 * poses);
  play.stillBoxes = new Float32Array(buffer, play.still_boxes_at, 6 * play.still_boxes.length);
  play.contact32 = new Float32Array(buffer, play.contacts_at, 9 * contacts);
  play.contactIds = new Uint32Array(buffer, play.contacts_at, 9 * contacts);
  play.cell32 = new Float32Array(buffer, play.cells_at, 7 * cells);
  play.cellDepth = new Uint32Array(buffer, play.cells_at, 7 * cells);
  return play;
}

/* The first and the end of what frame `f` has in an array whose ends are `ends`. */
const rangeOf = (ends, f) => [f > 0 ? ends[f - 1] : 0, ends[f]];

/* The last frame that is not later than `time`. */
function frameAt(play, time) {
  const { times } = play;
  let low = 0,
    high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= time + 1e-9 * play.dt) low = middle;
    else high = middle - 1;
  }
  return low;
}

/* The frame at whose end the step stands that `time` is in: at a frame's own time the step that led to it. */
function stepEndAt(play, time) {
  const f = frameAt(play, time);
  return play.times[f] < time - 1e-6 * play.dt || f === 0 ? Math.min(f + 1, play.times.length - 1) : f;
}

/* The last event that is not later than `time`, -1 where there is none. */
function eventAt(list, time) {
  let low = -1,
    high = list.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (list[middle].time <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}
