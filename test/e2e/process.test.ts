// The process: how it starts, where its data stays, and how it ends.
import fs from 'node:fs';
import { describeOnDatabases, emptyDatabase, type FreshDatabase, freshDatabase } from '../support/databases';
import { freePort } from '../support/free-port';
import { type RunningGateway, runGateway, startGatewayProcess } from '../support/running-gateway';

const started: RunningGateway[] = [];
const cleanUp: (() => unknown)[] = [];

async function start(env: Record<string, string>, cwd?: string): Promise<RunningGateway> {
  const gateway = await runGateway(env, cwd);
  started.push(gateway);
  return gateway;
}

async function database(made: Promise<FreshDatabase>): Promise<FreshDatabase> {
  const fresh = await made;
  cleanUp.push(() => fresh.drop());
  return fresh;
}

/** For a test that does without a database's content: a server's is opened soonest. */
const anyDatabase = async () => ({ DATABASE_URL: (await database(freshDatabase('server'))).url });

afterEach(async () => {
  // Resolves at once for a process that has ended already.
  await Promise.all(started.splice(0).map((gateway) => gateway.stop('SIGKILL')));
  for (const clean of cleanUp.splice(0).reverse()) await clean();
});

/** Of a gateway with tokens: the provider signs those for other services too. */
const JWT_JWKS_URL = 'http://127.0.0.1:1/keys';
const WARNING = 'tokens that the provider made for other services are accepted too: set JWT_AUDIENCE';

test('localhost is one listener, with the bounds of connections; tokens without an audience are told of', async () => {
  const { url, output } = await start({ ...(await anyDatabase()), HOST: 'localhost', JWT_JWKS_URL });
  expect(output).toContain(WARNING);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  await expect(fetch(url.replace('127.0.0.1', '[::1]'))).rejects.toThrow('fetch failed');
});

async function call(gateway: RunningGateway, method: string, path: string, body?: unknown) {
  const response = await fetch(gateway.url + path, {
    method,
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  return { request: { method, path, body }, status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

const register = (gateway: RunningGateway, id: string) =>
  call(gateway, 'POST', '/cameras', { camera_id: id, friendly_name: `Camera ${id}` });

async function cameraIds(gateway: RunningGateway): Promise<string[]> {
  const answer = await call(gateway, 'GET', '/cameras');
  expect(answer).toMatchObject({ status: 200 });
  return answer.body.map((item: { camera_id: string }) => item.camera_id);
}

describeOnDatabases('a process', (kind) => {
  test('starts on an empty database, says its URLs, ends with 0 at SIGTERM and keeps its data', async () => {
    const { url } = await database(emptyDatabase(kind));
    const first = await start({ DATABASE_URL: url });
    for (const path of ['/', '/graphql', '/cameras', '/api/printjobs']) {
      expect(first.output).toMatch(new RegExp(`${first.url}${path}\\s`));
      expect(await fetch(first.url + path, { headers: { accept: 'text/html, */*' } })).toMatchObject({ status: 200 });
    }
    for (const path of ['/healthz', '/readyz']) expect(await call(first, 'GET', path)).toMatchObject({ status: 200 });
    expect(await register(first, 'kept')).toMatchObject({ status: 201 });
    expect(first.output).not.toContain(WARNING);
    expect({ code: await first.stop(), output: first.output }).toMatchObject({ code: 0 });

    const second = await start({ DATABASE_URL: url });
    expect(await cameraIds(second)).toEqual(['kept']);
    expect(await second.stop('SIGINT')).toBe(0);
  });
});

test('two processes that start at once on an empty server database serve the same farm', async () => {
  const { url } = await database(emptyDatabase('server'));
  const [one, other] = (await Promise.all([start({ DATABASE_URL: url }), start({ DATABASE_URL: url })])) as [
    RunningGateway,
    RunningGateway,
  ];
  expect(await register(one, 'a')).toMatchObject({ status: 201 });
  expect(await register(other, 'b')).toMatchObject({ status: 201 });
  expect(await register(other, 'a')).toMatchObject({ status: 409 });
  expect(await cameraIds(one)).toEqual(['a', 'b']);
  expect(await cameraIds(other)).toEqual(['a', 'b']);
});

test('with AUTH=none, said in words, it listens to everybody; with memory: it keeps nothing', async () => {
  const gateway = await start({ DATABASE_URL: 'memory:', HOST: '0.0.0.0', AUTH: 'none' });
  const { port } = new URL(gateway.url);
  expect(await cameraIds({ ...gateway, url: `http://127.0.0.1:${port}` })).toEqual([]);
});

test('tokens that must have an audience are not told of', async () => {
  const { output } = await start({ ...(await anyDatabase()), JWT_JWKS_URL, JWT_AUDIENCE: 'farm' });
  expect(output).not.toContain(WARNING);
});

test('a log that cannot be written, as on a full disk, ends no process and keeps no request waiting', async () => {
  const port = await freePort();
  const child = startGatewayProcess(
    { ...(await anyDatabase()), PORT: String(port), LOG_LEVEL: 'info' },
    undefined,
    fs.openSync('/dev/full', 'w'),
  );
  cleanUp.push(() => child.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}/cameras`;
  const answers = () => fetch(url, { signal: AbortSignal.timeout(5000) }).then(({ status }) => status);
  for (const end = Date.now() + 30_000; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
    if ((await answers().catch(() => 0)) === 200) break;
    if (Date.now() > end) throw new Error(`It does not get ready:\n${child.output}`);
  }
  for (let n = 0; n < 100; n += 1) expect(await answers()).toBe(200);
  // Longer than lines wait to be written.
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await answers()).toBe(200);
  child.kill('SIGTERM');
  expect(await child.ended).toBe(0);
});
