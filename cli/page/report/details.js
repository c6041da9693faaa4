/* What the page says about one finding or one part. */

function sentence(finding) {
  const surface = finding.surface_a || finding.surface_b,
    { leaf: a } = finding.partA,
    { leaf: b } = finding.partB;
  switch (finding.relation) {
    case 'crossing':
      if (finding.surface_a && finding.surface_b)
        return 'They cross. Neither is a closed solid, so there is no depth: the number is the length along which they cross.';
      if (surface)
        return `They cross. ${finding.surface_a ? a : b} is not a closed solid: the depth is how far it reaches into ${finding.surface_a ? b : a}.`;
      return 'They cross. The farthest that a surface point of one lies inside the other is the depth.';
    case 'inside':
      return finding.inner === 'a' ? `${a} lies wholly inside ${b}.` : `${b} lies wholly inside ${a}.`;
    case 'identical':
      return 'Each lies within the tolerance of the other: the same part twice in one place.';
    case 'clearance':
      return `They do not touch, but come closer than the clearance of ${lengthText(finding.clearance)}.`;
    default:
      return 'They touch within the tolerance.';
  }
}

/* --- the panel ------------------------------------------------------------------------------------------------------- */

function findingDetails(finding) {
  const [value, what] = measure(finding);
  const part = (one, tone, key, surface) =>
    button(
      '',
      '',
      () => one.gone || select(one),
      element('span', `key tone-${tone}`, key),
      nameFull(one),
      surface ? element('span', 'tag', 'surface') : null,
    );
  const thin = [finding.thin_a && 'A', finding.thin_b && 'B'].filter(Boolean);
  const say = { deep: 'depth', gap: 'gap', cut: 'length of the crossing' }[what] || '';
  return [
    element(
      'div',
      'bar',
      badge(finding),
      element('span', 'tag', `#${finding.index + 1}`),
      button('icon', 'Previous finding', () => step(-1), icon('left')),
      button('icon', 'Next finding', () => step(1), icon('right')),
      button('icon', 'Close (Esc)', () => select(null), icon('close')),
    ),
    value ? element('div', 'big', value, element('small', '', say)) : null,
    element('p', 'say', sentence(finding) + (finding.allowed ? ` It is allowed and does not count.` : '')),
    element('div', 'pair', part(finding.partA, 'a', 'A', finding.surface_a), part(finding.partB, 'b', 'B', finding.surface_b)),
    listOf(findingRows(finding, false)),
    moreRows(finding),
    thin.length
      ? element('p', 'warn', `Part ${thin.join(' and ')} is thinner than the tolerance: inside and crossing cannot be told apart there.`)
      : null,
    element(
      'div',
      'actions',
      button('text fly', '', () => view && view.flyTo(finding), icon('fly'), 'Fly there'),
      button('text', '', (e) => copyText(e.currentTarget, finding), 'Copy'),
    ),
    finding.resolved ? null : reviewForm([finding], decided),
  ].filter(Boolean);
}

function groupDetails(group) {
  const parts = new Set(group.items.flatMap((f) => [f.partA, f.partB])),
    rows = [['Parts', countText(parts.size)]];
  for (const [relation, { label }] of Object.entries(RELATIONS)) {
    const count = group.items.filter((f) => f.relation === relation).length;
    if (count) rows.push([label, countText(count)]);
  }
  const known = group.items.filter((f) => f.volume !== undefined);
  if (known.length) rows.push([known.length < group.items.length ? `Common volume of ${countText(known.length)}` : 'Common volume, sum', volumeText(known.reduce((sum, f) => sum + f.volume, 0))]);
  return [
    element(
      'div',
      'bar',
      element('span', 'badge', GROUPINGS[group.group].label),
      button('icon', 'Close (Esc)', () => select(null), icon('close')),
    ),
    element('h2', '', group.label),
    element('p', 'say', plural(group.items.length, 'finding')),
    listOf(rows),
    element('div', 'actions', button('text fly', '', () => view && view.flyAround(group.items), icon('fly'), 'Fly there')),
    reviewForm(group.items, decided),
  ];
}

function partDetails(part) {
  const mesh = report.meshes[part.mesh],
    file = report.files[part.file];
  const rows = [
    ['Kind', mesh.solid ? 'closed solid' : 'surface, not closed'],
    ['Triangles', countText(mesh.triangles)],
    ['Size, own axes', sizeText(mesh.size)],
  ];
  for (const [key, label] of [['class', 'Class'], ['type', 'Type'], ['storey', 'Storey']]) if (part[key]) rows.push([label, part[key]]);
  if (report.files.length > 1) rows.push(['File', file.path]);
  const hits = [...part.hits].sort((f, g) => f.rank - g.rank || deeper(f, g));
  const listed = hits.slice(0, 100).map((finding) => {
    const other = finding.partA === part ? finding.partB : finding.partA;
    return element(
      'li',
      '',
      button(
        '',
        '',
        () => select(finding),
        element('span', `dot tone-${finding.tone}`),
        nameLine(other),
        element('span', 'value', finding.relation === 'identical' ? 'identical' : measure(finding).join(' ')),
      ),
    );
  });
  return [
    element(
      'div',
      'bar',
      element('span', 'badge', 'Part'),
      button('icon', 'Close (Esc)', () => select(null), icon('close')),
    ),
    element('h2', '', nameFull(part)),
    element('p', 'say', part.hits.length ? plural(part.hits.length, 'finding') : 'No findings with this part.'),
    listOf(rows),
    element(
      'div',
      'actions',
      button('text fly', '', () => view && view.flyTo(part), icon('fly'), 'Fly there'),
      button('text', '', () => setVisible([part], !part.visible), icon(part.visible ? 'off' : 'eye'), part.visible ? 'Hide' : 'Show'),
      button(
        'text',
        '',
        () =>
          setVisible(
            report.parts.filter((one) => one !== part),
            false,
          ),
        'Hide the rest',
      ),
      part.hits.length
        ? button(
            'text',
            '',
            () => {
              filters.part = part;
              openTab(lists, 'findings');
              drawChips(filters);
              filter();
            },
            'List only these',
          )
        : null,
    ),
    listed.length ? element('ul', 'hits', ...listed) : null,
  ].filter(Boolean);
}

function listOf(rows) {
  return element('dl', '', ...rows.flatMap(([key, value, kind]) => [element('dt', '', key), element('dd', kind || '', value)]));
}

function copyText(from, finding) {
  const text = [
    `${finding.label}: ${finding.partA.name} – ${finding.partB.name}`,
    measure(finding).join(' '),
    `A (m): ${finding.point_a.join(' ')}`,
    `B (m): ${finding.point_b.join(' ')}`,
  ]
    .filter(Boolean)
    .join('\n');
  const done = () => {
    from.textContent = 'Copied';
  };
  if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, () => {});
}

/* --- names ----------------------------------------------------------------------------------------------------------- */

const badge = (finding) => element('span', `badge tone-${finding.tone}`, element('span', 'dot'), finding.label);

/* A part's name on one line: the folders give way first. */
function nameLine(part, tone) {
  const path = element('span', 'path', element('span', 'folder', part.folder), element('span', 'leaf', part.leaf));
  path.title = part.name;
  return element('span', `name ${tone || ''}`, tone ? element('span', 'swatch') : null, path);
}

/* The whole name, which may break after each folder. */
function nameFull(part) {
  const folders = part.name
    .slice(0, part.name.length - part.leaf.length)
    .split('/')
    .slice(0, -1);
  return element('span', 'full', element('i', '', ...folders.flatMap((folder) => [`${folder}/`, element('wbr')])), part.leaf);
}
