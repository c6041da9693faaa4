/* The built site, served, and opened in Chromium: for the tests and for the pictures of the index. */
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

export async function serve() {
  const server = http.createServer((request, response) => {
    // somewhere below the root, as a static site may stand
    const pathname = new URL(request.url, 'http://localhost').pathname.replace(/^\/below\/here\//, '/');
    const file = path.join(dist, path.normalize(pathname.endsWith('/') ? `${pathname}index.html` : pathname));
    if (!fs.existsSync(file)) { response.statusCode = 404; response.end(); return; }
    response.setHeader('content-type', types[path.extname(file)] ?? 'application/octet-stream');
    response.end(fs.readFileSync(file));
  }).listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  // three draws by the processor here, as there is no other
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'] });
  return { origin: `http://127.0.0.1:${server.address().port}/below/here`, browser, close: async () => { await browser.close(); server.close(); } };
}

let loaded = 0;
/** A file of a page as Node.js imports it, anew each time. */
export async function load(file) {
  const { outputFiles } = await build({ entryPoints: [path.join(pagesAt, file)], bundle: true, format: 'esm', platform: 'node', target: 'node20', write: false, logLevel: 'error' });
  return import(`data:text/javascript;base64,${Buffer.from(`${outputFiles[0].text}\n// ${++loaded}`).toString('base64')}`);
}
