// Prints whose machines tell no amounts, with the plans of their slicers: exact amounts, in their slots, once.
import { randomUUID } from 'node:crypto';
import { type Database, openDatabase } from '../../src/database/database';
import { bambu } from '../../src/devices/bambu/adapter';
import { octoprint } from '../../src/devices/octoprint/adapter';
import { prusalink } from '../../src/devices/prusalink/adapter';
import { farmOn, NO_SETTINGS } from '../../src/farm';
import type { RunningPrint } from '../../src/observed-prints/observed-print.model';
import type { InTransaction } from '../../src/observed-prints/print-booking.service';
import { PrintDecisionsService } from '../../src/observed-prints/print-decisions.service';
import { PrintPlanService } from '../../src/observed-prints/print-plan.service';
import { PrintPlanStore } from '../../src/observed-prints/print-plan.store';
import { PrintRecorderService, type Step as RecorderStep } from '../../src/observed-prints/print-recorder.service';
import { NO_FIGURES } from '../../src/observed-prints/readings';
import { deriveGrams } from '../../src/print-jobs/filament';
import { amsOf, BambuMachine, unit } from '../recordings/bambu/machine';
import { OCTOPRINT } from '../recordings/octoprint/recordings';
import { PrusaLinkMachine } from '../recordings/prusalink/machine';
import { instant, type Recording } from '../recordings/recording';
import { DatabaseReplay } from '../support/database-replay';
import { freshDatabase } from '../support/databases';
import { PATIENT } from '../support/gateway';

type Played = Pick<Recording, 'adapter' | 'steps'>;

let database: Database;
let inTransaction: InTransaction;
let recorder: PrintRecorderService;
let plans: PrintPlanService;
const MATERIAL = randomUUID();
const MOMENT = { now: instant(100_000), end: Number.POSITIVE_INFINITY, newId: randomUUID };

beforeAll(async () => {
  database = await openDatabase((await freshDatabase('embedded')).target, {}, PATIENT.budget);
  inTransaction = (work) => database.transaction((transaction) => work(farmOn(transaction, NO_SETTINGS).prints));
  recorder = new PrintRecorderService(inTransaction);
  plans = new PrintPlanService(new PrintPlanStore(database));
  await database.prisma.material.create({ data: { id: MATERIAL, name: 'PLA', densityGPerCm3: '1.24' } });
});
afterAll(() => database.close());
beforeEach(() => database.prisma.printPlan.deleteMany());

type Slot = [slot: number, mm: string | null, grams: string | null];
type Layer = [layer: number, ...mm: string[]];

async function send(fileName: string, slots: Slot[], { plate = 1, layers = null as Layer[] | null, daysAgo = 0 } = {}) {
  const table = layers?.map(([layer, ...mm]) => ({ layer, mm })) ?? null;
  const named = slots.map(([slot, mm, grams]) => ({ slot, mm, grams }));
  const now = new Date(Date.now() - daysAgo * 86_400_000).toISOString();
  await plans.record({ fileName, plates: [{ plate, seconds: null, slots: named, layers: table }] }, { ...MOMENT, now });
}

/** A printer with a device that this process holds, and a spool in each of these slots. */
async function machineOf(kind: string, ...slots: string[]) {
  const [printerId, deviceId] = [randomUUID(), randomUUID()];
  const times = { createdAt: instant(0), updatedAt: instant(0) };
  const { prisma } = database;
  await prisma.printer.create({ data: { id: printerId, name: kind, ...times } });
  await prisma.device.create({
    data: {
      ...{ id: deviceId, kind, printerId, address: '127.0.0.1', state: 'CONNECTED', ...times },
      ...{ holder: 'me', leaseNumber: 1, heldUntil: '2099-01-01T00:00:00Z' },
    },
  });
  for (const slot of slots) {
    const spoolId = randomUUID();
    await prisma.spool.create({
      data: {
        ...{ id: spoolId, spoolSerial: spoolId, filamentDiameterMm: '1.75', weightTotalGrams: '1000' },
        ...{ purchasePrice: '20', materialId: MATERIAL, ...times },
      },
    });
    await prisma.printerSlot.create({ data: { printerId, slot, spoolId, loadedAt: instant(0) } });
  }
  return { printerId, lease: { deviceId, holder: 'me', number: '1' } };
}
type Machine = Awaited<ReturnType<typeof machineOf>>;

/** @param behind called behind each step with its number, from 1 */
async function play(played: Played, machine: Machine, isCut = false, behind = async (_: number) => {}): Promise<void> {
  const { store } = farmOn(database, NO_SETTINGS).prints;
  let process = new DatabaseReplay(played, { ...machine, store, recorder }, null);
  for (const [at, step] of played.steps.entries()) {
    await process.hear(step);
    if (isCut) {
      process = new DatabaseReplay(played, { ...machine, store, recorder }, process.lastContactAt);
      if (step.link === 'up') await process.open(step);
    }
    await behind(at + 1);
  }
}

const printsOf = ({ printerId }: Machine) =>
  database.prisma.observedPrint.findMany({ where: { printerId }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
const jobsOf = ({ printerId }: Machine) => database.prisma.printJob.findMany({ where: { printerId } });
const jobOf = async (machine: Machine) => {
  const jobs = await jobsOf(machine);
  expect(jobs).toHaveLength(1);
  const [job] = jobs;
  return { status: job?.status, mm: Number(job?.mmExtruded), grams: Number(job?.gramsDerived) };
};
/** `slot mm grams basis` of each slot of the last print. */
async function filamentOf(machine: Machine): Promise<string[]> {
  const filament = ((await printsOf(machine)).at(-1)?.filament ?? []) as Record<string, string | null>[];
  return filament.map(({ slot, mm, grams, basis }) => `${slot} ${mm ?? '-'} ${grams ?? '-'} ${basis}`);
}

function ofBambu(print: (machine: BambuMachine) => void): Played {
  const machine = new BambuMachine();
  machine.up();
  machine.rest();
  print(machine);
  machine.rest();
  return { adapter: bambu, steps: machine.steps };
}

const FROM_SLOT_2 = { ams: { ...amsOf(unit(0)), tray_now: '2' } };

const WHOLE = ofBambu((machine) => {
  machine.prepare(FROM_SLOT_2);
  machine.print(10);
  machine.finish();
});
const CANCELLED_AT_4 = ofBambu((machine) => {
  machine.prepare(FROM_SLOT_2);
  machine.print(4);
  machine.fail();
  machine.tell({ print_error: 50348044 });
});

describe('a Bambu printer', () => {
  test.each([
    ['whole', false],
    ['by a new process behind every message', true],
  ])('a print from one slot, %s: while it runs and at its end the grams of its plan, once', async (_, isCut) => {
    await send('/home/me/cube.gcode.3mf', [[1, null, '0.72']]);
    const machine = await machineOf('BAMBU', 'ams:0:2', 'ams:0:1');
    const seen = new Set<string>();
    await play(WHOLE, machine, isCut, async () => {
      for (const { status, gramsDerived } of await jobsOf(machine)) seen.add(`${status} ${Number(gramsDerived)}`);
    });
    expect([...seen]).toEqual(['Printing 0.72', 'Completed 0.72']);
    expect(await jobOf(machine)).toEqual({ status: 'Completed', mm: 0, grams: 0.72 });
    expect(await filamentOf(machine)).toEqual(['ams:0:2 - 0.72 PLANNED']);
  });

  test('millimetres of a plan become grams by the formula, not by the slicer', async () => {
    await send('cube.3mf', [[4, '241.03', '0.99']]);
    const machine = await machineOf('BAMBU', 'ams:0:2');
    await play(WHOLE, machine);
    const grams = Number(deriveGrams('241.03', '1.75', '1.24'));
    expect(await jobOf(machine)).toEqual({ status: 'Completed', mm: 241.03, grams });
  });

  test('each filament is that of its slot, and those of one slot are added up', async () => {
    await send('cube', [
      [1, '100.5', '0.3'],
      [3, '50', null],
      [4, '20.25', '0.06'],
      [6, null, '1.5'],
    ]);
    const played = ofBambu((machine) => {
      machine.tellsDeltas = false;
      const ams = amsOf(unit(0), unit(1), unit(128, 1));
      machine.prepare({ ams, mapping: [1, 65535, 258, 1, 65535, 512] });
      machine.print(10);
      machine.finish();
    });
    for (const isCut of [false, true]) {
      const machine = await machineOf('BAMBU', 'ams:0:1');
      await play(played, machine, isCut);
      expect(await filamentOf(machine)).toEqual([
        'ams:0:1 120.75 0.36 PLANNED',
        'ams:1:2 50 - PLANNED',
        'ams:128:0 - 1.5 PLANNED',
      ]);
      // A job has one spool: a person gives them.
      expect(await jobsOf(machine)).toEqual([]);
    }
  });

  test('the command of the slicer says which slot feeds which filament', async () => {
    await send('cube', [
      [1, '10', null],
      [3, '30', null],
    ]);
    const machine = await machineOf('BAMBU');
    await play(
      ofBambu((printer) => {
        printer.tell({ ams: amsOf(unit(0), unit(1)) });
        printer.command({ ams_mapping: [5, -1, 0], task_id: '0' });
        printer.prepare({});
        printer.print(10);
        printer.finish();
      }),
      machine,
    );
    expect(await filamentOf(machine)).toEqual(['ams:1:1 10 - PLANNED', 'ams:0:0 30 - PLANNED']);
  });

  test('a plan with a filament that the printer does not use is not that of the print', async () => {
    await send('cube', [
      [1, '10', null],
      [2, '30', null],
    ]);
    const machine = await machineOf('BAMBU');
    await play(
      ofBambu((printer) => {
        printer.tellsDeltas = false;
        printer.prepare({ ams: amsOf(unit(0)), mapping: [0, 65535, 2] });
        printer.print(10);
        printer.finish();
      }),
      machine,
    );
    expect(await filamentOf(machine)).toEqual(['ams:0:0 - - UNKNOWN', 'ams:0:2 - - UNKNOWN']);
  });

  test('behind a plan that does not fit, a newer one that fits is that of the print', async () => {
    await send('cube', [[2, '30', null]]);
    const machine = await machineOf('BAMBU');
    const played = ofBambu((printer) => {
      printer.tellsDeltas = false;
      printer.prepare({ ams: amsOf(unit(0)), mapping: [0, 65535, 2] });
      printer.print(10);
      printer.finish();
    });
    await play(played, machine, false, async (step) => {
      if (step === 10)
        await send('cube', [
          [1, '10', null],
          [3, '20', null],
        ]);
    });
    expect(await filamentOf(machine)).toEqual(['ams:0:0 10 - PLANNED', 'ams:0:2 20 - PLANNED']);
  });

  test('each plate has its own plan', async () => {
    await send('cube.gcode.3mf', [[1, '10', null]], { plate: 1 });
    await send('cube.gcode.3mf', [[1, '20', null]], { plate: 2 });
    const machine = await machineOf('BAMBU', 'ams:0:2');
    await play(
      ofBambu((printer) => {
        for (const plate of [2, 1]) {
          printer.prepare({ ...FROM_SLOT_2, gcode_file: `/data/Metadata/plate_${plate}.gcode` });
          printer.print(10);
          printer.finish();
          printer.rest(60);
        }
      }),
      machine,
    );
    const prints = await printsOf(machine);
    expect(prints.map(({ filament }) => filament)).toMatchObject([[{ mm: '20' }], [{ mm: '10' }]]);
  });

  test('a plan that comes while the print runs is written into its job, and a newer one is not', async () => {
    const machine = await machineOf('BAMBU', 'ams:0:2');
    const long = ofBambu((printer) => {
      printer.prepare(FROM_SLOT_2);
      printer.print(10);
      printer.rest(60);
      printer.finish();
    });
    const seen = new Set<string>();
    await play(long, machine, false, async (step) => {
      const [job] = await jobsOf(machine);
      if (job !== undefined) seen.add(`${job.status} ${Number(job.gramsDerived)}`);
      if (step === 12) await send('cube', [[1, null, '5']]);
      if (seen.has('Printing 5')) await send('cube', [[1, null, '7']]);
    });
    expect([...seen]).toEqual(['Printing 0', 'Printing 5', 'Completed 5']);
    expect((await jobsOf(machine))[0]?.notes).toBeNull();
  });

  test('a plan that comes just before the end is that of the print', async () => {
    const machine = await machineOf('BAMBU', 'ams:0:2');
    const last = WHOLE.steps.findIndex(({ message }) => JSON.stringify(message).includes('FINISH'));
    await play(WHOLE, machine, false, async (step) => {
      if (step === last) await send('cube', [[1, null, '5']]);
    });
    expect(await jobOf(machine)).toEqual({ status: 'Completed', mm: 0, grams: 5 });
  });

  test.each<[string, Layer[] | null, string, string]>([
    [
      'by the table, the end of the layer',
      [
        [1, '5'],
        [4, '90.5'],
        [10, '100'],
      ],
      '90.5',
      '0.9',
    ],
    [
      'between two points of the table',
      [
        [1, '5'],
        [3, '20'],
        [5, '60'],
        [10, '100'],
      ],
      '40',
      '0.4',
    ],
    [
      'a table that is longer than the plan',
      [
        [1, '5'],
        [4, '100.4'],
        [10, '100.4'],
      ],
      '100',
      '1',
    ],
    ['without a table by its share of the layers', null, '40', '0.4'],
  ])('a cancel at layer 4 of 10 uses %s', async (_, layers, mm, grams) => {
    await send('cube', [[1, '100', '1']], { layers });
    for (const isCut of [false, true]) {
      const machine = await machineOf('BAMBU', 'ams:0:2');
      await play(CANCELLED_AT_4, machine, isCut);
      expect(await filamentOf(machine)).toEqual([`ams:0:2 ${mm} ${grams} ESTIMATED`]);
      expect(await jobOf(machine)).toMatchObject({ status: 'Cancelled', mm: Number(mm) });
    }
  });

  test('an end that a person tells has the amounts of the table too', async () => {
    await send('cube', [[1, '100', null]], {
      layers: [
        [4, '90.5'],
        [10, '100'],
      ],
    });
    const machine = await machineOf('BAMBU', 'ams:0:2');
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
    const [print] = await printsOf(machine);
    expect([print?.outcome, await filamentOf(machine)]).toEqual(['UNRESOLVED', ['ams:0:2 100 - PLANNED']]);
    await new PrintDecisionsService(inTransaction).resolve(print?.id as string, 'FAILED', null, MOMENT);
    expect(await filamentOf(machine)).toEqual(['ams:0:2 90.5 - ESTIMATED']);
  });

  test('a print that the printer tells of later has the plan that it began with', async () => {
    await send('cube', [[1, '100', null]]);
    const machine = await machineOf('BAMBU', 'ams:0:2');
    await play(
      ofBambu((printer) => {
        printer.prepare({ ...FROM_SLOT_2, task_id: '4503601284', subtask_id: '4503601285' });
        printer.print(4);
        printer.down();
        printer.print(6, 4);
        printer.finish();
        printer.wait(3600);
        printer.up();
      }),
      machine,
    );
    expect(await filamentOf(machine)).toEqual(['ams:0:2 100 - PLANNED']);
    expect(await jobOf(machine)).toMatchObject({ status: 'Completed', mm: 100 });
  });

  test('without a plan, or with one of 31 days ago, nothing is known', async () => {
    await send('cube', [[1, '100', null]], { daysAgo: 31 });
    await send('cube2', [[1, '100', null]]);
    const machine = await machineOf('BAMBU', 'ams:0:2');
    await play(WHOLE, machine);
    expect(await filamentOf(machine)).toEqual(['ams:0:2 - - UNKNOWN']);
  });
});

describe('other printers', () => {
  test('a Buddy board: slot n of the slicer is tool n − 1', async () => {
    const printer = new PrusaLinkMachine();
    printer.up();
    printer.rest();
    printer.begin('cube_0.2mm.bgcode');
    printer.print(60, 100);
    printer.over('FINISHED');
    printer.rest();
    const played = { adapter: prusalink, steps: printer.steps };
    await send('C:\\prints\\cube_0.2mm.gcode', [[1, '100', null]]);
    const machine = await machineOf('PRUSALINK', 'tool:0');
    await play(played, machine, true);
    expect(await filamentOf(machine)).toEqual(['tool:0 100 - PLANNED']);
    expect(await jobOf(machine)).toMatchObject({ status: 'Completed', mm: 100 });

    await send('cube_0.2mm.bgcode', [
      [2, '10', null],
      [5, '20', null],
    ]);
    const several = await machineOf('PRUSALINK', 'tool:0');
    await play(played, several);
    expect(await filamentOf(several)).toEqual(['tool:1 10 - PLANNED', 'tool:4 20 - PLANNED']);
  });

  test('the amounts of the machine itself come first', async () => {
    const recording = OCTOPRINT.find(({ name }) => name === 'octoprint: two tools, each with its plan') as Recording;
    const [{ name, filament }] = recording.expected as [Recording['expected'][0]];
    await send(name, [[1, '1', '1']]);
    const machine = await machineOf('OCTOPRINT');
    await play({ ...recording, adapter: octoprint }, machine);
    expect(await filamentOf(machine)).toEqual(filament);
  });
});

describe('a step that is tried again', () => {
  const RUNNING: RunningPrint = {
    ...{ externalId: null, name: 'part.gcode', filePath: 'part.gcode', startedAt: instant(10) },
    ...{ startedAtEstimated: false, plan: null, slots: [], paused: false, lost: false, seenAt: instant(10) },
    ...{ measured: [], ...NO_FIGURES },
  };
  const sighting = (at: number) => ({ key: randomUUID(), kind: 'PAUSED' as const, at: instant(at), text: 'It paused' });
  const record = (machine: Machine, step: RecorderStep) =>
    recorder.record(machine.lease, { deviceId: machine.lease.deviceId, printerId: machine.printerId }, step, MOMENT);
  const sightingsOf = (printId: string) =>
    database.prisma.printSighting.findMany({ where: { printId }, orderBy: { id: 'asc' } });

  test('because the answer of its commit was lost writes its sightings once', async () => {
    const machine = await machineOf('MOONRAKER');
    const printId = randomUUID();
    await record(machine, { printId, decision: { do: 'BEGIN', print: RUNNING }, sightings: [sighting(10)] });
    const save = {
      printId,
      decision: { do: 'SAVE' as const, print: RUNNING },
      sightings: [sighting(20), sighting(20)],
    };
    expect([await record(machine, save), await record(machine, save)]).toEqual(['DONE', 'DONE']);
    expect(await sightingsOf(printId)).toHaveLength(3);
  });

  test('a print that pauses for ever has 1,000 sightings and its end, and says so', async () => {
    const machine = await machineOf('MOONRAKER');
    const printId = randomUUID();
    await record(machine, { printId, decision: { do: 'BEGIN', print: RUNNING }, sightings: [] });
    const save = { do: 'SAVE' as const, print: RUNNING };
    for (const count of [998, 4, 4]) {
      const sightings = Array.from({ length: count }, () => sighting(20));
      expect(await record(machine, { printId, decision: save, sightings })).toBe('DONE');
    }
    const ending = { outcome: 'COMPLETED' as const, at: instant(50), estimated: false, reason: null, filament: [] };
    const ended = { ...sighting(50), kind: 'ENDED' as const, text: 'Completed' };
    await record(machine, { printId, decision: { do: 'END', print: RUNNING, ending }, sightings: [ended] });
    const texts = (await sightingsOf(printId)).map(({ text }) => text);
    expect([texts.length, texts.slice(-3)]).toEqual([
      1001,
      ['It paused', 'It paused. What follows is not written, but for its end', 'Completed'],
    ]);
  });
});

test('a process that goes on with a print leaves the job that a person gave it meanwhile', async () => {
  const machine = await machineOf('BAMBU');
  const at = Math.floor(WHOLE.steps.length / 2);
  await play({ ...WHOLE, steps: WHOLE.steps.slice(0, at) }, machine);
  const { store } = farmOn(database, NO_SETTINGS).prints;
  const process = new DatabaseReplay(WHOLE, { ...machine, store, recorder }, null);
  await process.open(WHOLE.steps[at - 1] as Recording['steps'][0]);
  const [print] = await printsOf(machine);
  const spoolId = randomUUID();
  await database.prisma.spool.create({
    data: {
      ...{ id: spoolId, spoolSerial: spoolId, filamentDiameterMm: '1.75', weightTotalGrams: '1000' },
      ...{ materialId: MATERIAL, createdAt: instant(0), updatedAt: instant(0) },
    },
  });
  await new PrintDecisionsService(inTransaction).assignSpools(
    print?.id as string,
    [{ slot: 'ams:0:2', spoolId }],
    MOMENT,
  );
  for (const step of WHOLE.steps.slice(at)) await process.hear(step);
  expect((await printsOf(machine)).map(({ jobId, spools }) => [jobId !== null, spools])).toEqual([
    [true, { 'ams:0:2': spoolId }],
  ]);
  expect((await jobsOf(machine)).map(({ status }) => status)).toEqual(['Completed']);
});
