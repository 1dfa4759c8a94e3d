// `npm run seed` against a running gateway: the example farm, its cameras that go on reporting, and plain refusals.
import { newApiKey } from '../../src/auth/api-keys';
import { createClient } from '../../src/client/client';
import {
  CamerasDocument,
  DevicesDocument,
  FarmOverviewDocument,
  PrintJobsDocument,
} from '../../src/generated/operations';
import { type Child, startChild } from '../support/child-process';
import { freshDatabase } from '../support/databases';
import { freePort } from '../support/free-port';
import { CLI, type RunningGateway, runGateway } from '../support/running-gateway';
import { until } from '../support/waiting';

const started: { stop(): unknown }[] = [];
afterEach(async () => {
  for (const one of started.splice(0).reverse()) await one.stop();
});

async function start(env: Record<string, string> = {}): Promise<RunningGateway> {
  // The secrets of its machines need a key on a server.
  const gateway = await runGateway({ DEVICE_KEY: '0123456789abcdef'.repeat(4), ...env });
  started.push(gateway);
  return gateway;
}

/** Finds the gateway as `npm start` is told where to listen. */
function startSeed(url: string, args: string[], env: Record<string, string> = {}): Child {
  const { hostname, port } = new URL(url);
  const child = startChild(CLI, ['seed', ...args], { HOST: hostname, PORT: port, ...env });
  started.push({ stop: () => child.kill('SIGKILL') });
  return child;
}

async function seed(url: string, args: string[] = [], env?: Record<string, string>) {
  const child = startSeed(url, args, env);
  const code = await child.ended;
  return { code, output: child.output };
}

const overview = (url: string) => createClient({ url: `${url}/graphql` }).request(FarmOverviewDocument, { jobs: 1000 });

test('fills an empty farm with the past, then refuses, then adds only with --force', async () => {
  const { url } = await start();
  expect(await seed(url)).toMatchObject({ code: 0, output: expect.stringContaining('12 cameras with 1728') });
  const farm = await overview(url);
  expect(farm.cameras.totalCount).toBe(12);
  expect(farm.printers.totalCount).toBe(6);
  expect(farm.printJobs.totalCount).toBe(60);
  for (const { totalCount } of [farm.queued, farm.printing, farm.completed, farm.cancelled, farm.failed]) {
    expect(totalCount).toBeGreaterThan(0);
  }
  expect(farm.cameras.nodes.filter((camera) => camera.lastStatus?.online)).toHaveLength(10);
  expect(farm.printJobs.nodes.filter((job) => !(Number(job.gramsDerived) > 0))).toEqual([]);
  const times = JSON.stringify(farm).match(/\d{4}-\d\d-\d\dT[\d:.]+Z/g) ?? [];
  expect(times.length).toBeGreaterThan(100);
  expect(times.filter((time) => Date.parse(time) > Date.now())).toEqual([]);

  expect(await seed(url)).toMatchObject({ code: 1, output: expect.stringContaining('is not empty') });
  expect((await overview(url)).printJobs.totalCount).toBe(60);
  expect(await seed('http://nowhere:1', ['--force'], { GATEWAY_URL: `${url}/` })).toMatchObject({ code: 0 });
  const twice = await overview(url);
  expect([twice.printJobs.totalCount, twice.cameras.totalCount, twice.printers.totalCount]).toEqual([120, 12, 6]);
});

test('--live makes the farm, and its cameras report until SIGTERM or SIGINT', async () => {
  const { url } = await start();
  const client = createClient({ url: `${url}/graphql` });
  const latest = async () =>
    (await client.request(CamerasDocument)).cameras.nodes.map((camera) => camera.lastStatus?.id);
  const child = startSeed(url, ['--live=1']);
  await child.says('12 cameras report every 1 s');
  const first = await until(async () => (await latest())[0]);
  await until(async () => Number((await latest())[0]) > Number(first) + 12);
  expect((await latest()).length).toBe(12);
  child.kill('SIGTERM');
  expect(await child.ended).toBe(0);
  // A farm that has the cameras is not made again.
  const again = startSeed(url, ['--live']);
  await again.says('12 cameras report every 10 s');
  again.kill('SIGINT');
  expect(await again.ended).toBe(0);
  // Beside the 60 jobs of the farm there are those of its printers.
  expect((await overview(url)).printJobs.totalCount).toBeLessThan(120);
});

test('with --live four printers and a camera are connected, and what they do is recorded by itself', async () => {
  const { url } = await start();
  const client = createClient({ url: `${url}/graphql` });
  const child = startSeed(url, ['--live']);
  const states = async () => (await client.request(DevicesDocument)).devices.map(({ connection }) => connection.state);
  await until(async () => (await states()).join() === 'CONNECTED,CONNECTED,CONNECTED,CONNECTED,CONNECTED');
  await child.says('The camera bay-5-nozzle does not report: the gateway asks it each 30 s.');
  await until(async () => {
    const { cameras } = await client.request(CamerasDocument);
    return cameras.nodes.find(({ id }) => id === 'bay-5-nozzle')?.lastStatus?.resolution === '1080';
  });
  // The third printer has no spool.
  const namesFrom = async (dataSource: 'PRINTER_API' | 'MQTT') => {
    const { printJobs } = await client.request(PrintJobsDocument, { filter: { dataSource }, first: 100 });
    return printJobs.nodes.map(({ printName }) => printName);
  };
  await until(async () => {
    const names = [...(await namesFrom('PRINTER_API')), ...(await namesFrom('MQTT'))];
    return ['gear_0.2mm_PLA.gcode', 'corner_bracket.gcode', 'tool_holder'].every((name) => names.includes(name));
  });
  child.kill('SIGTERM');
  expect(await child.ended).toBe(0);
});

test('with --live the cameras report also where the printers cannot be added', async () => {
  const fresh = await freshDatabase('server');
  try {
    const gateway = await runGateway({ DATABASE_URL: fresh.url });
    started.push(gateway);
    const child = startSeed(gateway.url, ['--live']);
    await child.says('12 cameras report every 10 s, and 0 printers print');
    expect(child.output).toContain('The printers are left out: secret needs a key to be stored with: set DEVICE_KEY');
    child.kill('SIGTERM');
    expect(await child.ended).toBe(0);
    await gateway.stop();
  } finally {
    await fresh.drop();
  }
});

test('--live goes on when the gateway has been restarted', async () => {
  const fresh = await freshDatabase('server');
  const env = { DATABASE_URL: fresh.url, PORT: String(await freePort()) };
  try {
    const first = await start(env);
    const child = startSeed(first.url, ['--live=1']);
    await child.says('12 cameras report every 1 s');
    await first.stop();
    await child.says(`No gateway answers at ${first.url}: the cameras go on trying.`);
    const second = await start(env);
    await child.says('The gateway answers again.');
    child.kill('SIGTERM');
    expect(await child.ended).toBe(0);
    await second.stop();
  } finally {
    await fresh.drop();
  }
});

test('sends the key that the gateway asks for', async () => {
  const writer = newApiKey('writer', 'read+write');
  const reader = newApiKey('reader', 'read');
  const { url } = await start({ API_KEYS: `${writer.entry},${reader.entry}` });
  for (const [key, sentence] of [
    [
      '',
      `The gateway at ${url} asks for credentials: set GATEWAY_KEY to a key (the command key makes one) or a token.\n`,
    ],
    ['wrong', `The gateway at ${url} does not accept the key or token in GATEWAY_KEY.\n`],
    [reader.key, expect.stringMatching(/^The key or token in GATEWAY_KEY needs the scopes read and write.*\n$/)],
  ] as const) {
    expect(await seed(url, [], { GATEWAY_KEY: key })).toEqual({ code: 1, output: sentence });
  }
  expect(await seed(url, [], { GATEWAY_KEY: writer.key })).toMatchObject({ code: 0 });
});

test('says in words that no gateway answers, and which arguments there are', async () => {
  const nowhere = `http://127.0.0.1:${await freePort()}`;
  expect(await seed(nowhere)).toEqual({
    code: 1,
    output: expect.stringMatching(new RegExp(`^No gateway answers at ${nowhere}\\. Start it with "npm start"`)),
  });
  for (const argument of ['--alive', '--live=', '--live=0', '--live=x']) {
    const [name] = argument.split('=');
    expect(await seed(nowhere, [argument])).toEqual({
      code: 1,
      output: expect.stringMatching(new RegExp(`^error: .*${name}[\\s\\S]*With --help it shows how it is used`)),
    });
  }
});
