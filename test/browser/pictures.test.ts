// The pictures of the README, taken of the example farm. With PICTURES=new in the environment new ones take their place.
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { startBrowser, visit } from '../support/browser';
import { startChild } from '../support/child-process';
import { CLI, ROOT, type RunningGateway, runGateway } from '../support/running-gateway';

const FOLDER = 'test/browser/pictures';
const MAX_BYTES = 150_000;

const PICTURES = [
  { name: 'farm.png', path: '/', colorScheme: 'light', shows: 'Cameras' },
  { name: 'camera.png', path: '/camera/bay-3-nozzle', colorScheme: 'dark', shows: 'Records' },
] as const;

let browser: Browser;
let gateway: RunningGateway;

beforeAll(async () => {
  [browser, gateway] = await Promise.all([startBrowser(), runGateway()]);
  const { hostname, port } = new URL(gateway.url);
  expect(await startChild(CLI, ['seed'], { HOST: hostname, PORT: port }).ended).toBe(0);
});

afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});

test.each(PICTURES)('$name can be taken, and the README shows a small one', async (picture) => {
  const { name, path, colorScheme, shows } = picture;
  const { page, step, problems } = await visit(browser, gateway.url + path, { width: 1280, colorScheme });
  const taken = await step('the page', async () => {
    await page.getByRole('table', { name: shows }).locator('[data-index="1"]').waitFor();
    if (shows === 'Records') await page.locator('.recharts-area-curve').nth(2).waitFor();
    return page.screenshot();
  });
  expect(taken.length).toBeLessThan(MAX_BYTES);
  const file = join(ROOT, FOLDER, name);
  if (process.env['PICTURES'] === 'new') {
    mkdirSync(join(ROOT, FOLDER), { recursive: true });
    writeFileSync(file, taken);
  }
  expect(statSync(file).size).toBeLessThan(MAX_BYTES);
  expect(readFileSync(join(ROOT, 'README.md'), 'utf8')).toContain(`](${FOLDER}/${name})`);
  expect(problems).toEqual([]);
});
