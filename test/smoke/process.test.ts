// The built gateway as a process: it prints its URLs, answers at each of them, and ends with 0 when it is stopped.

import { anyDatabase, freshDatabase } from '../support/databases';
import { ask } from '../support/requests';
import { runGateway } from '../support/running-gateway';

test('it prints its URLs and answers there; localhost is one listener; copies of a signal count once, and it ends with 0', async () => {
  const fresh = await freshDatabase(anyDatabase);
  const gateway = await runGateway({ DATABASE_URL: fresh.url, HOST: 'localhost' });
  expect(gateway.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  await expect(fetch(gateway.url.replace('127.0.0.1', '[::1]'))).rejects.toThrow('fetch failed');
  for (const path of ['/', '/graphql', '/cameras', '/api/printjobs']) {
    expect(gateway.output).toMatch(new RegExp(`${gateway.url}${path}\\s`));
    expect(await fetch(gateway.url + path, { headers: { accept: 'text/html, */*' } })).toMatchObject({ status: 200 });
  }
  for (const path of ['/healthz', '/readyz']) expect(await ask(gateway, path)).toMatchObject({ status: 200 });
  const registered = await ask(gateway, '/cameras', { camera_id: 'cam', friendly_name: 'Over the printer' });
  expect(registered).toMatchObject({ status: 201, body: { camera_id: 'cam' } });
  const read = await ask(gateway, '/graphql', { query: '{ camera(id: "cam") { friendlyName } }' });
  expect(read).toMatchObject({ status: 200, body: { data: { camera: { friendlyName: 'Over the printer' } } } });
  // npm and terminals send copies of one signal.
  process.kill(gateway.pid, 'SIGTERM');
  expect({ code: await gateway.stop('SIGINT'), output: gateway.output }).toMatchObject({ code: 0 });
  // The database has its tables already, so there was nothing to create or to migrate.
  expect(gateway.output).toMatch(/^Starting the gateway …\nPrint Farm Gateway is ready:\n/);
  await fresh.drop();
});
