/* What test/cli/report_page.c asks of the opened page. */
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
    return Math.max(
      ...steps.filter((_, i) => {
        const part = view.partAt(...places[i]);
        return part && part.index === index;
      }),
    );
  },
  camera() {
    const { position } = carom.view.camera,
      { target } = carom.view.controls;
    return { at: position.toArray(), distance: position.distanceTo(target) };
  },
});
