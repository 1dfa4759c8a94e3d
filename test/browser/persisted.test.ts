// The dashboard of a gateway that runs persisted operations alone: each page, in a real browser.
import type { Browser } from 'playwright-core';
import { PrintersDocument } from '../../src/generated/operations';
import { startBrowser, visit } from '../support/browser';
import { type RunningGateway, runGateway } from '../support/running-gateway';
import { makeShownFarm } from '../support/shown-farm';

let browser: Browser;
let gateway: RunningGateway;

beforeAll(async () => {
  [browser, gateway] = await Promise.all([startBrowser(), runGateway({ PERSISTED_ONLY: 'true' })]);
});

afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});

test('every page works whole with the operations of the manifest', async () => {
  const { client, makeJob, makeCamera } = await makeShownFarm(gateway.url);
  const id = await makeJob('Hook');
  const printer = (await client.request(PrintersDocument)).printers.nodes[0]?.id;
  await makeCamera('one', { online: true, batteryPct: 50 });
  const { page, step, problems } = await visit(browser, gateway.url);
  const pages = {
    '/': '50 %',
    '/camera/one': 'of the time live',
    '/jobs': 'Hook',
    [`/jobs/${id}`]: '2.40528188 mm²',
    [`/jobs/${id}/edit`]: '2.40528188 mm²',
    '/jobs/new': 'Choose a spool to see them.',
    '/filament': 'PETG-1',
    '/filament/usage': 'No job ended in this time.',
    '/filament/materials': 'PETG',
    '/filament/printers': 'Bay 1',
    [`/printers/${printer}`]: 'No spool was loaded',
    '/prints/00000000-0000-0000-0000-000000000000': 'There is no print with this id.',
    '/start': 'Record its first status',
  };
  for (const [path, shows] of Object.entries(pages)) {
    await step(path, async () => {
      await page.goto(gateway.url + path);
      await page.getByRole('main').getByText(shows).first().waitFor();
      await page.getByRole('banner').getByText('Live').waitFor();
      expect((await page.getByRole('alert').allTextContents()).join('')).toBe('');
    });
  }
  await step('a change, and what it alters', async () => {
    await page.goto(`${gateway.url}/jobs?status=QUEUED`);
    await page.getByRole('button', { name: 'Start Hook' }).click();
    await page.getByText('Now printing.', { exact: true }).waitFor();
    await makeJob('Nut');
    await page.getByRole('link', { name: 'Nut' }).waitFor();
  });
  await step('a camera and its removal', async () => {
    await page.goto(`${gateway.url}/camera/one`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Its log goes with it: 1 record.').waitFor();
    await page.getByRole('button', { name: 'Remove the camera' }).click();
    await page.getByText('No cameras yet.').waitFor();
  });
  expect(problems).toEqual([]);
});
