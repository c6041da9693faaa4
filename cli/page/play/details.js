/* What the page says about one event or one object. */

const pointText = (p) => p.map((x, k) => digits(x + play.origin[k])).join(', ');

/* How fast an object is in the step at hand. */
function speedOf(object) {
  if (play.robot || object.track < 0 || !object.alive) return null;
  const f = Math.max(1, stepEndAt(play, state.time)),
    a = framePose(play, object.track, f - 1, new Float64Array(7)),
    b = framePose(play, object.track, f, new Float64Array(7));
  return length(sub(b, a)) / (play.times[f] - play.times[f - 1]);
}

const rowsOf = (rows) =>
  element('dl', '', ...rows.filter(Boolean).flatMap(([key, value, kind]) => [element('dt', '', key), element('dd', kind || '', value)]));

function objectButton(object, key) {
  return button(
    '',
    '',
    () => select(object, 'list'),
    element('span', `key tone-${key}`, key.toUpperCase()),
    element('span', 'full', object.name),
  );
}

function eventSentence(event) {
  if (play.robot) return robotSentence(event);
  const { a, b } = event;
  const until = event.until > event.time ? `, until ${timeText(event.until)}` : ' for a moment',
    lasts = event.until < Infinity ? until : ', to the end';
  const whole = { began: `They touch${lasts}.`, entered: `${a.trigger ? b.name : a.name} is within${lasts}.` }[event.kind];
  if (whole) return whole;
  const gone = [a, b].filter((o) => Math.abs(o.gone - event.time) < 1e-6 * play.dt);
  if (gone.length && event.kind === 'hit') return `${gone.map((o) => o.name).join(' and ')} vanished here.`;
  return (
    { hit: 'One ran into the other within the step.', ended: 'They are apart again, or one of them is gone.', left: 'Apart again.' }[
      event.kind
    ] || ''
  );
}

function eventDetails(event) {
  return [
    element(
      'div',
      'bar',
      element('span', `badge tone-${event.tone}`, element('span', 'dot'), event.label),
      button('icon', 'Previous event', () => step(-1), icon('left')),
      button('icon', 'Next event', () => step(1), icon('right')),
      button('icon', 'Close (Esc)', () => select(null), icon('close')),
    ),
    element('div', 'big', timeText(event.time), play.robot ? null : element('small', '', `step ${countText(event.step)}`)),
    element('p', 'say', eventSentence(event)),
    element('div', 'pair', objectButton(event.a, 'a'), objectButton(event.b, 'b')),
    event.point
      ? rowsOf([
          ['Point', pointText(event.point), 'point'],
          ['Normal, A to B', event.normal.map((x) => digits(Math.abs(x) < 1e-9 ? 0 : x)).join(', '), 'point'],
          play.robot ? robotMeasure(event) : event.kind === 'began' ? ['Depth', lengthText(event.depth)] : null,
        ])
      : null,
    play.robot ? element('h3', '', 'Joints') : null,
    play.robot ? rowsOf(jointRows(event.time)) : null,
    element(
      'div',
      'actions',
      button('text fly', '', () => view && view.flyTo(event), icon('fly'), 'Go there'),
    ),
  ].filter(Boolean);
}

function objectDetails(object) {
  const speed = speedOf(object);
  const hits = object.events.slice(0, 200).map((event) => {
    const other = event.a === object ? event.b : event.a;
    return element(
      'li',
      '',
      button(
        '',
        '',
        () => select(event, 'key'),
        element('span', `dot tone-${event.tone}`),
        element('span', 'name', `${play.robot ? event.label.toLowerCase() : event.kind} ${other.name}`),
        element('span', 'value', timeText(event.time)),
      ),
    );
  });
  return [
    element(
      'div',
      'bar',
      element('span', `badge tone-${toneOf(object)}`, element('span', 'dot'), 'Object'),
      button('icon', 'Close (Esc)', () => select(null), icon('close')),
    ),
    element('h2', '', object.name),
    element(
      'p',
      'say',
      `${play.robot ? robotBody(object) : ['Stands still', 'Moves freely', 'Follows its path', 'Walks'][object.body]}${object.trigger ? '; a trigger: it stops nothing' : ''}${object.unswept ? '; looked at at the end of each step only' : ''}.`,
    ),
    rowsOf([
      ['Shape', object.shape.name ? `${object.shape.name} (${shapeWord(object.shape)})` : shapeWord(object.shape)],
      object.visual ? ['Looks like', object.visual.shape.name || shapeWord(object.visual.shape)] : null,
      object.className ? ['Class', object.className] : null,
      object.mass ? ['Mass', `${digits(object.mass)} kg`] : null,
      object.shape.plane ? null : ['Position', pointText(object.center), 'point'],
      speed === null ? null : ['Speed', `${digits(speed)} m/s`],
      object.gone < Infinity ? ['Vanishes', timeText(object.gone)] : null,
    ]),
    element(
      'div',
      'actions',
      button('text fly', '', () => view && view.flyTo(object), icon('fly'), 'Go there'),
      button(
        'text',
        '',
        () => setVisible([object], !object.visible),
        icon(object.visible ? 'off' : 'eye'),
        object.visible ? 'Hide' : 'Show',
      ),
    ),
    hits.length ? element('ul', 'hits', ...hits) : null,
  ].filter(Boolean);
}
