// The pages of printers and prints in a real browser: what is shown of them, loaded into them, and decided about them.
import type { Browser, Page } from 'playwright-core';
import { newApiKey } from '../../src/auth/api-keys';
import { PrintersDocument, PrintJobsDocument, SpoolsDocument } from '../../src/generated/operations';
import { faultsOf } from '../support/accessibility';
import { ask } from '../support/asking';
import { LOOKS, startBrowser, visit } from '../support/browser';
import { freshDatabase, onServer } from '../support/databases';
import { ago } from '../support/farm';
import { makeDevice, makePrint, planOf, setState, sight } from '../support/prints';
import { type RunningGateway, runGateway } from '../support/running-gateway';
import { makeShownFarm } from '../support/shown-farm';

let browser: Browser;
let database: Awaited<ReturnType<typeof freshDatabase>>;
let gateway: RunningGateway;
let farm: Awaited<ReturnType<typeof makeShownFarm>>;
let printerId: string;

/** No printer is silent before this test ends. */
const SOON = ago(-600);
/** What the collector writes is written here by hand. */
const inDatabase = { sql: (text: string) => onServer(database.url, text) };
const environment = () => ({ DATABASE_URL: database.url, DEVICE_KEY: 'd1'.repeat(32), COLLECT: 'false' });

beforeAll(async () => {
  browser = await startBrowser();
});

beforeEach(async () => {
  database = await freshDatabase('server');
  gateway = await runGateway(environment());
  farm = await makeShownFarm(gateway.url);
  printerId = `${(await farm.client.request(PrintersDocument)).printers.nodes[0]?.id}`;
});

afterEach(async () => {
  await gateway?.stop();
  await database?.drop();
});
afterAll(() => browser?.close());

const part = (page: Page, name: string) => page.getByRole('region', { name });

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).fill(option);
  await page.getByRole('option', { name: option }).click();
}

async function makeRunning(): Promise<string> {
  const deviceId = await makeDevice(inDatabase, { printerId });
  const plan = planOf(['tool:0', '1000', null]);
  const running = { deviceId, outcome: 'RUNNING', endedAt: null, name: 'Hook', plan, slots: ['tool:0'] };
  const printId = await makePrint(inDatabase, printerId, running);
  await sight(inDatabase, printId, 'The printer paused', 'The printer paused again');
  await setState(inDatabase, printerId, {
    ...{ printId, printName: 'Hook', progress: 0.425, progressBasis: 'LAYERS', layer: 17, layers: 40 },
    ...{ remainingSec: 4500, heardAt: SOON },
  });
  return printId;
}

test.each(LOOKS)('shows a printer and a print at $width, $colorScheme', async (look) => {
  const printId = await makeRunning();
  await makePrint(inDatabase, printerId, {
    name: `Long ${'x'.repeat(200)}`,
    outcome: 'FAILED',
    reason: 'Klipper stopped',
  });
  const { page, step, outside, problems } = await visit(browser, gateway.url, look);
  await step('the farm', async () => {
    const row = page.locator(`[data-key="${printerId}"]`);
    for (const text of ['Printing', '42 %', '1 h 15 min left', 'Hook']) await row.getByText(text).waitFor();
    await part(page, 'Printers').getByText('1 of 1 printing').waitFor();
    await part(page, 'What waits').getByText('Waits for its spool').first().waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole('table', { name: 'Printers' }).getByRole('link', { name: 'Bay 1' }).click();
  });
  await step('the printer', async () => {
    await page.getByRole('heading', { level: 1, name: 'Bay 1' }).waitFor();
    for (const text of ['42 %', 'of the layers', '17 of 40', '1 h 15 min']) {
      await part(page, 'Now').getByText(text).waitFor();
    }
    await part(page, 'Device').getByText('192.168.0.9').waitFor();
    await part(page, 'Slots').getByText('No spool was loaded').waitFor();
    await part(page, 'Prints').getByText('Failed').waitFor();
    expect(await faultsOf(page)).toEqual([]);
  });
  await step('the print', async () => {
    await page.goto(`${gateway.url}/prints/${printId}`);
    await page.getByText('The printer paused again').waitFor();
    expect(await faultsOf(page)).toEqual([]);
  });
  expect({ outside, problems }).toEqual({ outside: [], problems: [] });
});

test('a state appears by itself, and an old one says so', async () => {
  // Only its state says when it was heard of.
  await makeDevice(inDatabase, { printerId, lastMessageAt: null });
  const { page, step, problems } = await visit(browser, gateway.url);
  const row = page.locator(`[data-key="${printerId}"]`);
  const one = await visit(browser, `${gateway.url}/printers/${printerId}`);
  await step('nothing is known', () => row.getByText('Idle').waitFor());
  await one.step('nothing is known', () => one.page.getByText('Nothing has been heard of the printer yet.').waitFor());
  await setState(inDatabase, printerId, { activity: 'PAUSED', heardAt: SOON });
  await step('paused', () => row.getByText('Paused').waitFor());
  await one.step('paused', () => part(one.page, 'Now').getByText('Paused').waitFor());
  await setState(inDatabase, printerId, { activity: 'PAUSED', heardAt: ago(60) });
  await step('old', () => row.getByText('Paused, not heard of').waitFor());
  await one.step('old', () => one.page.getByText('The printer has not been heard of for a while.').waitFor());
  expect([...problems, ...one.problems]).toEqual([]);
});

test('a spool is loaded into a slot, and taken out', async () => {
  const { page, step, problems } = await visit(browser, `${gateway.url}/printers/${printerId}`);
  await step('loaded', async () => {
    await choose(page, 'Spool for Tool 0', 'PETG-1 (PETG)');
    await page.getByRole('button', { name: 'Load Tool 0' }).click();
    await part(page, 'Slots').getByRole('link', { name: 'PETG-1' }).waitFor();
    await part(page, 'Slots').getByText('1,000 g remain').waitFor();
  });
  await step('taken out', async () => {
    await page.getByRole('button', { name: 'Take PETG-1 out' }).click();
    await part(page, 'Slots').getByText('No spool was loaded').waitFor();
  });
  expect(problems).toEqual([]);
});

test('prints that wait get their spool, or are ignored, or get their outcome', async () => {
  const filament = [{ slot: 'tool:0', mm: '1000', grams: null, basis: 'MEASURED' }];
  for (const name of ['Hook', 'Clip']) await makePrint(inDatabase, printerId, { name, filament });
  const plan = planOf(['tool:0', '1000', null]);
  const lost = { name: 'Vase', outcome: 'UNRESOLVED', endedAt: null, filament: null, plan };
  await makePrint(inDatabase, printerId, lost);
  const { page, step, problems } = await visit(browser, gateway.url);
  const waits = part(page, 'What waits');
  await step('assigned', async () => {
    await waits.getByRole('button', { name: 'Choose the spool of Hook' }).click();
    await page.getByRole('button', { name: 'Assign' }).click();
    await page.getByRole('dialog').locator('[data-invalid]').first().waitFor();
    await choose(page, 'Spool', 'PETG-1 (PETG)');
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Assign' }).click();
    await waits.getByText('Hook').waitFor({ state: 'detached' });
  });
  await step('ignored', async () => {
    await waits.getByRole('button', { name: 'Ignore Clip' }).click();
    await waits.getByText('Clip').waitFor({ state: 'detached' });
  });
  await step('its outcome', async () => {
    await waits.getByRole('button', { name: 'Say what became of Vase' }).click();
    await page.getByLabel('The print').selectOption('Cancelled');
    await page.getByLabel('It ended').fill('1999-12-31T23:59');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('must not be earlier than the start of the print').waitFor();
    await page.getByLabel('It ended').fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
  await step('on the page of the printer', async () => {
    await page.getByRole('link', { name: 'Bay 1' }).first().click();
    await part(page, 'Slots').getByRole('link', { name: 'PETG-1' }).waitFor();
    const prints = part(page, 'Prints');
    await prints.getByText('Ignored').waitFor();
    await prints.getByText('Cancelled').waitFor();
    await prints.getByRole('row', { name: /^Clip/ }).getByRole('link', { name: 'Clip' }).click();
    await page.getByRole('button', { name: 'Book after all Clip' }).click();
    await page.getByRole('button', { name: 'Choose the spool of Clip' }).waitFor();
  });
  const { printJobs } = await farm.client.request(PrintJobsDocument);
  expect(printJobs.nodes).toContainEqual(expect.objectContaining({ printName: 'Hook', status: 'COMPLETED' }));
  expect(problems).toEqual([]);
});

test('what ended today is shown by printer and spool, beside what waits', async () => {
  const made = { startedAt: '2026-03-02T09:00:00Z', endedAt: '2026-03-02T10:00:00Z' };
  const filament = [{ slot: 'tool:0', mm: '1000', grams: null, basis: 'MEASURED' }];
  const { spools } = await farm.client.request(SpoolsDocument);
  const assigned = [{ slot: 'tool:0', spoolId: spools.nodes[0]?.id }];
  const query =
    'mutation ($id: ID!, $spools: [SlotSpoolInput!]!) { assignSpools(printId: $id, spools: $spools) { id } }';
  for (const outcome of ['COMPLETED', 'CANCELLED']) {
    const id = await makePrint(inDatabase, printerId, { ...made, outcome, filament });
    const answer = await ask(gateway, '/graphql', { query, variables: { id, spools: assigned } });
    expect(answer).toMatchObject({ body: { data: { assignSpools: { id } } } });
  }
  const hook = await makePrint(inDatabase, printerId, { ...made, name: 'Hook', filament });
  const { page, step, problems } = await visit(browser, gateway.url);
  const shows = async (...texts: string[]) => {
    await page.clock.setFixedTime('2026-03-02T12:00:00Z');
    await page.reload();
    const today = part(page, 'Today');
    await today.getByText('Completed: 3.05 g, cost 0. Wasted: 3.05 g, cost 0.').waitFor();
    const row = page.getByRole('table', { name: 'What ended today' }).getByRole('row').nth(1);
    for (const text of ['PETG-1 (PETG)', '3.05 g', ...texts]) await row.getByText(text).first().waitFor();
    await part(page, 'What waits').getByText('Hook').waitFor();
    expect(await faultsOf(page)).toEqual([]);
  };
  await step('on the farm', () => shows('Bay 1'));
  await page.goto(`${gateway.url}/printers/${printerId}`);
  await step('on the page of the printer', () => shows());
  await step('and by itself, when one more ends', async () => {
    await ask(gateway, '/graphql', { query, variables: { id: hook, spools: assigned } });
    await part(page, 'Today').getByText('Completed: 6.1 g').waitFor();
  });
  await step('on the day after', async () => {
    await page.clock.setFixedTime('2026-03-04T12:00:00Z');
    await page.reload();
    await part(page, 'Today').getByText('No job has ended today.').waitFor();
  });
  expect(problems).toEqual([]);
});

test('an alert leads to its print or its printer', async () => {
  const print = await makePrint(inDatabase, printerId, { name: 'Hook', plan: planOf(['tool:0', '1000', null]) });
  await makeDevice(inDatabase, { printerId, state: 'REFUSED', fault: 'CREDENTIALS_REFUSED' });
  const { page, step } = await visit(browser, gateway.url);
  const alerts = page.getByRole('list', { name: 'Alerts' });
  await step('both', async () => {
    expect(
      await alerts.getByRole('link', { name: 'See the print', exact: true }).first().getAttribute('href'),
    ).toContain(print);
    await alerts.getByRole('link', { name: 'See the printer' }).click();
    await part(page, 'Device').getByText('The credentials were refused by Moonraker').waitFor();
  });
});

test('without the right to configure devices a device is read, and not changed', async () => {
  await makeDevice(inDatabase, { printerId });
  await gateway.stop();
  const [owner, guest] = [newApiKey('owner', 'read+write+devices'), newApiKey('guest', 'read+write')];
  gateway = await runGateway({ ...environment(), API_KEYS: [owner.entry, guest.entry].join() });
  for (const { key, buttons } of [
    { key: owner.key, buttons: 3 },
    { key: guest.key, buttons: 0 },
  ]) {
    const { page, step } = await visit(browser, `${gateway.url}/printers/${printerId}`);
    await step('signed in', async () => {
      await page.getByLabel('API key or token').fill(key);
      await page.keyboard.press('Enter');
      await part(page, 'Device').getByText('192.168.0.9').waitFor();
      expect(await part(page, 'Device').getByRole('button').count()).toBe(buttons && 2);
    });
    await page.close();
  }
});

test('a thousand printers are shown with their states, of which the page draws those in view', async () => {
  await onServer(
    database.url,
    `with made as (insert into printers (id, name) select gen_random_uuid(), 'Printer ' || n from generate_series(1, 1000) n
      returning id), devised as (insert into devices (id, printer_id, kind, address, state, state_since)
        select gen_random_uuid(), id, 'MOONRAKER', '10.0.0.1', 'CONNECTED', now() from made)
      insert into printer_states (printer_id, activity, progress, progress_basis, heard_at)
        select id, 'PRINTING', 0.5, 'FILE', '${SOON}' from made`,
  );
  const { page, step, problems } = await visit(browser, gateway.url);
  await step('all are counted', () => part(page, 'Printers').getByText('1000 of 1001 printing').waitFor());
  await step('a row', () =>
    page.locator('[role=table][aria-label=Printers] [data-index="1"]').getByText('50 %').waitFor(),
  );
  expect(await page.locator('[role=table][aria-label=Printers] [data-index]').count()).toBeLessThan(80);
  expect(problems).toEqual([]);
});
