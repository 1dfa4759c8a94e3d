// The process: how it starts, and that it keeps its data from start to start.
import { ask } from '../support/asking';
import { emptyDatabase } from '../support/databases';
import { runGateway } from '../support/running-gateway';

test('on an empty directory it says its URLs, and keeps its data; localhost is one listener', async () => {
  const empty = await emptyDatabase('embedded');
  const register = { camera_id: 'kept', friendly_name: 'Kept' };
  const first = await runGateway({ DATABASE_URL: empty.url, HOST: 'localhost' });
  expect(first.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  await expect(fetch(first.url.replace('127.0.0.1', '[::1]'))).rejects.toThrow('fetch failed');
  for (const path of ['/', '/graphql', '/cameras', '/api/printjobs']) {
    expect(first.output).toMatch(new RegExp(`${first.url}${path}\\s`));
    expect(await fetch(first.url + path, { headers: { accept: 'text/html, */*' } })).toMatchObject({ status: 200 });
  }
  for (const path of ['/healthz', '/readyz']) expect(await ask(first, path)).toMatchObject({ status: 200 });
  expect(await ask(first, '/cameras', register)).toMatchObject({ status: 201 });
  expect({ code: await first.stop('SIGTERM'), output: first.output }).toMatchObject({ code: 0 });

  const second = await runGateway({ DATABASE_URL: empty.url });
  expect((await ask(second, '/cameras/kept')).body).toMatchObject({ camera: { camera_id: 'kept' } });
  // npm and terminals send copies of one signal.
  process.kill(second.pid, 'SIGTERM');
  expect(await second.stop('SIGINT')).toBe(0);
  await empty.drop();
});
