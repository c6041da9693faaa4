/* Takes the pictures of the index from the built site: node pages/test/pictures.mjs [FOLDER...] */
import fs from 'node:fs';
import path from 'node:path';
import { folders, pagesAt, serve } from './site.mjs';

const site = await serve();
const chosen = process.argv.slice(2);
for (const name of chosen.length ? chosen : folders) {
  const page = await site.browser.newPage({ viewport: { width: 1100, height: 900 }, deviceScaleFactor: 1 });
  await page.goto(`${site.origin}/${name}/`);
  await page.waitForFunction('document.documentElement.dataset.ready !== undefined');
  if (!(await page.evaluate(() => !!window.page))) { await page.close(); continue; }
  await page.addStyleTag({ content: '.view { width: 480px !important; height: 300px !important; }' });
  await page.waitForTimeout(300);
  const url = await page.evaluate(() => window.page.view.picture('image/webp', 0.62));
  fs.writeFileSync(path.join(pagesAt, name, 'picture.webp'), Buffer.from(url.split(',')[1], 'base64'));
  await page.close();
}
await site.close();
