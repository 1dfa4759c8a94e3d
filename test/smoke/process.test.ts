// The built gateway as a process: it starts, answers at each of its doors, and ends with 0 when it is told to.
import { ask } from '../support/asking';
import { anyDatabase, freshDatabase } from '../support/databases';
import { runGateway } from '../support/running-gateway';

test('it starts, answers over REST and GraphQL, and ends with 0 at SIGTERM', async () => {
  const fresh = await freshDatabase(anyDatabase);
  const gateway = await runGateway({ DATABASE_URL: fresh.url });
  const registered = await ask(gateway, '/cameras', { camera_id: 'cam', friendly_name: 'Over the printer' });
  expect(registered).toMatchObject({ status: 201, body: { camera_id: 'cam' } });
  const read = await ask(gateway, '/graphql', { query: '{ camera(id: "cam") { friendlyName } }' });
  expect(read).toMatchObject({ status: 200, body: { data: { camera: { friendlyName: 'Over the printer' } } } });
  expect({ code: await gateway.stop('SIGTERM'), output: gateway.output }).toMatchObject({ code: 0 });
  await fresh.drop();
});
