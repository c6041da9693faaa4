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
