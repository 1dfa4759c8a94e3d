// Signing in at the dashboard of a gateway that wants keys: who is let in, what is kept where, and what is said.
import type { Browser, Page } from 'playwright-core';
import { newApiKey } from '../../src/auth/api-keys';
import { startBrowser, visit } from '../support/browser';
import { type RunningGateway, runGateway } from '../support/running-gateway';
import { makeShownFarm } from '../support/shown-farm';

const reader = newApiKey('reader', 'read');
const recorder = newApiKey('recorder', 'write');
const owner = newApiKey('owner', 'read+write');

let browser: Browser;
let gateway: RunningGateway;
let farm: Awaited<ReturnType<typeof makeShownFarm>>;

beforeAll(async () => {
  const keys = [reader, recorder, owner].map(({ entry }) => entry).join();
  [browser, gateway] = await Promise.all([startBrowser(), runGateway({ API_KEYS: keys })]);
  farm = await makeShownFarm(gateway.url, { 'x-api-key': owner.key });
});

afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});

const formOf = (page: Page) => page.getByRole('form', { name: 'Sign in' });
const rowOf = (page: Page) => page.getByRole('table', { name: 'Printers' }).getByText('Bay 1');

/** By keyboard alone: the focus is where a key is expected. */
async function signIn(page: Page, key: string): Promise<void> {
  await formOf(page).waitFor();
  await page.keyboard.type(key);
  await page.keyboard.press('Enter');
}

/** What the page keeps, by the place where it is kept. */
const changesOf = (page: Page) =>
  page.evaluate(() => ({ tab: Object.values(sessionStorage), computer: Object.values(localStorage) }));

test('asks for a key, refuses a wrong one, and shows the farm to a right one', async () => {
  const { page, step } = await visit(browser, gateway.url);
  await step('the form, ready to type into', async () => {
    await formOf(page).waitFor();
    expect(await page.getByLabel('API key or token').evaluate((input) => input === document.activeElement)).toBe(true);
    expect(await page.getByLabel('API key or token').getAttribute('type')).toBe('password');
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.getByRole('main').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Sign out' }).count()).toBe(0);
  });
  for (const wrong of ['pfg_wrong', 'pfg_wrong again', `${reader.key}ü`, reader.key.slice(0, -1)]) {
    await step(`the wrong key "${wrong}"`, async () => {
      await signIn(page, wrong);
      await page
        .getByRole('alert')
        .getByText(/does not accept this key|This is no API key/)
        .waitFor();
      expect(await changesOf(page)).toEqual({ tab: [], computer: [] });
    });
  }
  await step('the right key, typed over the wrong one', async () => {
    await signIn(page, reader.key);
    await rowOf(page).waitFor();
    await formOf(page).waitFor({ state: 'hidden' });
    await page.getByRole('status').getByText('Signed in.').waitFor({ state: 'attached' });
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});

test('a key is kept for the tab: after a reload, not in another tab, gone with signing out', async () => {
  const { page, step } = await visit(browser, gateway.url);
  await step('signed in, also after a reload', async () => {
    await signIn(page, reader.key);
    await rowOf(page).waitFor();
    await page.reload();
    await rowOf(page).waitFor();
    expect(await changesOf(page)).toEqual({ tab: [reader.key], computer: [] });
  });
  const other = await openTab(page);
  await step('another tab is asked for its own', () => formOf(other).waitFor());
  await step('signed out, also after a reload', async () => {
    await page.getByRole('button', { name: 'Sign out' }).click();
    for (const again of [false, true]) {
      if (again) await page.reload();
      await formOf(page).waitFor();
      expect(await rowOf(page).count()).toBe(0);
      expect(await changesOf(page)).toEqual({ tab: [], computer: [] });
    }
  });
});

test('a key that is remembered on the computer serves every tab, and signing out of one is out of all', async () => {
  const { page, step } = await visit(browser, gateway.url);
  await step('signed in for the computer', async () => {
    await formOf(page).waitFor();
    await page.getByLabel('Remember on this computer').check();
    await page.getByLabel('API key or token').fill(` ${reader.key} `);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await rowOf(page).waitFor();
    expect(await changesOf(page)).toEqual({ tab: [], computer: [reader.key] });
  });
  const other = await openTab(page);
  await step('another tab needs no key', () => rowOf(other).waitFor());
  await step('out of both', async () => {
    await other.getByRole('button', { name: 'Sign out' }).click();
    await Promise.all([page, other].map((tab) => formOf(tab).waitFor()));
    expect(await changesOf(page)).toEqual({ tab: [], computer: [] });
  });
});

test('a key that may only write is told so, and can be left for another', async () => {
  const { page, step } = await visit(browser, gateway.url);
  await step('the farm cannot be read', async () => {
    await signIn(page, recorder.key);
    await page.getByRole('alert').getByText('These credentials may write, but not read').waitFor();
    expect(await formOf(page).count()).toBe(0);
    expect(await changesOf(page)).toEqual({ tab: [recorder.key], computer: [] });
  });
  await step('another key', async () => {
    await page.getByRole('button', { name: 'Sign out' }).click();
    await signIn(page, owner.key);
    await rowOf(page).waitFor();
  });
});

test('nobody is asked again and again while signed out, and a key that is withdrawn is asked for anew', async () => {
  const { page, step } = await visit(browser, gateway.url, { hasOwnClock: true });
  let asked = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST') asked += 1;
  });
  await step('longer than two polls', async () => {
    await formOf(page).waitFor();
    asked = 0;
    await page.clock.runFor(11_000);
    // What was asked before it has been seen when it is answered.
    await page.evaluate(() => fetch('/healthz').then((answer) => answer.text()));
    expect(asked).toBe(0);
  });
  await step('a key that is not accepted any more', async () => {
    await signIn(page, reader.key);
    await rowOf(page).waitFor();
    await page.route('**/graphql', (route) =>
      route.continue({ headers: { ...route.request().headers(), 'x-api-key': 'withdrawn' } }),
    );
    // A page that watches asks nothing until a change arrives, or until its user returns to it.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await page.getByRole('alert').getByText('does not accept this key').waitFor();
    expect(await page.getByRole('main').count()).toBe(0);
    expect(await changesOf(page)).toEqual({ tab: [], computer: [] });
  });
});

test('nothing of the farm stays when a key is withdrawn, not even a question', async () => {
  await farm.makeJob('Hook');
  const { page, step } = await visit(browser, `${gateway.url}/jobs`);
  await step('a change, and a question', async () => {
    await signIn(page, owner.key);
    await page.getByRole('button', { name: 'Start Hook' }).click();
    await page.getByRole('button', { name: 'Complete Hook' }).click();
    await page.getByRole('alertdialog').waitFor();
  });
  await step('the key is withdrawn', async () => {
    await page.route('**/graphql', (route) => route.fulfill({ status: 401, json: { errors: [UNAUTHENTICATED] } }));
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await page.getByRole('alert').getByText('does not accept this key').waitFor();
    expect(await page.getByRole('alertdialog').count()).toBe(0);
    expect(await page.content()).not.toContain('Hook');
  });
});

test('a key that cannot be checked yet stays in its field, and is kept once it is', async () => {
  const { page, step } = await visit(browser, gateway.url);
  await step('no answer', async () => {
    await formOf(page).waitFor();
    await page.route('**/graphql', (route) => route.abort());
    await signIn(page, reader.key);
    await page.getByRole('alert').getByText('The gateway does not answer').waitFor();
  });
  await step('an answer', async () => {
    await page.unroute('**/graphql');
    await page.keyboard.press('Enter');
    await rowOf(page).waitFor();
    expect(await changesOf(page)).toEqual({ tab: [reader.key], computer: [] });
  });
});

const UNAUTHENTICATED = { message: 'The credentials are not valid', extensions: { code: 'UNAUTHENTICATED' } };

/** Of the same browser, without what the first tab keeps for itself. */
async function openTab(page: Page): Promise<Page> {
  const opened = page.context().waitForEvent('page');
  await page.evaluate(() => void window.open(location.href, '_blank', 'noopener'));
  return opened;
}
