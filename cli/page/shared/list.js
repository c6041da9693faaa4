/* A list of any length: only the rows in sight exist. All rows have one height. The box has role listbox and keeps the
 * focus; arrow keys, Page Up, Page Down, Home and End move the choice. */

class List {
  /* `draw(item, row)` fills an empty row element; `choose(item, how)` is told of a choice by 'click' or 'key'. */
  constructor(box, rowHeight, draw, choose) {
    Object.assign(this, { box, rowHeight, draw, choose, items: [], chosen: null, rows: new Map() });
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
    this.redraw();
  }

  /* Draws all rows in sight anew. */
  redraw() {
    for (const row of this.rows.values()) row.remove();
    this.rows.clear();
    this.sheet.style.height = `${this.items.length * this.rowHeight}px`;
    this.refresh();
  }

  select(item, show) {
    this.chosen = item;
    const at = this.items.indexOf(item);
    if (show && at >= 0) {
      const top = at * this.rowHeight,
        { scrollTop, clientHeight } = this.box;
      if (top < scrollTop) this.box.scrollTop = top;
      else if (top + this.rowHeight > scrollTop + clientHeight) this.box.scrollTop = top + this.rowHeight - clientHeight;
    }
    this.refresh();
  }

  refresh() {
    const { scrollTop, clientHeight } = this.box;
    const from = Math.max(0, Math.floor(scrollTop / this.rowHeight) - 3);
    const to = Math.min(this.items.length, Math.ceil((scrollTop + clientHeight) / this.rowHeight) + 3);
    for (const [at, row] of this.rows)
      if (at < from || at >= to) {
        row.remove();
        this.rows.delete(at);
      }
    for (let at = from; at < to; at++) {
      let row = this.rows.get(at);
      if (!row) {
        row = element('div', 'row');
        row.role = 'option';
        row.id = `${this.box.id}-${at}`;
        row.dataset.at = at;
        row.ariaSetSize = this.items.length;
        row.ariaPosInSet = at + 1;
        row.style.top = `${at * this.rowHeight}px`;
        row.style.height = `${this.rowHeight}px`;
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
    const page = Math.max(1, Math.floor(this.box.clientHeight / this.rowHeight) - 1),
      last = this.items.length - 1;
    const at = this.items.indexOf(this.chosen);
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
