/* A demonstration in every row that has one. The state, which is the numbers in the fields, stands in the address' query:
 * its hash is the row. */
import { init, type Carom } from 'carom';
import { h } from '../frame/html';
import { demos } from './demos';
import sources from './demos.ts?demos';

/** An answer as one reads it: six digits, yes and no, vectors in parentheses. */
export function shown(value: unknown): string {
  if (typeof value === 'number') return Number.isFinite(value) ? String(Number(value.toPrecision(6))).replace('-', '−') : String(value).replace('Infinity', '∞');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return `(${value.map(shown).join(', ')})`;
  if (value && typeof value === 'object') return 'x' in value && 'y' in value ? shown(Object.values(value)) : Object.entries(value).map(([name, x]) => `${name}: ${shown(x)}`).join(' · ');
  return String(value);
}
const query = new URLSearchParams(location.search);
const states: Record<string, Record<string, number>> = {}, answers: Record<string, { theirs: unknown; ours: unknown }> = {};
let writing = 0;
function write(): void {
  writing = 0;
  const parts = Object.entries(states).flatMap(([id, state]) => Object.entries(state).filter(([name, x]) => x !== demos[id]!.params[name]).map(([name, x]) => `${id}.${name}=${x}`));
  history.replaceState(null, '', `${location.pathname}${parts.length ? `?${parts.join('&')}` : ''}${location.hash}`);
}

/** Fills a row's place; the answers are there once the library is. */
function demonstrate(place: HTMLElement, id: string, library: Promise<Carom>): Promise<boolean> {
  const demo = demos[id]!, state = (states[id] = { ...demo.params });
  const theirs = h('output', { class: 'value' }), ours = h('output', { class: 'value' }), badge = h('span', { class: 'badge' });
  const fields = Object.entries(demo.params).map(([name, value]) => {
    const given = query.get(`${id}.${name}`);
    if (given !== null && Number.isFinite(Number(given))) state[name] = Number(given);
    const field = h('input', { type: 'number', step: 'any', value: state[name], 'aria-label': `${id}: ${name}`, 'data-first': value });
    field.addEventListener('input', async () => {
      if (!Number.isFinite(field.valueAsNumber)) return;
      state[name] = field.valueAsNumber;
      if (!writing) writing = window.setTimeout(write, 250);
      answer(await library);
    });
    return h('label', {}, h('span', {}, name), field);
  });
  const code = (html: string) => {
    const element = h('code');
    element.innerHTML = html;
    return element;
  };
  const source = sources[id]!;
  place.append(h('div', { class: 'fields' }, ...fields, badge), h('div', { class: 'sides' },
    h('div', { class: 'side theirs' }, h('h4', {}, 'the text'), code(source.theirs), theirs),
    h('div', { class: 'side ours' }, h('h4', {}, demo.double ? 'carom, double' : 'carom'), code(source.ours), ours)));
  const answer = (cm: Carom): boolean => {
    const one = (answers[id] = { theirs: demo.theirs(state), ours: demo.ours(cm, state) });
    theirs.textContent = shown(one.theirs), ours.textContent = shown(one.ours);
    const same = theirs.textContent === ours.textContent;
    badge.textContent = same ? 'they agree' : 'they part';
    badge.className = `badge ${same ? 'same' : 'part'}`;
    return !same;
  };
  return library.then(answer);
}

const single = init();
// the double build is for few rows, and waits for the first of them to come near
let double: Promise<Carom> | undefined;
const whenNear = (place: HTMLElement) => new Promise<void>((near) => {
  const watch = new IntersectionObserver((entries) => { if (entries.some((entry) => entry.isIntersecting)) { watch.disconnect(); near(); } }, { rootMargin: '600px' });
  watch.observe(place);
});
const asDouble = (place: HTMLElement) => whenNear(place).then(() => (double ??= import('carom/f64').then((f64) => f64.init())));

const parting: Promise<boolean>[] = [];
const places = [...document.querySelectorAll<HTMLElement>('.demo')];
for (const place of places) {
  const id = place.dataset.row!;
  if (!demos[id]) place.remove();
  else if (demos[id].double) void demonstrate(place, id, asDouble(place));
  else parting.push(demonstrate(place, id, single));
}
document.querySelector('.jump')!.append(...[...document.querySelectorAll('.article h2')].map((title) => h('a', { href: `#${title.id}` }, title.textContent!.replace(/,.*/, ''))));
const all = await Promise.all(parting);
document.querySelector('#summary')!.textContent = `${places.length} rows; ${Object.keys(demos).length} of them run here.`;
window.demos = { states, answers, parting: all.filter(Boolean).length };
document.documentElement.dataset.ready = '';
performance.mark('usable');
declare global { interface Window { demos?: { states: typeof states; answers: typeof answers; parting: number } } }
