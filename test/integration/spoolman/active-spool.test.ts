// Slots that follow the active spool of Moonraker, with simulated machines and a real database.
import { randomUUID } from 'node:crypto';
import type { Database } from '../../../src/database/database';
import { FakeMoonraker } from '../../../src/demo/machines/moonraker';
import { DeviceStore } from '../../../src/farm/devices/device.store';
import { InventoryStore } from '../../../src/farm/inventory/inventory.store';
import { PrinterSlotStore } from '../../../src/farm/inventory/printer-slot.store';
import type { Collector } from '../../../src/machines/collector/collector';
import { createInventoryLookUps, createSpoolLoadingService } from '../../../src/services';
import { createCollector } from '../../support/collectors';
import { provideDatabase } from '../../support/gateway';
import { has, is, until } from '../../support/waiting';

const MATERIAL = randomUUID();
const times = { createdAt: new Date(), updatedAt: new Date() };

const opened = provideDatabase();
let database: Database;
let farm: string;
const open: { close(): Promise<unknown> }[] = [];

beforeAll(async () => {
  database = opened();
  await database.prisma.material.create({ data: { id: MATERIAL, name: 'PLA', densityGPerCm3: '1.24' } });
  [{ name: farm = '' } = {}] = await database.prisma.$queryRaw<{ name: string }[]>`select name from change_feed`;
});
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
  await database.prisma.device.deleteMany();
});

interface Scene {
  machine: FakeMoonraker;
  id: string;
  printerId: string;
  /** The numbers and ids of three spools. */
  spools: { id: string; number: number }[];
}

async function addSpool(): Promise<{ id: string; number: number }> {
  const id = randomUUID();
  const weight = { filamentDiameterMm: '1.75', weightTotalGrams: '1000', purchasePrice: '20' };
  await database.prisma.spool.create({ data: { id, spoolSerial: id, materialId: MATERIAL, ...weight, ...times } });
  const { number } = await database.prisma.spool.findUniqueOrThrow({ where: { id } });
  return { id, number };
}

/** A printer whose Moonraker has this gateway as its Spoolman, unless it names another farm. */
async function setScene({ info = { farm } as Record<string, unknown> | null, settings = {} } = {}): Promise<Scene> {
  const machine = new FakeMoonraker({ script: { seconds: 100, mm: 1000 } });
  await machine.listen(0);
  open.push(machine);
  machine.machine.connectSpoolman(info && { version: '0.27.0', ...info });
  const [id, printerId] = [randomUUID(), randomUUID()];
  await database.prisma.printer.create({ data: { id: printerId, name: 'Voron', ...times } });
  const address = `127.0.0.1:${machine.port}`;
  await database.prisma.device.create({
    data: { id, kind: 'MOONRAKER', printerId, address, state: 'CONNECTING', ...settings, ...times },
  });
  return { machine, id, printerId, spools: [await addSpool(), await addSpool(), await addSpool()] };
}

function collect(): Collector {
  const collector = createCollector(database);
  open.push(collector);
  collector.start();
  return collector;
}

async function restart(collector: Collector): Promise<Collector> {
  await collector.close();
  open.splice(open.indexOf(collector), 1);
  return collect();
}

async function load(printerId: string, spoolId: string | null, slot = 'tool:0'): Promise<void> {
  const lookUps = createInventoryLookUps(new InventoryStore(database));
  const service = createSpoolLoadingService(database, new PrinterSlotStore(database), lookUps);
  const time = { now: new Date().toISOString(), deadline: Number.POSITIVE_INFINITY, newId: randomUUID };
  await service.load({ printerId, slot, spoolId, at: null }, time);
}

const readSpool = async (printerId: string, slot = 'tool:0') =>
  (await database.prisma.slotLoad.findFirst({ where: { printerId, slot, to: null } }))?.spoolId ?? null;
const readShown = async (id: string) => (await new DeviceStore(database).byId.load(id))?.spoolman ?? null;
const readSeen = async (id: string) =>
  (await database.prisma.device.findUniqueOrThrow({ where: { id } })).reportedSpools;

/** Waits until the gateway has handled that the machine has this active spool. */
const handled = (id: string, activeNumber: number | null) =>
  until(
    `the gateway has seen ${activeNumber}`,
    async () => ({ ...(await readShown(id)), seen: await readSeen(id) }),
    (shown) => shown.activeNumber === activeNumber && numberIn(shown.seen) === activeNumber,
  );
const numberIn = (seen: unknown) =>
  (seen as Record<string, { spool: { number: number } | null }> | null)?.['tool:0']?.spool?.number ?? null;

test('the active spool is in the slot, and is taken out when it is cleared', async () => {
  const { machine, id, printerId, spools } = await setScene();
  const [one, two] = spools as [(typeof spools)[0], (typeof spools)[0]];
  collect();
  await until(
    'Moonraker is known',
    () => readShown(id),
    has({ isThisGateway: true, activeNumber: null, message: null }),
  );
  const before = Date.now();
  machine.machine.chooseSpool(one.number);
  await until('the first spool is loaded', () => readSpool(printerId), is(one.id));
  machine.machine.chooseSpool(two.number);
  await until('the second spool is loaded', () => readSpool(printerId), is(two.id));
  machine.machine.chooseSpool(0);
  await until('the slot is empty', () => readSpool(printerId), is(null));
  const loads = await database.prisma.slotLoad.findMany({ where: { printerId }, orderBy: { from: 'asc' } });
  expect(loads.map(({ spoolId }) => spoolId)).toEqual([one.id, two.id]);
  expect(loads[0]?.to).toEqual(loads[1]?.from);
  expect(Number(loads[0]?.from)).toBeGreaterThanOrEqual(before);
  expect(await readShown(id)).toEqual({ isThisGateway: true, activeNumber: null, message: null });
});

test('first contact leaves a full slot, a load of a user stays, and the next change of the machine wins, over restarts', async () => {
  const { machine, id, printerId, spools } = await setScene();
  const [one, two, three] = spools as [(typeof spools)[0], (typeof spools)[0], (typeof spools)[0]];
  await load(printerId, two.id);
  machine.machine.chooseSpool(one.number);
  let collector = collect();
  await handled(id, one.number);
  expect(await readSpool(printerId)).toBe(two.id);
  machine.machine.chooseSpool(three.number);
  await until('the choice of the machine is loaded', () => readSpool(printerId), is(three.id));
  await load(printerId, two.id);
  collector = await restart(collector);
  await until('the device is connected', () => readActivity(printerId), is('IDLE'));
  machine.restart();
  // The change proves that everything before it was handled.
  machine.machine.chooseSpool(one.number);
  await until('the later choice is loaded', () => readSpool(printerId), is(one.id));
  const loads = await database.prisma.slotLoad.findMany({ where: { printerId }, orderBy: { from: 'asc' } });
  expect(loads.map(({ spoolId }) => spoolId)).toEqual([two.id, three.id, two.id, one.id]);
  await load(printerId, null);
  await restart(collector);
  machine.machine.chooseSpool(two.number);
  await until('the last choice is loaded', () => readSpool(printerId), is(two.id));
});

const readActivity = async (printerId: string) =>
  (await database.prisma.printerState.findUnique({ where: { printerId } }))?.activity;

test('a spool that END_PRINT clears stays in its slot until the print ends, and the job counts it', async () => {
  const { machine, id, printerId, spools } = await setScene();
  const [one] = spools as [(typeof spools)[0]];
  machine.machine.chooseSpool(one.number);
  const collector = collect();
  await until('the spool is loaded', () => readSpool(printerId), is(one.id));
  machine.print.start();
  machine.print.advance(50);
  const readJobs = () => database.prisma.printJob.findMany({ where: { printerId } });
  await until('the job prints', readJobs, ([job]) => job?.status === 'Printing');
  machine.machine.chooseSpool(null);
  await handled(id, null);
  expect(await readSpool(printerId)).toBe(one.id);
  await restart(collector);
  await until('the device is connected', () => readShown(id), has({ activeNumber: null }));
  machine.print.complete();
  await until('the slot is empty', () => readSpool(printerId), is(null));
  const [job] = await until('the job is completed', readJobs, ([job]) => job?.status === 'Completed' && [job]);
  expect([job?.spoolId, Number(job?.mmExtruded)]).toEqual([one.id, 1000]);
});

test('a spool that START_PRINT chooses before anything is printed gets the whole print', async () => {
  const { machine, printerId, spools } = await setScene();
  const [one] = spools as [(typeof spools)[0]];
  collect();
  await until('the device is connected', () => readActivity(printerId), is('IDLE'));
  machine.print.start();
  await until('the print is seen', () => database.prisma.observedPrint.findFirst({ where: { printerId } }));
  machine.machine.chooseSpool(one.number);
  const readJobs = () => database.prisma.printJob.findMany({ where: { printerId } });
  await until('the job prints', readJobs, ([job]) => job?.status === 'Printing');
  machine.print.complete();
  const [job] = await until('the job is completed', readJobs, ([job]) => job?.status === 'Completed' && [job]);
  expect([job?.spoolId, Number(job?.mmExtruded)]).toEqual([one.id, 1000]);
});

test('a spool that START_PRINT takes from another printer stays there until it is chosen, and the print still gets it whole', async () => {
  const [first, second] = [await setScene(), await setScene()];
  const [one] = first.spools as [(typeof first.spools)[0]];
  second.machine.machine.chooseSpool(one.number);
  collect();
  await until('the second printer has the spool', () => readSpool(second.printerId), is(one.id));
  await until('the device is connected', () => readActivity(first.printerId), is('IDLE'));
  first.machine.print.start();
  await until('the print is seen', () =>
    database.prisma.observedPrint.findFirst({ where: { printerId: first.printerId } }),
  );
  const before = new Date();
  first.machine.machine.chooseSpool(one.number);
  await until('the first printer has the spool', () => readSpool(first.printerId), is(one.id));
  const { to } = await database.prisma.slotLoad.findFirstOrThrow({ where: { printerId: second.printerId } });
  expect(Number(to)).toBeGreaterThanOrEqual(Number(before));
  const readJobs = () => database.prisma.printJob.findMany({ where: { printerId: first.printerId } });
  first.machine.print.complete();
  const [job] = await until('the job is completed', readJobs, ([job]) => job?.status === 'Completed' && [job]);
  expect([job?.spoolId, Number(job?.mmExtruded)]).toEqual([one.id, 1000]);
});

test('a spool that was chosen while nobody listened is there from the start of the first print that used it alone', async () => {
  const { machine, id, printerId, spools } = await setScene();
  const [one, two] = spools as [(typeof spools)[0], (typeof spools)[0]];
  machine.machine.chooseSpool(one.number);
  const collector = collect();
  await until('the first spool is loaded', () => readSpool(printerId), is(one.id));
  await collector.close();
  open.splice(open.indexOf(collector), 1);
  machine.machine.chooseSpool(two.number);
  machine.print.start();
  machine.print.advance(10);
  machine.print.complete();
  collect();
  await handled(id, two.number);
  const print = await until('the print is recorded', () =>
    database.prisma.observedPrint.findFirst({ where: { printerId, outcome: 'COMPLETED' } }),
  );
  const present = await database.prisma.slotLoad.findFirstOrThrow({ where: { printerId, to: null } });
  expect([present.spoolId, present.from]).toEqual([two.id, print.startedAt]);
  const job = await until('the job is written', () => database.prisma.printJob.findFirst({ where: { printerId } }));
  expect(job.spoolId).toBe(two.id);
});

test.each([
  ['another Spoolman', { version: '0.26.1' }, false, 'another Spoolman'],
  ['the gateway of another farm', { farm: 'other' }, false, 'another Spoolman'],
  ['a Spoolman that does not answer', null, null, 'cannot reach'],
])('the ids of %s change nothing', async (_what, info, isThisGateway, message) => {
  const { machine, id, printerId, spools } = await setScene({ info });
  const [one] = spools as [(typeof spools)[0]];
  machine.machine.chooseSpool(one.number);
  collect();
  await until('Moonraker is known', () => readShown(id), has({ activeNumber: one.number, isThisGateway }));
  expect((await readShown(id))?.message).toMatch(message);
  expect(await readSpool(printerId)).toBeNull();
  // The owner corrects moonraker.conf.
  machine.machine.connectSpoolman({ farm });
  await until('the spool is loaded', () => readSpool(printerId), is(one.id));
});

test('an unknown or archived number changes nothing, and a message says so', async () => {
  const { machine, id, printerId, spools } = await setScene();
  const [one, two] = spools as [(typeof spools)[0], (typeof spools)[0]];
  await database.prisma.spool.update({ where: { id: two.id }, data: { archivedAt: new Date() } });
  collect();
  machine.machine.chooseSpool(one.number);
  await until('the spool is loaded', () => readSpool(printerId), is(one.id));
  machine.machine.chooseSpool(2_000_000_000);
  await handled(id, 2_000_000_000);
  expect((await readShown(id))?.message).toMatch('no spool with this number');
  machine.machine.chooseSpool(two.number);
  await handled(id, two.number);
  expect((await readShown(id))?.message).toMatch('archived');
  expect(await readSpool(printerId)).toBe(one.id);
  await database.prisma.spool.update({ where: { id: two.id }, data: { archivedAt: null } });
  machine.restart();
  await until('the restored spool is loaded', () => readSpool(printerId), is(two.id));
  await until('nothing is wrong any more', () => readShown(id), has({ message: null }));
});

test('tools follow the variable spool_id of their macros, and the active spool moves nothing', async () => {
  const { machine, printerId, spools } = await setScene();
  const [one, two, three] = spools as [(typeof spools)[0], (typeof spools)[0], (typeof spools)[0]];
  machine.machine.addExtruders().setToolSpool(0, one.number).setToolSpool(1, null);
  machine.machine.chooseSpool(three.number);
  collect();
  await until('the first tool has its spool', () => readSpool(printerId), is(one.id));
  machine.machine.setToolSpool(1, two.number);
  await until('the second tool has its spool', () => readSpool(printerId, 'tool:1'), is(two.id));
  machine.machine.setToolSpool(0, two.number).setToolSpool(1, one.number);
  await until('the tools have exchanged their spools', () => readSpool(printerId), is(two.id));
  await until('the tools have exchanged their spools', () => readSpool(printerId, 'tool:1'), is(one.id));
  machine.machine.setToolSpool(0, 0);
  await until('the first tool is empty', () => readSpool(printerId), is(null));
});

test('the gates of Happy Hare follow gate_spool_id', async () => {
  const { machine, printerId, spools } = await setScene();
  const [one, two] = spools as [(typeof spools)[0], (typeof spools)[0]];
  machine.machine.addUnit(0, 1).update({ mmu: { gate_spool_id: [-1, one.number] } });
  collect();
  await until('the second gate has its spool', () => readSpool(printerId, 'mmu:1'), is(one.id));
  machine.machine.update({ mmu: { gate_spool_id: [two.number, -1] } });
  await until('the first gate has its spool', () => readSpool(printerId, 'mmu:0'), is(two.id));
  await until('the second gate is empty', () => readSpool(printerId, 'mmu:1'), is(null));
});

test('another unit is not followed, and a message says so', async () => {
  const { machine, id, printerId, spools } = await setScene();
  machine.machine.update({ AFC: { current_load: null } }).chooseSpool(spools[0]?.number ?? null);
  collect();
  await until('Moonraker is known', () => readShown(id), has({ isThisGateway: true }));
  expect((await readShown(id))?.message).toMatch('AFC');
  expect(await readSpool(printerId)).toBeNull();
});

test('a device that is not followed shows its active spool, and its slot stays as it is', async () => {
  const { machine, id, printerId, spools } = await setScene({ settings: { followsSpools: false } });
  machine.machine.chooseSpool(spools[0]?.number ?? null);
  collect();
  await handled(id, spools[0]?.number ?? null);
  expect((await readShown(id))?.message).toMatch('followsSpools');
  expect(await readSpool(printerId)).toBeNull();
});

describe('the gateway sets the active spool', () => {
  const settings = { setsActiveSpool: true };

  test('when a user loads or unloads, once, by the process that holds the device', async () => {
    const { machine, id, printerId, spools } = await setScene({ settings });
    const [one, two, three] = spools as [(typeof spools)[0], (typeof spools)[0], (typeof spools)[0]];
    machine.machine.chooseSpool(one.number);
    [collect(), collect()];
    await until('the first spool is loaded', () => readSpool(printerId), is(one.id));
    const active = () => machine.machine.spoolman?.active;
    await load(printerId, two.id);
    await until('Moonraker has the spool of the user', active, is(two.number));
    await handled(id, two.number);
    await load(printerId, null);
    await until('Moonraker has no spool', active, is(null));
    await handled(id, null);
    // The machine chooses, and the gateway sends nothing back.
    machine.machine.chooseSpool(three.number);
    await until('the choice of the machine is loaded', () => readSpool(printerId), is(three.id));
    await load(printerId, one.id);
    await until('Moonraker has the spool of the user', active, is(one.number));
    expect(machine.machine.spoolman?.posted).toEqual([two.number, null, one.number]);
  });

  test('but not against a machine that chooses another spool', async () => {
    const { machine, id, printerId, spools } = await setScene({ settings });
    const [one, two, three] = spools as [(typeof spools)[0], (typeof spools)[0], (typeof spools)[0]];
    machine.machine.chooseSpool(one.number);
    const collector = collect();
    await until('the first spool is loaded', () => readSpool(printerId), is(one.id));
    const choose = machine.machine.chooseSpool.bind(machine.machine);
    // A macro answers each new active spool with its own.
    machine.machine.chooseSpool = (number) =>
      choose(number).spoolman === null ? machine.machine : choose(three.number);
    await load(printerId, two.id);
    await until('the choice of the machine is loaded', () => readSpool(printerId), is(three.id));
    await handled(id, three.number);
    await restart(collector);
    await until('the device is connected', () => readActivity(printerId), is('IDLE'));
    choose(one.number);
    await until('the choice of the machine is loaded', () => readSpool(printerId), is(one.id));
    expect(machine.machine.spoolman?.posted).toEqual([two.number]);
  });

  test('but not when the machine of another printer chooses the spool', async () => {
    const [first, second] = [await setScene({ settings }), await setScene({ settings })];
    const [one, two] = first.spools as [(typeof first.spools)[0], (typeof first.spools)[0]];
    first.machine.machine.chooseSpool(one.number);
    const collector = collect();
    await until('the first printer has the spool', () => readSpool(first.printerId), is(one.id));
    second.machine.machine.chooseSpool(one.number);
    await until('the second printer has the spool', () => readSpool(second.printerId), is(one.id));
    expect(await readSpool(first.printerId)).toBeNull();
    await restart(collector);
    // The gateway sends what a user does later. Anything that it had to send before would have been sent first.
    await until('the device is connected', () => readActivity(first.printerId), is('IDLE'));
    await load(first.printerId, two.id);
    const posted = () => first.machine.machine.spoolman?.posted ?? [];
    await until('the spool of the user is sent', posted, (sent) => sent.includes(two.number));
    expect(posted()).toEqual([two.number]);
    expect(second.machine.machine.spoolman?.posted).toEqual([]);
    // A user takes the spool of the first printer, so that printer has none any more.
    await load(second.printerId, two.id);
    await until(
      'the second printer has the spool of the user',
      () => second.machine.machine.spoolman?.active,
      is(two.number),
    );
    await until('the first printer has none', posted, (sent) => sent.includes(null));
  });

  test('only where the owner switched it on, and only of this farm', async () => {
    const off = await setScene();
    const foreign = await setScene({ settings, info: { version: '0.26.1' } });
    collect();
    for (const { machine, id, printerId, spools } of [off, foreign]) {
      await until('Moonraker is known', () => readShown(id));
      await load(printerId, spools[0]?.id ?? null);
      machine.machine.chooseSpool(spools[1]?.number ?? null);
      await until('the choice is seen', () => readShown(id), has({ activeNumber: spools[1]?.number }));
      expect(machine.machine.spoolman?.posted).toEqual([]);
    }
    expect(await readSpool(foreign.printerId)).toBe(foreign.spools[0]?.id);
  });
});
