// Tests the alerts of the farm page in a real browser: one row per cause, its spools in two steps, and snoozed alerts.
import { findFaults } from '../support/accessibility';
import { choose } from '../support/browser';
import { section, shareDashboard } from '../support/dashboard';
import { createPlan, makePrint } from '../support/prints';
import { is, until } from '../support/waiting';

const dashboard = shareDashboard();

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
