// PgBouncer in transaction mode between gateways and the server: `?pgbouncer=true` makes it work, and its lack is named.
import { randomUUID } from 'node:crypto';
import { type App, createApp } from '../../src/app';
import { maintainStatusLog } from '../../src/cameras/status-log.maintenance';
import { readConfig } from '../../src/config';
import { openDatabase } from '../../src/database/database';
import { Prisma } from '../../src/generated/prisma/client';
import { emptyDatabase, type FreshDatabase, freshDatabase, onServer } from '../support/databases';
import { type PgBouncer, startPgBouncer } from './pgbouncer';

const NEEDED = 'cannot be used: it is behind a connection pooler. Add pgbouncer=true to DATABASE_URL';

let fresh: FreshDatabase;
let pooler: PgBouncer;
afterEach(async () => {
  await pooler.stop();
  await fresh.drop();
});

const through = (parameters: Record<string, string>) => {
  const url = new URL(pooler.url);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { kind: 'server' as const, url: url.toString(), poolSize: 10 };
};

test.each([
  ['refuses the settings of a session', []],
  ['drops the settings of a session', ['ignore_startup_parameters=options']],
])('without the parameter the start fails where the pooler %s', async (_how, settings) => {
  fresh = await freshDatabase('server');
  pooler = await startPgBouncer(fresh.url, settings);
  await expect(openDatabase(through({}))).rejects.toThrow(NEEDED);
});

test('it migrates an empty database, into the schema of the URL', async () => {
  fresh = await emptyDatabase('server');
  pooler = await startPgBouncer(fresh.url);
  const target = through({ pgbouncer: 'true', schema: 'Farm of Ann' });
  for (const start of [1, 2]) {
    const database = await openDatabase(target);
    await maintainStatusLog(database, null);
    const now = new Date('2026-11-20T12:00:00.123Z');
    await database.prisma.camera.create({
      data: { cameraId: `${start}`, friendlyName: 'x', createdAt: now, updatedAt: now },
    });
    const found = await database.json(
      'test',
      Prisma.sql`select json_build_array(count(*), min(created_at), current_setting('statement_timeout'),
        (select count(*) from information_schema.tables where table_schema = 'public')) as value from cameras`,
    );
    expect(found).toEqual([start, '2026-11-20T12:00:00.123+00:00', '3s', 0]);
    await database.close();
  }
});

test('two gateways at full load: every request succeeds, every row is there once', async () => {
  fresh = await freshDatabase('server');
  await onServer(fresh.url, `alter database ${new URL(fresh.url).pathname.slice(1)} set timezone = 'Asia/Tokyo'`);
  pooler = await startPgBouncer(fresh.url);
  const config = {
    ...readConfig({ LOG_LEVEL: 'silent', REQUEST_TIMEOUT_MS: '30000' }),
    database: through({ pgbouncer: 'true' }),
  };
  const replicas = [await createApp(config), await createApp(config)];
  try {
    const failures: string[] = [];
    const send = async (n: number, url: string, payload?: object, key?: string) => {
      const answer = await (replicas[n % 2] as App).inject({
        ...{ method: payload ? 'POST' : 'GET', url, payload },
        headers: key === undefined ? {} : { 'idempotency-key': key },
      });
      if (answer.statusCode >= 300 || answer.json().errors) failures.push(`${url} ${answer.payload}`);
      return answer.json();
    };
    const { data } = await send(0, '/graphql', {
      query: `mutation { createPrinter(input: { name: "Prusa" }) { id }
        createMaterial(input: { name: "PLA", densityGPerCm3: "1.24" }) { id } }`,
    });
    const spool = await send(0, '/graphql', {
      query: `mutation ($material: ID!) { createSpool(input: { spoolSerial: "S", filamentDiameterMm: "1.75",
        weightTotalGrams: "1000", materialId: $material }) { id } }`,
      variables: { material: data.createMaterial.id },
    });
    const job = {
      ...{ PrinterId: data.createPrinter.id, SpoolId: spool.data.createSpool.id, PrintName: 'Benchy' },
      ...{ GcodeFilePath: 'x', MmExtruded: 1000, DataSource: 'Manual', AutoDeriveGrams: true },
    };
    const cameras = Array.from({ length: 20 }, (_, n) => `camera ${n}`);
    await Promise.all(cameras.map((camera_id, n) => send(n, '/cameras', { camera_id, friendly_name: 'x' })));
    const record = {
      query: `mutation ($id: ID!) { recordCameraStatuses(input: [{ cameraId: $id, online: true }]) { id } }`,
    };
    const ROUNDS = 60;
    await Promise.all(
      Array.from({ length: ROUNDS }, (_, n) => {
        const id = cameras[n % cameras.length];
        return Promise.all([
          send(n, '/graphql', { ...record, variables: { id } }),
          send(n, '/graphql', { ...record, variables: { id } }, randomUUID()),
          send(n, '/api/printjobs', job),
          send(n, '/api/printjobs', job, randomUUID()),
          send(n, `/api/printjobs?PageNumber=${n + 1}&PageSize=1`),
          send(n, `/cameras/${encodeURIComponent(id as string)}`),
          send(n, '/cameras'),
          send(n, '/readyz'),
        ]);
      }),
    );
    expect(failures).toEqual([]);
    const [first] = replicas as [App];
    expect(
      await first.database.json(
        'test',
        Prisma.sql`select json_build_array((select count(*) from cameras), (select count(*) from camera_status),
          (select count(*) from print_jobs), (select sum(jobs) from print_job_counts),
          (select count(*) from idempotency_keys), (select count(*) from cameras where abs(extract(epoch from now() - created_at)) > 600)
        ) as value`,
      ),
    ).toEqual([20, 2 * ROUNDS, 2 * ROUNDS, 2 * ROUNDS, 2 * ROUNDS, 0]);
  } finally {
    for (const replica of replicas) await replica.close();
  }
});
