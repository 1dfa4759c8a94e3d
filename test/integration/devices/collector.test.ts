// Tests the collector with fake machines and a real database: printers produce prints and jobs, cameras produce status records.
import { randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import type { Database } from '../../../src/database/database';
import { FakeGoPro } from '../../../src/demo/machines/gopro';
import { FakeMoonraker } from '../../../src/demo/machines/moonraker';
import { FakeOctoPrint } from '../../../src/demo/machines/octoprint';
import { startFake } from '../../../src/demo/machines/start-machine';
import { Conflict, Unavailable } from '../../../src/errors';
import { MAX_ALERTS } from '../../../src/farm/alerts/alert.service';
import type { Context } from '../../../src/farm/graph/context';
import { InventoryStore } from '../../../src/farm/inventory/inventory.store';
import { PrinterSlotStore } from '../../../src/farm/inventory/printer-slot.store';
import { PrinterStateStore } from '../../../src/farm/printer-states/printer-state.store';
import { createPrintStores } from '../../../src/farm/prints/prints.transaction';
import { AdjustmentService } from '../../../src/farm/stock/adjustment.service';
import type { Collector } from '../../../src/machines/collector/collector';
import { connectGoPro, GOPRO_LIMITS } from '../../../src/machines/gopro/connection';
import { KIND_CODE } from '../../../src/machines/kind-code';
import type { CameraReading } from '../../../src/machines/machine-adapter';
import type { Connect, MachineLimits } from '../../../src/machines/machine-connection';
import { createFarm, NO_SETTINGS } from '../../../src/resolvers';
import { AlertServices, createInventoryLookUps, createLedger, createSpoolLoadingService } from '../../../src/services';
import {
  createCameraRecorder,
  createCollector,
  createPrintWriting,
  QUICK,
  readLease,
  setLease,
} from '../../support/collectors';
import { ago } from '../../support/farm';
import { provideDatabase } from '../../support/gateway';
import { closeServers, startTcpServer } from '../../support/hostile-machine';
import { atLeast, has, is, until } from '../../support/waiting';

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
  await closeServers();
  await database.prisma.device.deleteMany();
});

function collect(parts: Parameters<typeof createCollector>[1] = {}): Collector {
  const collector = createCollector(database, parts);
  open.push(collector);
  collector.start();
  return collector;
}

const held = (collector: Collector) => collector.readFigures().devices.length;

async function fake(): Promise<FakeMoonraker> {
  const machine = new FakeMoonraker({ script: { seconds: 100, mm: 1000 } });
  await machine.listen(0);
  open.push(machine);
  return machine;
}

async function deviceFor(port: number, kind = 'MOONRAKER'): Promise<{ id: string; printerId: string }> {
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
  await prisma.device.create({
    data: { id, kind, printerId, address: `127.0.0.1:${port}`, state: 'CONNECTING', ...times },
  });
  return { id, printerId };
}

const readDevice = (id: string) => database.prisma.device.findUniqueOrThrow({ where: { id } });
const readJobs = (printerId: string) => database.prisma.printJob.findMany({ where: { printerId } });
const readJobStatuses = async (printerId: string) => (await readJobs(printerId)).map(({ status }) => status).join();
const readActivity = async (printerId: string) =>
  (await database.prisma.printerState.findUnique({ where: { printerId } }))?.activity;

test('a machine is connected, and its print becomes a job with what it measured', async () => {
  const machine = await fake();
  const { id, printerId } = await deviceFor(machine.port);
  collect();
  await until('the device is connected', () => readDevice(id), has({ state: 'CONNECTED' }));
  await until('the printer is idle', () => readActivity(printerId), is('IDLE'));
  machine.print.start();
  machine.print.advance(10);
  await until('the job prints', () => readJobStatuses(printerId), is('Printing'));
  await until('the printer prints', () => readActivity(printerId), is('PRINTING'));
  machine.print.advance(50);
  machine.print.complete();
  await until('the job is completed', () => readJobStatuses(printerId), is('Completed'));
  const [job] = await readJobs(printerId);
  expect([Number(job?.mmExtruded), Number(job?.gramsDerived), Number(job?.costPerPrint)]).toEqual([1000, 2.98, 0.0596]);
  await until('the printer has finished', () => readActivity(printerId), is('FINISHED'));
});

test.each(['MOONRAKER', 'OCTOPRINT', 'PRUSALINK', 'BAMBU'] as const)(
  'a %s is added while it prints: the spool that is loaded from the start of the print gets the whole print',
  async (kind) => {
    const secret = '73914206';
    const machine = await startFake(kind, { secret, script: { seconds: 1000, mm: 1000 } });
    open.push(machine);
    machine.print.start();
    machine.print.advance(600);
    const { id, printerId } = await deviceFor(machine.port, kind);
    const { serial, certificateFingerprint } = machine;
    await database.prisma.device.update({ where: { id }, data: { serial, certificateFingerprint } });
    const { spoolId } = await database.prisma.slotLoad.findFirstOrThrow({ where: { printerId } });
    await database.prisma.slotLoad.deleteMany({ where: { printerId } });
    collect({ readSecret: () => secret });
    const readPrint = () => database.prisma.observedPrint.findFirst({ where: { printerId } });
    const { startedAt, createdAt } = await until('the print is seen', readPrint);
    await until('the printer prints', () => readActivity(printerId), is('PRINTING'));
    expect(await readJobs(printerId)).toEqual([]);
    // What the dashboard sends in the second step of adding a printer.
    const request = {
      printerId,
      slot: kind === 'BAMBU' ? 'ams:0:0' : 'tool:0',
      spoolId,
      at: (startedAt ?? createdAt).toISOString(),
    };
    const inventory = createInventoryLookUps(new InventoryStore(database));
    const time = { now: new Date().toISOString(), deadline: Number.POSITIVE_INFINITY, newId: randomUUID };
    await createSpoolLoadingService(database, new PrinterSlotStore(database), inventory).load(request, time);
    expect(await readJobStatuses(printerId)).toBe('Printing');
    machine.print.complete();
    await until('the job is completed', () => readJobStatuses(printerId), is('Completed'));
    const { spools } = await until('the print has ended', readPrint, (print) => print?.endedAt != null && print);
    expect(Object.values(spools as object)).toEqual([spoolId]);
    if (kind === 'MOONRAKER') expect(Number((await readJobs(printerId))[0]?.mmExtruded)).toBe(1000);
  },
);

test('a file that OctoPrint analyses after its print is booked by the process that receives the analysis', async () => {
  const machine = new FakeOctoPrint({ script: { seconds: 100, mm: 1000 } });
  await machine.listen(0);
  open.push(machine);
  const { id, printerId } = await deviceFor(machine.port, 'OCTOPRINT');
  const first = collect();
  await until('the printer is idle', () => readActivity(printerId), is('IDLE'));
  machine.upload();
  machine.print.start();
  await until('the job prints', () => readJobStatuses(printerId), is('Printing'));
  machine.print.complete();
  await until('the job is completed', () => readJobStatuses(printerId), is('Completed'));
  expect(Number((await readJobs(printerId))[0]?.mmExtruded)).toBe(0);
  await first.close();
  collect();
  await until('the device is connected', () => readDevice(id), has({ state: 'CONNECTED' }));
  machine.analyse();
  await until(
    'the job has its filament',
    () => readJobs(printerId),
    ([job]) => Number(job?.mmExtruded) === 1000,
  );
  expect(await readJobStatuses(printerId)).toBe('Completed');
});

/** What counts as used if the spool of a printer is weighed now, through a gateway that does not hold the device; null: it is refused. */
async function usedWhenWeighed(printerId: string): Promise<string | null> {
  const { spoolId } = await database.prisma.slotLoad.findFirstOrThrow({ where: { printerId, to: null } });
  const adjustments = new AdjustmentService((work) => database.transaction((one) => work(createLedger(one))), {
    spool: async () => null,
  });
  const context = { now: new Date().toISOString(), newId: randomUUID, caller: { displayName: null } };
  try {
    const weighed = await adjustments.weigh(spoolId as string, { netGrams: '500' }, context as unknown as Context);
    return weighed.printingGrams;
  } catch (error) {
    if (error instanceof Conflict) return null;
    throw error;
  }
}

test.each([
  ['MOONRAKER', FakeMoonraker],
  ['OCTOPRINT', FakeOctoPrint],
] as const)('a weighing uses what %s reported since its print was last saved', async (kind, Fake) => {
  const machine = new Fake({ script: { seconds: 100, mm: 1000 } });
  await machine.listen(0);
  open.push(machine);
  const { printerId } = await deviceFor(machine.port, kind);
  collect();
  await until('the printer is idle', () => readActivity(printerId), is('IDLE'));
  if (machine instanceof FakeOctoPrint) machine.upload();
  machine.print.start();
  if (machine instanceof FakeOctoPrint) machine.analyse();
  const printed = async () => (await database.prisma.observedPrint.findFirst({ where: { printerId } }))?.plan;
  await until('the plan of the print is saved', printed);
  machine.print.advance(30);
  // 300 mm of 1.75 mm at 1.24 g/cm3.
  await until('the figures are read', () => usedWhenWeighed(printerId), is('0.89'));
  machine.print.advance(30);
  await until('the newer figures are read', () => usedWhenWeighed(printerId), is('1.79'));
  machine.print.complete();
  await until('the job is completed', () => readJobStatuses(printerId), is('Completed'));
});

test('one of two collectors holds a device; when it releases the device, the other continues the same print', async () => {
  const machine = await fake();
  const { id, printerId } = await deviceFor(machine.port);
  const first = collect();
  await until('the device is connected', () => readDevice(id), has({ state: 'CONNECTED' }));
  machine.print.start();
  machine.print.advance(5);
  await until('the job prints', () => readJobStatuses(printerId), is('Printing'));
  const second = collect();
  const { holder } = await readLease(database, id);
  expect([held(first), held(second)]).toEqual([1, 0]);
  await first.close();
  await until('the second collector holds the device', () => held(second), is(1));
  const after = await readLease(database, id);
  expect(after.number).toBe(2n);
  expect(after.holder).not.toBe(holder);
  machine.print.advance(5);
  machine.print.complete();
  await until('the job is completed', () => readJobStatuses(printerId), is('Completed'));
  expect(await database.prisma.observedPrint.count({ where: { printerId } })).toBe(1);
});

test('a disabled device is disconnected, and a device with a new address is connected again', async () => {
  const [machine, other] = [await fake(), await fake()];
  const { id, printerId } = await deviceFor(machine.port);
  const collector = collect();
  await until('the printer is idle', () => readActivity(printerId), is('IDLE'));
  await database.prisma.device.update({ where: { id }, data: { address: `127.0.0.1:${other.port}` } });
  other.print.start();
  await until('the job prints', () => readJobStatuses(printerId), is('Printing'));
  await database.prisma.device.update({ where: { id }, data: { enabled: false } });
  await until('the collector holds no device', () => held(collector), is(0));
});

test('a machine that reports more prints than it can make is disconnected, and connected again', async () => {
  const machine = await fake();
  const { printerId } = await deviceFor(machine.port);
  let connected = 0;
  let closed = 0;
  const connect: Connect = (...given) => {
    connected += 1;
    const connection = KIND_CODE.MOONRAKER.connect(...given);
    const close = () => {
      closed += 1;
      connection.close();
    };
    return { ...connection, close };
  };
  collect({ kinds: { ...KIND_CODE, MOONRAKER: { ...KIND_CODE.MOONRAKER, connect } } });
  await until('the printer is idle', () => readActivity(printerId), is('IDLE'));
  // A fast database would store the prints as they arrive, and none would wait.
  await database.prisma.$transaction(
    async (other) => {
      await other.$executeRawUnsafe('lock table observed_prints in access exclusive mode');
      for (let print = 0; print < 150; print += 1) {
        machine.print.start();
        machine.print.complete();
      }
      await until('the machine is disconnected', () => closed, atLeast(1));
    },
    { timeout: 100_000 },
  );
  await until('the machine is connected once more', () => connected, atLeast(2));
  machine.print.start();
  machine.print.advance(10);
  // The device has reached its hourly limit of new prints, so this print is shown and not recorded.
  await until('the printer prints', () => readActivity(printerId), is('PRINTING'));
});

describe('an OctoPrint', () => {
  /** Sends what a test makes of its messages; null: nothing. */
  class Saying extends FakeOctoPrint {
    says = (text: string): string | null => text;

    protected override send(client: WebSocket, message: unknown): void {
      const text = this.says(JSON.stringify(message));
      if (text !== null && !this.isSilent) client.send(text);
    }
  }

  async function octoprint(says: (text: string) => string | null) {
    const machine = Object.assign(new Saying({ script: { seconds: 100, mm: 1000 } }), { says });
    await machine.listen(0);
    open.push(machine);
    const device = await deviceFor(machine.port);
    await database.prisma.device.update({ where: { id: device.id }, data: { kind: 'OCTOPRINT' } });
    return { machine, ...device };
  }

  test('that writes NaN for temperatures is read like any other', async () => {
    const temps = '"temps":[{"time":1,"tool0":{"actual":NaN,"target":Infinity},"bed":{"actual":-Infinity}}]';
    const { machine, printerId } = await octoprint((text) => text.replace('"temps":[]', temps));
    collect();
    await until('the printer is idle', () => readActivity(printerId), is('IDLE'));
    machine.print.start();
    machine.print.advance(10);
    await until('the job prints', () => readJobStatuses(printerId), is('Printing'));
    machine.print.complete();
    await until('the job is completed', () => readJobStatuses(printerId), is('Completed'));
  });

  test.each<[string, (text: string) => string | null, string]>([
    [
      'never what it does',
      (text) => (/"(current|history)"/.test(text) ? '{"plugin":{"data":1}}' : text),
      'PROTOCOL_ERROR',
    ],
    ['nothing', (text) => (/"connected"/.test(text) ? text : null), 'SILENT'],
  ])('that answers %s is not connected, and is connected once its answers are right', async (_, lie, fault) => {
    let isLying = true;
    const { machine, id, printerId } = await octoprint((text) => (isLying ? lie(text) : text));
    const states = new Set<string>();
    // In production the limit is 30 s.
    collect({ kinds: { ...KIND_CODE, OCTOPRINT: { ...KIND_CODE.OCTOPRINT, silentAfterMs: 500 } } });
    const watched = async () => {
      machine.print.advance(1);
      const found = await readDevice(id);
      states.add(found.state);
      return found;
    };
    await until(
      `the device is offline: ${fault}`,
      watched,
      (found) => found.state === 'OFFLINE' && found.fault === fault,
    );
    expect([...states].sort()).toEqual(['CONNECTING', 'OFFLINE']);
    isLying = false;
    const readWritten = async () => {
      // Half a second without a message counts as silence.
      machine.print.advance(1);
      const { state, fault: now } = await readDevice(id);
      return [state, now, await readActivity(printerId)];
    };
    await until(
      'the device is connected without a fault, and its printer idle',
      readWritten,
      (found) => found.join() === 'CONNECTED,,IDLE',
    );
  });
});

describe('a device that has reached its hourly limit of new prints', () => {
  /** Finished prints in sequence, as they were received: when they started, or in a history. */
  async function printed(deviceId: string, printerId: string, kind: 'STARTED' | 'ENDED', count: number) {
    const { prisma } = database;
    const rows = Array.from({ length: count }, (_, at) => ({
      id: randomUUID(),
      deviceId,
      printerId,
      name: `${at}.gcode`,
      outcome: 'COMPLETED',
      measured: [],
      startedAtEstimated: false,
      createdAt: ago(600 + at),
      seenAt: ago(600 + at),
      endedAt: ago(600 + at),
      startedAt: kind === 'STARTED' ? ago(660 + at) : ago(700_000 - 3600 * at),
    }));
    await prisma.observedPrint.createMany({ data: rows });
    const data = rows.map(({ id, createdAt }) => ({ printId: id, at: createdAt, kind, text: '' }));
    await prisma.printSighting.createMany({ data });
  }
  const countPrints = (printerId: string) => database.prisma.observedPrint.count({ where: { printerId } });

  test('records no further print until the hour has passed, also in a new process, and reports that', async () => {
    const machine = await fake();
    const { id, printerId } = await deviceFor(machine.port);
    await printed(id, printerId, 'STARTED', 60);
    const first = collect();
    await until('the printer is idle', () => readActivity(printerId), is('IDLE'));
    const isReported = () =>
      until(
        'the connected device reports that it sends too much',
        () => readDevice(id),
        ({ state, fault }) => state === 'CONNECTED' && fault === 'TOO_MUCH_DATA',
      );
    machine.print.start();
    await isReported();
    machine.print.advance(10);
    machine.print.complete();
    await until('the printer has finished', () => readActivity(printerId), is('FINISHED'));
    machine.print.start();
    machine.print.advance(10);
    await until('the printer prints', () => readActivity(printerId), is('PRINTING'));
    await first.close();
    await database.prisma.device.update({ where: { id }, data: { fault: null } });
    collect();
    await isReported();
    expect(await countPrints(printerId)).toBe(60);
    // The oldest print is more than an hour old: the running print is recorded, with its original start.
    await database.prisma.observedPrint.updateMany({
      where: { printerId, name: '59.gcode' },
      data: { createdAt: ago(3601) },
    });
    const statuses = () => {
      machine.print.advance(0.01);
      return readJobStatuses(printerId);
    };
    await until('the print that still runs is recorded', statuses, is('Printing'));
    await until('the device has no fault', () => readDevice(id), has({ fault: null }));
    expect(await countPrints(printerId)).toBe(61);
  });

  test('counts the prints that it saw start, not those read from a history after an outage', async () => {
    const machine = await fake();
    const { id, printerId } = await deviceFor(machine.port);
    await printed(id, printerId, 'ENDED', 150);
    await printed(id, printerId, 'STARTED', 59);
    collect();
    machine.print.start();
    await until('the job prints', () => readJobStatuses(printerId), is('Printing'));
    expect((await readDevice(id)).fault).toBeNull();
  });
});

describe('a decision that cannot be written', () => {
  /** The database refuses to write the prints of a printer. */
  async function refuse(printerId: string, what: string): Promise<() => Promise<unknown>> {
    const name = `refuse_${printerId.replaceAll('-', '_')}`;
    const run = (sql: string) => database.prisma.$executeRawUnsafe(sql);
    await run(`create function ${name}() returns trigger language plpgsql as
      $$ begin raise exception 'refused by the test'; end $$`);
    await run(`create trigger ${name} before update on observed_prints for each row
      when (new.printer_id = '${printerId}' and ${what}) execute function ${name}()`);
    return () => run(`drop trigger ${name} on observed_prints`);
  }

  test('is skipped after its third failure: its print waits for a user, and the next print is recorded', async () => {
    const machine = await fake();
    const { id, printerId } = await deviceFor(machine.port);
    const failed: unknown[] = [];
    const aside: unknown[] = [];
    collect({ onFailed: (error) => failed.push(error), onWriteFailed: (error) => aside.push(error) });
    await until('the device is connected', () => readDevice(id), has({ state: 'CONNECTED' }));
    const allow = await refuse(printerId, `new.outcome = 'COMPLETED'`);
    machine.print.start();
    machine.print.advance(10);
    await until('the job prints', () => readJobStatuses(printerId), is('Printing'));
    machine.print.complete();
    const outcomes = async () =>
      (await database.prisma.observedPrint.findMany({ where: { printerId }, orderBy: { createdAt: 'asc' } })).map(
        ({ outcome }) => outcome,
      );
    await until('the print waits for a user', outcomes, (found) => `${found}` === 'UNRESOLVED');
    expect([failed.length, aside.length]).toEqual([2, 1]);
    expect(String(aside[0])).toContain('refused by the test');
    expect(await readDevice(id)).toMatchObject({ state: 'CONNECTED', fault: 'PROTOCOL_ERROR' });
    await allow();
    machine.print.start();
    await until('the next print is recorded', outcomes, (found) => `${found}` === 'UNRESOLVED,RUNNING');
    machine.print.complete();
    await until('the next print is completed', outcomes, (found) => `${found}` === 'UNRESOLVED,COMPLETED');
    expect([failed.length, aside.length]).toEqual([2, 1]);
  });

  test('waits while the database is away, however often it fails', async () => {
    const machine = await fake();
    const { printerId } = await deviceFor(machine.port);
    const writing = createPrintWriting(database);
    let outages = 0;
    collect({
      writing: {
        writeSkipped: writing.writeSkipped.bind(writing),
        writeStep: async (...given: Parameters<typeof writing.writeStep>) => {
          outages += 1;
          if (outages <= 4) throw new Unavailable('The database does not answer');
          return writing.writeStep(...given);
        },
      } as typeof writing,
    });
    await until('the printer is idle', () => readActivity(printerId), is('IDLE'));
    machine.print.start();
    machine.print.complete();
    await until('the job is completed', () => readJobStatuses(printerId), is('Completed'));
    expect(outages).toBeGreaterThan(4);
  });
});

test('a print is recorded while other machines send data without end', async () => {
  const parts = Buffer.from('HTTP/1.1 102 Processing\r\n\r\n'.repeat(1000));
  const address = await startTcpServer((socket) => {
    const more = () => {
      while (!socket.destroyed && socket.write(parts));
    };
    socket.on('drain', more).once('data', more);
  });
  const hostile = ['OCTOPRINT', 'PRUSALINK', 'OCTOPRINT', 'PRUSALINK'];
  const port = Number(address.split(':')[1]);
  const ids = await Promise.all(hostile.map(async (kind) => (await deviceFor(port, kind)).id));
  const machine = await fake();
  const { printerId } = await deviceFor(machine.port);
  collect();
  await until('the printer is idle', () => readActivity(printerId), is('IDLE'));
  machine.print.start();
  machine.print.advance(60);
  await until('the job prints', () => readJobStatuses(printerId), is('Printing'));
  machine.print.complete();
  await until('the job is completed', () => readJobStatuses(printerId), is('Completed'));
  for (const id of ids) await until('the device is offline', () => readDevice(id), has({ state: 'OFFLINE' }));
});

test('a machine that sends while the database is away is read again when the database answers', async () => {
  class Talking extends FakeMoonraker {
    say(text: string): void {
      for (const client of this.clients) client.send(text);
    }
  }
  const machine = new Talking({ script: { seconds: 100, mm: 1000 } });
  await machine.listen(0);
  open.push(machine);
  const { printerId } = await deviceFor(machine.port);
  const deviceHistory = createPrintStores(database).deviceHistory;
  let [isAway, connected, closed] = [true, 0, 0];
  const running = async (id: string) => {
    if (isAway) throw new Unavailable('The database does not answer');
    return deviceHistory.running(id);
  };
  const connect: Connect = (...given) => {
    connected += 1;
    const connection = KIND_CODE.MOONRAKER.connect(...given);
    const close = () => {
      closed += 1;
      connection.close();
    };
    return { ...connection, close };
  };
  collect({
    deviceHistory: Object.assign(Object.create(deviceHistory), { running }),
    kinds: { ...KIND_CODE, MOONRAKER: { ...KIND_CODE.MOONRAKER, connect } },
  });
  // 20 KB of such text take 270 KB of memory.
  const talk = `{"method":"notify_gcode_response","params":[${Array(6800).fill('[]')}]}`;
  await until('the machine is disconnected', () => {
    machine.say(talk);
    return closed > 0;
  });
  expect(connected).toBe(1);
  isAway = false;
  await until('the printer is idle', () => readActivity(printerId), is('IDLE'));
  machine.print.start();
  await until('the job prints', () => readJobStatuses(printerId), is('Printing'));
});

describe('cameras', () => {
  const { OPEN_GOPRO } = KIND_CODE;
  const quickly = (limits: Partial<MachineLimits> = {}, silentAfterMs = OPEN_GOPRO.silentAfterMs) => ({
    OPEN_GOPRO: {
      ...OPEN_GOPRO,
      silentAfterMs,
      connect: ((target, listener, network) =>
        connectGoPro(target, listener, network, { ...GOPRO_LIMITS, pollMs: 20, ...limits })) as Connect,
    },
  });
  const watch = (parts: Parameters<typeof createCollector>[1] = {}) =>
    collect({ kinds: { ...KIND_CODE, ...quickly() }, ...parts });

  async function fakeCamera(secret: string | null = null): Promise<FakeGoPro> {
    const camera = new FakeGoPro({ secret });
    await camera.listen(0);
    open.push(camera);
    return camera;
  }

  async function connectCamera(port: number): Promise<{ cameraId: string; id: string }> {
    const [id, cameraId] = [randomUUID(), randomUUID()];
    await database.prisma.camera.create({ data: { cameraId, friendlyName: 'Bay 1', ...times } });
    await database.prisma.device.create({
      data: { id, kind: 'OPEN_GOPRO', cameraId, address: `127.0.0.1:${port}`, state: 'CONNECTING', ...times },
    });
    return { cameraId, id };
  }

  const readRecords = (cameraId: string) =>
    database.prisma.cameraStatus.findMany({ where: { cameraId }, orderBy: [{ recordedAt: 'asc' }, { id: 'asc' }] });
  const readLatestRecord = async (cameraId: string) =>
    (await createFarm(database, NO_SETTINGS).cameras.findExisting(cameraId)).lastStatus;
  test('a card whose recording time is shorter than the print still needs is an alert', async () => {
    const printer = new FakeOctoPrint({ script: { seconds: 7200, mm: 1000 } });
    await printer.listen(0);
    open.push(printer);
    const { printerId } = await deviceFor(printer.port, 'OCTOPRINT');
    const camera = await fakeCamera();
    const { cameraId } = await connectCamera(camera.port);
    const { prisma } = database;
    await prisma.camera.update({ where: { cameraId }, data: { printerId, recordsPrints: true } });
    watch();
    await until('the printer is idle', () => readActivity(printerId), is('IDLE'));
    printer.upload();
    printer.print.start();
    printer.print.advance(600);
    camera.status['35'] = 600;
    camera.print.start();
    await until('the job prints', () => readJobStatuses(printerId), is('Printing'));
    // A job must have a recording a minute after its start.
    const startedAt = new Date(Date.now() - 660_000);
    await prisma.printJob.updateMany({ where: { printerId }, data: { startedAt } });
    const alerts = new AlertServices(['recording']).createOn(database);
    const early = async () =>
      (await alerts.list(MAX_ALERTS, false, new Date().toISOString())).filter(
        ({ kind, id }) => kind === 'FILM_ENDS_EARLY' && id === cameraId,
      );
    const [alert] = await until('the film ends early', early, (found) => found.length > 0 && found);
    expect(alert?.message).toMatch(
      /^Camera Bay 1 \(.+\) will run out of card space about \d+ minutes before the print .+ ends\./,
    );
  });

  test('each poll is a record, also if nothing changed', async () => {
    const camera = await fakeCamera();
    const { cameraId, id } = await connectCamera(camera.port);
    const collector = watch();
    await until('the camera has three records', () => readRecords(cameraId), atLeast(3));
    expect((await readDevice(id)).state).toBe('CONNECTED');
    const [first, second] = await readRecords(cameraId);
    expect(first).toMatchObject({
      batteryPct: 100,
      rawBatteryPct: 100,
      videoRemainingSec: 28_800,
      recordingState: 'idle',
      mode: 'video',
      resolution: '1080',
      fps: 30,
      online: true,
    });
    expect(second?.recordedAt.getTime()).toBeGreaterThan(first?.recordedAt.getTime() as number);
    camera.print.start();
    await until('the camera records', () => readLatestRecord(cameraId), has({ recordingState: 'recording' }));
    expect(collector.readFigures()).toMatchObject({
      devices: [{ kind: 'OPEN_GOPRO', state: 'CONNECTED' }],
      decisions: { STATUS: expect.any(Number) },
    });
  });

  const recent = (secondsAgo: number): CameraReading => ({
    kind: 'STATUS',
    at: ago(secondsAgo),
    batteryPct: 50,
    rawBatteryPct: 50,
    videoRemainingSec: 600,
    recordingState: 'idle',
    mode: 'video',
    resolution: '4K',
    fps: 30,
    online: true,
  });
  const time = { now: new Date().toISOString(), deadline: Number.POSITIVE_INFINITY, newId: randomUUID };

  test('a collector without the lease writes nothing, whoever has the lease now', async () => {
    const { cameraId, id } = await connectCamera(1);
    const recorder = createCameraRecorder(database);
    const lease = { subject: id, holder: 'this', number: '1' };
    const later = new Date(Date.now() + 30_000);
    await setLease(database, id, { holder: 'this', until: later, number: 1 });
    expect(await recorder.record(lease, cameraId, [recent(30)], time)).toBe('DONE');
    const before = [await readRecords(cameraId), await readLatestRecord(cameraId)];
    for (const lost of [
      { holder: 'other', until: later, number: 2 },
      // The lease was lost and taken again: what was received before is not written.
      { holder: 'this', until: later, number: 3 },
      { holder: 'this', until: new Date(Date.now() - 1), number: 1 },
      { holder: null, until: null, number: 1 },
    ]) {
      await setLease(database, id, lost);
      expect(await recorder.record(lease, cameraId, [recent(20), recent(10)], time)).toBe('NOT_HELD');
      expect([await readRecords(cameraId), await readLatestRecord(cameraId)]).toEqual(before);
    }
    // Nor is it written if the camera was removed, together with its device.
    await createFarm(database, NO_SETTINGS).cameras.remove(cameraId, true, time);
    expect(await recorder.record(lease, cameraId, [recent(20)], time)).toBe('NOT_HELD');
  });

  test('polls that arrive while the database is away are written later, with their original times', async () => {
    const camera = await fakeCamera();
    const { cameraId } = await connectCamera(camera.port);
    const recorder = createCameraRecorder(database);
    const tried: CameraReading[][] = [];
    const record: typeof recorder.record = async (lease, id, readings, given) => {
      tried.push([...readings]);
      if (tried.length === 1) {
        // The write was committed and its answer lost: repeating it stores the same record.
        await recorder.record(lease, id, readings, given);
        throw new Unavailable('The database does not answer');
      }
      // The second write lasts until several more polls were answered, because polls follow each other.
      const polls = camera.requestedPaths.length;
      if (tried.length === 2) await until('the camera is polled', () => camera.requestedPaths, atLeast(polls + 4));
      return recorder.record(lease, id, readings, given);
    };
    watch({ cameras: { record } as typeof recorder });
    await until('three writes were tried', () => tried, atLeast(3));
    await until(
      'everything that was received meanwhile is written',
      () => readRecords(cameraId),
      atLeast(tried.slice(0, 3).flat().length - 1),
    );
    expect(tried[1]).toEqual(tried[0]);
    // Everything received meanwhile is one write.
    expect(tried[2]?.length).toBeGreaterThan(1);
    const [written, heard] = [await readRecords(cameraId), tried.flat().map(({ at }) => at)];
    const instants = written.map(({ recordedAt }) => recordedAt.toISOString());
    expect(instants.filter((at) => at === heard[0])).toHaveLength(1);
    expect(instants).toEqual(expect.arrayContaining(tried[2]?.map(({ at }) => at) as string[]));
  });

  test('a sleeping camera is offline as a device, has no new records, and continues when it wakes', async () => {
    const camera = await fakeCamera();
    const { cameraId, id } = await connectCamera(camera.port);
    watch({ kinds: { ...KIND_CODE, ...quickly({ answerMs: 100, connectMs: 200 }, 500) } });
    await until('the camera has a record', () => readRecords(cameraId), atLeast(1));
    camera.setSilent(true);
    await until('the device is offline', () => readDevice(id), has({ state: 'OFFLINE' }));
    expect((await readDevice(id)).fault).toMatch(/^(SILENT|TIMED_OUT)$/);
    const asleep = await readRecords(cameraId);
    expect(asleep.filter(({ online }) => !online)).toEqual([]);
    camera.setSilent(false);
    await until('the camera has a new record', () => readRecords(cameraId), atLeast(asleep.length + 1));
    await until('the device is connected', () => readDevice(id), has({ state: 'CONNECTED' }));
  });

  test('a camera that is gone is offline as soon as it cannot be reached, although a slow one may be silent for longer', async () => {
    const camera = await fakeCamera();
    const { cameraId, id } = await connectCamera(camera.port);
    const { port } = camera;
    watch({ pace: { ...QUICK, unreachableMs: 100 } });
    await until('the camera has a record', () => readRecords(cameraId), atLeast(1));
    await camera.close();
    await until('the device is offline', () => readDevice(id), has({ state: 'OFFLINE', fault: 'NOT_REACHABLE' }));
    await camera.listen(port);
    await until('the device is connected', () => readDevice(id), has({ state: 'CONNECTED' }));
  });

  test('a rejected password is reported once, and not tried again', async () => {
    const camera = await fakeCamera('right');
    const { cameraId, id } = await connectCamera(camera.port);
    watch({ readSecret: () => 'wrong' });
    await until('the device is refused', () => readDevice(id), has({ state: 'REFUSED' }));
    expect((await readDevice(id)).fault).toBe('CREDENTIALS_REFUSED');
    expect(camera.requestedPaths.length).toBeLessThanOrEqual(2);
    expect(await readRecords(cameraId)).toEqual([]);
  });

  test('a camera is polled more often while the printer that it watches prints', async () => {
    const camera = await fakeCamera();
    const { cameraId } = await connectCamera(camera.port);
    const { printerId } = await deviceFor(1);
    const { prisma } = database;
    await prisma.device.deleteMany({ where: { printerId } });
    const states = new PrinterStateStore(database);
    const isPrinting = () => states.isWatchedPrinting(cameraId);
    expect([await isPrinting(), await states.isWatchedPrinting('nobody')]).toEqual([false, false]);
    await prisma.camera.update({ where: { cameraId }, data: { printerId } });
    expect(await isPrinting()).toBe(false);
    const { spoolId } = await prisma.slotLoad.findFirstOrThrow({ where: { printerId } });
    await prisma.printJob.create({
      data: {
        id: randomUUID(),
        printerId,
        spoolId,
        printName: 'Benchy',
        gcodeFilePath: '',
        mmExtruded: '1',
        gramsDerived: '1',
        costPerPrint: '1',
        status: 'Printing',
        dataSource: 'Manual',
        filamentDiameterAtPrintMm: '1.75',
        materialDensityAtPrint: '1.24',
        ...times,
      },
    });
    expect(await isPrinting()).toBe(true);
    // A report of the machine counts more than a job that waits for its outcome.
    await prisma.printerState.create({ data: { printerId, activity: 'IDLE', heardAt: new Date() } });
    expect(await isPrinting()).toBe(false);
    for (const [activity, expected] of [
      ['PREPARING', true],
      ['PAUSED', true],
      ['FINISHED', false],
      ['OFFLINE', false],
      ['PRINTING', true],
    ] as const) {
      await prisma.printerState.update({ where: { printerId }, data: { activity } });
      expect([activity, await isPrinting()]).toEqual([activity, expected]);
    }
    watch({ kinds: { ...KIND_CODE, ...quickly({ pollMs: 60_000, pollPrintingMs: 20 }) } });
    await until('the camera has three records', () => readRecords(cameraId), atLeast(3));
  });
});
