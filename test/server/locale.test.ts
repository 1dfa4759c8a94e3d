// Databases whose locale knows only the case of ASCII letters, or has special rules: search finds the same.
import { randomUUID } from 'node:crypto';
import { databaseUrl, onServer } from '../support/databases';
import { jobRequest, makeFarm } from '../support/farm';
import { expectData, expectStatus, startGateway } from '../support/gateway';

/** Texts of a job and of a camera, and how many rows have both. */
const SEARCHES: [job: string, camera: string, totalCount: number][] = [
  ['gehäuse', 'KÜCHE', 1],
  ['GEHÄ', 'ΕΛΛΆΣ', 1],
  ['ÄUSE', 'ist', 1],
  ['häuse 50%', 'ελλά', 1],
  ['ÄUSE'.normalize('NFD'), 'KÜ'.normalize('NFD'), 1],
  ['print', 'TITLE', 1],
  ['gehause', 'kuche', 0],
  ['e_50%', '%', 0],
];

test.each([
  ['C', "locale_provider libc lc_collate 'C' lc_ctype 'C'"],
  ['Turkish', "locale_provider icu icu_locale 'tr-TR' locale 'C'"],
])('%s: search finds letters of all alphabets in upper and lower case', async (_name, locale) => {
  const server = process.env['TEST_SERVER_URL'] as string;
  const name = `gateway_test_${randomUUID().replaceAll('-', '')}`;
  await onServer(server, `create database ${name} template template0 ${locale}`);
  const database = { kind: 'server' as const, url: databaseUrl(server, name), poolSize: 2 };
  const gateway = await startGateway('server', { database });
  const job = jobRequest(await makeFarm(gateway), { PrintName: 'GEHÄUSE 50% Print' });
  const camera = { camera_id: 'cam', friendly_name: `${'Küche'.normalize('NFD')} ΕΛΛΆΣ İstanbul Title` };
  expectStatus(await gateway.rest('POST', '/api/printjobs', job), 201);
  expectStatus(await gateway.rest('POST', '/cameras', camera), 201);
  const search = `query ($job: String, $camera: String) {
    printJobs(filter: { search: $job }) { totalCount } cameras(filter: { search: $camera }) { totalCount }
  }`;
  for (const [job, camera, totalCount] of SEARCHES) {
    const found = expectData(await gateway.graphql(search, { job, camera }));
    expect({ job, camera, ...found }).toEqual({ job, camera, printJobs: { totalCount }, cameras: { totalCount } });
  }
  await gateway.close();
  await onServer(server, `drop database ${name} with (force)`);
});
