/* What test/cli/play_page.c asks of the opened page. */
Object.assign(window.look, {
  list: 'events',
  /* How many pixels a button's layer changes when it is switched; and how many are left after switching back. */
  switched(id) {
    const before = look.picture();
    document.getElementById(id).click();
    const between = look.picture();
    const pressed = document.getElementById(id).ariaPressed;
    document.getElementById(id).click();
    const after = look.picture();
    const differ = (a, b) => {
      let n = 0;
      for (let i = 0; i < a.length; i += 4)
        if (a[i] !== b[i] || a[i + 1] !== b[i + 1] || a[i + 2] !== b[i + 2] || a[i + 3] !== b[i + 3]) n++;
      return n;
    };
    return { changed: differ(before, between), left: differ(before, after), pressed };
  },
  /* The words of labels that lie under the tool bar, or of names under the least distance. */
  labelsUnder() {
    const box = (e) => e.getBoundingClientRect(),
      meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom,
      bar = box(document.querySelector('.toolbar')),
      measure = document.getElementById('measure'),
      names = [...document.querySelectorAll('.labels span:not([hidden])')],
      under = names.filter((e) => meet(box(e), bar) || (!measure.hidden && meet(box(e), box(measure))));
    if (!measure.hidden && meet(box(measure), bar)) under.push(measure);
    return under.map((e) => e.innerText);
  },
  /* Pixels that are not background. */
  covered() {
    const bytes = look.picture();
    let n = 0;
    for (let i = 3; i < bytes.length; i += 4) if (bytes[i] > 0) n++;
    return n;
  },
  object(name) {
    return carom.play.objects.find((o) => o.name === name);
  },
  mode(name) {
    return carom.view.state[8 * look.object(name).index + 4];
  },
  /* A point of the scene in the drawn frame of an object: what the graphics card is told. */
  local(object, point) {
    const { rows } = object.group,
      at = 4 * object.slot,
      d = [0, 1, 2].map((r) => point[r] - rows[r][at + 3]);
    return [0, 1, 2].map((c) => rows[0][at + c] * d[0] + rows[1][at + c] * d[1] + rows[2][at + c] * d[2]);
  },
  /* How far the points of the events lie from what is drawn of their objects, at most, in sizes of the object. The
   * point of a hit belongs to its time, that of a contact to the end of its step; it is on the first object's surface,
   * and as deep as told in the second. */
  farthest(most) {
    const { play } = carom;
    let worst = 0,
      count = 0;
    for (const event of play.list) {
      if (!event.point || count > most) continue;
      const both = event.until <= event.step * play.dt + 1e-9;
      const time = event.kind === 'hit' || both ? event.time : event.step * play.dt;
      if (play.times.every((t) => Math.abs(t - event.step * play.dt) > 1e-9)) continue;
      carom.seek(Math.min(time, event.a.gone, event.b.gone) - (Number.isFinite(Math.min(event.a.gone, event.b.gone)) ? 1e-9 : 0));
      for (const object of [event.a, event.b]) {
        if (!object.group) continue;
        const p = look.local(object, event.point),
          slack = object === event.b ? Math.abs(event.depth) : 0;
        for (let k = 0; k < 3; k++)
          worst = Math.max(worst, (Math.abs(p[k]) - object.shape.half[k] - slack) / Math.max(object.radius, 1e-9));
        if (object.shape.kind === 'point' && object.radius > 0 && object === event.a)
          worst = Math.max(worst, Math.abs(length3(p) - object.radius) / object.radius);
      }
      count++;
    }
    return { worst, count };
  },
  /* The axis-aligned box of what is drawn of an object. */
  drawnBox(name) {
    const object = look.object(name),
      { rows } = object.group,
      at = 4 * object.slot,
      p = object.shape.position,
      low = [Infinity, Infinity, Infinity],
      high = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < p.length; i += 3)
      for (let r = 0; r < 3; r++) {
        const x = rows[r][at] * p[i] + rows[r][at + 1] * p[i + 1] + rows[r][at + 2] * p[i + 2] + rows[r][at + 3] + carom.play.origin[r];
        low[r] = Math.min(low[r], x);
        high[r] = Math.max(high[r], x);
      }
    return [...low, ...high];
  },
  inSight(object) {
    const at = carom.view.project(object.center),
      { width, height } = carom.view;
    return !!at && at[0] > 0 && at[1] > 0 && at[0] < width && at[1] < height;
  },
});
const length3 = (p) => Math.hypot(p[0], p[1], p[2]);
