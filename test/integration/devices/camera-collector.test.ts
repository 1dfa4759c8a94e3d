// The collector with fake cameras and a real database: each poll becomes a status record, as long as the lease is held.
import { randomUUID } from 'node:crypto';
import { type Database, openDatabase } from '../../../src/database/database';
import type { CameraReading } from '../../../src/devices/adapter';
import type { Collector, CollectorParts } from '../../../src/devices/collector/collector';
import { connectGoPro, GOPRO_LIMITS } from '../../../src/devices/gopro/connection';
import { FakeGoPro } from '../../../src/devices/gopro/fake';
import { KINDS } from '../../../src/devices/kinds';
import type { Limits } from '../../../src/devices/limits';
import { Unavailable } from '../../../src/errors';
import { farmOn, NO_SETTINGS } from '../../../src/farm';
import { PrinterStateStore } from '../../../src/observed-prints/printer-state.store';
import { cameraRecorderOn, collectorOn } from '../../support/collecting';
import { freshDatabase } from '../../support/databases';
import { PATIENT } from '../../support/gateway';
import { until } from '../../support/waiting';

let database: Database;
const collectors: Collector[] = [];
const fakes: FakeGoPro[] = [];

beforeAll(async () => {
  database = await openDatabase((await freshDatabase('embedded')).target, {}, PATIENT.budget);
});
afterEach(async () => {
  for (const one of collectors.splice(0)) await one.close();
  for (const one of fakes.splice(0)) await one.close();
  await database.prisma.device.deleteMany();
});
afterAll(() => database.close());

const { OPEN_GOPRO } = KINDS;
const quickly = (limits: Partial<Limits> = {}, silentAfterMs = OPEN_GOPRO.silentAfterMs) => ({
  OPEN_GOPRO: {
    ...OPEN_GOPRO,
    silentAfterMs,
    connect: ((target, listener, network) =>
      connectGoPro(target, listener, network, { ...GOPRO_LIMITS, pollMs: 20, ...limits })) as typeof OPEN_GOPRO.connect,
  },
});

function collect(parts: Partial<CollectorParts> = {}): Collector {
  const collector = collectorOn(database, { kinds: quickly(), ...parts });
  collectors.push(collector);
  collector.start();
  return collector;
}

async function fake(secret: string | null = null): Promise<FakeGoPro> {
  const camera = new FakeGoPro({ secret });
  await camera.listen(0);
  fakes.push(camera);
  return camera;
}

const times = { createdAt: new Date(), updatedAt: new Date() };

async function cameraOf(port: number): Promise<{ cameraId: string; id: string }> {
  const [id, cameraId] = [randomUUID(), randomUUID()];
  await database.prisma.camera.create({ data: { cameraId, friendlyName: 'Bay 1', ...times } });
  await database.prisma.device.create({
    data: { id, kind: 'OPEN_GOPRO', cameraId, address: `127.0.0.1:${port}`, state: 'CONNECTING', ...times },
  });
  return { cameraId, id };
}

const deviceOf = (id: string) => database.prisma.device.findUniqueOrThrow({ where: { id } });
const recordsOf = (cameraId: string) =>
  database.prisma.cameraStatus.findMany({ where: { cameraId }, orderBy: [{ recordedAt: 'asc' }, { id: 'asc' }] });
const latestOf = async (cameraId: string) =>
  (await farmOn(database, NO_SETTINGS).cameras.existing(cameraId)).lastStatus;
/** The changes that watchers of the log are sent. */
const changesOf = (cameraId: string) =>
  database.prisma.$queryRaw<{ record_id: bigint }[]>`
    select record_id from changes where entity = ${cameraId} and record_id is not null`;

test('each poll is a record, also where nothing is new', async () => {
  const camera = await fake();
  const { cameraId, id } = await cameraOf(camera.port);
  const collector = collect();
  await until(async () => (await recordsOf(cameraId)).length >= 3);
  expect((await deviceOf(id)).state).toBe('CONNECTED');
  const [first, second] = await recordsOf(cameraId);
  expect(first).toMatchObject({
    ...{ batteryPct: 100, rawBatteryPct: 100, videoRemainingSec: 28_800, recordingState: 'idle', mode: 'video' },
    ...{ resolution: '1080', fps: 30, online: true },
  });
  expect(second?.recordedAt.getTime()).toBeGreaterThan(first?.recordedAt.getTime() as number);
  camera.print.begin();
  await until(async () => (await latestOf(cameraId))?.recordingState === 'recording');
  expect(collector.figures()).toMatchObject({
    devices: [{ kind: 'OPEN_GOPRO', state: 'CONNECTED' }],
    decisions: { STATUS: expect.any(Number) },
  });
});

test('a record is told to those who watch, and counts for the health of the camera', async () => {
  const camera = await fake();
  const { cameraId } = await cameraOf(camera.port);
  const farm = farmOn(database, NO_SETTINGS);
  const collector = collect({ kinds: quickly({ pollMs: 60_000 }) });
  await until(async () => (await latestOf(cameraId)) !== null);
  await collector.close();
  const [record] = await recordsOf(cameraId);
  expect(await changesOf(cameraId)).toEqual([{ record_id: record?.id }]);
  const now = new Date().toISOString();
  expect(await farm.cameras.countByLiveness(now)).toMatchObject({
    LIVE: expect.any(Number),
    NEVER_SEEN: 0,
    OFFLINE: 0,
  });
});

const reading = (members: Partial<CameraReading> = {}): CameraReading => ({
  ...{ kind: 'STATUS', at: '2026-11-20T08:00:00.000Z', batteryPct: 50, rawBatteryPct: 50, videoRemainingSec: 600 },
  ...{ recordingState: 'idle', mode: 'video', resolution: '4K', fps: 30, online: true },
  ...members,
});
const recent = (secondsAgo: number) => reading({ at: new Date(Date.now() - secondsAgo * 1000).toISOString() });
const moment = { now: new Date().toISOString(), end: Number.POSITIVE_INFINITY, newId: randomUUID };

test('without the lease nothing is written, whoever has it now', async () => {
  const { cameraId, id } = await cameraOf(1);
  const recorder = cameraRecorderOn(database);
  const lease = { deviceId: id, holder: 'this', number: '1' };
  const hold = (members: object) => database.prisma.device.update({ where: { id }, data: members });
  const heldUntil = new Date(Date.now() + 30_000);
  await hold({ holder: 'this', heldUntil, leaseNumber: 1 });
  expect(await recorder.record(lease, cameraId, [recent(30)], moment)).toBe('DONE');
  const before = [await recordsOf(cameraId), await changesOf(cameraId), await latestOf(cameraId)];
  for (const lost of [
    { holder: 'other', heldUntil, leaseNumber: 2 },
    // Lost and taken back: what was heard before is not written.
    { holder: 'this', heldUntil, leaseNumber: 3 },
    { holder: 'this', heldUntil: new Date(Date.now() - 1), leaseNumber: 1 },
    { holder: null, heldUntil: null, leaseNumber: 1 },
  ]) {
    await hold(lost);
    expect(await recorder.record(lease, cameraId, [recent(20), recent(10)], moment)).toBe('NOT_HELD');
  }
  await database.prisma.device.delete({ where: { id } });
  expect(await recorder.record(lease, cameraId, [recent(20)], moment)).toBe('NOT_HELD');
  expect([await recordsOf(cameraId), await changesOf(cameraId), await latestOf(cameraId)]).toEqual(before);
});

test('a camera that was removed takes no record', async () => {
  const { cameraId, id } = await cameraOf(1);
  await farmOn(database, NO_SETTINGS).cameras.remove(cameraId, moment);
  const lease = { deviceId: id, holder: 'this', number: '1' };
  expect(await cameraRecorderOn(database).record(lease, cameraId, [recent(1)], moment)).toBe('NOT_HELD');
});

test('polls that come while the database is away are written later, with their own times', async () => {
  const camera = await fake();
  const { cameraId } = await cameraOf(camera.port);
  const recorder = cameraRecorderOn(database);
  const tried: CameraReading[][] = [];
  const record: typeof recorder.record = async (lease, id, readings, given) => {
    tried.push([...readings]);
    if (tried.length === 1) {
      // It was committed, and the answer was lost: written again, it is the same record.
      await recorder.record(lease, id, readings, given);
      throw new Unavailable('The database does not answer');
    }
    return recorder.record(lease, id, readings, given);
  };
  collect({ cameras: { record } as typeof recorder });
  await until(() => tried.length >= 3);
  await until(async () => (await recordsOf(cameraId)).length >= tried.slice(0, 3).flat().length - 1);
  expect(tried[1]).toEqual(tried[0]);
  // What was heard meanwhile is one write.
  expect(tried[2]?.length).toBeGreaterThan(1);
  const [written, heard] = [await recordsOf(cameraId), tried.flat().map(({ at }) => at)];
  const instants = written.map(({ recordedAt }) => recordedAt.toISOString());
  expect(instants.filter((at) => at === heard[0])).toHaveLength(1);
  expect(instants).toEqual(expect.arrayContaining(tried[2]?.map(({ at }) => at) as string[]));
});

test('a camera that sleeps is offline as a device; nothing is written of it, and it goes on when it wakes', async () => {
  const camera = await fake();
  const { cameraId, id } = await cameraOf(camera.port);
  collect({ kinds: quickly({ answerMs: 100, connectMs: 200 }, 500) });
  await until(async () => (await recordsOf(cameraId)).length >= 1);
  camera.silence(true);
  await until(async () => (await deviceOf(id)).state === 'OFFLINE');
  const asleep = await recordsOf(cameraId);
  expect(asleep.filter(({ online }) => !online)).toEqual([]);
  camera.silence(false);
  await until(async () => (await recordsOf(cameraId)).length > asleep.length);
  await until(async () => (await deviceOf(id)).state === 'CONNECTED');
});

test('a refused password is told once, and not tried again', async () => {
  const camera = await fake('right');
  const { cameraId, id } = await cameraOf(camera.port);
  collect({ secretOf: () => 'wrong' });
  await until(async () => (await deviceOf(id)).state === 'REFUSED');
  expect((await deviceOf(id)).fault).toBe('CREDENTIALS_REFUSED');
  expect(camera.asked.length).toBeLessThanOrEqual(2);
  expect(await recordsOf(cameraId)).toEqual([]);
});

async function printingJob(printerId: string): Promise<void> {
  const [materialId, spoolId] = [randomUUID(), randomUUID()];
  const { prisma } = database;
  await prisma.material.create({ data: { id: materialId, name: 'PLA', densityGPerCm3: '1.24' } });
  await prisma.spool.create({
    data: {
      ...{ id: spoolId, spoolSerial: spoolId, filamentDiameterMm: '1.75', weightTotalGrams: '1000' },
      ...{ purchasePrice: '20', materialId, ...times },
    },
  });
  await prisma.printJob.create({
    data: {
      ...{ id: randomUUID(), printerId, spoolId, printName: 'Benchy', gcodeFilePath: 'benchy.gcode' },
      ...{ mmExtruded: '1', gramsDerived: '1', costPerPrint: '1', status: 'Printing', dataSource: 'Manual' },
      ...{ filamentDiameterAtPrintMm: '1.75', materialDensityAtPrint: '1.24', ...times },
    },
  });
}

test('it is asked more often while the printer that it watches prints', async () => {
  const camera = await fake();
  const { cameraId } = await cameraOf(camera.port);
  const printerId = randomUUID();
  const { prisma } = database;
  const states = new PrinterStateStore(database);
  const asked = () => states.isWatchedPrinting(cameraId);
  expect([await asked(), await states.isWatchedPrinting('nobody')]).toEqual([false, false]);
  await prisma.printer.create({ data: { id: printerId, name: 'Voron', ...times } });
  await prisma.camera.update({ where: { cameraId }, data: { printerId } });
  expect(await asked()).toBe(false);
  await printingJob(printerId);
  expect(await asked()).toBe(true);
  // What a machine tells counts more than a job that waits for its outcome.
  await prisma.printerState.create({ data: { printerId, activity: 'IDLE', heardAt: new Date() } });
  expect(await asked()).toBe(false);
  for (const [activity, isPrinting] of [
    ['PREPARING', true],
    ['PRINTING', true],
    ['PAUSED', true],
    ['FINISHED', false],
    ['OFFLINE', false],
  ] as const) {
    await prisma.printerState.update({ where: { printerId }, data: { activity } });
    expect([activity, await asked()]).toEqual([activity, isPrinting]);
  }
  await prisma.printerState.update({ where: { printerId }, data: { activity: 'PRINTING' } });
  collect({ kinds: quickly({ pollMs: 60_000, pollPrintingMs: 20 }) });
  await until(async () => (await recordsOf(cameraId)).length >= 3);
});
