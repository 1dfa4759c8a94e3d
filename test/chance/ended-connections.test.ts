// The server ends connections while keyed writes start their transactions, as an operator or a failover does.
import { Client } from 'pg';
import { freshDatabase } from '../support/databases';
import { ask, expectPlainRefusal } from '../support/requests';
import { runGateway } from '../support/running-gateway';

const RECORD = { query: 'mutation { recordCameraStatuses(input: [{ cameraId: "a", online: true }]) { id } }' };

test('do not end the process', async () => {
  const fresh = await freshDatabase('server');
  const gateway = await runGateway({ DATABASE_URL: fresh.url });
  const other = new Client({ connectionString: fresh.url });
  await other.connect();
  await ask(gateway, '/cameras', { camera_id: 'a', friendly_name: 'x' });
  const end = performance.now() + 2000;
  let key = 0;
  const writing = Array.from({ length: 24 }, async () => {
    while (performance.now() < end) {
      key += 1;
      const answer = await ask(gateway, '/graphql', RECORD, 'POST', { 'idempotency-key': `${key}` });
      if (answer.body.errors) expectPlainRefusal(answer);
    }
  });
  while (performance.now() < end) {
    await other.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await Promise.all(writing);
  // Those that were told to end and have not yet.
  await other.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`,
  );
  await other.end();
  expect(await ask(gateway, '/cameras')).toMatchObject({ status: 200 });
  expect(await gateway.stop()).toBe(0);
  await fresh.drop();
});
