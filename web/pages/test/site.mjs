/* The built site, served, and opened in a browser: for the tests, and for what takes pictures. */
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';

export const pagesAt = fileURLToPath(new URL('..', import.meta.url));
const dist = path.join(pagesAt, 'dist');
const types = { '.js': 'text/javascript', '.wasm': 'application/wasm', '.html': 'text/html', '.css': 'text/css', '.svg': 'image/svg+xml', '.woff2': 'font/woff2', '.webp': 'image/webp' };
export const executablePath = process.env.CHROMIUM ?? ['/usr/bin/chromium', '/usr/bin/google-chrome'].find((p) => fs.existsSync(p));

/** The folders that are pages, as vite.config.ts finds them. */
export const folders = fs.readdirSync(pagesAt).filter((name) => fs.existsSync(path.join(pagesAt, name, 'index.html')) && fs.existsSync(path.join(pagesAt, name, 'page.ts')));

/** What is drawn without a graphics card had better be little. */
export const fewer = { culling: '#count=2000', broad: '#count=300&size=0.3', seam: '#rays=5000', workshop: '#each=4' };
/** What JSON keeps of an answer, without the times. */
export const plain = (answer) => JSON.parse(JSON.stringify(answer, (key, value) => (key === 'ms' ? undefined : value)));

// three draws by the processor here, as there is no other
const launch = () => chromium.launch({ executablePath, args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'] });

export async function serve(start = launch) {
  const server = http.createServer((request, response) => {
    // somewhere below the root, as a static site may stand
    const pathname = new URL(request.url, 'http://localhost').pathname.replace(/^\/below\/here\//, '/');
    const file = path.join(dist, path.normalize(pathname.endsWith('/') ? `${pathname}index.html` : pathname));
    if (!fs.existsSync(file)) { response.statusCode = 404; response.end(); return; }
    response.setHeader('content-type', types[path.extname(file)] ?? 'application/octet-stream');
    response.end(fs.readFileSync(file));
  }).listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const browser = await start();
  return { origin: `http://127.0.0.1:${server.address().port}/below/here`, browser, close: async () => { await browser.close(); server.close(); } };
}

let loaded = 0;
/** A file of a page as Node.js imports it, anew each time. */
export async function load(file) {
  const { outputFiles } = await build({ entryPoints: [path.join(pagesAt, file)], bundle: true, format: 'esm', platform: 'node', target: 'node20', write: false, logLevel: 'error' });
  return import(`data:text/javascript;base64,${Buffer.from(`${outputFiles[0].text}\n// ${++loaded}`).toString('base64')}`);
}

/* --- shots: the scene as it is at first, 160 by 100, kept beside the page as shot.png --- */

export const shotOf = (name) => path.join(pagesAt, name, 'shot.png');
/** The scene of an open page as PNG, as a data URL: drawn at one size, and averaged. */
export async function shoot(page) {
  const style = await page.addStyleTag({ content: '.view { width: 480px !important; height: 300px !important; border: 0 !important; }' });
  await page.waitForFunction('document.querySelector(".view canvas").width === 480 && document.querySelector(".view canvas").height === 300');
  const url = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 160, height: 100 }), context = canvas.getContext('2d');
    window.page.view.render();
    Object.assign(context, { fillStyle: '#808080', imageSmoothingQuality: 'high' });
    context.fillRect(0, 0, 160, 100);
    context.drawImage(document.querySelector('.view canvas'), 0, 0, 160, 100);
    return canvas.toDataURL('image/png');
  });
  await style.evaluate((element) => element.remove());
  return url;
}
/** How many of the 16,000 pixels of two shots differ by more than 16 of 255. By SwiftShader and by Mesa's llvmpipe it is one
 * at most; an object of the scene that is missing makes more than SHOT_PIXELS, but for points and what others hide. */
export const SHOT_PIXELS = 5;
export const differing = (page, a, b) => page.evaluate(async (urls) => {
  const [first, second] = await Promise.all(urls.map(async (url) => {
    const image = await createImageBitmap(await (await fetch(url)).blob()), context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height).data;
  }));
  if (first.length !== second.length) return Infinity;
  let count = 0;
  for (let i = 0; i < first.length; i += 4) if ([0, 1, 2].some((k) => Math.abs(first[i + k] - second[i + k]) > 16)) count++;
  return count;
}, [a, b]);
