// The dashboard in a real browser: what it shows, what it changes, and how it bears an absent gateway.
import type { Browser } from 'playwright-core';
import { CancelPrintJobDocument } from '../../src/generated/operations';
import { startBrowser, visit } from '../support/browser';
import { type RunningGateway, runGateway } from '../support/running-gateway';
import { makeShownFarm } from '../support/shown-farm';

let browser: Browser;
let gateway: RunningGateway;

beforeAll(async () => {
  browser = await startBrowser();
});

beforeEach(async () => {
  gateway = await runGateway();
});

afterEach(() => gateway?.stop());
afterAll(() => browser?.close());

test('a new farm says what to do first', async () => {
  const { page, step, outside, problems } = await visit(browser, gateway.url);
  await step('the empty states', async () => {
    await page.getByText('No printers yet.').waitFor();
    await page.getByText('No cameras yet.').waitFor();
    await page.getByText('No print jobs here.').waitFor();
  });
  expect({ outside, problems }).toEqual({ outside: [], problems: [] });
});

test('shows cameras and jobs, and names in markup stay text', async () => {
  const { makeJob, makeCamera } = await makeShownFarm(gateway.url);
  await makeCamera('one', { online: true, batteryPct: 83 });
  const hoursAgo = new Date(Date.now() - 3 * 3_600_000).toISOString();
  await makeCamera('two', { online: false, batteryPct: 7, recordedAt: hoursAgo });
  await makeCamera('three');
  const id = await makeJob('<img src=x onerror=alert(1)>');
  const { page, step, outside, problems } = await visit(browser, gateway.url);
  const shown = await step('the farm', async () => {
    await page.locator(`[data-job="${id}"]`).waitFor();
    return {
      one: await page.locator('[data-camera="one"]').textContent(),
      two: await page.locator('[data-camera="two"]').textContent(),
      three: await page.locator('[data-camera="three"]').textContent(),
      online: await page.locator('#cameras-count').textContent(),
      job: (await page.locator(`[data-job="${id}"] > *`).allTextContents()).slice(0, 6),
    };
  });
  expect(shown).toEqual({
    one: expect.stringMatching(/online[\s\S]*83 %/),
    two: expect.stringMatching(/offline[\s\S]*7 %[\s\S]*3 hours ago/),
    three: expect.stringContaining('no status yet'),
    online: '1 of 3 online',
    job: ['<img src=x onerror=alert(1)>', 'Queued', 'Bay 1', 'PETG-1 (PETG)', '3.05', '0.4200'],
  });
  expect({ outside, problems }).toEqual({ outside: [], problems: [] });
});

test('changes a status by keyboard, keeps the focus, and filters by status', async () => {
  const { makeJob } = await makeShownFarm(gateway.url);
  const first = await makeJob('Hook');
  const second = await makeJob('Vase');
  const { page, step } = await visit(browser, gateway.url);
  await step('start the first job', async () => {
    await page.getByRole('button', { name: 'Change Hook to Printing' }).focus();
    await page.keyboard.press('Enter');
    await page.locator(`[data-job="${first}"]`).getByText('Printing', { exact: true }).waitFor();
    await page.getByText('1 of 1 printing').waitFor();
  });
  const focused = await page.evaluate(() => document.activeElement?.closest('[data-job]')?.getAttribute('data-job'));
  expect(focused).toBe(first);
  await step('show what waits', async () => {
    await page.getByRole('button', { name: 'Queued 1' }).click();
    await page.locator(`[data-job="${first}"]`).waitFor({ state: 'detached' });
    await page.locator(`[data-job="${second}"]`).waitFor();
  });
  expect(await page.getByRole('button', { name: 'Queued 1' }).getAttribute('aria-pressed')).toBe('true');
});

test('asks before a job is cancelled', async () => {
  const { makeJob } = await makeShownFarm(gateway.url);
  const id = await makeJob('Hook');
  const { page, step } = await visit(browser, gateway.url);
  const questions: string[] = [];
  page.on('dialog', (dialog) => {
    questions.push(dialog.message());
    return questions.length === 1 ? dialog.dismiss() : dialog.accept();
  });
  await step('cancel, first not meant, then meant', async () => {
    const button = page.getByRole('button', { name: 'Change Hook to Cancelled' });
    await button.click();
    expect(await page.locator(`[data-job="${id}"]`).textContent()).toContain('Queued');
    await button.click();
    await page.locator(`[data-job="${id}"] .state`).getByText('Cancelled').waitFor();
  });
  expect(questions).toEqual([expect.stringContaining('"Hook"'), expect.stringContaining('"Hook"')]);
});

test('a change that is refused says why and shows what became of the job', async () => {
  const { client, makeJob } = await makeShownFarm(gateway.url);
  const id = await makeJob('Hook');
  const { page, step } = await visit(browser, gateway.url);
  const button = page.getByRole('button', { name: 'Change Hook to Printing' });
  await step('change what somebody else has cancelled', async () => {
    await button.waitFor();
    // No poll may come between: the page learns of the cancellation by its own refused change.
    let refused = false;
    await page.route('**/graphql', (route) => {
      refused ||= route.request().postData()?.includes('mutation') ?? false;
      return refused ? route.continue() : route.abort();
    });
    await client.request(CancelPrintJobDocument, { id });
    await button.click();
    await page.locator(`[data-job="${id}"] .state`).getByText('Cancelled').waitFor();
  });
  expect(await page.getByRole('alert').textContent()).toMatch(
    /"Hook" was not changed: .*Cancelled.*\(request [0-9a-f-]{36}\)/,
  );
});

test('follows the farm, tells when the gateway is gone, and recovers', async () => {
  const { makeCamera } = await makeShownFarm(gateway.url);
  await makeCamera('one', { online: true, batteryPct: 50 });
  const { page, step } = await visit(browser, gateway.url);
  const alert = page.getByRole('alert');
  await step('a camera that is registered later appears', async () => {
    await page.locator('[data-camera="one"]').waitFor();
    await makeCamera('later');
    await page.locator('[data-camera="later"]').waitFor();
  });
  await gateway.stop();
  await step('the loss is told, the last state stays', async () => {
    await alert.getByText('The farm cannot be read').waitFor();
    expect(await page.locator('[data-camera]').count()).toBe(2);
  });
  gateway = await runGateway({ PORT: new URL(gateway.url).port });
  await step('the gateway is back, with an empty memory', async () => {
    await alert.waitFor({ state: 'hidden' });
    await page.getByText('No cameras yet.').waitFor();
  });
});
