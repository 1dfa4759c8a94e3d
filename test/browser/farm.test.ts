// Tests the farm and its cameras in a real browser: what needs attention, what a camera has recorded, and how changes arrive.
import type { Page } from 'playwright-core';
import {
  type CameraStatusInput,
  ChangePrintJobStatusDocument,
  RecordCameraStatusesDocument,
  SpoolsDocument,
  UpdateCameraDocument,
  UpdateSpoolDocument,
} from '../../src/generated/operations';
import { choose, fastForwardUntil, scrollToEnd, visit } from '../support/browser';
import { connectionLabel, heading, navigateTo, openPage, section, shareDashboard } from '../support/dashboard';
import { type ListeningGateway, listenInProcess } from '../support/listening-gateway';
import { startProxy } from '../support/proxy';

import type { makeShownFarm } from '../support/shown-farm';
import { readMetric } from '../support/subscriptions';
import { is, until } from '../support/waiting';

const dashboard = shareDashboard();
let farm: Awaited<ReturnType<typeof makeShownFarm>>;

beforeAll(async () => {
  farm = await dashboard.makeFarm('one');
});

const printers = (page: Page) => page.getByRole('list', { name: 'Printers' });
const cameras = (page: Page) => page.getByRole('table', { name: 'Cameras' });
const cameraRow = (page: Page, id: string) => cameras(page).locator(`[data-key="${id}"]`);

// This test must be the first one, because it counts alerts.
test('shows what needs attention, the most urgent first, and a camera that becomes silent without a reload', async () => {
  const { client, makeCamera } = farm;
  await makeCamera('weak', { online: true, batteryPct: 7 });
  for (const n of [1, 2, 3, 4, 5]) await makeCamera(`off-${n}`, { online: false });
  const { page, step, problems } = await dashboard.visit('/', { hasOwnClock: true });
  const alerts = page.getByRole('list', { name: 'Active alerts' }).getByRole('listitem');
  const unfold = (count: number) => page.getByRole('button', { name: `Show all ${count}` }).click();
  await step('one line with the most urgent, then all', async () => {
    const line = section(page, 'Alerts');
    await line.getByText('5 critical').waitFor();
    await line.getByText('1 warning').waitFor();
    await line.getByText('Camera Camera off-').waitFor();
    await unfold(6);
    await alerts.nth(5).getByText('Camera Camera weak (weak) has 7 % battery left').waitFor();
  });
  await step('a camera that becomes silent, and one that returns', async () => {
    const others = page.getByRole('list', { name: 'Other cameras' });
    await client.request(UpdateCameraDocument, { id: 'weak', input: { expectedIntervalSec: 1 } });
    await fastForwardUntil(page, 5000, others.getByText('Camera weak: Silent'));
    await client.request(RecordCameraStatusesDocument, { input: [{ cameraId: 'off-1', online: true }] });
    await others.getByText('Camera off-1: Live').waitFor();
    await fastForwardUntil(page, 5000, alerts.getByText('off-1'), 'detached');
  });
  await step('to the camera of an alert, and back', async () => {
    await alerts.filter({ hasText: 'off-2' }).getByRole('link', { name: 'View camera' }).click();
    await heading(page, 'Camera off-2').waitFor();
    await page.getByRole('link', { name: 'All cameras' }).click();
  });
  await step('a camera that becomes silent on its page', async () => {
    await cameraRow(page, 'off-1').getByRole('link').click();
    await page.locator('dl').getByText('Live', { exact: true }).waitFor();
    await client.request(UpdateCameraDocument, { id: 'off-1', input: { expectedIntervalSec: 1 } });
    await fastForwardUntil(page, 5000, page.locator('dl').getByText('Silent', { exact: true }));
  });
  expect(problems).toEqual([]);
});

test('shows printers and cameras, and registers a camera once, changes it, and removes it with its log', async () => {
  const { client, makeCamera, makeJob } = farm;
  await client.request(ChangePrintJobStatusDocument, { id: await makeJob('Hook'), status: 'PRINTING' });
  await makeCamera('cam-19', { online: true, batteryPct: 83, videoRemainingSec: 7500, recordingState: 'recording' });
  const hoursAgo = new Date(Date.now() - 3 * 3_600_000).toISOString();
  await makeCamera('cam-2', { online: false, batteryPct: 7, recordedAt: hoursAgo });
  const { page, step } = await dashboard.visit('/');
  const dialog = page.getByRole('dialog');
  // All characters with a meaning in an address.
  const id = 'x/%2F/..';
  await step('the farm', async () => {
    const tile = printers(page).getByRole('listitem').first();
    for (const text of ['Printer one', 'Printing', 'Hook', 'Spool one (Material one)'])
      await tile.getByText(text).waitFor();
    await page.getByRole('button', { name: 'Table' }).click();
    await page.reload();
    const row = page.getByRole('table', { name: 'Printers' }).locator('[data-index="0"]');
    await until(
      'the table has all rows',
      () => row.textContent(),
      (text) => /Printer one.*Printing.*Hook.*Spool one \(Material one\).*3.05 g/.test(`${text}`),
    );
    await page.getByRole('button', { name: 'Tiles' }).click();
    await openPage(page, 'Cameras');
    for (const [row, words] of [
      [cameraRow(page, 'cam-19'), /Camera cam-19.*Live.*83 %.*2 h 5 min.*recording/],
      [cameraRow(page, 'cam-2'), /Offline.*7 %.*3 hours ago/],
    ] as const) {
      await until(
        `the row shows ${words}`,
        () => row.textContent(),
        (text) => words.test(`${text}`),
      );
    }
    const names = await cameras(page).locator('[data-index] a').allTextContents();
    expect(names.slice(0, 2)).toEqual(['Camera cam-2', 'Camera cam-19']);
  });
  await step('an id that is taken', async () => {
    await page.getByRole('button', { name: 'Add a camera' }).click();
    await dialog.getByLabel('Camera ID').fill('cam-2');
    await dialog.getByLabel('Name').fill('Corner');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await dialog.getByText('is already registered').waitFor();
    expect(await dialog.locator('[aria-invalid=true]').getAttribute('name')).toBe('id');
  });
  await step('a wrong interval', async () => {
    await dialog.getByLabel('Camera ID').fill(id);
    await dialog.getByLabel('MAC address').fill('AA:BB');
    await dialog.getByLabel('Silent after, in seconds').fill('0');
    await dialog.getByLabel('Should record every print of its printer').check();
    await choose(page, 'Printer', 'Printer one', 'ER ON');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Edit Corner' }).getByText('Must be from 1 to 86400.').waitFor();
  });
  await step('a right one', async () => {
    await dialog.getByLabel('Silent after, in seconds').fill('90');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await openPage(page, 'Farm');
    await printers(page).getByRole('link', { name: 'Camera Corner: No data yet' }).click();
    await heading(page, 'Corner').waitFor();
    await page.reload();
    await until(
      'the camera shows its printer, its interval and its address',
      () => page.locator('dl').textContent(),
      (text) => /Printer one.*Should record every printYes.*1 min.*AA:BB/.test(`${text}`),
    );
    // A camera without a record has no gap.
    await page.getByText('Plots and gaps appear here after the first status record.').waitFor();
    expect(await page.getByRole('region', { name: 'Availability' }).count()).toBe(0);
  });
  await client.request(RecordCameraStatusesDocument, { input: [{ cameraId: id, online: true }] });
  await step('remove it', async () => {
    await page.getByRole('button', { name: 'Edit camera' }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('alertdialog').getByText('Its status log is deleted too: 1 record.').waitFor();
    await page.getByRole('button', { name: 'Remove camera' }).click();
    await cameraRow(page, 'cam-2').waitFor();
    await page.getByText('Corner').waitFor({ state: 'detached' });
  });
});

test('shows the plots, gaps and records of a camera in a range of the address, and follows new records', async () => {
  const id = 'cam/1 ü';
  /** One record each minute; the ages are in minutes. */
  const record = async (oldest: number, newest: number, status: Partial<CameraStatusInput> = {}) => {
    const now = Date.now();
    const input = Array.from({ length: oldest - newest + 1 }, (_, at) => ({
      cameraId: id,
      recordedAt: new Date(now - (oldest - at) * 60_000).toISOString(),
      online: true,
      batteryPct: 20 + ((oldest - at) % 60),
      videoRemainingSec: 7200 - at * 10,
      recordingState: at < 30 ? 'standby' : 'recording',
      ...status,
    }));
    await farm.client.request(RecordCameraStatusesDocument, { input });
  };
  await farm.makeCamera(id);
  // The time before its registration does not count.
  await dashboard.sql(`update cameras set created_at = now() - interval '400 minutes' where camera_id = '${id}'`);
  // Silent between 200 and 100 minutes ago.
  await record(400, 200);
  await record(100, 1);
  const address = `/camera/${encodeURIComponent(id)}`;
  const { page, step, problems } = await dashboard.visit(address);
  const table = page.getByRole('table', { name: 'Status records' });
  const show = page.getByLabel('Time range', { exact: true });
  await step('plots, each broken by the gap', async () => {
    await heading(page, `Camera ${id}`).waitFor();
    expect(await page.title()).toBe(`Camera ${id} · Print Farm`);
    for (const name of [
      /^Battery, from \d+ % to \d+ %/,
      /^Recording time left, from /,
      /^Recording: recording, standby/,
    ]) {
      const line = page.getByRole('img', { name }).locator('.recharts-area-curve');
      await until(
        'the line is in two parts',
        () => line.getAttribute('d'),
        (path) => path?.match(/M/g)?.length === 2,
      );
    }
    // The record of 200 minutes ago counts for 5 minutes.
    const gaps = page.getByRole('list', { name: 'Gaps, the longest first' }).getByRole('listitem');
    expect(await gaps.first().textContent()).toMatch(/1 h 35 min$/);
  });
  await step('the records to the oldest, of which those in view are in the page', async () => {
    await table.locator('[data-index="0"]').waitFor();
    expect(await table.locator('[data-index]').count()).toBeLessThan(80);
    await scrollToEnd(page, table.locator('[data-index="300"]'));
    expect(await table.getAttribute('aria-rowcount')).toBe('302');
    expect(await table.locator('[data-index]').count()).toBeLessThan(80);
  });
  await step('the last hour', async () => {
    await show.selectOption('Last hour');
    await page.getByText('The camera was live all the time.').waitFor();
    expect(new URL(page.url()).search).toBe('?last=hour');
    await page.reload();
    await page.getByText('The camera was live all the time.').waitFor();
  });
  await step('a new record', async () => {
    await record(0, 0, { batteryPct: 3, mode: 'timelapse' });
    await table.locator('[data-index="0"]').getByText('timelapse').waitFor();
    await page.getByRole('meter', { name: 'Battery' }).getByText('3 %').waitFor();
  });
  await step('a record from the future', async () => {
    const warning = page.getByText('The camera’s clock may be wrong.');
    expect(await warning.count()).toBe(0);
    await record(-120, -120, { batteryPct: 80 });
    await warning.waitFor();
  });
  await step('a range without a record, and one that ends before it starts', async () => {
    await show.selectOption('own');
    await page.getByLabel('From', { exact: true }).fill('2020-01-01T00:00');
    await page.getByLabel('To (optional)').fill('2020-01-02T00:00');
    await page.getByText('The camera sent no status in this time range.').last().waitFor();
    await page.getByLabel('To (optional)').fill('2019-01-02T00:00');
    await page.getByRole('alert').getByText('must not be after').first().waitFor();
  });
  for (const search of ['last=constructor', 'last=own&to=-271821-04-20T00:00:00Z']) {
    await step(`an invalid range: ${search}`, async () => {
      await navigateTo(page, '/camera/');
      await heading(page, 'Cameras').waitFor();
      await cameraRow(page, id).getByText('Dated in the future').waitFor();
      await navigateTo(page, `${address}?${search}`);
      await page.getByRole('img', { name: /^Battery/ }).waitFor();
    });
  }
  expect(problems.filter((problem) => !problem.includes('400'))).toEqual([]);
});

test('more tabs can be open than HTTP/1.1 has connections for', async () => {
  const context = await dashboard.browser.newContext();
  try {
    // Each has two streams. A browser opens six connections to a host.
    const tabs = await Promise.all([1, 2, 3, 4].map(() => context.newPage()));
    for (const tab of tabs) {
      await tab.goto(dashboard.gateway.url);
      await connectionLabel(tab, 'Live').waitFor();
    }
    await until(
      'the four tabs have two streams each',
      () => readMetric(dashboard.gateway, 'graphql_subscriptions'),
      is(8),
    );
    await farm.makeCamera('one', { online: true, batteryPct: 83 });
    for (const tab of tabs) await tab.getByText('Camera one: Live').waitFor();
  } finally {
    await context.close();
  }
});

test('if a proxy forwards no WebSockets, an event stream delivers the changes', async () => {
  const proxy = await startProxy(dashboard.gateway.url, { leadsSockets: false });
  try {
    const { page, step } = await visit(dashboard.browser, `${proxy.url}/camera/`);
    await step('the stream', () => connectionLabel(page, 'Live').waitFor());
    await farm.makeCamera('proxied', { online: true, batteryPct: 83 });
    await step('the change', () => cameraRow(page, 'proxied').getByText('83 %').waitFor());
  } finally {
    proxy.stop();
  }
});

// This test must be the last one, because it stops the gateway of the file.
test('follows the farm, shows that the gateway is lost, keeps its contents, and reads what it missed', async () => {
  const { client, printerId, makeJob, makeCamera } = await dashboard.makeFarm('two');
  const [hook, clip] = [await makeJob('Hook'), await makeJob('Clip')];
  const { page, step } = await dashboard.visit('/');
  const jobs = await dashboard.visit(`/jobs?printer=${printerId}`);
  let again: ListeningGateway | undefined;
  try {
    const tile = printers(page).getByRole('listitem').filter({ hasText: 'Printer two' });
    const row = jobs.page.locator(`[data-key="${clip}"]`);
    const warning = row.getByRole('alert').getByText('The gateway does not answer');
    await step('what is new appears, and what changes is shown', async () => {
      await connectionLabel(page, 'Live').waitFor();
      await makeCamera('first', { online: true, batteryPct: 60 });
      await page.getByText('Camera first: Live').waitFor();
      await client.request(ChangePrintJobStatusDocument, { id: hook, status: 'PRINTING' });
      await tile.getByText('Printing').waitFor();
      const { spools } = await client.request(SpoolsDocument);
      const spool = spools.nodes.find(({ spoolSerial }) => spoolSerial === 'Spool two');
      await client.request(UpdateSpoolDocument, { id: `${spool?.id}`, input: { weightTotalGrams: '2' } });
      await tile.getByText(/\d g short$/).waitFor();
    });
    await jobs.step('the job', async () => {
      await connectionLabel(jobs.page, 'Live').waitFor();
      await row.getByText('Queued', { exact: true }).waitFor();
    });
    const place = await row.boundingBox();
    await dashboard.gateway.stop();
    await step('the loss', async () => {
      await connectionLabel(page, 'Reconnecting …').waitFor();
      await page.getByRole('alert').getByText('No connection to the gateway').waitFor();
      expect(await tile.count()).toBe(1);
      // No earlier test may have opened this page: the browser would have its files, and would need no gateway for them.
      await openPage(page, 'Spools');
      await page.getByText('Could not show this page. The gateway does not answer.').waitFor();
    });
    await jobs.step('a change of status that gets no answer', async () => {
      await jobs.page.getByRole('alert').getByText('No connection to the gateway').waitFor();
      expect(await row.boundingBox()).toEqual(place);
      await row.getByRole('button', { name: 'Start Clip' }).click();
      await warning.waitFor();
    });
    again = await listenInProcess(dashboard.settings);
    await makeCamera('missed', { online: true, batteryPct: 17 });
    await step('the page arrives, and the camera that was missed', async () => {
      await page.getByRole('table', { name: 'Spools' }).waitFor();
      await openPage(page, 'Cameras');
      await cameraRow(page, 'missed').getByText('17 %').waitFor();
      await connectionLabel(page, 'Live').waitFor();
    });
    await jobs.step('the gateway is back', async () => {
      await connectionLabel(jobs.page, 'Live').waitFor();
      await warning.waitFor({ state: 'detached' });
      await row.getByText('Queued', { exact: true }).waitFor();
    });
    await jobs.step('an answer that is lost, and the change that arrives', async () => {
      await jobs.page.route('**/graphql', (route) =>
        route.request().postData()?.includes('ChangeJobStatus') ? route.abort() : route.continue(),
      );
      await row.getByRole('button', { name: 'Start Clip' }).click();
      await warning.waitFor();
      await client.request(ChangePrintJobStatusDocument, { id: clip, status: 'PRINTING' });
      await row.getByText('Printing', { exact: true }).waitFor();
      await warning.waitFor({ state: 'detached' });
    });
  } finally {
    await again?.stop();
  }
});
