// Tests the recordings of prints in a real browser: on the page of a job, in the list of jobs and on the page of a camera.
import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { ChangePrintJobStatusDocument, SpoolsDocument, UpdateCameraDocument } from '../../src/generated/operations';
import { RemoveCameraDocument } from '../../src/generated/web-operations';
import { findFaults, LOOKS } from '../support/accessibility';
import { connectionLabel, heading, section, shareDashboard } from '../support/dashboard';
import { createRecords, storeJobs, storeRecords, toInstant } from '../support/films';
import { is, until } from '../support/waiting';

const dashboard = shareDashboard();

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** The end of the finished prints: yesterday, so no film is final. */
const T = Date.parse(`${toInstant(Date.now() - 20 * HOUR).slice(0, 13)}:00:00Z`);

/** A printer with cameras, which have watched it for three days. */
async function makeScene(name: string, cameras: readonly string[]) {
  const farm = await dashboard.makeFarm(name);
  const { client, printerId, makeCamera } = farm;
  const { spools } = await client.request(SpoolsDocument);
  const spoolId = `${spools.nodes[0]?.id}`;
  for (const id of cameras) {
    await makeCamera(id);
    await client.request(UpdateCameraDocument, { id, input: { printerId, expectedIntervalSec: 120 } });
    await dashboard.sql(`update camera_watches set "from" = '${toInstant(T - 72 * HOUR)}' where camera_id = '${id}'`);
  }
  const store = async (status: string, from: number, to: number) => {
    const id = randomUUID();
    const job = { id, printer: printerId, status, from, to };
    await storeJobs(dashboard, { spoolId }, [job]);
    await dashboard.sql(`update print_jobs set print_name = 'Print ${status} ${name}' where id = '${id}'`);
    return id;
  };
  const record = (id: string, ...records: ReturnType<typeof createRecords>) => storeRecords(dashboard, id, records);
  return { ...farm, store, record };
}

const findFilm = (page: Page) => section(page, 'Recording');
const findGaps = (page: Page, camera: string) =>
  findFilm(page)
    .getByRole('table', { name: `Gaps of ${camera}` })
    .locator('[data-index]');
/** The kinds and the lengths of the segments of the bars, in percent. */
const findBars = (page: Page) =>
  findFilm(page)
    .locator('[aria-hidden] > div > span[data-kind]')
    .evaluateAll((pieces) =>
      pieces.map(
        (one) =>
          `${(one as HTMLElement).dataset['kind']} ${Number.parseFloat((one as HTMLElement).style.width).toFixed(0)}`,
      ),
    );

test('a job shows a bar for each camera, its gaps with times and reasons in words, and what was moved or removed', async () => {
  const { client, printerId, store, record } = await makeScene('one', ['whole', 'holes', 'moved', 'gone']);
  const other = await dashboard.makeFarm('other');
  await record('whole', ...createRecords('recording', T - MINUTE, T + HOUR));
  await record('holes', ...createRecords('recording', T, T + 12 * MINUTE), {
    at: T + 12 * MINUTE,
    online: false,
    state: null,
  });
  await record(
    'holes',
    ...createRecords('idle', T + 13 * MINUTE, T + 20 * MINUTE),
    ...createRecords('Recording', T + 20 * MINUTE, T + 40 * MINUTE),
  );
  for (const id of ['moved', 'gone']) {
    await record(id, ...createRecords('recording', T - MINUTE, T + HOUR));
    await client.request(UpdateCameraDocument, { id, input: { printerId: other.printerId } });
    await client.request(UpdateCameraDocument, { id, input: { printerId } });
    await dashboard.sql(`delete from camera_watches where camera_id = '${id}'`);
    await dashboard.sql(`insert into camera_watches (camera_id, printer_id, "from", "to") values
      ('${id}', '${printerId}', '${toInstant(T - HOUR)}', '${toInstant(T + 15 * MINUTE)}'),
      ('${id}', '${other.printerId}', '${toInstant(T + 15 * MINUTE)}', '${toInstant(T + 30 * MINUTE)}'),
      ('${id}', '${printerId}', '${toInstant(T + 30 * MINUTE)}', null)`);
  }
  const id = await store('Completed', T, T + HOUR);
  await client.request(RemoveCameraDocument, { id: 'gone' });
  const { page, step, problems } = await dashboard.visit(`/jobs/${id}`);
  const film = findFilm(page);
  await step('the whole film', async () => {
    await film.getByText('100 % of the print recorded').waitFor();
    await film.getByText('Recorded 1 h of 1 h. No gaps.').waitFor();
    await film.getByRole('link', { name: 'Camera whole' }).waitFor();
    expect(await findGaps(page, 'Camera whole').count()).toBe(0);
  });
  await step('gaps', async () => {
    await findGaps(page, 'Camera holes').nth(2).waitFor();
    const times = await findGaps(page, 'Camera holes')
      .locator('time')
      .evaluateAll((all) => all.map((one) => (one as HTMLTimeElement).dateTime));
    expect(times).toEqual([12, 13, 13, 20, 41, 60].map((minute) => toInstant(T + minute * MINUTE)));
    expect(await findGaps(page, 'Camera holes').allTextContents()).toEqual([
      expect.stringMatching(/1 minCamera offline$/),
      expect.stringMatching(/7 minNot recording$/),
      expect.stringMatching(/19 minNo data from the camera$/),
    ]);
    await film.getByText('55 % of the print recorded').waitFor();
    await film.getByText('Recorded 33 min of 1 h (gap times ±21 min).').waitFor();
  });
  await step('moved and removed', async () => {
    await findGaps(page, 'Camera moved').getByText('Not assigned to this printer').waitFor();
    await film.getByRole('heading', { name: 'gone (removed)' }).waitFor();
    await film.getByText('Not assigned to this printer for 15 min.').waitFor();
    expect(await film.getByText('75 % of the print recorded').count()).toBe(2);
  });
  await step('the bars and their colours', async () => {
    expect(await findBars(page)).toEqual([
      // It is unknown when a removed camera watched another printer.
      'RECORDED 100',
      'RECORDED 100',
      'OFFLINE 2',
      'NOT_RECORDING 12',
      'SILENT 32',
      'NOT_WATCHED 25',
      'RECORDED 25',
      'RECORDED 50',
      'RECORDED 100',
    ]);
  });
  await step('what is final, and what is not', async () => {
    expect([await film.getByText('Final').count(), await film.getByText('Preliminary').count()]).toEqual([1, 3]);
  });
  expect(await findFaults(page)).toEqual([]);
  expect(problems).toEqual([]);
});

test('a film of days with hundreds of gaps shows the longest, the total, and a summary of the others', async () => {
  const { store, record } = await makeScene('two', ['restless']);
  const long = T - 20 * 24 * HOUR;
  await dashboard.sql(`update camera_watches set "from" = '${toInstant(long)}' where camera_id = 'restless'`);
  const steps = Array.from({ length: 130 }, (_, n) =>
    createRecords('recording', long + n * HOUR, long + n * HOUR + (30 - n / 10) * MINUTE, 2 * MINUTE),
  );
  await record('restless', ...steps.flat());
  const { page, step } = await dashboard.visit(`/jobs/${await store('Failed', long, T)}`, {
    width: 390,
    colorScheme: 'dark',
  });
  await step('the longest five', async () => {
    await findGaps(page, 'Camera restless').nth(4).waitFor();
    expect(await findGaps(page, 'Camera restless').count()).toBe(5);
    await findFilm(page)
      .getByText(/Only the 100 longest gaps are listed. The others add up to \d+ h/)
      .waitFor();
  });
  await step('all', async () => {
    await page.getByRole('button', { name: 'Show all 100 gaps' }).click();
    await until(
      'all rows are in the table',
      () => page.getByRole('table', { name: 'Gaps of Camera restless' }).getAttribute('aria-rowcount'),
      is('101'),
    );
    expect((await findBars(page)).length).toBe(101);
  });
  expect(await findFaults(page, LOOKS.slice(0, 1))).toEqual([]);
});

test('the film of a printing job grows when the feed reports a change, and ends with the job', async () => {
  const { client, store, record } = await makeScene('three', ['late']);
  const begin = Date.now() - HOUR;
  await record('late', ...createRecords('recording', begin, begin + MINUTE));
  const id = await store('Printing', begin, begin);
  const { page, step } = await dashboard.visit(`/jobs/${id}`);
  const film = findFilm(page);
  await step('three minutes', async () => {
    await connectionLabel(page, 'Live').waitFor();
    await film.getByText('Recorded 2 min of 1 h').waitFor();
    await findGaps(page, 'Camera late').getByText('No data from the camera').waitFor();
  });
  await step('late records, and another status', async () => {
    await record('late', ...createRecords('recording', begin + MINUTE, Date.now() + HOUR));
    await client.request(ChangePrintJobStatusDocument, { id, status: 'COMPLETED' });
    await film.getByText('100 % of the print recorded').waitFor();
    await film.getByText('No gaps.').waitFor();
    await film.getByText('Preliminary').waitFor();
  });
});

test('the list has the share of the best film of each job in view, in one request, and asks again for jobs beyond the limit', async () => {
  const { client, printerId, store, record, makeJob } = await makeScene('four', ['first', 'second', 'heavy']);
  const other = await dashboard.makeFarm('five');
  await client.request(UpdateCameraDocument, { id: 'heavy', input: { printerId: other.printerId } });
  await dashboard.sql(
    `update camera_watches set "to" = '${toInstant(T + 2 * HOUR)}' where camera_id = 'heavy' and "to" is not null`,
  );
  await record('first', ...createRecords('recording', T, T + 30 * MINUTE, 2 * MINUTE));
  await record('second', ...createRecords('recording', T, T + 55 * MINUTE, 2 * MINUTE));
  const filmed = await store('Completed', T, T + HOUR);
  const notFilmed = await store('Cancelled', T + 3 * HOUR, T + 4 * HOUR);
  const unwatched = await store('Completed', T - 100 * HOUR, T - 99 * HOUR);
  const queued = await makeJob('Queued four');
  const { page, step } = await dashboard.visit(`/jobs?printer=${printerId}`);
  const findShare = (id: string) => page.locator(`[data-key="${id}"] [data-head=Recorded]`);
  await step('the first visit', () => findShare(filmed).getByText('93 %').waitFor());
  const asked: string[] = [];
  page.on('request', (request) => {
    const body = request.postData() ?? '';
    if (body.includes('JobFilms')) asked.push(body);
  });
  await page.reload();
  await step('shares', async () => {
    await findShare(filmed).getByText('93 %').waitFor();
    expect(await findShare(filmed).locator('span').getAttribute('title')).toContain('Camera first: 50 %\n');
    await findShare(notFilmed).getByText('0 %').waitFor();
    await findShare(unwatched).getByText('–').waitFor();
    await findShare(queued).getByText('–').waitFor();
    expect(asked).toHaveLength(1);
  });
  await step('a job whose cameras have more records than one request reads of several jobs', async () => {
    const only = { __typename: 'PrintJob', id: filmed };
    await page.route('**/graphql', async (route) => {
      const { operationName, variables } = JSON.parse(`${route.request().postData()}`);
      if (operationName !== 'JobFilms' || variables.jobs.length === 1) return route.fallback();
      const at = variables.jobs.findIndex(({ id }: { id: string }) => id === filmed);
      const response = await route.fetch();
      const json = await response.json();
      json.data._entities[at].filming = null;
      // The gateway refuses this: test/server/long-logs.test.ts.
      json.errors = [{ message: 'No', path: ['_entities', at, 'filming'], extensions: { code: 'BAD_USER_INPUT' } }];
      await route.fulfill({ response, json });
    });
    asked.splice(0);
    await page.reload();
    await findShare(filmed).getByText('93 %').waitFor();
    await findShare(notFilmed).getByText('0 %').waitFor();
    expect(asked).toHaveLength(2);
    expect(JSON.parse(`${asked[1]}`).variables).toEqual({ jobs: [only] });
    await page.getByRole('link', { name: 'Print Completed four' }).first().click();
    await heading(page, 'Print Completed four').waitFor();
    await findFilm(page).getByText('Camera heavy').waitFor();
    await page.locator('dl').getByText('Printer four').waitFor();
  });
});

test('a camera shows the prints that it watched, also simultaneous prints of one printer, with its part of each', async () => {
  const { client, printerId, store, record } = await makeScene('six', ['traveller']);
  const other = await dashboard.makeFarm('seven');
  const input = { printerId: other.printerId, recordsPrints: true };
  await client.request(UpdateCameraDocument, { id: 'traveller', input });
  await dashboard.sql(
    `update camera_watches set "to" = '${toInstant(T + 2 * HOUR)}' where camera_id = 'traveller' and "to" is not null`,
  );
  await dashboard.sql(
    `update camera_watches set "from" = '${toInstant(T + 2 * HOUR)}' where camera_id = 'traveller' and "to" is null`,
  );
  await record('traveller', ...createRecords('recording', T, T + 30 * MINUTE));
  const watched = await store('Completed', T, T + HOUR);
  const later = await store('Failed', T + 3 * HOUR, T + 4 * HOUR);
  const { page, step, problems } = await dashboard.visit('/camera/?id=traveller');
  const prints = section(page, 'Watched prints');
  await step('the printer that it watches', async () => {
    await prints.getByText('should record every print').waitFor();
    await prints.getByText('No prints in this time.').waitFor();
    await prints.getByRole('link', { name: 'Printer seven' }).waitFor();
  });
  await step('the one before', async () => {
    await prints.getByRole('button', { name: /Show prints of Printer six/ }).click();
    await prints.locator(`[data-key="${watched}"]`).getByText('51 %').waitFor();
    expect(await prints.locator(`[data-key="${later}"]`).count()).toBe(0);
    await prints.getByRole('link', { name: 'Print Completed six' }).click();
    await heading(page, 'Print Completed six').waitFor();
  });
  expect(printerId).not.toBe(other.printerId);
  expect(problems).toEqual([]);
});
