// The collector with fake machines and a real database: what printers do becomes prints and jobs, what cameras tell status records.
import { randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import type { Database } from '../../../src/database/database';
import { FakeGoPro } from '../../../src/demo/machines/gopro';
import { FakeMoonraker } from '../../../src/demo/machines/moonraker';
import { FakeOctoPrint } from '../../../src/demo/machines/octoprint';
import { Conflict, Unavailable } from '../../../src/errors';
import { MAX_ALERTS } from '../../../src/farm/alerts/alert.service';
import type { Context } from '../../../src/farm/graph/context';
import { PrinterStateStore } from '../../../src/farm/printer-states/printer-state.store';
import { createPrintStores } from '../../../src/farm/prints/prints.transaction';
import { AdjustmentService } from '../../../src/farm/stock/adjustment.service';
import type { Collector } from '../../../src/machines/collector/collector';
import { connectGoPro, GOPRO_LIMITS } from '../../../src/machines/gopro/connection';
import { KIND_CODE } from '../../../src/machines/kind-code';
import type { CameraReading } from '../../../src/machines/machine-adapter';
import type { Connect, MachineLimits } from '../../../src/machines/machine-connection';
import { createFarm, NO_SETTINGS } from '../../../src/resolvers';
import { AlertServices, createLedger } from '../../../src/services';
import { cameraRecorderOn, collectorOn, leaseOf, printWritingOn, setLease } from '../../support/collecting';
import { ago } from '../../support/farm';
import { provideDatabase } from '../../support/gateway';
import { closeServers, tcpServer } from '../../support/hostile-machine';
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

function collect(parts: Parameters<typeof collectorOn>[1] = {}): Collector {
  const collector = collectorOn(database, parts);
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

const deviceOf = (id: string) => database.prisma.device.findUniqueOrThrow({ where: { id } });
const jobsOf = (printerId: string) => database.prisma.printJob.findMany({ where: { printerId } });
const statusesOf = async (printerId: string) => (await jobsOf(printerId)).map(({ status }) => status).join();
const activityOf = async (printerId: string) =>
  (await database.prisma.printerState.findUnique({ where: { printerId } }))?.activity;

test('a machine is connected, and its print becomes a job with what it measured', async () => {
  const machine = await fake();
  const { id, printerId } = await deviceFor(machine.port);
  collect();
  await until('the device is connected', () => deviceOf(id), has({ state: 'CONNECTED' }));
  await until('the printer is idle', () => activityOf(printerId), is('IDLE'));
  machine.print.start();
  machine.print.advance(10);
  await until('the job prints', () => statusesOf(printerId), is('Printing'));
  await until('the printer prints', () => activityOf(printerId), is('PRINTING'));
  machine.print.advance(50);
  machine.print.complete();
  await until('the job is completed', () => statusesOf(printerId), is('Completed'));
  const [job] = await jobsOf(printerId);
  expect([Number(job?.mmExtruded), Number(job?.gramsDerived), Number(job?.costPerPrint)]).toEqual([1000, 2.98, 0.0596]);
  await until('the printer has finished', () => activityOf(printerId), is('FINISHED'));
});

test('a file that OctoPrint analyses behind its print is booked by the process that hears of it', async () => {
  const machine = new FakeOctoPrint({ script: { seconds: 100, mm: 1000 } });
  await machine.listen(0);
  open.push(machine);
  const { id, printerId } = await deviceFor(machine.port, 'OCTOPRINT');
  const first = collect();
  await until('the printer is idle', () => activityOf(printerId), is('IDLE'));
  machine.upload();
  machine.print.start();
  await until('the job prints', () => statusesOf(printerId), is('Printing'));
  machine.print.complete();
  await until('the job is completed', () => statusesOf(printerId), is('Completed'));
  expect(Number((await jobsOf(printerId))[0]?.mmExtruded)).toBe(0);
  await first.close();
  collect();
  await until('the device is connected', () => deviceOf(id), has({ state: 'CONNECTED' }));
  machine.analyse();
  await until(
    'the job has its filament',
    () => jobsOf(printerId),
    ([job]) => Number(job?.mmExtruded) === 1000,
  );
  expect(await statusesOf(printerId)).toBe('Completed');
});

/** What counts as used when the spool of a printer is weighed now, through a gateway that does not hold the device; null: it is refused. */
async function usedWhenWeighed(printerId: string): Promise<string | null> {
  const { spoolId } = await database.prisma.slotLoad.findFirstOrThrow({ where: { printerId, to: null } });
  const adjustments = new AdjustmentService((work) => database.transaction((one) => work(createLedger(one))), {
    spool: async () => null,
  });
  const context = { now: new Date().toISOString(), newId: randomUUID, caller: { ownName: null } };
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
] as const)('a weighing uses what %s reported since its print was saved', async (kind, Fake) => {
  const machine = new Fake({ script: { seconds: 100, mm: 1000 } });
  await machine.listen(0);
  open.push(machine);
  const { printerId } = await deviceFor(machine.port, kind);
  collect();
  await until('the printer is idle', () => activityOf(printerId), is('IDLE'));
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
  await until('the job is completed', () => statusesOf(printerId), is('Completed'));
});

test('of two collectors one holds a device; when it gives the device back the other one goes on with the same print', async () => {
  const machine = await fake();
  const { id, printerId } = await deviceFor(machine.port);
  const first = collect();
  await until('the device is connected', () => deviceOf(id), has({ state: 'CONNECTED' }));
  machine.print.start();
  machine.print.advance(5);
  await until('the job prints', () => statusesOf(printerId), is('Printing'));
  const second = collect();
  const { holder } = await leaseOf(database, id);
  expect([held(first), held(second)]).toEqual([1, 0]);
  await first.close();
  await until('the second collector holds the device', () => held(second), is(1));
  const after = await leaseOf(database, id);
  expect(after.number).toBe(2n);
  expect(after.holder).not.toBe(holder);
  machine.print.advance(5);
  machine.print.complete();
  await until('the job is completed', () => statusesOf(printerId), is('Completed'));
  expect(await database.prisma.observedPrint.count({ where: { printerId } })).toBe(1);
});

test('a device that is disabled is let go, and one with another address is connected anew', async () => {
  const [machine, other] = [await fake(), await fake()];
  const { id, printerId } = await deviceFor(machine.port);
  const collector = collect();
  await until('the printer is idle', () => activityOf(printerId), is('IDLE'));
  await database.prisma.device.update({ where: { id }, data: { address: `127.0.0.1:${other.port}` } });
  other.print.start();
  await until('the job prints', () => statusesOf(printerId), is('Printing'));
  await database.prisma.device.update({ where: { id }, data: { enabled: false } });
  await until('the collector holds no device', () => held(collector), is(0));
});

test('a machine that tells of more prints than one can make is disconnected, and heard again', async () => {
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
  await until('the printer is idle', () => activityOf(printerId), is('IDLE'));
  // A fast database would take the prints as they come, and none would wait.
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
  // It has had as many new prints as an hour may have, so this one is shown and not recorded.
  await until('the printer prints', () => activityOf(printerId), is('PRINTING'));
});

describe('an OctoPrint', () => {
  /** Says what a test makes of its messages; null: nothing. */
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

  test('that writes NaN for temperatures is heard as any other one', async () => {
    const temps = '"temps":[{"time":1,"tool0":{"actual":NaN,"target":Infinity},"bed":{"actual":-Infinity}}]';
    const { machine, printerId } = await octoprint((text) => text.replace('"temps":[]', temps));
    collect();
    await until('the printer is idle', () => activityOf(printerId), is('IDLE'));
    machine.print.start();
    machine.print.advance(10);
    await until('the job prints', () => statusesOf(printerId), is('Printing'));
    machine.print.complete();
    await until('the job is completed', () => statusesOf(printerId), is('Completed'));
  });

  test.each<[string, (text: string) => string | null, string]>([
    [
      'never what it does',
      (text) => (/"(current|history)"/.test(text) ? '{"plugin":{"data":1}}' : text),
      'PROTOCOL_ERROR',
    ],
    ['nothing', (text) => (/"connected"/.test(text) ? text : null), 'SILENT'],
  ])('that says %s is not connected, and heard when it does', async (_, lie, fault) => {
    let isLying = true;
    const { machine, id, printerId } = await octoprint((text) => (isLying ? lie(text) : text));
    const states = new Set<string>();
    // Its users wait for 30 s.
    collect({ kinds: { ...KIND_CODE, OCTOPRINT: { ...KIND_CODE.OCTOPRINT, silentAfterMs: 500 } } });
    const watched = async () => {
      machine.print.advance(1);
      const found = await deviceOf(id);
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
    const heard = async () => {
      // It is silent for too long as soon as it says nothing for half a second.
      machine.print.advance(1);
      const { state, fault: now } = await deviceOf(id);
      return [state, now, await activityOf(printerId)];
    };
    await until(
      'the device is connected without a fault, and its printer idle',
      heard,
      (found) => found.join() === 'CONNECTED,,IDLE',
    );
  });
});

describe('a device with as many new prints as an hour may have', () => {
  /** Prints that are over, a second one behind the other, as they were heard: to begin, or in a history. */
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
  const countOf = (printerId: string) => database.prisma.observedPrint.count({ where: { printerId } });

  test('gets no further one until the hour is over, in a new process neither, and says so', async () => {
    const machine = await fake();
    const { id, printerId } = await deviceFor(machine.port);
    await printed(id, printerId, 'STARTED', 60);
    const first = collect();
    await until('the printer is idle', () => activityOf(printerId), is('IDLE'));
    const isTold = () =>
      until(
        'the connected device says that it tells too much',
        () => deviceOf(id),
        ({ state, fault }) => state === 'CONNECTED' && fault === 'TOO_MUCH_DATA',
      );
    machine.print.start();
    await isTold();
    machine.print.advance(10);
    machine.print.complete();
    await until('the printer has finished', () => activityOf(printerId), is('FINISHED'));
    machine.print.start();
    machine.print.advance(10);
    await until('the printer prints', () => activityOf(printerId), is('PRINTING'));
    await first.close();
    await database.prisma.device.update({ where: { id }, data: { fault: null } });
    collect();
    await isTold();
    expect(await countOf(printerId)).toBe(60);
    // The oldest of them leaves the hour: what still runs is recorded, with its own begin.
    await database.prisma.observedPrint.updateMany({
      where: { printerId, name: '59.gcode' },
      data: { createdAt: ago(3601) },
    });
    const statuses = () => {
      machine.print.advance(0.01);
      return statusesOf(printerId);
    };
    await until('the print that still runs is recorded', statuses, is('Printing'));
    await until('the device has no fault', () => deviceOf(id), has({ fault: null }));
    expect(await countOf(printerId)).toBe(61);
  });

  test('has them by what was heard to begin, not by a history that was read after an outage', async () => {
    const machine = await fake();
    const { id, printerId } = await deviceFor(machine.port);
    await printed(id, printerId, 'ENDED', 150);
    await printed(id, printerId, 'STARTED', 59);
    collect();
    machine.print.start();
    await until('the job prints', () => statusesOf(printerId), is('Printing'));
    expect((await deviceOf(id)).fault).toBeNull();
  });
});

describe('a decision that cannot be written', () => {
  /** The database refuses what becomes of the prints of a printer. */
  async function refuse(printerId: string, what: string): Promise<() => Promise<unknown>> {
    const name = `refuse_${printerId.replaceAll('-', '_')}`;
    const run = (sql: string) => database.prisma.$executeRawUnsafe(sql);
    await run(`create function ${name}() returns trigger language plpgsql as
      $$ begin raise exception 'refused by the test'; end $$`);
    await run(`create trigger ${name} before update on observed_prints for each row
      when (new.printer_id = '${printerId}' and ${what}) execute function ${name}()`);
    return () => run(`drop trigger ${name} on observed_prints`);
  }

  test('is put aside after its third failure: its print waits for a person, and the next one is recorded', async () => {
    const machine = await fake();
    const { id, printerId } = await deviceFor(machine.port);
    const failed: unknown[] = [];
    const aside: unknown[] = [];
    collect({ onFailed: (error) => failed.push(error), onWriteFailed: (error) => aside.push(error) });
    await until('the device is connected', () => deviceOf(id), has({ state: 'CONNECTED' }));
    const allow = await refuse(printerId, `new.outcome = 'COMPLETED'`);
    machine.print.start();
    machine.print.advance(10);
    await until('the job prints', () => statusesOf(printerId), is('Printing'));
    machine.print.complete();
    const outcomes = async () =>
      (await database.prisma.observedPrint.findMany({ where: { printerId }, orderBy: { createdAt: 'asc' } })).map(
        ({ outcome }) => outcome,
      );
    await until('the print waits for a person', outcomes, (found) => `${found}` === 'UNRESOLVED');
    expect([failed.length, aside.length]).toEqual([2, 1]);
    expect(String(aside[0])).toContain('refused by the test');
    expect(await deviceOf(id)).toMatchObject({ state: 'CONNECTED', fault: 'PROTOCOL_ERROR' });
    await allow();
    machine.print.start();
    await until('the next print is recorded', outcomes, (found) => `${found}` === 'UNRESOLVED,RUNNING');
    machine.print.complete();
    await until('the next print is completed', outcomes, (found) => `${found}` === 'UNRESOLVED,COMPLETED');
    expect([failed.length, aside.length]).toEqual([2, 1]);
  });

  test('while the database is away is waited for, however often it fails', async () => {
    const machine = await fake();
    const { printerId } = await deviceFor(machine.port);
    const writing = printWritingOn(database);
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
    await until('the printer is idle', () => activityOf(printerId), is('IDLE'));
    machine.print.start();
    machine.print.complete();
    await until('the job is completed', () => statusesOf(printerId), is('Completed'));
    expect(outages).toBeGreaterThan(4);
  });
});

test('beside machines that send without an end, an honest one is heard and its print recorded', async () => {
  const parts = Buffer.from('HTTP/1.1 102 Processing\r\n\r\n'.repeat(1000));
  const address = await tcpServer((socket) => {
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
  await until('the printer is idle', () => activityOf(printerId), is('IDLE'));
  machine.print.start();
  machine.print.advance(60);
  await until('the job prints', () => statusesOf(printerId), is('Printing'));
  machine.print.complete();
  await until('the job is completed', () => statusesOf(printerId), is('Completed'));
  for (const id of ids) await until('the device is offline', () => deviceOf(id), has({ state: 'OFFLINE' }));
});

test('a machine that talks while the database is away is heard again when it answers', async () => {
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
  // 20 KB of it take 270 KB of memory.
  const talk = `{"method":"notify_gcode_response","params":[${Array(6800).fill('[]')}]}`;
  await until('the machine is disconnected', () => {
    machine.say(talk);
    return closed > 0;
  });
  expect(connected).toBe(1);
  isAway = false;
  await until('the printer is idle', () => activityOf(printerId), is('IDLE'));
  machine.print.start();
  await until('the job prints', () => statusesOf(printerId), is('Printing'));
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
  const watch = (parts: Parameters<typeof collectorOn>[1] = {}) =>
    collect({ kinds: { ...KIND_CODE, ...quickly() }, ...parts });

  async function fakeCamera(secret: string | null = null): Promise<FakeGoPro> {
    const camera = new FakeGoPro({ secret });
    await camera.listen(0);
    open.push(camera);
    return camera;
  }

  async function cameraOf(port: number): Promise<{ cameraId: string; id: string }> {
    const [id, cameraId] = [randomUUID(), randomUUID()];
    await database.prisma.camera.create({ data: { cameraId, friendlyName: 'Bay 1', ...times } });
    await database.prisma.device.create({
      data: { id, kind: 'OPEN_GOPRO', cameraId, address: `127.0.0.1:${port}`, state: 'CONNECTING', ...times },
    });
    return { cameraId, id };
  }

  const recordsOf = (cameraId: string) =>
    database.prisma.cameraStatus.findMany({ where: { cameraId }, orderBy: [{ recordedAt: 'asc' }, { id: 'asc' }] });
  const latestOf = async (cameraId: string) =>
    (await createFarm(database, NO_SETTINGS).cameras.findExisting(cameraId)).lastStatus;
  test('a card with room for less than the printer says that it still prints is an alert', async () => {
    const printer = new FakeOctoPrint({ script: { seconds: 7200, mm: 1000 } });
    await printer.listen(0);
    open.push(printer);
    const { printerId } = await deviceFor(printer.port, 'OCTOPRINT');
    const camera = await fakeCamera();
    const { cameraId } = await cameraOf(camera.port);
    const { prisma } = database;
    await prisma.camera.update({ where: { cameraId }, data: { printerId, recordsPrints: true } });
    watch();
    await until('the printer is idle', () => activityOf(printerId), is('IDLE'));
    printer.upload();
    printer.print.start();
    printer.print.advance(600);
    camera.status['35'] = 600;
    camera.print.start();
    await until('the job prints', () => statusesOf(printerId), is('Printing'));
    // A job is to be recorded a minute after its begin.
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

  test('each poll is a record, also where nothing is new', async () => {
    const camera = await fakeCamera();
    const { cameraId, id } = await cameraOf(camera.port);
    const collector = watch();
    await until('the camera has three records', () => recordsOf(cameraId), atLeast(3));
    expect((await deviceOf(id)).state).toBe('CONNECTED');
    const [first, second] = await recordsOf(cameraId);
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
    await until('the camera records', () => latestOf(cameraId), has({ recordingState: 'recording' }));
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

  test('without the lease nothing is written, whoever has it now', async () => {
    const { cameraId, id } = await cameraOf(1);
    const recorder = cameraRecorderOn(database);
    const lease = { subject: id, holder: 'this', number: '1' };
    const later = new Date(Date.now() + 30_000);
    await setLease(database, id, { holder: 'this', until: later, number: 1 });
    expect(await recorder.record(lease, cameraId, [recent(30)], time)).toBe('DONE');
    const before = [await recordsOf(cameraId), await latestOf(cameraId)];
    for (const lost of [
      { holder: 'other', until: later, number: 2 },
      // Lost and taken back: what was heard before is not written.
      { holder: 'this', until: later, number: 3 },
      { holder: 'this', until: new Date(Date.now() - 1), number: 1 },
      { holder: null, until: null, number: 1 },
    ]) {
      await setLease(database, id, lost);
      expect(await recorder.record(lease, cameraId, [recent(20), recent(10)], time)).toBe('NOT_HELD');
      expect([await recordsOf(cameraId), await latestOf(cameraId)]).toEqual(before);
    }
    // Nor when the camera was removed, and its device with it.
    await createFarm(database, NO_SETTINGS).cameras.remove(cameraId, true, time);
    expect(await recorder.record(lease, cameraId, [recent(20)], time)).toBe('NOT_HELD');
  });

  test('polls that come while the database is away are written later, with their own times', async () => {
    const camera = await fakeCamera();
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
      // The second write lasts until several more polls were answered: one is asked behind the answer of the one before.
      const polls = camera.requestedPaths.length;
      if (tried.length === 2) await until('the camera is polled', () => camera.requestedPaths, atLeast(polls + 4));
      return recorder.record(lease, id, readings, given);
    };
    watch({ cameras: { record } as typeof recorder });
    await until('three writes were tried', () => tried, atLeast(3));
    await until(
      'all that was heard in them is written',
      () => recordsOf(cameraId),
      atLeast(tried.slice(0, 3).flat().length - 1),
    );
    expect(tried[1]).toEqual(tried[0]);
    // What was heard meanwhile is one write.
    expect(tried[2]?.length).toBeGreaterThan(1);
    const [written, heard] = [await recordsOf(cameraId), tried.flat().map(({ at }) => at)];
    const instants = written.map(({ recordedAt }) => recordedAt.toISOString());
    expect(instants.filter((at) => at === heard[0])).toHaveLength(1);
    expect(instants).toEqual(expect.arrayContaining(tried[2]?.map(({ at }) => at) as string[]));
  });

  test('a camera that sleeps is offline as a device; nothing is written of it, and it goes on when it wakes', async () => {
    const camera = await fakeCamera();
    const { cameraId, id } = await cameraOf(camera.port);
    watch({ kinds: { ...KIND_CODE, ...quickly({ answerMs: 100, connectMs: 200 }, 500) } });
    await until('the camera has a record', () => recordsOf(cameraId), atLeast(1));
    camera.setSilent(true);
    await until('the device is offline', () => deviceOf(id), has({ state: 'OFFLINE' }));
    expect((await deviceOf(id)).fault).toMatch(/^(SILENT|TIMED_OUT)$/);
    const asleep = await recordsOf(cameraId);
    expect(asleep.filter(({ online }) => !online)).toEqual([]);
    camera.setSilent(false);
    await until('the camera has a new record', () => recordsOf(cameraId), atLeast(asleep.length + 1));
    await until('the device is connected', () => deviceOf(id), has({ state: 'CONNECTED' }));
  });

  test('a refused password is told once, and not tried again', async () => {
    const camera = await fakeCamera('right');
    const { cameraId, id } = await cameraOf(camera.port);
    watch({ readSecret: () => 'wrong' });
    await until('the device is refused', () => deviceOf(id), has({ state: 'REFUSED' }));
    expect((await deviceOf(id)).fault).toBe('CREDENTIALS_REFUSED');
    expect(camera.requestedPaths.length).toBeLessThanOrEqual(2);
    expect(await recordsOf(cameraId)).toEqual([]);
  });

  test('a camera is asked more often while the printer that it watches prints', async () => {
    const camera = await fakeCamera();
    const { cameraId } = await cameraOf(camera.port);
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
    // What a machine tells counts more than a job that waits for its outcome.
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
    await until('the camera has three records', () => recordsOf(cameraId), atLeast(3));
  });
});
