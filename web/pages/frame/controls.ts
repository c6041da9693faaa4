/* Controls for a state: the browser's own inputs, which keyboards, phones and screen readers know. */
import { fitted, type NumberParam, type Param, type Params, type Vec3, type Vec3Param } from './state';
import { h } from './html';

export interface Controls { element: HTMLElement; /** Shows the state, wherever it was changed. */ show(state: Record<string, any>): void }

/** A slider and a field for the same number. */
function slider(label: string, name: string, range: { min: number; max: number; step: number }, change: (x: number) => void) {
  const bar = h('input', { type: 'range', ...range, 'aria-label': name }), field = h('input', { type: 'number', ...range, 'aria-label': `${name}, exactly`, inputmode: 'decimal' });
  bar.addEventListener('input', () => change(bar.valueAsNumber));
  field.addEventListener('change', () => change(field.valueAsNumber));
  const element = h('div', { class: 'slider' }, h('span', { class: 'axis', 'aria-hidden': 'true' }, label), bar, field);
  const show = (x: number) => {
    if (bar.valueAsNumber !== x) bar.value = String(x);
    if (document.activeElement !== field || field.valueAsNumber !== x) field.value = String(x);
  };
  return { element, show };
}

export function controlsOf(params: Params, change: (name: string, value: unknown) => void): Controls {
  const groups = new Map<string, HTMLElement>(), shows: ((state: Record<string, any>) => void)[] = [];
  const element = h('form', { class: 'controls', onsubmit: (e: Event) => e.preventDefault() });
  const groupOf = (param: Param): HTMLElement => {
    const name = param.group ?? '';
    let group = groups.get(name);
    if (!group) {
      group = name ? h('fieldset', {}, h('legend', {}, name)) : h('div', { class: 'group' });
      groups.set(name, group);
      element.append(group);
    }
    return group;
  };
  for (const [name, param] of Object.entries(params)) {
    const row = rowOf(name, param, (value) => change(name, fitted(param, value)));
    groupOf(param).append(row.element);
    shows.push((state) => {
      row.element.hidden = !!param.when && !param.when(state);
      row.show(state[name]);
    });
  }
  return { element, show: (state) => shows.forEach((show) => show(state)) };
}

function rowOf(name: string, param: Param, change: (value: unknown) => void): { element: HTMLElement; show(value: any): void } {
  switch (param.kind) {
    case 'number': return numberRow(param, change);
    case 'vec3': return vec3Row(param, change);
    case 'flag': {
      const box = h('input', { type: 'checkbox' });
      box.addEventListener('change', () => change(box.checked));
      return { element: h('label', { class: 'flag' }, box, param.label), show: (value: boolean) => { box.checked = value; } };
    }
    case 'choice': {
      const options = Object.entries(param.options as Record<string, string>);
      if (options.length > 4) {
        const select = h('select', { 'aria-label': param.label }, ...options.map(([value, text]) => h('option', { value }, text)));
        select.addEventListener('change', () => change(select.value));
        return { element: h('label', { class: 'row select' }, h('span', { class: 'name' }, param.label), select), show: (value: string) => { select.value = value; } };
      }
      const inputs = options.map(([value]) => h('input', { type: 'radio', name, value, onchange: () => change(value) }));
      const element = h('div', { class: 'row choice', role: 'radiogroup', 'aria-label': param.label }, h('span', { class: 'name' }, param.label),
        h('span', { class: 'segments' }, ...options.map(([, text], i) => h('label', {}, inputs[i]!, h('span', {}, text)))));
      return { element, show: (value: string) => inputs.forEach((input) => { input.checked = input.value === value; }) };
    }
  }
}
function numberRow(param: NumberParam, change: (value: unknown) => void) {
  const { min, max, step, label, play } = param;
  const one = slider('', label, { min, max, step }, change);
  const element = h('div', { class: 'row' }, h('span', { class: 'name' }, label + (param.unit ? `, ${param.unit}` : '')), one.element);
  let value = param.value, playing = 0;
  if (play) {
    const button = h('button', { type: 'button', class: 'play', 'aria-label': `play ${label}` }, '▶');
    const stop = () => { cancelAnimationFrame(playing); playing = 0; button.textContent = '▶'; };
    button.addEventListener('click', () => {
      if (playing) return stop();
      button.textContent = '❚❚';
      let exact = value >= max ? min : value, last = performance.now();
      const tick = (now: number) => {
        exact += ((max - min) * Math.min(now - last, 100)) / 1000 / play;
        last = now;
        if (exact > max) exact = min;
        change(exact);
        playing = requestAnimationFrame(tick);
      };
      playing = requestAnimationFrame(tick);
    });
    one.element.prepend(button);
    for (const input of one.element.querySelectorAll('input')) input.addEventListener('input', stop);
  }
  return { element, show: (x: number) => { value = x; one.show(x); } };
}
function vec3Row(param: Vec3Param, change: (value: unknown) => void) {
  const { min, max, step, label } = param;
  let value = param.value;
  const rows = ['x', 'y', 'z'].map((axis, k) => slider(axis, `${param.group ? `${param.group}, ` : ''}${label} ${axis}`, { min, max, step }, (x) => {
    const next = [...value] as Vec3;
    next[k] = x;
    change(next);
  }));
  const element = h('div', { class: 'row three' }, h('span', { class: 'name' }, label + (param.unit ? `, ${param.unit}` : '')), ...rows.map((row) => row.element));
  return { element, show: (v: Vec3) => { value = v; rows.forEach((row, k) => row.show(v[k]!)); } };
}
