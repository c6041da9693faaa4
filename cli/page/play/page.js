/* The page around the view: lists, details, time, layers, keys. */

const play = loadPlay();
const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4];
const LAYERS = ['contacts', 'normals', 'swept', 'boxes', 'cells'];
const shownKinds = new Set();
const state = { time: 0, playing: false, speed: 1, names: play.objects.length <= 16 };
let view = null,
  selected = null,
  sorted = [],
  labels = [],
  plots = [],
  pending = 0,
  before = 0;

const timeText = (t) => (play.robot ? robotTime(t) : secondsText(t));
const secondsText = (t) => `${t.toFixed(play.dt < 2e-3 ? 5 : play.dt < 2e-2 ? 4 : 3)} s`;
const toneOf = (object) => (object.trigger ? 'trigger' : object.body === BODY.STILL ? 'still' : `hue-${object.hue}`);

/* --- header ---------------------------------------------------------------------------------------------------------- */

function header() {
  $('files').textContent = play.scene;
  put($('title'), play.title ? element('strong', '', play.title) : null, play.about ? element('span', '', play.about) : null);
  document.title = `${play.scene} – carom`;
  const broad = play.broad === play.broad_used ? play.broad : `${play.broad} → ${play.broad_used}`;
  const rows = play.robot ? robotStats() : [
    ['Objects', countText(play.objects.length)],
    ['Steps', `${countText(play.steps)} of ${digits(play.dt)} s`],
    ['Broad phase', broad],
  ];
  showStats(rows);
  const clipped = (counts, ends) =>
    counts.some((n, f) => n > ends[f] - (f ? ends[f - 1] : 0) && !(ends === play.cell_ends && play.cell_same[f]));
  const notes = [
    play.stride > 1 &&
      `Long run: one step in ${countText(play.stride)} is drawn (${countText(play.times.length)} pictures); the events are those of all steps.`,
    play.events_met > play.events && `The first ${countText(play.events)} of ${countText(play.events_met)} events are listed.`,
    play.impacts_met > play.impacts && 'Late impacts are drawn at the end of their step.',
    clipped(play.contact_counts, play.contact_ends) && 'Where there are very many contacts, only some of a step are drawn.',
    !play.robot && clipped(play.cell_counts, play.cell_ends) && "Of the broad phase's cells only the upper levels are drawn.",
  ].filter(Boolean);
  showNotes(notes);
}

function legend() {
  const has = (test) => play.objects.some(test);
  const item = (tone, mark, text) => element('li', `tone-${tone}`, element('span', mark), text);
  const on = (name) => view && view.layer && view.layer[name].on;
  const met = play.list.some((e) => e.point);
  const items = [
    has((o) => o.body !== BODY.STILL) && item('a', 'swatch many', 'Moving'),
    has((o) => o.body === BODY.STILL && !o.trigger) && item('still', 'swatch', 'Still'),
    has((o) => o.trigger) && item('trigger', 'film', 'Trigger'),
    selected && selected.a && item('a', 'swatch', shortName(selected.a)),
    selected && selected.a && item('b', 'swatch', shortName(selected.b)),
    view && play.visuals.length && view.showVisuals && view.showShapes && item('still', 'film', 'Shape that collides'),
    met && on('contacts') && item('contact', 'ring', 'Contact'),
    met && on('normals') && item('contact', 'bar', 'Normal'),
    on('swept') && item('start', 'film', 'Swept over in this step'),
    on('boxes') && item('box', 'frame', "Objects' boxes"),
    on('cells') && item('cell', 'frame', `Cells of ${play.broad_used}`),
    play.gaps && item('gap', 'bar', play.robot ? 'Least distance' : 'Clearance'),
    play.boxed !== undefined && item('gap', 'frame', `Box around ${shortName(play.objects[play.boxed])}`),
  ].filter(Boolean);
  $('legend').replaceChildren(...items);
  $('legend').hidden = !items.length;
}

const shortName = (object) => (object.name.length > 24 ? `${object.name.slice(0, 23)}…` : object.name);

/* --- lists ----------------------------------------------------------------------------------------------------------- */

function filter() {
  const words = $('query').value.toLowerCase().split(/\s+/).filter(Boolean);
  sorted = play.list.filter((e) => shownKinds.has(e.kind) && words.every((word) => e.search.includes(word)));
  eventList.set(sorted);
  eventList.select(selected && selected.a ? selected : null, false);
  const all = play.list.length;
  $('shown').textContent = sorted.length === all ? plural(all, 'event') : `${countText(sorted.length)} of ${plural(all, 'event')}`;
  const hint = $('events').querySelector('.empty');
  if (hint) hint.remove();
  if (!sorted.length)
    $('events').append(
      element(
        'div',
        'empty',
        icon(all ? 'search' : 'ok'),
        element('strong', '', all ? 'Nothing matches' : 'No events'),
        all ? 'The filters hide them.' : 'Nothing met anything.',
      ),
    );
  ticks();
}

/* Has it not happened yet? Configurations have no order in time. */
const isLater = (event) => event.time > state.time + 1e-9 && !(play.robot && play.robot.held);

function drawEvent(event, row) {
  row.classList.add('event');
  row.classList.toggle('later', isLater(event));
  const lasts =
    !play.robot && (event.kind === 'began' || event.kind === 'entered')
      ? event.until < Infinity
        ? event.until > event.time
          ? `lasts ${timeText(event.until - event.time)}`
          : 'for a moment'
        : 'to the end'
      : '';
  put(
    row,
    element(
      'div',
      'top',
      element('span', `badge tone-${event.tone}`, element('span', 'dot'), event.label),
      lasts ? element('span', 'number', lasts) : null,
      play.robot && robotMeasure(event) ? element('span', 'number', robotMeasure(event)[1]) : null,
      element('span', 'value', timeText(event.time)),
    ),
    element('div', 'names', element('b', '', event.a.name), element('i', '', '–'), element('b', '', event.b.name)),
  );
}

function chips() {
  const made = [];
  for (const { kind, label, tone } of KINDS.map((k) => ({ ...k, ...(play.robot && ROBOT_KINDS[k.kind]) }))) {
    const count = play.list.filter((e) => e.kind === kind).length;
    if (!count) continue;
    const one = button(
      `chip tone-${tone}`,
      '',
      () => {
        if (!shownKinds.delete(kind)) shownKinds.add(kind);
        chips();
        filter();
      },
      element('span', 'dot'),
      label,
      element('span', 'count', countText(count)),
    );
    one.ariaPressed = String(shownKinds.has(kind));
    made.push(one);
  }
  const focused = [...$('chips').children].indexOf(document.activeElement);
  $('chips').replaceChildren(...made);
  if (focused >= 0 && made[focused]) made[focused].focus();
}

function filterObjects() {
  const words = $('object-query').value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = play.objects.filter((o) => words.every((word) => o.search.includes(word)));
  objectList.set(found);
  objectList.select(selected && !selected.a ? selected : null, false);
  const off = play.objects.filter((o) => !o.visible).length;
  $('objects-shown').textContent = plural(found.length, 'object') + (off ? `, ${countText(off)} hidden` : '');
  $('show-all').disabled = !off;
}

function drawObject(object, row) {
  row.classList.add('object-row', `tone-${toneOf(object)}`);
  row.classList.toggle('off', !object.visible);
  row.classList.toggle('gone', !object.alive);
  const eye = button(
    'icon',
    `${object.visible ? 'Hide' : 'Show'} ${object.name}`,
    () => setVisible([object], !object.visible),
    icon(object.visible ? 'eye' : 'off'),
  );
  eye.tabIndex = -1;
  const words = element('span', 'words', object.name);
  words.title = object.name;
  put(row, element('span', 'swatch'), words, element('small', '', object.alive ? shapeWord(object.shape) : 'vanished'), eye);
}

function setVisible(objects, visible) {
  for (const object of objects) object.visible = visible;
  filterObjects();
  if (view) {
    view.refocus();
  }
  if (selected && !selected.a) details();
}

/* --- the selection --------------------------------------------------------------------------------------------------- */

function select(item, how = 'click') {
  selected = item;
  const event = item && item.a;
  if (event && !sorted.includes(item)) {
    shownKinds.add(item.kind);
    $('query').value = '';
    chips();
    filter();
  }
  eventList.select(event ? item : null, how !== 'click');
  objectList.select(event ? null : item, how !== 'click');
  if (event) {
    pause();
    seek(item.time);
  }
  details();
  if (view) {
    view.select(item);
    if (item && (event || how === 'list')) view.flyTo(item);
  }
  legend();
}

function step(by) {
  const at = selected && selected.a ? sorted.indexOf(selected) : -1;
  if (!sorted.length) return;
  const from = at >= 0 ? at + by : by > 0 ? eventAt(sorted, state.time) + 1 : eventAt(sorted, state.time - 1e-9);
  select(sorted[(from + sorted.length) % sorted.length], 'key');
}

function details() {
  const box = $('details');
  box.hidden = !selected;
  if (selected) box.replaceChildren(...(selected.a ? eventDetails(selected) : objectDetails(selected)));
  if (view) view.cover(selected && box.offsetWidth < view.width * 0.5 ? box.offsetWidth : 0);
}

/* --- time -------------------------------------------------------------------------------------------------------------- */

/* Shows the present time everywhere. */
function show() {
  const { time } = state;
  if (view) view.setTime(time);
  for (const plot of plots) plot.setTime(time);
  $('time').value = (1000 * time) / (play.end || 1);
  const held = play.robot && play.robot.held,
    f = held ? frameAt(play, time) : time > 0 ? stepEndAt(play, time) : 0;
  const where = held ? `${countText(f + 1)} of ${countText(play.times.length)}` : `step ${countText(play.frames[f])} of ${countText(play.steps)}`;
  $('clock').replaceChildren(timeText(time), play.robot && !held ? '' : element('small', '', `  ${where}`));
  $('time').ariaValueText = timeText(time);
  for (const row of eventList.rows.values()) row.classList.toggle('later', isLater(sorted[row.dataset.at]));
  if (selected && !selected.a && !state.playing) details();
  drawGap();
}

function seek(time) {
  state.time = Math.min(play.end, Math.max(0, time));
  show();
}

function pause() {
  state.playing = false;
  transport();
}

function start() {
  if (state.time >= play.end) state.time = 0;
  state.playing = true;
  before = 0;
  transport();
  if (!pending) pending = requestAnimationFrame(tick);
}

function tick(now) {
  pending = 0;
  if (!state.playing) return;
  const passed = before ? Math.min(0.1, (now - before) / 1000) : 0;
  before = now;
  let time = state.time + passed * state.speed;
  if (time >= play.end) {
    if ($('loop').checked) time = 0;
    else {
      state.playing = false;
      transport();
    }
  }
  seek(time);
  follow();
  if (state.playing) pending = requestAnimationFrame(tick);
}

/* While it plays the list follows, unless somebody reads in it. */
function follow() {
  const box = $('events');
  if (box.matches(':hover, :focus') || !sorted.length) return;
  const at = eventAt(sorted, state.time),
    { rowHeight } = eventList;
  box.scrollTop = Math.max(0, (at + 1) * rowHeight - 0.6 * box.clientHeight);
}

function transport() {
  $('play').replaceChildren(icon(state.playing ? 'pause' : 'play'));
  $('play').ariaLabel = state.playing ? 'Pause' : 'Play';
  $('play').title = `${$('play').ariaLabel} (Space)`;
}

/* To the frame before or after. */
function stepTime(by) {
  pause();
  const f = frameAt(play, state.time),
    between = state.time > play.times[f] + 1e-9 * play.dt;
  const next = by > 0 ? f + 1 : between ? f : f - 1;
  seek(play.times[Math.max(0, Math.min(play.times.length - 1, next))]);
}

function setSpeed(speed) {
  state.speed = speed;
  if (view) view.speed = speed;
  $('speed').value = speed;
}

/* One that shows the whole within some five to thirty seconds. */
function firstSpeed() {
  let best = 1;
  for (const speed of SPEEDS) if (speed <= 1 && play.end / speed >= 4 && play.end / best < 4) best = speed;
  if (play.end < 4) best = [...SPEEDS].reverse().find((speed) => play.end / speed >= 4) || SPEEDS[0];
  return best;
}

function ticks() {
  $('ticks').hidden = !play.list.length;
  const css = getComputedStyle(document.documentElement);
  const tones = Object.fromEntries(KINDS.map(({ tone }) => [tone, css.getPropertyValue(`--${tone}`).trim()]));
  drawTicks($('ticks'), play, sorted, tones);
}

/* --- over the picture ---------------------------------------------------------------------------------------------------- */

/* The line of the smallest gap. */
function drawGap() {
  if (!view || !play.gaps || !view.ready) return;
  const gap = play.gaps[frameAt(play, state.time)];
  view.clearMarks();
  if (gap) {
    const ends = new Float32Array(gap.slice(3));
    view.addLines(ends, view.colors.raised, 5, 0.5, 0.9);
    view.addLines(ends, view.colors.gap, 2.4, 1, 1);
    view.addPoints(ends, new Float32Array([...view.colors.gap.toArray(), ...view.colors.gap.toArray()]), 9, 1);
  }
  view.redraw();
}

/* Names stand over their objects, the nearest first, and neither over one another nor over `measure`, the box of the
 * least distance. What the tool bar would hide stands below it, as long as its object is lower still. */
function placeLabels(project, measure) {
  const box = $('labels');
  if (!state.names) {
    if (labels.length) ((labels = []), box.replaceChildren());
    return;
  }
  const near = [];
  for (const object of play.objects) {
    if (!object.visible || !object.alive || object.shape.plane) continue;
    const at = project(object.center);
    if (!at || at[0] < 0 || at[1] < 0 || at[0] > view.width || at[1] > view.height) continue;
    const distance = view.camera.position.distanceTo(new THREE.Vector3(...object.center));
    near.push({ object, at, distance });
  }
  near.sort((p, q) => p.distance - q.distance);
  const taken = measure ? [measure] : [],
    [right, bottom] = underToolbar();
  let used = 0;
  for (const { object, at, distance } of near) {
    if (used >= 60) break;
    const lift = Math.min(80, (object.radius / distance / Math.tan(view.halfAngle())) * view.height * 0.5 * 0.8) + 10;
    const x = at[0],
      wide = 3.4 * object.name.length + 6,
      y = x - wide < right ? Math.max(at[1] - lift, bottom + 10) : at[1] - lift;
    if (y > at[1]) continue;
    if (taken.some((t) => t[0] < x + wide && t[2] > x - wide && t[1] < y + 7.5 && t[3] > y - 7.5)) continue;
    taken.push([x - wide, y - 7.5, x + wide, y + 7.5]);
    if (!labels[used]) box.append((labels[used] = element('span')));
    const label = labels[used++];
    if (label.textContent !== object.name) label.textContent = object.name;
    label.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -50%)`;
    label.hidden = false;
  }
  for (let i = used; i < labels.length; i++) labels[i].hidden = true;
}

const viewEvents = {
  pick: (object) => select(object, 'pick'),
  hover: (object, x, y) => showTip(object && object.name, x, y),
  placed(project, camera) {
    drawAxes(camera);
    if (!view || !view.ready) return;
    const gap = play.gaps && play.gaps[frameAt(play, state.time)],
      text = gap && (gap[0] > 0 ? lengthText(gap[0]) : `${lengthText(-gap[0])} deep`);
    placeLabels(project, labelLine(gap && project(gap.slice(3, 6)), gap && project(gap.slice(6, 9)), text));
  },
};

/* --- tabs, buttons, keys --------------------------------------------------------------------------------------------- */

function buttons() {
  for (const name of play.robot ? ['swept', 'boxes', 'cells'] : []) $(name).hidden = true;
  for (const name of LAYERS) $(name).ariaPressed = String(!!(view && view.layer && view.layer[name].on));
  $('visuals').hidden = $('shapes').hidden = !play.visuals.length;
  $('visuals').parentElement.classList.toggle('many', play.visuals.length > 0);
  $('visuals').ariaPressed = String(!!view && view.showVisuals);
  $('shapes').ariaPressed = String(!view || view.showShapes || !view.showVisuals);
  $('names').ariaPressed = String(state.names);
  $('edges').ariaPressed = String(view ? view.showEdges : true);
  $('ghost').ariaPressed = String(view ? view.ghosting : true);
  legend();
}

const ACTIONS = {
  fit: () => {
    select(null);
    view.fit();
  },
  visuals: () => {
    view.showVisuals = !view.showVisuals;
    view.refocus();
  },
  /* Without the models the shapes are seen anyway: then this brings the models back, and hides the shapes. */
  shapes: () => {
    view.showShapes = view.showVisuals && !view.showShapes;
    view.showVisuals = true;
    view.refocus();
  },
  names: () => {
    state.names = !state.names;
    view.redraw();
  },
  edges: () => {
    view.showEdges = !view.showEdges;
    view.redraw();
  },
  ghost: () => {
    view.ghosting = !view.ghosting;
    view.refocus();
  },
  ...Object.fromEntries(
    LAYERS.map((name) => [
      name,
      () => {
        view.layer[name].toggle();
        if (name === 'contacts') view.layer.bursts.toggle(view.layer.contacts.on);
      },
    ]),
  ),
};

const KEYS = {
  ' ': () => (state.playing ? pause() : start()),
  ArrowLeft: () => stepTime(-1),
  ArrowRight: () => stepTime(1),
  Home: () => seek(0),
  End: () => (pause(), seek(play.end)),
  '[': () => setSpeed(SPEEDS[Math.max(0, SPEEDS.indexOf(state.speed) - 1)]),
  ']': () => setSpeed(SPEEDS[Math.min(SPEEDS.length - 1, SPEEDS.indexOf(state.speed) + 1)]),
  n: () => step(1),
  p: () => step(-1),
  '?': () => $('help').showModal(),
  ...Object.fromEntries(
    Object.entries({ f: 'fit', c: 'contacts', a: 'normals', s: 'swept', b: 'boxes', t: 'cells', v: 'visuals', k: 'shapes', l: 'names', e: 'edges', g: 'ghost' }).map(
      ([key, id]) => [key, () => $(id).click()],
    ),
  ),
};

function pressed(e) {
  if (e.ctrlKey || e.metaKey || e.altKey || $('help').open) return;
  const typing = e.target.matches('input[type=search]');
  if (e.key === 'Escape') {
    if (typing) e.target.blur();
    else select(null);
    return;
  }
  const inList = e.target.matches('.list') && ['Home', 'End', ' '].includes(e.key);
  const onButton = e.target.matches('button, summary, input[type=checkbox]') && e.key === ' ';
  if (typing || e.target.matches('select') || inList || onButton) return;
  if (e.key.startsWith('Arrow') && e.shiftKey) return;
  if (e.key === '/') {
    openTab(lists, 'events');
    $('query').focus();
    e.preventDefault();
  }
  const act = KEYS[e.key.length === 1 ? e.key.toLowerCase() : e.key];
  if (!act) return;
  e.preventDefault();
  act();
}

function listen() {
  $('query').addEventListener('input', filter);
  $('object-query').addEventListener('input', filterObjects);
  $('show-all').addEventListener('click', () => setVisible(play.objects, true));
  listenToTabs(lists);
  for (const [id, act] of Object.entries(ACTIONS))
    $(id).addEventListener('click', () => {
      if (!view || !view.ready) return;
      act();
      buttons();
    });
  $('play').addEventListener('click', KEYS[' ']);
  $('first').addEventListener('click', KEYS.Home);
  $('last').addEventListener('click', KEYS.End);
  $('back').addEventListener('click', KEYS.ArrowLeft);
  $('forward').addEventListener('click', KEYS.ArrowRight);
  $('help-open').addEventListener('click', KEYS['?']);
  $('time').addEventListener('input', () => {
    pause();
    seek((Number($('time').value) / 1000) * play.end);
  });
  $('speed').addEventListener('input', () => setSpeed(Number($('speed').value)));
  addEventListener('keydown', pressed, true);
  new ResizeObserver(ticks).observe($('ticks'));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    ticks();
    drawGap();
  });
}

/* --- start --------------------------------------------------------------------------------------------------------------- */

const eventList = new List($('events'), 46, drawEvent, (item, how) => select(item, how === 'click' ? 'click' : 'key'));
const objectList = new List($('objects'), 32, drawObject, (item) => select(item, 'list'));
const lists = { events: eventList, objects: objectList };
if (play.compared) lists.compared = new Comparison($('pane-compared'), $('tab-compared'), play.compared);

async function begin() {
  let hue = 0;
  for (const object of play.objects) if (object.body !== BODY.STILL) object.hue = hue++ % PALETTE;
  for (const { kind } of KINDS) shownKinds.add(kind);
  $('tab-events').querySelector('.count').textContent = countText(play.list.length);
  $('tab-objects').querySelector('.count').textContent = countText(play.objects.length);
  $('speed').replaceChildren(
    ...SPEEDS.map((speed) => {
      const option = element('option', '', speed >= 1 ? `${speed}×` : `1/${Math.round(1 / speed)}×`);
      option.value = speed;
      return option;
    }),
  );
  header();
  chips();
  filter();
  filterObjects();
  plots = seriesOf(play).map((series) => new Plot($('plots'), play, series, (time) => (pause(), seek(time))));
  listen();
  transport();
  setSpeed(firstSpeed());
  if (typeof THREE === 'undefined') return fail('This carom was built without the 3D view. Events and plots are complete.');
  try {
    view = new PlayView($('canvas'), play, viewEvents);
  } catch (problem) {
    console.error(problem);
    return fail('This browser gives no WebGL, so the 3D view is missing. Events and plots are complete.');
  }
  view.speed = state.speed;
  await view.build();
  $('message').hidden = true;
  if (play.robot && play.robot.held) state.time = Math.min(1, play.end); /* the worst; before it is rest */
  show();
  buttons();
}

function fail(text) {
  view = null;
  goFlat(text, Object.keys(ACTIONS));
  show();
}

/* For the console, and for the test that looks at this page. */
window.carom = {
  play,
  state,
  seek,
  select,
  started: begin(),
  get view() {
    return view;
  },
  get selected() {
    return selected;
  },
};
