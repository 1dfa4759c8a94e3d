// Rows from a time when a clock was ahead, a clock that is set while a collector runs, and leases whose holder is gone.
import { randomUUID } from 'node:crypto';
import type { Database } from '../../../src/database/database';
import { FakeMoonraker } from '../../../src/demo/machines/moonraker';
import { DeviceStore } from '../../../src/farm/devices/device.store';
import type { Collector } from '../../../src/machines/collector/collector';
import { HeldDeviceStore } from '../../../src/machines/collector/held-device.store';
import { createFarm, NO_SETTINGS } from '../../../src/resolvers';
import { createCollector, readLease, setLease } from '../../support/collectors';
import { provideDatabase } from '../../support/gateway';
import { has, is, until } from '../../support/waiting';

const MATERIAL = randomUUID();
const times = { createdAt: new Date(), updatedAt: new Date() };

const opened = provideDatabase();
let database: Database;
const open: { close(): Promise<unknown> }[] = [];

beforeAll(async () => {
  database = opened();
  await database.prisma.material.create({ data: { id: MATERIAL, name: 'PLA', densityGPerCm3: '1.24' } });
});
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
  await database.prisma.device.deleteMany();
});

function collect(): Collector {
  const collector = createCollector(database);
  open.push(collector);
  collector.start();
  return collector;
}

async function fake(): Promise<FakeMoonraker> {
  const machine = new FakeMoonraker({ script: { seconds: 100, mm: 1000 } });
  await machine.listen(0);
  open.push(machine);
  return machine;
}

async function deviceFor(port: number, members: object = {}): Promise<{ id: string; printerId: string }> {
  const [id, printerId, spoolId] = [randomUUID(), randomUUID(), randomUUID()];
  const { prisma } = database;
  await prisma.printer.create({ data: { id: printerId, name: 'Voron', ...times } });
  await prisma.spool.create({
    data: {
      id: spoolId,
      spoolSerial: spoolId,
      filamentDiameterMm: '1.75',
      weightTotalGrams: '1000',
      purchasePrice: '20',
      materialId: MATERIAL,
      ...times,
    },
  });
  await prisma.slotLoad.create({ data: { printerId, slot: 'tool:0', spoolId, from: new Date() } });
  const device = { id, kind: 'MOONRAKER', printerId, address: `127.0.0.1:${port}`, state: 'CONNECTING', ...times };
  await prisma.device.create({ data: { ...device, ...members } });
  return { id, printerId };
}

const readDevice = (id: string) => database.prisma.device.findUniqueOrThrow({ where: { id } });
const readJobs = (printerId: string) =>
  database.prisma.printJob.findMany({ where: { printerId }, orderBy: { startedAt: 'asc' } });
const readJobStatuses = async (printerId: string) => (await readJobs(printerId)).map(({ status }) => status).join();
const readConnection = async (id: string) => (await new DeviceStore(database).byId.load(id))?.connection;
const connected = (id: string) =>
  until('the device is connected', () => readConnection(id), has({ state: 'CONNECTED' }));
const later = (seconds: number) => new Date(Date.now() + seconds * 1000);
const AHEAD = 6 * 3600;

describe('a lease', () => {
  const CONNECTED = { state: 'CONNECTED', stateSince: later(-500), lastMessageAt: later(-5) };
  const heldFor = async (port: number, seconds: number, members: object = {}) => {
    const { id } = await deviceFor(port, { ...CONNECTED, ...members });
    const until = later(seconds);
    await setLease(database, id, { holder: 'somebody', until, number: 4 });
    return { id, until };
  };
  /** Since when a device is without a connection. */
  const readSince = async (id: string) => {
    const connection = await readConnection(id);
    expect(connection).toMatchObject({ state: 'CONNECTING', fault: null });
    return new Date(String(connection?.since));
  };

  test('shows the connection of its holder while it is valid; an expired lease, or one that ends too late to be true, does not', async () => {
    const over = await heldFor(1, -100);
    expect(await readSince(over.id)).toEqual(over.until);
    // Minutes, because a new lease would end in half a minute, which can pass on a slow machine.
    for (const seconds of [300, AHEAD]) {
      const { id } = await heldFor(1, seconds);
      expect(await readSince(id)).toEqual(CONNECTED.stateSince);
    }
    const { id } = await heldFor(1, 25);
    expect(await readConnection(id)).toMatchObject({ state: 'CONNECTED' });
    const given = await deviceFor(1, CONNECTED);
    expect(await readConnection(given.id)).toMatchObject({ state: 'CONNECTED' });
  });

  test('whose end lies hours ahead does not keep a device from the next collector', async () => {
    const machine = await fake();
    const { id } = await heldFor(machine.port, AHEAD, { lastMessageAt: later(AHEAD) });
    expect(await readConnection(id)).toMatchObject({ lastMessageAt: null });
    const collector = collect();
    await connected(id);
    const { number, holder } = await readLease(database, id);
    expect([number, holder === 'somebody']).toEqual([5n, false]);
    await collector.close();
    expect(Number((await readDevice(id)).lastMessageAt)).toBeLessThanOrEqual(Date.now());
  });

  test('that is released, or cleared at a start, shows no connection', async () => {
    const machine = await fake();
    const { id } = await deviceFor(machine.port);
    const collector = collect();
    await connected(id);
    await collector.close();
    expect(await readDevice(id)).toMatchObject({ state: 'CONNECTING' });
    expect(await readLease(database, id)).toMatchObject({ holder: null, until: null });
    const killed = await heldFor(1, 25);
    await new HeldDeviceStore(database).releaseAll();
    expect(await readDevice(killed.id)).toMatchObject({ state: 'CONNECTING' });
    expect(await readLease(database, killed.id)).toMatchObject({ holder: null, number: 5n });
  });

  test.each([-3600, AHEAD])(
    'of a collector whose clock is set by %d s continues, and reports received meanwhile are written',
    async (seconds) => {
      const machine = await fake();
      const { id, printerId } = await deviceFor(machine.port);
      collect();
      await connected(id);
      const { number } = await readLease(database, id);
      machine.print.start();
      machine.print.advance(10);
      await until('the job prints', () => readJobStatuses(printerId), is('Printing'));
      await database.prisma.lease.update({ where: { deviceId: id }, data: { until: later(seconds) } });
      machine.print.complete();
      await until('the job is completed', () => readJobStatuses(printerId), is('Completed'));
      await connected(id);
      expect((await readLease(database, id)).number).toBe(number);
    },
  );
});

/** The rows that a process writes while its clock is ahead. */
async function setAhead(printerId: string): Promise<void> {
  const ahead = (table: string, ...columns: string[]) =>
    database.prisma.$executeRawUnsafe(
      `update ${table} set ${columns.map((one) => `"${one}" = "${one}" + interval '${AHEAD} s'`).join(', ')}
        where printer_id = '${printerId}'`,
    );
  await ahead('devices', 'created_at', 'updated_at', 'state_since', 'last_message_at');
  await ahead('observed_prints', 'started_at', 'seen_at', 'created_at', 'ended_at', 'job_updated_at');
  await ahead('print_jobs', 'started_at', 'created_at', 'updated_at', 'completed_at');
  await ahead('printer_states', 'heard_at');
  await ahead('slot_loads', 'from', 'to');
}

const THREE_JOBS = 'cube.gcode Completed,next.gcode Completed,third.gcode Printing';

describe('prints recorded while the clock was ahead', () => {
  async function printing() {
    const machine = await fake();
    const { id, printerId } = await deviceFor(machine.port);
    const collector = collect();
    await connected(id);
    machine.print.start();
    machine.print.advance(10);
    await until('the job prints', () => readJobStatuses(printerId), is('Printing'));
    await collector.close();
    await setAhead(printerId);
    return { machine, id, printerId };
  }
  const readActivity = async (printerId: string) =>
    (await database.prisma.printerState.findUnique({ where: { printerId } }))?.activity;

  test('continue as one print each, and their jobs start and end in the past', async () => {
    const { machine, id, printerId } = await printing();
    machine.print.advance(30);
    const startedAt = Date.now() - 40_000;
    collect();
    await connected(id);
    await until(
      'the job has started in the past',
      () => readJobs(printerId),
      ([job]) => Number(job?.startedAt) < Date.now(),
    );
    const [running] = await readJobs(printerId);
    expect(Number(running?.startedAt)).toBeGreaterThan(startedAt - 30_000);
    machine.print.complete();
    await until('the job is completed', () => readJobStatuses(printerId), is('Completed'));
    await until('the printer has finished', () => readActivity(printerId), is('FINISHED'));
    const [job] = await readJobs(printerId);
    expect(Number(job?.completedAt)).toBeLessThanOrEqual(Date.now());
    expect(Number(job?.startedAt)).toBeLessThanOrEqual(Number(job?.completedAt));
    expect(await database.prisma.observedPrint.count({ where: { printerId } })).toBe(1);
  });

  test('that ended while no gateway ran are recovered, and so are the prints after them', async () => {
    const { machine, printerId } = await printing();
    machine.print.complete();
    machine.print.start('next.gcode');
    machine.print.advance(20);
    machine.print.complete();
    machine.print.start('third.gcode');
    collect();
    await until('the printer has three jobs', () => readJobs(printerId), has({ length: 3 }));
    await until(
      'two jobs are completed, and the third one prints',
      // Three prints at one moment: their jobs have no order.
      async () => (await readJobs(printerId)).map(({ printName, status }) => `${printName} ${status}`).sort(),
      (jobs) => String(jobs) === THREE_JOBS,
    );
    for (const { startedAt, completedAt } of await readJobs(printerId)) {
      expect(Number(startedAt)).toBeLessThanOrEqual(Date.now());
      expect(Number(completedAt)).toBeLessThanOrEqual(Date.now());
    }
    const figures = await createFarm(database, NO_SETTINGS).figures(new Date().toISOString());
    expect(figures.prints).toMatchObject({ COMPLETED: expect.any(Number) });
  });
});
