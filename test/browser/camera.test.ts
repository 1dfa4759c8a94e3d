// The camera page in a real browser: the camera now, its plots with gaps, its availability, and its records to the last.
import type { Browser } from 'playwright-core';
import {
  type CameraStatusInput,
  RecordCameraStatusesDocument,
  UpdateCameraDocument,
} from '../../src/generated/operations';
import { faultsOf } from '../support/accessibility';
import { LOOKS, putForward, startBrowser, visit } from '../support/browser';
import { type FreshDatabase, freshDatabase, onServer } from '../support/databases';
import { type RunningGateway, runGateway } from '../support/running-gateway';
import { makeShownFarm } from '../support/shown-farm';
import { until } from '../support/waiting';

const MINUTE_MS = 60_000;
const ID = 'cam/1 ü';

let browser: Browser;
let gateway: RunningGateway;
let database: FreshDatabase;
let farm: Awaited<ReturnType<typeof makeShownFarm>>;

/** One record each minute; the ages are in minutes. */
async function record(oldest: number, newest: number, status: Partial<CameraStatusInput> = {}): Promise<void> {
  const now = Date.now();
  const input = Array.from({ length: oldest - newest + 1 }, (_, at) => ({
    cameraId: ID,
    recordedAt: new Date(now - (oldest - at) * MINUTE_MS).toISOString(),
    online: true,
    batteryPct: 20 + ((oldest - at) % 60),
    videoRemainingSec: 7200 - at * 10,
    recordingState: at < 30 ? 'standby' : 'recording',
    ...status,
  }));
  await farm.client.request(RecordCameraStatusesDocument, { input });
}

beforeAll(async () => {
  [browser, database] = await Promise.all([startBrowser(), freshDatabase('server')]);
  gateway = await runGateway({ DATABASE_URL: database.url });
  farm = await makeShownFarm(gateway.url);
  await farm.makeCamera(ID);
  // The time before its registration does not count.
  await onServer(database.url, `update cameras set created_at = now() - interval '6 hours 40 minutes'`);
  // Silent between 200 and 100 minutes ago.
  await record(400, 200);
  await record(100, 1);
});

afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
  await database?.drop();
});

const address = () => `${gateway.url}/camera/${encodeURIComponent(ID)}`;

test.each(LOOKS)('shows the camera, its plots and its gaps at $width, $colorScheme', async (look) => {
  const { page, step, outside, problems } = await visit(browser, address(), look);
  await step('what it says now', async () => {
    await page.getByRole('heading', { level: 1, name: `Camera ${ID}` }).waitFor();
    expect(await page.title()).toBe(`Camera ${ID} · Print Farm`);
    await page.getByRole('main').getByText('Live', { exact: true }).waitFor();
  });
  await step('plots, each broken by the gap', async () => {
    for (const name of [/^Battery, from \d+ % to \d+ %/, /^Video left, from /, /^Recording: recording, standby/]) {
      const line = page.getByRole('img', { name }).locator('.recharts-area-curve');
      await line.waitFor();
      expect((await line.getAttribute('d'))?.match(/M/g)).toHaveLength(2);
    }
  });
  await step('the gap in words', async () => {
    const gaps = page.getByRole('list', { name: 'Gaps, the longest first' }).getByRole('listitem');
    // The record of 200 minutes ago vouches for 5 minutes.
    expect(await gaps.first().textContent()).toMatch(/1 h 35 min$/);
  });
  expect(await faultsOf(page)).toEqual([]);
  expect({ outside, problems }).toEqual({ outside: [], problems: [] });
});

test('reads older records at the end of the table, to the last, and puts only those in view into the page', async () => {
  const { page, step, problems } = await visit(browser, address());
  const table = page.getByRole('table', { name: 'Records' });
  await step('the newest', () => table.locator('[data-index="0"]').waitFor());
  expect(await table.locator('[data-index]').count()).toBeLessThan(80);
  await step('the oldest', async () => {
    while ((await table.locator('[data-index="300"]').count()) === 0) {
      await page.keyboard.press('End');
      await page.evaluate(() => new Promise(requestAnimationFrame));
    }
    expect(await table.getAttribute('aria-rowcount')).toBe('302');
  });
  expect(await table.locator('[data-index]').count()).toBeLessThan(80);
  expect(problems).toEqual([]);
});

test('keeps the range in the address, and follows the camera', async () => {
  const { page, step, problems } = await visit(browser, address());
  const table = page.getByRole('table', { name: 'Records' });
  await step('the last hour', async () => {
    await page.getByLabel('Show').selectOption('The last hour');
    await page.getByText('The camera was live all the time.').waitFor();
    expect(new URL(page.url()).search).toBe('?last=hour');
    await page.reload();
    await page.getByText('The camera was live all the time.').waitFor();
  });
  await step('a range without a record', async () => {
    await page.getByLabel('Show').selectOption('own');
    await page.getByLabel('From', { exact: true }).fill('2020-01-01T00:00');
    await page.getByLabel('To (empty: now)').fill('2020-01-02T00:00');
    await page.getByText('There is no record of this time.').last().waitFor();
  });
  await step('a range that ends before it begins', async () => {
    await page.getByLabel('To (empty: now)').fill('2019-01-02T00:00');
    await page.getByRole('alert').getByText('must not be after').first().waitFor();
  });
  await step('a new record', async () => {
    await page.getByLabel('Show').selectOption('The last hour');
    await table.locator('[data-index="0"]').waitFor();
    await record(0, 0, { batteryPct: 3, mode: 'timelapse' });
    await table.locator('[data-index="0"]').getByText('timelapse').waitFor();
    await page.getByRole('meter', { name: 'Battery' }).getByText('3 %').waitFor();
  });
  expect(problems.filter((problem) => !problem.includes('400'))).toEqual([]);
});

test('shows that a camera has grown silent, and leads back to the farm', async () => {
  await farm.makeCamera('quiet', { online: true });
  const { page, step } = await visit(browser, `${gateway.url}/camera/quiet`, { hasOwnClock: true });
  const state = (name: string) => page.locator('dl').getByText(name, { exact: true });
  await step('live, then silent without any change', async () => {
    await state('Live').waitFor();
    await farm.client.request(UpdateCameraDocument, { id: 'quiet', input: { expectedIntervalSec: 1 } });
    await putForward(page, 5000, state('Silent'));
  });
  await step('back', async () => {
    await page.getByRole('link', { name: 'All cameras' }).click();
    await page.getByRole('heading', { level: 1, name: 'Farm' }).waitFor();
  });
});

test.each(['last=constructor', 'last=own&to=-271821-04-20T00:00:00Z', 'last=own&from=%2B275760-09-13T00:00:00Z'])(
  'the address %s shows the camera',
  async (search) => {
    const { page, step, problems } = await visit(browser, `${address()}?${search}`);
    await step('its plots', () => page.getByRole('img', { name: /^Battery/ }).waitFor());
    expect(problems).toEqual([]);
  },
);

test('registers a camera with its interval and printer, and once, although these are refused at first', async () => {
  const { page, step } = await visit(browser, gateway.url);
  const dialog = page.getByRole('dialog');
  await step('a wrong interval', async () => {
    await page.getByRole('button', { name: 'Add a camera' }).click();
    await dialog.getByLabel('Id', { exact: true }).fill('whole');
    await dialog.getByLabel('Name').fill('Whole');
    await dialog.getByLabel('Silent after, in seconds').fill('0');
    await dialog.getByRole('combobox', { name: 'Printer' }).fill('Bay 1');
    await page.getByRole('option', { name: 'Bay 1' }).click();
    await dialog.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('dialog', { name: 'Edit Whole' }).getByText('must be from 1 to 86400').waitFor();
  });
  await step('a right one', async () => {
    await dialog.getByLabel('Silent after, in seconds').fill('90');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('table', { name: 'Printers' }).getByRole('link', { name: 'Whole' }).click();
    await page.locator('dl').getByText('1 min', { exact: true }).waitFor();
  });
});

test('opens the camera of the link, whatever signs its id has', async () => {
  const ids = ['x/y', 'x%2Fy', '.', '..'];
  for (const id of ids) await farm.makeCamera(id);
  const { page, step } = await visit(browser, gateway.url);
  for (const id of ids) {
    await step(id, async () => {
      await page.locator(`[data-key="${id}"]`).getByRole('link').click();
      await page.getByRole('heading', { level: 1, name: `Camera ${id}`, exact: true }).waitFor();
      await page.reload();
      await page.getByRole('heading', { level: 1, name: `Camera ${id}`, exact: true }).waitFor();
      await page.getByLabel('Show', { exact: true }).selectOption('The last hour');
      await page.waitForURL(({ searchParams }) => searchParams.get('last') === 'hour');
      await page.getByRole('heading', { level: 1, name: `Camera ${id}`, exact: true }).waitFor();
      await page.getByRole('link', { name: 'All cameras' }).click();
    });
  }
});

test('says that there is no such camera', async () => {
  const { page, step } = await visit(browser, `${gateway.url}/camera/nobody`);
  await step('the words', () => page.getByText('There is no camera with this id.').waitFor());
});

test('registers a camera, changes it, and removes it with its log, and says at its field what is wrong', async () => {
  const { page, step } = await visit(browser, gateway.url);
  const dialog = page.getByRole('dialog');
  await step('an id that is taken', async () => {
    await page.getByRole('button', { name: 'Add a camera' }).click();
    await dialog.getByLabel('Id', { exact: true }).fill(ID);
    await dialog.getByLabel('Name').fill('Corner');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await dialog.getByText('is already registered').waitFor();
    expect(await dialog.locator('[aria-invalid=true]').getAttribute('name')).toBe('id');
  });
  expect(await faultsOf(page)).toEqual([]);
  await step('another id', async () => {
    await dialog.getByLabel('Id', { exact: true }).fill('corner');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Corner' }).waitFor();
  });
  await step('intervals that are none', async () => {
    await page.getByRole('button', { name: 'Edit' }).click();
    for (const [text, fault] of [
      ['0', 'must be from 1 to 86400'],
      ['soon', 'Int cannot represent'],
    ] as const) {
      await dialog.getByLabel('Silent after, in seconds').fill(text);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText(fault).waitFor();
    }
  });
  await step('an interval, an address, and a printer that is found by a part of its name', async () => {
    await dialog.getByLabel('Silent after, in seconds').fill('60');
    await dialog.getByLabel('MAC address').fill('AA:BB');
    await dialog.getByRole('combobox', { name: 'Printer' }).fill('AY 1');
    await page.getByRole('option', { name: 'Bay 1' }).waitFor();
    await page.keyboard.press('Enter');
    expect(await faultsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await until(async () => /Bay 1.*1 min.*AA:BB/.test(`${await page.locator('dl').textContent()}`));
  });
  const input = [1, 2].map((minutes) => ({
    cameraId: 'corner',
    online: true,
    recordedAt: new Date(Date.now() - minutes * MINUTE_MS).toISOString(),
  }));
  await farm.client.request(RecordCameraStatusesDocument, { input });
  await step('remove it', async () => {
    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('alertdialog').getByText('Its log goes with it: 2 records.').waitFor();
    await page.getByRole('button', { name: 'Remove the camera' }).click();
    await page.getByRole('table', { name: 'Cameras' }).waitFor();
    await page.getByText('Corner').waitFor({ state: 'detached' });
  });
});
