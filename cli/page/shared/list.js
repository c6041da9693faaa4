/* A list of any length: only the rows in sight exist. The box has role listbox and keeps the focus; arrow keys, Page Up,
 * Page Down, Home and End move the choice. Items that are groups make it a tree: they fold. */

class List {
  /* `draw(item, row)` fills an empty row element; `choose(item, how)` is called at a choice by 'click' or 'key'. Rows are so
   * high, or rowHeight(item). `fold`, where given, has level(item), isOpen(item): null for what does not fold, and
   * set(item, open). */
  constructor(box, rowHeight, draw, choose, fold = null) {
    const height = typeof rowHeight === 'function' ? rowHeight : () => rowHeight;
    Object.assign(this, { box, height, draw, choose, fold, items: [], tops: [0], chosen: null, rows: new Map() });
    this.sheet = element('div', 'rows');
    box.append(this.sheet);
    box.addEventListener('scroll', () => this.refresh());
    new ResizeObserver(() => this.refresh()).observe(box);
    box.addEventListener('keydown', (e) => this.key(e));
    this.sheet.addEventListener('click', (e) => {
      const row = e.target.closest('.row');
      if (row && !e.target.closest('button')) this.choose(this.items[row.dataset.at], 'click');
    });
  }

  set(items) {
    this.items = items;
    this.tops = new Float64Array(items.length + 1);
    items.forEach((item, at) => (this.tops[at + 1] = this.tops[at] + this.height(item)));
    this.redraw();
  }

  /* The row that this many pixels from above is in. */
  rowAt(y) {
    let low = 0,
      high = this.items.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.tops[middle + 1] > y) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /* Draws all rows in sight anew. */
  redraw() {
    for (const row of this.rows.values()) row.remove();
    this.rows.clear();
    this.sheet.style.height = `${this.tops[this.items.length]}px`;
    const tree = !!this.fold && this.items.some((item) => this.fold.isOpen(item) !== null);
    this.box.setAttribute('role', tree ? 'tree' : 'listbox');
    this.refresh();
  }

  select(item, show) {
    this.chosen = item;
    const at = this.items.indexOf(item);
    if (show && at >= 0) {
      const top = this.tops[at],
        end = this.tops[at + 1],
        { scrollTop, clientHeight } = this.box;
      if (top < scrollTop) this.box.scrollTop = top;
      else if (end > scrollTop + clientHeight) this.box.scrollTop = end - clientHeight;
    }
    this.refresh();
  }

  refresh() {
    const { scrollTop, clientHeight } = this.box;
    const from = Math.max(0, this.rowAt(scrollTop) - 3);
    const to = Math.min(this.items.length, this.rowAt(scrollTop + clientHeight) + 4);
    for (const [at, row] of this.rows)
      if (at < from || at >= to) {
        row.remove();
        this.rows.delete(at);
      }
    for (let at = from; at < to; at++) {
      let row = this.rows.get(at);
      if (!row) {
        row = element('div', 'row');
        const open = this.fold ? this.fold.isOpen(this.items[at]) : null;
        row.role = this.box.getAttribute('role') === 'tree' ? 'treeitem' : 'option';
        if (open !== null) row.ariaExpanded = String(open);
        if (row.role === 'treeitem') row.ariaLevel = this.fold.level(this.items[at]);
        row.id = `${this.box.id}-${at}`;
        row.dataset.at = at;
        row.ariaSetSize = this.items.length;
        row.ariaPosInSet = at + 1;
        row.style.top = `${this.tops[at]}px`;
        row.style.height = `${this.tops[at + 1] - this.tops[at]}px`;
        this.draw(this.items[at], row);
        this.rows.set(at, row);
        this.sheet.append(row);
      }
      row.ariaSelected = String(this.items[at] === this.chosen);
    }
    const at = this.items.indexOf(this.chosen);
    if (this.rows.has(at)) this.box.setAttribute('aria-activedescendant', `${this.box.id}-${at}`);
    else this.box.removeAttribute('aria-activedescendant');
  }

  key(e) {
    const last = this.items.length - 1,
      at = this.items.indexOf(this.chosen),
      page = Math.max(1, this.rowAt((this.tops[Math.max(0, at)] ?? 0) + this.box.clientHeight) - Math.max(0, at) - 1);
    const open = this.fold && at >= 0 ? this.fold.isOpen(this.chosen) : null;
    const wish = { ArrowRight: true, ArrowLeft: false, Enter: !open, ' ': !open }[e.key];
    if (open !== null && wish !== undefined) {
      e.preventDefault();
      if (wish !== open) this.fold.set(this.chosen, wish);
      return;
    }
    if (e.key === 'ArrowLeft' && this.fold && at >= 0) {
      /* from what is in a group to the group */
      const above = this.items.slice(0, at).findLast((one) => this.fold.level(one) < this.fold.level(this.chosen));
      if (above) this.choose(above, 'key');
      return;
    }
    const next = {
      ArrowDown: at + 1,
      ArrowUp: at < 0 ? last : at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: last,
      Enter: at,
      ' ': at,
    }[e.key];
    if (next === undefined || last < 0) return;
    e.preventDefault();
    const item = this.items[Math.max(0, Math.min(last, next))];
    if (item) this.choose(item, 'key');
  }
}

/* --- small makers of elements; text is only ever set as text, so no name can become markup ------------------------ */

function element(tag, className, ...content) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  put(made, ...content);
  return made;
}

/* Appends what is there. */
function put(to, ...content) {
  to.append(...content.filter((one) => one !== null && one !== undefined));
}

function icon(id) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const use = document.createElementNS('http://www.w3.org/2000/svg', 'use');
  use.setAttribute('href', `#i-${id}`);
  svg.setAttribute('aria-hidden', 'true');
  svg.append(use);
  return svg;
}

function button(className, label, act, ...content) {
  const made = element('button', className, ...content);
  made.type = 'button';
  if (label) {
    made.ariaLabel = label;
    made.title = label;
  }
  made.addEventListener('click', act);
  return made;
}
