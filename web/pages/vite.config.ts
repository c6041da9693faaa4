/* The site: every folder here with an index.html and a page.ts is a page of it. This file frames the pages' words, typesets
 * their formulas, and shows their code; nothing of that is left to the browser. */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import katex from 'katex';
import { defineConfig, type Plugin } from 'vite';
import { articles } from './frame/articles';
import { highlight } from './frame/highlight';

const root = path.dirname(fileURLToPath(import.meta.url));
const read = (...names: string[]) => fs.readFileSync(path.join(root, ...names), 'utf8');

interface PageInfo { folder: string; title: string; order: number; summary: string }
/** What stands in a page's own index.html: its title, its place, one line for the index; then its words. */
function infoOf(folder: string, html: string): PageInfo {
  const find = (pattern: RegExp) => {
    const found = pattern.exec(html);
    if (!found) throw new Error(`${folder}/index.html has no ${pattern.source}`);
    return found[1]!;
  };
  return {
    folder,
    title: find(/<title>(.*?)<\/title>/),
    order: Number(find(/<meta name="order" content="(.*?)">/)),
    summary: find(/<meta name="description" content="(.*?)">/),
  };
}
const pages = fs.readdirSync(root).filter((name) => fs.existsSync(path.join(root, name, 'index.html')) && fs.existsSync(path.join(root, name, 'page.ts')))
  .map((name) => infoOf(name, read(name, 'index.html'))).sort((a, b) => a.order - b.order);

const escape = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
/** $$…$$ on a line of its own, $…$ within the text. */
const formulas = (html: string) => html
  .replace(/\$\$([^$]+)\$\$/g, (_, tex: string) => katex.renderToString(tex, { displayMode: true }))
  .replace(/\$([^$\n]+)\$/g, (_, tex: string) => katex.renderToString(tex));

const card = (page: PageInfo) => {
  const picture = ['picture.webp', 'picture.svg'].find((name) => fs.existsSync(path.join(root, page.folder, name)));
  return `<li><a class="card" href="./${page.folder}/">
  ${picture ? `<img src="./${page.folder}/${picture}" alt="" width="480" height="300" loading="lazy">` : '<span class="nopicture"></span>'}
  <h2>${page.title}</h2><p>${page.summary}</p></a></li>`;
};

/** The notices of what the site is made of. */
const notices = () => [
  ['carom', read('../../LICENSE')],
  ['in the WebAssembly modules', read('../NOTICES')],
  ['three.js', read('../node_modules/three/LICENSE')],
  ['Draco, that comes with three.js', read('notices/draco.txt')],
  ['KaTeX', read('../node_modules/katex/LICENSE')],
  ['the fonts of KaTeX', read('notices/fonts.txt')],
  ['web-ifc', read('../node_modules/web-ifc/LICENSE.md')],
  ['occt-import-js', read('../node_modules/occt-import-js/dist/license.occt-import-js.txt')],
  ['Open CASCADE, in occt-import-js', read('../node_modules/occt-import-js/dist/license.occt.txt')],
].map(([name, text]) => `<h2>${name}</h2><pre class="notice">${escape(text!)}</pre>`).join('\n');

/** The parts that frame/page.ts fills. */
const stage = (page: PageInfo, words: string) => `<main id="content" class="page">
<div class="words"><h1>${page.title}</h1>
${words}</div>
<div id="stage"><noscript>The scene and its numbers need JavaScript.</noscript></div>
<aside id="side" aria-label="State"></aside>
<section id="numbers" aria-label="Numbers"></section>
<p id="keys">Drag a body; drag beside it to look around, turn the wheel to come nearer. With the scene in focus: 1, 2 … choose a body, arrows, Page↑ and
Page↓ move it, with Shift they turn it, where it turns; W A S D look around, + and − come nearer. All of the state stands in the address.</p>
<section class="code" aria-labelledby="code-title"><h2 id="code-title">The code that runs</h2><pre tabindex="0"><code id="code"></code></pre></section>
</main>
<script type="module" src="./page.ts"></script>`;

function framed(file: string, html: string): string {
  const folder = path.basename(path.dirname(file)), at = pages.findIndex((page) => page.folder === folder);
  const up = path.dirname(file) === root ? './' : '../';
  const title = /<title>(.*?)<\/title>/.exec(html)?.[1] ?? 'carom';
  let body = html.replace(/^[^]*?<\/title>\n/, '').replace(/<meta [^>]*>\n/g, '');
  body = formulas(body).replace('<!-- cards -->', () => pages.map(card).join('\n')).replace('<!-- notices -->', notices)
    .replace('<!-- articles -->', () => formulas(articles(read('../../docs/theory/article-errata.md'))));
  if (at >= 0 && !body.includes('<main')) body = stage(pages[at]!, body);
  const formula = body.includes('class="katex"');
  const link = (page: PageInfo | undefined, rel: string, text: string) => page
    ? `<a rel="${rel}" href="../${page.folder}/" title="${page.title}">${text}</a>` : `<span class="off">${text}</span>`;
  const step = at < 0 ? '' : `${link(pages[at - 1], 'prev', '←<span class="wide"> before</span>')}
    <span class="count">${at + 1}&thinsp;/&thinsp;${pages.length}</span>${link(pages[at + 1], 'next', '<span class="wide">next </span>→')}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${at < 0 ? '' : `<meta name="description" content="${pages[at]!.summary}">`}
<title>${title}${at < 0 ? '' : ' · carom'}</title>
<link rel="icon" href="${up}frame/icon.svg">
<link rel="stylesheet" href="${up}frame/style.css">
${formula ? `<link rel="stylesheet" href="${up}frame/formula.css">` : ''}
<script>document.documentElement.dataset.theme = localStorage.getItem('theme') ?? 'auto';</script>
</head>
<body>
<a class="skip" href="#content">to the page</a>
<header class="top"><a class="brand" href="${up}"><img src="${up}frame/icon.svg" alt="" width="22" height="22">carom</a>
<nav aria-label="Pages">${step}</nav><button id="theme" type="button" title="light, dark, or as the system"></button></header>
${body}
<footer class="bottom"><a href="${up}">all pages</a><a href="${up}notices/">licenses</a>
<span>The numbers come from carom itself, compiled to WebAssembly.</span></footer>
<script type="module" src="${up}frame/theme.ts"></script>
</body>
</html>`;
}

/** The two lines of each demonstration, as they stand in the file. */
function demoSources(text: string): Record<string, { theirs: string; ours: string }> {
  const sources: Record<string, { theirs: string; ours: string }> = {};
  for (const [, id, body] of text.matchAll(/^  '([\w-]+)': \{\n([^]*?)^  \},$/gm)) {
    const line = (name: string) => {
      const [, code, comment] = new RegExp(`^    ${name}: (.*),( // .*)?$`, 'm').exec(body!)!;
      return highlight(code! + (comment ?? ''));
    };
    sources[id!] = { theirs: line('theirs'), ours: line('ours') };
  }
  return sources;
}

const site: Plugin = {
  name: 'carom-pages',
  enforce: 'pre',
  transformIndexHtml: { order: 'pre', handler: (html, { filename }) => framed(filename, html) },
  // `import code from './query.ts?code'`: the file as highlighted HTML; `?demos`: the lines of errata/demos.ts
  async load(id) {
    // KaTeX' style sheet with woff2 alone, which every browser with WebAssembly reads
    if (id === path.join(root, 'frame/formula.css')) {
      return read('../node_modules/katex/dist/katex.min.css').replace(/,url\([^)]*\) format\("(woff|truetype)"\)/g, '').replaceAll('url(fonts/', 'url(../../node_modules/katex/dist/fonts/');
    }
    const [file, what] = id.split('?') as [string, string?];
    if (what !== 'code' && what !== 'demos') return null;
    this.addWatchFile(file);
    const text = fs.readFileSync(file, 'utf8');
    return `export default ${JSON.stringify(what === 'code' ? highlight(text) : demoSources(text))};`;
  },
  async resolveId(id, from) {
    return /\?(code|demos)$/.test(id) && from ? path.resolve(path.dirname(from), id) : null;
  },
};

export default defineConfig({
  root,
  base: './',
  plugins: [site],
  resolve: { alias: [{ find: /^carom$/, replacement: path.join(root, '../dist/index.js') }, { find: /^carom\/(f64|three)$/, replacement: path.join(root, '../dist/$1.js') },
    // the reader of IFC is a program for Node.js
    { find: /^node:(fs|module|crypto|zlib)$/, replacement: path.join(root, 'drop/read/node.ts') }] },
  worker: { format: 'es' },
  server: { fs: { allow: ['..'] } },
  build: {
    target: 'es2022',
    chunkSizeWarningLimit: 800,
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: ['.', 'notices', ...pages.map((page) => page.folder)].map((folder) => path.join(root, folder, 'index.html')),
    },
  },
});
