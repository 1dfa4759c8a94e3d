// Prints of several spools: the parts that their jobs get, with a new process behind every message of their machines.
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
  ofBambu,
  type Played,
  playedFarm,
  TIME,
  tray,
} from '../support/played-farm';

const farm = playedFarm();
const { assignOf, machineOf, newSpool, load, play, printOf, jobsOf, partsOf, queue, send } = farm;
let database: Database;
let jobs: PrintJobService;
let parts: PartsOfJobService;
let loads: SpoolLoadingService;
let observed: ObservedPrintService;
let stock: StockStore;
beforeAll(() => {
  ({ database, jobs, parts, loads, observed, stock } = farm.opened());
});

const recordingOf = (name: string) => [...MOONRAKER, ...OCTOPRINT].find((one) => one.name === name) as Recording;
const TWO_TOOLS = recordingOf('octoprint: two tools, each with its plan');
const SHARED = recordingOf('moonraker: two tools share one total');
const HAPPY_HARE = 'moonraker: Happy Hare:';
const BOTH = recordingOf('moonraker: two extruders and one length: both feed');

/** Filaments 1 and 2 from the slots 2 and 3 of the first unit. */
function ofTwo(printer: BambuMachine): BambuMachine {
  printer.sendsDeltas = false;
  return printer.prepare({ ...AMS, mapping: [2, 3] });
}

describe('a print of several slots whose spools are all known', () => {
  test('gets its job by itself, with the planned amounts while it runs, and with what each slot used at its end', async () => {
    const machine = await machineOf('OCTOPRINT', 'tool:0', 'tool:1');
    const seen = new Set<string>();
    await play(TWO_TOOLS, machine, CUT_EVERY, async () => {
      const told = await partsOf(machine);
      if (told !== null) seen.add(told.join(', '));
    });
    const [expected] = TWO_TOOLS.expected;
    const amounts = (expected?.filament ?? []).map((one) => one.split(' '));
    expect(await partsOf(machine)).toEqual(
      amounts
        .toSorted((a, b) => Number(b[1]) - Number(a[1]))
        .map(([slot, mm, , basis]) => `${slot}: ${slot} ${Number(mm)} ${basis}`),
    );
    expect(seen.size).toBe(1);
    expect((await jobsOf(machine)).map(({ status, notes }) => [status, notes])).toEqual([['Completed', null]]);
  });

  test('divides one length by the plan, in one estimate', async () => {
    const machine = await machineOf('MOONRAKER', 'tool:0', 'tool:1');
    await play(SHARED, machine);
    expect(await partsOf(machine)).toEqual(['tool:0: tool:0 300.83 ESTIMATED', 'tool:1: tool:1 100.28 ESTIMATED']);
  });

  test('gives the job its parts and its end in one change', async () => {
    const machine = await machineOf('MOONRAKER', 'tool:0', 'tool:1');
    await play(SHARED, machine);
    const [id] = (await jobsOf(machine)).map((one) => one.id) as [string];
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

  test('has the spool of the heaviest slot, then of the lowest one in the order of their numbers', async () => {
    await send([
      [1, '10', null],
      [2, '80', null],
    ]);
    const machine = await machineOf('BAMBU', 'ams:0:2', 'ams:0:3');
    await play(
      ofBambu((printer) => ofTwo(printer).print(10).finish()),
      machine,
    );
    expect(await partsOf(machine)).toEqual(['ams:0:3: ams:0:3 80 PLANNED', 'ams:0:2: ams:0:2 10 PLANNED']);
  });

  test('has a part of each slot of which nothing is known', async () => {
    const machine = await machineOf('BAMBU', 'ams:0:2', 'ams:0:3');
    await play(
      ofBambu((printer) => ofTwo(printer).print(10).finish()),
      machine,
    );
    expect(await partsOf(machine)).toEqual(['ams:0:2: ams:0:2 0g UNKNOWN', 'ams:0:3: ams:0:3 0g UNKNOWN']);
  });

  test('has no part of a planned slot that used nothing', async () => {
    await send(
      [
        [1, '100', null],
        [2, '60', null],
      ],
      [
        [4, '90.5', '0'],
        [10, '100', '60'],
      ],
    );
    const machine = await machineOf('BAMBU', 'ams:0:2', 'ams:0:3');
    const cancelled = ofBambu((printer) => ofTwo(printer).print(4).fail().tell({ print_error: 50348044 }));
    await play(cancelled, machine);
    expect(await partsOf(machine)).toEqual(['ams:0:2: - 90.5 -']);
    const [job] = await jobsOf(machine);
    expect([job?.status, job?.divided]).toEqual(['Cancelled', false]);
  });

  test('keeps the spool of its job although that used nothing, since clients hold it', async () => {
    await send(
      [
        [1, '60', null],
        [2, '100', null],
      ],
      [
        [4, '50.5', '0'],
        [10, '60', '100'],
      ],
    );
    const machine = await machineOf('BAMBU', 'ams:0:2', 'ams:0:3');
    await play(
      ofBambu((printer) => ofTwo(printer).print(4).fail().tell({ print_error: 50348044 })),
      machine,
    );
    expect(await partsOf(machine)).toEqual(['ams:0:3: ams:0:3 0g ESTIMATED', 'ams:0:2: ams:0:2 50.5 ESTIMATED']);
  });

  test('waits while one of them is archived', async () => {
    const machine = await machineOf('OCTOPRINT', 'tool:0');
    const archived = await load(machine, 'tool:1');
    await database.prisma.spool.update({ where: { id: archived }, data: { archivedAt: instant(0) } });
    await play(TWO_TOOLS, machine);
    expect([await partsOf(machine), await jobsOf(machine)]).toEqual([null, []]);
  });

  test('counts both slots that feed, where the file names none', async () => {
    const machine = await machineOf('MOONRAKER', 'tool:0', 'tool:1');
    await play(BOTH, machine);
    expect(await partsOf(machine)).toEqual(['tool:0: tool:0 500 MEASURED', 'tool:1: tool:1 490.25 MEASURED']);
  });
});

describe('a machine that measures by slot', () => {
  test.each([
    ['COMPLETED', 'Completed', ['tool:1: tool:1 271.11 MEASURED', 'tool:0: tool:0 130 MEASURED']],
    ['CANCELLED', 'Cancelled', ['tool:0: tool:0 130 MEASURED', 'tool:1: tool:1 30 MEASURED']],
    ['FAILED', 'Failed', ['tool:0: tool:0 130 MEASURED', 'tool:1: tool:1 30 MEASURED']],
  ])('gives each tool what it fed, whenever the process is killed: %s', async (outcome, status, expected) => {
    const machine = await machineOf('MOONRAKER', 'tool:0', 'tool:1');
    await play(recordingOf(`moonraker: a tool changer: each tool has what it fed, ${outcome}`), machine);
    expect([...((await partsOf(machine)) ?? [])].sort()).toEqual([...expected].sort());
    expect((await jobsOf(machine)).map((job) => job.status)).toEqual([status]);
  });

  test('gives a tool that is not in the plan its part, and none to one that fed nothing', async () => {
    const machine = await machineOf('MOONRAKER', 'tool:0', 'tool:1', 'tool:2');
    await play(
      recordingOf('moonraker: a tool changer with the clock of 1970, and a tool that is not in the plan'),
      machine,
    );
    expect(await partsOf(machine)).toEqual(['tool:0: tool:0 100 MEASURED', 'tool:2: tool:2 20 MEASURED']);
  });

  test('estimates by the plan what was fed while nobody listened, and gives it to no tool as a measure', async () => {
    const machine = await machineOf('MOONRAKER', 'tool:0', 'tool:1');
    const { adapter, steps } = recordingOf('moonraker: a tool changer: each tool has what it fed, COMPLETED');
    const changes = steps.map(({ message }) => JSON.stringify(message).includes('"extruder":'));
    const [first, last] = [changes.indexOf(true), changes.lastIndexOf(true)];
    const away = steps.map((step, at) =>
      at >= first && at <= last ? { ...step, message: null, link: 'down' as const } : step,
    );
    await play({ adapter, steps: away }, machine);
    const parts = (await partsOf(machine)) ?? [];
    expect(parts.map((part) => part.split(' ').at(-1))).toEqual(['ESTIMATED', 'ESTIMATED']);
    expect(parts.reduce((sum, part) => sum + Number(part.split(' ')[2]), 0)).toBeCloseTo(401.11);
  });

  test('gives each gate what it fed, and the job the spools of the gates that its tools mean', async () => {
    const machine = await machineOf('MOONRAKER', 'mmu:0', 'mmu:2');
    const seen = new Set<string>();
    await play(
      recordingOf(`${HAPPY_HARE} each gate has what it fed, and what the unit pulls back is nothing new`),
      machine,
      5,
      async () => {
        for (const part of (await partsOf(machine)) ?? []) seen.add(part.split(' ')[0] as string);
      },
    );
    expect([...seen].sort()).toEqual(['mmu:0:', 'mmu:2:']);
    expect(await partsOf(machine)).toEqual(['mmu:2: mmu:2 100 MEASURED', 'mmu:0: mmu:0 30 MEASURED']);
  });

  test('has the slicer’s plan for the gates that the unit names, where the file says nothing', async () => {
    await send([
      [1, '90', null],
      [2, '40', null],
    ]);
    const machine = await machineOf('MOONRAKER', 'mmu:0', 'mmu:2');
    const unitOf = new MoonrakerMachine();
    unitOf.up();
    unitOf.rest().hasUnit(2, 0).begin('cube.gcode').print(30, 100, 0.3).takeFrom(0).print(20, 130, 1);
    const running = { adapter: moonraker, steps: [...unitOf.steps] };
    await play(running, machine);
    expect(await partsOf(machine)).toEqual(['mmu:2: mmu:2 90 PLANNED', 'mmu:0: mmu:0 40 PLANNED']);
    expect((await jobsOf(machine)).map(({ status }) => status)).toEqual(['Printing']);
  });

  test('gives the gate that goes on for one that has run out its part, and what is past the unit its own', async () => {
    const machine = await machineOf('MOONRAKER', 'mmu:0', 'mmu:2', 'ext:0');
    await play(
      recordingOf(`${HAPPY_HARE} a spool that has run out goes on from another gate, and then past the unit`),
      machine,
    );
    const parts = [...((await partsOf(machine)) ?? [])].sort();
    expect(parts).toEqual(['ext:0: ext:0 860.25 MEASURED', 'mmu:0: mmu:0 100 MEASURED', 'mmu:2: mmu:2 30 MEASURED']);
  });
});

describe('a machine that tells nothing by slot', () => {
  const prusaLink = (outcome: 'FINISHED' | 'STOPPED'): Played => {
    const machine = new PrusaLinkMachine();
    machine.up();
    machine.rest().begin('cube.gcode').print(60, 100).over(outcome).rest();
    return { adapter: prusalink, steps: machine.steps };
  };

  test.each([
    ['FINISHED', ['tool:0: tool:0 100 PLANNED', 'tool:2: tool:2 60 PLANNED']],
    ['STOPPED', ['tool:0: tool:0 0g UNKNOWN', 'tool:2: tool:2 0g UNKNOWN']],
  ] as const)(
    'PrusaLink has the slicer’s plan by tool, and no part of it when it ended early: %s',
    async (end, expected) => {
      await send([
        [1, '100', null],
        [3, '60', null],
      ]);
      const machine = await machineOf('PRUSALINK', 'tool:0', 'tool:2');
      await play(prusaLink(end), machine);
      expect(await partsOf(machine)).toEqual(expected);
    },
  );

  test('OctoPrint has the planned shares of a print that ended early, as an estimate', async () => {
    const machine = await machineOf('OCTOPRINT', 'tool:0', 'tool:1');
    await play(recordingOf('octoprint: two tools, cancelled early'), machine);
    expect(await partsOf(machine)).toEqual(['tool:0: tool:0 37.5 ESTIMATED', 'tool:1: tool:1 12.5 ESTIMATED']);
  });

  test('a unit before one extruder that does not say its gate has the plan by tool', async () => {
    const machine = await machineOf('MOONRAKER', 'tool:0', 'tool:1');
    await play(SHARED, machine);
    expect((await partsOf(machine))?.map((part) => part.split(' ').at(-1))).toEqual(['ESTIMATED', 'ESTIMATED']);
  });
});

describe('a print that waits for the spools of its slots', () => {
  test('gets its job when a person says a spool for each slot, and those that are loaded may be left out', async () => {
    const machine = await machineOf('OCTOPRINT', 'tool:0');
    await play(TWO_TOOLS, machine);
    const print = await printOf(machine);
    const assign = (...spools: { slot: string; spoolId: string }[]) => assignOf(print?.id as string, spools);
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
    expect((await partsOf(machine))?.map((one) => one.split(' ')[0]).sort()).toEqual(['other:', 'tool:0:']);
    const again = [
      { slot: 'tool:0', spoolId: one },
      { slot: 'tool:1', spoolId: other },
    ];
    await expect(assign(...again)).rejects.toThrow('already has a job');
  });

  test('has the amounts of its plan when it gets its job while it runs', async () => {
    const machine = await machineOf('OCTOPRINT');
    await play(TWO_TOOLS, machine, CUT_EVERY, async () => {
      const print = await printOf(machine);
      if (print?.outcome !== 'RUNNING' || print.jobId !== null || print.plan === null) return;
      const spools = [
        { slot: 'tool:0', spoolId: await newSpool('one') },
        { slot: 'tool:1', spoolId: await newSpool('other') },
      ];
      await assignOf(print.id, spools);
      expect((await partsOf(machine))?.map((part) => part.split(' ').at(-1))).toEqual(['PLANNED', 'PLANNED']);
    });
    expect((await partsOf(machine))?.map((part) => part.split(' ')[0]).sort()).toEqual(['one:', 'other:']);
  });
});

const fedSlotsOf = (print: { course: unknown } | undefined) => {
  const stretches = (print?.course as Course | null)?.stretches ?? [];
  return [...new Set(stretches.flatMap(({ slot, mm }) => (slot !== null && Number(mm) > 0 ? [slot] : [])))];
};

// Cut where these tests say.
describeOnce('a slot without a spool that begins to feed later', () => {
  test('leaves the job as it is, waits beside it, and is a part of it when a person says that slot alone', async () => {
    const machine = await machineOf('MOONRAKER', 'tool:0');
    await play(BOTH, machine, Number.POSITIVE_INFINITY);
    expect(await partsOf(machine)).toEqual(['tool:0: - 500 -']);
    const [job] = await jobsOf(machine);
    const said = 'The filament of tool:1 is not in this job, because its spool is unknown.';
    expect([job?.status, job?.notes]).toEqual(['Completed', said]);
    const print = await printOf(machine);
    expect(print?.lacking).toEqual(['tool:1']);
    const spoolId = await newSpool('said');
    const assign = (...slots: string[]) =>
      assignOf(
        print?.id as string,
        slots.map((slot) => ({ slot, spoolId })),
      );
    for (const slots of [[], ['tool:0'], ['tool:0', 'tool:1']])
      await expect(assign(...slots)).rejects.toThrow('must name each slot of the print once: tool:1');
    await assign('tool:1');
    expect(await partsOf(machine)).toEqual(['tool:0: tool:0 500 MEASURED', 'said: tool:1 490.25 MEASURED']);
    expect((await jobsOf(machine)).map(({ notes }) => notes)).toEqual([null]);
    expect((await printOf(machine))?.lacking).toBeNull();
  });

  test('becomes a part at once where its spool is known, and a spool that is put in later is none of the past', async () => {
    for (const isKnown of [true, false]) {
      const machine = await machineOf('MOONRAKER', 'tool:0');
      await play(BOTH, machine, Number.POSITIVE_INFINITY, async () => {
        const print = await printOf(machine);
        const slots = fedSlotsOf(print);
        const isDue = isKnown ? print?.jobId != null : print?.lacking !== null && slots.length === 2;
        const isLoaded = (await database.prisma.slotLoad.count({ where: { printerId: machine.printerId } })) > 1;
        if (print !== undefined && isDue && !isLoaded) await load(machine, 'tool:1', instant(10));
      });
      expect(await partsOf(machine)).toEqual(
        isKnown ? ['tool:0: tool:0 500 MEASURED', 'tool:1: tool:1 490.25 MEASURED'] : ['tool:0: - 500 -'],
      );
    }
  });

  test('leaves the amounts that a person gave the job', async () => {
    const machine = await machineOf('MOONRAKER', 'tool:0');
    await play(BOTH, machine, Number.POSITIVE_INFINITY);
    const [job] = await jobsOf(machine);
    const { printerId, spoolId, printName, gcodeFilePath } = job as NonNullable<typeof job>;
    const amounts = { mmExtruded: '77', gramsDerived: '0', costPerPrint: '0', autoDeriveGrams: true };
    const edited = { printerId, spoolId, printName, gcodeFilePath, notes: null, ...amounts };
    await jobs.update(job?.id as string, edited, { ...TIME, now: instant(110_000) });
    const print = await printOf(machine);
    await assignOf(print?.id as string, [{ slot: 'tool:1', spoolId: await newSpool('said') }]);
    expect([await partsOf(machine), (await printOf(machine))?.lacking]).toEqual([['tool:0: - 77 -'], null]);
  });
});

describe('a queued job that a print of several slots takes up', () => {
  const FILE = TWO_TOOLS.expected[0]?.name ?? '';

  test('keeps its spool where a slot has it, and gets the spools of the others', async () => {
    const machine = await machineOf('OCTOPRINT', 'tool:0');
    await queue(machine, await load(machine, 'tool:1'), FILE);
    await play(TWO_TOOLS, machine);
    expect((await partsOf(machine))?.map((one) => one.split(' ')[0])).toEqual(['tool:1:', 'tool:0:']);
    expect(await jobsOf(machine)).toHaveLength(1);
  });

  test('stands for the slot whose spool is not known', async () => {
    const machine = await machineOf('OCTOPRINT', 'tool:0');
    await queue(machine, await newSpool('queued'), FILE);
    await play(TWO_TOOLS, machine);
    expect((await partsOf(machine))?.map((one) => one.split(' ').slice(0, 2))).toEqual([
      ['queued:', 'tool:1'],
      ['tool:0:', 'tool:0'],
    ]);
  });
});

describe('a filament that goes on from another slot when its spool has run out', () => {
  /** One filament of 100 mm, from slot 2 to layer 4, and from slot 3 behind that. */
  const backup = (end: (printer: BambuMachine) => void = (printer) => printer.print(6, 4).finish()) =>
    ofBambu((printer) => {
      printer.sendsDeltas = false;
      printer.prepare({ ...AMS, mapping: [2] }).print(4);
      printer.tell(tray('255')).tell(tray('3'));
      end(printer);
      printer.tell(tray('255'));
    });
  const ONE_FILAMENT: Parameters<typeof send> = [
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
      [ONE_FILAMENT[0]] as Parameters<typeof send>,
      ['ams:0:2: ams:0:2 40 ESTIMATED 1-4', 'ams:0:3: ams:0:3 60 ESTIMATED 5-10'],
    ],
  ])('is divided %s', async (_, plan, expected) => {
    await send(...plan);
    const machine = await machineOf('BAMBU', 'ams:0:2', 'ams:0:3');
    await play(backup(), machine);
    expect(await partsOf(machine)).toEqual(expected);
    expect((await jobsOf(machine)).map(({ status, notes }) => [status, notes])).toEqual([['Completed', null]]);
  });

  test('is divided up to the layer of a cancel', async () => {
    await send(...ONE_FILAMENT);
    const machine = await machineOf('BAMBU', 'ams:0:2', 'ams:0:3');
    await play(
      backup((printer) => printer.print(3, 4).fail().tell({ print_error: 50348044 })),
      machine,
    );
    expect(await partsOf(machine)).toEqual(['ams:0:2: ams:0:2 70 ESTIMATED 1-4', 'ams:0:3: ams:0:3 15 ESTIMATED 5-7']);
  });

  test('waits beside its job for the spool of the second slot, with what the first one gave', async () => {
    await send(...ONE_FILAMENT);
    const machine = await machineOf('BAMBU', 'ams:0:2');
    await play(backup(), machine);
    expect(await partsOf(machine)).toEqual(['ams:0:2: - 70 -']);
    const print = await printOf(machine);
    expect(print?.lacking).toEqual(['ams:0:3']);
    await assignOf(print?.id as string, [{ slot: 'ams:0:3', spoolId: await newSpool('said') }]);
    expect(await partsOf(machine)).toEqual(['ams:0:2: ams:0:2 70 ESTIMATED 1-4', 'said: ams:0:3 30 ESTIMATED 5-10']);
  });

  describeOnce('cut where it says', () => {
    test('that went on from eighteen slots is sixteen parts: the smallest neighbours are one', async () => {
      const layers = [3, 3, 1, 1, ...Array.from({ length: 12 }, () => 3), 1, 1];
      const count = layers.reduce((sum, one) => sum + one, 0);
      await send([[1, String(10 * count), null]]);
      const trays = [...Array.from({ length: 16 }, (_, at) => at), 128, 129];
      const slots = trays.map((at) => (at < 128 ? `ams:${Math.floor(at / 4)}:${at % 4}` : `ams:${at}:0`));
      const machine = await machineOf('BAMBU', ...slots);
      const units = [unit(0), unit(1), unit(2), unit(3), unit(128, 1), unit(129, 1)];
      const played = ofBambu((printer) => {
        printer.sendsDeltas = false;
        printer.layers = count;
        const ams = (tray_now: number) => ({ ams: { ...amsOf(...units), tray_now: String(tray_now) } });
        printer.prepare({ ...ams(0), mapping: [0] });
        let done = 0;
        for (const [at, more] of layers.entries()) {
          if (at > 0) printer.tell(ams(trays[at] as number));
          printer.print(more, done);
          done += more;
        }
        printer.finish();
      });
      await play(played, machine, 7);
      const parts = (await partsOf(machine)) ?? [];
      expect(parts).toHaveLength(16);
      expect(parts.filter((part) => / 20 /.test(part))).toEqual([
        'ams:0:2: ams:0:2 20 ESTIMATED 7-8',
        'ams:128:0: ams:128:0 20 ESTIMATED 45-46',
      ]);
    });
  });

  test('is not begun by a slot of the plan, by none, or before the first layer', async () => {
    await send([
      [1, '60', null],
      [2, '40', null],
    ]);
    const machine = await machineOf('BAMBU', 'ams:0:2', 'ams:0:3', 'ams:1:0');
    await play(
      ofBambu((printer) => {
        ofTwo(printer).tell(tray('4'));
        for (let layer = 0; layer < 10; layer += 1)
          printer
            .tell(tray(layer % 2 === 0 ? '2' : '3'))
            .print(1, layer)
            .tell(tray('255'));
        printer.finish();
      }),
      machine,
    );
    expect(await partsOf(machine)).toEqual(['ams:0:2: ams:0:2 60 PLANNED', 'ams:0:3: ams:0:3 40 PLANNED']);
  });
});

describe('a spool that is changed in its slot', () => {
  const CUBE = 'cube.gcode';
  /** 400 mm, then a pause from second 90 to 150, then 600 mm more. */
  const paused = (): Played => {
    const machine = new MoonrakerMachine();
    machine.files = { [CUBE]: { filament_total: 1000 } };
    machine.up();
    machine.rest();
    machine.begin(CUBE).print(40, 400, 0.4, 20).pause(60).print(60, 1000, 1, 50).end('complete', 'completed').rest();
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
  /** Told behind the print, or while it pauses. */
  const playedWith = async (tell: (machine: Machine) => Promise<void>, step: number) => {
    const machine = await machineOf('MOONRAKER', 'tool:0');
    const played = paused();
    await play(played, machine, CUT_EVERY, async (at) => {
      if (at === step) await tell(machine);
    });
    return machine;
  };
  const pauseAt = paused().steps.findIndex(({ message }) => JSON.stringify(message).includes('"paused"')) + 1;

  test.each([
    ['in the pause', pauseAt],
    ['later, while the print goes on', pauseAt + 12],
  ])('gives what was measured until the pause, and the new one the rest, told %s', async (_, step) => {
    const machine = await playedWith((one) => change(one, 'tool:0', instant(110), 'second'), step);
    expect(await partsOf(machine)).toEqual(['tool:0: tool:0 400 MEASURED 1-20', 'second: tool:0 600 MEASURED 21-50']);
  });

  test('is no change when the same one is put in again, or when it is only taken out', async () => {
    const again = await playedWith(async (machine) => {
      const { prisma } = database;
      const { printerId } = machine;
      const present = await prisma.slotLoad.findFirstOrThrow({ where: { printerId, to: null } });
      await change(machine, 'tool:0', instant(100), null);
      const spoolId = present.spoolId;
      await prisma.slotLoad.create({ data: { printerId, slot: 'tool:0', spoolId, from: instant(120) } });
    }, pauseAt);
    expect(await partsOf(again)).toEqual(['tool:0: - 1000 -']);
    const out = await playedWith((machine) => change(machine, 'tool:0', instant(100), null), pauseAt);
    expect(await partsOf(out)).toEqual(['tool:0: - 1000 -']);
  });

  test('while it prints is divided by a line between the known moments', async () => {
    const machine = await playedWith((one) => change(one, 'tool:0', instant(70), 'second'), pauseAt);
    const told = await partsOf(machine);
    expect(told?.map((one) => [one.split(' ')[0], one.split(' ')[3]])).toEqual([
      ['tool:0:', 'ESTIMATED'],
      ['second:', 'ESTIMATED'],
    ]);
    const [first] = told as [string];
    expect(Number(first.split(' ')[2])).toBeLessThan(400);
  });
});

// Cut where these tests say.
describeOnce('a person and the machine', () => {
  const edit = (job: Awaited<ReturnType<typeof jobsOf>>[0], members: object) => {
    const { printerId, spoolId, printName, gcodeFilePath, notes } = job;
    const { mmExtruded, gramsDerived, costPerPrint } = job;
    const amounts = { mmExtruded: `${mmExtruded}`, gramsDerived: `${gramsDerived}`, costPerPrint: `${costPerPrint}` };
    const asIs = { printerId, spoolId, printName, gcodeFilePath, notes, ...amounts, autoDeriveGrams: false };
    return jobs.update(job.id, { ...asIs, ...members }, { ...TIME, now: instant(90_000) });
  };
  /** A cancel of a plan of two slots. */
  const cancelled = async (work: (machine: Machine) => Promise<unknown>, behind = async (_: Machine) => {}) => {
    await send(
      [
        [1, '100', null],
        [2, '60', null],
      ],
      [
        [4, '90.5', '10'],
        [10, '100', '60'],
      ],
    );
    const machine = await machineOf('BAMBU', 'ams:0:2', 'ams:0:3');
    const played = ofBambu((printer) => ofTwo(printer).print(4).fail().tell({ print_error: 50348044 }));
    let isDone = false;
    // The row has each layer only where each process is a new one.
    await play(played, machine, 1, async () => {
      if (isDone || (await printOf(machine))?.layer !== 2) return;
      isDone = true;
      await work(machine);
    });
    expect(isDone).toBe(true);
    await behind(machine);
    const [job] = await jobsOf(machine);
    return {
      parts: await partsOf(machine),
      status: job?.status,
      basis: await observed.basisOf(await jobs.requireJob(job?.id as string)),
      words: [job?.printName, job?.gcodeFilePath, job?.notes],
    };
  };
  const measured = ['ams:0:2: ams:0:2 90.5 ESTIMATED', 'ams:0:3: ams:0:3 10 ESTIMATED'];
  const jobOf = async (machine: Machine) => (await jobsOf(machine))[0] as Awaited<ReturnType<typeof jobsOf>>[0];

  test('notes, name and path are the person’s, and the amounts the machine’s', async () => {
    const words = { printName: 'Order 9', gcodeFilePath: '/orders/9', notes: 'the red one' };
    const told: string[] = [];
    const basisOf = async (machine: Machine) => observed.basisOf(await jobs.requireJob((await jobOf(machine)).id));
    const work = async (machine: Machine) => {
      await edit(await jobOf(machine), words);
      told.push(await basisOf(machine));
      const [one] = await parts.partsOfJob(await jobs.requireJob((await jobOf(machine)).id));
      told.push(one?.basis ?? '-');
    };
    expect(await cancelled(work, async (machine) => void told.push(await basisOf(machine)))).toEqual({
      parts: measured,
      status: 'Cancelled',
      basis: 'ESTIMATED',
      words: ['Order 9', '/orders/9', 'the red one'],
    });
    expect(told).toEqual(['PLANNED', 'PLANNED', 'ESTIMATED']);
  });

  test('amounts and a spool that a person gave stay', async () => {
    const told = await cancelled(async (machine) =>
      edit(await jobOf(machine), { mmExtruded: '77', autoDeriveGrams: true }),
    );
    expect([told.parts, told.status, told.basis]).toEqual([['ams:0:2: - 77 -'], 'Cancelled', 'MANUAL']);
    const spoolId = await newSpool('own');
    const other = await cancelled(async (machine) => edit(await jobOf(machine), { spoolId, autoDeriveGrams: true }));
    expect(other.parts).toEqual(['own: - 160 -']);
  });

  test('parts that a person said stay, also when their sums are those of the machine', async () => {
    const told = await cancelled(async (machine) => {
      const [one, other] = await parts.partsOfJob(await jobs.requireJob((await jobOf(machine)).id));
      const said = [one, other].map((part, at) => ({
        spoolId: part?.spool?.id as string,
        slot: ['ams:0:3', 'ams:0:2'][at] as string,
        mmExtruded: part?.mmExtruded as string,
      }));
      await parts.setParts((await jobOf(machine)).id, said, { ...TIME, now: instant(90_000) });
    });
    expect([told.parts, told.basis]).toEqual([['ams:0:2: ams:0:3 100 MANUAL', 'ams:0:3: ams:0:2 60 MANUAL'], 'MANUAL']);
  });

  test('a status that a person gave stays, and so do the amounts', async () => {
    const told = await cancelled(async (machine) =>
      jobs.changeStatus((await jobOf(machine)).id, 'Completed', { ...TIME, now: instant(90_000) }),
    );
    expect([told.status, told.parts]).toEqual([
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
      const print = await printOf(machine);
      if (isDone || print?.outcome !== 'RUNNING' || print.plan === null) return;
      isDone = true;
      await work();
    });
    expect(isDone).toBe(true);
  };
  const spoolsOf = async (machine: Machine) => (await partsOf(machine))?.map((one) => one.split(' ')[0]).sort() ?? null;

  test('books the running print again, also a job that it has', async () => {
    const machine = await machineOf('OCTOPRINT', 'tool:0', 'tool:1');
    await during(machine, async () => {
      await correct(machine, 'tool:1', await newSpool('corrected'), instant(0));
      expect(await spoolsOf(machine)).toEqual(['corrected:', 'tool:0:']);
    });
    expect(await spoolsOf(machine)).toEqual(['corrected:', 'tool:0:']);
    expect(await jobsOf(machine)).toHaveLength(1);
  });

  test('changes the spool of a job of one slot', async () => {
    const machine = await machineOf('MOONRAKER', 'tool:0');
    const whole = recordingOf('moonraker: a whole print');
    let spoolId: string | null = null;
    await play(whole, machine, CUT_EVERY, async () => {
      const print = await printOf(machine);
      if (spoolId !== null || print?.jobId == null) return;
      spoolId = await newSpool('corrected');
      await correct(machine, 'tool:0', spoolId, instant(0));
    });
    expect((await jobsOf(machine)).map((job) => [job.spoolId, job.status, job.divided])).toEqual([
      [spoolId, 'Completed', false],
    ]);
    expect((await partsOf(machine))?.[0]).toMatch(/^corrected: - [1-9]/);
  });

  test('gives a waiting print its job when all its slots are known, and not before', async () => {
    const machine = await machineOf('OCTOPRINT');
    await play(TWO_TOOLS, machine);
    await correct(machine, 'tool:0', await newSpool('one'), instant(1));
    expect(await spoolsOf(machine)).toBeNull();
    await correct(machine, 'tool:1', await newSpool('other'), instant(1));
    expect(await spoolsOf(machine)).toEqual(['one:', 'other:']);
    expect((await jobsOf(machine)).map(({ status }) => status)).toEqual(['Completed']);
  });

  test('leaves the jobs of prints that are over', async () => {
    const machine = await machineOf('OCTOPRINT', 'tool:0', 'tool:1');
    await play(TWO_TOOLS, machine);
    await correct(machine, 'tool:1', await newSpool('corrected'), instant(0));
    expect(await spoolsOf(machine)).toEqual(['tool:0:', 'tool:1:']);
  });
});

/** Each is a fault that users of other programs have told of. */
describe('where others went wrong', () => {
  const usedOf = async (spoolId: string) => (await stock.gramsOfSpool.load(spoolId))?.usedGrams;
  const spoolOf = async ({ printerId }: Machine, slot: string) =>
    (await database.prisma.slotLoad.findFirstOrThrow({ where: { printerId, slot } })).spoolId;

  describeOnce('cut where it says', () => {
    test('a spool that ran dry at layer 89 of 185 has not the whole 24 g, and neither has the one that went on', async () => {
      await send(
        [[1, '8046.9', '24']],
        [
          [89, '5000'],
          [185, '8046.9'],
        ],
      );
      const machine = await machineOf('BAMBU', 'ams:0:2', 'ams:0:3');
      const played = ofBambu((printer) => {
        printer.sendsDeltas = false;
        printer.layers = 185;
        printer.prepare({ ...AMS, mapping: [2] }).print(89);
        printer.tell(tray('255')).tell(tray('3')).print(96, 89).finish().tell(tray('255'));
      });
      await play(played, machine, 50);
      expect(await partsOf(machine)).toEqual([
        'ams:0:2: ams:0:2 5000 ESTIMATED 1-89',
        'ams:0:3: ams:0:3 3046.9 ESTIMATED 90-185',
      ]);
      const [first, second] = [await spoolOf(machine, 'ams:0:2'), await spoolOf(machine, 'ams:0:3')];
      expect([await usedOf(first), await usedOf(second)].map(Number)).toEqual([14.91, 9.09]);
    });
  });

  test('a spool that is taken out in mid-print is not used up: it has what the print used', async () => {
    await send([[1, '100', null]]);
    const machine = await machineOf('BAMBU', 'ams:0:2');
    const spoolId = await spoolOf(machine, 'ams:0:2');
    const played = ofBambu((printer) =>
      printer
        .prepare({ ...AMS, mapping: [2] })
        .print(10)
        .finish(),
    );
    let isOut = false;
    await play(played, machine, CUT_EVERY, async () => {
      const print = await printOf(machine);
      if (isOut || print?.jobId == null || Number(print.layer) < 2) return;
      isOut = true;
      await database.prisma.slotLoad.updateMany({
        where: { printerId: machine.printerId },
        data: { to: print.seenAt },
      });
    });
    expect(isOut).toBe(true);
    expect(await partsOf(machine)).toEqual(['ams:0:2: - 100 -']);
    expect(Number(await usedOf(spoolId))).toBe(0.3);
  });

  test('without a mapping the slot that feeds has the filament, and not the slot of its place in the file', async () => {
    await send([[1, '100', null]]);
    const machine = await machineOf('BAMBU', 'ams:0:0', 'ams:0:1');
    await play(
      ofBambu((printer) => printer.prepare(tray('1')).print(10).finish()),
      machine,
    );
    expect(await partsOf(machine)).toEqual(['ams:0:1: - 100 -']);
  });

  test('each filament counts and not the first one alone, also that of an AMS HT and that of the spool outside', async () => {
    await send([
      [1, '100', null],
      [2, '60', null],
      [3, '40', null],
    ]);
    const machine = await machineOf('BAMBU', 'ams:0:1', 'ams:128:0', 'ext:0');
    await play(
      ofBambu((printer) =>
        printer
          .prepare({ ...AMS, mapping: [1, 32768, 65024] })
          .print(10)
          .finish()
          .tell(tray('255')),
      ),
      machine,
    );
    expect(await partsOf(machine)).toEqual([
      'ams:0:1: ams:0:1 100 PLANNED',
      'ams:128:0: ams:128:0 60 PLANNED',
      'ext:0: ext:0 40 PLANNED',
    ]);
  });

  test('spools that are said late have what they gave in their own sums too, not in the job alone', async () => {
    const machine = await machineOf('OCTOPRINT');
    await play(TWO_TOOLS, machine);
    const spools = [
      { slot: 'tool:0', spoolId: await newSpool('one') },
      { slot: 'tool:1', spoolId: await newSpool('other') },
    ];
    const before = await Promise.all(spools.map(({ spoolId }) => usedOf(spoolId)));
    await assignOf((await printOf(machine))?.id as string, spools);
    const after = await Promise.all(spools.map(({ spoolId }) => usedOf(spoolId)));
    const grams = ['300', '100'].map((mm) => Number(deriveGrams(mm, '1.75', '1.24')));
    expect([before.map(Number), after.map(Number)]).toEqual([[0, 0], grams]);
  });
});
