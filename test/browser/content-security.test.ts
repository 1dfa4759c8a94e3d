// The content security policy in a real browser: every page has one and lives by it, and what is data never runs.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { ChangePrintJobStatusDocument } from '../../src/generated/operations';
import { startBrowser, visit } from '../support/browser';
import { ROOT, type RunningGateway, runGateway } from '../support/running-gateway';
import { makeShownFarm } from '../support/shown-farm';

/** Leaves a mark where it runs. */
const SCRIPT = 'window.ran = true';
const MARKUP = `<img src=x onerror="${SCRIPT}"><script>${SCRIPT}</script>`;
const hasRun = (page: Page) => page.evaluate(() => 'ran' in window);

const pages = [
  { path: '/', file: join('dist', 'dashboard', 'index.html'), use: 'Menu' },
  { path: '/graphql', file: join('src', 'web', 'playground.html'), use: 'Show History' },
  { path: '/openapi', file: join('src', 'web', 'rest.html'), use: 'Register a camera' },
];

let browser: Browser;
let gateway: RunningGateway;

beforeAll(async () => {
  [browser, gateway] = await Promise.all([startBrowser(), runGateway()]);
  const names = { material: MARKUP, spool: MARKUP, printer: MARKUP };
  const { client, makeJob, makeCamera } = await makeShownFarm(gateway.url, {}, names);
  await client.request(ChangePrintJobStatusDocument, { id: await makeJob(MARKUP), status: 'PRINTING' });
  await makeCamera('one', { online: true, batteryPct: 50, recordingState: MARKUP, mode: MARKUP, resolution: MARKUP });
  await makeCamera(MARKUP);
});

afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});

test('these are all pages that there are', () => {
  const files = readdirSync(join(ROOT, 'src', 'web')).filter((name) => name.endsWith('.html'));
  expect(pages.map(({ file }) => basename(file))).toEqual(files);
});

test.each(pages)('$path keeps its policy, and no script gets in', async ({ path, file, use }) => {
  const { page, step, problems } = await visit(browser, gateway.url + path);
  await step('the page with its policy', async () => {
    const answer = await page.reload();
    expect(await answer?.text()).toBe(readFileSync(join(ROOT, file), 'utf8'));
    expect(await answer?.allHeaders()).toMatchObject({ 'content-security-policy': expect.stringContaining('-src ') });
  });
  await step('nothing in use is against it', async () => {
    await page.getByRole('button', { name: use }).click();
    await page.waitForLoadState('load');
    expect(problems).toEqual([]);
  });
  await step('a script that is put in does not run', async () => {
    const violated = await page.evaluate(
      async ([script, markup]) => {
        const directives: string[] = [];
        document.addEventListener('securitypolicyviolation', (event) => directives.push(event.effectiveDirective));
        document.body.append(Object.assign(document.createElement('script'), { text: script }));
        document.body.append(Object.assign(document.createElement('script'), { src: 'http://localhost:9/run.js' }));
        document.body.append(Object.assign(document.createElement('div'), { innerHTML: markup }));
        while (directives.length < 3) await new Promise((resolve) => setTimeout(resolve, 20));
        return directives.sort();
      },
      [SCRIPT, MARKUP] as const,
    );
    expect(violated).toEqual(['script-src-attr', 'script-src-elem', 'script-src-elem']);
    expect(await hasRun(page)).toBe(false);
  });
});

test('markup in any text of the farm is shown as that text', async () => {
  const { page, step, outside, problems } = await visit(browser, gateway.url);
  await step('the farm', async () => {
    await page.locator('[data-key="one"]').waitFor();
    const texts = await page.getByText(MARKUP).allTextContents();
    // A printer, what it prints and its spool; the name and id of a camera; the recording of another.
    expect(texts).toHaveLength(6);
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(await page.title()).toBe('Farm · Print Farm');
    expect(await hasRun(page)).toBe(false);
  });
  expect({ outside, problems }).toEqual({ outside: [], problems: [] });
});
