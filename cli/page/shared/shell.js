/* What pages have around their view: the figures and notes on top, tabs, what floats over the picture, and what is left
 * where there is no view. */

const $ = (id) => document.getElementById(id);

function showStats(rows) {
  $('stats').replaceChildren(...rows.map(([key, value]) => element('div', '', element('dt', '', key), element('dd', '', value))));
}

function showNotes(notes) {
  if (!notes.length) return;
  $('notes').hidden = false;
  $('notes').querySelector('summary').append(icon('warn'), plural(notes.length, 'note'));
  $('notes')
    .querySelector('ul')
    .append(...notes.map((note) => element('li', '', note)));
}

/* --- tabs: `lists` names each tab and the list in its pane -------------------------------------------------------- */

function openTab(lists, name) {
  for (const one of Object.keys(lists)) {
    const tab = $(`tab-${one}`),
      on = one === name;
    tab.ariaSelected = String(on);
    tab.tabIndex = on ? 0 : -1;
    $(`pane-${one}`).hidden = !on;
  }
  lists[name].redraw();
}

/* Left and right go from tab to tab, and mean nothing else there. */
function listenToTabs(lists) {
  const names = Object.keys(lists);
  names.forEach((name, at) => {
    $(`tab-${name}`).addEventListener('click', () => openTab(lists, name));
    $(`tab-${name}`).addEventListener('keydown', (e) => {
      const by = { ArrowLeft: names.length - 1, ArrowRight: 1 }[e.key];
      if (!by) return;
      e.stopPropagation();
      const next = names[(at + by) % names.length];
      openTab(lists, next);
      $(`tab-${next}`).focus();
    });
  });
}

/* --- over the picture --------------------------------------------------------------------------------------------- */

/* What the pointer is on; null: nothing. */
function showTip(text, x, y) {
  const tip = $('tip');
  tip.hidden = text === null;
  $('canvas').classList.toggle('over', text !== null);
  if (text === null) return;
  tip.textContent = text;
  tip.style.left = `${Math.min(x + 14, Math.max(0, $('canvas').clientWidth - tip.offsetWidth - 8))}px`;
  tip.style.top = `${Math.min(y + 18, Math.max(0, $('canvas').clientHeight - tip.offsetHeight - 8))}px`;
}

/* The corner of the picture that lies under the tool bar: to the right and downwards. */
function underToolbar() {
  const bar = document.querySelector('.toolbar');
  return [bar.offsetLeft + bar.offsetWidth, bar.offsetTop + bar.offsetHeight];
}

/* The length of a line, written over its middle, or below it where the tool bar is over it; null: out of sight. The box
 * that it takes, or nothing: left, top, right, bottom. */
function labelLine(a, b, text) {
  const label = $('measure');
  label.hidden = !a || !b || !text;
  if (label.hidden) return;
  if (label.textContent !== text) label.textContent = text;
  const [right, bottom] = underToolbar(),
    wide = label.offsetWidth,
    high = label.offsetHeight,
    left = (a[0] + b[0]) / 2 - wide / 2,
    over = Math.min(a[1], b[1]) - 14 - high,
    below = Math.max(a[1], b[1]) + 14,
    top = left < right && over < bottom && below > 14 ? Math.max(bottom + 4, below) : over;
  label.style.transform = `translate(${left}px, ${top}px)`;
  return [left, top, left + wide, top + high];
}

/* --- without a view ----------------------------------------------------------------------------------------------- */

function goFlat(text, buttons) {
  $('message').textContent = text;
  for (const id of buttons) $(id).disabled = true;
  document.body.classList.add('flat');
}
