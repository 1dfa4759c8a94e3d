// Tests printers, their machines and their prints in a real browser: connecting, states, loading spools, and decisions about prints.
import type { Locator, Page, Route } from 'playwright-core';
import { createClient } from '../../src/client/client';
import { FakeOctoPrint } from '../../src/demo/machines/octoprint';
import { drawPicture } from '../../src/demo/machines/preview-picture';
import { startFake } from '../../src/demo/machines/start-machine';
import {
  LoadSpoolDocument,
  PrintJobsDocument,
  RegisterCameraDocument,
  SpoolsDocument,
} from '../../src/generated/operations';
import { findFaults } from '../support/accessibility';
import { choose, visit } from '../support/browser';
import { heading, openPage, section, shareDashboard } from '../support/dashboard';
import { ago } from '../support/farm';
import { type ListeningGateway, listenInProcess } from '../support/listening-gateway';
import { addSightings, createPlan, makeDevice, makePrint, setState } from '../support/prints';
import { ask } from '../support/requests';

import { makeShownFarm } from '../support/shown-farm';
import { is, until } from '../support/waiting';

/** The test writes by hand what the collector writes. */
const dashboard = shareDashboard({ COLLECT: 'false' });

/** No printer becomes silent before its test ends. A time further in the future is ignored. */
const soon = () => ago(-110);

const printers = (page: Page) => page.getByRole('list', { name: 'Printers' });

const spoolIds = async (client: Awaited<ReturnType<typeof dashboard.makeFarm>>['client']) => {
  const { nodes } = (await client.request(SpoolsDocument, { first: 1000 })).spools;
  return (name: string) => `${nodes.find(({ spoolSerial }) => spoolSerial === name)?.id}`;
};

/** Opens a section that is folded. */
const unfold = (page: Page, title: string) => page.locator('summary').filter({ hasText: title }).click();

/** Opens the form that takes the spool out of the only slot. */
async function askToTakeOut(page: Page, spool: string): Promise<void> {
  await page.getByRole('button', { name: 'More actions for Extruder' }).click();
  await page.getByRole('menuitem', { name: `Take out ${spool}` }).click();
}

async function readHistory(id: string) {
  const query =
    'query ($id: ID!) { printer(id: $id) { slotLoads(slot: "tool:0") { nodes { from to spool { spoolSerial } } } } }';
  const { body } = await ask(dashboard.gateway, '/graphql', { query, variables: { id } });
  return (body as { data: { printer: { slotLoads: { nodes: unknown[] } } } }).data;
}

// This test must be the first one, because it sees all alerts.
test('shows a printer and its print, updates each state, and leads from an alert to its subject', async () => {
  const { printerId } = await dashboard.makeFarm('one');
  // Only its state shows when the machine last reported.
  const deviceId = await makeDevice(dashboard, {
    printerId,
    lastMessageAt: null,
    state: 'REFUSED',
    fault: 'CREDENTIALS_REFUSED',
  });
  const { page, step, problems } = await dashboard.visit('/');
  const now = section(page, 'Now');
  const row = page.locator(`[data-key="${printerId}"]`);
  const alerts = page.getByRole('list', { name: 'Active alerts' });
  const plan = createPlan(['tool:0', '1000', null]);
  const running = { deviceId, outcome: 'RUNNING', endedAt: null, name: 'Hook', plan };
  await step('nothing is known', async () => {
    for (const text of ['Needs you', /rejects the gateway/]) await row.getByText(text).waitFor();
    await until('the title counts', () => page.title(), is('(1) Farm · Print Farm'));
    await row.getByRole('button', { name: 'Edit connection: Printer one' }).click();
    await page.getByRole('dialog', { name: /^Edit Klipper/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Table' }).click();
    const table = page.getByRole('table', { name: 'Printers' });
    await table.getByRole('button', { name: 'Edit connection: Printer one' }).waitFor();
    await page.getByRole('button', { name: 'Tiles' }).click();
  });
  const printId = await makePrint(dashboard, printerId, running);
  await addSightings(dashboard, printId, 'The printer paused', 'The printer paused again');
  const picture = drawPicture('Hook').toString('base64');
  await dashboard.sql(`insert into print_thumbnails values ('${printId}', decode('${picture}', 'base64'))`);
  // The first request for the picture fails.
  let hasFailed = false;
  await page.route('**/graphql', (route) => {
    if (hasFailed || !route.request().postData()?.includes('PrintThumbnail')) return route.fallback();
    hasFailed = true;
    return route.fulfill({ json: { errors: [{ message: 'Busy', extensions: { code: 'UNAVAILABLE' } }] } });
  });
  const state = { printId, printName: 'Hook', progress: 0.425, progressBasis: 'LAYERS', layer: 17, layers: 40 };
  await setState(dashboard, printerId, { ...state, remainingSec: 4500, heardAt: soon() });
  await step('the farm', async () => {
    for (const text of ['Needs you', '42 %', '1 h 15 min left', 'Hook']) await row.getByText(text).waitFor();
    await row.locator('img').evaluate((image: HTMLImageElement) => image.decode());
    expect(hasFailed).toBe(true);
    await page.getByText('1 of 1 printing').waitFor();
    await section(page, 'Needs your input').getByText('Spool unknown').first().waitFor();
  });
  await step('the print', async () => {
    await page.getByRole('button', { name: 'Show all' }).click();
    await alerts.getByRole('link', { name: 'View print', exact: true }).click();
    await page.getByText('The printer paused again').waitFor();
    // Fails if the browser does not show the picture, for example for the policy of the page.
    await page.getByRole('img', { name: 'Preview of Hook' }).evaluate((image: HTMLImageElement) => image.decode());
    await page.goBack();
  });
  await step('the printer', async () => {
    await page.getByRole('button', { name: 'Show all' }).click();
    await alerts.getByRole('link', { name: 'View printer' }).first().click();
    for (const text of ['42 %', 'of the layers', '17 of 40', '1 h 15 min']) await now.getByText(text).waitFor();
    await section(page, 'Connection').getByText("Moonraker rejects the gateway's credentials").waitFor();
    await section(page, 'Slots').getByText('Empty').waitFor();
  });
  await step('a fault, with the message of the machine', async () => {
    await setState(dashboard, printerId, {
      activity: 'ERROR',
      message: 'Heater extruder not heating',
      heardAt: soon(),
    });
    await now.getByText('Error').waitFor();
    await now.getByText('Heater extruder not heating').waitFor();
  });
  await step('an old state', async () => {
    await setState(dashboard, printerId, { activity: 'PAUSED', heardAt: soon() });
    await now.getByText('Paused').waitFor();
    await setState(dashboard, printerId, { activity: 'PAUSED', heardAt: ago(60) });
    await page.getByText('The printer sends no data.').waitFor();
    await until('the title still counts', () => page.title(), is('(1) Printer one · Print Farm'));
    await dashboard.sql(`update devices set state = 'CONNECTED', fault = null where id = '${deviceId}'`);
    await openPage(page, 'Farm');
    await row.getByText('1 print waits for its spool').waitFor();
  });
  await step('without filament, the tile changes the spool', async () => {
    await setState(dashboard, printerId, { activity: 'PAUSED', message: 'Filament ran out', heardAt: soon() });
    await row.getByRole('button', { name: 'Change spool: Printer one' }).click();
    await page.getByRole('dialog', { name: 'Change the spool in Extruder' }).waitFor();
    await page.getByRole('option', { name: 'Spool one (Material one)' }).waitFor();
  });
  expect(problems).toEqual([]);
});

// This runs before any other job ends, because it counts grams.
test('prints that ended today are shown by printer and spool, beside what waits', async () => {
  const { client, printerId } = await dashboard.makeFarm('three');
  const made = { startedAt: '2026-03-02T09:00:00Z', endedAt: '2026-03-02T10:00:00Z' };
  const filament = [{ slot: 'tool:0', mm: '1000', grams: null, basis: 'MEASURED' }];
  const { spools } = await client.request(SpoolsDocument);
  const spool = spools.nodes.find(({ spoolSerial }) => spoolSerial === 'Spool three');
  const query =
    'mutation ($id: ID!, $spools: [SlotSpoolInput!]!) { assignSpools(printId: $id, spools: $spools) { id } }';
  const assign = async (id: string) => {
    const variables = { id, spools: [{ slot: 'tool:0', spoolId: spool?.id }] };
    const answer = await ask(dashboard.gateway, '/graphql', { query, variables });
    expect(answer).toMatchObject({ body: { data: { assignSpools: { id } } } });
  };
  for (const outcome of ['COMPLETED', 'CANCELLED']) {
    await assign(await makePrint(dashboard, printerId, { ...made, outcome, filament }));
  }
  const hook = await makePrint(dashboard, printerId, { ...made, name: 'Bracket', filament });
  const { page, step, problems } = await dashboard.visit('/', { time: '2026-03-02T12:00:00Z' });
  const today = section(page, 'Today');
  const waits = async () => {
    await section(page, 'Needs your input').getByText('Bracket').waitFor();
  };
  await step('on the farm', async () => {
    await today.getByText('1 completed: 3.05 g').waitFor();
    await today.getByText('1 failed or cancelled: 3.05 g').waitFor();
    await waits();
  });
  await step('on the page of the printer', async () => {
    await printers(page).getByRole('link', { name: 'Printer three' }).click();
    await today.getByText('Completed: 3.05 g, cost 0. Wasted: 3.05 g, cost 0.').waitFor();
    const row = page.getByRole('table', { name: 'Finished today' }).getByRole('row').nth(1);
    for (const text of ['Spool three (Material three)', '3.1 g']) await row.getByText(text).first().waitFor();
    await waits();
  });
  await step('and as a strip, and the week of the farm as bars', async () => {
    const strip = page.getByRole('list', { name: 'Prints in the last 24 hours' });
    await strip.getByRole('link', { name: /^Bracket, Completed, \d/ }).waitFor();
    await openPage(page, 'Farm');
    await page.getByRole('list', { name: 'Filament used in the last 7 days' }).getByText('6 g').waitFor();
    await printers(page).getByRole('link', { name: 'Printer three' }).click();
  });
  await step('and without a reload, when one more ends', async () => {
    await assign(hook);
    await today.getByText('Completed: 6.1 g').waitFor();
  });
  await step('on the day after', async () => {
    await page.clock.setFixedTime('2026-03-04T12:00:00Z');
    await page.reload();
    await today.getByText('No jobs finished today.').waitFor();
  });
  expect(problems).toEqual([]);
});

test('prints that wait get their spool, are ignored, or get their outcome; a spool is loaded and taken out', async () => {
  const { client, printerId } = await dashboard.makeFarm('two');
  const filament = [{ slot: 'tool:0', mm: '1000', grams: null, basis: 'MEASURED' }];
  for (const name of ['Nut', 'Clip']) await makePrint(dashboard, printerId, { name, filament });
  const plan = createPlan(['tool:0', '1000', null]);
  const lost = { name: 'Vase', outcome: 'UNRESOLVED', endedAt: null, filament: null, plan };
  await makePrint(dashboard, printerId, lost);
  const { page, step, problems } = await dashboard.visit('/');
  const waits = section(page, 'Needs your input');
  const slots = section(page, 'Slots');
  const prints = section(page, 'Prints');
  await step('assigned', async () => {
    await waits.getByRole('button', { name: 'Choose the spool of Nut' }).click();
    await page.getByRole('option', { name: 'Spool two (Material two)' }).waitFor();
    // The list hides the rest of the page until it is closed.
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Book / }).click();
    await page.getByRole('dialog').locator('[data-invalid]').first().waitFor();
    await choose(page, 'Spool', 'Spool two (Material two)');
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: /^Book / }).click();
    await waits.getByText('Nut').waitFor({ state: 'detached' });
  });
  await step('ignored', async () => {
    await waits.getByRole('button', { name: 'Don’t book Clip' }).click();
    await waits.getByText('Clip').waitFor({ state: 'detached' });
  });
  await step('its outcome', async () => {
    await waits.getByRole('button', { name: 'Set the outcome of Vase' }).click();
    await page.getByRole('dialog').getByLabel('Outcome').selectOption('Cancelled');
    await page.getByLabel('Ended at').fill('1999-12-31T23:59');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('must not be earlier than the start of the print').waitFor();
    await page.getByLabel('Ended at').fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
  await step('its spool is taken out, and another is loaded', async () => {
    await printers(page).getByRole('link', { name: 'Printer two' }).click();
    await askToTakeOut(page, 'Spool two');
    await page.getByRole('button', { name: 'Take out spool' }).click();
    await slots.getByText('Empty').waitFor();
    await page.getByRole('button', { name: 'Load spool into Extruder' }).click();
    await choose(page, 'Spool for Extruder', 'Spool one (Material one)');
    await page.getByRole('button', { name: 'Load spool', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await slots.getByRole('link', { name: 'Spool one' }).waitFor();
    await slots.getByText('1,000 g remaining').waitFor();
  });
  await step('no longer ignored', async () => {
    await prints.getByText('Not booked').waitFor();
    await prints.getByText('Cancelled').waitFor();
    await prints.getByRole('row', { name: /^Clip/ }).getByRole('link', { name: 'Clip' }).click();
    await page.getByRole('button', { name: 'Book anyway: Clip' }).click();
    await page.getByRole('button', { name: 'Choose the spool of Clip' }).waitFor();
  });
  const { printJobs } = await client.request(PrintJobsDocument);
  expect(printJobs.nodes).toContainEqual(expect.objectContaining({ printName: 'Nut', status: 'COMPLETED' }));
  expect(problems).toEqual([]);
});

test('a print of several slots gets a spool for each, and loaded spools are already chosen', async () => {
  const { client, printerId } = await dashboard.makeFarm('four');
  await dashboard.makeFarm('five');
  const spoolId = await spoolIds(client);
  const [first, second] = ['ams:0:0', 'ams:0:1'];
  for (const [slot, name] of [
    [first, 'Spool four'],
    [second, 'Spool five'],
  ] as const)
    await client.request(LoadSpoolDocument, { printerId, slot, spoolId: spoolId(name) });
  const filament = [first, second].map((slot) => ({ slot, mm: '1000', grams: null, basis: 'MEASURED' }));
  await makePrint(dashboard, printerId, { name: 'Sign', filament });
  const { page, step, problems } = await dashboard.visit(`/printers/${printerId}`);
  const dialog = page.getByRole('dialog');
  const findField = (slot: string) => dialog.getByRole('combobox', { name: `Spool in ${slot}` });
  const value = (slot: string) => () => findField(slot).inputValue();
  await step('what is loaded is chosen', async () => {
    await page.getByRole('button', { name: 'Choose the spools of Sign' }).click();
    await until('the first is chosen', value('AMS 1, slot 1'), is('Spool four (Material four)'));
    await until('the second is chosen', value('AMS 1, slot 2'), is('Spool five (Material five)'));
  });
  await step('each slot is sent with its spool, and a fault is shown beside its slot', async () => {
    const issues = [{ path: ['spools', 1, 'spoolId'], message: 'must be another one' }];
    const errors = [{ message: 'no', extensions: { code: 'BAD_USER_INPUT', issues } }];
    const sent: unknown[] = [];
    await page.route('**/graphql', (route) => {
      const { operationName, variables } = JSON.parse(`${route.request().postData()}`);
      if (operationName !== 'AssignSpools') return route.continue();
      sent.push(variables.spools);
      return route.fulfill({ json: { data: null, errors } });
    });
    await dialog.getByRole('button', { name: /^Book / }).click();
    await findField('AMS 1, slot 2').and(page.locator('[data-invalid]')).waitFor();
    await dialog.getByText('must be another one').waitFor();
    expect(sent).toEqual([
      [
        { slot: first, spoolId: spoolId('Spool four') },
        { slot: second, spoolId: spoolId('Spool five') },
      ],
    ]);
  });
  await step('the gateway refuses a spool that was archived meanwhile, beside its slot', async () => {
    await page.unrouteAll();
    // The choices that the feed has the page read again take the marks off the fields: they come when all was seen.
    const held: Route[] = [];
    await page.route('**/graphql', (route) =>
      `${route.request().postData()}`.includes('SpoolChoices') ? void held.push(route) : route.continue(),
    );
    const archive = (at: string) =>
      dashboard.sql(`update spools set archived_at = ${at} where spool_serial = 'Spool five'`);
    await archive('now()');
    await dialog.getByRole('button', { name: /^Book / }).click();
    await dialog.getByText('must not be an archived spool').waitFor();
    await findField('AMS 1, slot 2').and(page.locator('[data-invalid]')).waitFor();
    await archive('null');
    for (const route of held.splice(0)) await route.continue();
    await page.unrouteAll();
  });
  await step('the gateway makes the job once it is in use again, with a part of each spool', async () => {
    await dialog.getByRole('button', { name: /^Book / }).click();
    await dialog.waitFor({ state: 'detached' });
    await section(page, 'Prints').getByRole('row', { name: /^Sign/ }).getByRole('link').last().click();
    const row = (name: string) => section(page, 'Parts').getByRole('row').filter({ hasText: name });
    for (const [name, slot] of [
      ['Spool four', 'AMS 1, slot 1'],
      ['Spool five', 'AMS 1, slot 2'],
    ] as const)
      await row(name)
        .filter({ hasText: new RegExp(`${slot}.*1,000 mm.*3.05 g.*measured`) })
        .waitFor();
  });
  expect(problems.filter((problem) => !problem.includes('400'))).toEqual([]);
});

test('each slot has its history, and a spool is loaded and taken out at a time in the past', async () => {
  const { client, printerId } = await dashboard.makeFarm('six');
  await dashboard.makeFarm('seven');
  const spoolId = await spoolIds(client);
  const names = ['Spool six', 'Spool seven'];
  for (let hours = 13; hours >= 2; hours -= 1) {
    const at = ago(hours * 3600);
    await client.request(LoadSpoolDocument, { printerId, spoolId: spoolId(names[hours % 2] as string), at });
  }
  const { page, step, problems } = await dashboard.visit(`/printers/${printerId}`);
  const history = page.getByRole('list', { name: 'History of Extruder, newest first' });
  const dialog = page.getByRole('dialog');
  await step('newest first, and older ones', async () => {
    await unfold(page, 'Location history');
    await history.getByText('until now').waitFor();
    expect(await history.getByRole('listitem').count()).toBe(10);
    await page.getByRole('button', { name: 'Show older spools of Extruder' }).click();
    await history.getByRole('listitem').nth(11).waitFor();
    expect((await history.getByRole('link').allTextContents()).slice(0, 3)).toEqual([
      'Spool six',
      'Spool seven',
      'Spool six',
    ]);
  });
  await step('a time before the last change is refused', async () => {
    await page.getByRole('button', { name: 'Change spool in Extruder' }).click();
    await choose(page, 'Spool for Extruder', 'Spool seven (Material seven)');
    await dialog.getByLabel('Loaded at').fill('2020-01-01T10:00');
    await dialog.getByRole('button', { name: 'Load spool', exact: true }).click();
    await dialog.getByRole('alert').getByText('must not be before').waitFor();
  });
  /** A whole minute, and how the page writes it. */
  const minutesAgo = async (minutes: number) => {
    const minute = 60_000;
    const at = Math.floor(Date.now() / minute - minutes) * minute;
    const local = (at: number) => new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
    return { at, local: await page.evaluate(local, at) };
  };
  await step('a time since then', async () => {
    const { at, local } = await minutesAgo(30);
    await dialog.getByLabel('Loaded at').fill(local);
    await dialog.getByRole('button', { name: 'Load spool', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await section(page, 'Slots').getByRole('link', { name: 'Spool seven' }).first().waitFor();
    const { printer } = await readHistory(printerId);
    expect(printer.slotLoads.nodes.slice(0, 2)).toEqual([
      { from: new Date(at).toISOString(), to: null, spool: { spoolSerial: 'Spool seven' } },
      { from: expect.anything(), to: new Date(at).toISOString(), spool: { spoolSerial: 'Spool six' } },
    ]);
  });
  await step('the history is read again when a change tells', async () => {
    await history.getByRole('listitem').first().getByRole('link', { name: 'Spool seven' }).waitFor();
  });
  await step('taken out', async () => {
    const { at, local } = await minutesAgo(20);
    await askToTakeOut(page, 'Spool seven');
    await dialog.getByLabel('Taken out at').fill(local);
    await dialog.getByRole('button', { name: 'Take out spool' }).click();
    await dialog.waitFor({ state: 'detached' });
    await section(page, 'Slots').getByText('Empty').waitFor();
    await history.getByText('until now').waitFor({ state: 'detached' });
    const { printer } = await readHistory(printerId);
    expect(printer.slotLoads.nodes[0]).toMatchObject({ to: new Date(at).toISOString() });
  });
  expect(problems).toEqual([]);
});

test('the tag that the machine reads in a slot is linked to its spool, and the page says why the slots do not follow', async () => {
  const { printerId } = await dashboard.makeFarm('tag');
  const isThisGateway = { isThisGateway: false, activeNumber: 12, obstacle: null, problem: null };
  await makeDevice(dashboard, { printerId, spoolman: JSON.stringify(isThisGateway) });
  await dashboard.sql(
    `insert into printer_slots (printer_id, slot, tag) values ('${printerId}', 'tool:0', 'C0FFEE01')
     on conflict (printer_id, slot) do update set tag = excluded.tag`,
  );
  const { page, step, problems } = await dashboard.visit(`/printers/${printerId}`);
  const slots = section(page, 'Slots');
  const dialog = page.getByRole('dialog');
  await step('another Spoolman', async () => {
    await slots.getByText('Moonraker uses another Spoolman').waitFor();
    await unfold(page, 'Connection');
    await section(page, 'Connection').getByText('#12').waitFor();
  });
  await step('an unknown tag', async () => {
    await slots.getByText('Unknown tag').waitFor();
    await slots.getByRole('button', { name: 'This is … (the tag in' }).click();
    await choose(page, 'Spool with the tag C0FFEE01', 'Spool tag (Material tag)');
    await dialog.getByRole('button', { name: 'Link tag' }).click();
    await dialog.waitFor({ state: 'detached' });
    await slots.getByRole('link', { name: 'Spool tag' }).waitFor();
    expect(await findFaults(page)).toEqual([]);
  });
  await step('the slots no longer follow', async () => {
    await page.getByRole('button', { name: 'Edit connection' }).click();
    await dialog.getByLabel('Slots follow the active spool of Moonraker').uncheck();
    await dialog.getByLabel('Loading a spool here sets the active spool of Moonraker').check();
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await dialog.waitFor({ state: 'detached' });
    await slots.getByText('Moonraker uses another Spoolman').waitFor({ state: 'detached' });
    const [device] = await dashboard.sql(
      `select follows_spools, sets_active_spool from devices where printer_id = '${printerId}'`,
    );
    expect(device).toEqual({ follows_spools: false, sets_active_spool: true });
  });
  expect(problems).toEqual([]);
});

test('on a phone a spool is changed with three taps and without scrolling; the queue and all pages are in reach', async () => {
  const { client, printerId, makeJob } = await dashboard.makeFarm('eight');
  await dashboard.makeFarm('nine');
  const spoolId = await spoolIds(client);
  await client.request(LoadSpoolDocument, { printerId, spoolId: spoolId('Spool eight') });
  for (const name of ['Clip one', 'Clip two']) await makeJob(name);
  await makeDevice(dashboard, { printerId });
  await setState(dashboard, printerId, { printName: 'Hook', progress: 0.5, remainingSec: 4500, heardAt: soon() });
  const { page, step, problems } = await dashboard.visit(`/printers/${printerId}`, { width: 390 });
  await page.setViewportSize({ width: 390, height: 844 });
  const bar = page.getByRole('navigation', { name: 'Pages' });
  const isAboveBar = async (element: Locator) => {
    const { y = 0, height = 0 } = (await element.boundingBox()) ?? {};
    expect(y).toBeGreaterThan(0);
    // A dialog hides the bar from screen readers, but not from the eye.
    expect(y + height).toBeLessThanOrEqual((await page.locator('nav').boundingBox())?.y ?? 0);
  };
  await step('three taps', async () => {
    await section(page, 'Now').getByText('Hook').waitFor();
    await section(page, 'Queue').getByText('Clip two').waitFor();
    for (const tapped of [
      page.getByRole('button', { name: 'Change spool in Extruder' }),
      page.getByRole('option', { name: 'Spool nine (Material nine)' }),
      page.getByRole('dialog').getByRole('button', { name: 'Load spool', exact: true }),
    ]) {
      await tapped.waitFor();
      await isAboveBar(tapped);
      await tapped.click();
    }
    await section(page, 'Slots').getByRole('link', { name: 'Spool nine' }).waitFor();
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
  });
  await step('the next jobs are marked as printing, the oldest first', async () => {
    const queue = section(page, 'Queue');
    await queue.getByText('its print claims a queued job with the same file name').waitFor();
    for (const name of ['Clip one', 'Clip two'])
      await queue.getByRole('button', { name: `Start next: ${name}` }).click();
    await queue.getByRole('button', { name: /^Start next/ }).waitFor({ state: 'detached' });
    await until(
      'both jobs print',
      async () => (await client.request(PrintJobsDocument, { filter: { printerId } })).printJobs.nodes,
      (jobs) => jobs.every(({ status }) => status === 'PRINTING'),
    );
  });
  await step('the bar hides nothing of the page, and its menu has the other pages', async () => {
    const last = page.locator('summary').last();
    await until('the end of the page is above the bar', async () => {
      await page.keyboard.press('End');
      return isAboveBar(last).then(
        () => true,
        () => false,
      );
    });
    expect(await bar.getByRole('link').allTextContents()).toEqual(
      expect.arrayContaining(['Farm', 'Printers', 'Jobs', 'Spools']),
    );
    await bar.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Reports' }).click();
    await heading(page, 'Reports').waitFor();
  });
  expect(problems).toEqual([]);
});

describe('with machines', () => {
  let gateway: ListeningGateway;
  const fakes: Awaited<ReturnType<typeof startFake>>[] = [];
  const startFakeMachine = async (...given: Parameters<typeof startFake>) => {
    const fake = await startFake(...given);
    fakes.push(fake);
    return fake;
  };
  beforeAll(async () => {
    gateway = await listenInProcess({ DEVICE_KEY: 'd1'.repeat(32) });
  });
  afterAll(async () => {
    await gateway?.stop();
    for (const fake of fakes) await fake.close();
  });

  test('a printer is tested and connected; its print waits for a spool, gets it, and is a job; it is disabled and removed', async () => {
    const fake = await startFakeMachine('MOONRAKER', { secret: 'right-key' });
    const { client } = await makeShownFarm(gateway.url);
    const { page, step, problems } = await visit(dashboard.browser, gateway.url);
    const dialog = page.getByRole('dialog');
    const device = section(page, 'Connection');
    await step('an invalid address', async () => {
      await printers(page).getByRole('link', { name: 'Bay 1' }).click();
      await page.getByRole('button', { name: 'Connect printer' }).click();
      await dialog.getByLabel('Address').fill('http://');
      await dialog.getByRole('button', { name: 'Test connection' }).click();
      await dialog.getByRole('alert').getByText('Address must be HOST').waitFor();
    });
    await step('a wrong key', async () => {
      await dialog.getByLabel('Address').fill(`127.0.0.1:${fake.port}`);
      await dialog.getByLabel('API key').fill('wrong-key');
      await dialog.getByRole('button', { name: 'Test connection' }).click();
      await dialog.getByRole('alert').getByText("Moonraker rejects the gateway's credentials").waitFor();
    });
    await step('the right key', async () => {
      await dialog.getByLabel('API key').fill('right-key');
      await dialog.getByRole('alert').waitFor({ state: 'detached' });
      await dialog.getByRole('button', { name: 'Test connection' }).click();
      await dialog.getByRole('status').getByText('Its state is idle.').waitFor();
      await dialog.getByRole('button', { name: 'Add connection' }).click();
      await dialog.waitFor({ state: 'detached' });
    });
    await step('connected', async () => {
      await device.getByText('Connected').waitFor({ timeout: 60_000 });
      await device.getByText('Stored').waitFor();
      await section(page, 'Now').getByText('Idle').waitFor();
      expect(await page.content()).not.toContain('right-key');
    });
    await step('it prints without a spool', async () => {
      await openPage(page, 'Farm');
      fake.print.start('hook.gcode');
      fake.print.advance(150);
      await printers(page).getByText('1 print waits for its spool').waitFor({ timeout: 60_000 });
      await printers(page).getByText('25 %').waitFor({ timeout: 60_000 });
      const waits = section(page, 'Needs your input');
      await printers(page).getByRole('button', { name: 'Choose the spool: Bay 1' }).click();
      await choose(page, 'Spool', 'PETG-1 (PETG)');
      await page.getByRole('button', { name: /^Book / }).click();
      await printers(page).getByText('PETG-1 (PETG)').waitFor();
      await waits.waitFor({ state: 'detached' });
    });
    await step('its end', async () => {
      fake.print.complete();
      await printers(page).getByText('Finished').waitFor({ timeout: 60_000 });
      await printers(page).getByRole('link', { name: 'Bay 1' }).click();
      const prints = section(page, 'Prints');
      await prints.getByText('Completed').waitFor();
      await prints.getByText('measured by the printer').waitFor();
      await prints.getByRole('row').nth(1).getByRole('link').last().click();
      await page.getByRole('link', { name: 'View print' }).click();
      await page.getByRole('list', { name: 'Events, oldest first' }).getByText('Ended').waitFor();
      const { printJobs } = await client.request(PrintJobsDocument);
      expect(printJobs.nodes).toEqual([expect.objectContaining({ status: 'COMPLETED', gramsDerived: '3.02' })]);
    });
    await step('disabled, and enabled', async () => {
      await page.getByRole('link', { name: 'Bay 1' }).first().click();
      await unfold(page, 'Connection');
      await device.getByRole('button', { name: 'Disable connection' }).click();
      await device.getByText('Disabled').waitFor();
      await device.getByRole('button', { name: 'Enable connection' }).click();
      await device.getByText('Connected').waitFor({ timeout: 60_000 });
    });
    await step('archived: the dialog says what becomes of the device, and the alert why a print waits', async () => {
      await page.getByRole('button', { name: 'Edit printer' }).click();
      await dialog.getByRole('button', { name: 'Archive' }).click();
      await page.getByRole('alertdialog').getByText('The gateway stays connected to this printer').waitFor();
      await page.getByRole('button', { name: 'Archive printer' }).click();
      await page.getByRole('main').getByText('Archived', { exact: true }).waitFor();
      fake.print.start('ring.gcode');
      await openPage(page, 'Farm');
      const waits = section(page, 'Needs your input');
      await waits.getByText('The printer is archived and gets no jobs').waitFor({ timeout: 60_000 });
      await waits.getByRole('link', { name: 'Bay 1' }).click();
    });
    await step('removed', async () => {
      await unfold(page, 'Connection');
      await device.getByRole('button', { name: 'Edit connection' }).click();
      await dialog.getByRole('button', { name: 'Remove' }).click();
      await page.getByRole('button', { name: 'Remove connection' }).click();
      await device.getByText('Not connected. Jobs are entered by hand or by a program.').waitFor();
      await section(page, 'Now').getByText('appear here once it is connected.').waitFor();
    });
    expect(problems).toEqual([]);
  });

  // The steps of docs/guides/connect-bambu-lab.md: connect a printer, and trust a certificate.
  test.each([
    { kind: 'OCTOPRINT', choice: 'OctoPrint', secret: 'API key', name: 'Left Bench', slot: 'Extruder' },
    { kind: 'BAMBU', choice: 'Bambu Lab', secret: 'Access code', name: 'Bambu Lab P1S', slot: 'AMS 1, slot 1' },
  ] as const)(
    'a printer is added in one dialog, with its machine, its name and its spools: $kind',
    async ({ kind, choice, secret, name, slot }) => {
      const machine = await startFakeMachine(kind, { secret: '73914206' });
      if (machine instanceof FakeOctoPrint) machine.names = { appearance: name, profile: 'Default' };
      const { serial, certificateFingerprint, port } = machine;
      machine.print.start('hook.gcode');
      machine.print.advance(150);
      const spool = `Spool of ${kind}`;
      const names = { material: `Material of ${kind}`, spool, printer: `Beside ${kind}` };
      const { client } = await makeShownFarm(gateway.url, {}, names);
      const { page, step, problems } = await visit(dashboard.browser, gateway.url);
      const dialog = page.getByRole('dialog');
      const nameField = dialog.getByLabel('Printer name');
      await step('its kind, its address and its key', async () => {
        await page.getByRole('button', { name: 'Add a printer' }).click();
        await dialog.getByLabel('Connection type').selectOption(choice);
        await dialog.getByLabel('Address').fill(`127.0.0.1:${port}`);
        if (serial !== null) await dialog.getByLabel('Serial number').fill(serial);
        await dialog.getByLabel(secret).fill('73914206');
      });
      if (certificateFingerprint !== null) {
        await step('its certificate', async () => {
          await dialog.getByRole('button', { name: 'Test connection' }).click();
          await dialog.getByText(certificateFingerprint, { exact: true }).waitFor();
          await dialog.getByRole('button', { name: 'Trust this certificate' }).click();
        });
      }
      await step('its name, as the machine reports it', async () => {
        await dialog.getByRole('button', { name: 'Test connection' }).click();
        await dialog.getByRole('status').getByText('Connected').waitFor();
        await until('the name is filled in', () => nameField.inputValue(), is(name));
        await dialog.getByRole('button', { name: 'Add printer' }).click();
      });
      await step('its spools, from the start of the print that is running', async () => {
        await dialog.getByText(`${name} is printing hook`).waitFor();
        await dialog.getByText('The spool you choose is counted from the start of this print.').waitFor();
        await dialog.getByLabel('I put it in later').check();
        await dialog.getByLabel('Put in at').waitFor();
        await dialog.getByLabel('I put it in later').uncheck();
        await choose(page, `Spool in ${slot}`, `${spool} (Material of ${kind})`);
        await dialog.getByRole('button', { name: 'Save' }).click();
        await dialog.waitFor({ state: 'detached' });
      });
      await step('its tile', async () => {
        const tile = printers(page)
          .getByRole('listitem')
          .filter({ has: page.getByRole('link', { name, exact: true }) });
        await tile.getByText('Printing').waitFor();
        await tile.getByText(spool).waitFor();
      });
      await step('and the print has its job, with this spool alone', async () => {
        const readJobs = async () => (await client.request(PrintJobsDocument)).printJobs.nodes;
        await until('the print is a job', readJobs, (jobs) =>
          jobs.some(({ printer, spool: used, status }) => {
            return printer?.name === name && used?.spoolSerial === spool && status === 'PRINTING';
          }),
        );
      });
      expect(problems).toEqual([]);
    },
  );

  test('a printer without a machine is added by its name alone; a machine that is refused does not add it twice', async () => {
    const { page, step, problems } = await visit(dashboard.browser, `${gateway.url}/printers`);
    const dialog = page.getByRole('dialog');
    const row = (name: string) =>
      page.getByRole('table', { name: 'Printers' }).getByRole('link', { name, exact: true });
    const readPrinters = async () => {
      const { body } = await ask(gateway, '/graphql', { query: '{ printers(first: 1000) { nodes { name } } }' });
      return (body as { data: { printers: { nodes: { name: string }[] } } }).data.printers.nodes.map(
        ({ name }) => name,
      );
    };
    await step('each kind of machine asks for its own key', async () => {
      await page.getByRole('button', { name: 'Add a printer' }).click();
      for (const [kind, secret] of [
        ['OctoPrint', 'API key'],
        ['PrusaLink', 'Password'],
        ['Bambu Lab', 'Access code'],
        ['Klipper (Moonraker)', 'API key'],
      ] as const) {
        await dialog.getByLabel('Connection type').selectOption(kind);
        await dialog.getByLabel(secret).waitFor();
      }
    });
    await step('by its name, and its spool later', async () => {
      await dialog.getByLabel('Connection type').selectOption('Not connected: I enter its jobs by hand');
      await dialog.getByLabel('Printer name').fill('By hand');
      await page.keyboard.press('Enter');
      await dialog.getByRole('combobox', { name: 'Spool in Extruder' }).waitFor();
      await dialog.getByRole('button', { name: 'Skip for now' }).click();
      await dialog.waitFor({ state: 'detached' });
      await row('By hand').waitFor();
    });
    await step('a connection that is refused creates nothing', async () => {
      await page.getByRole('button', { name: 'Add a printer' }).click();
      await dialog.getByLabel('Address').fill('http://');
      await dialog.getByLabel('Printer name').fill('Once');
      await dialog.getByRole('button', { name: 'Add printer' }).click();
      await dialog.getByText('must be HOST').waitFor();
      await dialog.getByLabel('Address').fill('127.0.0.1:1');
      await dialog.getByRole('button', { name: 'Add printer' }).click();
      await dialog.getByRole('button', { name: 'Add anyway' }).waitFor();
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(await readPrinters()).not.toContain('Once');
    });
    await step('a printer that is off is added anyway', async () => {
      await page.getByRole('button', { name: 'Add a printer' }).click();
      await dialog.getByLabel('Address').fill('127.0.0.1:1');
      await dialog.getByLabel('Printer name').fill('Once alone');
      await dialog.getByRole('button', { name: 'Add printer' }).click();
      await dialog.getByRole('button', { name: 'Add anyway' }).click();
      await dialog.getByRole('button', { name: 'Skip for now' }).click();
      await row('Once alone').waitFor();
    });
    await step('a connection that cannot be saved leaves no printer after Cancel', async () => {
      await page.route('**/graphql', (route) =>
        `${route.request().postData()}`.includes('mutation AddDevice') ? route.abort() : route.continue(),
      );
      await page.getByRole('button', { name: 'Add a printer' }).click();
      await dialog.getByLabel('Address').fill('127.0.0.1:2');
      await dialog.getByLabel('Printer name').fill('Half made');
      await dialog.getByRole('button', { name: 'Add printer' }).click();
      await dialog.getByRole('button', { name: 'Add anyway' }).click();
      await dialog.getByText('The printer could not be connected.').waitFor();
      expect(await readPrinters()).toContain('Half made');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await until('the printer is removed', readPrinters, (names) => !names.includes('Half made'));
      problems.splice(0);
    });
    expect(problems).toEqual([]);
  });

  test('a camera in the network is connected as the page describes', async () => {
    const { certificateFingerprint, url } = await startFakeMachine('OPEN_GOPRO', {
      secret: '73914206',
      isInNetwork: true,
    });
    const name = 'GoPro';
    const client = createClient({ url: `${gateway.url}/graphql` });
    await client.request(RegisterCameraDocument, { input: { id: name, friendlyName: name } });
    const { page, step, problems } = await visit(dashboard.browser, gateway.url);
    const dialog = page.getByRole('dialog');
    await step('its page', async () => {
      await openPage(page, 'Cameras');
      await page.getByRole('link', { name, exact: true }).click();
      await page.getByRole('button', { name: 'Connect camera' }).click();
    });
    await step('its address and its key', async () => {
      await dialog.getByLabel('Address').fill(url);
      await dialog.getByLabel('Password').fill('73914206');
    });
    await step('its certificate', async () => {
      await dialog.getByRole('button', { name: 'Test connection' }).click();
      await dialog.getByText(`${certificateFingerprint}`, { exact: true }).waitFor();
      await dialog.getByRole('button', { name: 'Trust this certificate' }).click();
    });
    await step('tested, and saved', async () => {
      await dialog.getByRole('button', { name: 'Test connection' }).click();
      await dialog.getByRole('status').getByText('Connected').waitFor();
      await dialog.getByRole('button', { name: 'Add connection' }).click();
      await dialog.waitFor({ state: 'detached' });
    });
    await step('connected, and its state is on the farm page', async () => {
      await section(page, 'Connection').getByText('Connected').waitFor();
      await page.getByRole('main').getByText('1080 at 30 fps').waitFor();
      await openPage(page, 'Farm');
      await page.getByText(`${name}: Live`).waitFor();
    });
    expect(problems).toEqual([]);
  });
});
