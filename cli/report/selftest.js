/* Opened with #selftest the page uses itself as a person would and writes what it saw into <html data-selftest>, for
 * test/cli/report_page.c to judge. Without that hash nothing here runs. */

const broken = [];
if (location.hash === '#selftest') {
  addEventListener('error', (e) => broken.push(String(e.message)));
  addEventListener('unhandledrejection', (e) => broken.push(String(e.reason)));
  addEventListener('securitypolicyviolation', (e) => broken.push(`policy: ${e.violatedDirective} ${e.blockedURI}`));
  selftest().catch((problem) => broken.push(String(problem.stack))).then((seen) => {
    document.documentElement.dataset.selftest = JSON.stringify({ ...seen, broken, requests: performance.getEntriesByType('resource').map((r) => r.name) });
  });
}

async function selftest() {
  const rest = (ms) => new Promise((done) => setTimeout(done, ms));
  const rows = (id) => [...$(id).querySelectorAll('.row')].map((row) => row.innerText.split(/\s*\n\s*/).filter(Boolean));
  /* How many pixels have about this color, in a picture drawn now. */
  const count = (name) => {
    view.draw();
    const gl = view.renderer.getContext(), { width, height } = view.canvas, pixels = new Uint8Array(4 * width * height);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    const want = view.colors[name].toArray().map((c) => 255 * c);
    let found = 0;
    for (let i = 0; i < pixels.length; i += 4) {
      const a = pixels[i + 3] / 255 || 1;
      if (Math.hypot(pixels[i] / a - want[0], pixels[i + 1] / a - want[1], pixels[i + 2] / a - want[2]) < 40) found++;
    }
    return found;
  };
  await started;
  const seen = { title: document.title, verdict: $('verdict').innerText, stats: $('stats').innerText, shown: $('shown').textContent, view: !!view, rows: rows('findings'), chips: $('chips').innerText, visits: [] };
  if (view) seen.outlineBefore = count('outline');
  for (let i = 0; view && i < sorted.length && i < 8; i++) {
    const finding = sorted[i];
    findingList.select(finding, true);
    $('findings').querySelector(`[data-at="${i}"]`).click();
    for (let wait = 0; view.flight && wait < 100; wait++) await rest(50);
    const { target } = view.controls, at = view.project(finding.place);
    seen.visits.push({
      relation: finding.relation, selected: $('findings').querySelector('[aria-selected=true]').dataset.at === String(i),
      off: Math.hypot(target.x - finding.place[0], target.y - finding.place[1], target.z - finding.place[2]),
      distance: view.camera.position.distanceTo(target), middle: at && [at[0] / view.width, at[1] / view.height],
      lit: [0, 1].map((k) => view.state[8 * [finding.a, finding.b][k] + 4]), outline: count('outline'), pins: view.pinList.length,
      others: report.parts.filter((p) => p !== finding.partA && p !== finding.partB).map((p) => view.state[8 * p.index + 4]),
      details: $('details').innerText, hash: location.hash,
    });
  }
  if (view) {
    $('fit').click();
    for (let wait = 0; view.flight && wait < 100; wait++) await rest(50);
    seen.closed = $('details').hidden;
    view.draw();
    seen.picks = report.parts.map((part) => { const at = view.project(part.center); const hit = at && view.partAt(at[0], at[1]); return hit ? hit.index : null; });
    /* The findings' keyboard. */
    $('findings').focus();
    for (const key of ['Home', 'ArrowDown', 'End', 'ArrowUp'])
      $('findings').dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    seen.keyed = selected ? sorted.indexOf(selected) : null;
    seen.focused = $('findings').getAttribute('aria-activedescendant');
    select(null);
  }
  $('tab-parts').click();
  seen.parts = rows('parts');
  const eye = $('parts').querySelector('.icon');
  if (eye) eye.click();
  seen.hidden = view ? view.state[4] === MODE.HIDDEN : !report.parts[0].visible;
  $('show-all').click();
  $('tab-findings').click();
  $('query').value = 'no such part anywhere';
  $('query').dispatchEvent(new Event('input'));
  seen.filtered = rows('findings').length;
  seen.hint = $('findings').innerText;
  $('query').value = '';
  $('query').dispatchEvent(new Event('input'));
  seen.markup = document.querySelectorAll('body img, body iframe, body object, body embed, body link, body base, body form').length;
  seen.scripts = document.scripts.length;
  return seen;
}
