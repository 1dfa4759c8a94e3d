// The pages of a gateway below a path of a proxy that wants Basic credentials, in a real browser.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { newApiKey } from '../../src/auth/api-keys';
import { operationIsRead, startBrowser } from '../support/browser';
import { startProxy } from '../support/proxy';
import { type RunningGateway, runGateway } from '../support/running-gateway';
import { makeShownFarm } from '../support/shown-farm';

const owner = newApiKey('owner', 'read+write');

let browser: Browser;
let gateway: RunningGateway;
let proxy: Awaited<ReturnType<typeof startProxy>>;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  browser = await startBrowser();
  gateway = await runGateway({ API_KEYS: owner.entry });
  proxy = await startProxy(gateway.url, { path: '/print/farm', basic: 'shop:secret' });
});

beforeEach(async () => {
  context = await browser.newContext({ httpCredentials: { username: 'shop', password: 'secret' } });
  page = await context.newPage();
});

afterEach(async () => {
  await context.close();
  expect(proxy.outside).toEqual([]);
});

afterAll(async () => {
  await browser?.close();
  proxy?.stop();
  await gateway?.stop();
});

test('the dashboard works below a path, and its key goes beside the credentials of the proxy', async () => {
  const { makeJob, makeCamera } = await makeShownFarm(gateway.url, { 'x-api-key': owner.key });
  const id = await makeJob('Hook');
  const pages = page.getByRole('navigation', { name: 'Pages' });
  await page.goto(`${proxy.url}/jobs/${id}/edit`);
  await page.getByLabel('API key or token').fill(owner.key);
  await page.keyboard.press('Enter');
  await page.getByLabel('Name of the print').waitFor();
  await page.getByRole('banner').getByText('Live').waitFor();
  await pages.getByRole('link', { name: 'Farm' }).click();
  expect(page.url()).toBe(`${proxy.url}/`);
  await makeCamera('one', { online: true, batteryPct: 83 });
  await page.locator('[data-key="one"]').getByText('83 %').waitFor();
  await pages.getByRole('link', { name: 'Jobs' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('print-jobs.csv');
  await page.getByRole('button', { name: 'Menu' }).click();
  for (const [name, path] of [
    ['Playground', 'graphql'],
    ['REST description', 'openapi'],
  ] as const)
    expect(await page.getByRole('menuitem', { name }).getAttribute('href')).toBe(`${proxy.url}/${path}`);
});

test('the playground and the description of REST work below a path', async () => {
  await page.goto(`${proxy.url}/graphql`);
  await operationIsRead(page, 'FarmAtAGlance');
  await page.goto(`${proxy.url}/openapi`);
  await page.getByRole('link', { name: '/cameras', exact: true }).first().waitFor();
});
