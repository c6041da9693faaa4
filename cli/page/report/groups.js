/* Findings gathered, so that many read as few: a tree of at most two levels that folds. Gathered is what the filters
 * leave, so a group's count is what remains of it. */

/* "IfcWall_12:3" -> "IfcWall": a name without the numbers behind it. */
const withoutNumber = (leaf) => leaf.replace(/([\s_.:#-]*\d+)+$/, '') || leaf;

/* What two parts have of one kind, whichever is A. */
function pairLabel(a, b) {
  const [first, second] = [a || '–', b || '–'].sort();
  return `${first} × ${second}`;
}
const sameLabel = (a, b) => ((a || '–') === (b || '–') ? a || '–' : pairLabel(a, b));

const GROUPINGS = {
  part: { label: 'One part against many', split: splitByPart },
  class: { label: 'Classes', key: (f) => pairLabel(f.partA.class, f.partB.class), known: (r) => r.parts.some((p) => p.class) },
  type: { label: 'Types', key: (f) => pairLabel(f.partA.type, f.partB.type), known: (r) => r.parts.some((p) => p.type) },
  leaf: { label: 'Names without numbers', key: (f) => pairLabel(withoutNumber(f.partA.leaf), withoutNumber(f.partB.leaf)) },
  storey: { label: 'Storey', key: (f) => sameLabel(f.partA.storey, f.partB.storey), known: (r) => r.parts.some((p) => p.storey) },
  test: { label: 'Test', key: (f) => f.test || '–', known: (r) => r.findings.some((f) => f.test) },
  file: { label: 'Files', key: (f) => pairLabel(fileOf(f.partA), fileOf(f.partB)), known: (r) => r.files.length > 1 || (r.group && r.group.by === 'file') },
  place: { label: 'Place', split: splitByPlace },
};
const fileOf = (part) => (part.gone ? '' : report.files[part.file].path);

/* What --group asked for: of what this page does not gather itself the groups that it was told. */
function takeAskedGroups() {
  const { by, labels } = report.group ?? {};
  if (!by) return null;
  if (Object.hasOwn(GROUPINGS, by) && by !== 'place') return by;
  GROUPINGS[by] = { label: by === 'place' ? 'Place' : by, key: (f) => labels[f.gathered] ?? '–' };
  return by;
}

/* One part against many, as carom check --group part has it: the part with the most findings takes them all, then the
 * next with the most of what is left; of equal ones the first. Counts only fall, so a part waits under its last count. */
function splitByPart(findings) {
  const of = new Map(),
    waiting = [],
    taken = new Set(),
    groups = [];
  for (const f of findings)
    for (const part of f.partA === f.partB ? [f.partA] : [f.partA, f.partB]) {
      if (!of.has(part)) of.set(part, []);
      of.get(part).push(f);
    }
  for (const [part, list] of of) (waiting[list.length] ??= []).push(part);
  for (let count = waiting.length - 1; count > 0; count--)
    for (const part of (waiting[count] || []).sort((p, q) => p.index - q.index)) {
      const left = of.get(part).filter((f) => !taken.has(f));
      of.set(part, left);
      if (left.length < count) {
        if (left.length) (waiting[left.length] ??= []).push(part);
        continue;
      }
      for (const f of left) taken.add(f);
      const other = left[0].partA === part ? left[0].partB : left[0].partA;
      groups.push({ key: String(part.index), label: left.length === 1 ? `${part.leaf} × ${other.leaf}` : part.leaf, items: left });
    }
  return groups;
}

/* What is near each other: a set that is longer than a twelfth of the model is cut across its longest side, in the
 * widest gap of its middle half, of equal ones that nearest to the middle (cli/check/places.c does the same). */
function splitByPlace(findings) {
  const most = modelSphere(report.parts).radius / 6,
    groups = [],
    open = [findings];
  while (open.length) {
    const set = open.pop(),
      sizes = [0, 1, 2].map((k) => {
        let low = Infinity,
          high = -Infinity;
        for (const f of set) ((low = Math.min(low, f.place[k])), (high = Math.max(high, f.place[k])));
        return [high - low, (low + high) / 2];
      }),
      axis = [0, 1, 2].reduce((best, k) => (sizes[k][0] > sizes[best][0] ? k : best), 0);
    if (set.length < 2 || !(sizes[axis][0] > most)) {
      const middle = sizes.map(([, m], k) => m + report.origin[k]);
      groups.push({ key: middle.join(' '), label: `around ${pointText(middle)} ${unit.name}`, items: set });
      continue;
    }
    const along = [...set].sort((f, g) => f.place[axis] - g.place[axis] || f.index - g.index);
    let cut = along.length >> 1,
      widest = -1,
      nearest = 0;
    const [size, middle] = sizes[axis];
    for (let i = 1; i < along.length; i++) {
      const [before, after] = [along[i - 1].place[axis], along[i].place[axis]],
        gap = after - before,
        off = Math.abs((after + before) / 2 - middle);
      if (off > size / 4 || gap < widest || (gap === widest && off >= nearest)) continue;
      [cut, widest, nearest] = [i, gap, off];
    }
    const first = new Set(along.slice(0, cut));
    open.push(
      set.filter((f) => first.has(f)),
      set.filter((f) => !first.has(f)),
    );
  }
  return groups;
}

function splitByKey(findings, key) {
  const groups = new Map();
  for (const f of findings) {
    const label = key(f);
    if (!groups.has(label)) groups.set(label, { key: label, label, items: [] });
    groups.get(label).items.push(f);
  }
  return [...groups.values()];
}

/* Groups by each of the names, one within the other; those with the most findings first. A group knows its findings in
 * the order they came in, and by its `path` whether it is open. */
function makeTree(findings, names, path = '', level = 1) {
  const [name, ...rest] = names;
  if (!name) return [];
  const { split, key } = GROUPINGS[name],
    groups = split ? split(findings) : splitByKey(findings, key);
  groups.sort((a, b) => b.items.length - a.items.length); /* stable: else in the order in which they came */
  return groups.map((group) => {
    const own = `${path}\n${name}\t${group.key}`;
    return { ...group, group: name, path: own, level, children: makeTree(group.items, rest, own, level + 1) };
  });
}

/* What the list shows of the tree, the open groups unfolded. */
function treeRows(groups, open) {
  return groups.flatMap((group) => [
    group,
    ...(open.has(group.path) ? (group.children.length ? treeRows(group.children, open) : group.items) : []),
  ]);
}

/* The groups that this finding stands in, the outer one first. */
function groupsOf(groups, finding) {
  const outer = groups.find((group) => group.items.includes(finding));
  return outer ? [outer, ...groupsOf(outer.children, finding)] : [];
}
