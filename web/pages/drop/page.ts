/* The page: takes files, has a worker check them, shows what it says. What is asked stands in the address, and whether it is
 * asked of the sample; files cannot. */
import { h } from '../frame/html';
import { controlsOf } from '../frame/controls';
import { choice, fromHash, number, toHash } from '../frame/state';
import type { Asked, FailOn } from './check';
import { isBeside } from './read/beside';
import type { Dropped } from './read/read';
import { sample } from './sample';
import type { Job, Said } from './worker';

const params = {
  clearance: number('clearance', 0.2, 0, 10, { step: 0.05, unit: 'mm' }),
  tolerance: number('may overlap by', 0, 0, 2, { step: 0.01, unit: 'mm' }),
  fail: choice('fails from', 'default', { default: 'too near', touching: 'touching', crossing: 'crossing', never: 'nothing' }),
};
let state = fromHash(params, location.hash), given: Dropped[] = [], fromSample = false, worker: Worker | null = null;
const found: { json: string; report: string; messages: string[]; code: number } = { json: '', report: '', messages: [], code: -1 };

/* --- what there is to see --- */

const chooser = h('input', { type: 'file', multiple: true, accept: '.stl,.obj,.ply,.gltf,.glb,.bin,.ifc,.ifczip,.step,.stp,.iges,.igs,.brep', id: 'files', class: 'hidden' });
const choose = h('button', { type: 'button', class: 'main' }, 'Choose files'), trySample = h('button', { type: 'button' }, 'Try a sample');
const zone = h('div', { class: 'zone' }, h('p', {}, h('strong', {}, 'Drop model files here'), ' — STL, OBJ, PLY, glTF, IFC, STEP, IGES, BREP'), h('div', { class: 'buttons' }, choose, trySample, chooser));
const controls = controlsOf(params, (name, value) => { state = { ...state, [name]: value }; controls.show(state); write(); again(); });
const verdict = h('p', { class: 'verdict plain', role: 'status' }, 'No file yet.');
const bar = h('progress', { max: 1, value: 0, 'aria-label': 'Progress' }), doing = h('span', {}), stop = h('button', { type: 'button' }, 'Stop');
const running = h('div', { class: 'running', hidden: true }, bar, doing, stop);
const lines = h('ul', { class: 'messages' }), counts = h('div', { class: 'counts' });
const saveJson = h('a', { class: 'save', download: 'carom.json' }, 'JSON'), saveReport = h('a', { class: 'save', download: 'report.html' }, 'Report, as one file');
const saves = h('div', { class: 'buttons', hidden: true }, saveJson, saveReport);
const command = h('pre', { class: 'command', hidden: true, tabindex: 0 }, h('code', {}));
const frame = h('iframe', { title: 'The report of the check', class: 'report', hidden: true });
document.querySelector('#drop')!.replaceChildren(h('div', { class: 'ask' }, zone, controls.element), verdict, running, counts, lines, saves, frame, command);

function write(): void {
  history.replaceState(null, '', `${location.pathname}${toHash(params, state, fromSample ? { sample: '1' } : {}) || '#'}`);
}
const addresses: Record<string, string> = {};
function offer(link: HTMLAnchorElement, bytes: Uint8Array<ArrayBuffer>, type: string): string {
  if (addresses[type]) URL.revokeObjectURL(addresses[type]);
  return (link.href = addresses[type] = URL.createObjectURL(new Blob([bytes], { type })));
}
function tell(tone: 'plain' | 'touch' | 'apart', text: string): void {
  verdict.className = `verdict ${tone}`;
  verdict.textContent = text;
}

/** The same, asked of the command. */
function line(): string {
  const quoted = given.filter(({ name }) => !isBeside(name)).map(({ name }) => (/^[\w.-]+$/.test(name) ? name : `'${name.replace(/'/g, `'\\''`)}'`));
  const { clearance, tolerance, fail } = state;
  return ['carom check', ...quoted, ...(clearance > 0 ? [`--clearance ${clearance}mm`] : []), ...(tolerance > 0 ? [`--tolerance ${tolerance}mm`] : []),
    ...(fail !== 'default' ? [`--fail-on ${fail === 'never' ? 'none' : fail}`] : []), '--format json --report report.html'].join(' ');
}

/* --- the check --- */

interface Json { counts: Record<string, number>; files: { path: string; unit_metres: number; unit_assumed: boolean; parts: number; notes: string[] }[] }
const kinds = ['crossing', 'inside', 'identical', 'touching', 'clearance'] as const;
const words: Record<string, string> = { crossing: 'crossing', inside: 'one in the other', identical: 'identical', touching: 'touching', clearance: 'too near' };
const unitOf = (metres: number) => ({ 1: 'metres', 0.01: 'centimetres', 0.001: 'millimetres', 0.0254: 'inches' })[metres] ?? `${metres} m`;

function show(json: Json): void {
  const { counts: n, files } = json, all = kinds.reduce((sum, kind) => sum + n[kind]!, 0);
  if (n.failing! > 0) tell('apart', `${n.failing} of ${all} findings ${n.failing === 1 ? 'fails' : 'fail'} the check.`);
  else if (n.pairs === 0) tell('plain', `Nothing was compared: there ${n.parts === 1 ? 'is only one part' : 'are no two parts to compare'}.`);
  else tell('touch', all === 0 ? 'Nothing crosses, touches, or is too near.' : `${all} finding${all === 1 ? '' : 's'}, none of which fails the check.`);
  counts.replaceChildren(...[[n.parts === 1 ? 'part' : 'parts', n.parts], [n.pairs === 1 ? 'pair' : 'pairs', n.pairs], [n.near_pairs === 1 ? 'near pair' : 'near pairs', n.near_pairs], ...kinds.map((kind) => [words[kind], n[kind]])]
    .map(([name, value]) => h('span', { class: `count ${Number(value) > 0 && kinds.some((k) => words[k] === name) ? 'some' : ''}` }, h('b', {}, String(value)), ` ${name}`)));
  const said = files.flatMap((file) => [...(file.unit_assumed ? [`${file.path}: its unit is not stated, ${unitOf(file.unit_metres)} are assumed.`] : []), ...file.notes.map((note) => `${file.path}: ${note}`)]);
  lines.replaceChildren(...[...said, ...found.messages].map((line) => h('li', {}, line)));
}
function hear(said: Said): void {
  if (said.kind === 'progress') {
    doing.textContent = said.text;
    if (said.total > 0) bar.value = said.done / said.total;
  } else if (said.kind === 'failed') {
    tell('apart', said.text);
    end();
  } else if (said.kind === 'answer') {
    const { code, messages, json } = said;
    Object.assign(found, { code, messages, json: new TextDecoder().decode(json) });
    if (json.length === 0) {
      tell('apart', messages.join(' ') || 'It could not be checked.');
      end();
      return;
    }
    offer(saveJson, json, 'application/json');
    command.firstElementChild!.textContent = line();
    command.hidden = false;
    show(JSON.parse(found.json) as Json);
    doing.textContent = 'writing the report';
    bar.removeAttribute('value');
  } else {
    found.report = offer(saveReport, said.html, 'text/html');
    frame.src = found.report;
    frame.hidden = saves.hidden = false;
    end();
  }
}
function end(): void {
  worker?.terminate();
  worker = null;
  running.hidden = true;
  document.documentElement.dataset.checked = String(Number(document.documentElement.dataset.checked ?? 0) + 1);
}
function check(files: Dropped[]): void {
  given = files;
  worker?.terminate();
  Object.assign(found, { json: '', report: '', messages: [], code: -1 });
  lines.replaceChildren(), counts.replaceChildren();
  frame.hidden = saves.hidden = command.hidden = true;
  if (files.length === 0) return;
  tell('plain', files.map((file) => file.name).join(', '));
  running.hidden = false;
  bar.value = 0;
  doing.textContent = 'starting';
  const asked: Asked = { clearance: state.clearance > 0 ? state.clearance / 1000 : null, tolerance: state.tolerance > 0 ? state.tolerance / 1000 : null, failOn: state.fail as FailOn };
  if (asked.failOn === 'default' && asked.clearance === null) asked.failOn = 'crossing';
  worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  worker.addEventListener('message', ({ data }: MessageEvent<Said>) => hear(data));
  worker.addEventListener('error', ({ message }) => hear({ kind: 'failed', text: `It stopped: ${message || 'the worker could not be loaded'}` }));
  worker.postMessage({ files, asked } satisfies Job);
}
/** A slider that is drawn asks many times: the last counts. */
let waiting = 0;
function again(): void {
  clearTimeout(waiting);
  if (given.length > 0) waiting = window.setTimeout(() => check(given), 250);
}

/* --- what one does --- */

async function take(files: FileList | readonly File[] | null | undefined): Promise<void> {
  if (!files || files.length === 0) return;
  fromSample = false;
  write();
  try {
    check(await Promise.all([...files].map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) }))));
  } catch {
    tell('apart', 'A file could not be opened. A folder cannot be dropped, only the files in it.');
  }
}
function useSample(): void {
  fromSample = true;
  write();
  check(sample());
}
choose.addEventListener('click', () => chooser.click());
chooser.addEventListener('change', async () => { await take(chooser.files); chooser.value = ''; });
trySample.addEventListener('click', useSample);
stop.addEventListener('click', () => { tell('plain', 'Stopped.'); end(); });
// anywhere on the page
addEventListener('dragover', (event) => { event.preventDefault(); zone.classList.add('over'); });
addEventListener('dragleave', () => zone.classList.remove('over'));
addEventListener('drop', (event) => { event.preventDefault(); zone.classList.remove('over'); void take(event.dataTransfer?.files); });
addEventListener('hashchange', () => {
  state = fromHash(params, location.hash);
  controls.show(state);
  if (new URLSearchParams(location.hash.slice(1)).get('sample') === '1') useSample();
  else again();
});

controls.show(state);
window.drop = found;
if (new URLSearchParams(location.hash.slice(1)).get('sample') === '1') useSample();
document.documentElement.dataset.ready = '';
performance.mark('usable');
declare global { interface Window { drop?: typeof found } }
