/* What report_page.c and managed_page.c ask of the opened page. */
Object.assign(window.look, {
  list: 'findings',
  /* How many pixels of a picture drawn now have about this color of the page. */
  pixels(name) {
    const bytes = look.picture(),
      want = carom.view.colors[name].toArray().map((c) => 255 * c);
    let found = 0;
    for (let i = 0; i < bytes.length; i += 4) {
      const a = bytes[i + 3] / 255;
      if (a > 0.5 && Math.hypot(bytes[i] / a - want[0], bytes[i + 1] / a - want[1], bytes[i + 2] / a - want[2]) < 40) found++;
    }
    return found;
  },
  modes() {
    return carom.report.parts.map((part) => carom.view.state[8 * part.index + 4]);
  },
  /* Where the selected finding is, and how it is seen. */
  place() {
    const { view, selected } = carom,
      { target } = view.controls,
      [x, y] = view.project(selected.place);
    const canvas = document.getElementById('canvas').getBoundingClientRect();
    const details = document.getElementById('details').getBoundingClientRect();
    return {
      index: selected.index,
      modes: look.modes(),
      outline: look.pixels('outline'),
      off: Math.hypot(target.x - selected.place[0], target.y - selected.place[1], target.z - selected.place[2]),
      distance: view.camera.position.distanceTo(target),
      inside: x > 0 && y > 0 && x + canvas.x < details.x && y < canvas.height,
      details: document.getElementById('details').innerText.replace(/\s+/g, ' '),
      hash: location.hash,
      marks: view.marked.length,
    };
  },
  /* A point of the window where this part is what the pointer finds, near its middle. */
  spot(index) {
    const { view, report } = carom,
      canvas = document.getElementById('canvas').getBoundingClientRect();
    const [mx, my] = view.project(report.parts[index].center);
    for (const [dx, dy] of [
      [0, 0],
      [9, 9],
      [-9, 9],
      [9, -9],
      [-9, -9],
      [20, 0],
      [-20, 0],
      [0, 20],
      [0, -20],
    ]) {
      const x = mx + dx,
        y = my + dy,
        part = view.findingAt(x, y) ? null : view.partAt(x, y);
      if (part && part.index === index && document.elementFromPoint(x + canvas.x, y + canvas.y).id === 'canvas')
        return { x: x + canvas.x, y: y + canvas.y };
    }
    return null;
  },
  /* Selects a part by its number. */
  choose(index) {
    document.getElementById('tab-parts').click();
    document.querySelectorAll('#parts .row').forEach((row) => +row.dataset.at === index && row.click());
  },
  /* What the panel says of a bounding volume. */
  bound(kind) {
    return `[${document.querySelector(`.tone-bound-${kind} .value`).textContent}]`;
  },
  turn(angle) {
    const slider = document.getElementById('turn');
    slider.value = angle;
    return slider.dispatchEvent(new Event('input'));
  },
  until(test) {
    return new Promise((done) => {
      const wait = () => (test() ? done(true) : requestAnimationFrame(wait));
      wait();
    });
  },
  /* How far from its middle a part is drawn to the sides, in metres: by the pixels where the pointer would find it. */
  bulge(index) {
    const { view, report } = carom,
      { center } = report.parts[index],
      right = new THREE.Vector3().setFromMatrixColumn(view.camera.matrixWorld, 0).toArray(),
      steps = Array.from({ length: 100 }, (_, i) => i / 1000),
      places = steps.map((x) => view.project(center.map((c, k) => c + x * right[k]))); /* before any pick moves the camera */
    const farthest = steps.findLastIndex((_, i) => view.partAt(...places[i])?.index === index);
    return farthest < 0 ? -Infinity : steps[farthest];
  },
  camera() {
    const { position } = carom.view.camera,
      { target } = carom.view.controls;
    return { at: position.toArray(), distance: position.distanceTo(target) };
  },
  /* --- groups, filters, decisions ---------------------------------------------------------------------------------- */

  set(id, value) {
    const box = typeof id === 'string' ? document.getElementById(id) : id;
    box.value = value;
    return box.dispatchEvent(new Event('input', { bubbles: true }));
  },
  filter(label, value) {
    const box = [...document.querySelectorAll('#filters label')].find((one) => one.firstChild.textContent === label)?.querySelector('select');
    return box && [...box.options].some((option) => option.value === value) && look.set(box, value) ? 'set' : `no ${label} ${value}`;
  },
  /* Of the findings in the list, ascending. */
  numbers() {
    return look
      .rows()
      .map((row) => Number(/#(\d+)/.exec(row.words)[1]) - 1)
      .sort((a, b) => a - b)
      .join(' ');
  },
  /* Fills the form and applies it; what it complains of, in brackets. */
  decide(status, comment, author, depth) {
    const form = document.querySelector('.review'),
      [limit, who] = form.querySelectorAll('input');
    look.set(form.querySelector('select'), status);
    form.querySelector('textarea').value = comment;
    who.value = author;
    limit.value = depth;
    form.querySelector('button').click();
    return `[${form.isConnected ? form.querySelector('.wrong').textContent : ''}]`;
  },
  /* Forgets all decisions and loads them from what was saved, behind other lines, which have to stay. */
  async again(lines) {
    const { review } = carom,
      saved = review.text();
    review.entries.clear();
    const list = new DataTransfer();
    list.items.add(new File([`\ufeff${lines}${saved}`], 'list.txt'));
    const input = document.getElementById('review-file');
    input.files = list.files;
    input.dispatchEvent(new Event('change'));
    await look.until(() => review.entries.size > 0);
    await new Promise((done) => setTimeout(done));
    const asks = window.onbeforeunload !== null;
    return `${asks && review.text() === lines + saved}: ${document.getElementById('review-state').textContent}`;
  },

  /* --- the cut ------------------------------------------------------------------------------------------------------- */

  /* How far the two points of the finding are from the plane. */
  cutAway() {
    const { x, y, z, w } = carom.view.common.cut.value;
    return Math.max(...[carom.selected.pointA, carom.selected.pointB].map((p) => Math.abs(x * p[0] + y * p[1] + z * p[2] - w)));
  },
  /* Whether beside the line between the two points, where both parts are, both are seen, and behind its ends only one. */
  section() {
    const { view, selected } = carom,
      bytes = look.picture(),
      tones = ['part-a', 'part-b'].map((name) => view.colors[name].toArray().map((c) => 255 * 0.86 * c)),
      { x, y, z } = view.common.cut.value,
      line = new THREE.Vector3(...selected.pointB).sub(new THREE.Vector3(...selected.pointA)),
      aside = new THREE.Vector3(x, y, z).cross(line).setLength(0.03), /* into what both share, from its edge */
      side = aside.dot(new THREE.Vector3(...selected.place).sub(new THREE.Vector3(...selected.pointA))) < 0 ? -1 : 1,
      at = (t) => {
        const p = view.project(selected.pointA.map((a, k) => a + t * (selected.pointB[k] - a) + side * aside.getComponent(k)));
        const i = 4 * (Math.round(view.height - p[1]) * view.canvas.width + Math.round(p[0]));
        return tones.findIndex((tone) => Math.hypot(...tone.map((c, k) => c - bytes[i + k])) < 30);
      },
      seen = (from, to) => new Set(Array.from({ length: 60 }, (_, i) => at(from + ((to - from) * i) / 59)));
    view.clearMarks();
    bytes.set(look.picture());
    const inside = seen(0.1, 0.9),
      one = seen(-1.5, -0.5),
      other = seen(1.5, 2.5);
    view.mark();
    return inside.has(0) && inside.has(1) && one.size === 1 && other.size === 1 && [...one][0] + [...other][0] === 1;
  },
  /* A pixel near the finding at which this part is picked, looked for from there outwards; null where there is none. */
  whereOf(index) {
    const { view, selected } = carom;
    view.placeCamera(); /* a pick before has left it elsewhere */
    const [mx, my] = view.project(selected.place),
      grid = [];
    for (let x = -400; x <= 400; x += 50) for (let y = -200; y <= 200; y += 80) grid.push([x, y]);
    grid.sort((a, b) => Math.hypot(...a) - Math.hypot(...b));
    return grid.map(([x, y]) => [mx + x, my + y]).find((place) => view.partAt(...place)?.index === index) ?? null;
  },

  /* Waits until nothing moves and all detail that is wanted is there. */
  settled() {
    return look.until(() => {
      const { view } = carom;
      return !view.flight && !view.pending && !view.moving && view.share === 1 && view.chunks.every((chunk) => chunk.detail || !chunk.wanted);
    });
  },

  /* Of the group that is chosen: its parts alone are no ghosts, and none of them has the camera in its box. */
  async outside() {
    const { view, selected, report } = carom,
      parts = new Set(selected.items.flatMap((f) => [f.partA, f.partB])),
      box = { half: [1, 2, 3], rows: [2, 0, 0, 5, 0, 0, -1, 6, 0, 1, 0, 7], center: [5, 6, 7] };
    if (view.wayOut(box, [5, 6, 7], [1, 0, 0]) !== 2 || view.wayOut(box, [5.5, 6, 7], [-1, 0, 0]) !== 2.5) return false;
    if (view.wayOut(box, [5, 6, 7], [0, 1, 0]) !== 3 || view.wayOut(box, [5, 6, 8], [0, 0, -1]) !== 3) return false;
    if (view.wayOut(box, [7.5, 6, 7], [1, 0, 0]) !== 0) return false;
    if (!report.parts.every((part) => view.among.has(part) === parts.has(part))) return false;
    await look.arrived();
    const at = view.camera.position.toArray();
    return [...parts].every((part) => view.wayOut(part, at, [1, 0, 0]) === 0);
  },

  /* --- much at once -------------------------------------------------------------------------------------------------- */

  /* Whether the picture is the same after this was done and the page has come to rest, and was another in between. */
  async sameAgain(work) {
    const { view } = carom,
      same = (a, b) => a.every((byte, i) => byte === b[i]),
      before = look.picture();
    view.moving = true; /* nothing is loaded meanwhile */
    work();
    const between = look.picture();
    view.rest();
    await look.settled();
    return !same(before, between) && same(before, look.picture());
  },
  /* With a picture in so many milliseconds, and while one is waited for. */
  async slow(milliseconds) {
    const { view } = carom;
    view.lastShare = 1;
    view.drawnAt = performance.now() - 1e4; /* it rested meanwhile, which tells nothing */
    view.moves();
    view.draw();
    const before = view.share;
    view.drawnAt = performance.now() - milliseconds;
    view.redraw();
    view.rest();
    const goesOn = view.moving;
    view.draw();
    const slow = view.share,
      drawn = view.chunks.map((chunk) => chunk.boxes.solid.geometry.drawRange.count / 36);
    await look.until(() => view.share === 1 && !view.pending);
    return before === 1 && goesOn && slow < 0.3 && view.chunks.every((chunk, i) => drawn[i] === Math.ceil(chunk.parts.length * slow) && !chunk.boxes.shown);
  },
});
