// Tests the pages of print jobs in a real browser: finding, creating, changing and refusing jobs; lost answers, and a form in two windows.
import type { Page } from 'playwright-core';
import {
  CancelPrintJobDocument,
  ChangePrintJobStatusDocument,
  PrintJobByIdDocument,
  PrintJobsDocument,
  SetPrintJobPartsDocument,
  SpoolsDocument,
  UpdatePrintJobDocument,
  UpdateSpoolDocument,
} from '../../src/generated/operations';
import { choose, scrollToEnd } from '../support/browser';
import { connectionLabel, heading, openPage, section, shareDashboard } from '../support/dashboard';
import { is, until } from '../support/waiting';

const dashboard = shareDashboard();
/** Each test has jobs with unique names. */
let farm: Awaited<ReturnType<typeof dashboard.makeFarm>>;

beforeAll(async () => {
  farm = await dashboard.makeFarm('one');
  const { spools } = await farm.client.request(SpoolsDocument);
  await farm.client.request(UpdateSpoolDocument, { id: `${spools.nodes[0]?.id}`, input: { purchasePrice: '20' } });
});

const rows = (page: Page) => page.getByRole('table', { name: 'Jobs' }).locator('[data-index]');
const row = (page: Page, id: string) => page.locator(`[data-key="${id}"]`);
const create = (page: Page) => page.getByRole('button', { name: 'Add job' });
/** The names and costs of jobs. */
const readJobs = async (name: string) =>
  (await farm.client.request(PrintJobsDocument)).printJobs.nodes
    .filter(({ printName }) => printName.includes(name))
    .map(({ printName, costPerPrint }) => `${printName} ${costPerPrint}`);

/** The form of a new job, filled in. */
async function fillJob(page: Page, name: string): Promise<void> {
  await page.getByLabel('Print name').fill(name);
  await choose(page, 'Printer', 'Printer one');
  await choose(page, 'Spool', 'Spool one (Material one)');
  await page.getByLabel('Filament length in mm').fill('1000');
  await page.getByRole('list', { name: 'Calculation' }).getByText('3.05 g', { exact: true }).waitFor();
}

test('creates one job, however often the button is pressed, with its grams and cost shown while typing', async () => {
  const { page, step, problems } = await dashboard.visit('/jobs/new');
  const derivation = page.getByRole('list', { name: 'Calculation' });
  const filament = page.getByLabel('Filament length in mm');
  await step('grams and cost', async () => {
    await fillJob(page, 'Vase');
    await filament.fill('10000');
    await derivation.getByText('30.55 g', { exact: true }).waitFor();
    await derivation.getByText('0.6110', { exact: true }).waitFor();
  });
  await step('texts that are not numbers', async () => {
    for (const text of ['NaN', `0.${'1'.repeat(120)}`]) {
      await filament.fill('1e3');
      await derivation.getByText('3.05 g', { exact: true }).waitFor();
      await filament.fill(text);
      await page.getByText('Could not calculate weight and cost').waitFor();
    }
    await filament.fill('-5');
  });
  await step('faults at their fields', async () => {
    await create(page).click();
    await filament.and(page.locator('[aria-invalid=true]')).waitFor();
    await filament.and(page.locator(':focus')).waitFor();
    const described = await filament.getAttribute('aria-describedby');
    expect(await page.locator(`[id="${described?.split(' ').at(-1)}"]`).textContent()).toMatch(/0 or more|negative/);
    await filament.fill('10000');
    await page.getByLabel('Started at').fill('202666-01-01T00:00');
    await create(page).click();
    await page.locator('[name=startedAt][aria-invalid=true]').waitFor();
  });
  await step('the job', async () => {
    await page.getByLabel('Started at').fill('2026-11-20T08:30');
    await derivation.getByText('30.55 g', { exact: true }).waitFor();
    await create(page).dblclick();
    await heading(page, 'Vase').waitFor();
    await page.getByText('30.55 g', { exact: true }).first().waitFor();
    expect(await page.locator('dl').textContent()).toContain('0.6110');
    await page.locator(`dl time[datetime="${new Date('2026-11-20T08:30').toISOString()}"]`).waitFor();
  });
  await step('its weight is corrected, and its cost follows', async () => {
    const weight = page.getByLabel('Correct weight in grams');
    expect(await weight.inputValue()).toBe('30.55');
    await weight.fill('20');
    await weight.press('Enter');
    await page.locator('dl').getByText('20 g, entered by hand').waitFor();
    await page.locator('dl').getByText('0.4000').waitFor();
    await page.getByRole('region', { name: 'Correct weight' }).and(page.locator(':focus')).waitFor();
    expect(await page.locator('dl').textContent()).toContain('10,000 mm');
  });
  expect(await readJobs('Vase')).toHaveLength(1);
  expect(problems.filter((problem) => !problem.includes('400'))).toEqual([]);
});

test('stores no job without its cost, and one job if its answer is lost', async () => {
  const { page, step } = await dashboard.visit('/jobs/new');
  const alert = page.locator('form').getByRole('alert');
  const refuse = async () => {
    const json = { errors: [{ message: 'The gateway is busy', extensions: { code: 'UNAVAILABLE' } }] };
    await page.unrouteAll();
    await page.route('**/graphql', (route) =>
      route.request().postData()?.includes('deriveFilament') ? route.fulfill({ status: 503, json }) : route.continue(),
    );
  };
  await step('the cost is refused', async () => {
    await fillJob(page, 'Nut');
    await refuse();
    await create(page).click();
    await alert.getByText('is busy').waitFor();
    expect(await readJobs('Nut')).toEqual([]);
  });
  await step('the answer is lost', async () => {
    await page.unrouteAll();
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('CreateJob')) return route.continue();
      await route.fetch();
      await route.abort('connectionreset');
    });
    await create(page).click();
    await alert.getByText('The gateway does not answer').waitFor();
  });
  await step('again', async () => {
    await page.unrouteAll();
    await create(page).click();
    await heading(page, 'Nut').waitFor();
    expect(await readJobs('Nut')).toEqual(['Nut 0.0610']);
  });
  await step('an old job whose cost is removed', async () => {
    await page.getByRole('link', { name: 'Edit' }).click();
    // The page of the job has such a list too.
    await heading(page, 'Edit Nut').waitFor();
    await page.getByRole('list', { name: 'Calculation' }).waitFor();
    await page.getByRole('textbox', { name: 'Cost' }).fill('');
    await refuse();
    await page.getByRole('button', { name: 'Save' }).click();
    await alert.getByText('is busy').waitFor();
    expect(await readJobs('Nut')).toEqual(['Nut 0.0610']);
  });
});

test('asks before a form with typed input is left, by Back and by a link', async () => {
  const id = await farm.makeJob('Lever');
  const { page, step } = await dashboard.visit(`/jobs/${id}`);
  const question = page.getByRole('alertdialog', { name: 'Discard your changes?' });
  const name = page.getByLabel('Print name');
  await step('nothing was typed', async () => {
    await page.getByRole('link', { name: 'Edit' }).click();
    await name.waitFor();
    await page.goBack();
    await heading(page, 'Lever').waitFor();
  });
  await step('Back, and stay', async () => {
    await page.getByRole('link', { name: 'Edit' }).click();
    await name.fill('Longer lever');
    await page.evaluate(() => history.back());
    await question.getByRole('button', { name: 'Keep editing' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await name.inputValue()).toBe('Longer lever');
    expect(page.url()).toMatch(/\/edit$/);
  });
  await step('a link, and leave', async () => {
    await openPage(page, 'Jobs');
    await question.getByRole('button', { name: 'Discard changes' }).click();
    await heading(page, 'Jobs').waitFor();
    expect(await readJobs('ever')).toEqual(['Lever 0.4200']);
  });
  await step('a saved form asks nothing', async () => {
    await page.goBack();
    expect(await name.inputValue()).toBe('Lever');
    await name.fill('Longer lever');
    await page.getByRole('button', { name: 'Save' }).click();
    await heading(page, 'Longer lever').waitFor();
  });
});

test('two windows change different members of a job, and both stay', async () => {
  const id = await farm.makeJob('Hook');
  const { page, step } = await dashboard.visit(`/jobs/${id}/edit`);
  const notes = page.getByLabel('Notes');
  const change = async (text: string) => {
    const { printJob } = await farm.client.request(PrintJobByIdDocument, { id });
    const { printer, spool } = printJob ?? {};
    const input = { printName: 'Hook', printerId: `${printer?.id}`, spoolId: `${spool?.id}`, notes: text };
    await farm.client.request(UpdatePrintJobDocument, { id, input });
  };
  await step('both windows', async () => {
    await page.getByLabel('Print name').fill('Better hook');
    await change('Again');
    await until('the notes are those of the other window', () => notes.inputValue(), is('Again'));
    await page.getByRole('button', { name: 'Save' }).click();
    await heading(page, 'Better hook').waitFor();
  });
  const { printJob } = await farm.client.request(PrintJobByIdDocument, { id });
  expect(printJob).toMatchObject({ printName: 'Better hook', notes: 'Again' });
});

test('changes a status by keyboard, asks before a final status, and says why nothing was changed', async () => {
  const { client, makeJob } = farm;
  const [hook, ended, refused] = [await makeJob('Bracket'), await makeJob('Ended'), await makeJob('Refused')];
  const { page, step } = await dashboard.visit('/jobs');
  const question = page.getByRole('alertdialog');
  const change = (id: string, status: 'PRINTING' | 'COMPLETED' | 'FAILED') =>
    client.request(ChangePrintJobStatusDocument, { id, status });
  await connectionLabel(page, 'Live').waitFor();
  await step('start', async () => {
    await row(page, hook).getByRole('button', { name: 'Start Bracket' }).focus();
    await page.keyboard.press('Enter');
    await row(page, hook).getByText('Now printing.').waitFor();
    await page.locator('[role=group][aria-label="Status of Bracket"]:focus-within').waitFor();
  });
  await step('close the dialog', async () => {
    await row(page, hook).getByRole('button', { name: 'Complete Bracket' }).focus();
    await page.keyboard.press('Enter');
    await question.getByText('The job ends.').waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    await row(page, hook).getByText('Printing', { exact: true }).waitFor();
  });
  await step('the outcome leaves with its status', async () => {
    await row(page, hook).getByRole('button', { name: 'Complete Bracket' }).click();
    await page.getByRole('button', { name: 'Complete job' }).click();
    await row(page, hook).getByText('Now completed.').waitFor();
    await row(page, ended).getByRole('button', { name: 'Start Ended' }).click();
    await row(page, ended).getByText('Now printing.').waitFor();
    await page.getByRole('button', { name: 'Complete Ended' }).click();
    await question.waitFor();
    await change(ended, 'FAILED');
    await row(page, ended).getByText('Now printing.').waitFor({ state: 'detached' });
  });
  await step('a dialog about a job that has ended meanwhile', async () => {
    await row(page, ended).getByText('Failed', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Complete job' }).click();
    await row(page, ended).getByText('Not changed: the status of the job is now failed.').waitFor();
  });
  await step('a refusal', async () => {
    await page.route('**/graphql', async (route) => {
      // Another caller is faster.
      if (route.request().postData()?.includes('ChangeJobStatus'))
        await client.request(CancelPrintJobDocument, { id: refused });
      await route.continue();
    });
    await row(page, refused).getByRole('button', { name: 'Start Refused' }).click();
    await row(page, refused).getByRole('alert').getByText('CANCELLED').waitFor();
    await row(page, refused).getByText('Cancelled', { exact: true }).waitFor();
  });
});

test('a job that no longer matches the filters keeps its row until the list is opened again; a phone folds the filters', async () => {
  const { client, printerId, makeJob } = await dashboard.makeFarm('two');
  const [hook, clip] = [await makeJob('Hook'), await makeJob('Clip')];
  const { page, step } = await dashboard.visit(`/jobs?status=QUEUED&printer=${printerId}`, { width: 390 });
  const left = (id: string) => row(page, id).getByText('No longer matches');
  const names = () => rows(page).locator('[data-head=Job] a').allTextContents();
  await connectionLabel(page, 'Live').waitFor();
  await step('the list in the first screen, its filters folded', async () => {
    await row(page, hook).waitFor();
    expect((await row(page, hook).boundingBox())?.y).toBeLessThan(640);
    await page.getByLabel('Data source').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Filters (2)' }).click();
    await page.getByLabel('Data source').waitFor();
    await page.getByRole('button', { name: 'Filters (2)' }).click();
    await page.getByLabel('Data source').waitFor({ state: 'hidden' });
  });
  await step('by a click', async () => {
    await row(page, clip).getByRole('button', { name: 'Start Clip' }).click();
    await row(page, clip).getByText('Now printing.').waitFor();
    await left(clip).waitFor();
  });
  await step('by another caller', async () => {
    await client.request(ChangePrintJobStatusDocument, { id: hook, status: 'PRINTING' });
    await left(hook).waitFor();
  });
  await step('a new job, with which the list was read again', async () => {
    await row(page, await makeJob('Nut')).waitFor();
    expect(await names()).toEqual(['Clip', 'Hook', 'Nut']);
  });
  await step('the list that is opened again', async () => {
    await openPage(page, 'Farm');
    await heading(page, 'Farm').waitFor();
    await page.goBack();
    await until('the list has the nut alone', names, (found) => found.join() === 'Nut');
  });
});

test('finds jobs by filters in the address, loads more at the end, and Back returns to the position in a long list', async () => {
  const { client, printerId, makeJob } = await dashboard.makeFarm('three');
  /** The newest; copies of it are older. */
  const hook = await makeJob('Hook');
  const bolts = await dashboard.sql(`insert into print_jobs select (jsonb_populate_record(hook, jsonb_build_object(
      'id', gen_random_uuid(), 'print_name', 'Bolt ' || n, 'created_at', created_at - (101 - n) * interval '1 second'))).*
    from print_jobs hook, generate_series(1, 100) n where id = '${hook}' returning id, print_name`);
  await client.request(ChangePrintJobStatusDocument, { id: hook, status: 'PRINTING' });
  const { page, step, problems } = await dashboard.visit(`/jobs?printer=${printerId}&order=CREATED_AT_ASC`);
  const middle = `${bolts.find((bolt) => bolt['print_name'] === 'Bolt 60')?.['id']}`;
  const link = row(page, middle).getByRole('link').first();
  const box = (id: string) =>
    row(page, id)
      .boundingBox({ timeout: 100 })
      .catch(() => null);
  await step('the oldest first, and the last, which is on the third page', async () => {
    await rows(page).first().getByText('Bolt 1', { exact: true }).waitFor();
    expect(await page.getByRole('table', { name: 'Jobs' }).getAttribute('aria-rowcount')).toBe('102');
    await scrollToEnd(page, row(page, hook));
    expect(await rows(page).count()).toBeLessThan(80);
  });
  await step('a row in the middle, its job, and back', async () => {
    await page.mouse.move(700, 500);
    await until('the job in the middle is in the page', async () => {
      if ((await row(page, middle).count()) === 1) return true;
      await page.mouse.wheel(0, -400);
      return false;
    });
    await row(page, middle).scrollIntoViewIfNeeded();
    // A click scrolls until nothing covers the link, so the position counts from then on.
    await link.hover();
    const { y } = await until('the job in the middle has a place', () => box(middle));
    await link.click();
    await heading(page, 'Bolt 60').waitFor();
    await page.goBack();
    await until(
      `the job in the middle is back at ${y}`,
      () => box(middle),
      (now) => Math.abs((now?.y ?? Number.NaN) - y) < 100,
    );
  });
  const toggleStatus = async (name: string) => {
    await page.getByRole('combobox', { name: 'Status' }).click();
    await page.getByRole('option', { name }).click();
    await page.keyboard.press('Escape');
  };
  await step('one status, the same after a reload, and a search beside it', async () => {
    await toggleStatus('Printing');
    await rows(page).nth(1).waitFor({ state: 'detached' });
    await row(page, hook).waitFor();
    await page.reload();
    await row(page, hook).waitFor();
    expect(new URL(page.url()).searchParams.get('status')).toBe('PRINTING');
    await page.getByLabel('Search by name').fill('bolt 7');
    await page.getByText('No jobs match these filters.').waitFor();
    await toggleStatus('Printing');
    await rows(page).nth(10).getByText('Bolt 79').waitFor();
    expect(await rows(page).count()).toBe(11);
  });
  expect(problems).toEqual([]);
});

test("a job is split in grams or millimetres with a fixed sum, is shown by its parts, and becomes one spool's again", async () => {
  const { client, makeJob } = await dashboard.makeFarm('four');
  await dashboard.makeFarm('five');
  const { spools } = await client.request(SpoolsDocument);
  const findSpoolId = (name: string) =>
    `${spools.nodes.find(({ spoolSerial }) => spoolSerial === `Spool ${name}`)?.id}`;
  await client.request(UpdateSpoolDocument, {
    id: findSpoolId('five'),
    input: { colorHex: '#123456', purchasePrice: '30' },
  });
  const id = await makeJob('Panel');
  const { page, step, problems } = await dashboard.visit(`/jobs/${id}`);
  const parts = section(page, 'Parts');
  const readInput = (label: string) => page.getByLabel(label, { exact: true }).inputValue();
  const fill = (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);
  const save = () => page.getByRole('button', { name: 'Save' }).click();
  const divide = () => page.getByRole('link', { name: 'Split job' }).click();
  await step('one spool: no parts are shown', async () => {
    await page.getByRole('list', { name: 'Calculation' }).waitFor();
    await page.locator('dl').getByRole('link', { name: 'Spool four' }).waitFor();
    expect(await parts.count()).toBe(0);
  });
  await step('grams, and the rest of the last part', async () => {
    await divide();
    await fill('Grams of part 1', '1.05');
    expect(await readInput('Grams of part 2')).toBe('2.00');
    await page.getByRole('button', { name: 'Add a part' }).click();
    await fill('Grams of part 2', '0.5');
    expect(await readInput('Grams of part 3')).toBe('1.50');
    await page.getByRole('button', { name: 'Remove part 2' }).click();
    expect(await readInput('Grams of part 2')).toBe('2.00');
  });
  await step('what was typed is kept', async () => {
    await page.evaluate(() => history.back());
    await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click();
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    expect(await readInput('Grams of part 1')).toBe('1.05');
  });
  await step('a refusal is shown beside its amount', async () => {
    await choose(page, 'Spool of part 2', 'Spool five (Material five)');
    await fill('Grams of part 1', '4');
    expect(await readInput('Grams of part 2')).toBe('-0.95');
    await save();
    await page.locator('[name="parts.1.amount"][aria-invalid=true]').waitFor();
    await page.getByRole('group', { name: 'Part 2' }).getByText('Enter 0 or more.').waitFor();
  });
  await step('millimetres', async () => {
    await fill('Grams of part 1', '1.05');
    await page.getByLabel('Enter amounts in').selectOption('Millimetres');
    expect([await readInput('Millimetres of part 1'), await readInput('Millimetres of part 2')]).toEqual([
      '344.26',
      '655.74',
    ]);
    await fill('Millimetres of part 1', '400');
    expect(await readInput('Millimetres of part 2')).toBe('600');
    await page.getByLabel('Slot of part 2').selectOption('Extruder');
  });
  await step('a slot that the gateway does not know yet', async () => {
    await page.getByLabel('Slot of part 1').selectOption('Another slot …');
    await page.getByLabel('Slot of part 1').fill('left');
    await save();
    await page.getByRole('group', { name: 'Part 1' }).getByText('must be a slot such as').waitFor();
    await page.getByLabel('Slot of part 1').fill('ams:0:3');
    await save();
  });
  await step('the parts, and the bar in the colours of the spools', async () => {
    const row = (name: string) => parts.getByRole('row').filter({ hasText: name });
    await row('Spool five')
      .filter({ hasText: /Extruder.*600 mm.*1.83 g.*0.0549.*entered by hand/ })
      .waitFor();
    await row('Spool four')
      .filter({ hasText: /AMS 1, slot 4.*400 mm.*1.22 g.*0.*entered by hand/ })
      .waitFor();
    await page.locator('dl').getByText('2 spools').waitFor();
    const pieces = parts.locator('[aria-hidden] > span');
    expect(await pieces.count()).toBe(2);
    expect(await pieces.nth(1).evaluate((piece) => getComputedStyle(piece).backgroundColor)).toBe('rgb(18, 52, 86)');
  });
  await step('another window divides it again', async () => {
    const amounts = [
      { spoolId: findSpoolId('four'), mmExtruded: '900' },
      { spoolId: findSpoolId('five'), mmExtruded: '100', slot: 'ams:0:2' },
    ];
    await client.request(SetPrintJobPartsDocument, { id, parts: amounts });
    await parts.getByText('AMS 1, slot 3').waitFor();
    await parts.getByText('900 mm').waitFor();
  });
  await step('the list', async () => {
    await page.getByRole('link', { name: 'All jobs' }).click();
    await row(page, id).getByText('2 spools').waitFor();
    await page.getByRole('link', { name: 'Panel' }).click();
  });
  await step('one part: one spool again', async () => {
    await divide();
    await page.getByRole('button', { name: 'Remove part 2' }).click();
    // The grams of each part were rounded.
    expect(await readInput('Grams of part 1')).toBe('3.06');
    await page.getByLabel('Slot of part 1').selectOption('AMS 1, slot 3');
    await save();
    await page.getByRole('list', { name: 'Calculation' }).waitFor();
    await page.locator('dl').getByText('AMS 1, slot 3').waitFor();
    expect(await parts.count()).toBe(0);
  });
  await step('parts of less than a gram fill their bar', async () => {
    const amounts = ['four', 'five'].map((name) => ({
      spoolId: findSpoolId(name),
      mmExtruded: '1',
      gramsDerived: '0.1',
    }));
    await client.request(SetPrintJobPartsDocument, { id, parts: amounts });
    const bar = parts.locator('[aria-hidden]');
    const [width, pieces] = await bar.evaluate((bar) =>
      [bar, ...bar.children].map((one) => one.getBoundingClientRect().width).map(Math.round),
    );
    expect(pieces).toBeGreaterThan(Number(width) / 3);
  });
  expect(problems.filter((problem) => !problem.includes('400'))).toEqual([]);
});

test('several selected jobs get another spool or status in one step; a refusal of one does not affect the others', async () => {
  await dashboard.makeFarm('six');
  const ids = [await farm.makeJob('Many 1'), await farm.makeJob('Many 2'), await farm.makeJob('Many 3')];
  const { page, step, problems } = await dashboard.visit('/jobs?search=Many');
  const chosen = section(page, 'Selected jobs');
  const waitForStatus = (id: string, name: string) => row(page, id).getByText(name, { exact: true }).waitFor();
  await step('all, and a range by Shift, from which Enter leads to the actions; a row is one line', async () => {
    await page.getByRole('checkbox', { name: 'Select all loaded jobs' }).check();
    await chosen.getByText('3 jobs selected').waitFor();
    await chosen.getByRole('button', { name: 'Clear selection' }).click();
    await chosen.waitFor({ state: 'detached' });
    await rows(page).first().getByRole('checkbox').check();
    await rows(page)
      .nth(2)
      .getByRole('checkbox')
      .click({ modifiers: ['Shift'] });
    await chosen.getByText('3 jobs selected').waitFor();
    await rows(page).nth(2).getByRole('checkbox').press('Enter');
    await chosen.getByRole('button').first().and(page.locator(':focus')).waitFor();
    expect((await rows(page).nth(2).boundingBox())?.height).toBeLessThan(30);
  });
  await step('another spool', async () => {
    await chosen.getByRole('button', { name: 'Change spool of 3 jobs' }).click();
    await choose(page, 'Spool', 'Spool six (Material six)');
    await page.getByRole('dialog').getByRole('button', { name: 'Change spool' }).click();
    await chosen.getByText('3 of 3 changed.').waitFor();
    for (const id of ids) await row(page, id).getByText('Spool six').waitFor();
  });
  await step('ticked', async () => {
    await row(page, `${ids[2]}`).getByRole('checkbox').uncheck();
    await chosen.getByText('2 jobs selected').waitFor();
  });
  await step('started', async () => {
    await chosen.getByRole('button', { name: 'Start 2 jobs' }).click();
    await chosen.getByText('2 of 2 changed.').waitFor();
    await waitForStatus(`${ids[0]}`, 'Printing');
    await waitForStatus(`${ids[1]}`, 'Printing');
    await waitForStatus(`${ids[2]}`, 'Queued');
  });
  await step('one has ended meanwhile, which the page has not seen', async () => {
    await page.route('**/graphql', (route) => {
      const { operationName, variables } = JSON.parse(`${route.request().postData()}`);
      if (operationName !== 'ChangeJobStatus' || variables.id !== ids[0]) return route.fallback();
      const errors = [{ message: 'The job is over', extensions: { code: 'CONFLICT' } }];
      return route.fulfill({ json: { data: null, errors } });
    });
    await chosen.getByRole('button', { name: 'Cancel 2 jobs' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel 2 jobs' }).click();
    await chosen.getByText('1 of 2 changed. Many 1: The job is over.').waitFor();
    await waitForStatus(`${ids[1]}`, 'Cancelled');
    await waitForStatus(`${ids[0]}`, 'Printing');
  });
  await step('none', async () => {
    await chosen.getByRole('button', { name: 'Clear selection' }).click();
    await chosen.waitFor({ state: 'detached' });
  });
  expect(problems).toEqual([]);
});

test('headings sort the list, and the address says so', async () => {
  const { page, step, problems } = await dashboard.visit('/jobs');
  const heading = page.getByRole('columnheader', { name: 'Ended' });
  await step('the latest first', async () => {
    await heading.getByRole('button').click();
    await page.waitForURL(({ search }) => search === '?order=COMPLETED_AT_DESC');
    await page.locator('[role=columnheader][aria-sort=descending]').waitFor();
  });
  await step('as before', async () => {
    await heading.getByRole('button').click();
    await page.waitForURL(({ search }) => search === '');
  });
  await step('by printer, from A to Z and back', async () => {
    const printer = page.getByRole('columnheader', { name: 'Printer' });
    for (const [direction, order] of [
      ['ascending', '?order=PRINTER_ASC'],
      ['descending', '?order=PRINTER_DESC'],
    ]) {
      await printer.getByRole('button').click();
      await page.waitForURL(({ search }) => search === order);
      await page.locator(`[role=columnheader][aria-sort=${direction}]`).filter({ hasText: 'Printer' }).waitFor();
    }
  });
  expect(problems).toEqual([]);
});
