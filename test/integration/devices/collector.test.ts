// The collector with fake machines and a real database: what machines do becomes prints and jobs.
import { randomUUID } from 'node:crypto';
import { type Database, openDatabase } from '../../../src/database/database';
import type { Collector } from '../../../src/devices/collector/collector';
import type { Connect } from '../../../src/devices/connection';
import { DeviceStore } from '../../../src/devices/device.store';
import { KINDS } from '../../../src/devices/kinds';
import { FakeMoonraker } from '../../../src/devices/moonraker/fake';
import { collectorOn } from '../../support/collecting';
import { freshDatabase } from '../../support/databases';
import { PATIENT } from '../../support/gateway';
import { until } from '../../support/waiting';

const MATERIAL = randomUUID();

let database: Database;
const collectors: Collector[] = [];
const fakes: FakeMoonraker[] = [];

beforeAll(async () => {
  database = await openDatabase((await freshDatabase('embedded')).target, {}, PATIENT.budget);
  await database.prisma.material.create({ data: { id: MATERIAL, name: 'PLA', densityGPerCm3: '1.24' } });
});
afterEach(async () => {
  for (const one of collectors.splice(0)) await one.close();
  for (const one of fakes.splice(0)) await one.close();
  await database.prisma.device.deleteMany();
});
afterAll(() => database.close());

function collect(parts: Parameters<typeof collectorOn>[1] = {}): Collector {
  const collector = collectorOn(database, parts);
  collectors.push(collector);
  collector.start();
  return collector;
}

const held = (collector: Collector) => collector.figures().devices.length;

async function fake(): Promise<FakeMoonraker> {
  const machine = new FakeMoonraker({ script: { seconds: 100, mm: 1000 } });
  await machine.listen(0);
  fakes.push(machine);
  return machine;
}

async function deviceFor(port: number): Promise<{ id: string; printerId: string }> {
  const [id, printerId, spoolId] = [randomUUID(), randomUUID(), randomUUID()];
  const times = { createdAt: new Date(), updatedAt: new Date() };
  const { prisma } = database;
  await prisma.printer.create({ data: { id: printerId, name: 'Voron', ...times } });
  await prisma.spool.create({
    data: {
      ...{ id: spoolId, spoolSerial: spoolId, filamentDiameterMm: '1.75', weightTotalGrams: '1000' },
      ...{ purchasePrice: '20', materialId: MATERIAL, ...times },
    },
  });
  await prisma.printerSlot.create({ data: { printerId, slot: 'tool:0', spoolId, loadedAt: new Date() } });
  await prisma.device.create({
    data: { id, kind: 'MOONRAKER', printerId, address: `127.0.0.1:${port}`, state: 'CONNECTING', ...times },
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
  await until(async () => (await deviceOf(id)).state === 'CONNECTED');
  await until(async () => (await activityOf(printerId)) === 'IDLE');
  machine.print.begin();
  machine.print.advance(10);
  await until(async () => (await statusesOf(printerId)) === 'Printing');
  await until(async () => (await activityOf(printerId)) === 'PRINTING');
  machine.print.advance(50);
  machine.print.complete();
  await until(async () => (await statusesOf(printerId)) === 'Completed');
  const [job] = await jobsOf(printerId);
  expect([Number(job?.mmExtruded), Number(job?.gramsDerived), Number(job?.costPerPrint)]).toEqual([1000, 2.98, 0.0596]);
  await until(async () => (await activityOf(printerId)) === 'FINISHED');
});

test('a machine that is off has the fault NOT_REACHABLE', async () => {
  const machine = await fake();
  const { id } = await deviceFor(machine.port);
  await machine.close();
  fakes.pop();
  collect();
  await until(async () => (await deviceOf(id)).state === 'OFFLINE');
  expect((await deviceOf(id)).fault).toBe('NOT_REACHABLE');
});

test('of two collectors one holds a device; when it gives the device back the other one goes on with the same print', async () => {
  const machine = await fake();
  const { id, printerId } = await deviceFor(machine.port);
  const first = collect();
  await until(async () => (await deviceOf(id)).state === 'CONNECTED');
  machine.print.begin();
  machine.print.advance(5);
  await until(async () => (await statusesOf(printerId)) === 'Printing');
  const second = collect();
  const { holder } = await deviceOf(id);
  expect([held(first), held(second)]).toEqual([1, 0]);
  await first.close();
  await until(async () => held(second) === 1);
  const after = await deviceOf(id);
  expect(after.leaseNumber).toBe(2n);
  expect(after.holder).not.toBe(holder);
  machine.print.advance(5);
  machine.print.complete();
  await until(async () => (await statusesOf(printerId)) === 'Completed');
  expect(await database.prisma.observedPrint.count({ where: { printerId } })).toBe(1);
});

test('a device that is removed and added again in mid-print goes on with the same print', async () => {
  const machine = await fake();
  const { id, printerId } = await deviceFor(machine.port);
  collect();
  await until(async () => (await deviceOf(id)).state === 'CONNECTED');
  machine.print.begin();
  machine.print.advance(5);
  await until(async () => (await statusesOf(printerId)) === 'Printing');
  const store = new DeviceStore(database);
  const now = new Date().toISOString();
  await store.remove(id, now);
  const again = { ...(await newDevice(printerId, machine.port)), createdAt: now, updatedAt: now, stateSince: now };
  expect(await store.add(again)).toBe(true);
  await until(async () => (await deviceOf(again.id)).state === 'CONNECTED');
  machine.print.advance(5);
  machine.print.complete();
  await until(async () => (await statusesOf(printerId)) === 'Completed');
  expect(await database.prisma.observedPrint.count({ where: { printerId } })).toBe(1);
});

const newDevice = async (printerId: string, port: number) => ({
  ...{
    id: randomUUID(),
    kind: 'MOONRAKER' as const,
    printerId,
    cameraId: null,
    address: `127.0.0.1:${port}`,
    serial: null,
  },
  ...{ username: null, secret: null, certificateFingerprint: null, enabled: true, state: 'CONNECTING' as const },
});

test('a device that is disabled is let go, and one with another address is connected anew', async () => {
  const [machine, other] = [await fake(), await fake()];
  const { id, printerId } = await deviceFor(machine.port);
  const collector = collect();
  await until(async () => (await activityOf(printerId)) === 'IDLE');
  await database.prisma.device.update({ where: { id }, data: { address: `127.0.0.1:${other.port}` } });
  other.print.begin();
  await until(async () => (await statusesOf(printerId)) === 'Printing');
  await database.prisma.device.update({ where: { id }, data: { enabled: false } });
  await until(async () => held(collector) === 0);
});

test('a machine that tells of more prints than one can make is disconnected, and heard again', async () => {
  const machine = await fake();
  const { printerId } = await deviceFor(machine.port);
  let connected = 0;
  const connect: Connect = (...given) => {
    connected += 1;
    return KINDS.MOONRAKER.connect(...given);
  };
  collect({ kinds: { ...KINDS, MOONRAKER: { ...KINDS.MOONRAKER, connect } } });
  await until(async () => (await activityOf(printerId)) === 'IDLE');
  for (let print = 0; print < 60; print += 1) {
    machine.print.begin();
    machine.print.complete();
  }
  await until(() => connected > 1);
  machine.print.begin();
  await until(async () => (await statusesOf(printerId)).includes('Printing'));
});
