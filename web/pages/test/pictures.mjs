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
  const write = (data) => fs.writeFileSync(path.join(pagesAt, name, 'picture.webp'), Buffer.from(data.split(',')[1], 'base64'));
  if (name === 'drop') { // its report, of the sample
    await page.evaluate(() => { location.hash = '#sample=1'; });
    await page.waitForSelector('iframe:not([hidden])');
    await page.waitForTimeout(3000);
    const png = await page.frameLocator('iframe').locator('#canvas').screenshot();
    write(await page.evaluate(async (url) => {
      const image = await createImageBitmap(await (await fetch(url)).blob()), width = 300 / image.height * image.width;
      const canvas = Object.assign(document.createElement('canvas'), { width: 480, height: 300 }), context = canvas.getContext('2d');
      context.drawImage(image, 0, 0, 2, image.height, 0, 0, 480, 300); // its background, to both sides
      context.drawImage(image, (480 - width) / 2, 0, width, 300);
      return canvas.toDataURL('image/webp', 0.7);
    }, `data:image/png;base64,${png.toString('base64')}`));
  }
  if (!(await page.evaluate(() => !!window.page))) { await page.close(); continue; }
  await page.addStyleTag({ content: '.view { width: 480px !important; height: 300px !important; }' });
  await page.waitForTimeout(300);
  const url = await page.evaluate(() => window.page.view.picture('image/webp', 0.62));
  write(url);
  await page.close();
}
await site.close();
