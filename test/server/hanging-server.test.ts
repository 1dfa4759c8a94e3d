// A server that hangs in the middle of a transaction and goes on later: no write that is acknowledged after it is lost.
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { openDatabase } from '../../src/database/database';
import { DatabaseUnavailable } from '../../src/errors';
import { Prisma } from '../../src/generated/prisma/client';
import { timeBudget } from '../../src/values/time-budget';
import { freshDatabase } from '../support/databases';

test('a connection whose rollback was not answered is not used again', async () => {
  const fresh = await freshDatabase('server');
  if (fresh.target.kind !== 'server') throw new Error('a server is needed');
  const database = await openDatabase({ ...fresh.target, poolSize: 1 }, {}, timeBudget(1800));
  const beside = new Client({ connectionString: fresh.target.url });
  await beside.connect();
  const add = (name: string) =>
    database.prisma.printer.create({ data: { id: randomUUID(), name, createdAt: new Date(), updatedAt: new Date() } });
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
    await add('written after the hang');
    const { rows } = await beside.query('select name from printers');
    expect(rows).toEqual([{ name: 'written after the hang' }]);
  } finally {
    if (stopped > 0) process.kill(stopped, 'SIGCONT');
    await beside.end();
    await database.close();
    await fresh.drop();
  }
});
