// Tests the pages about filament in a real browser: what remains, was used and wasted, the forms that add objects, and a large farm.
import type { Page } from 'playwright-core';
import { ChangePrintJobStatusDocument, SpoolsDocument, UpdateSpoolDocument } from '../../src/generated/operations';
import { choose } from '../support/browser';
import { heading, navigateTo, openPage, section, shareDashboard } from '../support/dashboard';

const dashboard = shareDashboard();
let farm: Awaited<ReturnType<typeof dashboard.makeFarm>>;

/** A job of 3.05 g that has this end. */
async function endJob(end: 'COMPLETED' | 'FAILED'): Promise<void> {
  const id = await farm.makeJob(end);
  for (const status of ['PRINTING', end] as const)
    await farm.client.request(ChangePrintJobStatusDocument, { id, status });
}

beforeAll(async () => {
  farm = await dashboard.makeFarm('one');
  await endJob('COMPLETED');
  await endJob('FAILED');
  await farm.makeJob('QUEUED');
});

const findRow = (page: Page, table: string, text: string) =>
  page.getByRole('table', { name: table }).getByRole('row').filter({ hasText: text });

// This test must be the first one, because it counts grams.
test('reports by week and printer, keeps the choice in the address, and follows the farm', async () => {
  const { page, step } = await dashboard.visit('/spools');
  await step('what remains', () =>
    findRow(page, 'Spools', 'Spool one')
      .filter({ hasText: /994 g of 1,000 g.*6.1 g.*3.1 g.*991 g/ })
      .waitFor(),
  );
  await step('what was used and wasted', async () => {
    await openPage(page, 'Reports');
    await page.getByText('3.05 g (50 %)').waitFor();
    await page.getByRole('img', { name: /Filament used over time: completed 3.05 g, wasted 3.05 g/ }).waitFor();
  });
  await step('by printer', async () => {
    await page.getByLabel('Group by', { exact: true }).selectOption('Printer');
    await page.getByLabel('Group by time').selectOption('Week');
    await findRow(page, 'Usage by printer', 'Printer one').waitFor();
    await page.waitForURL(({ search }) => search === '?by=PRINTER&step=WEEK');
    await page.getByRole('table', { name: 'Usage over time' }).locator('[data-index]').waitFor();
  });
  await step('a job that is completed meanwhile', async () => {
    await endJob('COMPLETED');
    await findRow(page, 'Usage by printer', 'Printer one').getByText('6.1 g').waitFor();
  });
  await step('a time without jobs, and all times', async () => {
    await navigateTo(page, '/reports?from=2020-01-01&to=2020-01-31');
    await page.getByText('No jobs finished in this time.').waitFor();
    await navigateTo(page, '/reports?from=0001-01-01');
    const plot = page.getByRole('img', { name: /Filament used over time.*: completed 6.1 g, wasted 3.05 g in total/ });
    await plot.locator('.recharts-bar-rectangle path').nth(1).waitFor();
  });
});

test('adds, changes, archives and removes a spool, and shows at its field what is wrong', async () => {
  const { page, step } = await dashboard.visit('/spools');
  const dialog = page.getByRole('dialog');
  const spool = async () => (await farm.client.request(SpoolsDocument)).spools.nodes[0];
  await step('a serial that is taken, then another', async () => {
    await page.getByRole('button', { name: 'Add a spool' }).click();
    await dialog.getByLabel('Serial').fill('Spool one');
    await dialog.getByLabel('Material').selectOption('Material one');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await dialog.getByText(/taken|exists/).waitFor();
    await dialog.getByLabel('Serial').fill('Spool two');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await findRow(page, 'Spools', 'Spool two').waitFor();
  });
  await step('remove it', async () => {
    await page.getByRole('button', { name: 'Edit Spool two' }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove spool' }).click();
    await findRow(page, 'Spools', 'Spool two').waitFor({ state: 'detached' });
  });
  await step('two windows change different members', async () => {
    await page.getByRole('button', { name: 'Edit Spool one' }).click();
    await dialog.getByLabel('Colour (optional)', { exact: true }).fill('#1e90ff');
    const input = { weightTotalGrams: '750' };
    await farm.client.request(UpdateSpoolDocument, { id: `${(await spool())?.id}`, input });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByTitle('#1E90FF').waitFor();
    expect((await spool())?.weightTotalGrams).toBe('750');
  });
  await step('a spool with jobs stays, and is archived', async () => {
    await page.getByRole('button', { name: 'Edit Spool one' }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove spool' }).click();
    await dialog.getByRole('alert').getByText('rchive it').waitFor();
    await dialog.getByRole('button', { name: 'Archive' }).click();
    await page.getByText('Your spools appear here').waitFor();
    await page.getByLabel('Show').selectOption('Archived');
    await findRow(page, 'Spools', 'Spool one').getByText('Archived').waitFor();
  });
});

test('adds a material by keyboard, with decimals as the reader writes them', async () => {
  const { page, step } = await dashboard.visit('/materials', { locale: 'de-DE' });
  const dialog = page.getByRole('dialog');
  const density = dialog.getByLabel('Density in g/cm³');
  const typed = '1,2400000000000000000000000001';
  await step('another form', async () => {
    await page.getByRole('button', { name: 'Add a material' }).focus();
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Name').fill('PLA');
    for (const [other, fault] of [
      ['1.234,5', '"1.234,5" has a separator between thousands. Write 1234,5.'],
      ['1.234', '"1.234" can be 1234 or 1,234. Write 1234 or 1,2340.'],
    ] as const) {
      await density.fill(other);
      await dialog.getByText('Enter a number such as 1234,5, without separators between thousands.').waitFor();
      await page.keyboard.press('Enter');
      await dialog.getByText(fault).waitFor();
      expect(await density.inputValue()).toBe(other);
      await density.fill('');
      await dialog.getByText(fault).waitFor({ state: 'detached' });
    }
  });
  await step("the reader's form, and the same again", async () => {
    await density.pressSequentially(typed);
    await page.keyboard.press('Enter');
    await findRow(page, 'Materials', 'PLA').getByText(`${typed} g/cm³`).waitFor();
    await page.getByRole('button', { name: 'Edit PLA' }).click();
    await dialog.waitFor();
    expect(await density.inputValue()).toBe(typed);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });
});

// This test must be the last one, because the farm stays large.
test('in a farm of thousands each object can be found and chosen, and only the rows in view are in the page', async () => {
  await farm.makeCamera('wanted', { online: true });
  for (const sql of [
    `insert into printers (id, name) select gen_random_uuid(), 'Printer ' || n from generate_series(1, 1100) n`,
    `insert into spools (id, spool_serial, filament_diameter_mm, weight_total_grams, material_id)
      select gen_random_uuid(), 'S-' || n, 1.75, 1000, m.id from (select id from materials limit 1) m, generate_series(1, 1100) n`,
    `insert into cameras (camera_id, friendly_name) select 'cam-' || n, 'Camera cam-' || n from generate_series(1, 200) n`,
    `insert into camera_status (camera_id, recorded_at, online)
      select 'cam-' || n, now() - interval '1 hour', true from generate_series(1, 120) n`,
  ]) {
    await dashboard.sql(sql);
  }
  const { page, step, problems } = await dashboard.visit('/');
  const cameras = page.getByRole('table', { name: 'Cameras' });
  const alerts = page.getByRole('list', { name: 'Active alerts' }).getByRole('listitem');
  const count = (table: string) => page.getByRole('table', { name: table }).getAttribute('aria-rowcount');
  const drawn = (table: string) => page.getByRole('table', { name: table }).locator('[data-index]').count();
  await step('no more alerts than a reader reads', async () => {
    await section(page, 'Alerts')
      .getByText(/^\d+ or more/)
      .waitFor();
    await page.getByText('0 of 1101 printing').waitFor();
    await page.getByRole('button', { name: 'Show the first 100' }).click();
    await alerts.nth(99).waitFor();
  });
  await step('the printers as a table, of which those in view are rendered', async () => {
    expect(await count('Printers')).toBe('1102');
    expect(await drawn('Printers')).toBeLessThan(80);
  });
  await step('the first and the last cameras', async () => {
    await openPage(page, 'Cameras');
    await cameras.locator('[data-key="cam-1"]').waitFor();
    expect(await count('Cameras')).toBe('202');
    expect(await drawn('Cameras')).toBeLessThan(80);
    await page.keyboard.press('End');
    await cameras.locator('[data-key="wanted"]').waitFor();
    expect(await drawn('Cameras')).toBeLessThan(80);
  });
  await step('a search, the same after a reload, and a state beside it', async () => {
    await page.getByLabel('Search by name or ID').pressSequentially('WANT');
    await cameras.locator('[data-key="cam-1"]').waitFor({ state: 'detached' });
    await page.waitForURL(({ search }) => search === '?search=WANT');
    await page.reload();
    await cameras.locator('[data-key="wanted"]').waitFor();
    expect(await drawn('Cameras')).toBe(1);
    await page.getByLabel('State').selectOption('Offline');
    await page.getByText('No cameras match these filters.').waitFor();
  });
  await step('all spools and printers, and one by its serial', async () => {
    await navigateTo(page, '/spools');
    await findRow(page, 'Spools', 'S-1').first().waitFor();
    expect(await count('Spools')).toBe('1101');
    await page.getByLabel('Search by number, serial, product, place or tag').fill('s-1099');
    await findRow(page, 'Spools', 'S-1099').waitFor();
    await openPage(page, 'Printers');
    await findRow(page, 'Printers', 'Printer 2').first().waitFor();
    expect(await count('Printers')).toBe('1102');
  });
  await step('a filter and a form', async () => {
    await navigateTo(page, '/jobs');
    await choose(page, 'Spool', 'S-1099 (Material one)', 's-1099');
    await choose(page, 'Printer', 'Printer 1099', 'r 1099');
    await page.getByText('No jobs match these filters.').waitFor();
    await page.waitForURL(({ search }) => /^\?spool=[-0-9a-f]{36}&printer=[-0-9a-f]{36}$/.test(search));
    await navigateTo(page, '/jobs/new');
    await heading(page, 'Add a job').waitFor();
    await choose(page, 'Spool', 'S-1099 (Material one)', '1099');
    await page.getByRole('list', { name: 'Calculation' }).waitFor();
  });
  expect(problems).toEqual([]);
});
