/* Takes the shots that the test of the pages compares with, from the built site: node pages/test/shots.mjs [FOLDER...] */
import fs from 'node:fs';
import { fewer, folders, serve, shoot, shotOf } from './site.mjs';

const site = await serve(), chosen = process.argv.slice(2);
const context = await site.browser.newContext({ viewport: { width: 700, height: 480 }, colorScheme: 'dark' });
for (const name of chosen.length ? chosen : folders) {
  const page = await context.newPage();
  await page.goto(`${site.origin}/${name}/${fewer[name] ?? ''}`);
  await page.waitForFunction('document.documentElement.dataset.ready !== undefined');
  if (await page.evaluate(() => !!window.page)) fs.writeFileSync(shotOf(name), Buffer.from((await shoot(page)).split(',')[1], 'base64'));
  await page.close();
}
await site.close();
