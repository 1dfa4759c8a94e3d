// PgBouncer in transaction mode between gateways and the server: `?pgbouncer=true` makes it work, and a start without it says so.
import { randomUUID } from 'node:crypto';
import { type App, createApp } from '../../src/app';
import { openDatabase } from '../../src/database/database';
import { Prisma } from '../../src/generated/prisma/client';
import { emptyDatabase, type FreshDatabase, onServer } from '../support/databases';
import { PATIENT } from '../support/gateway';
import { startPgBouncer } from './pgbouncer';

let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await emptyDatabase('server');
});
afterAll(() => fresh.drop());

const through = ({ url }: { url: string }, parameters: Record<string, string> = {}) => {
  const target = new URL(url);
  for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, value);
  return { kind: 'server' as const, url: target.toString(), poolSize: 10 };
};

test.each([
  ['refuses the settings of a session', []],
  ['drops the settings of a session', ['ignore_startup_parameters=options']],
])('without the parameter the start fails if the pooler %s', async (_how, settings) => {
  const pooler = await startPgBouncer(fresh.url, settings);
  await expect(openDatabase(through(pooler))).rejects.toThrow(
    'cannot be used: the server is behind a connection pooler. Add pgbouncer=true to DATABASE_URL',
  );
  await pooler.stop();
});

test('two gateways that start on an empty database, in a schema: every request succeeds, every row exists once', async () => {
  await onServer(fresh.url, `alter database ${new URL(fresh.url).pathname.slice(1)} set timezone = 'Asia/Tokyo'`);
  const pooler = await startPgBouncer(fresh.url);
  const database = through(pooler, { pgbouncer: 'true', schema: 'Farm of Ann' });
  const replicas = [await createApp({ ...PATIENT, database }), await createApp({ ...PATIENT, database })] as [App, App];
  const send = async (n: number, url: string, payload?: object, key?: string) => {
    const answer = await (replicas[n % 2] as App).inject({
      method: payload ? 'POST' : 'GET',
      url,
      payload,
      headers: key === undefined ? {} : { 'idempotency-key': key },
    });
    const isRefused = answer.statusCode >= 300 || answer.json().errors;
    expect({ url, isRefused, text: isRefused && answer.payload }).toMatchObject({ isRefused: undefined });
    return answer.json();
  };
  const { data } = await send(0, '/graphql', {
    query: `mutation { createPrinter(input: { name: "Prusa" }) { id }
      createMaterial(input: { name: "PLA", densityGPerCm3: "1.24" }) { id } }`,
  });
  const spool = await send(0, '/graphql', {
    query: `mutation { createSpool(input: { spoolSerial: "S", filamentDiameterMm: "1.75", weightTotalGrams: "1000",
      materialId: "${data.createMaterial.id}" }) { id } }`,
  });
  const job = { PrinterId: data.createPrinter.id, SpoolId: spool.data.createSpool.id, DataSource: 'Manual' };
  const cameras = Array.from({ length: 20 }, (_, n) => `camera-${n}`);
  await Promise.all(cameras.map((camera_id, n) => send(n, '/cameras', { camera_id, friendly_name: 'x' })));
  const ROUNDS = 40;
  await Promise.all(
    Array.from({ length: ROUNDS }, (_, n) => {
      const id = cameras[n % cameras.length];
      const query = `mutation { recordCameraStatuses(input: [{ cameraId: "${id}", online: true }]) { id } }`;
      return Promise.all([
        ...[undefined, randomUUID()].map((key) => send(n, '/graphql', { query }, key)),
        ...[undefined, randomUUID()].map((key) => send(n, '/api/printjobs', job, key)),
        ...['/api/printjobs', `/cameras/${id}`, '/cameras', '/readyz'].map((path) => send(n, path)),
      ]);
    }),
  );
  const found = await replicas[0].database.json(
    'test',
    Prisma.sql`select json_build_array((select count(*) from cameras), (select count(*) from camera_status),
      (select count(*) from print_jobs), (select sum(jobs) from print_job_counts), (select count(*) from idempotency_keys),
      (select count(*) from cameras where abs(extract(epoch from now() - created_at)) > 600),
      (select count(*) from information_schema.tables where table_schema = 'public')) as value`,
  );
  expect(found).toEqual([20, 2 * ROUNDS, 2 * ROUNDS, 2 * ROUNDS, 2 * ROUNDS, 0, 0]);
  for (const replica of replicas) await replica.close();
  await pooler.stop();
});
