// The pages about filament in a real browser: what remains, what was used and wasted, and the objects that are made here.
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { newApiKey } from '../../src/auth/api-keys';
import { ChangePrintJobStatusDocument } from '../../src/generated/operations';
import { faultsOf } from '../support/accessibility';
import { LOOKS, startBrowser, visit } from '../support/browser';
import { freshDatabase, onServer } from '../support/databases';
import { type RunningGateway, runGateway } from '../support/running-gateway';
import { makeShownFarm } from '../support/shown-farm';

let browser: Browser;
/** The tests that read its farm come first, then those that change it. */
let gateway: RunningGateway;
let farm: Awaited<ReturnType<typeof makeShownFarm>>;

beforeAll(async () => {
  [browser, gateway] = await Promise.all([startBrowser(), runGateway()]);
  farm = await makeUsedFarm(gateway.url);
});

afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});

const rowOf = (page: Page, table: string, text: string) =>
  page.getByRole('table', { name: table }).getByRole('row').filter({ hasText: text });
const open = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Filament' }).getByRole('link', { name }).click();

/** A completed, a failed and a queued job of 3.05 g each. */
async function makeUsedFarm(url: string) {
  const farm = await makeShownFarm(url);
  for (const end of ['COMPLETED', 'FAILED'] as const) {
    const id = await farm.makeJob(end);
    await farm.client.request(ChangePrintJobStatusDocument, { id, status: 'PRINTING' });
    await farm.client.request(ChangePrintJobStatusDocument, { id, status: end });
  }
  await farm.makeJob('QUEUED');
  return farm;
}

test.each(LOOKS)('the pages about filament have no faults at $width, $colorScheme', async (look) => {
  const { page, step, outside, problems } = await visit(browser, `${gateway.url}/filament`, look);
  await step('spools', async () => {
    await rowOf(page, 'Spools', 'PETG-1').waitFor();
    expect(await rowOf(page, 'Spools', 'PETG-1').textContent()).toMatch(
      /993.90 g of 1,000.00 g remain.*6.10 g.*3.05 g.*990.85 g/,
    );
  });
  expect(await faultsOf(page)).toEqual([]);
  await step('usage', async () => {
    await open(page, 'Usage');
    await page.getByText('3.05 g (50 %)').waitFor();
    await page.getByRole('img', { name: /Grams over time: completed 3.05 g, wasted 3.05 g/ }).waitFor();
  });
  expect(await faultsOf(page)).toEqual([]);
  for (const [name, text] of [
    ['Materials', 'PETG'],
    ['Printers', 'Bay 1'],
  ] as const) {
    await step(name, async () => {
      await open(page, name);
      await rowOf(page, name, text).waitFor();
    });
    expect(await faultsOf(page)).toEqual([]);
  }
  expect({ outside, problems }).toEqual({ outside: [], problems: [] });
});

test.each(['2020-01-01', '0001-01-01'])('the plots show all jobs of a long range, from %s', async (from) => {
  const { page, step } = await visit(browser, `${gateway.url}/filament/usage?from=${from}`);
  await step('the bars and their sums', async () => {
    const plot = page.getByRole('img', { name: /Grams over time.*: completed 3.05 g, wasted 3.05 g in all/ });
    await plot.locator('.recharts-bar-rectangle path').first().waitFor();
    expect(await plot.locator('.recharts-bar-rectangle path').count()).toBe(2);
  });
});

test('a zone that the gateway does not know: the report is in UTC, and says so', async () => {
  const page = await browser.newPage();
  await page.addInitScript(() => {
    const { resolvedOptions } = Intl.DateTimeFormat.prototype;
    Intl.DateTimeFormat.prototype.resolvedOptions = function () {
      return { ...resolvedOptions.call(this), timeZone: 'Etc/Unknown' };
    };
  });
  await page.goto(`${gateway.url}/filament/usage`);
  await page.getByText('does not know the time zone Etc/Unknown: days begin at midnight UTC').waitFor();
  await page.getByText('3.05 g (50 %)').waitFor();
  expect(await page.getByRole('alert').filter({ hasText: /./ }).count()).toBe(0);
});

test('reports by week and printer, keeps the choice in the address, and follows the farm', async () => {
  const { client, makeJob } = farm;
  const { page, step } = await visit(browser, `${gateway.url}/filament/usage`);
  await step('by printer', async () => {
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByLabel('By', { exact: true }).selectOption('Printer');
    await page.getByLabel('By time').selectOption('Week');
    await rowOf(page, 'Usage by printer', 'Bay 1').waitFor();
    await page.waitForURL(({ search }) => search === '?by=PRINTER&step=WEEK');
    expect(await page.getByRole('table', { name: 'Usage over time' }).locator('[data-index]').count()).toBe(1);
  });
  await step('a job that is completed meanwhile', async () => {
    const id = await makeJob('Hook');
    await client.request(ChangePrintJobStatusDocument, { id, status: 'PRINTING' });
    await client.request(ChangePrintJobStatusDocument, { id, status: 'COMPLETED' });
    await rowOf(page, 'Usage by printer', 'Bay 1').getByText('6.1 g').waitFor();
  });
  await step('a time without jobs', async () => {
    await page.goto(`${gateway.url}/filament/usage?from=2020-01-01&to=2020-01-31`);
    await page.getByText('No job ended in this time.').waitFor();
  });
});

test('gives the reports as CSV, with credentials too', async () => {
  const owner = newApiKey('owner', 'read+write');
  const keyed = await runGateway({ API_KEYS: owner.entry });
  try {
    await makeShownFarm(keyed.url, { 'x-api-key': owner.key });
    const { page, step } = await visit(browser, `${keyed.url}/jobs`, { locale: 'de-DE' });
    await step('sign in', async () => {
      await page.getByLabel('API key or token').fill(owner.key);
      await page.keyboard.press('Enter');
      await page.getByText('No jobs yet.').waitFor();
    });
    for (const [path, name] of [
      ['jobs', 'print-jobs.csv'],
      ['filament', 'filament-usage.csv'],
    ] as const) {
      await step(name, async () => {
        await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: path }).click();
        if (path === 'filament') await open(page, 'Usage');
        const head = async (link: string) => {
          const [download] = await Promise.all([
            page.waitForEvent('download'),
            page.getByRole('link', { name: link }).click(),
          ]);
          expect(download.suggestedFilename()).toBe(name);
          return readFileSync(await download.path(), 'utf8');
        };
        expect(await head('Download CSV')).toMatch(/^(id,printName|from,printerId),/);
        expect(await head('For spreadsheets')).toMatch(/^\ufeff(id;printName|from;printerId);/);
      });
    }
  } finally {
    await keyed.stop();
  }
});

test('makes, changes, archives and removes a spool, and says at its field what is wrong', async () => {
  const { page, step } = await visit(browser, `${gateway.url}/filament`);
  const dialog = page.getByRole('dialog');
  await step('a serial that is taken', async () => {
    await page.getByRole('button', { name: 'Add a spool' }).click();
    await dialog.getByLabel('Serial').fill('PETG-1');
    await dialog.getByLabel('Material').selectOption('PETG');
    await dialog.getByLabel('Colour').fill('#1e90ff');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await dialog.getByText(/taken|exists/).waitFor();
  });
  expect(await faultsOf(page)).toEqual([]);
  await step('another serial', async () => {
    await dialog.getByLabel('Serial').fill('PETG-2');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await rowOf(page, 'Spools', 'PETG-2').waitFor();
  });
  await step('remove it', async () => {
    await page.getByRole('button', { name: 'Edit PETG-2' }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove the spool' }).click();
    await rowOf(page, 'Spools', 'PETG-2').waitFor({ state: 'detached' });
  });
  await step('a spool with jobs stays', async () => {
    await page.getByRole('button', { name: 'Edit PETG-1' }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove the spool' }).click();
    await dialog
      .getByRole('alert')
      .getByText(/archive it/i)
      .waitFor();
  });
  await step('archive it', async () => {
    await dialog.getByRole('button', { name: 'Archive' }).click();
    await page.getByText('There are none.').waitFor();
    await page.getByLabel('Use').selectOption('Archived');
    await rowOf(page, 'Spools', 'PETG-1').getByText('Archived').waitFor();
  });
});

test('makes a material and a printer by keyboard', async () => {
  const { page, step } = await visit(browser, `${gateway.url}/filament/materials`);
  const dialog = page.getByRole('dialog');
  await step('a material', async () => {
    await page.getByRole('button', { name: 'Add a material' }).focus();
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Name').waitFor();
    await page.keyboard.type('PLA');
    await page.keyboard.press('Tab');
    await page.keyboard.type('1.24');
    await page.keyboard.press('Enter');
    await rowOf(page, 'Materials', 'PLA').getByText('1.24 g/cm³').waitFor();
  });
  await step('a printer', async () => {
    await open(page, 'Printers');
    await page.getByRole('button', { name: 'Add a printer' }).click();
    await dialog.getByLabel('Name').fill('Bay 2');
    await page.keyboard.press('Enter');
    await rowOf(page, 'Printers', 'Bay 2').waitFor();
  });
});

test.each([
  { locale: 'de-DE', typed: '1,2400000000000000000000000001', others: ['1.234,5', '1.234', '1.24'], form: '1234,5' },
  { locale: 'en-US', typed: '1.2400000000000000000000000001', others: ['1,234.5', '1,234', '1,24'], form: '1234.5' },
])('reads decimals as a reader in $locale writes them, and refuses others', async ({ locale, typed, others, form }) => {
  const name = `PLA ${locale}`;
  const { page, step } = await visit(browser, `${gateway.url}/filament/materials`, { locale });
  const dialog = page.getByRole('dialog');
  const density = dialog.getByLabel('Density in g/cm³');
  const said = `Write it as ${form}, without a sign between thousands.`;
  await step('another form', async () => {
    await page.getByRole('button', { name: 'Add a material' }).click();
    await dialog.getByLabel('Name').fill(name);
    for (const other of others) {
      await density.fill(other);
      await dialog.getByText(said).waitFor();
      await page.keyboard.press('Enter');
      await dialog.getByText('must be a number').waitFor();
      expect(await density.inputValue()).toBe(other);
      await density.fill('');
      await dialog.getByText('must be a number').waitFor({ state: 'detached' });
    }
  });
  await step("the reader's form", async () => {
    await density.pressSequentially(typed);
    expect(await dialog.getByText(said).count()).toBe(0);
    await page.keyboard.press('Enter');
    await rowOf(page, 'Materials', name).getByText(`${typed} g/cm³`).waitFor();
  });
  await step('the same again', async () => {
    await page.getByRole('button', { name: `Edit ${name}` }).click();
    expect(await density.inputValue()).toBe(typed);
  });
});

test('shows and offers each of more than 1,000 spools and printers', async () => {
  const database = await freshDatabase('server');
  const large = await runGateway({ DATABASE_URL: database.url });
  try {
    await makeShownFarm(large.url);
    await onServer(
      database.url,
      `insert into printers (id, name) select gen_random_uuid(), 'Printer ' || n from generate_series(1, 1100) n`,
    );
    await onServer(
      database.url,
      `insert into spools (id, spool_serial, filament_diameter_mm, weight_total_grams, material_id)
        select gen_random_uuid(), 'S-' || n, 1.75, 1000, m.id from materials m, generate_series(1, 1100) n`,
    );
    const { page, step } = await visit(browser, `${large.url}/filament`);
    const count = (table: string) => page.getByRole('table', { name: table }).getAttribute('aria-rowcount');
    await step('all spools, and one by its serial', async () => {
      await rowOf(page, 'Spools', 'PETG-1').waitFor();
      expect(await count('Spools')).toBe('1102');
      await page.getByLabel('Search by serial or vendor').fill('s-1099');
      await rowOf(page, 'Spools', 'S-1099').waitFor();
    });
    await step('all printers, and on the farm page', async () => {
      await open(page, 'Printers');
      await rowOf(page, 'Printers', 'Printer 2').first().waitFor();
      expect(await count('Printers')).toBe('1102');
      await page.goto(large.url);
      await page.getByText('0 of 1101 printing').waitFor();
    });
    await step('a filter and a form', async () => {
      await page.goto(`${large.url}/jobs`);
      for (const [label, text, option] of [
        ['Spool', 's-1099', 'S-1099 (PETG)'],
        ['Printer', 'r 1099', 'Printer 1099'],
      ] as const) {
        await page.getByRole('combobox', { name: label }).fill(text);
        await page.getByRole('option', { name: option }).click();
      }
      await page.getByText('No job fits these filters.').waitFor();
      await page.waitForURL(({ search }) => /^\?spool=[-0-9a-f]{36}&printer=[-0-9a-f]{36}$/.test(search));
      expect(await faultsOf(page)).toEqual([]);
      await page.goto(`${large.url}/jobs/new`);
      await page.getByRole('combobox', { name: 'Spool' }).fill('1099');
      await page.getByRole('option', { name: 'S-1099 (PETG)' }).click();
      await page.getByRole('list', { name: 'Derivation' }).waitFor();
    });
  } finally {
    await large.stop();
    await database.drop();
  }
});
