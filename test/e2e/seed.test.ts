// `npm run seed` against a gateway: the example farm, its cameras that keep reporting, and plain refusals.
import { join } from 'node:path';
import { createClient } from '../../src/client/client';
import { generateApiKey } from '../../src/doors/auth/api-keys';
import {
  CamerasDocument,
  DevicesDocument,
  FarmOverviewDocument,
  NotificationTargetsDocument,
  PrintJobsDocument,
  UpdateDeviceDocument,
} from '../../src/generated/operations';
import { type Child, startChild } from '../support/child-process';
import { type FreshDatabase, freshDatabase } from '../support/databases';
import { freePort } from '../support/free-port';
import { type ListeningGateway, listenInProcess } from '../support/listening-gateway';
import { CLI, ROOT } from '../support/running-gateway';
import { until } from '../support/waiting';

let gateway: ListeningGateway;
let fresh: FreshDatabase;
let child: Child | undefined;
beforeEach(async () => {
  fresh = await freshDatabase('server');
});
afterEach(async () => {
  child?.kill('SIGKILL');
  await gateway.stop();
  await fresh.drop();
});

async function start(env: Record<string, string>): Promise<void> {
  gateway = await listenInProcess({ DATABASE_URL: fresh.url, ...env });
}

/** Finds the gateway at the address that `npm start` listens on. */
function startSeed(args: string[], env: Record<string, string> = {}): Child {
  const { hostname: HOST, port: PORT } = new URL(gateway.url);
  child = startChild(CLI, ['seed', ...args], { HOST, PORT, ...env });
  return child;
}

async function seed(args: string[] = [], env?: Record<string, string>) {
  const one = startSeed(args, env);
  return { code: await one.ended, output: one.output };
}

const clientWith = (headers = {}) => createClient({ url: `${gateway.url}/graphql`, headers });

test('fills an empty farm with past data, with the key that the gateway requires, and adds only with --force', async () => {
  const writer = generateApiKey('writer', 'read+write');
  const reader = generateApiKey('reader', 'read');
  await start({ API_KEYS: `${writer.entry},${reader.entry}` });
  const refused = await seed([], { GATEWAY_KEY: reader.key });
  expect(refused).toEqual({
    code: 1,
    output: expect.stringMatching(
      /^The key or token in GATEWAY_KEY has too few rights: .* This command needs the scopes read and write.*\n$/,
    ),
  });

  const GATEWAY_KEY = writer.key;
  const overview = () => clientWith({ 'x-api-key': writer.key }).request(FarmOverviewDocument, { jobs: 1000 });
  const filled = await seed([], { GATEWAY_KEY });
  expect(filled).toMatchObject({ code: 0, output: expect.stringContaining('12 cameras with 1728') });
  expect(filled.output).toMatch(/The example has no receiver of notifications: .*devices/);
  const farm = await overview();
  expect([farm.cameras, farm.printers, farm.printJobs].map(({ totalCount }) => totalCount)).toEqual([12, 6, 60]);
  for (const { totalCount } of [farm.queued, farm.printing, farm.completed, farm.cancelled, farm.failed]) {
    expect(totalCount).toBeGreaterThan(0);
  }
  expect(farm.cameras.nodes.filter((camera) => camera.lastStatus?.online)).toHaveLength(10);
  expect(farm.printJobs.nodes.filter((job) => !(Number(job.gramsDerived) > 0))).toEqual([]);
  const times = JSON.stringify(farm).match(/\d{4}-\d\d-\d\dT[\d:.]+Z/g) ?? [];
  expect(times.length).toBeGreaterThan(100);
  expect(times.filter((time) => Date.parse(time) > Date.now())).toEqual([]);

  // A print without a film, one whose camera stopped, and one that takes longer than its camera can record.
  const films = await fetch(`${gateway.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': writer.key },
    body: JSON.stringify({
      query: `{ alerts { kind camera { id } filament { name } } places filaments { nodes { name stock { spools } } }
        spools { nodes { spoolSerial adjustedGrams reportedGrams lotNumber tags { uid } } } aside: alerts(silenced: true) { kind camera { id } } printJobs(first: 1000, filter: { status: [COMPLETED, FAILED, CANCELLED] }) {
        nodes { filming { cameraId share gaps { reason } } } } }`,
    }),
  });
  interface Films {
    alerts: { kind: string; camera: { id: string } | null; filament: { name: string } | null }[];
    aside: { kind: string; camera: { id: string } | null }[];
    places: string[];
    filaments: { nodes: { name: string; stock: { spools: number } }[] };
    spools: {
      nodes: {
        spoolSerial: string;
        adjustedGrams: string;
        reportedGrams: string;
        lotNumber: string | null;
        tags: { uid: string }[];
      }[];
    };
    printJobs: { nodes: { filming: { cameraId: string; share: number; gaps: { reason: string }[] }[] }[] };
  }
  const { data } = (await films.json()) as { data: Films };
  // Cameras watch since the farm is made: one print is filmed from its begin to its end, and one has a gap in the middle.
  const filmed = data.printJobs.nodes.flatMap(({ filming }) => filming);
  expect(filmed).toEqual([
    { cameraId: 'bay-2-front', share: expect.any(Number), gaps: [{ reason: 'NOT_RECORDING' }] },
    { cameraId: 'bay-1-front', share: 1, gaps: [] },
  ]);
  expect(Math.abs(Number(filmed[0]?.share) - 0.5)).toBeLessThan(0.5);
  expect(data.aside).toEqual([{ kind: 'CAMERA_LOST', camera: { id: 'overview-south' } }]);
  const ofFilms = data.alerts.filter(({ kind }) => kind.includes('FILM') && kind !== 'FILAMENT_UNKNOWN');
  expect(ofFilms.map(({ kind, camera }) => `${kind} ${camera?.id}`).sort()).toEqual([
    'FILM_ENDS_EARLY bay-6-front',
    'FILM_STOPPED bay-3-front',
    'NOT_FILMED bay-3-nozzle',
  ]);

  // A filament is low, one has several spools, and a weighing has found a loss.
  const low = data.alerts.filter(({ kind }) => kind === 'STOCK_LOW');
  expect(low.map(({ filament }) => filament?.name)).toEqual(['PLA Galaxy Black']);
  expect(data.filaments.nodes.map(({ name, stock }) => [name, stock.spools])).toContainEqual(['PLA+ White', 3]);
  expect(data.places).toEqual(['Dry box 1', 'Dry box 2', 'Shelf 1']);
  const [loss, ...others] = data.spools.nodes.filter(({ adjustedGrams }) => Number(adjustedGrams) !== 0);
  expect([loss?.spoolSerial, others]).toEqual(['TPU-RED-0019', []]);
  expect(Math.abs(Number(loss?.adjustedGrams) + 35)).toBeLessThan(1);
  // Programs that use Spoolman's API have linked tags and reported filament.
  const reported = data.spools.nodes.filter(({ reportedGrams }) => Number(reportedGrams) > 0);
  expect(reported).toEqual([
    expect.objectContaining({ spoolSerial: 'PLA-WHITE-0416', reportedGrams: '18.50', lotNumber: '25W38' }),
  ]);
  expect(data.spools.nodes.map(({ tags }) => tags.length).toSorted()).toEqual([...Array(14).fill(0), 1, 3]);

  const again = await seed([], { GATEWAY_KEY });
  expect(again).toMatchObject({ code: 1, output: expect.stringContaining('is not empty') });
  const byPrisma = startChild(join(ROOT, 'dist', 'prisma', 'seed.js'), [], { GATEWAY_URL: gateway.url, GATEWAY_KEY });
  expect([await byPrisma.ended, byPrisma.output]).toEqual([1, again.output]);
  expect((await overview()).printJobs.totalCount).toBe(60);
  expect(await seed(['--force'], { GATEWAY_KEY, GATEWAY_URL: `${gateway.url}/` })).toMatchObject({ code: 0 });
  const twice = await overview();
  expect([twice.cameras, twice.printers, twice.printJobs].map(({ totalCount }) => totalCount)).toEqual([12, 6, 120]);
});

test('with --live cameras report and printers print until a signal, also after the gateway was restarted', async () => {
  const PORT = String(await freePort());
  // The secrets of its machines need a key on a server.
  await start({ PORT, DEVICE_KEY: '0123456789abcdef'.repeat(4) });
  const client = clientWith();
  const live = startSeed(['--live']);
  const devices = async () => (await client.request(DevicesDocument)).devices;
  const connected = (count: number) =>
    until(`${count} devices are connected`, devices, (found) => {
      return found.filter(({ connection }) => connection.state === 'CONNECTED').length === count;
    });
  await connected(5);
  const TEST = 'This is a test of the notifications of the print farm.';
  await live.waitForOutput(`Notification received, signature correct: ${TEST}`);
  const targets = async () => (await client.request(NotificationTargetsDocument)).notificationTargets;
  expect(await targets()).toMatchObject([{ name: 'Receiver of the example', state: 'OK' }]);
  await live.waitForOutput('The camera bay-5-nozzle sends no status. The gateway polls it every 30 s.');
  const readCameras = async () => (await client.request(CamerasDocument)).cameras.nodes;
  await until('the camera bay-5-nozzle was asked', readCameras, (found) =>
    found.some(({ id, lastStatus }) => id === 'bay-5-nozzle' && lastStatus?.resolution === '1080'),
  );
  // The third printer has no spool.
  const printing = ['gear_0.2mm_PLA.gcode', 'corner_bracket.gcode', 'tool_holder'];
  const names = async () =>
    (await client.request(PrintJobsDocument, { first: 100 })).printJobs.nodes.map(({ printName }) => printName);
  await until('three printers have jobs', names, (found) => printing.every((name) => found.includes(name)));
  const filter = { status: ['PRINTING' as const] };
  const printersOfJobs = async () =>
    (await client.request(PrintJobsDocument, { first: 100, filter })).printJobs.nodes.map(
      ({ printer }) => printer?.name,
    );
  const atWork = await printersOfJobs();
  expect(atWork.length).toBeGreaterThan(2);
  expect(new Set(atWork).size).toBe(atWork.length);
  // Moonraker's Spoolman is this gateway, and its reports do not count beside its print.
  const readReports = async () => {
    const answer = await fetch(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        query: `{ devices { kind spoolman { isThisGateway } }
          spools { nodes { spoolSerial reportedGrams reportedUses { nodes { counts } } } } }`,
      }),
    });
    return (await answer.json()).data as {
      devices: { kind: string; spoolman: { isThisGateway: boolean | null } | null }[];
      spools: { nodes: { spoolSerial: string; reportedGrams: string; reportedUses: { nodes: object[] } }[] };
    };
  };
  await until('Moonraker has reported', readReports, (found) =>
    found.spools.nodes.some(
      ({ spoolSerial, reportedUses }) => spoolSerial === 'PETG-BLACK-0220' && reportedUses.nodes.length > 0,
    ),
  );
  const { devices: followed, spools } = await readReports();
  expect(followed.find(({ kind }) => kind === 'MOONRAKER')?.spoolman).toEqual({ isThisGateway: true });
  const sums = new Map(spools.nodes.map(({ spoolSerial, reportedGrams }) => [spoolSerial, Number(reportedGrams)]));
  expect([sums.get('PETG-BLACK-0220'), sums.get('PLA-WHITE-0416')]).toEqual([0, expect.closeTo(18.6, 0)]);
  live.kill('SIGTERM');
  expect(await live.ended).toBe(0);
  expect(await targets()).toEqual([]);

  // The devices are disabled, so nobody misses the machines, and their prints have ended.
  expect((await devices()).map(({ enabled }) => enabled)).toEqual(Array(5).fill(false));
  expect((await printersOfJobs()).sort()).toEqual(['Bay 3 · Prusa XL', 'Bay 6 · Ultimaker S5']);
  // A user's printer replaces one of the example.
  const voron = (await devices()).find(({ kind }) => kind === 'MOONRAKER')?.id as string;
  await client.request(UpdateDeviceDocument, { id: voron, input: { address: '10.0.0.9:7125' } });
  const next = startSeed(['--live']);
  await next.waitForOutput('12 cameras report every 10 s, and 3 printers print. Stop them with Ctrl-C.');
  await connected(4);
  const own = (await devices()).find(({ kind }) => kind === 'PRUSALINK')?.id as string;
  await client.request(UpdateDeviceDocument, { id: own, input: { address: '10.0.0.8' } });
  next.kill('SIGINT');
  expect(await next.ended).toBe(0);
  expect(
    (await devices()).map(({ kind, address, enabled }) => [kind, address.startsWith('127.'), enabled]).sort(),
  ).toEqual([
    ['BAMBU', true, false],
    ['MOONRAKER', false, false],
    ['OCTOPRINT', true, false],
    ['OPEN_GOPRO', true, false],
    ['PRUSALINK', false, true],
  ]);
  await gateway.stop();

  // A farm that has the cameras is not filled again.
  await start({ PORT });
  const jobs = async () => (await client.request(PrintJobsDocument, { first: 1 })).printJobs.totalCount;
  const before = await jobs();
  const withoutPrinters = startSeed(['--live=1']);
  await withoutPrinters.waitForOutput('12 cameras report every 1 s, and 0 printers print');
  expect(withoutPrinters.output).toContain(
    'The example has no simulated printers: secret cannot be stored, because this gateway has no encryption key',
  );
  const latest = async () => (await readCameras())[0]?.lastStatus?.id;
  const first = await latest();
  await until(`each camera has reported since the record ${first}`, latest, (id) => Number(id) > Number(first) + 12);
  await gateway.stop();
  await withoutPrinters.waitForOutput(`No gateway answers at ${gateway.url}. The cameras keep trying.`);
  await start({ PORT });
  await withoutPrinters.waitForOutput('The gateway answers again.');
  expect(await jobs()).toBe(before);
  withoutPrinters.kill('SIGINT');
  expect(await withoutPrinters.ended).toBe(0);
}, 300_000);
