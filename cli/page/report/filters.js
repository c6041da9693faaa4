/* What of the findings is listed: by relation (the chips), text, test, class, storey, severity, status since the baseline,
 * decision, depth and common volume. Only filters that have something to choose from are offered. */

const textOf = (finding) => finding.search + (review.of(finding) ? ` ${review.of(finding).comment.toLowerCase()}` : '');
const either = (finding, key) => [...new Set([finding.partA[key], finding.partB[key]].filter(Boolean))];

/* Each says what values a finding has. */
const FILTERS = {
  test: { label: 'Test', values: (f) => (f.test ? [f.test] : []) },
  class: { label: 'Class', values: (f) => either(f, 'class') },
  storey: { label: 'Storey', values: (f) => either(f, 'storey') },
  severity: { label: 'Severity', values: (f) => (f.severity ? [f.severity] : []) },
  status: { label: 'Since the baseline', values: (f) => (f.status ? [f.status] : []) },
  decision: { label: 'Status', values: (f) => [DECISIONS[review.of(f)?.status ?? (review.accepts(f) ? 'approved' : 'open')]], fixed: Object.values(DECISIONS) },
};

class Filters {
  /* `changed` is called after each choice. */
  constructor(changed) {
    this.boxes = {};
    this.shown = new Set(Object.keys(RELATIONS));
    this.accepted = false; /* whether what is accepted is listed */
    this.part = null;
    this.changed = changed;
    for (const [key, { label, values, fixed }] of Object.entries(FILTERS)) {
      const counts = new Map((fixed ?? []).map((value) => [value, 0]));
      if (!fixed) for (const f of report.findings) for (const value of values(f)) counts.set(value, (counts.get(value) ?? 0) + 1);
      if (counts.size < (fixed || key === 'status' ? 1 : 2)) continue;
      const box = (this.boxes[key] = element('select', ''));
      const option = (value, text) => {
        const one = element('option', '', text);
        one.value = value;
        return one;
      };
      box.append(option('', 'all'));
      for (const value of fixed ?? [...counts.keys()].sort()) box.append(option(`=${value}`, fixed ? value : `${value} (${countText(counts.get(value))})`));
      box.addEventListener('input', () => this.choose());
      $('filters').append(element('label', '', label, box));
    }
    const least = (id) => {
      const box = element('input', ''),
        label = element('span', '');
      Object.assign(box, { id, type: 'number', min: 0, step: 'any' });
      box.addEventListener('input', () => this.choose());
      $('filters').append(element('label', '', label, box));
      return { box, label };
    };
    this.depth = least('depth');
    this.volume = report.findings.some((f) => f.volume > 0) ? least('volume') : null;
    this.showUnit();
    $('filter').addEventListener('click', () => {
      $('filters').hidden = !$('filters').hidden;
      $('filter').ariaExpanded = String(!$('filters').hidden);
    });
  }

  showUnit() {
    this.depth.label.textContent = `At least this deep, ${unit.name}`;
    if (this.volume) this.volume.label.textContent = `At least this volume, ${unit.name}³`;
  }

  choose() {
    this.count();
    this.changed();
  }

  count() {
    const used = Object.values(this.boxes).filter((box) => box.value).length + (this.leastDepth() > 0) + (this.leastVolume() > 0);
    $('filter').querySelector('.count').textContent = used || '';
  }

  leastDepth() {
    return (Number(this.depth.box.value) || 0) * unit.metres;
  }

  leastVolume() {
    return (Number(this.volume?.box.value) || 0) * unit.metres ** 3;
  }

  /* A finding that is resolved, or accepted, is only listed where that is asked for. */
  apply(findings) {
    const words = $('query').value.toLowerCase().split(/\s+/).filter(Boolean),
      wanted = Object.entries(this.boxes)
        .filter(([, box]) => box.value)
        .map(([key, box]) => [FILTERS[key].values, box.value.slice(1)]),
      status = this.boxes.status?.value ?? '',
      decided = this.boxes.decision.value === `=${DECISIONS.approved}`,
      least = this.leastDepth(),
      volume = this.leastVolume();
    return findings.filter(
      (f) =>
        (f.resolved ? status === '=resolved' : true) &&
        (review.accepts(f) ? this.accepted || decided : this.shown.has(f.relation)) &&
        (!least || (hasDepth(f) && -f.distance >= least)) &&
        (!volume || f.volume >= volume) &&
        wanted.every(([values, value]) => values(f).includes(value)) &&
        (!words.length || matches(textOf(f), words)) &&
        (!this.part || f.partA === this.part || f.partB === this.part),
    );
  }

  /* Loosens all that hides this finding. */
  reveal(finding) {
    if (review.accepts(finding)) this.accepted = true;
    else this.shown.add(finding.relation);
    $('query').value = '';
    this.part = null;
    this.depth.box.value = '';
    if (this.volume) this.volume.box.value = '';
    for (const box of Object.values(this.boxes)) box.value = '';
    if (finding.resolved) this.boxes.status.value = '=resolved';
    this.count();
  }
}

/* --- the chips ------------------------------------------------------------------------------------------------------- */

function drawChips(filters) {
  const made = [],
    present = report.findings.filter((f) => !f.resolved);
  const chip = (tone, label, count, pressed, toggle) => {
    const one = button(
      'chip',
      '',
      () => {
        toggle();
        drawChips(filters);
        filters.changed();
      },
      element('span', 'dot'),
      label,
      element('span', 'count', countText(count)),
    );
    one.classList.add(`tone-${tone}`);
    one.ariaPressed = String(pressed);
    made.push(one);
  };
  for (const [relation, { tone, label }] of Object.entries(RELATIONS)) {
    const count = present.filter((f) => f.relation === relation && !review.accepts(f)).length;
    if (count) chip(tone, label, count, filters.shown.has(relation), () => filters.shown.delete(relation) || filters.shown.add(relation));
  }
  const accepted = present.filter((f) => review.accepts(f)).length;
  if (accepted) chip('touching', 'Allowed', accepted, filters.accepted, () => (filters.accepted = !filters.accepted));
  if (filters.part) {
    const one = button(
      'chip part',
      'Show the findings of all parts',
      () => {
        filters.part = null;
        drawChips(filters);
        filters.changed();
      },
      element('span', '', filters.part.leaf),
      icon('close'),
    );
    made.push(one);
  }
  const focused = [...$('chips').children].indexOf(document.activeElement);
  $('chips').replaceChildren(...made);
  if (focused >= 0 && made[focused]) made[focused].focus();
}
