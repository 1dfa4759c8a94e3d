// The farm page in a real browser: what it shows, finds and follows, and how it bears an absent gateway.
import type { Browser, Page } from 'playwright-core';
import {
  ChangePrintJobStatusDocument,
  RecordCameraStatusesDocument,
  SpoolsDocument,
  UpdateCameraDocument,
  UpdateSpoolDocument,
} from '../../src/generated/operations';
import { faultsOf } from '../support/accessibility';
import { LOOKS, putForward, startBrowser, visit } from '../support/browser';
import { type FreshDatabase, freshDatabase, onServer } from '../support/databases';
import { type RunningGateway, runGateway } from '../support/running-gateway';
import { makeShownFarm } from '../support/shown-farm';
import { until } from '../support/waiting';

let browser: Browser;
/** It is new in the first tests. */
let gateway: RunningGateway;

beforeAll(async () => {
  [browser, gateway] = await Promise.all([startBrowser(), runGateway()]);
});

afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});

const cameras = (page: Page) => page.getByRole('table', { name: 'Cameras' });
const cameraRow = (page: Page, id: string) => cameras(page).locator(`[data-key="${id}"]`);

test('a new farm says what to do first', async () => {
  const { page, step, outside, problems } = await visit(browser, gateway.url);
  await step('the empty states', async () => {
    await page.getByText('No printers yet.').waitFor();
    await page.getByText('No cameras yet.').waitFor();
  });
  expect({ outside, problems }).toEqual({ outside: [], problems: [] });
});

test('the first page is below 300 kB as a browser loads it', async () => {
  const page = await browser.newPage();
  const sizes: Promise<number>[] = [];
  page.on('requestfinished', (request) => {
    sizes.push(request.sizes().then((size) => size.responseBodySize + size.responseHeadersSize));
  });
  await page.goto(gateway.url);
  await page.getByText('No cameras yet.').waitFor();
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThan(300_000);
});

describe('a farm', () => {
  let farm: Awaited<ReturnType<typeof makeShownFarm>>;
  beforeAll(async () => {
    farm = await makeShownFarm(gateway.url);
  });

  test('tells what needs attention, the most urgent first, and what grows silent by itself', async () => {
    const { client, makeCamera } = farm;
    await makeCamera('weak', { online: true, batteryPct: 7 });
    for (const n of [1, 2, 3, 4, 5]) await makeCamera(`off-${n}`, { online: false });
    const { page, step, problems } = await visit(browser, gateway.url, { hasOwnClock: true });
    const alerts = page.getByRole('list', { name: 'Alerts' }).getByRole('listitem');
    await step('the first five, then all', async () => {
      await alerts.first().waitFor();
      expect(await alerts.count()).toBe(5);
      await page.getByRole('button', { name: 'Show all 6' }).click();
      expect(await alerts.count()).toBe(6);
      expect(await alerts.last().textContent()).toMatch(
        /^Warning.*Camera Camera weak \(weak\) has 7 % of its battery left/,
      );
    });
    await step('a camera that grows silent, and one that is back', async () => {
      await client.request(UpdateCameraDocument, { id: 'weak', input: { expectedIntervalSec: 1 } });
      await putForward(page, 5000, cameraRow(page, 'weak').getByText('Silent'));
      await client.request(RecordCameraStatusesDocument, { input: [{ cameraId: 'off-1', online: true }] });
      await cameraRow(page, 'off-1').getByText('Live').waitFor();
      await putForward(page, 5000, alerts.getByText('off-1'), 'detached');
    });
    await step('to the camera', async () => {
      await alerts.filter({ hasText: 'off-2' }).getByRole('link', { name: 'See the camera' }).click();
      await page.getByRole('heading', { level: 1, name: 'Camera off-2' }).waitFor();
    });
    expect(problems).toEqual([]);
  });

  describe('with printers and cameras in many states', () => {
    beforeAll(async () => {
      const { client, makeJob, makeCamera } = farm;
      await client.request(ChangePrintJobStatusDocument, { id: await makeJob('Hook'), status: 'PRINTING' });
      await makeCamera('cam-19', {
        online: true,
        batteryPct: 83,
        videoRemainingSec: 7500,
        recordingState: 'recording',
      });
      const hoursAgo = new Date(Date.now() - 3 * 3_600_000).toISOString();
      await makeCamera('cam-2', { online: false, batteryPct: 7, recordedAt: hoursAgo });
      await makeCamera('x'.repeat(100));
    });

    test.each(LOOKS)('is shown at $width, $colorScheme', async (look) => {
      const { page, step, outside, problems } = await visit(browser, gateway.url, look);
      const printerRow = page.locator('[role=table][aria-label=Printers] [data-index]');
      await step('the farm', async () => {
        for (const [row, says] of [
          [printerRow, /Bay 1.*Printing.*Hook.*PETG-1 \(PETG\).*3.05 g/],
          [cameraRow(page, 'cam-19'), /Camera cam-19.*Live.*83 %.*2 h 5 min.*recording/],
          [cameraRow(page, 'cam-2'), /Offline.*7 %.*3 hours ago/],
        ] as const) {
          await until(async () => says.test(`${await row.textContent()}`));
        }
        // In natural order.
        const names = await cameras(page).locator('[data-index] a').allTextContents();
        expect(names.slice(0, 2)).toEqual(['Camera cam-2', 'Camera cam-19']);
      });
      expect(await faultsOf(page)).toEqual([]);
      expect({ outside, problems }).toEqual({ outside: [], problems: [] });
    });
  });
});

describe('a thousand cameras, of which many are lost', () => {
  let database: FreshDatabase;
  let many: RunningGateway;
  let farm: Awaited<ReturnType<typeof makeShownFarm>>;
  beforeAll(async () => {
    database = await freshDatabase('server');
    many = await runGateway({ DATABASE_URL: database.url });
    farm = await makeShownFarm(many.url);
    await onServer(
      database.url,
      `insert into cameras (camera_id, friendly_name) select 'cam-' || n, 'Camera cam-' || n from generate_series(1, 1000) n`,
    );
    await onServer(
      database.url,
      `insert into camera_status (camera_id, recorded_at, online)
        select 'cam-' || n, now() - interval '1 hour', true from generate_series(1, 300) n`,
    );
  });
  afterAll(async () => {
    await many?.stop();
    await database?.drop();
  });

  test('asks for no more alerts than a reader reads, and shows each camera that is lost', async () => {
    const { client, makeJob } = farm;
    await client.request(ChangePrintJobStatusDocument, { id: await makeJob('Hook'), status: 'PRINTING' });
    const { page, step } = await visit(browser, many.url);
    const alerts = page.getByRole('list', { name: 'Alerts' }).getByRole('listitem');
    await step('the most urgent', async () => {
      await page.getByRole('heading', { name: 'Needs attention more than 100' }).waitFor();
      expect(await alerts.count()).toBe(5);
      await page.getByRole('button', { name: 'Show the first 100' }).click();
      expect(await alerts.count()).toBe(100);
    });
    await step('the filament of a spool whose weight is corrected', async () => {
      const stock = page.getByRole('table', { name: 'Printers' });
      await stock.getByText('1,000 g').waitFor();
      const { spools } = await client.request(SpoolsDocument);
      const id = `${spools.nodes[0]?.id}`;
      await client.request(UpdateSpoolDocument, { id, input: { weightTotalGrams: '2' } });
      await stock.getByText('1.05 g short').waitFor();
    });
  });

  test('finds among 1,000 cameras, keeps the filters in the address, and puts only the rows in view into the page', async () => {
    await farm.makeCamera('wanted', { online: true });
    const { page, step, problems } = await visit(browser, many.url);
    await step('the first rows', () => cameraRow(page, 'cam-1').waitFor());
    expect(await cameras(page).getAttribute('aria-rowcount')).toBe('1002');
    const shown = () => cameras(page).locator('[data-index]').count();
    expect(await shown()).toBeLessThan(80);
    await step('the last rows', async () => {
      await page.keyboard.press('End');
      await cameraRow(page, 'wanted').waitFor();
    });
    expect(await shown()).toBeLessThan(80);
    await step('a search', async () => {
      await page.getByLabel('Search by name or id').pressSequentially('WANT');
      await cameraRow(page, 'cam-1').waitFor({ state: 'detached' });
      expect(await shown()).toBe(1);
      expect(new URL(page.url()).search).toBe('?search=WANT');
    });
    await step('the same after a reload', async () => {
      await page.reload();
      await cameraRow(page, 'wanted').waitFor();
      expect(await shown()).toBe(1);
      await page.getByLabel('State').selectOption('Offline');
      await page.getByText('No camera fits these filters.').waitFor();
    });
    expect(problems).toEqual([]);
  });
});

test('follows the farm, tells when the gateway is gone, and recovers', async () => {
  let followed = await runGateway();
  try {
    const { client, makeJob, makeCamera } = await makeShownFarm(followed.url);
    await makeCamera('one', { online: true, batteryPct: 50 });
    const { page, step } = await visit(browser, followed.url);
    const alert = page.getByRole('alert');
    await step('what is new appears, and what changes is shown', async () => {
      await page.getByRole('banner').getByText('Live').waitFor();
      await makeCamera('later', { online: true, batteryPct: 60 });
      await cameraRow(page, 'later').getByText('60 %').waitFor();
      await client.request(ChangePrintJobStatusDocument, { id: await makeJob('Hook'), status: 'PRINTING' });
      await page.getByText('1 of 1 printing').waitFor();
      await page.getByRole('link', { name: 'Hook' }).waitFor();
    });
    const later = await visit(browser, followed.url);
    await later.step('the farm', () => cameraRow(later.page, 'one').waitFor());
    await followed.stop();
    await later.step('a page whose files do not arrive', async () => {
      await later.page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Jobs' }).click();
      await later.page.getByText('The page cannot be shown: The gateway does not answer.').waitFor();
    });
    await step('the loss is told, the last state stays', async () => {
      await alert.getByText('The connection to the gateway is lost').waitFor();
      expect(await cameras(page).locator('[data-index]').count()).toBe(2);
    });
    followed = await runGateway({ PORT: new URL(followed.url).port });
    await step('the gateway is back, with an empty memory', async () => {
      await page.getByText('No cameras yet.').waitFor();
      await alert.first().waitFor({ state: 'detached' });
    });
    await later.step('the page arrives', () => later.page.getByText('No jobs yet.').waitFor());
  } finally {
    await followed.stop();
  }
});
