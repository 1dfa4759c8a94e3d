// Tests signing in at a gateway that requires keys: who gets access, what is stored where, and what each caller may do.
import { buffer } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { generateApiKey } from '../../src/doors/auth/api-keys';
import { visit, waitForOperation } from '../support/browser';
import { connectionLabel, heading, navigateTo, openPage, shareDashboard } from '../support/dashboard';
import { listenInProcess } from '../support/listening-gateway';
import { makeDevice } from '../support/prints';
import { startProxy } from '../support/proxy';
import { readCode } from '../support/qr-code';

const reader = generateApiKey('reader', 'read');
const recorder = generateApiKey('recorder', 'write');
const writer = generateApiKey('writer', 'read+write');
const owner = generateApiKey('owner', 'read+write+devices');

const API_KEYS = [reader, recorder, writer, owner].map(({ entry }) => entry).join();
const dashboard = shareDashboard({ API_KEYS, CURRENCY: 'EUR', COLLECT: 'false' }, owner.key);
let farm: Awaited<ReturnType<typeof dashboard.makeFarm>>;
let job: string;

beforeAll(async () => {
  farm = await dashboard.makeFarm('one');
  job = await farm.makeJob('Vase');
  await farm.makeCamera('one');
  await makeDevice(dashboard, { printerId: farm.printerId });
});

const findForm = (page: Page) => page.getByRole('form', { name: 'Sign in' });
const findRow = (page: Page) => page.getByRole('list', { name: 'Printers' }).getByText('Printer one');
const signOut = (page: Page) => page.getByRole('button', { name: 'Sign out' }).click();

/** By keyboard alone: the focus is where a key is expected. */
async function signIn(page: Page, key: string): Promise<void> {
  await findForm(page).waitFor();
  await page.getByLabel('API key or token').and(page.locator(':focus')).waitFor();
  await page.keyboard.type(key);
  await page.keyboard.press('Enter');
}

/** What the page stores, by the place where it is stored. */
const keptOn = (page: Page) =>
  page.evaluate(() => ({ tab: Object.values(sessionStorage), computer: Object.values(localStorage) }));
const NOTHING = { tab: [], computer: [] };

/** Another tab of the same browser, without what the first tab stores for itself. */
async function openTab(page: Page): Promise<Page> {
  const opened = page.context().waitForEvent('page');
  await page.evaluate(() => void window.open(location.href, '_blank', 'noopener'));
  return opened;
}

test('asks for a key, refuses a wrong one, and keeps a right one for the tab until its user signs out', async () => {
  const { page, step } = await dashboard.visit('/');
  await step('the form', async () => {
    await findForm(page).waitFor();
    expect(await page.getByLabel('API key or token').getAttribute('type')).toBe('password');
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.getByRole('main').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Sign out' }).count()).toBe(0);
  });
  for (const [wrong, told] of [
    [`${reader.key}ü`, 'An API key or token has no spaces'],
    [reader.key.slice(0, -1), 'Wrong key'],
  ] as const) {
    await step(`the wrong key "${wrong}"`, async () => {
      await signIn(page, wrong);
      await page.getByRole('alert').getByText(told).waitFor();
      expect(await keptOn(page)).toEqual(NOTHING);
    });
  }
  await step('no answer: the key stays in its field', async () => {
    await page.reload();
    await findForm(page).waitFor();
    await page.route('**/graphql', (route) => route.abort());
    await signIn(page, reader.key);
    await page.getByRole('alert').getByText('The gateway does not answer').waitFor();
    await page.unroute('**/graphql');
    await page.keyboard.press('Enter');
    await findRow(page).waitFor();
    await findForm(page).waitFor({ state: 'hidden' });
    await page.getByRole('status').getByText('Signed in.').waitFor({ state: 'attached' });
  });
  await step('after a reload', async () => {
    await page.reload();
    await findRow(page).waitFor();
    expect(await keptOn(page)).toEqual({ tab: [reader.key], computer: [] });
  });
  await step('another tab is asked for its own', async () => {
    const other = await openTab(page);
    await findForm(other).waitFor();
    await other.close();
  });
  await step('signed out, also after a reload', async () => {
    await signOut(page);
    await findForm(page).waitFor();
    await page.reload();
    await findForm(page).waitFor();
    expect(await findRow(page).count()).toBe(0);
    expect(await keptOn(page)).toEqual(NOTHING);
  });
  await step('a key that may only write is refused with a reason, and can be left', async () => {
    await signIn(page, recorder.key);
    await page.getByRole('alert').getByText('Your key does not open these pages').waitFor();
    await signOut(page);
  });
  await step('remembered on the computer, also for another tab', async () => {
    await findForm(page).waitFor();
    await page.getByLabel('Remember me on this computer').check();
    await page.getByLabel('API key or token').fill(` ${reader.key} `);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await findRow(page).waitFor();
    expect(await keptOn(page)).toEqual({ tab: [], computer: [reader.key] });
    const other = await openTab(page);
    await findRow(other).waitFor();
    await signOut(other);
    for (const tab of [page, other]) await findForm(tab).waitFor();
    expect(await keptOn(page)).toEqual(NOTHING);
    await other.close();
  });
});

test('a wall display continues without a click after a busy database, and after a proxy that answered in place of the gateway', async () => {
  const { page, step } = await dashboard.visit('/', { hasOwnClock: true });
  await signIn(page, reader.key);
  await findRow(page).waitFor();
  const alert = page.getByRole('alert');
  const recover = async () => {
    await page.unrouteAll();
    await page.clock.runFor(31_000);
    await findRow(page).waitFor();
    await alert.filter({ hasText: 'Trying again' }).waitFor({ state: 'detached' });
    expect(await keptOn(page)).toEqual({ tab: [reader.key], computer: [] });
  };
  await step('busy', async () => {
    const errors = [{ message: 'busy', extensions: { code: 'INTERNAL_SERVER_ERROR' } }];
    await page.route('**/graphql', (route) =>
      route.request().postData()?.includes('query FarmPrinters')
        ? route.fulfill({ json: { data: null, errors } })
        : route.continue(),
    );
    await page.reload();
    await alert.getByText('Could not load the farm. The gateway is busy. Trying again …').waitFor();
    await recover();
  });
  await step('the page of a proxy, which even refuses the caller', async () => {
    await page.route('**/graphql', (route) =>
      route.fulfill({ status: 401, contentType: 'text/html', body: '<h1>Sign in to the proxy</h1>' }),
    );
    await page.reload();
    await alert.getByText('Another program answers in place of the gateway, such as a proxy. Trying again …').waitFor();
    await recover();
  });
});

test('no request is sent while signed out, and nothing of a withdrawn key stays, not even a dialog', async () => {
  const { page, step } = await dashboard.visit('/jobs', { hasOwnClock: true });
  let asked = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST') asked += 1;
  });
  await step('longer than two polls', async () => {
    await findForm(page).waitFor();
    asked = 0;
    await page.clock.runFor(11_000);
    // Earlier requests have been seen when this one is answered.
    await page.evaluate(() => fetch('/healthz').then((answer) => answer.text()));
    expect(asked).toBe(0);
  });
  await step('a question', async () => {
    await signIn(page, writer.key);
    await page.getByRole('button', { name: 'More actions for Vase' }).click();
    await page.getByRole('menuitem', { name: 'Cancel job' }).click();
    await page.getByRole('alertdialog').waitFor();
  });
  await step('the key is withdrawn', async () => {
    await page.route('**/graphql', (route) =>
      route.continue({ headers: { ...route.request().headers(), 'x-api-key': 'withdrawn' } }),
    );
    // A page that watches sends no request until a change arrives, or until its user returns to it.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await page.getByRole('alert').getByText('Wrong key').waitFor();
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    expect(await page.getByRole('main').count()).toBe(0);
    expect(await page.content()).not.toContain('Vase');
    expect(await keptOn(page)).toEqual(NOTHING);
  });
});

test('buttons that write are shown to callers who may, prices have their currency, and CSV files are fetched with credentials', async () => {
  const { page, step } = await dashboard.visit('/jobs', { locale: 'de-DE' });
  /** What each caller sees of a page, by the scopes of the caller. */
  const shown: [path: string, title: string, shows: string, button: string, right: 'write' | 'devices'][] = [
    ['/jobs', 'Jobs', 'Queued', 'Start Vase', 'write'],
    ['/', 'Farm', 'Camera one', 'Add a printer', 'write'],
    ['/camera/', 'Cameras', 'Camera one', 'Add a camera', 'write'],
    ['/camera/one', 'Camera one', 'No data yet', 'Edit camera', 'write'],
    ['/spools', 'Spools', 'Spool one', 'Edit Spool one', 'write'],
    ['/filaments', 'Products', 'Products appear here', 'Add a product', 'write'],
    [`/printers/${farm.printerId}`, 'Printer one', '192.168.0.9', 'Disable connection', 'devices'],
    ['/notifications', 'Notifications', 'Notifications', 'Add a channel', 'devices'],
  ];
  for (const { key, rights } of [
    { key: reader.key, rights: [''] },
    { key: writer.key, rights: ['write'] },
    { key: owner.key, rights: ['write', 'devices'] },
  ]) {
    await signIn(page, key);
    await connectionLabel(page, 'Live').waitFor();
    for (const [path, title, shows, button, right] of shown) {
      await step(`${path} with the rights ${rights}`, async () => {
        await navigateTo(page, path);
        await heading(page, title).waitFor();
        // A connection without a problem is folded.
        if (right === 'devices' && path.startsWith('/printers/'))
          await page.locator('summary').filter({ hasText: 'Connection' }).click();
        await page.getByRole('main').getByText(shows).first().waitFor();
        const buttons = page.getByRole('button', { name: button, exact: true });
        if (rights.includes(right)) await buttons.waitFor();
        else expect(await buttons.count()).toBe(0);
      });
    }
    await step('the form of a job', async () => {
      await navigateTo(page, `/jobs/${job}/edit`);
      await page.getByText(rights.includes('write') ? 'Cost in EUR' : 'Your key is read-only.').waitFor();
    });
    if (key !== owner.key) await signOut(page);
  }
  await step('the jobs, and their files', async () => {
    await openPage(page, 'Jobs');
    await page.getByText(/^0[.,]42.€$|^€0[.,]42$/).waitFor();
    for (const [link, head] of [
      ['Download CSV', /^id,printName,/],
      ['CSV for Excel', /^\ufeffid;printName;/],
    ] as const) {
      const downloaded = page.waitForEvent('download');
      await page.getByRole('link', { name: link }).click();
      const download = await downloaded;
      expect(download.suggestedFilename()).toBe('print-jobs.csv');
      expect(`${await buffer(await download.createReadStream())}`).toMatch(head);
    }
  });
});

test('a scanned label asks for the key first, and its code leads to PUBLIC_URL', async () => {
  const PUBLIC_URL = 'https://farm.example/print';
  const gateway = await listenInProcess({ ...dashboard.settings, PORT: '0', PUBLIC_URL });
  try {
    const { page, step } = await visit(dashboard.browser, `${gateway.url}/n/1`);
    await step('the key, then the spool', async () => {
      await signIn(page, owner.key);
      await heading(page, 'Spool one').waitFor();
    });
    await step('its label', async () => {
      await page.getByRole('link', { name: 'Print label', exact: true }).click();
      const code = page.getByRole('img', { name: `${PUBLIC_URL}/n/1`, exact: true });
      await code.waitFor();
      expect(await readCode(page, await code.screenshot())).toBe(`${PUBLIC_URL}/n/1`);
      expect(await page.getByText('Phones cannot open').count()).toBe(0);
    });
  } finally {
    await gateway.stop();
  }
});

test('below a path of a proxy that wants Basic credentials all pages work, and tools use the key and the appearance', async () => {
  const proxy = await startProxy(dashboard.gateway.url, { path: '/print/farm', basic: 'shop:secret' });
  const look = { httpCredentials: { username: 'shop', password: 'secret' } };
  try {
    const { page, step, problems } = await visit(dashboard.browser, `${proxy.url}/jobs/${job}/edit`, look);
    await step('signed in', async () => {
      await signIn(page, writer.key);
      await page.getByLabel('Print name').waitFor();
      await connectionLabel(page, 'Live').waitFor();
    });
    await step('the farm, and its changes', async () => {
      await openPage(page, 'Farm');
      await page.waitForURL(`${proxy.url}/`);
      await farm.makeCamera('two', { online: true, batteryPct: 83 });
      await page.getByText('Camera two: Live').waitFor();
    });
    await step('a file', async () => {
      await openPage(page, 'Jobs');
      const downloaded = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Download CSV' }).click();
      expect((await downloaded).suggestedFilename()).toBe('print-jobs.csv');
    });
    await step('dark', async () => {
      await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    });
    await step('the playground', async () => {
      await page.getByRole('menuitem', { name: 'GraphQL playground' }).click();
      await waitForOperation(page, 'FarmAtAGlance');
      await page.getByRole('button', { name: /execute query/i }).click();
      await page.locator('.result-window .CodeMirror-code').getByText('Printer one').waitFor();
      await page.locator('body.graphiql-dark').waitFor();
    });
    await step('the description of REST', async () => {
      await page.goBack();
      await openPage(page, 'Settings');
      await page.getByRole('main').getByRole('link', { name: 'REST API reference' }).click();
      await page.locator('html.dark-mode').waitFor();
      await page
        .getByRole('button', { name: /^GET \/cameras List all/i })
        .first()
        .click();
      await page.getByRole('button', { name: 'Try it out' }).click();
      const answered = page.waitForResponse(`${proxy.url}/cameras`);
      await page.getByRole('button', { name: 'Execute' }).click();
      expect((await answered).status()).toBe(200);
      await page.locator('.curl-command').waitFor();
      expect(await page.content()).not.toContain(writer.key);
    });
    expect(problems.filter((problem) => !problem.includes('401'))).toEqual([]);
    expect(proxy.outside).toEqual([]);
  } finally {
    proxy.stop();
  }
});
