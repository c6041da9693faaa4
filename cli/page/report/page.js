/* The page around the view: header, list, filters, details, keys. */

let report = null,
  view = null,
  boundsPanel = null,
  cutPanel = null,
  filters = null,
  selected = null,
  sorted = [],
  tree = [];
const openGroups = new Set();

/* --- header -------------------------------------------------------------------------------------------------------- */

function header() {
  const clashes = report.findings.filter((f) => f.clash && !f.allowed && !f.resolved).length;
  const names = report.files.map((f) => f.path.split(/[/\\]/).pop());
  $('files').textContent = names.length > 3 ? `${names.slice(0, 2).join(', ')} and ${names.length - 2} more` : names.join(', ');
  $('files').title = report.files.map((f) => f.path).join('\n');
  document.title = `${clashes ? plural(clashes, 'clash', 'clashes') : 'No clashes'} – ${names.join(', ')} – carom`;
  const verdict = $('verdict');
  /* Touching or too close parts may fail a check as well, where it was asked to. */
  verdict.classList.add(clashes ? 'tone-crossing' : report.failing ? 'tone-clearance' : 'tone-good');
  verdict.append(
    icon(clashes || report.failing ? 'warn' : 'ok'),
    clashes ? plural(clashes, 'clash', 'clashes') : report.failing ? `No clashes, ${plural(report.failing, 'failing pair')}` : 'No clashes',
  );
  const notes = report.files.flatMap((f) => [
    ...(f.unit_assumed ? [`${f.path}: no unit in the file; taken as ${f.unit} m`] : []),
    ...(f.up_assumed ? [`${f.path}: no up axis in the file; taken as ${f.up}`] : []),
    ...f.notes.map((note) => (report.files.length > 1 ? `${f.path}: ${note}` : note)),
  ]);
  showNotes(notes);
}

function stats() {
  const triangles = report.parts.reduce((sum, part) => sum + part.triangles, 0);
  const rows = [
    ['Parts', countText(report.parts.length) + (report.ignored_parts ? ` (${countText(report.ignored_parts)} ignored)` : '')],
    ['Triangles', countText(triangles)],
    ['Pairs', `${countText(report.pairs_total)} (${countText(report.pairs_near)} near)`],
    ...(report.tests > 0
      ? [['Tests', `${countText(report.tests)}, each with its tolerance`]]
      : [
          ['Tolerance', report.tolerance > 0 ? lengthText(report.tolerance) : 'by size'],
          ['Clearance', report.clearance > 0 ? lengthText(report.clearance) : 'none'],
        ]),
  ];
  showStats(rows);
}

function legend() {
  const item = (tone, mark, text) => element('li', `tone-${tone}`, element('span', mark), text);
  const found = Object.values(RELATIONS).filter((r) => sorted.some((f) => f.tone === r.tone));
  const chosen = selected && selected.relation;
  $('legend').replaceChildren(
    ...(chosen
      ? [
          item('a', 'swatch', 'Part A'),
          item('b', 'swatch', 'Part B'),
          ...(selected.outline ? [item('a', 'stroke', 'Outline')] : []),
          item('a', 'ring', 'Point on A'),
          item('b', 'ring', 'Point on B'),
        ]
      : found.map((r) => item(r.tone, 'ring', r.label))),
  );
  $('legend').hidden = !$('legend').childElementCount;
}

/* --- the list of findings ------------------------------------------------------------------------------------------ */

const ORDERS = {
  depth: deeper,
  volume: (f, g) => (g.volume ?? -1) - (f.volume ?? -1) || deeper(f, g),
  length: (f, g) => (g.crossing_length ?? 0) - (f.crossing_length ?? 0) || deeper(f, g),
  relation: (f, g) => f.rank - g.rank || deeper(f, g),
  crossings: (f, g) => g.crossings - f.crossings,
  name: (f, g) => f.search.localeCompare(g.search),
  order: () => 0,
};
/* What a line says of its size: that which the list is sorted by. */
const SIZES = {
  volume: (f) => (f.volume === undefined ? ['–', ''] : [f.volume > 0 ? volumeText(f.volume) : '0', f.volume > 0 ? 'common' : '']),
  length: (f) => (f.crossing_length > 0 ? [lengthText(f.crossing_length), 'cut'] : ['–', '']),
};
const sizeOf = (f) => (SIZES[$('sort').value] ?? measure)(f);

function matches(text, words) {
  return words.every((word) => text.includes(word));
}

function filter() {
  const order = ORDERS[$('sort').value];
  sorted = filters.apply(report.findings).sort((f, g) => order(f, g) || f.index - g.index);
  const names = ['group', 'subgroup'].map((id) => $(id).value).filter((name, at, all) => name && all.indexOf(name) === at);
  $('subgroup').disabled = !$('group').value;
  tree = makeTree(sorted, $('group').value ? names : []);
  showRows();
  const all = report.findings.filter((f) => !f.resolved).length;
  $('shown').textContent =
    (tree.length ? `${plural(tree.length, 'group')}: ` : '') +
    (sorted.length === report.findings.length ? plural(sorted.length, 'finding') : `${countText(sorted.length)} of ${plural(all, 'finding')}`);
  const hint = $('findings').querySelector('.empty');
  if (hint) hint.remove();
  if (!sorted.length) $('findings').append(emptyHint(all));
  if (view) view.setFindings(selected && selected.group ? selected.items : sorted);
  legend();
}

/* The list as its groups are open. */
function showRows() {
  findingList.set(tree.length ? treeRows(tree, openGroups) : sorted);
  findingList.select(selected, false);
}

const folding = {
  level: (item) => (item.group ? item.level : tree.length ? ($('subgroup').value ? 3 : 2) : 1),
  isOpen: (item) => (item.group ? openGroups.has(item.path) : null),
  set(group, open) {
    if (open) openGroups.add(group.path);
    else openGroups.delete(group.path);
    showRows();
  },
};

function emptyHint(all) {
  if (all)
    return element('div', 'empty', icon('search'), element('strong', '', 'Nothing matches'), 'Findings exist, but the filters hide them.');
  if (report.tests > 0)
    return element('div', 'empty tone-good', icon('ok'), element('strong', '', 'No findings'), 'No test finds what it looks for.');
  const rest = report.clearance > 0 ? `crosses, touches or comes closer than ${lengthText(report.clearance)}` : 'crosses or touches';
  return element(
    'div',
    'empty tone-good',
    icon('ok'),
    element('strong', '', 'No findings'),
    `Of ${plural(report.pairs_total, 'pair')} of parts none ${rest}.`,
  );
}

/* A group: what it has in common, how many, of what relations, and how deep the deepest reaches. */
function drawGroup(group, row) {
  row.classList.add('group-row');
  const parts = Object.entries(RELATIONS).map(([relation, { tone }]) => {
    const bar = element('i', `tone-${tone}`);
    bar.style.flexGrow = group.items.filter((f) => f.relation === relation).length;
    return bar;
  });
  const order = SIZES[$('sort').value] ? ORDERS[$('sort').value] : deeper,
    worst = group.items.reduce((best, f) => (order(f, best) < 0 ? f : best)),
    fold = icon('forward-small');
  fold.setAttribute('class', 'fold');
  const label = element('span', 'label', group.label);
  label.title = group.label;
  put(
    row,
    fold,
    element('span', 'what', label, element('span', 'mix', ...parts)),
    element('span', 'value', sizeOf(worst).join(' ').replace('– ', '')),
    element('span', 'number', countText(group.items.length)),
  );
}

function drawRow(item, row) {
  if (item.group) drawGroup(item, row);
  else drawFinding(item, row);
}

function drawFinding(finding, row) {
  const [value, what] = sizeOf(finding),
    note = review.of(finding);
  row.classList.toggle('allowed', review.accepts(finding));
  if (tree.length) row.classList.add($('subgroup').value ? 'inner2' : 'inner');
  put(
    row,
    element(
      'div',
      'top',
      badge(finding),
      element('span', 'number', `#${finding.index + 1}`),
      review.accepts(finding) && note?.status !== 'approved' ? element('span', 'tag', 'allowed') : null,
      finding.status && finding.status !== 'persisting' ? element('span', `tag ${finding.status}`, finding.status) : null,
      note ? element('span', `tag ${review.exceeds(finding) ? 'new' : note.status}`, review.exceeds(finding) ? 'deeper than approved' : note.status === 'open' ? 'comment' : DECISIONS[note.status].toLowerCase()) : null,
      element('span', 'value', value, what ? element('small', '', ` ${what}`) : null),
    ),
    nameLine(finding.partA, 'tone-a'),
    nameLine(finding.partB, 'tone-b'),
  );
}

/* --- the list of parts --------------------------------------------------------------------------------------------- */

function filterParts() {
  const words = $('part-query').value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = report.parts.filter((part) => matches(part.search, words));
  partList.set(found);
  partList.select(selected, false);
  const off = report.parts.filter((part) => !part.visible).length;
  $('parts-shown').textContent =
    (found.length === report.parts.length
      ? plural(found.length, 'part')
      : `${countText(found.length)} of ${plural(report.parts.length, 'part')}`) + (off ? `, ${countText(off)} hidden` : '');
  $('show-all').disabled = !off;
}

function drawPart(part, row) {
  row.classList.add('part-row');
  row.classList.toggle('off', !part.visible);
  const eye = button(
    'icon',
    `${part.visible ? 'Hide' : 'Show'} ${part.leaf}`,
    () => setVisible([part], !part.visible),
    icon(part.visible ? 'eye' : 'off'),
  );
  eye.tabIndex = -1;
  put(row, nameLine(part), part.hits.length ? element('span', 'hits', plural(part.hits.length, 'finding')) : null, eye);
}

function setVisible(parts, visible) {
  for (const part of parts) part.visible = visible;
  filterParts();
  if (view) view.style();
  if (selected && !selected.relation) details();
}

/* --- the selection ------------------------------------------------------------------------------------------------- */

function select(item, how = 'click') {
  const before = selected;
  selected = item;
  const finding = item && item.relation,
    group = item && item.group;
  if (finding) {
    if (!sorted.includes(item)) reveal(item);
    unfold(item);
  }
  findingList.select(finding || group ? item : null, how !== 'click');
  partList.select(finding || group ? null : item, how !== 'click');
  if (view) boundsPanel.show(group ? null : item);
  details();
  if (view) {
    const among = group ? new Set(item.items.flatMap((f) => [f.partA, f.partB])) : null;
    view.select(group ? null : item, { fly: how !== 'pick', among });
    if (group || (before && before.group)) view.setFindings(group ? item.items : sorted);
    if (group) view.flyAround(item.items);
    cutPanel.show(group ? null : item);
    if (view.cut.on) view.style();
  }
  legend();
  buttons();
  try {
    history.replaceState(null, '', finding ? `#${item.link}` : '#');
  } catch {
    /* not from every origin */
  }
}

/* Loosens the filters until the list shows this finding. */
function reveal(finding) {
  filters.reveal(finding);
  drawChips(filters);
  filter();
}

/* Opens the groups that a finding stands in. */
function unfold(finding) {
  const closed = groupsOf(tree, finding).filter((group) => !openGroups.has(group.path));
  for (const group of closed) openGroups.add(group.path);
  if (closed.length) showRows();
}

/* A click on a group opens or folds it. */
function chooseRow(item, how) {
  if (item.group && how === 'click') folding.set(item, !openGroups.has(item.path));
  select(item, how);
}

/* After status or comment of findings was set: what is not listed any more gives way to what comes next. */
function decided() {
  const at = sorted.indexOf(selected);
  drawChips(filters);
  filter();
  showReview();
  if (selected.group) return select(null);
  if (!sorted.includes(selected)) return select(sorted[Math.min(at, sorted.length - 1)] ?? null, 'key');
  details();
}

function showReview(text) {
  const count = review.entries.size;
  $('review-state').textContent = text ?? (count ? `${plural(count, 'finding')} with status or comment${review.unsaved ? ', not saved' : ''}` : 'No status or comments yet');
  $('review-save').disabled = !count;
  /* Only then: a page that listens is kept from the browser's memory of pages. */
  window.onbeforeunload = review.unsaved ? (e) => e.preventDefault() : null;
}

async function readReview(file) {
  const { known, kept } = review.load(await file.text(), new Set(report.findings.map((f) => f.id)));
  drawChips(filters);
  filter();
  if (selected) details();
  showReview(`${plural(known, 'entry', 'entries')} loaded${kept ? `; ${plural(kept, 'line')} about other findings kept as they are` : ''}`);
  $('review-save').disabled = false;
}

function step(by) {
  const at = sorted.indexOf(selected);
  if (sorted.length) select(sorted[(Math.max(at, by > 0 ? -1 : 0) + by + sorted.length) % sorted.length], 'key');
}

function details() {
  const box = $('details');
  box.hidden = !selected;
  if (selected) box.replaceChildren(...(selected.group ? groupDetails(selected) : selected.relation ? findingDetails(selected) : partDetails(selected)));
  cover();
}

/* The panels at the right and at the left push what is looked at aside, where there is room. */
function cover() {
  if (!view) return;
  const [right, left] = ['details', 'bounds-panel'].map((id) => ($(id).offsetWidth < view.width * 0.5 ? $(id).offsetWidth : 0));
  view.cover(right - left);
}

/* --- tabs, buttons, keys ------------------------------------------------------------------------------------------- */

function buttons() {
  const finding = selected && selected.relation;
  $('ghost').ariaPressed = String(view ? view.ghosting : true);
  $('xray').ariaPressed = String(
    !!view && (view.xray === true || (!!finding && (view.isGlass(selected.partA) || view.isGlass(selected.partB)))),
  );
  $('edges').ariaPressed = String(view ? view.showEdges : true);
  $('pins').ariaPressed = String(view ? view.showPins : true);
  $('bounds').ariaPressed = String(!!view && view.bounds.on);
  $('cut').ariaPressed = String(!!view && view.cut.on);
  $('xray').disabled = !selected || !!selected.group;
}

const ACTIONS = {
  fit: () => {
    select(null);
    view.fit();
  },
  ghost: () => {
    view.ghosting = !view.ghosting;
    view.style();
  },
  xray: () => {
    if (!selected || selected.group) return;
    view.xray = $('xray').ariaPressed !== 'true';
    view.style();
  },
  edges: () => {
    view.showEdges = !view.showEdges;
    view.redraw();
  },
  bounds: () => {
    view.bounds.on = !view.bounds.on;
    boundsPanel.show(selected && selected.group ? null : selected);
    cover();
    view.style();
    view.pins();
    if (view.bounds.on && !selected) view.fit();
  },
  cut: () => {
    view.cut.on = !view.cut.on;
    cutPanel.show(selected && selected.group ? null : selected);
    view.style();
  },
  pins: () => {
    view.showPins = !view.showPins;
    view.pins();
  },
};

function listen() {
  for (const id of ['query', 'sort', 'group', 'subgroup']) $(id).addEventListener('input', filter);
  $('review-save').addEventListener('click', () => {
    saveReview('approved.txt');
    showReview();
  });
  $('review-load').addEventListener('click', () => $('review-file').click());
  $('review-file').addEventListener('change', () => {
    const [file] = $('review-file').files;
    $('review-file').value = '';
    if (file) readReview(file);
  });
  $('part-query').addEventListener('input', filterParts);
  $('show-all').addEventListener('click', () => setVisible(report.parts, true));
  listenToTabs(lists);
  for (const [id, act] of Object.entries(ACTIONS))
    $(id).addEventListener('click', () => {
      if (view) {
        act();
        buttons();
      }
    });
  $('unit').addEventListener('input', showUnit);
  addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const typing = e.target.matches('input:not([type=range], [type=checkbox]), textarea');
    if (e.key === 'Escape') {
      if (typing) e.target.blur();
      else select(null);
      return;
    }
    if (typing || e.target.matches('select')) return;
    const act = { f: 'fit', g: 'ghost', x: 'xray', e: 'edges', b: 'bounds', c: 'cut', m: 'pins' }[e.key];
    if (act) $(act).click();
    else if (e.key === '/') {
      openTab(lists, 'findings');
      $('query').focus();
      e.preventDefault();
    } else if (e.key === 'n' || e.key === 'p') step(e.key === 'n' ? 1 : -1);
  });
  addEventListener('hashchange', openHash);
}

function openHash() {
  const found = /^#finding-(\d+)$/.exec(location.hash);
  const finding = found && report && report.findings[found[1]];
  if (finding && finding !== selected) select(finding, 'key');
}

function showUnit() {
  unit.metres = Number($('unit').value);
  unit.name = $('unit').selectedOptions[0].textContent;
  stats();
  filters.showUnit();
  filter();
  details();
  if (view) {
    cutPanel.update();
    boundsPanel.update();
    view.redraw();
  }
}

/* --- the view's wishes --------------------------------------------------------------------------------------------- */

const viewEvents = {
  pick: (part) => select(part, 'pick'),
  pickFinding: (finding) => {
    openTab(lists, 'findings');
    select(finding, 'key');
  },
  hover: (item, x, y) =>
    showTip(item && (item.relation ? `${item.label}: ${item.partA.leaf} – ${item.partB.leaf}` : item.name), x, y),
  /* What a finding needs has been unpacked. */
  ready: (finding) => {
    if (view.cut.on) cutPanel.show(finding);
    legend();
    buttons();
  },
  /* The length of the line between the two points, written at its middle. */
  placed(project, camera) {
    const finding = selected && selected.relation ? selected : null,
      text = finding && hasDepth(finding) && finding.relation !== 'identical' ? lengthText(Math.abs(finding.distance)) : null;
    labelLine(finding && project(finding.pointA), finding && project(finding.pointB), finding?.distance ? text : null);
    drawAxes(camera);
    if (cutPanel) cutPanel.placed();
  },
};

const MANY_FINDINGS = 50; /* from there on the list opens in groups */

/* --- start --------------------------------------------------------------------------------------------------------- */

const findingList = new List($('findings'), (item) => (item.group ? 46 : 77), drawRow, chooseRow, folding);
const partList = new List($('parts'), 34, drawPart, (item, how) => select(item, how));
const lists = { findings: findingList, parts: partList };

async function start() {
  if (typeof DecompressionStream === 'undefined') return fail('This browser is too old for the report: it cannot unpack it.');
  report = await loadReport();
  const units = [...$('unit').options].map((option) => Number(option.value));
  $('unit').selectedIndex = Math.max(0, units.indexOf(report.unit));
  unit.metres = Number($('unit').value);
  unit.name = $('unit').selectedOptions[0].textContent;
  if (report.list) review.start(report.list, new Set(report.findings.map((f) => f.id)));
  offerSizes();
  filters = new Filters(filter);
  /* Touching is no clash: where there are clashes, they come first. */
  if (report.findings.some((f) => f.relation !== 'touching' && !f.allowed && !f.resolved)) filters.shown.delete('touching');
  offerGroups();
  $('tab-findings').querySelector('.count').textContent = countText(report.findings.filter((f) => !f.resolved).length);
  $('tab-parts').querySelector('.count').textContent = countText(report.parts.length);
  header();
  stats();
  drawChips(filters);
  filter();
  filterParts();
  showReview();
  listen();
  await shown(); /* the list can be read before the view stands */
  if (typeof THREE === 'undefined') return fail('This carom was built without the 3D view. The list is complete.');
  try {
    view = new View($('canvas'), report, viewEvents);
  } catch (problem) {
    console.error(problem);
    return fail('This browser gives no WebGL, so the 3D view is missing. The list is complete.');
  }
  boundsPanel = new BoundsPanel(view);
  cutPanel = new CutPanel(view);
  view.style();
  view.setFindings(sorted);
  if (selected) select(selected); /* chosen while there was no view */
  else buttons();
  $('message').hidden = true;
  openHash();
}

/* When the browser has drawn what the page holds. */
const shown = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));

/* By volume or length can be sorted where there are any. */
function offerSizes() {
  const known = { volume: (f) => f.volume > 0, length: (f) => f.crossing_length > 0 };
  for (const [value, has] of Object.entries(known)) if (!report.findings.some(has)) $('sort').querySelector(`[value=${value}]`).remove();
}

/* Many findings read better as few groups. */
function offerGroups() {
  const asked = takeAskedGroups();
  const known = Object.entries(GROUPINGS).filter(([, one]) => !one.known || one.known(report));
  for (const id of ['group', 'subgroup']) {
    for (const [value, label] of [['', id === 'group' ? 'none' : 'nothing'], ...known.map(([key, one]) => [key, one.label])]) {
      const option = element('option', '', label);
      option.value = value;
      $(id).append(option);
    }
  }
  if (asked) $('group').value = asked;
  if (asked || report.findings.length <= MANY_FINDINGS) return;
  $('group').value = known.some(([key]) => key === 'class') ? 'class' : 'leaf';
  $('subgroup').value = 'part';
}

function fail(text) {
  view = null;
  goFlat(text, Object.keys(ACTIONS));
  openHash();
}

/* For the console, and for the test that looks at this page. */
window.carom = {
  get report() {
    return report;
  },
  started: start(),
  get view() {
    return view;
  },
  get boundsPanel() {
    return boundsPanel;
  },
  get selected() {
    return selected;
  },
  get tree() {
    return tree;
  },
  review,
  /* Fields of a finding that the page shows. */
  fields: [...FINDING_ROWS.flatMap((row) => row.fields), ...Object.keys(SHOWN_ELSEWHERE)],
};
