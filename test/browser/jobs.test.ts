// The pages of print jobs in a real browser: found, explained, created, changed, and refused.
import type { Browser, Page } from 'playwright-core';
import { newApiKey } from '../../src/auth/api-keys';
import {
  CancelPrintJobDocument,
  ChangePrintJobStatusDocument,
  CreateMaterialDocument,
  CreateSpoolDocument,
} from '../../src/generated/operations';
import { faultsOf } from '../support/accessibility';
import { changesUpTo } from '../support/asking';
import { LOOKS, startBrowser, visit } from '../support/browser';
import { type RunningGateway, runGateway } from '../support/running-gateway';
import { makeShownFarm } from '../support/shown-farm';
import { until } from '../support/waiting';

let browser: Browser;
/** Of the tests that need none of their own: each looks at jobs of its own. */
let gateway: RunningGateway;
let farm: Awaited<ReturnType<typeof makeShownFarm>>;

beforeAll(async () => {
  [browser, gateway] = await Promise.all([startBrowser(), runGateway()]);
  farm = await makeShownFarm(gateway.url);
});

afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});

const rows = (page: Page) => page.getByRole('table', { name: 'Jobs' }).locator('[data-index]');
const row = (page: Page, id: string) => page.locator(`[data-key="${id}"]`);
const choose = async (page: Page, label: string, name: string) => {
  await page.getByRole('combobox', { name: label }).fill(name);
  await page.getByRole('option', { name, exact: true }).click();
};
const live = (page: Page) => page.getByText('Live', { exact: true }).waitFor();

test('a phone shows the list first: its filters are folded, with the number of those in use', async () => {
  const id = await farm.makeJob('Hook');
  const { page, step } = await visit(browser, `${gateway.url}/jobs?status=QUEUED,PRINTING&source=MANUAL`, {
    width: 390,
  });
  await step('the list in the first screen', async () => {
    await row(page, id).waitFor();
    expect((await row(page, id).boundingBox())?.y).toBeLessThan(450);
    expect(await page.getByLabel('Source').isVisible()).toBe(false);
  });
  await step('the filters', async () => {
    await page.getByRole('button', { name: 'Filters (2)' }).click();
    await page.getByLabel('Source').selectOption('All');
    await page.getByRole('button', { name: 'Filters (1)' }).click();
    await page.getByLabel('Source').waitFor({ state: 'hidden' });
  });
});

test.each(LOOKS)('the pages of jobs have no faults at $width, $colorScheme', async (look) => {
  const id = await farm.makeJob(`Hook ${'x'.repeat(120)}`);
  await farm.client.request(ChangePrintJobStatusDocument, { id, status: 'PRINTING' });
  const { page, step, outside, problems } = await visit(browser, `${gateway.url}/jobs`, look);
  await step('the list', () => row(page, id).getByText('3.05 g').waitFor());
  expect(await faultsOf(page)).toEqual([]);
  await step('the job', async () => {
    await row(page, id).getByRole('link').click();
    await page.getByText('2.40528188 mm²', { exact: true }).waitFor();
    await page.getByRole('list', { name: 'Statuses' }).getByText('Printing').waitFor();
  });
  expect(await faultsOf(page)).toEqual([]);
  await step('the form', async () => {
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Name of the print').waitFor();
  });
  expect(await faultsOf(page)).toEqual([]);
  expect({ outside, problems }).toEqual({ outside: [], problems: [] });
});

describe('a long list', () => {
  let long: RunningGateway;
  /** From the oldest to the newest, which is the hook. */
  const bolts: string[] = [];
  let hook: string;
  beforeAll(async () => {
    long = await runGateway();
    const { client, makeJob } = await makeShownFarm(long.url);
    for (let at = 1; at <= 120; at += 1) bolts.push(await makeJob(`Bolt ${at}`));
    hook = await makeJob('Hook');
    await client.request(ChangePrintJobStatusDocument, { id: hook, status: 'PRINTING' });
  });
  afterAll(() => long?.stop());

  test('finds jobs by filters in the address, orders them, and loads more at the end', async () => {
    const { page, step, problems } = await visit(browser, `${long.url}/jobs?order=CREATED_AT_ASC`);
    await step('the oldest first', () => rows(page).first().getByText('Bolt 1', { exact: true }).waitFor());
    expect(await page.getByRole('table', { name: 'Jobs' }).getAttribute('aria-rowcount')).toBe('122');
    await step('the last, which is on the third page', async () => {
      while ((await row(page, hook).count()) === 0) {
        await page.keyboard.press('End');
        await page.waitForTimeout(50);
      }
    });
    expect(await rows(page).count()).toBeLessThan(80);
    await step('one status', async () => {
      await page.getByRole('button', { name: 'Printing', exact: true }).click();
      await rows(page).nth(1).waitFor({ state: 'detached' });
      await row(page, hook).waitFor();
    });
    await step('the same after a reload, and a search beside it', async () => {
      await page.reload();
      await row(page, hook).waitFor();
      expect(new URL(page.url()).searchParams.get('status')).toBe('PRINTING');
      await page.getByLabel('Search by name').fill('bolt 7');
      await page.getByText('No job fits these filters.').waitFor();
      await page.getByRole('button', { name: 'Printing', exact: true }).click();
      await rows(page).last().getByText('Bolt 79').waitFor();
      expect(await rows(page).count()).toBe(11);
    });
    expect(problems).toEqual([]);
  });

  test('Back returns to the place in a long list', async () => {
    const [first, middle] = [bolts[0], bolts[59]] as [string, string];
    const { page, step } = await visit(browser, `${long.url}/jobs`);
    const place = async () =>
      (
        await row(page, middle)
          .boundingBox({ timeout: 100 })
          .catch(() => null)
      )?.y;
    await step('all pages', async () => {
      while ((await row(page, first).count()) === 0) {
        await page.keyboard.press('End');
        await page.waitForTimeout(50);
      }
    });
    await step('a row in the middle', async () => {
      await page.mouse.move(700, 500);
      while ((await row(page, middle).count()) === 0) {
        await page.mouse.wheel(0, -400);
        await page.waitForTimeout(50);
      }
      await row(page, middle).scrollIntoViewIfNeeded();
      // A click scrolls until nothing covers the link: the place counts from then on.
      await row(page, middle).getByRole('link').hover();
    });
    const before = await until(place);
    await step('a job, and back', async () => {
      await row(page, middle).getByRole('link').click();
      await page.getByRole('heading', { name: 'Bolt 60' }).waitFor();
      await page.goBack();
      await until(async () => Math.abs(((await place()) ?? Number.NaN) - before) < 100);
    });
    await step('a job, a search letter by letter in another list, and back', async () => {
      const link = row(page, middle).getByRole('link');
      const address = `${await link.getAttribute('href')}`;
      await link.click();
      await page.getByRole('heading', { name: 'Bolt 60' }).waitFor();
      await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Jobs' }).click();
      await row(page, hook).waitFor();
      await page.getByLabel('Search by name').pressSequentially('bolt of twenty-four letters');
      await page.getByText('No job fits these filters.').waitFor();
      await page.goBack();
      await page.waitForURL(`**${address}`);
      await page.getByRole('heading', { name: 'Bolt 60' }).waitFor();
      await page.goBack();
      await until(async () => Math.abs(((await place()) ?? Number.NaN) - before) < 100);
    });
  });
});

test('changes a status by keyboard, and asks before a final one', async () => {
  const id = await farm.makeJob('Hook');
  const { page, step } = await visit(browser, `${gateway.url}/jobs`);
  await step('start', async () => {
    await row(page, id).getByRole('button', { name: 'Start Hook' }).focus();
    await page.keyboard.press('Enter');
    await row(page, id).getByText('Now printing.').waitFor();
    await page.locator('[role=group][aria-label="Status of Hook"]:focus-within').waitFor();
  });
  await step('leave the question', async () => {
    await row(page, id).getByRole('button', { name: 'Complete Hook' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('alertdialog').getByText('This ends the job.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await row(page, id).getByText('Printing', { exact: true }).waitFor();
  });
  await step('complete', async () => {
    await row(page, id).getByRole('button', { name: 'Complete Hook' }).click();
    await page.getByRole('button', { name: 'Complete the job' }).click();
    await row(page, id).getByText('Now completed.').waitFor();
    await row(page, id).getByRole('button', { name: 'Complete Hook' }).waitFor({ state: 'detached' });
  });
});

test('a change that is refused is taken back, and says why', async () => {
  const id = await farm.makeJob('Hook');
  const { page, step } = await visit(browser, `${gateway.url}/jobs`);
  await live(page);
  await page.route('**/graphql', async (route) => {
    // Another caller is faster.
    if (route.request().postData()?.includes('ChangeJobStatus'))
      await farm.client.request(CancelPrintJobDocument, { id });
    await route.continue();
  });
  await step('the refusal', async () => {
    await row(page, id).getByRole('button', { name: 'Start Hook' }).click();
    await row(page, id).getByRole('alert').getByText('CANCELLED').waitFor();
    await row(page, id).getByText('Cancelled', { exact: true }).waitFor();
  });
});

test('a job that leaves the filters keeps its row until the list is opened again', async () => {
  // A printer of its own, for the list has its jobs alone.
  const names = { material: 'ASA', spool: 'ASA-1', printer: 'Bay 2' };
  const { client, printerId, makeJob } = await makeShownFarm(gateway.url, {}, names);
  const [hook, clip] = [await makeJob('Hook'), await makeJob('Clip')];
  // Otherwise the page may be told of the printer, and read the choices of the filters again.
  await changesUpTo(gateway, clip);
  const { page, step } = await visit(browser, `${gateway.url}/jobs?status=QUEUED&printer=${printerId}`);
  await live(page);
  await step('the list', () => row(page, hook).waitFor());
  const left = (id: string) => row(page, id).getByText('No longer fits');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(JSON.parse(request.postData() ?? '{}').operationName));
  await step('by a click', async () => {
    const place = await row(page, hook).boundingBox();
    await row(page, clip).getByRole('button', { name: 'Start Clip' }).click();
    await row(page, clip).getByText('Now printing.').waitFor();
    await left(clip).waitFor();
    expect(await row(page, hook).boundingBox()).toEqual(place);
  });
  await step('by another caller', async () => {
    await client.request(ChangePrintJobStatusDocument, { id: hook, status: 'PRINTING' });
    await left(hook).waitFor();
  });
  expect(await faultsOf(page)).toEqual([]);
  await step('a new job, with which the list was read again', async () => {
    await row(page, await makeJob('Nut')).waitFor();
    expect(await rows(page).locator('a').allTextContents()).toEqual(['Clip', 'Hook', 'Nut']);
  });
  // The choices of the filters are of printers and spools alone.
  expect([...new Set(asked)].sort()).toEqual(['ChangeJobStatus', 'Jobs']);
  await step('the list that is opened again', async () => {
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Farm' }).click();
    await page.getByRole('heading', { name: 'Farm' }).waitFor();
    await page.goBack();
    await rows(page).nth(1).waitFor({ state: 'detached' });
    expect(await rows(page).locator('a').allTextContents()).toEqual(['Nut']);
  });
});

test('creates a job with its grams and cost shown while typing, and changes it', async () => {
  const { client } = farm;
  const { createMaterial } = await client.request(CreateMaterialDocument, {
    input: { name: 'PLA', densityGPerCm3: '1.24' },
  });
  await client.request(CreateSpoolDocument, {
    input: {
      spoolSerial: 'PLA-1',
      filamentDiameterMm: '1.75',
      weightTotalGrams: '1000',
      purchasePrice: '20',
      materialId: createMaterial.id,
    },
  });
  const { page, step } = await visit(browser, `${gateway.url}/jobs/new`);
  const derivation = page.getByRole('list', { name: 'Derivation' });
  await step('grams and cost', async () => {
    await page.getByLabel('Name of the print').fill('Hook');
    await choose(page, 'Printer', 'Bay 1');
    await choose(page, 'Spool', 'PLA-1 (PLA)');
    await page.getByLabel('Printing began').fill('2026-11-20T08:30');
    await page.getByLabel('Filament in mm').fill('10000');
    await derivation.getByText('29.83 g', { exact: true }).waitFor();
    await derivation.getByText('0.5966', { exact: true }).waitFor();
  });
  await step('a fault at its field', async () => {
    await page.getByLabel('Filament in mm').fill('-5');
    await page.getByRole('button', { name: 'Create the job' }).click();
    const field = page.getByLabel('Filament in mm');
    await page.locator('[aria-invalid=true]').waitFor();
    await field.and(page.locator('[aria-invalid=true]:focus')).waitFor();
    const described = await field.getAttribute('aria-describedby');
    expect(await page.locator(`[id="${described?.split(' ').at(-1)}"]`).textContent()).toMatch(/0 or more|negative/);
  });
  await step('the job', async () => {
    await page.getByLabel('Filament in mm').fill('10000');
    await page.getByRole('button', { name: 'Create the job' }).click();
    await page.getByRole('heading', { name: 'Hook' }).waitFor();
    await page.getByText('29.83 g', { exact: true }).first().waitFor();
    expect(await page.locator('dl').textContent()).toContain('0.5966');
    const began = new Date('2026-11-20T08:30').toISOString();
    await page.locator(`dl time[datetime="${began}"]`).waitFor();
  });
  await step('another name', async () => {
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Name of the print').fill('Better hook');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Better hook' }).waitFor();
  });
});

describe('a farm with keys and a currency', () => {
  const [owner, reader] = [newApiKey('owner', 'read+write'), newApiKey('reader', 'read')];
  let keyed: RunningGateway;
  let id: string;
  beforeAll(async () => {
    keyed = await runGateway({ API_KEYS: `${owner.entry},${reader.entry}`, CURRENCY: 'EUR' });
    const { makeJob, makeCamera } = await makeShownFarm(keyed.url, { 'x-api-key': owner.key });
    id = await makeJob('Hook');
    await makeCamera('one');
  });
  afterAll(() => keyed?.stop());

  const signIn = async (page: Page, key: string) => {
    await page.getByLabel('API key or token').fill(key);
    await page.keyboard.press('Enter');
  };

  test('a caller with read alone sees no button that writes', async () => {
    const { page, step } = await visit(browser, `${keyed.url}/jobs`);
    for (const [key, mayWrite] of [
      [reader.key, false],
      [owner.key, true],
    ] as const) {
      await step('the list', async () => {
        await signIn(page, key);
        await row(page, id).getByText('Queued').waitFor();
        expect(await row(page, id).getByRole('button').count()).toBe(mayWrite ? 3 : 0);
        expect(await page.getByRole('link', { name: 'New job' }).count()).toBe(mayWrite ? 1 : 0);
      });
      for (const [path, shows, button] of [
        ['/', 'Camera one', 'Add a camera'],
        ['/camera/one', 'Never seen', 'Edit'],
        ['/filament', 'PETG-1', 'Edit PETG-1'],
      ] as const) {
        await step(path, async () => {
          await page.goto(keyed.url + path);
          await page.getByText(shows).first().waitFor();
          expect(await page.getByRole('button', { name: button, exact: true }).count()).toBe(mayWrite ? 1 : 0);
        });
      }
      for (const path of ['/jobs/new', `/jobs/${id}/edit`]) {
        await step(path, async () => {
          await page.goto(keyed.url + path);
          await page.getByText(mayWrite ? 'Name of the print' : 'may read, but not write').waitFor();
          expect(await page.locator('main form').count()).toBe(mayWrite ? 1 : 0);
        });
      }
      await step('sign out', async () => {
        await page.goto(`${keyed.url}/jobs`);
        await page.getByRole('button', { name: 'Sign out' }).click();
        await page.getByLabel('API key or token').waitFor();
      });
    }
  });

  test('a farm that names its currency shows it with prices and costs', async () => {
    const { page, step } = await visit(browser, `${keyed.url}/jobs`);
    await step('the list', async () => {
      await signIn(page, owner.key);
      await row(page, id).getByText('€0.4200').waitFor();
    });
    await step('the job', async () => {
      await page.goto(`${keyed.url}/jobs/${id}`);
      await page.getByRole('definition').getByText('€0.4200').waitFor();
    });
    await step('the form', async () => {
      await page.goto(`${keyed.url}/jobs/${id}/edit`);
      await page.getByLabel('Cost in EUR').waitFor();
    });
  });
});

test('an address of no job says so', async () => {
  const { page, step } = await visit(browser, `${gateway.url}/jobs/3f2504e0-4f89-41d3-9a0c-0305e82c3301`);
  await step('no job', () => page.getByText('There is no job with this id.').waitFor());
});

// The last test with this gateway.
test('keeps the list in its place while the gateway is away', async () => {
  const id = await farm.makeJob('Hook');
  const { page, step } = await visit(browser, `${gateway.url}/jobs`);
  await step('the list', () => row(page, id).waitFor());
  const place = await row(page, id).boundingBox();
  await gateway.stop();
  await step('it is asked for in vain', async () => {
    for (let times = 0; times < 2; times += 1) {
      const failed = page.waitForEvent('requestfailed', (request) => `${request.postData()}`.includes('query Jobs'));
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
      await failed;
    }
    await page.getByRole('alert').getByText('The connection to the gateway is lost').waitFor();
    expect(await row(page, id).boundingBox()).toEqual(place);
  });
});
