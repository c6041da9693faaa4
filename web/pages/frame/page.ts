/* A page: a state in the address, a question to the library, a scene, and a report in numbers. README.md says how one is
 * made. Bodies are dragged and keyed; which one is under the pointer is asked of the library, too. */
import { init, type Carom, type PoseLike, type Shape } from 'carom';
import { Vector3 } from 'three';
import { controlsOf } from './controls';
import { fitted, fromHash, toHash, type Params, type State, type Vec3, type Vec3Param } from './state';
import { h, num } from './html';
import { v3, View } from './view';

/** What can be dragged: the parameter that holds its place, and perhaps one that turns it (degrees about x, y, z). */
export interface Body<S> {
  name: string;
  /** A parameter of the kind vec3; without one, it is only turned. */
  place?: keyof S & string;
  turn?: keyof S & string;
  shape(state: S): Shape;
  pose(state: S): PoseLike;
  /** False while it is not there. */
  when?(state: S): boolean;
}
export interface Report {
  /** The answer in a few words. */
  verdict: string;
  /** Colors it: they touch, they do not, neither is said. */
  tone: 'touch' | 'apart' | 'plain';
  numbers: (Node | string)[];
}
export interface SceneOf<S, A> {
  bodies?: Body<S>[];
  /** Draws the answer, and reports it. */
  show(state: S, answer: A): Report;
  /** A pointer moved over the view, with no body under it. */
  hover?(ray: { origin: Vector3; direction: Vector3 }): void;
}
export interface PageOf<P extends Params, A> {
  params: P;
  /** The question, of query.ts: all numbers of the page come from here. */
  ask(cm: Carom, state: State<P>): A;
  /** query.ts as `?code`. */
  code: string;
  eye?: Vec3;
  target?: Vec3;
  scene(view: View, cm: Carom, set: (values: Partial<State<P>>) => void): SceneOf<State<P>, A>;
}
/** What tests and the index' pictures use. */
export interface Hook { state: unknown; answer: unknown; set(values: object): void; view: View; /** Where the first body is. */ grip(): Vec3 }
declare global { interface Window { page?: Hook } }

const find = (selector: string) => document.querySelector<HTMLElement>(selector)!;

export async function page<P extends Params, A>(definition: PageOf<P, A>): Promise<void> {
  const { params, ask } = definition;
  const loading = init();
  const stage = find('#stage'), side = find('#side'), numbers = find('#numbers');
  find('#code').innerHTML = definition.code;
  const verdict = h('p', { class: 'verdict plain', role: 'status' }, 'loading …');
  const controls = controlsOf(params, (name, value) => set({ [name]: value } as Partial<State<P>>));
  const reset = h('button', { type: 'button', onclick: () => { view.reset(); set(fromHash(params, '')); } }, 'reset');
  const copy = h('button', { type: 'button', onclick: async () => {
    write();
    await navigator.clipboard?.writeText(location.href).then(() => { copy.textContent = 'copied'; setTimeout(() => { copy.textContent = 'copy link'; }, 1500); }, () => undefined);
  } }, 'copy link');
  side.append(verdict, controls.element, h('div', { class: 'buttons' }, reset, copy));
  const view = new View(stage, definition.eye ?? [5, 4.5, 9], definition.target ?? [0, 0, 0]);

  let state = fromHash(params, location.hash), writing = 0;
  view.eye = new URLSearchParams(location.hash.slice(1)).get('eye') ?? undefined;
  const write = () => {
    clearTimeout(writing);
    writing = 0;
    const eye = view.eye;
    history.replaceState(null, '', location.pathname + location.search + toHash(params, state, eye ? { eye } : {}));
  };
  const later = () => { if (!writing) writing = window.setTimeout(write, 250); };
  view.orbit.addEventListener('end', later);
  addEventListener('hashchange', () => {
    view.eye = new URLSearchParams(location.hash.slice(1)).get('eye') ?? undefined;
    state = fromHash(params, location.hash);
    update();
  });
  addEventListener('pagehide', () => { if (writing) write(); });

  const cm = await loading;
  const scene = definition.scene(view, cm, (values) => set(values));
  function set(values: Partial<State<P>>): void {
    state = { ...state, ...values };
    later();
    update();
  }
  function update(): void {
    const answer = ask(cm, state), report = scene.show(state, answer);
    controls.show(state);
    verdict.className = `verdict ${report.tone}`;
    if (verdict.textContent !== report.verdict) verdict.textContent = report.verdict;
    // a table keeps its place and focus while numbers change
    const focus = document.activeElement?.getAttribute('data-key');
    const scrolled = [...numbers.querySelectorAll<HTMLElement>('.scroll')].map((box) => box.scrollLeft);
    numbers.replaceChildren(...report.numbers);
    numbers.querySelectorAll<HTMLElement>('.scroll').forEach((box, i) => { box.scrollLeft = scrolled[i] ?? 0; });
    if (focus) numbers.querySelector<HTMLElement>(`[data-key="${focus}"]`)?.focus({ preventScroll: true });
    const grip = (): Vec3 => v3(scene.bodies?.[0]?.pose(state).position ?? [0, 0, 0]).toArray();
    window.page = { state, answer, set: set as Hook['set'], view, grip };
    view.draw();
  }
  update();
  if (scene.bodies?.length) handle(scene.bodies);
  else find('#keys').textContent = 'Drag to look around, turn the wheel to come nearer; with the scene in focus W A S D, + and − do the same. All of the state stands in the address.';
  if (scene.hover) for (const name of ['pointermove', 'pointerdown'] as const) view.element.addEventListener(name, (event) => scene.hover!(view.rayAt(event).ray));
  document.documentElement.dataset.ready = '';
  performance.mark('usable');

  /* --- bodies by pointer and by keys --- */

  function handle(bodies: Body<State<P>>[]): void {
    let chosen = bodies[0]!;
    const here = () => bodies.filter((body) => body.when?.(state) ?? true);
    const chips = bodies.map((body) => h('button', { type: 'button', 'aria-pressed': false, class: `chip ${body.name.toLowerCase()}`, onclick: () => { choose(body); view.element.focus({ preventScroll: true }); } }, body.name));
    stage.append(h('div', { class: 'chips', role: 'group', 'aria-label': 'Body that the keys move' }, ...chips));
    const choose = (body: Body<State<P>>) => {
      chosen = body;
      bodies.forEach((one, i) => { chips[i]!.setAttribute('aria-pressed', String(one === body)); chips[i]!.hidden = !(one.when?.(state) ?? true); });
    };
    choose(chosen);
    const move = (body: Body<State<P>>, name: keyof State<P> & string, change: (v: Vec3) => void) => {
      const next = [...(state[name] as Vec3)] as Vec3;
      change(next);
      set({ [name]: fitted(params[name]!, next) } as Partial<State<P>>);
    };
    const under = (event: PointerEvent) => {
      const { ray } = view.rayAt(event);
      let nearest: { body: Body<State<P>>; t: number } | undefined;
      for (const body of here()) {
        const hit = cm.raycast({ origin: ray.origin, direction: ray.direction, max: 1000 }, body.shape(state), body.pose(state));
        if (hit && (!nearest || hit.t < nearest.t)) nearest = { body, t: hit.t };
      }
      return nearest && { body: nearest.body, at: ray.origin.clone().addScaledVector(ray.direction, nearest.t) };
    };
    let drag: { body: Body<State<P>>; from: Vec3; grip: Vector3; deep: number; turning: boolean; x: number; y: number } | undefined;
    // before OrbitControls hears of it
    stage.addEventListener('pointerdown', (event) => {
      if (event.target !== view.element && !(event.target instanceof HTMLCanvasElement)) return;
      const found = event.isPrimary ? under(event) : undefined;
      if (!found) return;
      event.stopPropagation();
      choose(found.body);
      view.element.focus({ preventScroll: true });
      const turning = !found.body.place || (event.shiftKey && !!found.body.turn), from = state[turning ? found.body.turn! : found.body.place!] as Vec3;
      drag = { body: found.body, from: [...from], grip: found.at, deep: view.facing().deep[0], turning, x: event.clientX, y: event.clientY };
      view.element.setPointerCapture(event.pointerId);
    }, { capture: true });
    view.element.addEventListener('pointermove', (event) => {
      if (!drag) {
        if (event.pointerType === 'mouse' && !event.buttons) view.element.classList.toggle('grab', !!under(event));
        return;
      }
      const { body, from, grip } = drag;
      if (drag.turning) {
        const { right, up } = view.facing();
        move(body, body.turn!, (v) => {
          v[up[0]] = from[up[0]]! + (event.clientX - drag!.x) * 0.5 * up[1];
          v[right[0]] = from[right[0]]! + (event.clientY - drag!.y) * 0.5 * right[1];
        });
        return;
      }
      const to = view.onPlane(event, grip, drag.deep);
      if (to) move(body, body.place!, (v) => { for (let k = 0; k < 3; k++) v[k] = from[k]! + to.getComponent(k) - grip.getComponent(k); });
    });
    const end = () => { drag = undefined; };
    view.element.addEventListener('pointerup', end);
    view.element.addEventListener('pointercancel', end);

    view.element.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      const digit = Number(event.key);
      if (digit >= 1 && here()[digit - 1]) choose(here()[digit - 1]!);
      else {
        const { right, up, deep } = view.facing();
        const steps: Record<string, [number, number]> = {
          ArrowRight: right, ArrowLeft: [right[0], -right[1]], ArrowUp: up, ArrowDown: [up[0], -up[1]], PageDown: deep, PageUp: [deep[0], -deep[1]],
        };
        const step = steps[event.key];
        if (!step) return;
        if (event.shiftKey || !chosen.place) {
          if (!chosen.turn) return;
          // the arrow to the right turns about the axis that points up
          const axis = event.key.startsWith('Page') ? deep[0] : /Left|Right/.test(event.key) ? up[0] : right[0];
          const sense = /Left|Up$/.test(event.key) ? -1 : 1;
          move(chosen, chosen.turn, (v) => { v[axis]! += 5 * sense; });
        } else {
          const size = 10 * (params[chosen.place] as Vec3Param).step;
          move(chosen, chosen.place, (v) => { v[step[0]]! += size * step[1]; });
        }
      }
      event.preventDefault();
    });
  }
}
addEventListener('keydown', (event) => {
  const view = window.page?.view;
  if (!view || event.target !== view.element || event.ctrlKey || event.altKey || event.metaKey) return;
  const turns: Record<string, () => void> = {
    a: () => view.turn(-0.1, 0), d: () => view.turn(0.1, 0), w: () => view.turn(0, 0.1), s: () => view.turn(0, -0.1),
    '+': () => view.turn(0, 0, 1 / 1.1), '-': () => view.turn(0, 0, 1.1),
  };
  turns[event.key]?.();
});
export { num, v3 };
