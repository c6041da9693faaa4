/* What the tests of both pages ask of an opened page; play_page.js and report_page.js add their own. */
window.look = {
  /* The rows in sight, from above: which they are, their words, and where to click them. */
  rows(id = look.list) {
    return [...document.getElementById(id).querySelectorAll('.row')]
      .map((row) => ({ at: +row.dataset.at, words: row.innerText.replace(/\s+/g, ' ').trim(), ...look.middleOf(row) }))
      .sort((a, b) => a.at - b.at);
  },
  middleOf(element) {
    const box = element.getBoundingClientRect();
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  },
  middle(id) {
    return look.middleOf(document.getElementById(id));
  },
  /* Waits until the camera rests. */
  arrived() {
    return new Promise((done) => {
      const wait = () => (carom.view.flight || carom.view.pending || carom.view.loading || carom.view.fetching ? requestAnimationFrame(wait) : done(true));
      wait();
    });
  },
  /* The picture as it is now. */
  picture() {
    const { view } = carom;
    view.draw();
    const gl = view.renderer.getContext(),
      { width, height } = view.canvas,
      bytes = new Uint8Array(4 * width * height);
    gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
    return bytes;
  },
};
