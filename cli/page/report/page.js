/* The page around the view: header, list, filters, details, keys. */

const report = loadReport();
const shownRelations = new Set();
let view = null,
  boundsPanel = null,
  selected = null,
  sorted = [],
  partFilter = null,
  showAllowed = false;

/* --- header -------------------------------------------------------------------------------------------------------- */

function header() {
  const clashes = report.findings.filter((f) => f.clash && !f.allowed).length;
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
    ['Tolerance', report.tolerance > 0 ? lengthText(report.tolerance) : 'by size'],
    ['Clearance', report.clearance > 0 ? lengthText(report.clearance) : 'none'],
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
          ...(selected.segments ? [item('a', 'stroke', 'Outline')] : []),
          item('a', 'ring', 'Point on A'),
          item('b', 'ring', 'Point on B'),
        ]
      : found.map((r) => item(r.tone, 'ring', r.label))),
  );
  $('legend').hidden = !$('legend').childElementCount;
}

/* --- the list of findings ------------------------------------------------------------------------------------------ */

const ORDERS = {
  depth: (f, g) => deep(f) - deep(g) || f.rank - g.rank,
  relation: (f, g) => f.rank - g.rank || deep(f) - deep(g),
  crossings: (f, g) => g.crossings - f.crossings,
  name: (f, g) => f.search.localeCompare(g.search),
  order: () => 0,
};
const deep = (f) => (f.distance === null ? Infinity : f.distance);

function matches(text, words) {
  return words.every((word) => text.includes(word));
}

function filter() {
  const words = $('query').value.toLowerCase().split(/\s+/).filter(Boolean);
  const order = ORDERS[$('sort').value];
  sorted = report.findings
    .filter(
      (f) =>
        (f.allowed ? showAllowed : shownRelations.has(f.relation)) &&
        matches(f.search, words) &&
        (!partFilter || f.partA === partFilter || f.partB === partFilter),
    )
    .sort((f, g) => order(f, g) || f.index - g.index);
  findingList.set(sorted);
  findingList.select(selected, false);
  const all = report.findings.length;
  $('shown').textContent = sorted.length === all ? plural(all, 'finding') : `${countText(sorted.length)} of ${plural(all, 'finding')}`;
  const hint = $('findings').querySelector('.empty');
  if (hint) hint.remove();
  if (!sorted.length) $('findings').append(emptyHint(all));
  if (view) view.setFindings(sorted);
  legend();
}

function emptyHint(all) {
  if (all)
    return element('div', 'empty', icon('search'), element('strong', '', 'Nothing matches'), 'Findings exist, but the filters hide them.');
  const rest = report.clearance > 0 ? `crosses, touches or comes closer than ${lengthText(report.clearance)}` : 'crosses or touches';
  return element(
    'div',
    'empty tone-good',
    icon('ok'),
    element('strong', '', 'No findings'),
    `Of ${plural(report.pairs_total, 'pair')} of parts none ${rest}.`,
  );
}

function drawFinding(finding, row) {
  const [value, what] = measure(finding);
  row.classList.toggle('allowed', finding.allowed);
  put(
    row,
    element(
      'div',
      'top',
      badge(finding),
      element('span', 'number', `#${finding.index + 1}`),
      finding.allowed ? element('span', 'tag', 'allowed') : null,
      element('span', 'value', value, what ? element('small', '', ` ${what}`) : null),
    ),
    nameLine(finding.partA, 'tone-a'),
    nameLine(finding.partB, 'tone-b'),
  );
}

function chips() {
  const made = [];
  const chip = (tone, label, count, pressed, toggle) => {
    const one = button(
      'chip',
      '',
      () => {
        toggle();
        chips();
        filter();
      },
      element('span', 'dot'),
      label,
      element('span', 'count', countText(count)),
    );
    one.classList.add(`tone-${tone}`);
    one.ariaPressed = String(pressed);
    made.push(one);
  };
  for (const [relation, { tone, label }] of Object.entries(RELATIONS)) {
    const count = report.findings.filter((f) => f.relation === relation && !f.allowed).length;
    if (count)
      chip(tone, label, count, shownRelations.has(relation), () => shownRelations.delete(relation) || shownRelations.add(relation));
  }
  const allowed = report.findings.filter((f) => f.allowed).length;
  if (allowed) chip('touching', 'Allowed', allowed, showAllowed, () => (showAllowed = !showAllowed));
  if (partFilter) {
    const one = button(
      'chip part',
      'Show the findings of all parts',
      () => {
        partFilter = null;
        chips();
        filter();
      },
      element('span', '', partFilter.leaf),
      icon('close'),
    );
    made.push(one);
  }
  const focused = [...$('chips').children].indexOf(document.activeElement);
  $('chips').replaceChildren(...made);
  if (focused >= 0 && made[focused]) made[focused].focus();
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
  selected = item;
  const finding = item && item.relation;
  if (finding && !sorted.includes(item)) reveal(item);
  findingList.select(finding ? item : null, how !== 'click');
  partList.select(finding ? null : item, how !== 'click');
  if (view) boundsPanel.show(item);
  details();
  if (view) view.select(item, { fly: how !== 'pick' });
  legend();
  buttons();
  try {
    history.replaceState(null, '', finding ? `#${item.id}` : '#');
  } catch {
    /* not from every origin */
  }
}

/* Loosens the filters until the list shows this finding. */
function reveal(finding) {
  if (finding.allowed) showAllowed = true;
  else shownRelations.add(finding.relation);
  $('query').value = '';
  partFilter = null;
  chips();
  filter();
}

function step(by) {
  const at = sorted.indexOf(selected);
  if (sorted.length) select(sorted[(Math.max(at, by > 0 ? -1 : 0) + by + sorted.length) % sorted.length], 'key');
}

function details() {
  const box = $('details');
  box.hidden = !selected;
  if (selected) box.replaceChildren(...(selected.relation ? findingDetails(selected) : partDetails(selected)));
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
  $('xray').disabled = !selected;
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
    if (!selected) return;
    view.xray = $('xray').ariaPressed !== 'true';
    view.style();
  },
  edges: () => {
    view.showEdges = !view.showEdges;
    view.redraw();
  },
  bounds: () => {
    view.bounds.on = !view.bounds.on;
    boundsPanel.show(selected);
    cover();
    view.style();
    view.pins();
    if (view.bounds.on && !selected) view.fit(); /* the volumes of the whole reach farther than it */
  },
  pins: () => {
    view.showPins = !view.showPins;
    view.pins();
  },
};

function listen() {
  for (const id of ['query', 'sort']) $(id).addEventListener('input', filter);
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
    const typing = e.target.matches('input[type=search]');
    if (e.key === 'Escape') {
      if (typing) e.target.blur();
      else select(null);
      return;
    }
    if (typing || e.target.matches('select')) return;
    const act = { f: 'fit', g: 'ghost', x: 'xray', e: 'edges', b: 'bounds', m: 'pins' }[e.key];
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
  const finding = found && report.findings[found[1]];
  if (finding && finding !== selected) select(finding, 'key');
}

function showUnit() {
  unit.metres = Number($('unit').value);
  unit.name = $('unit').selectedOptions[0].textContent;
  stats();
  filter();
  details();
  if (view) {
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
  /* The length of the line between the two points, written at its middle. */
  placed(project, camera) {
    const finding = selected && selected.relation ? selected : null,
      text = finding && measure(finding)[0];
    labelLine(finding && project(finding.pointA), finding && project(finding.pointB), text === '0' ? null : text);
    drawAxes(camera);
  },
};

/* --- start --------------------------------------------------------------------------------------------------------- */

const findingList = new List($('findings'), 77, drawFinding, (item, how) => select(item, how));
const partList = new List($('parts'), 34, drawPart, (item, how) => select(item, how));
const lists = { findings: findingList, parts: partList };

async function start() {
  const units = [...$('unit').options].map((option) => Number(option.value));
  $('unit').selectedIndex = Math.max(0, units.indexOf(report.unit));
  unit.metres = Number($('unit').value);
  unit.name = $('unit').selectedOptions[0].textContent;
  for (const relation of Object.keys(RELATIONS)) shownRelations.add(relation);
  /* Touching is no clash: where there are clashes, they come first. */
  if (report.findings.some((f) => f.relation !== 'touching' && !f.allowed)) shownRelations.delete('touching');
  $('tab-findings').querySelector('.count').textContent = countText(report.findings.length);
  $('tab-parts').querySelector('.count').textContent = countText(report.parts.length);
  header();
  stats();
  chips();
  filter();
  filterParts();
  listen();
  if (typeof THREE === 'undefined') return fail('This carom was built without the 3D view. The list is complete.');
  try {
    view = new View($('canvas'), report, viewEvents);
  } catch (problem) {
    console.error(problem);
    return fail('This browser gives no WebGL, so the 3D view is missing. The list is complete.');
  }
  boundsPanel = new BoundsPanel(view);
  view.style();
  view.setFindings(sorted);
  buttons();
  await view.build();
  $('message').hidden = true;
  openHash();
}

function fail(text) {
  view = null;
  goFlat(text, Object.keys(ACTIONS));
  openHash();
}

/* For the console, and for the test that looks at this page. */
window.carom = {
  report,
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
};
