// Partitions of the status log are created and dropped while clients read and write, and no request fails.
import { type App, createApp } from '../../src/app';
import { maintainStatusLog } from '../../src/farm/cameras/status-log.maintenance';
import { freshDatabase } from '../support/databases';
import { PATIENT } from '../support/gateway';

const TRIES = 5;
/** A busy machine holds locks for longer. */
const MAX_TRIES_OF_A_STEP = 50;
const RECORD = 'mutation ($input: [CameraStatusInput!]!) { recordCameraStatuses(input: $input) { id } }';
const HISTORIES = '{ cameras { nodes { lastStatus { id } history { id } } } }';

/** Puts the log back to a time when no gateway has made partitions for weeks, and an old one is due to go. */
const DUE = `do $$
  declare
    monday timestamptz := date_trunc('week', now() at time zone 'UTC') at time zone 'UTC';
    name text;
  begin
    lock table cameras in share row exclusive mode;
    lock table only camera_status in access exclusive mode;
    for name in select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'camera_status'::regclass and c.relname not in ('camera_status_earlier', 'camera_status_now')
    loop
      execute format('drop table %I', name);
    end loop;
    drop table if exists camera_status_earlier;
    execute format('create table camera_status_earlier partition of camera_status for values from (minvalue) to (%L)',
      monday - interval '80 days');
    execute format('create table camera_status_old partition of camera_status for values from (%L) to (%L)',
      monday - interval '80 days', monday - interval '70 days');
    if to_regclass('camera_status_now') is null then
      execute format('create table camera_status_now partition of camera_status for values from (%L) to (%L)',
        monday - interval '70 days', monday + interval '14 days');
    end if;
    execute format('create table camera_status_later partition of camera_status for values from (%L) to (maxvalue)',
      monday + interval '14 days');
  end $$`;

test('partitions are created and dropped at each attempt', async () => {
  const fresh = await freshDatabase('server');
  const config = { ...PATIENT, database: fresh.target };
  const apps = [await createApp(config), await createApp(config), await createApp(config)];
  const [{ database }] = apps as [App];
  const ids = Array.from({ length: 8 }, (_, n) => `cam ${n}`);
  for (const id of ids) await post(apps[0] as App, '/cameras', { camera_id: id, friendly_name: 'c' });
  let isOver = false;
  let requests = 0;
  const client = async (request: (n: number) => Promise<void>) => {
    for (let n = 0; !isOver; n += 1) {
      await request(n);
      requests += 1;
    }
  };
  // A report of another program, which locks the cameras before the log for longer than the lock limit.
  const report = () =>
    database.prisma.$transaction(async (transaction) => {
      await transaction.$queryRaw`select count(*) from cameras`;
      await transaction.$queryRaw`select pg_sleep(0.3)::text`;
      await transaction.$queryRaw`select count(*) from camera_status join cameras using (camera_id)`;
    });
  const clients = apps.flatMap((app, replica) => {
    const record = (input: object[]) => post(app, '/graphql', { query: RECORD, variables: { input } });
    return [
      ...ids.map((cameraId) => client(() => record([{ cameraId, online: true }]))),
      client(() => record(ids.map((cameraId) => ({ cameraId, online: false })))),
      client(() => record([{ cameraId: 'cam 1', online: true, recordedAt: new Date(Date.now() - 60_000) }])),
      ...ids.map(() => client(() => post(app, '/graphql', { query: HISTORIES }))),
      client((n) => post(app, '/cameras', { camera_id: `${replica} ${n}`, friendly_name: 'c' })),
      client(report),
    ];
  });
  /** As the gateway does: a step whose wait for a lock has timed out is tried again later. */
  const maintain = async (): Promise<void> => {
    for (let tries = 0; ; tries += 1) {
      try {
        return void (await maintainStatusLog(database, 30));
      } catch (error) {
        if (!String(error).includes('lock timeout') || tries === MAX_TRIES_OF_A_STEP) throw error;
      }
    }
  };
  const states: object[] = [];
  const work = async () => {
    try {
      for (let n = 0; n < TRIES; n += 1) {
        await database.prisma.$executeRawUnsafe(DUE);
        await maintain();
        states.push(
          ...(await database.prisma.$queryRaw<object[]>`
            select to_regclass('camera_status_old') is null as dropped, count(*) >= 3 as made
            from camera_status_partitions() where name ~ '^camera_status_[0-9]{8}$' and "first" > now()`),
        );
      }
    } finally {
      isOver = true;
    }
  };
  try {
    await Promise.all([...clients, work()]);
  } finally {
    isOver = true;
    for (const app of apps) await app.close();
    await fresh.drop();
  }
  expect(states).toEqual(Array(TRIES).fill({ dropped: true, made: true }));
  expect(requests).toBeGreaterThan(TRIES * 10);
});

async function post(app: App, url: string, payload: object): Promise<void> {
  const { statusCode, payload: answer } = await app.inject({ method: 'POST', url, payload });
  if (statusCode >= 400 || answer.includes('"errors"')) throw new Error(`${statusCode} ${answer}`);
}
