/* Curves over time, above the slider and in line with it. */

const SVG = 'http://www.w3.org/2000/svg';
function shapeOf(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

/* Of a robot what is deep is below zero, and configurations stand for themselves. */
function gapSeries(play, values) {
  const series = { name: 'Clearance', tone: 'gap', values, text: lengthText, zero: true };
  if (!play.robot) return series;
  const text = (x) => (x < 0 ? `${lengthText(-x)} deep` : lengthText(x));
  return { ...series, name: 'Least distance', text, steps: play.robot.held };
}

/* What there is to plot: { name, tone, values (null: none), text(value) }. */
function seriesOf(play) {
  const out = [];
  if (play.gaps) {
    const gaps = play.gaps.map((gap) => (gap ? gap[0] : null));
    if (gaps.some((x) => x !== null)) out.push(gapSeries(play, gaps));
  }
  if (play.boxed_at)
    out.push({
      name: `Volume of the box around ${play.objects[play.boxed].name}`,
      tone: 'gap',
      values: play.boxed_at.map(([a, b, c, d, e, f]) => (d - a) * (e - b) * (f - c)),
      text: (x) => `${digits(x)} m³`,
      zero: true,
    });
  if (play.energy) out.push({ name: 'Energy', tone: 'energy', values: play.energy, text: (x) => `${digits(x)} J` });
  if (play.momentum)
    out.push({ name: 'Momentum', tone: 'momentum', values: play.momentum.map(length), text: (x) => `${digits(x)} kg m/s` });
  if (play.contact_counts.some((n) => n > 0))
    out.push({ name: play.robot ? 'Colliding pairs' : 'Contact points', tone: 'contact', values: play.contact_counts, text: countText, zero: true, steps: true });
  if (play.objects.length > 500)
    out.push({
      name: 'Box pairs',
      tone: 'box',
      values: play.pairs.map((n, f) => (f ? n : null)),
      text: countText,
      zero: true,
      steps: true,
    });
  return out;
}

/* The range shown: never so narrow that rounding looks like motion. */
function rangeOfValues(values, zero) {
  let low = zero ? 0 : Infinity,
    high = zero ? 0 : -Infinity;
  for (const x of values) if (x !== null) ((low = Math.min(low, x)), (high = Math.max(high, x)));
  if (!(high >= low)) return [0, 1];
  const least = 0.02 * Math.max(Math.abs(low), Math.abs(high)) || 1;
  if (high - low < least) {
    const middle = (low + high) / 2;
    [low, high] = [middle - least / 2, middle + least / 2];
  }
  return [low, high];
}

class Plot {
  constructor(box, play, series, seek) {
    Object.assign(this, { play, series });
    const [low, high] = rangeOfValues(series.values, series.zero),
      { times, end } = play;
    const x = (t) => (1000 * t) / (end || 1),
      y = (v) => 94 - (88 * (v - low)) / (high - low);
    let path = '',
      pen = false;
    series.values.forEach((value, i) => {
      if (value === null) return (pen = false);
      if (pen && series.steps) path += `H${x(times[i]).toFixed(2)}`;
      path += `${pen ? 'L' : 'M'}${x(times[i]).toFixed(2)} ${y(value).toFixed(2)}`;
      pen = true;
    });
    this.svg = shapeOf('svg', { viewBox: '0 0 1000 100', preserveAspectRatio: 'none', class: 'curve' });
    if (low < 0 && high > 0) this.svg.append(shapeOf('line', { x1: 0, x2: 1000, y1: y(0), y2: y(0), class: 'zero' }));
    if (series.zero && path) {
      const first = series.values.findIndex((v) => v !== null);
      if (!series.values.slice(first).includes(null))
        this.svg.append(
          shapeOf('path', { d: `${path}L${x(end)} ${y(Math.max(low, 0))}L${x(times[first])} ${y(Math.max(low, 0))}Z`, class: 'area' }),
        );
    }
    this.svg.append(shapeOf('path', { d: path, class: 'line' }));
    this.cursor = shapeOf('line', { x1: 0, x2: 0, y1: 0, y2: 100, class: 'cursor' });
    this.svg.append(this.cursor);
    this.value = element('span', 'value');
    const label = element('div', 'label', element('span', 'dot'), element('span', 'name', series.name), this.value);
    const range = element('div', 'range', element('span', '', series.text(high)), element('span', '', series.text(low)));
    this.row = element('div', `plot tone-${series.tone}`, label, this.svg, range);
    box.append(this.row);
    const seekTo = (e) => {
      const { left, width } = this.svg.getBoundingClientRect();
      seek(Math.min(1, Math.max(0, (e.clientX - left) / width)) * end);
    };
    this.svg.addEventListener('pointerdown', (e) => {
      this.svg.setPointerCapture(e.pointerId);
      seekTo(e);
    });
    this.svg.addEventListener('pointermove', (e) => e.buttons && seekTo(e));
  }

  setTime(time) {
    const { play, series } = this,
      at = (1000 * time) / (play.end || 1),
      value = series.values[frameAt(play, time)];
    this.cursor.setAttribute('x1', at);
    this.cursor.setAttribute('x2', at);
    this.value.textContent = value === null ? '–' : series.text(value);
  }
}

/* The events as ticks over the slider; where they are dense, the most telling of a pixel. */
function drawTicks(canvas, play, list, tones) {
  const ratio = Math.min(window.devicePixelRatio || 1, 2),
    width = Math.round(canvas.clientWidth * ratio),
    height = Math.round(canvas.clientHeight * ratio);
  if (!width) return;
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d'),
    rank = { ended: 1, left: 1, began: 2, entered: 3, hit: 4 },
    bins = new Map();
  for (const event of list) {
    const x = Math.round((event.time / (play.end || 1)) * (width - 1)),
      was = bins.get(x);
    if (!was || rank[event.kind] > rank[was.kind]) bins.set(x, event);
  }
  for (const [x, event] of bins) {
    context.fillStyle = tones[event.tone];
    const tall = event.kind === 'hit' ? 1 : event.kind === 'ended' || event.kind === 'left' ? 0.5 : 0.8;
    context.fillRect(Math.min(x, width - ratio), height * (1 - tall), Math.max(1, 1.5 * ratio), height * tall);
  }
}
