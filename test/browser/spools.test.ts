// Tests the page of a spool in a real browser: its values, its ledger, its location history, its jobs, and its grams over time.
import type { Page } from 'playwright-core';
import {
  ChangePrintJobStatusDocument,
  LoadSpoolDocument,
  SetPrintJobPartsDocument,
  SpoolsDocument,
  UpdateSpoolDocument,
} from '../../src/generated/operations';
import { findFaults } from '../support/accessibility';
import { choose } from '../support/browser';
import { connectionLabel, heading, navigateTo, openPage, section, shareDashboard } from '../support/dashboard';
import { ago } from '../support/farm';

const dashboard = shareDashboard();
let farm: Awaited<ReturnType<typeof dashboard.makeFarm>>;
let spoolId: string;
let otherId: string;
/** A job that is divided. */
let panel: string;

/** A job of 1000 mm, which are 3.05 g, that has ended. */
async function endJob(name: string): Promise<string> {
  const id = await farm.makeJob(name);
  for (const status of ['PRINTING', 'COMPLETED'] as const)
    await farm.client.request(ChangePrintJobStatusDocument, { id, status });
  return id;
}

const divide = (id: string, mm: string, otherMm: string) =>
  farm.client.request(SetPrintJobPartsDocument, {
    id,
    parts: [
      { spoolId: otherId, mmExtruded: otherMm },
      { spoolId, mmExtruded: mm },
    ],
  });

beforeAll(async () => {
  farm = await dashboard.makeFarm('one');
  await dashboard.makeFarm('two');
  const { spools } = await farm.client.request(SpoolsDocument);
  const findId = (name: string) => `${spools.nodes.find(({ spoolSerial }) => spoolSerial === name)?.id}`;
  [spoolId, otherId] = [findId('Spool one'), findId('Spool two')];
  const input = { colorHex: '#123456', vendor: 'Spinner', purchasePrice: '20' };
  await farm.client.request(UpdateSpoolDocument, { id: spoolId, input });
  await endJob('Nut');
  panel = await endJob('Panel');
  await divide(panel, '400', '600');
  for (let n = 1; n <= 24; n += 1) await farm.makeJob(`Bolt ${n}`);
  for (let hours = 13; hours >= 2; hours -= 1) {
    const load = { printerId: farm.printerId, slot: `ams:0:${hours % 4}`, spoolId, at: ago(hours * 3600) };
    await farm.client.request(LoadSpoolDocument, load);
  }
});

const rows = (page: Page, table: string) => page.getByRole('table', { name: table }).locator('[data-index]');

test('shows what the spool is, what remains, where it was, and what its jobs used of it', async () => {
  const { page, step, problems } = await dashboard.visit(`/spools/${spoolId}`);
  const row = (name: string) => rows(page, 'Jobs of the spool').filter({ hasText: name });
  await connectionLabel(page, 'Live').waitFor();
  await step('what it is and what is left', async () => {
    await heading(page, 'Spool one').waitFor();
    const facts = await page.locator('dl').textContent();
    for (const text of [
      '995.73 g',
      '4.27 g',
      '73.20 g',
      '922.53 g',
      'AMS 1, slot 3',
      '#123456',
      '1.75 mm',
      '1,000 g',
      '20',
    ])
      expect(facts).toContain(text);
    await page.getByText('Material one, Spinner').waitFor();
  });
  await step('its grams over time, for screen readers too', async () => {
    const plot = page.getByRole('img', { name: /^Remaining filament: 1,000.00 g on .* 995.73 g now, after 2 changes/ });
    await plot.locator('path').first().waitFor({ state: 'attached' });
  });
  await step('where it was, and further back', async () => {
    await rows(page, 'Location history').first().getByText('Still loaded').waitFor();
    expect(await rows(page, 'Location history').count()).toBe(10);
    await page.getByRole('button', { name: 'Show older locations' }).click();
    await rows(page, 'Location history').nth(11).waitFor();
    expect(await page.getByRole('button', { name: 'Show older locations' }).count()).toBe(0);
  });
  await step('its jobs, those of the second page too', async () => {
    await row('Bolt 24').waitFor();
    await page.keyboard.press('End');
    await row('Panel')
      .filter({ hasText: /1.2 g.*3.1 g from 2 spools.*0.0244/ })
      .waitFor();
    await row('Nut').filter({ hasText: '3.1 g' }).waitFor();
  });
  await step('a job that is divided again meanwhile', async () => {
    await divide(panel, '600', '400');
    await row('Panel')
      .filter({ hasText: /1.8 g.*from 2 spools/ })
      .waitFor();
    await page.locator('dl').getByText('995.12 g').waitFor();
    await page.getByRole('img', { name: /995.12 g now, after 2 changes/ }).waitFor();
  });
  expect(problems).toEqual([]);
});

test('the list of spools, a job and the slots of a printer lead to the spool', async () => {
  const { page, step, problems } = await dashboard.visit('/spools');
  const back = async () => {
    await heading(page, 'Spool one').waitFor();
    await page.goBack();
  };
  await step('the list', async () => {
    await page.getByRole('table', { name: 'Spools' }).getByRole('link', { name: 'Spool one' }).click();
    await back();
  });
  await step('a job with several spools, and one with one', async () => {
    await navigateTo(page, `/jobs/${panel}`);
    await section(page, 'Parts').getByRole('link', { name: 'Spool one' }).click();
    await back();
    await page.getByRole('link', { name: 'All jobs' }).click();
    await page.getByRole('link', { name: 'Bolt 24' }).click();
    await page.locator('dl').getByRole('link', { name: 'Spool one' }).click();
    await back();
  });
  await step('the slots of a printer, and from the spool to its printer', async () => {
    await openPage(page, 'Farm');
    await page.getByRole('list', { name: 'Printers' }).getByRole('link', { name: 'Printer one' }).click();
    await section(page, 'Slots').getByRole('link', { name: 'Spool one' }).click();
    await heading(page, 'Spool one').waitFor();
    await page.locator('dl').getByRole('link', { name: 'Printer one' }).click();
    await heading(page, 'Printer one').waitFor();
  });
  expect(problems).toEqual([]);
});

test('a spool is loaded into a printer from its page, and taken out', async () => {
  const { page, step, problems } = await dashboard.visit(`/spools/${otherId}`);
  const dialog = page.getByRole('dialog');
  const load = page.getByRole('button', { name: 'Load spool' });
  await step('no printer is chosen', async () => {
    await load.click();
    await page.getByRole('option', { name: 'Printer one' }).waitFor();
    // The list hides the rest of the page until it is closed.
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Load spool', exact: true }).click();
    await dialog.getByText('Choose an option.').waitFor();
  });
  await step('the first slot without a spool is offered, and another one is chosen', async () => {
    await choose(page, 'Printer', 'Printer one');
    await dialog.getByLabel('Slot').selectOption('AMS 1, slot 3 (replaces Spool one)');
    await dialog.getByRole('button', { name: 'Load spool', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.locator('dl').getByText(', AMS 1, slot 3').waitFor();
  });
  await step('taken out', async () => {
    await page.getByRole('button', { name: 'Take out' }).click();
    await dialog.getByRole('button', { name: 'Take out spool' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.locator('dl').getByText(', AMS 1, slot 3').waitFor({ state: 'detached' });
  });
  expect(problems).toEqual([]);
});

test('a spool is weighed, corrected and emptied, and a wrong row is undone', async () => {
  const { client } = await dashboard.makeFarm('three');
  const { spools } = await client.request(SpoolsDocument);
  const { id } = spools.nodes.find(({ spoolSerial }) => spoolSerial === 'Spool three') as { id: string };
  const { page, step, problems } = await dashboard.visit(`/spools/${id}`);
  const ledger = section(page, 'Adjustments');
  const dialog = page.getByRole('dialog');
  const question = page.getByRole('alertdialog');
  const scale = dialog.getByLabel('Weight on the scale in grams');
  const open = (action: string) => page.getByRole('button', { name: action, exact: true }).click();
  const submit = (action: string) => dialog.getByRole('button', { name: action, exact: true }).click();
  const row = (hasText: RegExp) => rows(page, 'Adjustments').filter({ hasText });
  const left = (grams: string) => page.getByText(`${grams} of 1,000.00 g remaining`).waitFor();
  await connectionLabel(page, 'Live').waitFor();
  await ledger.getByText('Weighings and corrections of this spool appear here.').waitFor();
  await step('the tare is entered with the first weight', async () => {
    await open('Weigh spool');
    const tare = dialog.getByLabel('Empty spool weight (tare) in grams');
    await scale.fill('1100.5');
    await submit('Save weight');
    await tare.and(page.locator('[aria-invalid=true]')).waitFor();
    await tare.fill('200');
    expect(await findFaults(page)).toEqual([]);
    await submit('Save weight');
    await dialog.waitFor({ state: 'detached' });
    await row(/Weighed900.5 g \(1,100.5 g − 200 g tare\).*-99.5 g/).waitFor();
    await left('900.50 g');
  });
  await step('the scale, refused below the tare', async () => {
    await page.locator('dl').getByText('Empty spool weight (tare)').waitFor();
    await open('Weigh spool');
    await dialog.getByText('The empty spool weight, 200 g, is subtracted.').waitFor();
    await scale.fill('150');
    await submit('Save weight');
    await dialog
      .getByText(
        'is 150 g, and the empty spool weighs 200 g: the scale may show at most 10 g less than the empty spool',
      )
      .waitFor();
    expect(await scale.getAttribute('aria-invalid')).toBe('true');
    await scale.fill('1612');
    await submit('Save weight');
    await question.getByText('That is more than a full spool (1,000 g). Save 1,412 g anyway?').waitFor();
    expect(await findFaults(page)).toEqual([]);
    await question.getByRole('button', { name: 'Correct the weight' }).click();
    await scale.fill('612');
    await submit('Save weight');
    await dialog.waitFor({ state: 'detached' });
    await row(/Weighed412 g \(612 g − 200 g tare\).*-488.5 g/).waitFor();
    await left('412.00 g');
  });
  await step('corrected', async () => {
    await open('Adjust weight');
    await dialog.getByLabel('Change').selectOption('Add filament');
    await dialog.getByLabel('Amount in grams').fill('588.1');
    await dialog.getByLabel('Reason').fill('The rest of a sample');
    await submit('Save adjustment');
    await question.getByText('That is more than a full spool (1,000 g). Save 1,000.1 g anyway?').waitFor();
    await question.getByRole('button', { name: 'Save anyway' }).click();
    await dialog.waitFor({ state: 'detached' });
    await row(/Corrected.*\+588.1 g.*The rest of a sample/).waitFor();
    await left('1,000.10 g');
  });
  await step('taken back', async () => {
    await row(/Corrected/)
      .getByRole('button', { name: 'Undo' })
      .click();
    await question.getByRole('button', { name: 'Undo adjustment' }).click();
    await row(/Corrected/)
      .getByRole('button', { name: 'Undo' })
      .waitFor({ state: 'detached' });
    await row(/Corrected.*Undone/).waitFor();
    await left('412.00 g');
    expect(await findFaults(page)).toEqual([]);
    await ledger.locator('[role=group]:focus').waitFor();
    await page.getByRole('img', { name: /412.00 g now, after \d+ changes/ }).waitFor();
  });
  await step('archived and restored', async () => {
    await open('Archive spool');
    await page.getByText('Archived', { exact: true }).waitFor();
    await open('Restore spool');
    await page.getByText('Archived', { exact: true }).waitFor({ state: 'detached' });
  });
  await step('emptied', async () => {
    await open('Mark as empty');
    await question.getByRole('button', { name: 'Mark as empty' }).click();
    await row(/Weighed0 g.*-412 g/).waitFor();
    await page.getByText('Archived', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Mark as empty' }).waitFor({ state: 'detached' });
  });
  expect(problems).toEqual([]);
});

test('a spool has a lot, a comment, tags that move between spools, and reports of other programs', async () => {
  const { client } = await dashboard.makeFarm('four');
  await dashboard.makeFarm('five');
  const { spools } = await client.request(SpoolsDocument);
  const find = (name: string) =>
    spools.nodes.find(({ spoolSerial }) => spoolSerial === name) as (typeof spools.nodes)[0];
  const [{ id }, other] = [find('Spool four'), find('Spool five')];
  await dashboard.sql(`insert into spool_tags (uid, spool_id) values ('04A22B91', '${other.id}')`);
  const { page, step, problems } = await dashboard.visit(`/spools/${id}`);
  const dialog = page.getByRole('dialog');
  const tags = section(page, 'Tags');
  await step('its lot and comment', async () => {
    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByLabel('Lot number').fill('L-7');
    await dialog.getByLabel('Comment').fill('From the fair');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await page.locator('dl').getByText('From the fair').waitFor();
    await page.locator('dl').getByText('L-7').waitFor();
  });
  await step('the tag of another spool moves only after a question', async () => {
    await tags.getByText('The RFID and NFC tags on this spool appear here.').waitFor();
    await tags.getByRole('button', { name: 'Link tag' }).click();
    await dialog.getByLabel('UID of the tag').fill('xyz');
    await dialog.getByRole('button', { name: 'Link tag' }).click();
    await dialog.getByText('Must be the UID of a tag').waitFor();
    await dialog.getByLabel('UID of the tag').fill('04:a2:2b:91');
    expect(await findFaults(page)).toEqual([]);
    await page.keyboard.press('Enter');
    const question = page.getByRole('alertdialog', { name: 'Move the tag from Spool five?' });
    await question.getByText(`linked to Spool five (#${other.number})`).waitFor();
    await question.getByRole('button', { name: 'Move tag' }).click();
    await tags.getByText('04A22B91').waitFor();
  });
  await step('the search and the list find the spool by its tag', async () => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Search/ }).fill('04-a2-2b-91');
    await page.getByRole('option', { name: /Spool four/ }).waitFor();
    await page.keyboard.press('Escape');
    await openPage(page, 'Spools');
    await page.getByLabel('Search by number, serial, product, place or tag').fill('04 a2 2b 91');
    await page.getByRole('table', { name: 'Spools' }).getByText('Spool five').waitFor({ state: 'detached' });
    await page.getByRole('table', { name: 'Spools' }).getByRole('link', { name: 'Spool four' }).click();
  });
  await step('what other programs report', async () => {
    await dashboard.sql(
      `insert into reported_uses (spool_id, by, started_at, ended_at, since, amount, gives_back, froms, tos, amounts)
       select '${id}', 'voron', t, t, t, 12.5, false, array[t], array[t], array[12.5] from (select now() as t) t`,
    );
    await page.locator('dl').getByText('Reported by other programs').waitFor();
    await page.locator('summary').filter({ hasText: 'Reported by other programs' }).click();
    await page.getByRole('table', { name: 'Reports of other programs' }).getByText('12.5 g').waitFor();
    await section(page, 'Reported by other programs').getByText('Yes').waitFor();
    await page.getByRole('img', { name: /1,000.00 g on .* 987.50 g now, after 1 change / }).waitFor();
    expect(await findFaults(page)).toEqual([]);
  });
  await step('unlinked', async () => {
    await tags.getByRole('button', { name: 'Unlink tag 04A22B91' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Unlink tag' }).click();
    await tags.getByText('The RFID and NFC tags on this spool appear here.').waitFor();
  });
  expect(problems).toEqual([]);
});
