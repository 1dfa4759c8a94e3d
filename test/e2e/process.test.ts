// The process with an empty directory: what it says, where it answers, and its end. That it keeps its data from start to start is
// in test/e2e/outages.test.ts.
import { ask } from '../support/asking';
import { emptyDatabase } from '../support/databases';
import { runGateway } from '../support/running-gateway';

test('on an empty directory it says its URLs and answers there; localhost is one listener; copies of a signal are one', async () => {
  const empty = await emptyDatabase('embedded');
  const camera = { camera_id: 'cam', friendly_name: 'Door' };
  const gateway = await runGateway({ DATABASE_URL: empty.url, HOST: 'localhost' });
  expect(gateway.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  await expect(fetch(gateway.url.replace('127.0.0.1', '[::1]'))).rejects.toThrow('fetch failed');
  for (const path of ['/', '/graphql', '/cameras', '/api/printjobs']) {
    expect(gateway.output).toMatch(new RegExp(`${gateway.url}${path}\\s`));
    expect(await fetch(gateway.url + path, { headers: { accept: 'text/html, */*' } })).toMatchObject({ status: 200 });
  }
  for (const path of ['/healthz', '/readyz']) expect(await ask(gateway, path)).toMatchObject({ status: 200 });
  expect(await ask(gateway, '/cameras', camera)).toMatchObject({ status: 201 });
  // npm and terminals send copies of one signal.
  process.kill(gateway.pid, 'SIGTERM');
  expect({ code: await gateway.stop('SIGINT'), output: gateway.output }).toMatchObject({ code: 0 });
  await empty.drop();
});
