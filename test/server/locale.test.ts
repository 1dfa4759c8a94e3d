// Databases with a locale that knows the case of ASCII letters alone, or has one of its own: search finds the same.
import { emptyDatabase, type FreshDatabase, onServer } from '../support/databases';
import { jobRequest, makeFarm } from '../support/farm';
import { expectData, expectStatus, type Gateway, startGateway, test } from '../support/gateway';

describe.each([
  ['C', "locale_provider libc lc_collate 'C' lc_ctype 'C'"],
  ['Turkish', "locale_provider icu icu_locale 'tr-TR' locale 'C'"],
])('%s', (_name, locale) => {
  let fresh: FreshDatabase;
  let gateway: Gateway;
  beforeAll(async () => {
    fresh = await emptyDatabase('server');
    const url = new URL(fresh.url);
    url.pathname += '_c';
    await onServer(fresh.url, `create database "${url.pathname.slice(1)}" template template0 ${locale}`);
    gateway = await startGateway('server', { database: { kind: 'server', url: url.toString(), poolSize: 2 } });
  });
  afterAll(async () => {
    await gateway?.close();
    await onServer(fresh.url, `drop database "${new URL(fresh.url).pathname.slice(1)}_c" with (force)`);
    await fresh.drop();
  });

  test('search finds letters of all alphabets in upper and lower case', async () => {
    const farm = await makeFarm(gateway);
    expectStatus(
      await gateway.rest('POST', '/api/printjobs', jobRequest(farm, { PrintName: 'GEHÄUSE 50% Print' })),
      201,
    );
    expectStatus(
      await gateway.rest('POST', '/cameras', {
        camera_id: 'cam',
        friendly_name: `${'Küche'.normalize('NFD')} ΕΛΛΆΣ İstanbul Title`,
      }),
      201,
    );
    const found = `query ($job: String, $camera: String) {
    printJobs(filter: { search: $job }) { totalCount } cameras(filter: { search: $camera }) { totalCount }
  }`;
    for (const [job, camera, totalCount] of [
      ['gehäuse', 'KÜCHE', 1],
      ['GEHÄUSE', 'ελλά', 1],
      ['GEHÄ', 'ΕΛΛΆΣ', 1],
      ['ÄUSE', 'ΛΆΣ ', 1],
      ['ÄUSE', 'ist', 1],
      ['häuse 50%', 'CAM', 1],
      ['ÄUSE'.normalize('NFD'), 'KÜ'.normalize('NFD'), 1],
      ['print', 'TITLE', 1],
      ['PRINT', 'title', 1],
      ['gehause', 'kuche', 0],
      ['e_50%', '%', 0],
    ] as const) {
      expect(expectData(await gateway.graphql(found, { job, camera }))).toEqual({
        printJobs: { totalCount },
        cameras: { totalCount },
      });
    }
  });
});
