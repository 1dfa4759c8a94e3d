// Films of cameras with long logs: read in pieces, with a limit of records per request.
import { randomUUID } from 'node:crypto';
import { MAX_FILM_RECORDS } from '../../src/farm/filming/film.reader';
import { finalizeFilming } from '../../src/farm/filming/filming.maintenance';
import { holdClock } from '../support/clock';
import { type Farm, makeFarm } from '../support/farm';
import {
  createRecords,
  FILMING,
  readFilming,
  storeCamera,
  storeJob,
  storeJobs,
  storePrinters,
  toInstant,
} from '../support/films';
import { expectCode, expectStatus, type Parsed, test, useGateway } from '../support/gateway';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The clock of the gateway, which stands still. */
const NOW = Math.floor(Date.now() / 1000) * 1000;
/** The start of the prints. */
const T = NOW - 10 * HOUR;

describe('the filming of jobs whose cameras have long logs', () => {
  const gateway = useGateway('server');
  let farm: Farm;
  let printer: string;
  beforeAll(async () => {
    farm = await makeFarm(gateway);
  });
  beforeEach(async () => {
    holdClock(NOW);
    // A hundredth of what users have: their logs take 8 s of CPU time.
    jest.replaceProperty(MAX_FILM_RECORDS, 'ofRequest', 2500);
    jest.replaceProperty(MAX_FILM_RECORDS, 'ofStatement', 400);
    printer = randomUUID();
    await storePrinters(gateway, [printer]);
  });
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  const job = (from: number, to: number) => storeJob(gateway, farm, printer, [from, to]);
  const camera = (records?: Parameters<typeof storeCamera>[2]) => storeCamera(gateway, printer, records);
  const filming = (id: string) => readFilming(gateway, id);
  const fix = () => finalizeFilming(gateway.database(), ['recording'], new Date(NOW + 2 * DAY));
  /** A record of the camera every so many ms. */
  const storeMany = (id: string, count: number, everyMs: number) =>
    gateway.sql(`insert into camera_status (camera_id, recorded_at, online, recording_state)
      select '${id}', '${toInstant(T)}'::timestamptz + n * interval '${everyMs} ms', true, case n / 10 % 2 when 0 then 'recording' else 'idle' end
      from generate_series(0, ${count - 1}) n`);

  test('is computed in pieces, with the same result as in one piece', async () => {
    const id = await job(T, T + HOUR);
    const [many, few] = [await camera(), await camera(createRecords('idle', T, T + HOUR))];
    // Gaps of 36 s cross the borders of pieces, which are after every 400 records.
    await storeMany(many, 1000, 3600);
    await gateway.sql(`update camera_status set recording_state = 'idle' where camera_id = '${many}'
      and recorded_at between '${toInstant(T + 395 * 3600)}' and '${toInstant(T + 405 * 3600 - 1)}'`);
    const films = await filming(id);
    const film = films.find(({ cameraId }) => cameraId === many);
    expect(film).toMatchObject({ windowSec: 3600, resolutionSec: 3.6, final: false });
    expect(film.gaps.find(({ from }: Parsed) => Date.parse(from) === T + 390 * 3600)).toEqual({
      from: toInstant(T + 390 * 3600),
      to: toInstant(T + 405 * 3600),
      reason: 'NOT_RECORDING',
    });
    expect(film.recordedSec).toBe(1800 - 18);
    expect(films.find(({ cameraId }) => cameraId === few)).toMatchObject({ recordedSec: 0, windowSec: 3600 });
    await gateway.sql(`update print_jobs set completed_at = '${toInstant(T + HOUR)}' where id = '${id}'`);
    await fix();
    expect(await filming(id)).toEqual(films.map((one) => ({ ...one, final: true })));
  });

  test('reads a limited number of records for the jobs of one request: each job beyond the limit is refused alone', async () => {
    const jobs = [await job(T, T + HOUR), await job(T, T + HOUR - 1000), await job(T, T + 10 * MINUTE)] as const;
    const watching = await camera();
    await storeMany(watching, 1440, 2500);
    const ask = async (ids: readonly string[]) => {
      const query = `{ printJobs(first: 1000, filter: { printerId: "${printer}" }) { nodes { id ${FILMING} } } }`;
      const { data, errors } = await gateway.graphql(query);
      const nodes: Parsed[] = data?.printJobs.nodes;
      return { errors, films: ids.map((id) => nodes.find((node) => node.id === id)?.filming) };
    };
    const { errors, films } = await ask(jobs);
    // The short film is read, and one of the others.
    expect(films[2]).toMatchObject([{ windowSec: 10 * 60 }]);
    expect(films.filter((one) => one === null)).toHaveLength(1);
    expect(errors).toMatchObject([
      { extensions: { code: 'BAD_USER_INPUT' }, message: expect.stringMatching(/more than 250000 status records/) },
    ]);
    // No record beyond the limit is counted: a page of jobs that all have too many would block the database for minutes.
    const many = Array.from({ length: 900 }, (_, n) => ({
      id: randomUUID(),
      printer,
      status: 'Printing',
      from: T + n,
      to: NOW,
    }));
    await storeJobs(gateway, farm, many);
    const page = await ask(many.map(({ id }) => id));
    expect(page.films.filter((one) => one !== null).length).toBeLessThan(2);
    // Its film must become final before its log is deleted.
    const removal = await gateway.graphql('mutation ($id: ID!) { removeCamera(id: $id) }', { id: watching });
    expect(expectCode(removal, 'CONFLICT')).toMatch(
      /recordings of 903 prints that are not final yet, with more than 2500 status records/,
    );
    // Each job alone is read, so the file of all jobs has them.
    for (const id of jobs) expect(await filming(id)).toMatchObject([{ cameraId: watching, final: false }]);
    await gateway.sql(`delete from print_jobs where printer_id = '${printer}' and status = 'Printing'`);
    const { text } = expectStatus(await gateway.rest('GET', `/reports/filming.csv?printerId=${printer}`), 200);
    expect(text.trimEnd().split('\r\n')).toHaveLength(4);
    // A final film reads no records.
    await fix();
    expect((await ask(jobs)).films).toMatchObject(jobs.map(() => [{ final: true }]));
  });
});
