// Looks at an HTML file as a reader does; see .ci/page. node page.js FILE FOLDER-FOR-SCREENSHOTS
const assert = require('node:assert');
const fs = require('node:fs');
const { execSync } = require('node:child_process');
const { chromium } = require('playwright-core');

const [file, shots] = process.argv.slice(2);
const axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const executablePath = execSync('command -v chromium').toString().trim();

(async () => {
  const browser = await chromium.launch({ executablePath, args: process.getuid() === 0 ? ['--no-sandbox'] : [] });
  for (const [width, colorScheme] of [[1280, 'light'], [800, 'dark'], [390, 'light']]) {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    const faults = [];
    page.on('console', m => m.type() === 'error' && faults.push(m.text()));
    page.on('pageerror', e => faults.push(String(e)));
    page.on('request', r => /^(file|data):/.test(r.url()) || faults.push(`request of ${r.url()}`));
    await page.goto(`file://${file}`);
    faults.push(...await page.$$eval('a[href^="#"]', links => links.map(a => a.getAttribute('href'))
      .filter(href => !document.getElementById(href.slice(1))).map(href => `${href} is not on the page`)));
    if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) faults.push('it is wider than the window');
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => axe.run());
    faults.push(...violations.map(v => `${v.id} (${v.impact}): ${v.nodes[0].html}`));
    await page.screenshot({ path: `${shots}/report-${width}.png`, fullPage: true });
    await page.emulateMedia({ media: 'print' });
    const lost = await page.$$eval('details > :not(summary)', all => all.filter(e => !e.checkVisibility()).length);
    if (lost > 0) faults.push(`${lost} folded parts are not printed`);
    await page.emulateMedia({ media: 'screen' });

    const shown = () => page.textContent('#shown');
    const [, total] = (await shown()).match(/(\d+) claims$/);
    await page.fill('#words', 'hydrogen');
    const found = Number((await shown()).split(' ')[0]);
    assert(found > 0 && found < total, 'the search finds nothing, or everything');
    await page.click('a[href^="#claim-"]:visible');
    assert.equal(await shown(), `${total} of ${total} claims`, 'a link to a claim that is hidden must show it');
    assert.deepEqual(faults, [], `at ${width} pixels: ${faults.join("; ")}`);
    console.log(`report at ${width} pixels, ${colorScheme}: ${total} claims, no fault`);
    await page.close();
  }
  await browser.close();
})().catch(e => { console.error(`page.js: ${e.message}`); process.exit(1); });
