// Plays recordings of machines through rules, rows and jobs: each print becomes one job, with its times, amounts and cost.
import { randomUUID } from 'node:crypto';
import type { Database } from '../../src/database/database';
import { amsOf, unit } from '../../src/demo/machines/bambu';
import { deriveGrams } from '../../src/farm/print-jobs/filament';
import { PrintJobResolver } from '../../src/farm/print-jobs/print-job.resolver';
import type { PrintJobService } from '../../src/farm/print-jobs/print-job.service';
import { PrintPlanService } from '../../src/farm/print-plans/print-plan.service';
import { PrintPlanStore } from '../../src/farm/print-plans/print-plan.store';
import { type Course, NO_FIGURES, type PrintReading, type RunningPrint } from '../../src/farm/print-rules/print.model';
import { assignSpools, ignorePrint, resolvePrint } from '../../src/farm/prints/print-decisions.service';
import { PrintWritingService, type Step as WrittenStep } from '../../src/farm/prints/print-writing.service';
import { createPrintStores, type InTransaction } from '../../src/farm/prints/prints.transaction';
import { PRINTER_KINDS } from '../../src/kind-facts';
import { bambu } from '../../src/machines/bambu/adapter';
import { createEmptyReading } from '../../src/machines/machine-adapter';
import { moonraker } from '../../src/machines/moonraker/adapter';
import { prusalink } from '../../src/machines/prusalink/adapter';
import { createFarm, NO_SETTINGS } from '../../src/resolvers';
import type { RequestTime } from '../../src/values/request-time';
import { BambuMachine } from '../recordings/bambu/machine';
import { BAMBU } from '../recordings/bambu/recordings';
import { MoonrakerMachine } from '../recordings/moonraker/machine';
import { MOONRAKER } from '../recordings/moonraker/recordings';
import { OCTOPRINT } from '../recordings/octoprint/recordings';
import { PrusaLinkMachine } from '../recordings/prusalink/machine';
import { type ExpectedPrint, instant, type Recording, type Step } from '../recordings/recording';
import { setLease } from '../support/collectors';
import { createCourse, segment } from '../support/courses';
import { DatabaseReplay } from '../support/database-replay';
import { provideDatabase } from '../support/gateway';

const MATERIAL = randomUUID();
const TIME = { now: instant(100_000), deadline: Number.POSITIVE_INFINITY, newId: randomUUID };
const times = { createdAt: instant(0), updatedAt: instant(0) };

const opened = provideDatabase();
let database: Database;
let prints: PrintWritingService;
/** When the store of prints was started. */
let transactions = 0;
let plans: PrintPlanService;
let jobs: PrintJobService;

beforeAll(async () => {
  database = opened();
  prints = new PrintWritingService((work) => {
    transactions += 1;
    return inTransaction(work);
  }, createPrintStores(database).deviceHistory);
  plans = new PrintPlanService(new PrintPlanStore(database), true);
  const { resolvers } = createFarm(database, NO_SETTINGS);
  ({ service: jobs } = resolvers.get(PrintJobResolver) as unknown as { service: PrintJobService });
  await database.prisma.material.create({ data: { id: MATERIAL, name: 'PLA', densityGPerCm3: '1.24' } });
});

const inTransaction: InTransaction = (work) =>
  database.transaction((transaction) => work(createPrintStores(transaction)));
/** The entries of users. */
const decisions = {
  assignSpools: (id: string, spools: { slot: string; spoolId: string }[], moment: RequestTime) =>
    inTransaction((prints) => assignSpools(prints, id, spools, moment)),
  resolve: (id: string, outcome: string, endedAt: string | null, moment: RequestTime) =>
    inTransaction((prints) => resolvePrint(prints, id, outcome, endedAt, moment)),
  ignore: (id: string, ignored: boolean, moment: RequestTime) =>
    inTransaction((prints) => ignorePrint(prints, id, ignored, moment)),
};

async function newSpool(): Promise<string> {
  const id = randomUUID();
  const size = { filamentDiameterMm: '1.75', weightTotalGrams: '1000', purchasePrice: '20' };
  await database.prisma.spool.create({ data: { id, spoolSerial: id, ...size, materialId: MATERIAL, ...times } });
  return id;
}

/** A printer with a device that this process holds, and a spool, which is in this slot or in none. */
async function createMachine(kind = 'MOONRAKER', slot?: string) {
  const [printerId, deviceId, spoolId] = [randomUUID(), randomUUID(), await newSpool()];
  const { prisma } = database;
  await prisma.printer.create({ data: { id: printerId, name: kind, ...times } });
  const device = { id: deviceId, kind, printerId, address: '127.0.0.1', state: 'CONNECTED', ...times };
  await prisma.device.create({ data: device });
  await setLease(database, deviceId, { holder: 'me', until: '2099-01-01T00:00:00Z', number: 1 });
  if (slot !== undefined) await prisma.slotLoad.create({ data: { printerId, slot, spoolId, from: instant(0) } });
  return { kind, printerId, spoolId, lease: { subject: deviceId, holder: 'me', number: '1' } };
}
const loaded = () => createMachine('MOONRAKER', 'tool:0');
type Machine = Awaited<ReturnType<typeof createMachine>>;
type Played = Pick<Recording, 'adapter' | 'steps'>;

/**
 * @param cutEvery a new process continues after so many steps
 * @param behind called after each step with its number, from 1
 */
async function play(
  played: Played,
  machine: Machine,
  cutEvery = Number.POSITIVE_INFINITY,
  behind = async (_: number) => {},
): Promise<void> {
  const whole = { ...machine, store: createPrintStores(database).deviceHistory, prints };
  let process = new DatabaseReplay(played, whole, null);
  for (const [at, step] of played.steps.entries()) {
    await process.playStep(step);
    if ((at + 1) % cutEvery === 0) {
      process = new DatabaseReplay(played, whole, process.lastContactAt);
      if (step.link === 'up') await process.open(step);
    }
    await behind(at + 1);
  }
}

const readPrints = ({ printerId }: Machine) =>
  database.prisma.observedPrint.findMany({ where: { printerId }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
const readJobs = ({ printerId }: Machine) =>
  database.prisma.printJob.findMany({ where: { printerId }, orderBy: [{ startedAt: 'asc' }, { id: 'asc' }] });
const record = (machine: Machine, step: WrittenStep, lease = machine.lease) =>
  prints.writeStep(lease, { deviceId: lease.subject, printerId: machine.printerId }, step, TIME);

const readActiveSlots = ({ course }: { course: unknown }) => {
  const stretches = (course as Course | null)?.stretches ?? [];
  return [...new Set(stretches.flatMap(({ slot }) => slot ?? []))];
};

const RUNNING: RunningPrint = {
  externalId: null,
  name: 'part.gcode',
  filePath: 'part.gcode',
  startedAt: instant(10),
  startedAtEstimated: false,
  plan: null,
  paused: false,
  lost: false,
  seenAt: instant(10),
  measured: [],
  course: null,
  ...NO_FIGURES,
  machine: PRINTER_KINDS.MOONRAKER,
};
const COMPLETED = { outcome: 'COMPLETED' as const, at: instant(50), estimated: false, reason: null };
/** A job that a user plans. */
const planned = ({ printerId, spoolId }: Machine, members: { printName: string; gcodeFilePath: string }) => ({
  printerId,
  spoolId,
  mmExtruded: '5',
  gramsDerived: '0',
  costPerPrint: '0',
  notes: null,
  startedAt: null,
  autoDeriveGrams: true,
  dataSource: 'Manual',
  filamentDiameterAtPrintMm: '0',
  materialDensityAtPrint: '0',
  ...members,
});

/** unit/recordings plays all recordings through the adapters and the rules; these recordings differ in what is written. */
const WRITTEN = [
  'moonraker: a whole print',
  'moonraker: a cancel',
  'moonraker: Moonraker is killed, and the print ends before it is back',
  'moonraker: two tools share one total',
  'octoprint: a failure',
  'octoprint: OctoPrint is killed during a print',
  'octoprint: a file that is never analysed',
  'octoprint: a restart during a pause',
  'octoprint: a fault of the firmware, and OctoPrint stays connected',
];
const STATUS = {
  RUNNING: 'Printing',
  COMPLETED: 'Completed',
  CANCELLED: 'Cancelled',
  FAILED: 'Failed',
  UNRESOLVED: 'Printing',
};
const findRecording = (name: string) => [...MOONRAKER, ...OCTOPRINT].find((one) => one.name === name) as Recording;
const readLengths = ({ filament }: ExpectedPrint) => filament.map((one) => one.split(' ')[1]);
const WHOLE = findRecording('moonraker: a whole print');
const [WHOLE_PRINT] = WHOLE.expected as [ExpectedPrint];

test.each(WRITTEN)('%s', async (name) => {
  const recording = findRecording(name);
  const machine = await loaded();
  await play(recording, machine);
  const prints = await readPrints(machine);
  expect(prints.map(({ name, outcome }) => ({ name, outcome }))).toEqual(
    recording.expected.map(({ name, outcome }) => ({ name, outcome })),
  );
  const booked = await readJobs(machine);
  for (const [at, expected] of recording.expected.entries()) {
    const job = booked.find(({ id }) => id === prints[at]?.jobId);
    // A print of more than one slot waits for a user.
    expect({ expected, hasJob: job !== undefined }).toEqual({ expected, hasJob: expected.filament.length < 2 });
    if (job === undefined) continue;
    expect(job).toMatchObject({ printName: expected.name, status: STATUS[expected.outcome], dataSource: 'PrinterApi' });
    const [mm] = readLengths(expected);
    if (expected.outcome === 'RUNNING' || expected.outcome === 'UNRESOLVED' || mm === '-') continue;
    const grams = deriveGrams(mm as string, '1.75', '1.24');
    expect(Number(job.mmExtruded)).toBe(Number(mm));
    expect(Number(job.gramsDerived)).toBe(Number(grams));
    expect(Number(job.costPerPrint)).toBe(Number((Number(grams) * 0.02).toFixed(4)));
    expect(job.completedAt?.toISOString()).toBe(prints[at]?.endedAt?.toISOString());
  }
  expect(booked.length).toBe(prints.filter(({ jobId }) => jobId !== null).length);
});

test('a print without a loaded spool waits, and gets its job with its original times from assignSpools', async () => {
  const machine = await createMachine();
  await play(WHOLE, machine);
  const [print] = await readPrints(machine);
  const assign = (...spools: { slot: string; spoolId: string }[]) =>
    decisions.assignSpools(print?.id as string, spools, TIME);
  for (const [spools, message] of [
    [[], 'spools must name each slot of the print once: tool:0'],
    [[{ slot: 'tool:1', spoolId: machine.spoolId }], 'spools must name each slot of the print once: tool:0'],
    [[{ slot: 'tool:0', spoolId: 'none' }], 'spoolId must be the id of a spool'],
    [[{ slot: 'tool:0', spoolId: randomUUID() }], 'spoolId must be the id of a spool'],
  ] as const)
    await expect(assign(...spools)).rejects.toThrow(message);
  expect(await readJobs(machine)).toEqual([]);
  await assign({ slot: 'tool:0', spoolId: machine.spoolId });
  const [job] = await readJobs(machine);
  expect(job).toMatchObject({ status: 'Completed', startedAt: print?.startedAt, completedAt: print?.endedAt });
  expect(Number(job?.mmExtruded)).toBe(Number(readLengths(WHOLE_PRINT)[0]));
  await expect(assign({ slot: 'tool:0', spoolId: machine.spoolId })).rejects.toThrow('already has a job');
  expect(await readJobs(machine)).toHaveLength(1);
});

test('a print of two slots has one part if a user enters one spool for both', async () => {
  const recording = findRecording('octoprint: two tools, each with its plan');
  const [expected] = recording.expected as [ExpectedPrint];
  const machine = await loaded();
  await play(recording, machine);
  const [print] = await readPrints(machine);
  const slots = expected.filament.map((one) => one.split(' ')[0] as string);
  const assign = (spools: string[]) =>
    decisions.assignSpools(
      print?.id as string,
      slots.map((slot, at) => ({ slot, spoolId: spools[at] as string })),
      TIME,
    );
  await assign([machine.spoolId, machine.spoolId]);
  const [job] = await readJobs(machine);
  const sum = readLengths(expected).reduce((all, mm) => all + Number(mm), 0);
  expect([job?.status, Number(job?.mmExtruded)]).toEqual(['Completed', sum]);
});

test('a print claims a Queued job of the same file, and a job that a user edits keeps its amounts', async () => {
  const machine = await createMachine();
  const order = { printName: 'Order 7', gcodeFilePath: `/gcodes/${WHOLE_PRINT.name}` };
  const queued = await jobs.create(planned(machine, order), { ...TIME, now: instant(0) });
  await play({ ...WHOLE, steps: WHOLE.steps.slice(0, WHOLE.steps.length / 2) }, machine);
  const [printing] = await readJobs(machine);
  expect(printing).toMatchObject({ id: queued.id, status: 'Printing', dataSource: 'Manual', printName: 'Order 7' });
  const edited = { ...planned(machine, order), mmExtruded: '77', notes: 'by hand' };
  await jobs.update(queued.id, edited, { ...TIME, now: instant(90_000) });
  await play(WHOLE, machine);
  const ended = await readJobs(machine);
  expect(ended.map((job) => [job.id, job.status, Number(job.mmExtruded), job.notes])).toEqual([
    [queued.id, 'Completed', 77, 'by hand'],
  ]);
});

test('each print claims the oldest of three Queued jobs of one file that is left', async () => {
  const machine = await createMachine();
  const order = { printName: 'Order', gcodeFilePath: WHOLE_PRINT.name };
  const made = new Map<number, string>();
  for (const at of [2, 1, 3])
    made.set(at, (await jobs.create(planned(machine, order), { ...TIME, now: instant(at) })).id);
  const taken: string[] = [];
  for (let print = 0; print < 3; print += 1) {
    const printId = randomUUID();
    const of = { ...RUNNING, name: WHOLE_PRINT.name, filePath: WHOLE_PRINT.name };
    await record(machine, { printId, decision: { do: 'BEGIN', print: of }, sightings: [] });
    await record(machine, { printId, decision: { do: 'END', print: of, ending: COMPLETED }, sightings: [] });
    taken.push((await readPrints(machine)).find(({ id }) => id === printId)?.jobId as string);
  }
  expect(taken).toEqual([1, 2, 3].map((at) => made.get(at)));
});

test('a plan that names another slot after the start books nothing of that slot on the spool of the job, and the print waits', async () => {
  const machine = await loaded();
  const printId = randomUUID();
  const slots = [
    { slot: 'tool:0', mm: '100', grams: null },
    { slot: 'tool:1', mm: '50', grams: null },
  ];
  const print = { ...RUNNING, plan: { seconds: null, slots } };
  for (const decision of [
    { do: 'BEGIN' as const, print: RUNNING },
    { do: 'SAVE' as const, print },
    { do: 'END' as const, print, ending: COMPLETED },
  ]) {
    expect(await record(machine, { printId, decision, sightings: [] })).toBe('DONE');
    const [job] = await readJobs(machine);
    if (decision.do === 'BEGIN') continue;
    expect([Number(job?.mmExtruded), job?.notes]).toEqual([
      100,
      'The filament of tool:1 is not in this job, because its spool is unknown.',
    ]);
    expect((await readPrints(machine))[0]?.lacking).toEqual(['tool:1']);
  }
});

test('a machine that invents slots gets 64 of them: slots in use stay, and the oldest unused ones make room', async () => {
  const machine = await createMachine('MOONRAKER', 'tool:0');
  const readSlots = async () => {
    const found = await database.prisma.printerSlot.findMany({ where: { printerId: machine.printerId } });
    return found.map(({ slot }) => slot).sort();
  };
  const print = (number: number, slots: string[]) =>
    record(machine, {
      printId: randomUUID(),
      sightings: [],
      decision: {
        do: 'RECORD',
        print: { ...RUNNING, externalId: String(number), course: createCourse(...slots) },
        ending: { ...COMPLETED, outcome: 'CANCELLED' },
      },
    });
  const named = (unit: number) => Array.from({ length: 40 }, (_, slot) => `ams:${unit}:${slot}`);
  for (const unit of [1, 2, 3]) expect(await print(unit, named(unit))).toBe('DONE');
  // Each slot with a different time.
  const slots = await readSlots();
  expect(slots).toHaveLength(64);
  expect(slots).toEqual(expect.arrayContaining(['tool:0', ...named(3)]));
  expect(slots.filter((slot) => slot.startsWith('ams:1:'))).toEqual([]);
  const many = Array.from({ length: 300 }, (_, n) => `ams:${n}:0`);
  expect(await print(4, many)).toBe('DONE');
  expect(await readSlots()).toEqual(['tool:0', ...many.slice(0, 63)].sort());
});

describe('one measured length of a Klipper with two extruders', () => {
  const SECOND = findRecording('moonraker: two extruders and one length: the second one feeds');
  const load = (printerId: string, slot: string, spoolId: string) =>
    database.prisma.slotLoad.create({ data: { printerId, slot, spoolId, from: instant(0) } });
  const booked = async (machine: Machine) =>
    (await readJobs(machine)).map(({ status, spoolId, mmExtruded }) => [status, spoolId, Number(mmExtruded)]);

  test('is booked on the spool of the second extruder when that feeds', async () => {
    const machine = await loaded();
    const second = await newSpool();
    await load(machine.printerId, 'tool:1', second);
    const spools = new Set<string>();
    await play(SECOND, machine, undefined, async () => {
      for (const { spoolId } of await readJobs(machine)) spools.add(spoolId);
    });
    expect([...spools]).toEqual([machine.spoolId, second]);
    expect(await booked(machine)).toEqual([['Completed', second, 990.25]]);
    expect((await readPrints(machine))[0]?.spools).toEqual({ 'tool:1': second });
  });

  test('is divided among the spools of the second extruder if its spool was changed before it was seen to feed', async () => {
    const machine = await loaded();
    const { printerId } = machine;
    const [before, since, printId] = [await newSpool(), await newSpool(), randomUUID()];
    const first = { printerId, slot: 'tool:1', spoolId: before, from: instant(0), to: instant(40) };
    await database.prisma.slotLoad.createMany({
      data: [first, { ...first, spoolId: since, from: instant(40), to: null }],
    });
    const write = (decision: WrittenStep['decision']) => record(machine, { printId, decision, sightings: [] });
    const print = { ...RUNNING, layer: 10, layers: 10 };
    expect(await write({ do: 'BEGIN', print: { ...print, course: createCourse('tool:0') } })).toBe('DONE');
    const course = {
      stretches: [segment('tool:1', [20, 40], [0, 5]), segment('tool:1', [40, 60], [5, 10])],
      measure: null,
    };
    const plan = { seconds: null, slots: [{ slot: 'tool:1', mm: '640', grams: null }] };
    expect(await write({ do: 'SAVE', print: { ...print, course, plan } })).toBe('DONE');
    const [job] = await readJobs(machine);
    const parts = await database.prisma.printJobPart.findMany({
      where: { jobId: job?.id as string },
      orderBy: { number: 'asc' },
    });
    expect([job?.status, job?.spoolId, Number(job?.mmExtruded)]).toEqual(['Printing', before, 640]);
    expect(parts.map(({ spoolId, slot, mmExtruded }) => [spoolId, slot, mmExtruded && Number(mmExtruded)])).toEqual([
      [null, 'tool:1', null],
      [since, 'tool:1', 320],
    ]);
  });

  test('waits if the spool of the second extruder is unknown, and is booked whole when a user enters it', async () => {
    const machine = await loaded();
    await play(SECOND, machine);
    // No job is ever deleted.
    const withdrawn = ['Cancelled', machine.spoolId, 0];
    expect(await booked(machine)).toEqual([withdrawn]);
    expect((await readJobs(machine))[0]).toMatchObject({
      startedAt: null,
      notes: expect.stringContaining('another slot'),
    });
    const [print] = await readPrints(machine);
    expect(print).toMatchObject({ jobId: null, jobUpdatedAt: null, spools: null });
    const spoolId = await newSpool();
    await decisions.assignSpools(print?.id as string, [{ slot: 'tool:1', spoolId }], TIME);
    expect(await booked(machine)).toEqual([['Completed', spoolId, 990.25], withdrawn]);
  });

  test('is booked on the spool of a job that a user planned', async () => {
    const machine = await loaded();
    const spoolId = await newSpool();
    const order = { printName: 'Order 8', gcodeFilePath: 'cube.gcode' };
    await jobs.create(planned({ ...machine, spoolId }, order), { ...TIME, now: instant(0) });
    await play(SECOND, machine);
    expect(await booked(machine)).toEqual([['Completed', spoolId, 990.25]]);
  });

  test('is booked on the spool that a user entered', async () => {
    const machine = await createMachine();
    await load(machine.printerId, 'tool:1', await newSpool());
    await play(SECOND, machine, undefined, async () => {
      const [print] = await readPrints(machine);
      if (print === undefined || print.jobId !== null || readActiveSlots(print).length > 0) return;
      await decisions.assignSpools(print.id, [{ slot: 'tool:0', spoolId: machine.spoolId }], TIME);
    });
    expect(await booked(machine)).toEqual([['Completed', machine.spoolId, 990.25]]);
    expect((await readPrints(machine))[0]?.spools).toEqual({ 'tool:1': machine.spoolId });
  });

  test('does not change a job that a user edits meanwhile', async () => {
    const machine = await loaded();
    await play(SECOND, machine, undefined, async () => {
      const [job] = await readJobs(machine);
      if (job === undefined || Number(job.mmExtruded) === 77) return;
      const members = { printName: job.printName, gcodeFilePath: job.gcodeFilePath };
      await jobs.update(job.id, { ...planned(machine, members), mmExtruded: '77' }, { ...TIME, now: instant(90_000) });
    });
    expect(await booked(machine)).toEqual([['Completed', machine.spoolId, 77]]);
  });
});

test('one length of two tools for which the file has weights is split by the densities of their spools', async () => {
  const machine = await loaded();
  const [abs, spoolId] = [randomUUID(), randomUUID()];
  await database.prisma.material.create({ data: { id: abs, name: 'ABS', densityGPerCm3: '1.04' } });
  const size = { filamentDiameterMm: '1.75', weightTotalGrams: '1000' };
  await database.prisma.spool.create({
    data: { id: spoolId, spoolSerial: spoolId, ...size, materialId: abs, ...times },
  });
  const { printerId } = machine;
  await database.prisma.slotLoad.create({ data: { printerId, slot: 'tool:1', spoolId, from: instant(0) } });
  await play(findRecording('moonraker: two tools share one total'), machine);
  // 0.9 g at 1.24 g/cm3 and 0.3 g at 1.04 g/cm3, together 401.11 mm.
  expect((await readPrints(machine))[0]?.filament).toMatchObject([{ mm: '287.03' }, { mm: '114.08' }]);
});

test.each(['printer', 'spool'] as const)('a print waits if its %s is archived, and keeps its outcome', async (what) => {
  const machine = await loaded();
  const data = { archivedAt: instant(0) };
  if (what === 'printer') await database.prisma.printer.update({ where: { id: machine.printerId }, data });
  else await database.prisma.spool.update({ where: { id: machine.spoolId }, data });
  await play(WHOLE, machine);
  expect(await readJobs(machine)).toEqual([]);
  expect((await readPrints(machine)).map(({ outcome, jobId }) => [outcome, jobId])).toEqual([['COMPLETED', null]]);
});

describe('an UNRESOLVED print of a Klipper, measured up to the last contact', () => {
  const unresolved = (file: string | undefined) => {
    const printer = new MoonrakerMachine();
    printer.files = { 'part.gcode': { filament_total: 1491 } };
    printer.up();
    printer.stayIdle();
    printer
      .startPrint(file ?? 'unknown.gcode')
      .print(60, 839, 0.5)
      .down();
    // Moonraker and Klipper restart, and know nothing of the print.
    Object.assign(printer, { rows: [], row: null, objects: new MoonrakerMachine().objects });
    printer.wait(600).up().stayIdle();
    return { adapter: moonraker, steps: printer.steps };
  };
  const readStarts = async (machine: Machine) => {
    const [[print], [job]] = [await readPrints(machine), await readJobs(machine)];
    const filament = print?.filament as { mm: string; basis: string }[] | undefined;
    return [print?.outcome, filament?.map(({ mm, basis }) => `${mm} ${basis}`), job?.status, Number(job?.mmExtruded)];
  };

  test.each([
    ['of a known file, completed', 'part.gcode', 'COMPLETED', 1491, ['1491 PLANNED'], 1491],
    ['of a known file, failed', 'part.gcode', 'FAILED', 1491, ['839 ESTIMATED'], 839],
    ['of an unknown file, completed', undefined, 'COMPLETED', 839, ['839 ESTIMATED'], 839],
  ])('%s', async (_, file, outcome, before, filament, mm) => {
    const machine = await loaded();
    await play(unresolved(file), machine);
    expect(await readStarts(machine)).toEqual(['UNRESOLVED', ['839 ESTIMATED'], 'Printing', before]);
    const [print] = await readPrints(machine);
    await decisions.resolve(print?.id as string, outcome, null, TIME);
    const [status] = await readJobs(machine);
    expect(await readStarts(machine)).toEqual([outcome, filament, status?.status, mm]);
  });
});

describe('amounts that a machine reports after the end of a print', () => {
  const LATE = 'octoprint: uploaded and printed: its analysis arrives after the end';
  const CANCELLED = 'octoprint: uploaded, printed and cancelled: its analysis arrives after the end';
  const TWICE = 'octoprint: two prints of a file that is analysed after both';
  const readAmounts = async (machine: Machine) =>
    (await readJobs(machine)).map(({ status, mmExtruded, notes }) => [status, Number(mmExtruded), notes]);
  const readCorrections = (machine: Machine) =>
    database.prisma.printSighting.count({
      where: { kind: 'AMENDED', print: { printerId: machine.printerId } },
    });

  test.each([
    [LATE, [['Completed', 640, null]]],
    [CANCELLED, [['Cancelled', 160, null]]],
    [
      TWICE,
      [
        ['Completed', 640, null],
        ['Completed', 640, null],
      ],
    ],
  ])('%s: are in its job, once, with a new process after every message', async (name, expected) => {
    const recording = findRecording(name);
    const machine = await loaded();
    await play(recording, machine, 1);
    expect(await readAmounts(machine)).toEqual(expected);
    expect(await readCorrections(machine)).toBe(expected.length);
    // The gateway was the last to write its job.
    const [print] = await readPrints(machine);
    const [job] = await readJobs(machine);
    expect(print?.jobUpdatedAt).toEqual(job?.updatedAt);
  });

  const plan = { seconds: null, slots: [{ slot: 'tool:0', mm: '640', grams: null }] };
  const amend = (machine: Machine, since = instant(0)) =>
    record(machine, {
      printId: '',
      decision: { do: 'AMEND', filePath: 'new.gcode', plan, since },
      sightings: [],
    });
  const ended = async (spool = true) => {
    const machine = spool ? await loaded() : await createMachine();
    const { steps, ...recording } = findRecording(LATE);
    const end = steps.findIndex(({ message }) => JSON.stringify(message).includes('PrintDone'));
    await play({ ...recording, steps: steps.slice(0, end + 2) }, machine);
    return machine;
  };
  const NOT_TOLD = 'The printer did not report how much filament this print used.';

  test('are not booked in a job that a user edited, nor for a file that was replaced since', async () => {
    const machine = await ended();
    expect(await readAmounts(machine)).toEqual([['Completed', 0, NOT_TOLD]]);
    expect(await amend(machine, instant(1000))).toBe('STALE');
    expect(await readAmounts(machine)).toEqual([['Completed', 0, NOT_TOLD]]);
    const [job] = await readJobs(machine);
    const edited = { ...planned(machine, { printName: 'by hand', gcodeFilePath: '' }), mmExtruded: '77' };
    await jobs.update(job?.id as string, edited, { ...TIME, now: instant(90_000) });
    expect(await amend(machine)).toBe('DONE');
    expect(await readAmounts(machine)).toEqual([['Completed', 77, null]]);
    expect((await readPrints(machine)).map(({ filament }) => filament)).toMatchObject([[{ mm: '640' }]]);
  });

  test('are booked once, also if they are reported again and differ', async () => {
    const machine = await ended();
    expect(await amend(machine)).toBe('DONE');
    plan.slots[0] = { slot: 'tool:0', mm: '9999', grams: null };
    const transactionsBefore = transactions;
    expect(await amend(machine)).toBe('STALE');
    expect(transactions).toBe(transactionsBefore);
    plan.slots[0] = { slot: 'tool:0', mm: '640', grams: null };
    expect(await readAmounts(machine)).toEqual([['Completed', 640, null]]);
    expect(await readCorrections(machine)).toBe(1);
  });

  test('are requested for the latest five of many prints of the file', async () => {
    const machine = await createMachine();
    const { printerId, lease } = machine;
    await database.prisma.observedPrint.createMany({
      data: Array.from({ length: 12 }, (_, at) => ({
        id: randomUUID(),
        printerId,
        deviceId: lease.subject,
        name: 'new.gcode',
        filePath: 'new.gcode',
        outcome: 'COMPLETED',
        measured: [],
        startedAtEstimated: false,
        createdAt: instant(at),
        seenAt: instant(at),
      })),
    });
    expect(await amend(machine)).toBe('DONE');
    const readStarts = (await readPrints(machine)).map(({ plan }) => plan !== null);
    expect(readStarts).toEqual([...Array(7).fill(false), ...Array(5).fill(true)]);
  });

  test('are requested for a minute from now if the clock of the machine was ahead, not for as long as it was ahead', async () => {
    const machine = await ended();
    const ahead = new Date(Date.now() + 86_400_000);
    const { printerId, lease } = machine;
    await database.prisma.observedPrint.updateMany({ where: { printerId }, data: { endedAt: ahead } });
    const last = await createPrintStores(database).deviceHistory.lastUnplanned(lease.subject);
    expect(Date.parse(last?.endedAt as string)).toBeLessThan(ahead.getTime() - 3_600_000);
  });

  test('a print that waits for its spool gets its job with them', async () => {
    const machine = await ended(false);
    expect(await amend(machine)).toBe('DONE');
    const [print] = await readPrints(machine);
    await decisions.assignSpools(print?.id as string, [{ slot: 'tool:0', spoolId: machine.spoolId }], TIME);
    expect(await readAmounts(machine)).toEqual([['Completed', 640, null]]);
  });

  test('a print whose outcome is unknown keeps its job, which gets the planned amounts', async () => {
    const machine = await loaded();
    const { steps, ...recording } = findRecording(LATE);
    const end = steps.findIndex(({ message }) => JSON.stringify(message).includes('PrintDone'));
    const [first] = steps as [Recording['steps'][number]];
    const lost = { ...first, at: 4000, greeting: first.greeting };
    await play({ ...recording, steps: [...steps.slice(0, end), { ...lost, link: 'down' }, lost] }, machine);
    expect((await readPrints(machine)).map(({ outcome }) => outcome)).toEqual(['UNRESOLVED']);
    expect(await amend(machine)).toBe('DONE');
    expect(await readAmounts(machine)).toEqual([['Printing', 640, null]]);
    const [print] = await readPrints(machine);
    await decisions.resolve(print?.id as string, 'COMPLETED', null, { ...TIME, now: instant(100_001) });
    expect(await readAmounts(machine)).toEqual([['Completed', 640, null]]);
  });

  test('do not count as edited by a user: a print that continues from another slot gets the spool of that slot', async () => {
    const machine = await loaded();
    const [spoolId, printId] = [await newSpool(), randomUUID()];
    const { printerId } = machine;
    await database.prisma.slotLoad.create({ data: { printerId, slot: 'tool:1', spoolId, from: instant(0) } });
    const print = { ...RUNNING, filePath: 'new.gcode', course: createCourse('tool:0') };
    const step = (decision: WrittenStep['decision']) => record(machine, { printId, decision, sightings: [] });
    const ending = { ...COMPLETED, outcome: 'UNRESOLVED' as const, at: null };
    expect(await step({ do: 'BEGIN', print })).toBe('DONE');
    expect(await step({ do: 'END', print, ending })).toBe('DONE');
    expect(await amend(machine)).toBe('DONE');
    expect(await step({ do: 'REOPEN', id: printId, print })).toBe('DONE');
    expect(await step({ do: 'SAVE', print: { ...print, course: createCourse('tool:1'), plan } })).toBe('DONE');
    expect((await readJobs(machine)).map((job) => job.spoolId)).toEqual([spoolId]);
  });

  test('a process without the lease writes nothing', async () => {
    const machine = await ended();
    expect(await amend({ ...machine, lease: { ...machine.lease, number: '2' } })).toBe('NOT_HELD');
    expect(await readAmounts(machine)).toEqual([['Completed', 0, NOT_TOLD]]);
  });
});

test('a job that another program queued again stays with its print, and the next print gets a new job', async () => {
  const machine = await loaded();
  const createBegin = (second: number): WrittenStep => ({
    printId: randomUUID(),
    decision: {
      do: 'RECORD',
      print: { ...RUNNING, startedAt: instant(second) },
      ending: { ...COMPLETED, at: instant(second + 40) },
    },
    sightings: [],
  });
  expect(await record(machine, createBegin(10))).toBe('DONE');
  const [again] = await readJobs(machine);
  await database.prisma.printJob.updateMany({
    where: { printerId: machine.printerId },
    data: { status: 'Queued', createdAt: instant(0) },
  });
  expect(await record(machine, createBegin(110))).toBe('DONE');
  const jobIds = (await readPrints(machine)).map(({ jobId }) => jobId);
  expect([jobIds.includes(again?.id as string), new Set(jobIds).size]).toEqual([true, 2]);
  expect((await readJobs(machine)).map(({ status }) => status).sort()).toEqual(['Completed', 'Queued']);
});

test('an UNRESOLVED print waits until a user enters its outcome', async () => {
  const recording = findRecording('octoprint: OctoPrint is killed during a print');
  const machine = await loaded();
  await play(recording, machine);
  const print = (await readPrints(machine)).find(({ outcome }) => outcome === 'UNRESOLVED');
  const readJob = async () => (await readJobs(machine)).find(({ id }) => id === print?.jobId);
  expect((await readJob())?.status).toBe('Printing');
  const id = print?.id as string;
  await expect(decisions.resolve(id, 'RUNNING', null, TIME)).rejects.toThrow('outcome must be one of');
  await expect(decisions.resolve(id, 'FAILED', '2099-01-01T00:00:00Z', TIME)).rejects.toThrow(
    'endedAt must not be later',
  );
  await expect(decisions.resolve(id, 'FAILED', '2001-01-01T00:00:00Z', TIME)).rejects.toThrow(
    'endedAt must not be earlier',
  );
  const endedAt = print?.seenAt.toISOString() as string;
  await decisions.resolve(id, 'COMPLETED', endedAt, TIME);
  expect(await readJob()).toMatchObject({ status: 'Completed', completedAt: new Date(endedAt) });
  await expect(decisions.resolve(id, 'FAILED', null, TIME)).rejects.toThrow('Only an UNRESOLVED print');
});

test('a Bambu printer that continues after a loss of power has one print, one job and one slot', async () => {
  const recording = BAMBU.find(({ name }) => name === 'bambu: a loss of power, without an id') as Recording;
  for (const cutEvery of [1, 7, Number.POSITIVE_INFINITY]) {
    const machine = await createMachine('BAMBU', 'ams:0:2');
    await play(recording, machine, cutEvery);
    expect((await readPrints(machine)).map((print) => [print.outcome, readActiveSlots(print)])).toEqual([
      ['COMPLETED', ['ams:0:2']],
    ]);
    expect((await readJobs(machine)).map(({ status }) => status)).toEqual(['Completed']);
    const slots = await database.prisma.printerSlot.findMany({ where: { printerId: machine.printerId } });
    expect(slots.map(({ slot }) => slot)).toEqual(['ams:0:2']);
  }
});

test('a print with unknown slots waits for a slot that the printer has, also after its device is removed', async () => {
  const machine = await createMachine('BAMBU');
  const { printerId, spoolId, lease } = machine;
  const printId = randomUUID();
  const running = { ...RUNNING, machine: PRINTER_KINDS.BAMBU };
  await record(machine, { printId, decision: { do: 'BEGIN', print: running }, sightings: [] });
  await record(machine, { printId, decision: { do: 'END', print: running, ending: COMPLETED }, sightings: [] });
  const [print] = await readPrints(machine);
  expect(print?.filament).toMatchObject([{ slot: 'ext:0', basis: 'UNKNOWN' }]);
  const slots = await database.prisma.printerSlot.findMany({ where: { printerId } });
  expect(slots.map(({ slot }) => slot)).toEqual(['ext:0']);
  await database.prisma.device.delete({ where: { id: lease.subject } });
  await decisions.assignSpools(printId, [{ slot: 'ext:0', spoolId }], TIME);
  expect(await readJobs(machine)).toHaveLength(1);
});

test('an ignored print gets no job until a user books it', async () => {
  const machine = await createMachine();
  const { printerId, spoolId } = machine;
  await play({ ...WHOLE, steps: WHOLE.steps.slice(0, WHOLE.steps.length / 2) }, machine);
  const [print] = await readPrints(machine);
  const id = print?.id as string;
  await decisions.ignore(id, true, TIME);
  await database.prisma.slotLoad.create({ data: { printerId, slot: 'tool:0', spoolId, from: instant(0) } });
  await play(WHOLE, machine);
  expect(await readJobs(machine)).toEqual([]);
  await decisions.ignore(id, false, TIME);
  await decisions.assignSpools(id, [{ slot: 'tool:0', spoolId }], TIME);
  expect(await readJobs(machine)).toHaveLength(1);
  await expect(decisions.ignore(id, true, TIME)).rejects.toThrow('already has a job');
});

test('a spool loaded and a job queued after the end of a print that no gateway saw do not belong to that print', async () => {
  const machine = await loaded();
  const loadedAt = (at: number) =>
    database.prisma.slotLoad.updateMany({
      where: { printerId: machine.printerId },
      data: { from: instant(at) },
    });
  const reportPrint = async (externalId: string) => {
    const print = { ...RUNNING, externalId, seenAt: instant(90) };
    const decision = { do: 'RECORD' as const, print, ending: COMPLETED };
    expect(await record(machine, { printId: randomUUID(), decision, sightings: [] })).toBe('DONE');
  };
  await loadedAt(60);
  const next = planned(machine, { printName: 'The next one', gcodeFilePath: RUNNING.name });
  await jobs.create(next, { ...TIME, now: instant(60) });
  await reportPrint('1');
  expect((await readJobs(machine)).map(({ status }) => status)).toEqual(['Queued']);
  await loadedAt(40);
  await reportPrint('2');
  expect((await readJobs(machine)).map(({ status }) => status).sort()).toEqual(['Completed', 'Queued']);
  expect((await readPrints(machine)).filter(({ jobId }) => jobId !== null).map((one) => one.externalId)).toEqual(['2']);
});

test('at most 60 prints per hour are recorded from a history, in whichever order it lists them', async () => {
  const machine = await createMachine();
  const readStarts = async (...starts: number[]) => {
    const recorded: string[] = [];
    for (const second of starts) {
      const times = { startedAt: instant(second), seenAt: instant(90_000) };
      const print = { ...RUNNING, ...times, externalId: `${second}` };
      const decision = { do: 'RECORD' as const, print, ending: COMPLETED };
      const sightings = [{ key: randomUUID(), kind: 'ENDED' as const, at: instant(second), text: 'Completed' }];
      recorded.push(await record(machine, { printId: randomUUID(), decision, sightings }));
    }
    return recorded;
  };
  expect(await readStarts(...Array.from({ length: 60 }, (_, at) => 40_000 - at))).toEqual(Array(60).fill('DONE'));
  expect(await readStarts(39_000, 41_000)).toEqual(['TOO_MANY', 'TOO_MANY']);
  expect(await readStarts(30_000, 50_000)).toEqual(['DONE', 'DONE']);
  // However many hours a query covers, a machine answers no more than one page.
  const hours = Array.from({ length: 1000 }, (_, at) => at);
  await database.prisma.observedPrint.createMany({
    data: hours.map((at) => ({
      deviceId: machine.lease.subject,
      printerId: machine.printerId,
      id: randomUUID(),
      name: 'old.gcode',
      outcome: 'COMPLETED',
      measured: [],
      startedAtEstimated: false,
      startedAt: instant(-3600 * at),
      createdAt: instant(99_000),
      seenAt: instant(99_000),
    })),
  });
  expect(await readStarts(-50_000_000)).toEqual(['TOO_MANY']);
  await database.prisma.observedPrint.deleteMany({ where: { name: 'old.gcode' } });
  // None of them is a new print.
  const createBegin = { do: 'BEGIN' as const, print: { ...RUNNING, seenAt: instant(90_001) } };
  expect(await record(machine, { printId: randomUUID(), decision: createBegin, sightings: [] })).toBe('DONE');
});

test('a process that lost its lease writes nothing, and only one of two starts of one device is written', async () => {
  const machine = await loaded();
  const { lease } = machine;
  const createBegin = (its = lease) =>
    record(machine, { printId: randomUUID(), decision: { do: 'BEGIN', print: RUNNING }, sightings: [] }, its);
  expect(await createBegin({ ...lease, number: '0' })).toBe('NOT_HELD');
  const heldUntil = (until: string) => setLease(database, lease.subject, { holder: 'me', until, number: 1 });
  await heldUntil('2020-01-01T00:00:00Z');
  expect(await createBegin()).toBe('NOT_HELD');
  expect(await readPrints(machine)).toEqual([]);
  await heldUntil('2099-01-01T00:00:00Z');
  expect((await Promise.all([createBegin(), createBegin(), createBegin()])).sort()).toEqual(['DONE', 'STALE', 'STALE']);
  expect(await readJobs(machine)).toHaveLength(1);
});

describe('two records that turn out to be one print', () => {
  /** Readings as an adapter gives them. */
  const TOLD: Played['adapter'] = {
    start: () => ({ memory: null, readings: [], asks: [] }),
    receive: (memory, { body }) => ({ memory, readings: Array.isArray(body) ? body : [], asks: [] }),
  };
  const at = (second: number, print: Partial<PrintReading> | 'NO_PRINT'): Step => {
    const readStarts = { ...createEmptyReading(1), name: 'part.gcode', filePath: 'part.gcode', startedAt: instant(10) };
    const counter = { seconds: second - 10, countsPauses: true };
    const measured = [{ slot: 'tool:0', mm: String(second), grams: null }];
    const body = [
      {
        kind: 'STATE',
        at: instant(second),
        activity: 'PRINTING',
        message: null,
        print: typeof print === 'string' ? print : { ...readStarts, counter, measured, ...print },
      },
    ];
    const message = { source: 'told', body };
    return { at: second, message, link: 'up', greeting: [], answer: () => message };
  };
  const cut = (second: number): Step => ({ ...at(second, 'NO_PRINT'), message: null, link: 'down' });
  const DONE = { outcome: 'COMPLETED' as const, at: null, estimated: false, reason: null };
  /** The first record has the id, the second has none: its counter stepped back. */
  const SPLIT = [
    at(20, { externalId: '7' }),
    at(60, 'NO_PRINT'),
    at(61, { ordinal: 2, startedAt: instant(61), counter: { seconds: 1, countsPauses: true } }),
    at(100, { ordinal: 2 }),
  ];
  const KNOWN_AGAIN = [cut(101), at(110, { externalId: '7' }), at(300, { externalId: '7' })];
  const END = at(400, { externalId: '7', end: DONE });
  const split = (machine: Machine, ...steps: Step[]) => play({ adapter: TOLD, steps: [...SPLIT, ...steps] }, machine);
  const shown = async (machine: Machine) => ({
    prints: (await readPrints(machine)).map((one) => `${one.externalId} ${one.outcome} ${one.jobId !== null}`),
    jobs: (await readJobs(machine)).map((one) => `${one.status} ${Number(one.mmExtruded)}`).sort(),
  });

  test('become the older record, with its job; the job that the machine created for the other is removed and counts nothing', async () => {
    const machine = await loaded();
    await split(machine);
    expect((await shown(machine)).prints).toEqual(['7 UNRESOLVED true', 'null RUNNING true']);
    const [older, younger] = await readPrints(machine);
    await play({ adapter: TOLD, steps: [...KNOWN_AGAIN, END] }, machine);
    const [print, ...others] = await readPrints(machine);
    expect([print?.id, print?.jobId, print?.outcome, others]).toEqual([older?.id, older?.jobId, 'COMPLETED', []]);
    const booked = await readJobs(machine);
    expect(booked.find(({ id }) => id === older?.jobId)).toMatchObject({ status: 'Completed' });
    const gone = booked.find(({ id }) => id === younger?.jobId);
    expect(gone).toMatchObject({ status: 'Cancelled', startedAt: null });
    expect([Number(gone?.mmExtruded), Number(gone?.gramsDerived), Number(gone?.costPerPrint)]).toEqual([0, 0, 0]);
    expect(gone?.notes).toBe(`This job and job ${older?.jobId} are of one print: its filament is in that job.`);
    const kinds = await database.prisma.printSighting.findMany({ where: { printId: older?.id as string } });
    expect(kinds.map(({ kind }) => kind)).toEqual(['STARTED', 'ENDED', 'STARTED', 'BACK', 'ENDED']);
  });

  test.each(Array.from({ length: 5 }, (_, at) => at + 1))(
    'also with a new process after every %i steps',
    async (every) => {
      const machine = await loaded();
      await play({ adapter: TOLD, steps: [...SPLIT, ...KNOWN_AGAIN, END] }, machine, every);
      const { prints, jobs: booked } = await shown(machine);
      expect(prints).toEqual(['7 COMPLETED true']);
      expect(booked.filter((job) => job !== 'Cancelled 0')).toEqual(['Completed 400']);
    },
  );

  test('are reported together with the end of the print', async () => {
    const machine = await loaded();
    await split(machine, cut(101), END);
    expect(await shown(machine)).toEqual({ prints: ['7 COMPLETED true'], jobs: ['Cancelled 0', 'Completed 400'] });
  });

  test('are also merged if the first record waits for its spool and has no job', async () => {
    const machine = await createMachine();
    const { printerId, spoolId } = machine;
    await play({ adapter: TOLD, steps: SPLIT.slice(0, 2) }, machine);
    await database.prisma.slotLoad.create({ data: { printerId, slot: 'tool:0', spoolId, from: instant(60) } });
    await play({ adapter: TOLD, steps: [...SPLIT.slice(2), ...KNOWN_AGAIN, END] }, machine);
    expect(await shown(machine)).toEqual({ prints: ['7 COMPLETED true'], jobs: ['Completed 400'] });
  });

  test('wait for a user if a user created the second job by entering its spool', async () => {
    const machine = await loaded();
    const { printerId, spoolId } = machine;
    const takeOut = () => database.prisma.slotLoad.deleteMany({ where: { printerId } });
    await play({ adapter: TOLD, steps: SPLIT.slice(0, 2) }, machine);
    await takeOut();
    await play({ adapter: TOLD, steps: SPLIT.slice(2) }, machine);
    const [, second] = await readPrints(machine);
    await decisions.assignSpools(second?.id as string, [{ slot: 'tool:0', spoolId }], TIME);
    await play({ adapter: TOLD, steps: [...KNOWN_AGAIN, END] }, machine);
    const { prints, jobs: booked } = await shown(machine);
    expect(prints).toEqual(['7 COMPLETED true', 'null UNRESOLVED true']);
    expect(booked.map((job) => job.split(' ')[0])).toEqual(['Completed', 'Printing']);
  });

  test.each([
    ['edited', 5],
    ['claimed from the queue', 0],
  ])('wait for a user if the second job was %s', async (how, mm) => {
    const machine = await loaded();
    const order = { printName: 'Order 7', gcodeFilePath: 'part.gcode' };
    await play({ adapter: TOLD, steps: SPLIT.slice(0, 2) }, machine);
    if (how !== 'edited') await jobs.create(planned(machine, order), { ...TIME, now: instant(60) });
    await play({ adapter: TOLD, steps: SPLIT.slice(2) }, machine);
    const [, second] = await readPrints(machine);
    if (how === 'edited') await jobs.update(second?.jobId as string, planned(machine, order), TIME);
    await play({ adapter: TOLD, steps: [...KNOWN_AGAIN, END] }, machine);
    expect(await shown(machine)).toEqual({
      prints: ['7 COMPLETED true', 'null UNRESOLVED true'],
      jobs: ['Completed 400', `Printing ${mm}`],
    });
    await decisions.resolve(second?.id as string, 'CANCELLED', null, TIME);
    expect((await shown(machine)).jobs).toEqual([`Cancelled ${mm}`, 'Completed 400']);
  });

  test('the record that was made during the gap is merged into a print whose outcome is final', async () => {
    const machine = await loaded();
    await split(machine);
    const [older] = await readPrints(machine);
    await decisions.resolve(older?.id as string, 'FAILED', instant(60), TIME);
    await play({ adapter: TOLD, steps: KNOWN_AGAIN }, machine);
    expect((await shown(machine)).prints).toEqual(['7 FAILED true']);
  });

  test('stay separate if a user entered the outcome of the first before the decision was written', async () => {
    const machine = await loaded();
    await split(machine);
    const [older, younger] = await readPrints(machine);
    await decisions.resolve(older?.id as string, 'FAILED', instant(60), TIME);
    const decision = { do: 'MERGE' as const, id: older?.id as string, outcome: 'UNRESOLVED' as const, print: RUNNING };
    expect(await record(machine, { printId: younger?.id as string, decision, sightings: [] })).toBe('STALE');
    expect((await shown(machine)).prints).toEqual(['7 FAILED true', 'null RUNNING true']);
  });

  test('an id that a machine uses again is another print, also if it is reported late', async () => {
    const machine = await loaded();
    const late = (second: number, members: Partial<PrintReading> = {}) =>
      at(second, {
        ordinal: 2,
        startedAt: instant(9000),
        counter: { seconds: second - 9000, countsPauses: true },
        ...members,
      });
    const first = [at(20, { externalId: '7' }), at(60, { externalId: '7', end: DONE })];
    await play({ adapter: TOLD, steps: [...first, late(9001), late(9100, { externalId: '7' })] }, machine);
    expect((await shown(machine)).prints).toEqual(['7 COMPLETED true', `7~${instant(9100)} RUNNING true`]);
  });

  test('are not believed to be one print more than four times', async () => {
    const machine = await loaded();
    for (let round = 0; round < 6; round += 1) await split(machine, ...KNOWN_AGAIN, cut(301));
    const { prints } = await shown(machine);
    expect(prints.length).toBeGreaterThan(1);
    expect(prints.length).toBeLessThanOrEqual(4);
  });
});

describe('a step that is tried again', () => {
  const sighting = (at: number) => ({ key: randomUUID(), kind: 'PAUSED' as const, at: instant(at), text: 'It paused' });
  const readSightings = (printId: string) =>
    database.prisma.printSighting.findMany({ where: { printId }, orderBy: { id: 'asc' } });

  test('because the answer of its commit was lost writes its sightings once', async () => {
    const machine = await createMachine();
    const printId = randomUUID();
    await record(machine, { printId, decision: { do: 'BEGIN', print: RUNNING }, sightings: [sighting(10)] });
    const save = {
      printId,
      decision: { do: 'SAVE' as const, print: RUNNING },
      sightings: [sighting(20), sighting(20)],
    };
    expect([await record(machine, save), await record(machine, save)]).toEqual(['DONE', 'DONE']);
    expect(await readSightings(printId)).toHaveLength(3);
  });

  test('a print that pauses again and again has 1,000 sightings and its end, and says so', async () => {
    const machine = await createMachine();
    const printId = randomUUID();
    await record(machine, { printId, decision: { do: 'BEGIN', print: RUNNING }, sightings: [] });
    const save = { do: 'SAVE' as const, print: RUNNING };
    for (const count of [998, 4, 4]) {
      const sightings = Array.from({ length: count }, () => sighting(20));
      expect(await record(machine, { printId, decision: save, sightings })).toBe('DONE');
    }
    const ended = { ...sighting(50), kind: 'ENDED' as const, text: 'Completed' };
    await record(machine, {
      printId,
      decision: { do: 'END', print: RUNNING, ending: COMPLETED },
      sightings: [ended],
    });
    const texts = (await readSightings(printId)).map(({ text }) => text);
    expect([texts.length, texts.slice(-3)]).toEqual([
      1001,
      ['It paused', 'It paused. From here on, only the end is recorded', 'Completed'],
    ]);
  });
});

describe('the plan of a slicer', () => {
  beforeEach(() => database.prisma.printPlan.deleteMany());

  type Slot = [slot: number, mm: string | null, grams: string | null];
  interface Sent {
    fileName?: string;
    plate?: number;
    layers?: [layer: number, mm: string][];
    daysAgo?: number;
    seconds?: number;
  }

  async function send(
    slots: Slot[],
    { fileName = 'cube.gcode.3mf', plate = 1, layers, daysAgo = 0, seconds }: Sent = {},
  ) {
    const one = {
      plate,
      seconds: seconds ?? null,
      slots: slots.map(([slot, mm, grams]) => ({ slot, mm, grams })),
      layers: layers?.map(([layer, mm]) => ({ layer, mm: [mm] })) ?? null,
    };
    const now = new Date(Date.now() - daysAgo * 86_400_000).toISOString();
    await plans.record({ fileName, plates: [one] }, { ...TIME, now });
  }

  /** `slot mm grams basis` of each slot of the last print. */
  async function readFilament(machine: Machine): Promise<string[]> {
    const filament = ((await readPrints(machine)).at(-1)?.filament ?? []) as Record<string, string | null>[];
    return filament.map(({ slot, mm, grams, basis }) => `${slot} ${mm ?? '-'} ${grams ?? '-'} ${basis}`);
  }

  function ofBambu(print: (machine: BambuMachine) => void): Played {
    const machine = new BambuMachine();
    machine.up();
    machine.stayIdle();
    print(machine);
    machine.stayIdle();
    return { adapter: bambu, steps: machine.steps };
  }

  const FROM_SLOT_2 = { ams: { ...amsOf(unit(0)), tray_now: '2' } };
  const CUBE = ofBambu((machine) => {
    machine.prepare(FROM_SLOT_2);
    machine.print(10);
    machine.finish();
  });
  const CANCELLED_AT_4 = ofBambu((machine) => {
    machine.prepare(FROM_SLOT_2);
    machine.print(4);
    machine.fail();
    machine.sendReport({ print_error: 50348044 });
  });
  const OF_FOUR_SLOTS = ofBambu((machine) => {
    machine.sendsDeltas = false;
    const ams = amsOf(unit(0), unit(1), unit(128, 1));
    machine.prepare({ ams, mapping: [1, 65535, 258, 1, 65535, 512] });
    machine.print(10);
    machine.finish();
  });
  const FOUR: Slot[] = [
    [1, '100.5', '0.3'],
    [3, '50', null],
    [4, '20.25', '0.06'],
    [6, null, '1.5'],
  ];
  const LAYERS: [number, string][] = [
    [1, '5'],
    [4, '90.5'],
    [10, '100'],
  ];
  const buddy = new PrusaLinkMachine();
  buddy.up();
  buddy.stayIdle();
  buddy.startPrint('cube_0.2mm.bgcode');
  buddy.print(60, 100);
  buddy.over('FINISHED');
  buddy.stayIdle();
  const BUDDY = { adapter: prusalink, steps: buddy.steps };
  const TWO_TOOLS = findRecording('octoprint: two tools, each with its plan');
  const [{ name: TWO_TOOLS_FILE, filament: OWN_AMOUNTS }] = TWO_TOOLS.expected as [ExpectedPrint];

  interface Case extends Sent {
    what: string;
    slots: Slot[];
    played: Played;
    filament: string[];
    /** null if none is created. */
    job: [status: string, mm: number, grams: number] | null;
  }
  const ONE: Slot[] = [[1, '100', '1']];
  const UNKNOWN: Omit<Case, 'what'> = {
    slots: ONE,
    played: CUBE,
    filament: ['ams:0:2 - - UNKNOWN'],
    job: ['Completed', 0, 0],
  };
  const CASES: Case[] = [
    {
      what: 'of one slot',
      slots: [[1, null, '0.72']],
      played: CUBE,
      filament: ['ams:0:2 - 0.72 PLANNED'],
      job: ['Completed', 0, 0.72],
    },
    {
      // A job has one spool, which a user gives it.
      what: 'of several slots, summed for each',
      slots: FOUR,
      played: OF_FOUR_SLOTS,
      job: null,
      filament: ['ams:0:1 120.75 0.36 PLANNED', 'ams:1:2 50 - PLANNED', 'ams:128:0 - 1.5 PLANNED'],
    },
    {
      what: 'of a cancel, to the end of its layer by the table',
      slots: ONE,
      layers: LAYERS,
      played: CANCELLED_AT_4,
      filament: ['ams:0:2 90.5 0.9 ESTIMATED'],
      job: ['Cancelled', 90.5, 0.27],
    },
    {
      what: 'of a cancel without a table, by its share of the layers',
      slots: ONE,
      played: CANCELLED_AT_4,
      filament: ['ams:0:2 40 0.4 ESTIMATED'],
      job: ['Cancelled', 40, 0.12],
    },
    { ...UNKNOWN, what: 'of 31 days ago', daysAgo: 31 },
    { ...UNKNOWN, what: 'of another file', fileName: 'cube2' },
    { ...UNKNOWN, what: 'of 900 layers, when the printer counts 10', layers: [...LAYERS, [900, '100']] },
    {
      ...UNKNOWN,
      what: 'of ten hours, when a Buddy board counts a minute',
      seconds: 36_000,
      fileName: 'cube_0.2mm.gcode',
      played: BUDDY,
      filament: ['tool:0 - - UNKNOWN'],
    },
    {
      what: 'of a time that differs a little from that of the printer',
      slots: ONE,
      seconds: 400,
      layers: LAYERS,
      played: CUBE,
      filament: ['ams:0:2 100 1 PLANNED'],
      job: ['Completed', 100, 0.3],
    },
    {
      what: 'of a Buddy board, whose tool 0 is slot 1 of the slicer',
      slots: ONE,
      fileName: 'C:\\cube_0.2mm.gcode',
      played: BUDDY,
      filament: ['tool:0 100 1 PLANNED'],
      job: ['Completed', 100, 0.3],
    },
    {
      what: 'of a machine that reports its own amounts',
      slots: ONE,
      fileName: TWO_TOOLS_FILE as string,
      played: TWO_TOOLS,
      filament: OWN_AMOUNTS,
      job: null,
    },
  ];
  test.each(CASES)('$what: its amounts, with a new process after every message', async (one) => {
    const { slots, played, filament, job } = one;
    await send(slots, one);
    const machine = await (played === CUBE || played === CANCELLED_AT_4 || played === OF_FOUR_SLOTS
      ? createMachine('BAMBU', 'ams:0:2')
      : createMachine(played === BUDDY ? 'PRUSALINK' : 'OCTOPRINT', 'tool:0'));
    await play(played, machine, 1);
    expect(await readFilament(machine)).toEqual(filament);
    const booked = await readJobs(machine);
    expect(booked.map((its) => [its.status, Number(its.mmExtruded), Number(its.gramsDerived)])).toEqual(
      job === null ? [] : [job],
    );
  });

  test('each plate has its own plan', async () => {
    await send([[1, '10', null]]);
    await send([[1, '20', null]], { plate: 2 });
    const machine = await createMachine('BAMBU', 'ams:0:2');
    await play(
      ofBambu((printer) => {
        for (const plate of [2, 1]) {
          printer.prepare({ ...FROM_SLOT_2, gcode_file: `/data/Metadata/plate_${plate}.gcode` });
          printer.print(10);
          printer.finish();
          printer.stayIdle(60);
        }
      }),
      machine,
    );
    const prints = await readPrints(machine);
    expect(prints.map(({ filament }) => filament)).toMatchObject([[{ mm: '20' }], [{ mm: '10' }]]);
  });

  test('a plan that arrives while the print runs is written into its job, and a newer plan is not', async () => {
    const machine = await createMachine('BAMBU', 'ams:0:2');
    const seen = new Set<string>();
    await play(CUBE, machine, undefined, async (step) => {
      const [job] = await readJobs(machine);
      if (job !== undefined) seen.add(`${job.status} ${Number(job.gramsDerived)}`);
      if (step === 12) await send([[1, null, '5']]);
      if (seen.has('Printing 5')) await send([[1, null, '7']]);
    });
    expect([...seen]).toEqual(['Printing 0', 'Printing 5', 'Completed 5']);
    expect((await readJobs(machine))[0]?.notes).toBeNull();
  });

  test('a plan that turns out to belong to another print is removed from its job, and a plan that fits is written', async () => {
    const machine = await createMachine('BAMBU', 'ams:0:2');
    const seen: string[] = [];
    await send([[1, null, '300']], { layers: [[900, '90000']] });
    const ASKED = ofBambu((printer) => {
      printer
        .command({ ams_mapping: [2] })
        .prepare(FROM_SLOT_2)
        .print(10)
        .finish();
    });
    const [told] = ASKED.steps.filter(({ message }) => JSON.stringify(message).includes('"layer_num":5'));
    await play(ASKED, machine, undefined, async (step) => {
      const [job] = await readJobs(machine);
      const now = `${job?.status} ${Number(job?.gramsDerived)} ${job?.notes}`;
      if (job !== undefined && seen.at(-1) !== now) seen.push(now);
      if (ASKED.steps[step - 1] === told) await send([[1, null, '5']], { layers: [[10, '1500']] });
    });
    expect(seen).toEqual(['Printing 300 null', 'Printing 0 null', 'Printing 5 null', 'Completed 5 null']);
  });

  test('an outcome that a user enters also gets the amounts of the table', async () => {
    await send([[1, '100', null]], { layers: LAYERS });
    const machine = await createMachine('BAMBU', 'ams:0:2');
    await play(
      ofBambu((printer) => {
        printer.prepare(FROM_SLOT_2);
        printer.print(4);
        printer.down();
        printer.wait(120);
        printer.report = new BambuMachine().report;
        printer.up();
      }),
      machine,
    );
    const [print] = await readPrints(machine);
    expect([print?.outcome, await readFilament(machine)]).toEqual(['UNRESOLVED', ['ams:0:2 100 - PLANNED']]);
    await decisions.resolve(print?.id as string, 'FAILED', null, TIME);
    expect(await readFilament(machine)).toEqual(['ams:0:2 90.5 - ESTIMATED']);
  });

  test('a process that continues a print keeps the job that a user gave it meanwhile', async () => {
    const machine = await createMachine('BAMBU');
    const at = Math.floor(CUBE.steps.length / 2);
    await play({ ...CUBE, steps: CUBE.steps.slice(0, at) }, machine);
    const store = createPrintStores(database).deviceHistory;
    const process = new DatabaseReplay(CUBE, { ...machine, store, prints }, null);
    await process.open(CUBE.steps[at - 1] as Recording['steps'][0]);
    const [print] = await readPrints(machine);
    const spoolId = await newSpool();
    await decisions.assignSpools(print?.id as string, [{ slot: 'ams:0:2', spoolId }], TIME);
    for (const step of CUBE.steps.slice(at)) await process.playStep(step);
    expect((await readPrints(machine)).map(({ jobId, spools }) => [jobId !== null, spools])).toEqual([
      [true, { 'ams:0:2': spoolId }],
    ]);
    expect((await readJobs(machine)).map(({ status }) => status)).toEqual(['Completed']);
  });
});
