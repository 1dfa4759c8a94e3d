// A role that may have fewer connections than the pool: a statement waits for one of the existing connections.
import { randomUUID } from 'node:crypto';
import { type Database, openDatabase } from '../../src/database/database';
import { DatabaseUnavailable } from '../../src/errors';
import { databaseUrl, emptyDatabase, type FreshDatabase, onServer } from '../support/databases';
import { PATIENT } from '../support/gateway';
import { until } from '../support/waiting';

const server = process.env['TEST_SERVER_URL'] as string;
const role = `gateway_role_${randomUUID().replaceAll('-', '')}`;
const limitTo = (connections: number) => onServer(server, `alter role ${role} connection limit ${connections}`);
const POOL_SIZE = 10;

let fresh: FreshDatabase;
let url: string;
const warnings: string[] = [];
let database: Database;
const opened = () =>
  // A busy machine must not make a statement fail.
  openDatabase(
    { kind: 'server', url, poolSize: POOL_SIZE },
    { reportState: (_, message) => warnings.push(message), statement: () => () => {} },
    PATIENT.budget,
  );

beforeAll(async () => {
  fresh = await emptyDatabase('server');
  const name = new URL(fresh.url).pathname.slice(1);
  await onServer(server, `create role ${role} login password 'secret' connection limit 3`);
  await onServer(server, `alter database ${name} owner to ${role}`);
  url = Object.assign(new URL(databaseUrl(server, name)), { username: role, password: 'secret' }).href;
  database = await opened();
});
afterAll(async () => {
  await database.close();
  await fresh.drop();
  await onServer(server, `drop role ${role}`);
});

const times = { createdAt: new Date(), updatedAt: new Date() };
/** Statements of every way at once. */
const work = () =>
  Promise.all(
    Array.from({ length: 20 }, (_, n) => [
      database.prisma.$queryRaw`select pg_sleep(0.01)::text`,
      database.models('test', ({ printer }) => printer.create({ data: { id: randomUUID(), name: `${n}`, ...times } })),
      database.transaction(({ models }) => models('test', ({ printer }) => printer.count())),
      database.ready(),
    ]).flat(),
  );

test('every statement succeeds with fewer connections, and one warning says what to do', async () => {
  for (let round = 0; round < 3; round += 1) await work();
  expect(database.pool()).toMatchObject({ waiting: 0 });
  await until('the gateway says what to do', () => warnings[0]);
  expect(warnings).toEqual([
    expect.stringMatching(
      /^The database gives the gateway only [123] of 10 connections, .+ or set DATABASE_POOL_SIZE to [123]\.$/,
    ),
  ]);
});

test('with a single connection the gateway still becomes ready', async () => {
  await database.close();
  await limitTo(1);
  database = await opened();
  await work();
});

test('without any connection, a statement and a start are refused with what to do', async () => {
  await limitTo(0);
  await onServer(server, `select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = '${role}'`);
  const refusal = () =>
    database.ping().then(
      () => '',
      (error: unknown) => (error instanceof DatabaseUnavailable ? error.message : ''),
    );
  await until('a statement is refused with what to do', refusal, (text) =>
    text.endsWith('or lower DATABASE_POOL_SIZE'),
  );
  await expect(opened()).rejects.toThrow('or lower DATABASE_POOL_SIZE.');
  await limitTo(3);
  await work();
});
