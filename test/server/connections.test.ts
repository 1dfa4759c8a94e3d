// Behaviour that only a server has: the options of its address, its connections, and what happens to them when it hangs.
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { openDatabase } from '../../src/database/database';
import { DatabaseUnavailable } from '../../src/errors';
import { Prisma } from '../../src/generated/prisma/client';
import { createTimeBudget, USUAL_BUDGET } from '../../src/values/time-budget';
import { type FreshDatabase, freshDatabase } from '../support/databases';

let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await freshDatabase('server');
});
afterAll(() => fresh.drop());

const open = (poolSize: number, budget = USUAL_BUDGET, options?: string) => {
  const url = new URL(fresh.url);
  if (options !== undefined) url.searchParams.set('options', options);
  return openDatabase({ kind: 'server', url: url.toString(), poolSize }, undefined, budget);
};

test.each([
  [undefined, 4500, '3s'],
  [undefined, 600_000, '400s'],
  // The options of the URL stay, except those that every statement relies on.
  ['-c statement_timeout=1234 -c TimeZone=Asia/Tokyo -c default_transaction_isolation=serializable', 4500, '1234ms'],
])('with the options %s and %d ms for a request a statement has %s', async (options, ms, statement) => {
  const database = await open(1, createTimeBudget(ms), options);
  const settings = ['statement_timeout', 'TimeZone', 'transaction_isolation', 'application_name'];
  const found = await database.json(
    'test',
    Prisma.sql`select json_agg(current_setting(name)) as value from unnest(${settings}::text[]) name`,
  );
  expect(found).toEqual([statement, 'UTC', 'read committed', 'print-farm-gateway']);
  await database.close();
});

test('connections that the server ends are replaced, within the limit of connections', async () => {
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

test('a statement is parsed once per connection, and only a limited number stays prepared', async () => {
  const database = await open(1);
  const prepared = () =>
    database.json<number>('test', Prisma.sql`select count(*)::int::text as value from pg_prepared_statements`);
  const first = await prepared();
  for (let time = 0; time < 10; time++) await database.json('test', Prisma.sql`select ${time}::int::text as value`);
  expect(await prepared()).toBe(first + 1);
  for (let text = 0; text < 510; text++)
    await database.json('test', Prisma.sql`select ${Prisma.raw(String(text))}::text as value`);
  expect(await prepared()).toBe(500);
  await database.close();
});

test('a connection whose rollback was not answered is not reused, so no later write is lost', async () => {
  const database = await open(1, createTimeBudget(1800));
  const beside = new Client({ connectionString: fresh.url });
  await beside.connect();
  let stopped = 0;
  try {
    const hanging = database.transaction(async ({ json }) => {
      stopped = await json<number>('test', Prisma.sql`select pg_backend_pid()::text as value`);
      process.kill(stopped, 'SIGSTOP');
      await json('test', Prisma.sql`select '1' as value`);
    });
    await expect(hanging).rejects.toBeInstanceOf(DatabaseUnavailable);
    process.kill(stopped, 'SIGCONT');
    stopped = 0;
    const times = { createdAt: new Date(), updatedAt: new Date() };
    await database.prisma.printer.create({ data: { id: randomUUID(), name: 'written after the hang', ...times } });
    const { rows } = await beside.query('select name from printers');
    expect(rows).toEqual([{ name: 'written after the hang' }]);
  } finally {
    if (stopped > 0) process.kill(stopped, 'SIGCONT');
    await beside.end();
    await database.close();
  }
});
