// Tests the alerts of the farm page in a real browser: one row per cause, its spools in two steps, outcomes, and snoozed alerts.
import { UpdatePrinterDocument } from '../../src/generated/operations';
import { findFaults } from '../support/accessibility';
import { choose } from '../support/browser';
import { section, shareDashboard } from '../support/dashboard';
import { createPlan, makePrint } from '../support/prints';
import { is, until } from '../support/waiting';

const dashboard = shareDashboard();

const startsWith = (start: string) => (text: string | null) => text?.startsWith(start) ?? false;

test('six prints of a printer are one row; all whose slots fit get their spool in two steps', async () => {
  const { printerId } = await dashboard.makeFarm('one');
  for (let number = 1; number <= 5; number += 1)
    await makePrint(dashboard, printerId, { name: `Part ${number}`, plan: createPlan(['tool:0', '1000', null]) });
  await makePrint(dashboard, printerId, {
    name: 'Two colours',
    plan: createPlan(['tool:0', '1000', null], ['tool:1', '500', null]),
    filament: ['tool:0', 'tool:1'].map((slot) => ({ slot, mm: '500', grams: null, basis: 'MEASURED' })),
  });
  const { page, step, problems } = await dashboard.visit('/');
  const alerts = page.getByRole('list', { name: 'Active alerts' });
  const dialog = page.getByRole('dialog');
  await step('one warning, which says how many', async () => {
    await section(page, 'Alerts').getByText('1 warning').waitFor();
    await page.getByRole('button', { name: 'Show alert' }).click();
    await alerts.getByText('6 prints on Printer one wait for their spools.').waitFor();
    await until('there is one row', () => alerts.getByRole('listitem').count(), is(1));
  });
  await step('spools for prints with one slot; the print with several is named', async () => {
    await alerts.getByRole('button', { name: /^Choose the spool for all:/ }).click();
    await choose(page, 'Spool in Extruder 1', 'Spool one (Material one)');
    await dialog.getByText('Still missing a spool: Two colours (Extruder 1, Extruder 2)').waitFor();
    expect(await findFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: /^Book / }).click();
    await page.getByText('5 prints booked. Still missing a spool: Two colours (Extruder 1, Extruder 2).').waitFor();
  });
  await step('one print still waits', async () => {
    await alerts.getByText('Print Two colours on Printer one waits for its spool.').waitFor();
    await section(page, 'Needs your input').getByText('Two colours').waitFor();
  });
  const jobs = await dashboard.sql(`select print_name from print_jobs where printer_id = '${printerId}' order by 1`);
  expect(jobs.map((job) => job['print_name'])).toEqual([1, 2, 3, 4, 5].map((number) => `Part ${number}`));
  await dashboard.sql(`delete from observed_prints where printer_id = '${printerId}'`);
  expect(problems).toEqual([]);
});

test('all prints of a printer can also get their spool from the list of what waits', async () => {
  const { printerId } = await dashboard.makeFarm('two');
  for (const name of ['Left', 'Right']) await makePrint(dashboard, printerId, { name });
  const { page, step, problems } = await dashboard.visit('/');
  await step('two steps', async () => {
    const tiles = page.getByRole('list', { name: 'Printers' }).locator('li');
    await until(
      'the printer that needs a person is first',
      () => tiles.first().textContent(),
      startsWith('Printer two'),
    );
    await page.getByRole('button', { name: 'Choose the spool for 2 prints on Printer two' }).click();
    await choose(page, 'Spool', 'Spool two (Material two)');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Book / })
      .click();
    await page.getByText('2 prints booked.').waitFor();
    await section(page, 'Needs your input').waitFor({ state: 'detached' });
  });
  expect(problems).toEqual([]);
});

test('the outcome of all prints of a printer is set together, and of one of them separately', async () => {
  const { client, printerId } = await dashboard.makeFarm('four');
  await dashboard.makeFarm('five');
  for (const name of ['Gear', 'Lid', 'Knob'])
    await makePrint(dashboard, printerId, { name, outcome: 'UNRESOLVED', ignoredAt: null });
  const { page, step, problems } = await dashboard.visit('/');
  const alerts = page.getByRole('list', { name: 'Active alerts' });
  const dialog = page.getByRole('dialog', { name: 'How did 3 prints on Attic end?' });
  const tiles = page.getByRole('list', { name: 'Printers' }).locator('li');
  const firstTile = () => tiles.first().textContent();
  await step('the tile says why, and another order is remembered', async () => {
    await tiles.first().getByText('How did 3 prints end?').waitFor();
    await page.getByLabel('Sort by').selectOption('Name');
    await until('the printers are ordered by name', firstTile, startsWith('Printer five'));
    await page.reload();
    await until('the order is remembered', firstTile, startsWith('Printer five'));
  });
  await step('the order does not change under the pointer', async () => {
    await tiles.first().hover();
    await client.request(UpdatePrinterDocument, { id: printerId, input: { name: 'Attic' } });
    await tiles.getByText('Attic').waitFor();
    expect(await firstTile()).toMatch(/^Printer five/);
    await page.mouse.move(0, 0);
    await until('the order follows', firstTile, startsWith('Attic'));
  });
  await step('one outcome for all, and another for one of them', async () => {
    await page.getByRole('button', { name: 'Show alert' }).click();
    await alerts.getByRole('button', { name: /^Set the outcome for all:/ }).click();
    await dialog.getByLabel('Outcome of all 3 prints').selectOption('Completed');
    await dialog.getByText('Set some of them separately').click();
    await dialog.getByLabel(/^Lid, started/).selectOption('Failed');
    expect(await findFaults(page)).toEqual([]);
    let requests = 0;
    page.on('request', (request) => {
      if (request.postData()?.includes('ResolvePrint')) requests += 1;
    });
    await dialog.getByRole('button', { name: 'Save 3 outcomes' }).click();
    await page.getByText('3 outcomes saved.').waitFor();
    expect(requests).toBe(1);
    await dialog.waitFor({ state: 'detached' });
  });
  const prints = await dashboard.sql(
    `select name, outcome from observed_prints where printer_id = '${printerId}' order by name`,
  );
  expect(prints).toEqual([
    { name: 'Gear', outcome: 'COMPLETED' },
    { name: 'Knob', outcome: 'COMPLETED' },
    { name: 'Lid', outcome: 'FAILED' },
  ]);
  await dashboard.sql(`delete from observed_prints where printer_id = '${printerId}'`);
  expect(problems).toEqual([]);
});

test('an alert is snoozed by keyboard, is listed with its end, and counts again when the snooze is ended', async () => {
  const { makeCamera } = await dashboard.makeFarm('three');
  await makeCamera('gone', { online: false });
  const { page, step, problems } = await dashboard.visit('/');
  const line = section(page, 'Alerts');
  const aside = page.getByRole('list', { name: 'Snoozed alerts' });
  await step('put aside', async () => {
    await page.getByRole('button', { name: 'Show alert' }).click();
    await page.getByRole('button', { name: /^Snooze: Camera Camera gone/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Until it clears' }).waitFor();
    await page.getByRole('menuitem', { name: 'Until it clears' }).press('Enter');
    await line.getByText('No active alerts.').waitFor();
    await line.getByText('1 snoozed').waitFor();
  });
  await step('listed', async () => {
    await page.reload();
    await page.getByRole('button', { name: 'Show snoozed alerts' }).click();
    await aside.getByText('Snoozed until it clears.').waitFor();
    expect(await findFaults(page)).toEqual([]);
  });
  await step('ended', async () => {
    await aside.getByRole('button', { name: /^Stop snoozing: Camera Camera gone/ }).click();
    await line.getByText('1 critical').waitFor();
    await aside.waitFor({ state: 'detached' });
  });
  await step('for an hour', async () => {
    await page.getByRole('button', { name: 'Show alert' }).click();
    await page.getByRole('button', { name: /^Snooze: Camera Camera gone/ }).click();
    await page.getByRole('menuitem', { name: 'For 1 hour' }).click();
    await aside.getByText(/Snoozed until /).waitFor();
  });
  const [{ minutes }] = (await dashboard.sql(
    `select round(extract(epoch from until - silenced_at) / 60)::int as minutes from alert_silences`,
  )) as [{ minutes: number }];
  expect(minutes).toBe(60);
  expect(problems).toEqual([]);
});
