/** An element with attributes and children; handlers by names such as `onclick`. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Record<string, unknown> = {}, ...children: (Node | string | null)[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value as EventListener);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children.filter((child): child is Node | string => child !== null));
  return element;
}

/** A number as the tables show it: four decimals, or a power of ten where those would hide it. */
export function fmt(x: number, decimals = 4): string {
  if (!Number.isFinite(x)) return String(x).replace('Infinity', '∞').replace('-', '−');
  const size = Math.abs(x);
  const text = size !== 0 && (size < 0.5 * 10 ** -decimals || size >= 1e7) ? x.toExponential(2) : x.toFixed(decimals);
  return text.replace('-', '−');
}
/** A cell with a number: its exact value stands in the title, and is what tests compare. */
export const num = (x: number, decimals = 4) => h('span', { class: 'num', title: x, 'data-value': x }, fmt(x, decimals));
export const vec = (v: { x: number; y: number; z: number }, decimals = 3) => h('span', { class: 'vec' }, num(v.x, decimals), num(v.y, decimals), num(v.z, decimals));

export type Cell = Node | string;
/** Rows of cells under a head; a row may carry a class. */
export function table(head: Cell[], rows: (Cell[] | { class: string; cells: Cell[] })[], name = 'numbers'): HTMLElement {
  return h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': name }, h('table', {}, 
    h('thead', {}, h('tr', {}, ...head.map((cell) => h('th', { scope: 'col' }, cell)))),
    h('tbody', {}, ...rows.map((row) => {
      const { class: name, cells } = Array.isArray(row) ? { class: '', cells: row } : row;
      return h('tr', name ? { class: name } : {}, ...cells.map((cell, i) => (i === 0 ? h('th', { scope: 'row' }, cell) : h('td', {}, cell))));
    }))));
}

/** A quantity over u in [0, 1], with marks: points of it, and spans of time. */
export function chart(name: string, values: number[], marks: { u: number; y: number; color: string; text?: string }[], spans: { from: number; to: number; color: string }[]): HTMLElement {
  const W = 600, H = 150, pad = 14, low = Math.min(0, ...values), high = Math.max(0, ...values);
  const x = (u: number) => pad + u * (W - 2 * pad), y = (v: number) => H - pad - ((v - low) / (high - low || 1)) * (H - 2 * pad);
  const ns = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(ns, 'svg');
  const put = (tag: string, attributes: Record<string, unknown>, text?: string) => {
    const element = svg.appendChild(document.createElementNS(ns, tag));
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
    if (text) element.textContent = text;
  };
  svg.setAttribute('viewBox', `0 0 ${W} ${H}`);
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', name);
  for (const { from, to, color } of spans) put('rect', { x: x(from), y: 0, width: Math.max(x(to) - x(from), 1), height: H, fill: `var(--${color})`, opacity: 0.16 });
  put('line', { x1: pad, x2: W - pad, y1: y(0), y2: y(0), stroke: 'var(--line)', 'stroke-width': 1.5 });
  put('polyline', { points: values.map((v, i) => `${x(i / (values.length - 1)).toFixed(1)},${y(v).toFixed(1)}`).join(' '), fill: 'none', stroke: 'var(--soft)', 'stroke-width': 2 });
  for (const { u, y: v, color, text } of marks) {
    put('circle', { cx: x(u), cy: y(v), r: 5, fill: `var(--${color})` });
    if (text) put('text', { x: x(u) + (u > 0.8 ? -9 : 9), y: y(v) - 7, fill: 'var(--ink)', 'font-size': 14, 'font-weight': 600, 'text-anchor': u > 0.8 ? 'end' : 'start' }, text);
  }
  return h('figure', { class: 'chart' }, svg as unknown as Node, h('figcaption', {}, name));
}
