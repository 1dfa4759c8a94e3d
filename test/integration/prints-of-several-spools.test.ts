// Prints of several spools: the parts that their jobs get, with a new process after every message of their machines.
import type { Database } from '../../src/database/database';
import { amsOf, unit } from '../../src/demo/machines/bambu';
import type { SpoolLoadingService } from '../../src/farm/inventory/spool-loading.service';
import { deriveGrams } from '../../src/farm/print-jobs/filament';
import type { PartsOfJobService } from '../../src/farm/print-jobs/parts-of-job.service';
import type { PrintJobService } from '../../src/farm/print-jobs/print-job.service';
import type { Course } from '../../src/farm/print-rules/print.model';
import type { ObservedPrintService } from '../../src/farm/prints/observed-print.service';
import type { StockStore } from '../../src/farm/stock/stock.store';
import { moonraker } from '../../src/machines/moonraker/adapter';
import { prusalink } from '../../src/machines/prusalink/adapter';
import type { BambuMachine } from '../recordings/bambu/machine';
import { MoonrakerMachine } from '../recordings/moonraker/machine';
import { MOONRAKER } from '../recordings/moonraker/recordings';
import { OCTOPRINT } from '../recordings/octoprint/recordings';
import { PrusaLinkMachine } from '../recordings/prusalink/machine';
import { instant, type Recording } from '../recordings/recording';
import { describeOnce } from '../support/databases';
import {
  AMS,
  CUT_EVERY,
  type PlayedPrinter as Machine,
  type Played,
  playBambu,
  providePlayedFarm,
  TIME,
  tray,
} from '../support/played-farm';

const farm = providePlayedFarm();
const { assignSpoolsTo, createMachine, newSpool, load, play, readPrint, readJobs, describeParts, queueJob, sendPlan } =
  farm;
let database: Database;
let jobs: PrintJobService;
let parts: PartsOfJobService;
let loads: SpoolLoadingService;
let observed: ObservedPrintService;
let stock: StockStore;
beforeAll(() => {
  ({ database, jobs, parts, loads, observed, stock } = farm.opened());
});

const findRecording = (name: string) => [...MOONRAKER, ...OCTOPRINT].find((one) => one.name === name) as Recording;
const TWO_TOOLS = findRecording('octoprint: two tools, each with its plan');
const SHARED = findRecording('moonraker: two tools share one total');
const HAPPY_HARE = 'moonraker: Happy Hare:';
const BOTH = findRecording('moonraker: two extruders and one length: both feed');

/** Filaments 1 and 2 from the slots 2 and 3 of the first unit. */
function prepareTwo(printer: BambuMachine): BambuMachine {
  printer.sendsDeltas = false;
  return printer.prepare({ ...AMS, mapping: [2, 3] });
}

describe('a print of several slots whose spools are all known', () => {
  test('gets its job automatically, with the planned amounts while it runs, and with what each slot used at its end', async () => {
    const machine = await createMachine('OCTOPRINT', 'tool:0', 'tool:1');
    const seen = new Set<string>();
    await play(TWO_TOOLS, machine, CUT_EVERY, async () => {
      const results = await describeParts(machine);
      if (results !== null) seen.add(results.join(', '));
    });
    const [expected] = TWO_TOOLS.expected;
    const amounts = (expected?.filament ?? []).map((one) => one.split(' '));
    expect(await describeParts(machine)).toEqual(
      amounts
        .toSorted((a, b) => Number(b[1]) - Number(a[1]))
        .map(([slot, mm, , basis]) => `${slot}: ${slot} ${Number(mm)} ${basis}`),
    );
    expect(seen.size).toBe(1);
    expect((await readJobs(machine)).map(({ status, notes }) => [status, notes])).toEqual([['Completed', null]]);
  });

  test('divides one measured length by the plan, as an estimate', async () => {
    const machine = await createMachine('MOONRAKER', 'tool:0', 'tool:1');
    await play(SHARED, machine);
    expect(await describeParts(machine)).toEqual([
      'tool:0: tool:0 300.83 ESTIMATED',
      'tool:1: tool:1 100.28 ESTIMATED',
    ]);
  });

  test('writes the parts of the job and its end in one change', async () => {
    const machine = await createMachine('MOONRAKER', 'tool:0', 'tool:1');
    await play(SHARED, machine);
    const [id] = (await readJobs(machine)).map((one) => one.id) as [string];
    const changes = await database.prisma.change.findMany({ where: { entity: id }, orderBy: { id: 'asc' } });
    const statuses = changes.map(({ job }) => (job as unknown[]).slice(0, 2));
    expect(statuses.filter(([, status]) => status !== 'Queued' && status !== 'Printing')).toEqual([
      ['Printing', 'Completed'],
    ]);
    expect(statuses.at(-1)).toEqual(['Printing', 'Completed']);
    const positions = changes.map(({ position }) => position);
    expect(positions.filter((one) => one === positions.at(-1))).toHaveLength(1);
    const job = await jobs.requireJob(id);
    const history = await jobs.statusHistory(job);
    expect(history.map(({ to }) => to)).toEqual(['Queued', 'Printing', 'Completed']);
    expect(history.at(-1)?.at).toBe(job.updatedAt);
    expect(job.completedAt).not.toBeNull();
  });

  test('has the spool of the slot with the most grams, then of the lowest slot number', async () => {
    await sendPlan([
      [1, '10', null],
      [2, '80', null],
    ]);
    const machine = await createMachine('BAMBU', 'ams:0:2', 'ams:0:3');
    await play(
      playBambu((printer) => prepareTwo(printer).print(10).finish()),
      machine,
    );
    expect(await describeParts(machine)).toEqual(['ams:0:3: ams:0:3 80 PLANNED', 'ams:0:2: ams:0:2 10 PLANNED']);
  });

  test('has a part for each slot whose amount is unknown', async () => {
    const machine = await createMachine('BAMBU', 'ams:0:2', 'ams:0:3');
    await play(
      playBambu((printer) => prepareTwo(printer).print(10).finish()),
      machine,
    );
    expect(await describeParts(machine)).toEqual(['ams:0:2: ams:0:2 0g UNKNOWN', 'ams:0:3: ams:0:3 0g UNKNOWN']);
  });

  test('has no part for a planned slot that used nothing', async () => {
    await sendPlan(
      [
        [1, '100', null],
        [2, '60', null],
      ],
      [
        [4, '90.5', '0'],
        [10, '100', '60'],
      ],
    );
    const machine = await createMachine('BAMBU', 'ams:0:2', 'ams:0:3');
    const cancelled = playBambu((printer) => prepareTwo(printer).print(4).fail().sendReport({ print_error: 50348044 }));
    await play(cancelled, machine);
    expect(await describeParts(machine)).toEqual(['ams:0:2: - 90.5 -']);
    const [job] = await readJobs(machine);
    expect([job?.status, job?.divided]).toEqual(['Cancelled', false]);
  });

  test('keeps the spool of its job although that spool was not used, because clients hold it', async () => {
    await sendPlan(
      [
        [1, '60', null],
        [2, '100', null],
      ],
      [
        [4, '50.5', '0'],
        [10, '60', '100'],
      ],
    );
    const machine = await createMachine('BAMBU', 'ams:0:2', 'ams:0:3');
    await play(
      playBambu((printer) => prepareTwo(printer).print(4).fail().sendReport({ print_error: 50348044 })),
      machine,
    );
    expect(await describeParts(machine)).toEqual(['ams:0:3: ams:0:3 0g ESTIMATED', 'ams:0:2: ams:0:2 50.5 ESTIMATED']);
  });

  test('waits while one of the spools is archived', async () => {
    const machine = await createMachine('OCTOPRINT', 'tool:0');
    const archived = await load(machine, 'tool:1');
    await database.prisma.spool.update({ where: { id: archived }, data: { archivedAt: instant(0) } });
    await play(TWO_TOOLS, machine);
    expect([await describeParts(machine), await readJobs(machine)]).toEqual([null, []]);
  });

  test('counts both slots that feed if the file names none', async () => {
    const machine = await createMachine('MOONRAKER', 'tool:0', 'tool:1');
    await play(BOTH, machine);
    expect(await describeParts(machine)).toEqual(['tool:0: tool:0 500 MEASURED', 'tool:1: tool:1 490.25 MEASURED']);
  });
});

describe('a machine that measures by slot', () => {
  test.each([
    ['COMPLETED', 'Completed', ['tool:1: tool:1 271.11 MEASURED', 'tool:0: tool:0 130 MEASURED']],
    ['CANCELLED', 'Cancelled', ['tool:0: tool:0 130 MEASURED', 'tool:1: tool:1 30 MEASURED']],
    ['FAILED', 'Failed', ['tool:0: tool:0 130 MEASURED', 'tool:1: tool:1 30 MEASURED']],
  ])('gives each tool what it fed, whenever the process is killed: %s', async (outcome, status, expected) => {
    const machine = await createMachine('MOONRAKER', 'tool:0', 'tool:1');
    await play(findRecording(`moonraker: a tool changer: each tool has the length that it fed, ${outcome}`), machine);
    expect([...((await describeParts(machine)) ?? [])].sort()).toEqual([...expected].sort());
    expect((await readJobs(machine)).map((job) => job.status)).toEqual([status]);
  });

  test('gives a tool that is missing from the plan its part, and none to a tool that fed nothing', async () => {
    const machine = await createMachine('MOONRAKER', 'tool:0', 'tool:1', 'tool:2');
    await play(
      findRecording('moonraker: a tool changer with the clock of 1970, and a tool that is not in the plan'),
      machine,
    );
    expect(await describeParts(machine)).toEqual(['tool:0: tool:0 100 MEASURED', 'tool:2: tool:2 20 MEASURED']);
  });

  test('estimates by the plan what was fed while no gateway ran, and measures none of it for a tool', async () => {
    const machine = await createMachine('MOONRAKER', 'tool:0', 'tool:1');
    const { adapter, steps } = findRecording(
      'moonraker: a tool changer: each tool has the length that it fed, COMPLETED',
    );
    const changes = steps.map(({ message }) => JSON.stringify(message).includes('"extruder":'));
    const [first, last] = [changes.indexOf(true), changes.lastIndexOf(true)];
    const away = steps.map((step, at) =>
      at >= first && at <= last ? { ...step, message: null, link: 'down' as const } : step,
    );
    await play({ adapter, steps: away }, machine);
    const parts = (await describeParts(machine)) ?? [];
    expect(parts.map((part) => part.split(' ').at(-1))).toEqual(['ESTIMATED', 'ESTIMATED']);
    expect(parts.reduce((sum, part) => sum + Number(part.split(' ')[2]), 0)).toBeCloseTo(401.11);
  });

  test('gives each gate what it fed, and the job the spools of the gates that its tools map to', async () => {
    const machine = await createMachine('MOONRAKER', 'mmu:0', 'mmu:2');
    const seen = new Set<string>();
    await play(
      findRecording(
        `${HAPPY_HARE} each gate has what it fed, and filament that the unit pulls back is not counted again`,
      ),
      machine,
      5,
      async () => {
        for (const part of (await describeParts(machine)) ?? []) seen.add(part.split(' ')[0] as string);
      },
    );
    expect([...seen].sort()).toEqual(['mmu:0:', 'mmu:2:']);
    expect(await describeParts(machine)).toEqual(['mmu:2: mmu:2 100 MEASURED', 'mmu:0: mmu:0 30 MEASURED']);
  });

  test('uses the slicer’s plan for the gates that the unit reports if the file has no gates', async () => {
    await sendPlan([
      [1, '90', null],
      [2, '40', null],
    ]);
    const machine = await createMachine('MOONRAKER', 'mmu:0', 'mmu:2');
    const unitOf = new MoonrakerMachine();
    unitOf.up();
    unitOf.stayIdle().addUnit(2, 0).startPrint('cube.gcode').print(30, 100, 0.3).selectGate(0).print(20, 130, 1);
    const running = { adapter: moonraker, steps: [...unitOf.steps] };
    await play(running, machine);
    expect(await describeParts(machine)).toEqual(['mmu:2: mmu:2 90 PLANNED', 'mmu:0: mmu:0 40 PLANNED']);
    expect((await readJobs(machine)).map(({ status }) => status)).toEqual(['Printing']);
  });

  test('gives the gate that continues for an empty one its part, and the bypass of the unit its own', async () => {
    const machine = await createMachine('MOONRAKER', 'mmu:0', 'mmu:2', 'ext:0');
    await play(
      findRecording(
        `${HAPPY_HARE} a print whose spool has run out continues from another gate, and then past the unit`,
      ),
      machine,
    );
    const parts = [...((await describeParts(machine)) ?? [])].sort();
    expect(parts).toEqual(['ext:0: ext:0 860.25 MEASURED', 'mmu:0: mmu:0 100 MEASURED', 'mmu:2: mmu:2 30 MEASURED']);
  });
});

describe('a machine that reports nothing by slot', () => {
  const prusaLink = (outcome: 'FINISHED' | 'STOPPED'): Played => {
    const machine = new PrusaLinkMachine();
    machine.up();
    machine.stayIdle().startPrint('cube.gcode').print(60, 100).over(outcome).stayIdle();
    return { adapter: prusalink, steps: machine.steps };
  };

  test.each([
    ['FINISHED', ['tool:0: tool:0 100 PLANNED', 'tool:2: tool:2 60 PLANNED']],
    ['STOPPED', ['tool:0: tool:0 0g UNKNOWN', 'tool:2: tool:2 0g UNKNOWN']],
  ] as const)(
    'PrusaLink has the slicer’s plan by tool, and no part of it if the print ended early: %s',
    async (end, expected) => {
      await sendPlan([
        [1, '100', null],
        [3, '60', null],
      ]);
      const machine = await createMachine('PRUSALINK', 'tool:0', 'tool:2');
      await play(prusaLink(end), machine);
      expect(await describeParts(machine)).toEqual(expected);
    },
  );

  test('OctoPrint has the planned shares of a print that ended early, as an estimate', async () => {
    const machine = await createMachine('OCTOPRINT', 'tool:0', 'tool:1');
    await play(findRecording('octoprint: two tools, cancelled early'), machine);
    expect(await describeParts(machine)).toEqual(['tool:0: tool:0 37.5 ESTIMATED', 'tool:1: tool:1 12.5 ESTIMATED']);
  });

  test('a unit before one extruder that does not report its gate has the plan by tool', async () => {
    const machine = await createMachine('MOONRAKER', 'tool:0', 'tool:1');
    await play(SHARED, machine);
    expect((await describeParts(machine))?.map((part) => part.split(' ').at(-1))).toEqual(['ESTIMATED', 'ESTIMATED']);
  });
});

describe('a print that waits for the spools of its slots', () => {
  test('gets its job when a user enters a spool for each slot; slots with a loaded spool may be left out', async () => {
    const machine = await createMachine('OCTOPRINT', 'tool:0');
    await play(TWO_TOOLS, machine);
    const print = await readPrint(machine);
    const assign = (...spools: { slot: string; spoolId: string }[]) => assignSpoolsTo(print?.id as string, spools);
    const [one, other] = [await newSpool('one'), await newSpool('other')];
    for (const spools of [
      [],
      [{ slot: 'tool:0', spoolId: one }],
      [{ slot: 'tool:2', spoolId: one }],
      [
        { slot: 'tool:1', spoolId: one },
        { slot: 'tool:1', spoolId: other },
      ],
    ])
      await expect(assign(...spools)).rejects.toThrow('spools must name each slot of the print once: tool:0, tool:1');
    await assign({ slot: 'tool:1', spoolId: other });
    expect((await describeParts(machine))?.map((one) => one.split(' ')[0]).sort()).toEqual(['other:', 'tool:0:']);
    const again = [
      { slot: 'tool:0', spoolId: one },
      { slot: 'tool:1', spoolId: other },
    ];
    await expect(assign(...again)).rejects.toThrow('already has a job');
  });

  test('has the planned amounts when it gets its job while it runs', async () => {
    const machine = await createMachine('OCTOPRINT');
    await play(TWO_TOOLS, machine, CUT_EVERY, async () => {
      const print = await readPrint(machine);
      if (print?.outcome !== 'RUNNING' || print.jobId !== null || print.plan === null) return;
      const spools = [
        { slot: 'tool:0', spoolId: await newSpool('one') },
        { slot: 'tool:1', spoolId: await newSpool('other') },
      ];
      await assignSpoolsTo(print.id, spools);
      expect((await describeParts(machine))?.map((part) => part.split(' ').at(-1))).toEqual(['PLANNED', 'PLANNED']);
    });
    expect((await describeParts(machine))?.map((part) => part.split(' ')[0]).sort()).toEqual(['one:', 'other:']);
  });
});

const readActiveSlots = (print: { course: unknown } | undefined) => {
  const stretches = (print?.course as Course | null)?.stretches ?? [];
  return [...new Set(stretches.flatMap(({ slot, mm }) => (slot !== null && Number(mm) > 0 ? [slot] : [])))];
};

// These tests choose the cuts themselves.
describeOnce('a slot without a spool that begins to feed later', () => {
  test('leaves the job unchanged, waits beside it, and becomes a part of it when a user enters that slot alone', async () => {
    const machine = await createMachine('MOONRAKER', 'tool:0');
    await play(BOTH, machine, Number.POSITIVE_INFINITY);
    expect(await describeParts(machine)).toEqual(['tool:0: - 500 -']);
    const [job] = await readJobs(machine);
    const note = 'The filament of tool:1 is not in this job, because its spool is unknown.';
    expect([job?.status, job?.notes]).toEqual(['Completed', note]);
    const print = await readPrint(machine);
    expect(print?.lacking).toEqual(['tool:1']);
    const spoolId = await newSpool('said');
    const assign = (...slots: string[]) =>
      assignSpoolsTo(
        print?.id as string,
        slots.map((slot) => ({ slot, spoolId })),
      );
    for (const slots of [[], ['tool:0'], ['tool:0', 'tool:1']])
      await expect(assign(...slots)).rejects.toThrow('must name each slot of the print once: tool:1');
    await assign('tool:1');
    expect(await describeParts(machine)).toEqual(['tool:0: tool:0 500 MEASURED', 'said: tool:1 490.25 MEASURED']);
    expect((await readJobs(machine)).map(({ notes }) => notes)).toEqual([null]);
    expect((await readPrint(machine))?.lacking).toBeNull();
  });

  test('becomes a part immediately if its spool is known, and a spool that is loaded later counts nothing of the past', async () => {
    for (const isKnown of [true, false]) {
      const machine = await createMachine('MOONRAKER', 'tool:0');
      await play(BOTH, machine, Number.POSITIVE_INFINITY, async () => {
        const print = await readPrint(machine);
        const slots = readActiveSlots(print);
        const isDue = isKnown ? print?.jobId != null : print?.lacking !== null && slots.length === 2;
        const isLoaded = (await database.prisma.slotLoad.count({ where: { printerId: machine.printerId } })) > 1;
        if (print !== undefined && isDue && !isLoaded) await load(machine, 'tool:1', instant(10));
      });
      expect(await describeParts(machine)).toEqual(
        isKnown ? ['tool:0: tool:0 500 MEASURED', 'tool:1: tool:1 490.25 MEASURED'] : ['tool:0: - 500 -'],
      );
    }
  });

  test('keeps the amounts that a user gave the job', async () => {
    const machine = await createMachine('MOONRAKER', 'tool:0');
    await play(BOTH, machine, Number.POSITIVE_INFINITY);
    const [job] = await readJobs(machine);
    const { printerId, spoolId, printName, gcodeFilePath } = job as NonNullable<typeof job>;
    const amounts = { mmExtruded: '77', gramsDerived: '0', costPerPrint: '0', autoDeriveGrams: true };
    const edited = { printerId, spoolId, printName, gcodeFilePath, notes: null, ...amounts };
    await jobs.update(job?.id as string, edited, { ...TIME, now: instant(110_000) });
    const print = await readPrint(machine);
    await assignSpoolsTo(print?.id as string, [{ slot: 'tool:1', spoolId: await newSpool('said') }]);
    expect([await describeParts(machine), (await readPrint(machine))?.lacking]).toEqual([['tool:0: - 77 -'], null]);
  });
});

describe('a queued job that a print of several slots claims', () => {
  const FILE = TWO_TOOLS.expected[0]?.name ?? '';

  test('keeps its spool if a slot has it, and gets the spools of the other slots', async () => {
    const machine = await createMachine('OCTOPRINT', 'tool:0');
    await queueJob(machine, await load(machine, 'tool:1'), FILE);
    await play(TWO_TOOLS, machine);
    expect((await describeParts(machine))?.map((one) => one.split(' ')[0])).toEqual(['tool:1:', 'tool:0:']);
    expect(await readJobs(machine)).toHaveLength(1);
  });

  test('provides the spool of the slot whose spool is unknown', async () => {
    const machine = await createMachine('OCTOPRINT', 'tool:0');
    await queueJob(machine, await newSpool('queued'), FILE);
    await play(TWO_TOOLS, machine);
    expect((await describeParts(machine))?.map((one) => one.split(' ').slice(0, 2))).toEqual([
      ['queued:', 'tool:1'],
      ['tool:0:', 'tool:0'],
    ]);
  });
});

describe('a print that continues from another slot when its spool has run out', () => {
  /** One filament of 100 mm, from slot 2 to layer 4, and from slot 3 after that. */
  const backup = (end: (printer: BambuMachine) => void = (printer) => printer.print(6, 4).finish()) =>
    playBambu((printer) => {
      printer.sendsDeltas = false;
      printer.prepare({ ...AMS, mapping: [2] }).print(4);
      printer.sendReport(tray('255')).sendReport(tray('3'));
      end(printer);
      printer.sendReport(tray('255'));
    });
  const ONE_FILAMENT: Parameters<typeof sendPlan> = [
    [[1, '100', null]],
    [
      [4, '70'],
      [10, '100'],
    ],
  ];

  test.each([
    [
      'by the table of its plan',
      ONE_FILAMENT,
      ['ams:0:2: ams:0:2 70 ESTIMATED 1-4', 'ams:0:3: ams:0:3 30 ESTIMATED 5-10'],
    ],
    [
      'by its layers, without a table',
      [ONE_FILAMENT[0]] as Parameters<typeof sendPlan>,
      ['ams:0:2: ams:0:2 40 ESTIMATED 1-4', 'ams:0:3: ams:0:3 60 ESTIMATED 5-10'],
    ],
  ])('is divided %s', async (_, plan, expected) => {
    await sendPlan(...plan);
    const machine = await createMachine('BAMBU', 'ams:0:2', 'ams:0:3');
    await play(backup(), machine);
    expect(await describeParts(machine)).toEqual(expected);
    expect((await readJobs(machine)).map(({ status, notes }) => [status, notes])).toEqual([['Completed', null]]);
  });

  test('is divided up to the layer of a cancel', async () => {
    await sendPlan(...ONE_FILAMENT);
    const machine = await createMachine('BAMBU', 'ams:0:2', 'ams:0:3');
    await play(
      backup((printer) => printer.print(3, 4).fail().sendReport({ print_error: 50348044 })),
      machine,
    );
    expect(await describeParts(machine)).toEqual([
      'ams:0:2: ams:0:2 70 ESTIMATED 1-4',
      'ams:0:3: ams:0:3 15 ESTIMATED 5-7',
    ]);
  });

  test('waits beside its job for the spool of the second slot, with what the first slot used', async () => {
    await sendPlan(...ONE_FILAMENT);
    const machine = await createMachine('BAMBU', 'ams:0:2');
    await play(backup(), machine);
    expect(await describeParts(machine)).toEqual(['ams:0:2: - 70 -']);
    const print = await readPrint(machine);
    expect(print?.lacking).toEqual(['ams:0:3']);
    await assignSpoolsTo(print?.id as string, [{ slot: 'ams:0:3', spoolId: await newSpool('said') }]);
    expect(await describeParts(machine)).toEqual([
      'ams:0:2: ams:0:2 70 ESTIMATED 1-4',
      'said: ams:0:3 30 ESTIMATED 5-10',
    ]);
  });

  describeOnce('cut where it says', () => {
    test('that used eighteen slots in turn has sixteen parts: the smallest neighbours are merged', async () => {
      const layers = [3, 3, 1, 1, ...Array.from({ length: 12 }, () => 3), 1, 1];
      const count = layers.reduce((sum, one) => sum + one, 0);
      await sendPlan([[1, String(10 * count), null]]);
      const trays = [...Array.from({ length: 16 }, (_, at) => at), 128, 129];
      const slots = trays.map((at) => (at < 128 ? `ams:${Math.floor(at / 4)}:${at % 4}` : `ams:${at}:0`));
      const machine = await createMachine('BAMBU', ...slots);
      const units = [unit(0), unit(1), unit(2), unit(3), unit(128, 1), unit(129, 1)];
      const played = playBambu((printer) => {
        printer.sendsDeltas = false;
        printer.layers = count;
        const ams = (tray_now: number) => ({ ams: { ...amsOf(...units), tray_now: String(tray_now) } });
        printer.prepare({ ...ams(0), mapping: [0] });
        let done = 0;
        for (const [at, more] of layers.entries()) {
          if (at > 0) printer.sendReport(ams(trays[at] as number));
          printer.print(more, done);
          done += more;
        }
        printer.finish();
      });
      await play(played, machine, 7);
      const parts = (await describeParts(machine)) ?? [];
      expect(parts).toHaveLength(16);
      expect(parts.filter((part) => / 20 /.test(part))).toEqual([
        'ams:0:2: ams:0:2 20 ESTIMATED 7-8',
        'ams:128:0: ams:128:0 20 ESTIMATED 45-46',
      ]);
    });
  });

  test('is not assumed for a slot of the plan, without a slot, or before the first layer', async () => {
    await sendPlan([
      [1, '60', null],
      [2, '40', null],
    ]);
    const machine = await createMachine('BAMBU', 'ams:0:2', 'ams:0:3', 'ams:1:0');
    await play(
      playBambu((printer) => {
        prepareTwo(printer).sendReport(tray('4'));
        for (let layer = 0; layer < 10; layer += 1)
          printer
            .sendReport(tray(layer % 2 === 0 ? '2' : '3'))
            .print(1, layer)
            .sendReport(tray('255'));
        printer.finish();
      }),
      machine,
    );
    expect(await describeParts(machine)).toEqual(['ams:0:2: ams:0:2 60 PLANNED', 'ams:0:3: ams:0:3 40 PLANNED']);
  });
});

describe('a spool that is changed in its slot', () => {
  const CUBE = 'cube.gcode';
  /** 400 mm, then a pause from second 90 to 150, then 600 mm more. */
  const paused = (): Played => {
    const machine = new MoonrakerMachine();
    machine.files = { [CUBE]: { filament_total: 1000 } };
    machine.up();
    machine.stayIdle();
    machine
      .startPrint(CUBE)
      .print(40, 400, 0.4, 20)
      .pause(60)
      .print(60, 1000, 1, 50)
      .endPrint('complete', 'completed')
      .stayIdle();
    return { adapter: moonraker, steps: machine.steps };
  };
  const change = async ({ printerId }: Machine, slot: string, at: string, serial: string | null) => {
    const where = { printerId, slot, to: null };
    const present = await database.prisma.slotLoad.findFirst({ where });
    await database.prisma.slotLoad.updateMany({ where, data: { to: at } });
    if (serial === null) return;
    const spoolId = serial === 'same' ? (present?.spoolId as string) : await newSpool(serial);
    await database.prisma.slotLoad.create({ data: { printerId, slot, spoolId, from: at } });
  };
  /** Entered after the print, or while it pauses. */
  const playedWith = async (enterLoad: (machine: Machine) => Promise<void>, step: number) => {
    const machine = await createMachine('MOONRAKER', 'tool:0');
    const played = paused();
    await play(played, machine, CUT_EVERY, async (at) => {
      if (at === step) await enterLoad(machine);
    });
    return machine;
  };
  const pauseAt = paused().steps.findIndex(({ message }) => JSON.stringify(message).includes('"paused"')) + 1;

  test.each([
    ['in the pause', pauseAt],
    ['later, while the print continues', pauseAt + 12],
  ])('gets what was measured until the pause, and the new spool the rest, entered %s', async (_, step) => {
    const machine = await playedWith((one) => change(one, 'tool:0', instant(110), 'second'), step);
    expect(await describeParts(machine)).toEqual([
      'tool:0: tool:0 400 MEASURED 1-20',
      'second: tool:0 600 MEASURED 21-50',
    ]);
  });

  test('is no change if the same spool is put back, or if it is only taken out', async () => {
    const again = await playedWith(async (machine) => {
      const { prisma } = database;
      const { printerId } = machine;
      const present = await prisma.slotLoad.findFirstOrThrow({ where: { printerId, to: null } });
      await change(machine, 'tool:0', instant(100), null);
      const spoolId = present.spoolId;
      await prisma.slotLoad.create({ data: { printerId, slot: 'tool:0', spoolId, from: instant(120) } });
    }, pauseAt);
    expect(await describeParts(again)).toEqual(['tool:0: - 1000 -']);
    const out = await playedWith((machine) => change(machine, 'tool:0', instant(100), null), pauseAt);
    expect(await describeParts(out)).toEqual(['tool:0: - 1000 -']);
  });

  test('while it prints is divided by interpolation between the known moments', async () => {
    const machine = await playedWith((one) => change(one, 'tool:0', instant(70), 'second'), pauseAt);
    const results = await describeParts(machine);
    expect(results?.map((one) => [one.split(' ')[0], one.split(' ')[3]])).toEqual([
      ['tool:0:', 'ESTIMATED'],
      ['second:', 'ESTIMATED'],
    ]);
    const [first] = results as [string];
    expect(Number(first.split(' ')[2])).toBeLessThan(400);
  });
});

// These tests choose the cuts themselves.
describeOnce('a person and the machine', () => {
  const edit = (job: Awaited<ReturnType<typeof readJobs>>[0], members: object) => {
    const { printerId, spoolId, printName, gcodeFilePath, notes } = job;
    const { mmExtruded, gramsDerived, costPerPrint } = job;
    const amounts = { mmExtruded: `${mmExtruded}`, gramsDerived: `${gramsDerived}`, costPerPrint: `${costPerPrint}` };
    const asIs = { printerId, spoolId, printName, gcodeFilePath, notes, ...amounts, autoDeriveGrams: false };
    return jobs.update(job.id, { ...asIs, ...members }, { ...TIME, now: instant(90_000) });
  };
  /** A cancel of a plan of two slots. */
  const cancelled = async (work: (machine: Machine) => Promise<unknown>, behind = async (_: Machine) => {}) => {
    await sendPlan(
      [
        [1, '100', null],
        [2, '60', null],
      ],
      [
        [4, '90.5', '10'],
        [10, '100', '60'],
      ],
    );
    const machine = await createMachine('BAMBU', 'ams:0:2', 'ams:0:3');
    const played = playBambu((printer) => prepareTwo(printer).print(4).fail().sendReport({ print_error: 50348044 }));
    let isDone = false;
    // The row has each layer only if a new process follows each message.
    await play(played, machine, 1, async () => {
      if (isDone || (await readPrint(machine))?.layer !== 2) return;
      isDone = true;
      await work(machine);
    });
    expect(isDone).toBe(true);
    await behind(machine);
    const [job] = await readJobs(machine);
    return {
      parts: await describeParts(machine),
      status: job?.status,
      basis: await observed.basisOf(await jobs.requireJob(job?.id as string)),
      words: [job?.printName, job?.gcodeFilePath, job?.notes],
    };
  };
  const measured = ['ams:0:2: ams:0:2 90.5 ESTIMATED', 'ams:0:3: ams:0:3 10 ESTIMATED'];
  const readJob = async (machine: Machine) => (await readJobs(machine))[0] as Awaited<ReturnType<typeof readJobs>>[0];

  test('notes, name and path are from the user, and the amounts from the machine', async () => {
    const words = { printName: 'Order 9', gcodeFilePath: '/orders/9', notes: 'the red one' };
    const results: string[] = [];
    const readBasis = async (machine: Machine) => observed.basisOf(await jobs.requireJob((await readJob(machine)).id));
    const work = async (machine: Machine) => {
      await edit(await readJob(machine), words);
      results.push(await readBasis(machine));
      const [one] = await parts.partsOfJob(await jobs.requireJob((await readJob(machine)).id));
      results.push(one?.basis ?? '-');
    };
    expect(await cancelled(work, async (machine) => void results.push(await readBasis(machine)))).toEqual({
      parts: measured,
      status: 'Cancelled',
      basis: 'ESTIMATED',
      words: ['Order 9', '/orders/9', 'the red one'],
    });
    expect(results).toEqual(['PLANNED', 'PLANNED', 'ESTIMATED']);
  });

  test('amounts and a spool that a user entered stay', async () => {
    const results = await cancelled(async (machine) =>
      edit(await readJob(machine), { mmExtruded: '77', autoDeriveGrams: true }),
    );
    expect([results.parts, results.status, results.basis]).toEqual([['ams:0:2: - 77 -'], 'Cancelled', 'MANUAL']);
    const spoolId = await newSpool('own');
    const other = await cancelled(async (machine) => edit(await readJob(machine), { spoolId, autoDeriveGrams: true }));
    expect(other.parts).toEqual(['own: - 160 -']);
  });

  test('parts that a user entered stay, also if their sums equal those of the machine', async () => {
    const results = await cancelled(async (machine) => {
      const [one, other] = await parts.partsOfJob(await jobs.requireJob((await readJob(machine)).id));
      const note = [one, other].map((part, at) => ({
        spoolId: part?.spool?.id as string,
        slot: ['ams:0:3', 'ams:0:2'][at] as string,
        mmExtruded: part?.mmExtruded as string,
      }));
      await parts.setParts((await readJob(machine)).id, note, { ...TIME, now: instant(90_000) });
    });
    expect([results.parts, results.basis]).toEqual([
      ['ams:0:2: ams:0:3 100 MANUAL', 'ams:0:3: ams:0:2 60 MANUAL'],
      'MANUAL',
    ]);
  });

  test('a status that a user entered stays, and so do the amounts', async () => {
    const results = await cancelled(async (machine) =>
      jobs.changeStatus((await readJob(machine)).id, 'Completed', { ...TIME, now: instant(90_000) }),
    );
    expect([results.status, results.parts]).toEqual([
      'Completed',
      ['ams:0:2: ams:0:2 100 PLANNED', 'ams:0:3: ams:0:3 60 PLANNED'],
    ]);
  });
});

describe('a correction of what was in a slot', () => {
  const correct = (machine: Machine, slot: string, spoolId: string | null, at: string | null) => {
    const time = { ...TIME, now: instant(100_000) };
    return loads.load({ printerId: machine.printerId, slot, spoolId, at }, time);
  };
  const during = async (machine: Machine, work: () => Promise<unknown>) => {
    let isDone = false;
    await play(TWO_TOOLS, machine, CUT_EVERY, async () => {
      const print = await readPrint(machine);
      if (isDone || print?.outcome !== 'RUNNING' || print.plan === null) return;
      isDone = true;
      await work();
    });
    expect(isDone).toBe(true);
  };
  const readSpools = async (machine: Machine) =>
    (await describeParts(machine))?.map((one) => one.split(' ')[0]).sort() ?? null;

  test('books the running print again, also a job that the print already has', async () => {
    const machine = await createMachine('OCTOPRINT', 'tool:0', 'tool:1');
    await during(machine, async () => {
      await correct(machine, 'tool:1', await newSpool('corrected'), instant(0));
      expect(await readSpools(machine)).toEqual(['corrected:', 'tool:0:']);
    });
    expect(await readSpools(machine)).toEqual(['corrected:', 'tool:0:']);
    expect(await readJobs(machine)).toHaveLength(1);
  });

  test('changes the spool of a job of one slot', async () => {
    const machine = await createMachine('MOONRAKER', 'tool:0');
    const whole = findRecording('moonraker: a whole print');
    let spoolId: string | null = null;
    await play(whole, machine, CUT_EVERY, async () => {
      const print = await readPrint(machine);
      if (spoolId !== null || print?.jobId == null) return;
      spoolId = await newSpool('corrected');
      await correct(machine, 'tool:0', spoolId, instant(0));
    });
    expect((await readJobs(machine)).map((job) => [job.spoolId, job.status, job.divided])).toEqual([
      [spoolId, 'Completed', false],
    ]);
    expect((await describeParts(machine))?.[0]).toMatch(/^corrected: - [1-9]/);
  });

  test('gives a waiting print its job when all its slots are known, and not before', async () => {
    const machine = await createMachine('OCTOPRINT');
    await play(TWO_TOOLS, machine);
    await correct(machine, 'tool:0', await newSpool('one'), instant(1));
    expect(await readSpools(machine)).toBeNull();
    await correct(machine, 'tool:1', await newSpool('other'), instant(1));
    expect(await readSpools(machine)).toEqual(['one:', 'other:']);
    expect((await readJobs(machine)).map(({ status }) => status)).toEqual(['Completed']);
  });

  test('does not change the jobs of finished prints', async () => {
    const machine = await createMachine('OCTOPRINT', 'tool:0', 'tool:1');
    await play(TWO_TOOLS, machine);
    await correct(machine, 'tool:1', await newSpool('corrected'), instant(0));
    expect(await readSpools(machine)).toEqual(['tool:0:', 'tool:1:']);
  });
});

/** Each case is a fault that users of other programs have reported. */
describe('cases that other programs get wrong', () => {
  const readUsedGrams = async (spoolId: string) => (await stock.gramsOfSpool.load(spoolId))?.usedGrams;
  const findLoadedSpool = async ({ printerId }: Machine, slot: string) =>
    (await database.prisma.slotLoad.findFirstOrThrow({ where: { printerId, slot } })).spoolId;

  describeOnce('cut where it says', () => {
    test('a spool that ran out at layer 89 of 185 is not booked with all 24 g, and neither is the spool that continued', async () => {
      await sendPlan(
        [[1, '8046.9', '24']],
        [
          [89, '5000'],
          [185, '8046.9'],
        ],
      );
      const machine = await createMachine('BAMBU', 'ams:0:2', 'ams:0:3');
      const played = playBambu((printer) => {
        printer.sendsDeltas = false;
        printer.layers = 185;
        printer.prepare({ ...AMS, mapping: [2] }).print(89);
        printer.sendReport(tray('255')).sendReport(tray('3')).print(96, 89).finish().sendReport(tray('255'));
      });
      await play(played, machine, 50);
      expect(await describeParts(machine)).toEqual([
        'ams:0:2: ams:0:2 5000 ESTIMATED 1-89',
        'ams:0:3: ams:0:3 3046.9 ESTIMATED 90-185',
      ]);
      const [first, second] = [await findLoadedSpool(machine, 'ams:0:2'), await findLoadedSpool(machine, 'ams:0:3')];
      expect([await readUsedGrams(first), await readUsedGrams(second)].map(Number)).toEqual([14.91, 9.09]);
    });
  });

  test('a spool that is taken out during a print is not booked as empty: it has what the print used', async () => {
    await sendPlan([[1, '100', null]]);
    const machine = await createMachine('BAMBU', 'ams:0:2');
    const spoolId = await findLoadedSpool(machine, 'ams:0:2');
    const played = playBambu((printer) =>
      printer
        .prepare({ ...AMS, mapping: [2] })
        .print(10)
        .finish(),
    );
    let isOut = false;
    await play(played, machine, CUT_EVERY, async () => {
      const print = await readPrint(machine);
      if (isOut || print?.jobId == null || Number(print.layer) < 2) return;
      isOut = true;
      await database.prisma.slotLoad.updateMany({
        where: { printerId: machine.printerId },
        data: { to: print.seenAt },
      });
    });
    expect(isOut).toBe(true);
    expect(await describeParts(machine)).toEqual(['ams:0:2: - 100 -']);
    expect(Number(await readUsedGrams(spoolId))).toBe(0.3);
  });

  test('without a mapping the active slot is booked, not the slot with the same position in the file', async () => {
    await sendPlan([[1, '100', null]]);
    const machine = await createMachine('BAMBU', 'ams:0:0', 'ams:0:1');
    await play(
      playBambu((printer) => printer.prepare(tray('1')).print(10).finish()),
      machine,
    );
    expect(await describeParts(machine)).toEqual(['ams:0:1: - 100 -']);
  });

  test('every filament counts, not only the first, also in an AMS HT and on the external spool', async () => {
    await sendPlan([
      [1, '100', null],
      [2, '60', null],
      [3, '40', null],
    ]);
    const machine = await createMachine('BAMBU', 'ams:0:1', 'ams:128:0', 'ext:0');
    await play(
      playBambu((printer) =>
        printer
          .prepare({ ...AMS, mapping: [1, 32768, 65024] })
          .print(10)
          .finish()
          .sendReport(tray('255')),
      ),
      machine,
    );
    expect(await describeParts(machine)).toEqual([
      'ams:0:1: ams:0:1 100 PLANNED',
      'ams:128:0: ams:128:0 60 PLANNED',
      'ext:0: ext:0 40 PLANNED',
    ]);
  });

  test('spools that are entered late have their grams in their own sums too, not in the job alone', async () => {
    const machine = await createMachine('OCTOPRINT');
    await play(TWO_TOOLS, machine);
    const spools = [
      { slot: 'tool:0', spoolId: await newSpool('one') },
      { slot: 'tool:1', spoolId: await newSpool('other') },
    ];
    const before = await Promise.all(spools.map(({ spoolId }) => readUsedGrams(spoolId)));
    await assignSpoolsTo((await readPrint(machine))?.id as string, spools);
    const after = await Promise.all(spools.map(({ spoolId }) => readUsedGrams(spoolId)));
    const grams = ['300', '100'].map((mm) => Number(deriveGrams(mm, '1.75', '1.24')));
    expect([before.map(Number), after.map(Number)]).toEqual([[0, 0], grams]);
  });
});
