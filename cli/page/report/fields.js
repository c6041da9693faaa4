/* How the page shows what a finding has: each field of cli/check/finding_fields.c has its row here, or is named with the
 * place where it is shown instead. */

/* Two surfaces that cross have no depth: their distance is only how far they pierce each other. */
const isCut = (f) => f.relation === 'crossing' && f.surface_a && f.surface_b;
const hasDepth = (f) => f.distance !== null && !isCut(f);

/* How deep, how far or how long, as the list shows it. */
function measure(finding) {
  if (finding.relation === 'identical') return ['', ''];
  if (isCut(finding)) return [lengthText(finding.crossing_length), 'cut'];
  if (finding.distance === null) return ['–', ''];
  if (finding.distance === 0) return ['0', ''];
  return [lengthText(Math.abs(finding.distance)), finding.distance > 0 ? 'gap' : 'deep'];
}

/* The deepest first, then what has a crossing but no depth, the longest first, then what only comes near. */
const depthClass = (f) => (isCut(f) ? 1 : f.distance === null ? 3 : f.distance < 0 ? 0 : 2);
function deeper(f, g) {
  const along = isCut(f) ? g.crossing_length - f.crossing_length : f.distance - g.distance;
  return depthClass(f) - depthClass(g) || along || f.rank - g.rank;
}

/* What both have in common, with the bound of its error, or why there is no such volume. */
function commonText(f) {
  if (f.resolved) return null;
  if (!report.volumes) return 'not asked for (--volume)';
  if (f.volume === undefined) {
    if (f.surface_a && f.surface_b) return 'not defined: neither is closed';
    if (f.surface_a || f.surface_b) return `not defined: ${f.surface_a ? f.partA.leaf : f.partB.leaf} is not closed`;
    return 'not defined: too large or too small to be measured';
  }
  const error = digits(f.volume_error / unit.metres ** 3);
  return f.volume > 0 ? `${volumeText(f.volume)} ± ${error}` : `0, at most ${error} ${unit.name}³`;
}

const extentText = (metres) => (metres > 0 ? lengthText(metres) : null);
const ofBoth = (a, b) => [a != null && `${a} of A`, b != null && `${b} of B`].filter(Boolean).join(', ') || null;
const pointText = (p) => p.map((x) => digits(x / unit.metres)).join(', ');

/* The rows of the details in their order: of which fields, under what name, what is said (null: nothing), and
 * whether only where more is asked for. */
const FINDING_ROWS = [
  { fields: ['test'], label: 'Test', text: (f) => f.test },
  { fields: ['severity'], label: 'Severity', text: (f) => f.severity },
  { fields: ['status'], label: 'Since the baseline', text: (f) => f.status },
  { fields: [], label: 'Class', text: (f) => either(f, 'class').join(', ') },
  { fields: [], label: 'Storey', text: (f) => either(f, 'storey').join(', ') },
  { fields: ['volume', 'volume_error'], label: 'Common volume', text: commonText },
  { fields: ['crossing_length'], label: 'Crossing length', text: (f) => extentText(f.crossing_length) },
  { fields: ['crossing_extent'], label: 'Crossing extent', text: (f) => extentText(f.crossing_extent) },
  { fields: ['distance'], label: 'Pierced by', text: (f) => (isCut(f) && f.distance !== null ? lengthText(Math.abs(f.distance)) : null) },
  { fields: ['crossings'], label: 'Crossing triangle pairs', text: (f) => (f.crossings ? countText(f.crossings) : null) },
  { fields: [], label: 'Outline', text: (f) => f.outline && plural(f.outline.segments, 'segment') },
  { fields: ['outline_box'], label: 'Outline size', text: (f) => f.outline_box && sizeText(sub(f.outline_box.max, f.outline_box.min)) },
  { fields: ['tolerance'], label: 'Tolerance', text: (f) => (f.resolved ? null : lengthText(f.tolerance)) },
  { fields: ['point_a'], label: () => `Point on A, ${unit.name}`, text: (f) => pointText(f.point_a), kind: 'point' },
  { fields: ['point_b'], label: () => `Point on B, ${unit.name}`, text: (f) => pointText(f.point_b), kind: 'point' },
  { fields: ['triangle_a', 'triangle_b'], minor: true, label: 'Triangles', text: (f) => ofBoth(f.triangle_a, f.triangle_b), kind: 'point' },
  { fields: [], label: 'Accepted by', text: (f) => f.accepted?.where },
  { fields: ['reason'], label: 'Reason', text: (f) => f.accepted?.reason },
  { fields: [], label: 'Author', text: (f) => f.accepted?.author },
  { fields: [], label: 'Date', text: (f) => f.accepted?.date },
  { fields: [], label: 'Accepted up to', text: (f) => f.accepted?.depth && lengthText(f.accepted.depth) },
  { fields: ['fails'], minor: true, label: 'Fails the check', text: (f) => (f.resolved ? null : f.fails ? 'yes' : 'no') },
  { fields: ['id'], minor: true, label: 'Id', text: (f) => f.id, kind: 'point' },
  { fields: ['id_a', 'id_b'], minor: true, label: 'Ids of the parts', text: (f) => (f.id_a ? `${f.id_a}, ${f.id_b}` : null), kind: 'point' },
];
const SHOWN_ELSEWHERE = {
  relation: 'badge', part_a: 'names', part_b: 'names', surface_a: 'tags', surface_b: 'tags', thin_a: 'warning', thin_b: 'warning',
  allowed: 'sentence',
};

function findingRows(finding, minor) {
  return FINDING_ROWS.filter((row) => !row.minor === !minor)
    .map(({ label, text, kind }) => [typeof label === 'string' ? label : label(), text(finding), kind])
    .filter(([, text]) => text);
}

let moreOpen = false;

/* What few ask for, folded. */
function moreRows(finding) {
  const box = element('details', 'more-rows', element('summary', '', 'More'), listOf(findingRows(finding, true)));
  box.open = moreOpen;
  box.addEventListener('toggle', () => (moreOpen = box.open));
  return box;
}
