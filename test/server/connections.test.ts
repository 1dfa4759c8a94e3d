// What is particular to a server: its address, its connections and what lies between.
import { type AddressInfo, createServer, type Server } from 'node:net';
import { readConfig } from '../../src/config';
import { type Database, openDatabase } from '../../src/database/database';
import { Prisma } from '../../src/generated/prisma/client';
import { emptyDatabase, type FreshDatabase, freshDatabase, onServer } from '../support/databases';

let fresh: FreshDatabase;
let url: URL;
beforeEach(async () => {
  fresh = await freshDatabase('server');
  url = new URL(fresh.url);
});
afterEach(() => fresh.drop());

const open = (poolSize = 2): Promise<Database> => openDatabase({ kind: 'server', url: url.toString(), poolSize });

test('one that cannot be reached is named, without the password', async () => {
  const closed = createServer();
  const port = await listen(closed);
  await new Promise((resolve) => closed.close(resolve));
  url.password = 'secret';
  for (const host of ['127.0.0.1', 'localhost']) {
    url.host = `${host}:${port}`;
    const failure: Error = await open().then(
      () => Promise.reject(new Error('It was opened.')),
      (error) => error,
    );
    expect(failure.message).toContain(`The database postgresql://${host}:${port}${url.pathname} cannot be used: `);
    expect(failure.message).toContain('no PostgreSQL server answers there');
    expect(failure.message).not.toContain('secret');
  }
});

test('a database that does not exist is named', async () => {
  url.pathname = '/absent';
  await expect(open()).rejects.toThrow('/absent cannot be used: the server has no database of this name');
});

test('a database that is read-only is refused in one sentence', async () => {
  await onServer(fresh.url, `alter database ${url.pathname.slice(1)} set default_transaction_read_only = on`);
  await expect(open()).rejects.toThrow(
    'cannot be used: it is read-only: a standby, or a primary that takes no writes now',
  );
});

test('a database in another encoding is refused in one sentence', async () => {
  const name = `${url.pathname.slice(1)}_ascii`;
  await onServer(
    fresh.url,
    `create database ${name} template template0 encoding 'SQL_ASCII' locale_provider libc locale 'C'`,
  );
  url.pathname = `/${name}`;
  try {
    await expect(open()).rejects.toThrow('cannot be used: its encoding is SQL_ASCII, but UTF8 is needed');
  } finally {
    await onServer(fresh.url, `drop database ${name}`);
  }
});

test("the URL's own options stay, but for those that every statement relies on", async () => {
  url.searchParams.set(
    'options',
    '-c statement_timeout=1234 -c TimeZone=Asia/Tokyo -c default_transaction_isolation=serializable',
  );
  const database = await open();
  expect(
    await database.json(
      'test',
      Prisma.sql`select json_build_array(current_setting('statement_timeout'),
      current_setting('TimeZone'), current_setting('transaction_isolation'), current_setting('application_name')) as value`,
    ),
  ).toEqual(['1234ms', 'UTC', 'read committed', 'print-farm-gateway']);
  await database.close();
});

test.each([
  [4500, '3s'],
  [600_000, '400s'],
])(
  'of the %d ms of a request a statement has six ninths, and the driver waits longer than that',
  async (ms, expected) => {
    const { budget } = readConfig({ REQUEST_TIMEOUT_MS: String(ms) });
    const database = await openDatabase({ kind: 'server', url: url.toString(), poolSize: 1 }, {}, budget);
    const settings = Prisma.sql`select json_build_array(current_setting('statement_timeout')) as value`;
    expect(await database.json('test', settings)).toEqual([expected]);
    await database.close();
    expect(budget.silenceMs).toBeGreaterThan(budget.statementMs);
    expect(budget.requestMs).toBeGreaterThan(budget.silenceMs);
  },
);

test("a schema named in the URL, as Prisma's are, is made and used by both kinds of query", async () => {
  await fresh.drop();
  fresh = await emptyDatabase('server');
  url = new URL(fresh.url);
  url.searchParams.set('schema', 'Farm of Ann');
  const database = await open();
  await database.json(
    'test',
    Prisma.sql`insert into cameras (camera_id, friendly_name) values ('one', 'x')
    returning '{}'::json as value`,
  );
  expect(await database.prisma.camera.count()).toBe(1);
  const rows = await database.json(
    'test',
    Prisma.sql`select json_agg(distinct table_schema) as value
    from information_schema.tables where table_name in ('cameras', '_prisma_migrations')`,
  );
  expect(rows).toEqual(['Farm of Ann']);
  await database.close();
  await (await open()).close();
});

test('connections that the server ends are replaced, and no more are made than allowed', async () => {
  const database = await open(3);
  const pids = async () =>
    database.json<number[]>(
      'test',
      Prisma.sql`select json_agg(pid) as value from pg_stat_activity
      where datname = current_database() and application_name = 'print-farm-gateway'`,
    );
  await Promise.all(Array.from({ length: 20 }, () => database.prisma.$queryRaw`select pg_sleep(0.02)::text`));
  const before = await pids();
  expect(before).toHaveLength(3);
  await database.prisma.$queryRaw`select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  // The news of their ends are at the sockets now, and are read first.
  await new Promise((resolve) => setTimeout(resolve, 100));
  await Promise.all(Array.from({ length: 20 }, () => database.ping()));
  const after = await pids();
  expect(after.filter((pid) => before.includes(pid)).length).toBeLessThanOrEqual(1);
  await database.close();
});

test('a statement is parsed once on a connection, and only so many stay prepared', async () => {
  const database = await open(1);
  const prepared = () =>
    database.json<number>('test', Prisma.sql`select count(*)::int::text as value from pg_prepared_statements`);
  const first = await prepared();
  for (let time = 0; time < 10; time++) await database.json('test', Prisma.sql`select ${time}::int::text as value`);
  expect(await prepared()).toBe(first + 1);
  for (let text = 0; text < 600; text++)
    await database.json('test', Prisma.sql`select ${Prisma.raw(String(text))}::text as value`);
  expect(await prepared()).toBe(500);
  expect(await database.json('test', Prisma.sql`select '601'::text as value`)).toBe(601);
  await database.close();
});

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)));
}
