// Uses notebooks in JupyterLab as a reader does; see .ci/lab. node lab.js URL FOLDER-FOR-SCREENSHOTS FOLDER-OF-NOTEBOOKS [NAME …]
const assert = require('node:assert');
const fs = require('node:fs');
const { execSync } = require('node:child_process');
const { chromium } = require('playwright-core');

const [url, shots, folder, ...named] = process.argv.slice(2);
const executablePath = execSync('command -v chromium').toString().trim();
const minutes = 60_000;

(async () => {
  const browser = await chromium.launch({ executablePath, args: process.getuid() === 0 ? ['--no-sandbox'] : [] });
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.setDefaultTimeout(20 * minutes);
  const shot = name => page.screenshot({ path: `${shots}/${name}.png` });
  // panel evaluates fn(panel, argument) in the page, for the notebook in front.
  const panel = (fn, argument) => page.evaluate(`(${fn})(window.jupyterapp.shell.currentWidget, ${JSON.stringify(argument)})`);
  const command = name => page.evaluate(name => window.jupyterapp.commands.execute(name).then(() => {}), name);
  const idle = () => page.waitForFunction(() => {
    const context = window.jupyterapp?.shell.currentWidget?.sessionContext;
    return context?.isReady && ['idle', 'unknown'].includes(context.session?.kernel?.status); // unknown: it has run nothing yet
  });
  const outputs = () => panel(p => [...p.content.model.cells].flatMap(c => c.type === 'code' ? c.outputs.toJSON() : []));
  const text = async () => (await outputs()).map(o => o.text ?? o.data?.['text/html'] ?? o.traceback ?? '').flat().join('\n');
  // pngs and gif are the live picture: its frame, and the animation that it ends as.
  const pngs = async () => (await outputs()).filter(o => o.data?.['image/png']).map(o => o.data['image/png']);
  const gif = async () => (await outputs()).some(o => /^<img [^>]*src="data:image\/gif;base64,/.test([o.data?.['text/html'] ?? ''].flat().join('')));
  const drawn = () => panel(p => [...p.content.activeCell.node.querySelectorAll('.jp-OutputArea img')].map(i => i.naturalWidth && i.src.slice(0, 14)));
  const errors = async () => (await outputs()).filter(o => o.output_type === 'error').map(o => o.evalue);
  const runAll = async name => {
    const started = Date.now();
    await command('notebook:run-all-cells');
    await idle();
    assert.deepEqual(await errors(), [], `${name}: cells fail: ${await errors()}`);
    console.log(`${name}: Run All without an error, ${((Date.now() - started) / 1000).toFixed(0)} s`);
    await shot(name);
  };
  // pictures scrolls through the notebook, whose cells are rendered when they come into view, and waits for its pictures.
  const pictures = async name => {
    const cells = await panel(p => p.content.widgets.length);
    for (let i = 0; i < cells; i++) {
      await panel((p, i) => p.content.scrollToItem(i), i);
      await page.waitForFunction(() => [...document.images].every(image => image.complete));
      const broken = await page.evaluate(() => [...document.images].filter(image => !image.naturalWidth).map(image => image.src));
      assert.deepEqual(broken, [], `${name}: pictures that cannot be loaded`);
    }
  };
  // sliders moves λ₂ and the start in the plane of 01 and looks at what the page says about the path.
  const sliders = async () => {
    const said = () => page.locator('.omm-plane [role=status]').textContent();
    const move = (i, value) => page.locator('.omm-plane input').nth(i).evaluate((slider, value) => {
      slider.value = value;
      slider.dispatchEvent(new Event('input'));
    }, value);
    await panel(p => p.content.scrollToItem(p.content.widgets.findIndex(w => /notebook\.Plane\(/.test(w.model.sharedModel.source))));
    await page.locator('.omm-plane canvas').waitFor();
    assert.match(await said(), /ends at \(1\.00, 0\.00\) with loss -2\.00/, 'the path does not end at w₁');
    await move(2, -1);
    assert.match(await said(), /runs away/, 'the path stays although the loss is unbounded');
    const at = await page.locator('.omm-plane canvas').boundingBox();
    await page.mouse.move(at.x + at.width / 4, at.y + at.height / 2);
    await page.mouse.down();
    await page.mouse.up();
    assert.match(await said(), /ends at \(-1\.00, 0\.00\)/, 'pointing does not move the start');
    await shot('01-sliders');
  };
  // retuned replaces a number in the first cell that has the text, which becomes the active one.
  const retuned = ([from, to]) => panel((p, [from, to]) => {
    const i = p.content.widgets.findIndex(w => w.model.type === 'code' && w.model.sharedModel.source.includes(from));
    if (i < 0) throw new Error(`no cell has ${from}`);
    p.content.activeCellIndex = i;
    const model = p.content.widgets[i].model.sharedModel;
    model.setSource(model.source.replace(from, to));
  }, [from, to]);
  // interrupted runs the active cell and interrupts it so many milliseconds later, or when it shows progress.
  const interrupted = async (name, when) => {
    await command('notebook:clear-all-cell-outputs');
    const ran = command('notebook:run-cell').catch(() => {});
    if (when) await page.waitForTimeout(when);
    else for (let n = 0; !/steps\/s/.test(await text()); n++) { assert(n < 300, `${name}: no progress is shown`); await page.waitForTimeout(200); }
    const started = Date.now();
    await command('notebook:interrupt-kernel');
    await ran;
    await idle();
    const took = (Date.now() - started) / 1000;
    assert(took < 5, `${name}: it takes ${took} s to stop`);
    assert.notDeepEqual(await errors(), [], `${name}: the cell continued`);
    console.log(`${name}: stopped after ${took.toFixed(1)} s`);
    await shot(name);
  };

  await page.goto(url);
  await idle();
  assert.equal(await panel(p => p.context.path), `${folder}/00_start_here.ipynb`, 'JupyterLab opens on another notebook');
  await page.waitForTimeout(2000);
  await pictures('00');
  await shot('00-opened');
  assert.equal(await panel(p => p.context.model.dirty), false, 'opening 00 modifies it');
  await runAll('00-run-all');
  await retuned(['Steps: 60_000', 'Steps: 200_000']);
  await command('notebook:clear-all-cell-outputs');
  const frames = new Set();
  const training = command('notebook:run-cell').then(() => 'ended');
  while (await Promise.race([training, page.waitForTimeout(100)]) !== 'ended') (await pngs()).forEach(png => frames.add(png));
  await idle();
  assert.deepEqual(await errors(), [], 'the cell fails after changing a number');
  assert.match(await text(), /200000\/200000/, 'changing a number has no effect');
  assert(frames.size > 3, `the live picture had ${frames.size} frames`);
  assert(await gif(), 'the live picture does not end as an animation');
  assert.deepEqual(await drawn(), ['data:image/gif'], 'the animation is not shown');
  console.log(`the live picture changed ${frames.size - 1} times and is an animation`);
  await shot('00-changed');

  await retuned(['Steps: 200_000', 'Steps: 9_000_000']);
  await interrupted('00-interrupted-compiling', 400);
  await interrupted('00-interrupted-training');
  assert.equal((await pngs()).length, 1, 'an interrupt leaves no frame');
  assert.deepEqual(await drawn(), ['data:image/png'], 'the last frame is not shown');
  await retuned(['Steps: 9_000_000', 'Steps: 60_000']);

  await retuned(['v, losses := descend()', 'v, losses := descend()']);
  await command('notebook:clear-all-cell-outputs');
  await panel(p => p.sessionContext.restartKernel());
  await idle();
  await command('notebook:run-cell');
  await idle();
  assert.match((await errors()).join('\n'), /undefined: descend[^]*run the cells above/, 'a cell before the cell that it needs');
  await shot('00-without-cells-above');
  await panel(p => p.sessionContext.restartKernel());
  await idle();
  await runAll('00-restarted');
  await panel(p => p.context.save());

  // A new notebook has the library, progress by default, and a hint about a line %%.
  await page.evaluate(async folder => {
    const { commands } = window.jupyterapp;
    const { path } = await commands.execute('docmanager:new-untitled', { path: folder, type: 'notebook' });
    await commands.execute('docmanager:open', { path, kernel: { name: 'gonb' } });
  }, folder);
  const ran = async source => {
    await idle();
    await panel((p, source) => p.content.activeCell.model.sharedModel.setSource(source), source);
    await command('notebook:run-cell');
    await idle();
  };
  await ran('fmt.Println(1)');
  assert.match((await errors()).join('\n'), /expected declaration \(.* %% .*\), found fmt/, 'statements without a line %%');
  await ran(`import "omm-go/ommlx/learn"

%%
graph := learn.Graph{Nodes: 500}
for i := range 500 {
	graph.Edges = append(graph.Edges, [2]int{i, (i + 1) % 500}, [2]int{i, i * i % 500})
}
_, err := learn.Learn(context.Background(), graph, 6, learn.Settings{Steps: 100_000})
fmt.Println(err)`);
  assert.match(await text(), /step 100000\/100000 .* values \[1 (\S+ ){4}\S+\]<[^]*<nil>/, 'a notebook of one\'s own');
  console.log('a new notebook imports the library and shows progress');
  await shot('new-notebook');

  const all = fs.readdirSync(folder).filter(f => f.endsWith('.ipynb')).sort();
  for (const file of all.filter(f => /^\d/.test(f) && !f.startsWith('00') && (!named.length || named.some(n => f.startsWith(n))))) {
    await page.evaluate(path => window.jupyterapp.commands.execute('docmanager:open', { path }).then(() => {}), `${folder}/${file}`);
    await idle();
    await pictures(file);
    await runAll(file.replace('.ipynb', ''));
    if (file.startsWith('01')) await sliders();
    await panel(p => p.context.save().then(() => p.sessionContext.shutdown()).then(() => p.close()).then(() => {}));
  }
  await browser.close();
})().catch(e => { console.error(`lab.js: ${e.message}`); process.exit(1); });
