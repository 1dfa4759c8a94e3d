// Roles of a server that own no table: the right that they lack is named, and work that needs no ownership is done.
import { createApp } from '../../src/app';
import { maintainStatusLog } from '../../src/cameras/status-log.maintenance';
import { openDatabase, openDriver } from '../../src/database/database';
import { emptyDatabase, type FreshDatabase, freshDatabase, onServer } from '../support/databases';
import { PATIENT } from '../support/gateway';

const ROLE = `no_owner_${process.pid}`;

let fresh: FreshDatabase;
const asRole = () => {
  const url = new URL(fresh.url);
  url.username = ROLE;
  return { kind: 'server' as const, url: url.toString(), poolSize: 2 };
};
afterEach(async () => {
  await onServer(fresh.url, `drop owned by ${ROLE}; drop role ${ROLE}`);
  await fresh.drop();
});

test('a role that may not make tables is refused on an empty database, in one sentence', async () => {
  fresh = await emptyDatabase('server');
  await onServer(fresh.url, `create role ${ROLE} login`);
  await expect(openDatabase(asRole())).rejects.toThrow(
    'The role of DATABASE_URL may not migrate the database: permission denied for schema public.',
  );
});

test('a role that may only write rows deletes expired keys, and learns why it makes no partitions', async () => {
  fresh = await freshDatabase('server');
  await onServer(
    fresh.url,
    `create role ${ROLE} login; grant select, insert, update, delete on all tables in schema public to ${ROLE};
     insert into idempotency_keys values ('', 'old', 'x', '{}', now() - interval '25 hours'), ('', 'new', 'x', '{}', now())`,
  );
  const driver = await openDriver(asRole());
  const inTwoMonths = new Date(Date.now() + 60 * 24 * 60 * 60 * 1000);
  await expect(maintainStatusLog(driver, null, inTwoMonths)).rejects.toThrow(
    'Partitions of camera_status are made and dropped by its owner alone, which this role is not',
  );
  await driver.close();
  // Now the maintenance of partitions fails at each start.
  await onServer(fresh.url, 'revoke execute on function maintain_status_log from public');
  const app = await createApp({ ...PATIENT, database: asRole() });
  const keys = await app.database.prisma.$queryRaw`select key from idempotency_keys`;
  await app.close();
  expect(keys).toEqual([{ key: 'new' }]);
});
