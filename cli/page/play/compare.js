/* Broad phases side by side: what each stage leaves of all pairs, and how each kind grows with the objects. */

const MEASURES = [
  { key: 'ms', label: 'ms a step', about: 'New boxes, update and list of pairs: the median of the steps, in milliseconds' },
  { key: 'tests', label: 'tests a step', about: 'Boxes compared with boxes, nodes’ boxes too' },
  { key: 'rays', label: 'µs a ray', about: 'To the nearest box along a random ray' },
  { key: 'boxes', label: 'µs a box', about: 'All that overlap a random box' },
  { key: 'nearest', label: 'µs for the nearest 8', about: 'The eight boxes nearest to a random point' },
  { key: 'frusta', label: 'µs a frustum', about: 'All within a random frustum' },
];

/* 1234 → 1,234; 49995000 → 50.0 M. */
function shortNumber(x) {
  if (x >= 1e9) return `${(x / 1e9).toPrecision(3)} G`;
  if (x >= 1e6) return `${(x / 1e6).toPrecision(3)} M`;
  if (x >= 1e5) return `${(x / 1e3).toPrecision(3)} k`;
  return x >= 1000 ? countText(Math.round(x)) : digits(Number(x.toPrecision(3)));
}

/* N^x between the first and the last number of objects; null where there is none. */
function growthOf(counts, values) {
  const last = counts.length - 1;
  if (last < 1 || !(values[0] > 0 && values[last] > 0)) return null;
  return Math.log(values[last] / values[0]) / Math.log(counts[last] / counts[0]);
}

/* Powers of ten (and 2 and 5 of them where there are few) within a range. */
function logTicks(low, high) {
  const wide = Math.log10(high / low) > 2,
    out = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++)
    for (const step of wide ? [1] : [1, 2, 5]) {
      const x = Number(`${step}e${power}`);
      if (x >= low * 0.999 && x <= high * 1.001) out.push(x);
    }
  return out;
}

/* Curves of all kinds over the numbers of objects, both axes logarithmic. */
function growthChart(counts, kinds, key) {
  const W = 312,
    H = 216,
    box = { left: 44, right: 8, top: 8, bottom: 30 };
  const all = kinds.flatMap((kind) => kind[key]).filter((x) => x > 0);
  const low = Math.min(...all) / 1.25,
    high = Math.max(...all) * 1.25;
  const first = counts[0],
    last = counts[counts.length - 1];
  const x = (n) => box.left + ((W - box.left - box.right) * Math.log(n / first)) / Math.log(last / first),
    y = (v) => H - box.bottom - ((H - box.top - box.bottom) * Math.log(v / low)) / Math.log(high / low);
  const svg = shapeOf('svg', { viewBox: `0 0 ${W} ${H}`, class: 'growth', role: 'img' });
  const text = (at, words) => {
    const made = shapeOf('text', at);
    made.textContent = words;
    svg.append(made);
  };
  for (const v of logTicks(low, high)) {
    svg.append(shapeOf('line', { x1: box.left, x2: W - box.right, y1: y(v), y2: y(v), class: 'grid' }));
    text({ x: box.left - 5, y: y(v) + 3.5, 'text-anchor': 'end' }, shortNumber(v));
  }
  counts.forEach((n, i) => {
    const anchor = i === counts.length - 1 ? 'end' : i ? 'middle' : 'start';
    svg.append(shapeOf('line', { x1: x(n), x2: x(n), y1: box.top, y2: H - box.bottom, class: 'grid' }));
    if (i === 0 || i === counts.length - 1 || counts.length <= 5)
      text({ x: x(n), y: H - box.bottom + 13, 'text-anchor': anchor }, shortNumber(n));
  });
  text({ x: (box.left + W - box.right) / 2, y: H - 4, 'text-anchor': 'middle' }, 'objects');
  kinds.forEach((kind) => {
    const group = shapeOf('g', { class: `tone-hue-${kind.hue}` }),
      points = counts.map((n, i) => [x(n), y(Math.max(kind[key][i], low))]);
    const dash = kind.dashed ? { 'stroke-dasharray': '4 3' } : {};
    group.append(shapeOf('path', { d: `M${points.map((p) => p.map((q) => q.toFixed(1)).join(' ')).join('L')}`, class: 'line', ...dash }));
    for (const [cx, cy] of points) group.append(shapeOf('circle', { cx, cy, r: 2.2 }));
    const title = shapeOf('title', {});
    title.textContent = kind.name;
    group.append(title);
    svg.append(group);
  });
  return svg;
}

function headRow(...cells) {
  return element('tr', '', ...cells.map((cell) => element('th', '', cell)));
}

function funnelTable(funnel) {
  const table = element('table', 'numbers');
  const head = element('thead', '', headRow('objects', 'all pairs', 'boxes overlap', 'shapes touch', 'contact points'));
  const body = element('tbody', '');
  for (const row of funnel)
    body.append(element('tr', '', ...[row.objects, row.all, row.boxes, row.touch, row.points].map((x) => element('td', '', shortNumber(x)))));
  put(table, head, body);
  return element('div', 'wide', table);
}

/* One line a kind: its color, its name, how it grows, and a number for each number of objects. */
function kindsTable(counts, kinds, key) {
  const table = element('table', counts.length > 1 ? 'numbers each' : 'numbers'),
    many = counts.length > 1;
  const head = element('thead', '', headRow('', ...(many ? ['grows as'] : []), ...counts.map(shortNumber)));
  const body = element('tbody', '');
  const best = counts.map((n, i) => Math.min(...kinds.map((kind) => kind[key][i])));
  for (const kind of kinds) {
    const grows = growthOf(counts, kind[key]),
      picked = kind.name === 'auto' ? [...new Set(kind.ran)].join(', ') : '';
    const name = element('th', 'kind', element('span', kind.dashed ? 'line dashed' : 'line'), kind.name);
    if (picked) name.title = `It picked ${picked}`;
    const row = element('tr', `tone-hue-${kind.hue}`, name);
    if (many) row.append(element('td', 'growth-of', ...(grows === null ? ['–'] : ['N', element('sup', '', grows.toFixed(2))])));
    counts.forEach((n, i) => row.append(element('td', kind[key][i] === best[i] ? 'best' : '', shortNumber(kind[key][i]))));
    body.append(row);
  }
  put(table, head, body);
  return element('div', 'wide', table);
}

/* Fills the pane and shows its tab; a page without a comparison has neither. */
class Comparison {
  constructor(box, tab, compared) {
    tab.hidden = false;
    this.counts = compared.funnel.map((row) => row.objects);
    this.kinds = compared.kinds.map((kind, i) => ({ ...kind, hue: i % PALETTE, dashed: i >= PALETTE }));
    this.measures = MEASURES.filter(({ key }) => this.kinds.every((kind) => kind[key]));
    this.choice = element('div', 'chips');
    this.choice.setAttribute('role', 'group');
    this.choice.ariaLabel = 'What to compare';
    this.about = element('p', 'about');
    this.drawn = element('div', '');
    put(box, element('h2', '', 'What each stage leaves of all pairs, a step'), funnelTable(compared.funnel));
    put(box, element('h2', '', this.counts.length > 1 ? 'How each kind grows' : 'Each kind'), this.choice, this.about, this.drawn);
    this.choose('ms');
  }

  choose(key) {
    const focused = this.choice.contains(document.activeElement);
    this.choice.replaceChildren(
      ...this.measures.map((measure) => {
        const one = button('chip', '', () => this.choose(measure.key), measure.label);
        one.ariaPressed = String(measure.key === key);
        return one;
      }),
    );
    const chosen = this.measures.findIndex((measure) => measure.key === key);
    if (focused) this.choice.children[chosen].focus();
    this.about.textContent = this.measures[chosen].about;
    const parts = [kindsTable(this.counts, this.kinds, key)];
    if (this.counts.length > 1) parts.unshift(growthChart(this.counts, this.kinds, key));
    this.drawn.replaceChildren(...parts);
  }

  /* Asked of all that stands behind a tab, when it is opened: here nothing depends on the room there is. */
  redraw() {}
}
