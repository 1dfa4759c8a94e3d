// Recordings of machines through rules, rows and jobs: each print becomes one job, with its times, amounts and cost.
import { randomUUID } from 'node:crypto';
import { type Database, openDatabase } from '../../src/database/database';
import { farmOn, NO_SETTINGS } from '../../src/farm';
import type { RunningPrint } from '../../src/observed-prints/observed-print.model';
import type { InTransaction } from '../../src/observed-prints/print-booking.service';
import { PrintDecisionsService } from '../../src/observed-prints/print-decisions.service';
import { PrintRecorderService } from '../../src/observed-prints/print-recorder.service';
import { NO_FIGURES } from '../../src/observed-prints/readings';
import { deriveGrams } from '../../src/print-jobs/filament';
import { PrintJobResolver } from '../../src/print-jobs/print-job.resolver';
import type { PrintJobService } from '../../src/print-jobs/print-job.service';
import { MOONRAKER } from '../recordings/moonraker/recordings';
import { OCTOPRINT } from '../recordings/octoprint/recordings';
import { PRUSALINK } from '../recordings/prusalink/recordings';
import { type ExpectedPrint, instant, type Recording } from '../recordings/recording';
import { DatabaseReplay } from '../support/database-replay';
import { freshDatabase } from '../support/databases';
import { PATIENT } from '../support/gateway';

const RECORDINGS: Recording[] = [...MOONRAKER, ...OCTOPRINT, ...PRUSALINK];
/** The adapters and the rules have seen all of them (unit/recordings); these differ in what is written. */
const WRITTEN = [
  'moonraker: a whole print',
  'moonraker: a cancel',
  'moonraker: Klipper shuts down in mid-print',
  'moonraker: Moonraker is killed, and the print ends before it is back',
  'moonraker: two tools share one total',
  'octoprint: a failure',
  'octoprint: OctoPrint is killed in mid-print',
  'octoprint: a file that is never analysed',
  'octoprint: two tools, each with its plan',
  'prusalink: a whole print of a Raspberry',
  'prusalink: the next print runs when somebody listens again',
];
const STATUS = {
  RUNNING: 'Printing',
  COMPLETED: 'Completed',
  CANCELLED: 'Cancelled',
  FAILED: 'Failed',
  UNRESOLVED: 'Printing',
};
const MOMENT = { now: instant(100_000), end: Number.POSITIVE_INFINITY, newId: randomUUID };

const RUNNING: RunningPrint = {
  ...{
    externalId: null,
    name: 'part.gcode',
    filePath: 'part.gcode',
    startedAt: instant(10),
    startedAtEstimated: false,
  },
  ...{ plan: null, slots: [], paused: false, lost: false, seenAt: instant(10), measured: [], ...NO_FIGURES },
};

const recordingOf = (name: string) => RECORDINGS.find((one) => one.name === name) as Recording;

let database: Database;
let inTransaction: InTransaction;
let recorder: PrintRecorderService;
let decisions: PrintDecisionsService;

beforeAll(async () => {
  database = await openDatabase((await freshDatabase('embedded')).target, {}, PATIENT.budget);
  inTransaction = (work) => database.transaction((transaction) => work(farmOn(transaction, NO_SETTINGS).prints));
  recorder = new PrintRecorderService(inTransaction);
  decisions = new PrintDecisionsService(inTransaction);
  await database.prisma.material.create({ data: { id: MATERIAL, name: 'PLA', densityGPerCm3: '1.24' } });
});
afterAll(() => database.close());

const MATERIAL = randomUUID();

/** A printer with a device that this process holds, and a spool that is loaded, or not. */
async function machineWith({ isLoaded = true } = {}) {
  const [printerId, spoolId, deviceId] = [randomUUID(), randomUUID(), randomUUID()];
  const times = { createdAt: instant(0), updatedAt: instant(0) };
  const { prisma } = database;
  await prisma.printer.create({ data: { id: printerId, name: 'MK4', ...times } });
  await prisma.spool.create({
    data: {
      ...{ id: spoolId, spoolSerial: spoolId, filamentDiameterMm: '1.75', weightTotalGrams: '1000' },
      ...{ purchasePrice: '20', materialId: MATERIAL, ...times },
    },
  });
  await prisma.device.create({
    data: {
      ...{ id: deviceId, kind: 'MOONRAKER', printerId, address: '127.0.0.1', state: 'CONNECTED', ...times },
      ...{ holder: 'me', leaseNumber: 1, heldUntil: '2099-01-01T00:00:00Z' },
    },
  });
  if (isLoaded) await prisma.printerSlot.create({ data: { printerId, slot: 'tool:0', spoolId, loadedAt: instant(0) } });
  return { printerId, spoolId, lease: { deviceId, holder: 'me', number: '1' } };
}
type Machine = Awaited<ReturnType<typeof machineWith>>;

async function replayed(recording: Recording, machine: Machine, cutEvery = Number.POSITIVE_INFINITY): Promise<void> {
  const { store } = farmOn(database, NO_SETTINGS).prints;
  const whole = { ...machine, store, recorder };
  let process = new DatabaseReplay(recording, whole, null);
  for (const [at, step] of recording.steps.entries()) {
    await process.hear(step);
    if ((at + 1) % cutEvery === 0) {
      process = new DatabaseReplay(recording, whole, process.lastContactAt);
      if (step.link === 'up') await process.open(step);
    }
  }
}

const printsOf = ({ printerId }: Machine) =>
  database.prisma.observedPrint.findMany({ where: { printerId }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
const jobsOf = ({ printerId }: Machine) =>
  database.prisma.printJob.findMany({ where: { printerId }, orderBy: [{ startedAt: 'asc' }, { id: 'asc' }] });

const mmOf = ({ filament }: ExpectedPrint) => filament.map((one) => one.split(' ')[1]);

test.each(WRITTEN)('%s', async (name) => {
  const recording = recordingOf(name);
  const machine = await machineWith();
  await replayed(recording, machine);
  const prints = await printsOf(machine);
  expect(prints.map(({ name, outcome }) => ({ name, outcome }))).toEqual(
    recording.expected.map(({ name, outcome }) => ({ name, outcome })),
  );
  const jobs = await jobsOf(machine);
  for (const [at, expected] of recording.expected.entries()) {
    const job = jobs.find(({ id }) => id === prints[at]?.jobId);
    // A print of more than one slot waits for a person.
    expect({ expected, hasJob: job !== undefined }).toEqual({ expected, hasJob: expected.filament.length < 2 });
    if (job === undefined) continue;
    expect(job).toMatchObject({ printName: expected.name, status: STATUS[expected.outcome], dataSource: 'PrinterApi' });
    const [mm] = mmOf(expected);
    if (expected.outcome === 'RUNNING' || expected.outcome === 'UNRESOLVED' || mm === '-') continue;
    const grams = deriveGrams(mm as string, '1.75', '1.24');
    expect(Number(job.mmExtruded)).toBe(Number(mm));
    expect(Number(job.gramsDerived)).toBe(Number(grams));
    expect(Number(job.costPerPrint)).toBe(Number((Number(grams) * 0.02).toFixed(4)));
    expect(job.completedAt?.toISOString()).toBe(prints[at]?.endedAt?.toISOString());
  }
  expect(jobs.length).toBe(prints.filter(({ jobId }) => jobId !== null).length);
});

const WHOLE = recordingOf('moonraker: a whole print');

test.each([
  'moonraker: a whole print',
  'octoprint: a cancel: PrintCancelled, then PrintFailed',
  'prusalink: a whole print of a Raspberry',
])('%s, by a new process behind every seventh message: one print and one job', async (name) => {
  const recording = recordingOf(name);
  const machine = await machineWith();
  await replayed(recording, machine, 7);
  const jobs = await jobsOf(machine);
  expect((await printsOf(machine)).map(({ outcome }) => outcome)).toEqual(
    recording.expected.map(({ outcome }) => outcome),
  );
  expect(jobs.map(({ status }) => status)).toEqual(recording.expected.map(({ outcome }) => STATUS[outcome]));
  expect(jobs.map(({ mmExtruded }) => Number(mmExtruded))).toEqual(
    recording.expected.map((one) => Number(mmOf(one)[0])),
  );
});

test('a print without a loaded spool waits, and gets its job with its true times from assignSpools', async () => {
  const machine = await machineWith({ isLoaded: false });
  await replayed(WHOLE, machine);
  const [print] = await printsOf(machine);
  expect(await jobsOf(machine)).toEqual([]);
  const spools = [{ slot: 'tool:0', spoolId: machine.spoolId }];
  await decisions.assignSpools(print?.id as string, spools, MOMENT);
  const [job] = await jobsOf(machine);
  expect(job).toMatchObject({ status: 'Completed', startedAt: print?.startedAt, completedAt: print?.endedAt });
  expect([Number(job?.mmExtruded)]).toEqual([Number(mmOf(WHOLE.expected[0] as ExpectedPrint)[0])]);
  await expect(decisions.assignSpools(print?.id as string, spools, MOMENT)).rejects.toThrow('has its job already');
  expect(await jobsOf(machine)).toHaveLength(1);
});

test.each([
  [[], 'spools must name each slot of the print once: tool:0'],
  [[{ slot: 'tool:1', spoolId: randomUUID() }], 'spools must name each slot of the print once: tool:0'],
  [[{ slot: 'tool:0', spoolId: 'none' }], 'spoolId must be the id of a spool'],
  [[{ slot: 'tool:0', spoolId: randomUUID() }], 'spoolId must be the id of a spool'],
])('assignSpools refuses %j', async (spools, message) => {
  const machine = await machineWith({ isLoaded: false });
  await replayed(WHOLE, machine);
  const [print] = await printsOf(machine);
  await expect(decisions.assignSpools(print?.id as string, spools, MOMENT)).rejects.toThrow(message);
  expect(await jobsOf(machine)).toEqual([]);
});

test('a print of two slots gets one job for all of it when a person says one spool', async () => {
  const recording = recordingOf('octoprint: two tools, each with its plan');
  const machine = await machineWith();
  await replayed(recording, machine);
  const [print] = await printsOf(machine);
  const slots = (recording.expected[0] as ExpectedPrint).filament.map((one) => one.split(' ')[0] as string);
  const other = await machineWith();
  const spoolOf = (at: number) => (at === 0 ? machine : other).spoolId;
  const mixed = slots.map((slot, at) => ({ slot, spoolId: spoolOf(at) }));
  await expect(decisions.assignSpools(print?.id as string, mixed, MOMENT)).rejects.toThrow('must be the same spool');
  const same = slots.map((slot) => ({ slot, spoolId: machine.spoolId }));
  await decisions.assignSpools(print?.id as string, same, MOMENT);
  const [job] = await jobsOf(machine);
  const sum = mmOf(recording.expected[0] as ExpectedPrint).reduce((all, mm) => all + Number(mm), 0);
  expect([job?.status, Number(job?.mmExtruded)]).toEqual(['Completed', sum]);
});

test('a Queued job of the same file is taken up, and a job that a person edits keeps its amounts', async () => {
  const machine = await machineWith({ isLoaded: false });
  const [{ name, outcome }] = WHOLE.expected as [ExpectedPrint];
  const { jobs } = jobsOn();
  const half = WHOLE.steps.length / 2;
  const queued = await jobs.create(
    {
      ...{
        printerId: machine.printerId,
        spoolId: machine.spoolId,
        printName: 'Order 7',
        gcodeFilePath: `/gcodes/${name}`,
      },
      ...{
        mmExtruded: '5',
        gramsDerived: '0',
        costPerPrint: '0',
        notes: null,
        autoDeriveGrams: true,
        dataSource: 'Manual',
      },
      ...{ startedAt: null, filamentDiameterAtPrintMm: '0', materialDensityAtPrint: '0' },
    },
    { ...MOMENT, now: instant(0) },
  );
  const first = { ...WHOLE, steps: WHOLE.steps.slice(0, half) };
  await replayed(first, machine);
  const [printing] = await jobsOf(machine);
  expect(printing).toMatchObject({ id: queued.id, status: 'Printing', dataSource: 'Manual', printName: 'Order 7' });
  await jobs.update(
    queued.id,
    {
      ...{ printerId: machine.printerId, spoolId: machine.spoolId, printName: 'Order 7', gcodeFilePath: '' },
      ...{ mmExtruded: '77', gramsDerived: '0', costPerPrint: '0', notes: 'by hand', autoDeriveGrams: true },
    },
    { ...MOMENT, now: instant(90_000) },
  );
  await replayed(WHOLE, machine);
  const jobsNow = await jobsOf(machine);
  expect(jobsNow.map((job) => [job.id, job.status, Number(job.mmExtruded), job.notes])).toEqual([
    [queued.id, STATUS[outcome], 77, 'by hand'],
  ]);
});

test('a plan that comes behind the begin is written into the job while it prints', async () => {
  const recording = recordingOf('octoprint: a file that is analysed while it prints');
  const machine = await machineWith();
  const [{ filament }] = recording.expected as [ExpectedPrint];
  const { store } = farmOn(database, NO_SETTINGS).prints;
  const process = new DatabaseReplay(recording, { ...machine, store, recorder }, null);
  let [job] = await jobsOf(machine);
  for (const step of recording.steps) {
    await process.hear(step);
    [job] = await jobsOf(machine);
    if (Number(job?.mmExtruded) > 0) break;
  }
  expect([job?.status, Number(job?.mmExtruded)]).toEqual(['Printing', Number(filament[0]?.split(' ')[1])]);
});

test('a plan that names another slot behind the begin puts nothing of that slot on the spool of the job', async () => {
  const machine = await machineWith();
  const printer = { deviceId: machine.lease.deviceId, printerId: machine.printerId };
  const printId = randomUUID();
  const slots = [
    { slot: 'tool:0', mm: '100', grams: null },
    { slot: 'tool:1', mm: '50', grams: null },
  ];
  const planned = { ...RUNNING, plan: { seconds: null, slots } };
  const filament = slots.map((one) => ({ ...one, basis: 'PLANNED' as const }));
  const ending = { outcome: 'COMPLETED' as const, at: instant(50), estimated: false, reason: null, filament };
  for (const decision of [
    { do: 'BEGIN' as const, print: RUNNING },
    { do: 'SAVE' as const, print: planned },
    { do: 'END' as const, print: planned, ending },
  ]) {
    expect(await recorder.record(machine.lease, printer, { printId, decision, sightings: [] }, MOMENT)).toBe('DONE');
    const [job] = await jobsOf(machine);
    if (decision.do !== 'BEGIN') {
      expect([Number(job?.mmExtruded), job?.notes]).toEqual([
        100,
        'The filament of tool:1 is not in this job, because its spool is not known.',
      ]);
    }
  }
});

test('an UNRESOLVED print waits for a person, who says what became of it', async () => {
  const recording = recordingOf('octoprint: OctoPrint is killed in mid-print');
  const machine = await machineWith();
  await replayed(recording, machine);
  const print = (await printsOf(machine)).find(({ outcome }) => outcome === 'UNRESOLVED');
  const jobOf = async () => (await jobsOf(machine)).find(({ id }) => id === print?.jobId);
  expect((await jobOf())?.status).toBe('Printing');
  const id = print?.id as string;
  await expect(decisions.resolve(id, 'RUNNING', null, MOMENT)).rejects.toThrow('outcome must be one of');
  await expect(decisions.resolve(id, 'FAILED', '2099-01-01T00:00:00Z', MOMENT)).rejects.toThrow(
    'endedAt must not be later',
  );
  await expect(decisions.resolve(id, 'FAILED', '2001-01-01T00:00:00Z', MOMENT)).rejects.toThrow(
    'endedAt must not be earlier',
  );
  const endedAt = print?.seenAt.toISOString() as string;
  await decisions.resolve(id, 'COMPLETED', endedAt, MOMENT);
  expect(await jobOf()).toMatchObject({ status: 'Completed', completedAt: new Date(endedAt) });
  await expect(decisions.resolve(id, 'FAILED', null, MOMENT)).rejects.toThrow('only an UNRESOLVED print');
});

test('an ignored print gets no job until it is booked after all', async () => {
  const machine = await machineWith({ isLoaded: false });
  await replayed({ ...WHOLE, steps: WHOLE.steps.slice(0, WHOLE.steps.length / 2) }, machine);
  const [print] = await printsOf(machine);
  const id = print?.id as string;
  await decisions.ignore(id, true, MOMENT);
  await database.prisma.printerSlot.updateMany({
    where: { printerId: machine.printerId, slot: 'tool:0' },
    data: { spoolId: machine.spoolId },
  });
  await replayed(WHOLE, machine);
  expect(await jobsOf(machine)).toEqual([]);
  await decisions.ignore(id, false, MOMENT);
  await decisions.assignSpools(id, [{ slot: 'tool:0', spoolId: machine.spoolId }], MOMENT);
  expect(await jobsOf(machine)).toHaveLength(1);
  await expect(decisions.ignore(id, true, MOMENT)).rejects.toThrow('has its job already');
});

test('what was loaded and queued behind the end of a print of which nobody heard is not its own', async () => {
  const machine = await machineWith();
  const { printerId, spoolId, lease } = machine;
  const loadedAt = (at: number) =>
    database.prisma.printerSlot.updateMany({ where: { printerId }, data: { loadedAt: instant(at) } });
  const tell = async (externalId: string) => {
    const filament = [{ slot: 'tool:0', mm: '100', grams: null, basis: 'MEASURED' as const }];
    const ending = { outcome: 'COMPLETED' as const, at: instant(50), estimated: false, reason: null, filament };
    const decision = { do: 'RECORD' as const, print: { ...RUNNING, externalId, seenAt: instant(90) }, ending };
    const printer = { deviceId: lease.deviceId, printerId };
    expect(await recorder.record(lease, printer, { printId: randomUUID(), decision, sightings: [] }, MOMENT)).toBe(
      'DONE',
    );
  };
  await loadedAt(60);
  await jobsOn().jobs.create(
    {
      ...{ printerId, spoolId, printName: 'The next one', gcodeFilePath: RUNNING.name, notes: null, startedAt: null },
      ...{ mmExtruded: '5', gramsDerived: '0', costPerPrint: '0', autoDeriveGrams: true, dataSource: 'Manual' },
      ...{ filamentDiameterAtPrintMm: '0', materialDensityAtPrint: '0' },
    },
    { ...MOMENT, now: instant(60) },
  );
  await tell('1');
  expect((await jobsOf(machine)).map(({ status }) => status)).toEqual(['Queued']);
  await loadedAt(40);
  await tell('2');
  expect((await jobsOf(machine)).map(({ status }) => status).sort()).toEqual(['Completed', 'Queued']);
  expect((await printsOf(machine)).filter(({ jobId }) => jobId !== null).map((one) => one.externalId)).toEqual(['2']);
});

test('a process whose lease was taken writes nothing', async () => {
  const machine = await machineWith();
  const lost = { ...machine.lease, number: '0' };
  const [print] = WHOLE.expected as [ExpectedPrint];
  const running = { ...RUNNING, name: print.name };
  const step = { printId: randomUUID(), decision: { do: 'BEGIN', print: running } as const, sightings: [] };
  const printer = { deviceId: lost.deviceId, printerId: machine.printerId };
  expect(await recorder.record(lost, printer, step, MOMENT)).toBe('NOT_HELD');
  await database.prisma.device.update({ where: { id: lost.deviceId }, data: { heldUntil: '2020-01-01T00:00:00Z' } });
  expect(await recorder.record(machine.lease, printer, step, MOMENT)).toBe('NOT_HELD');
  expect(await printsOf(machine)).toEqual([]);
});

test('of two begins of one device one is written', async () => {
  const machine = await machineWith();
  const printer = { deviceId: machine.lease.deviceId, printerId: machine.printerId };
  const begin = () =>
    recorder.record(
      machine.lease,
      printer,
      { printId: randomUUID(), decision: { do: 'BEGIN', print: RUNNING }, sightings: [] },
      MOMENT,
    );
  expect((await Promise.all([begin(), begin(), begin()])).sort()).toEqual(['DONE', 'STALE', 'STALE']);
  expect(await jobsOf(machine)).toHaveLength(1);
});

/** The jobs of the same database. */
function jobsOn() {
  const { resolvers } = farmOn(database, NO_SETTINGS);
  const { service } = resolvers.get(PrintJobResolver) as unknown as { service: PrintJobService };
  return { jobs: service };
}
