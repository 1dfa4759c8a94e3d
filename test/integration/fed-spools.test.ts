// Each gram belongs to the spool that was in the slot while the slot fed: changes of spools, slots and tools during one print.
import type { Database } from '../../src/database/database';
import type { PrintJobService } from '../../src/farm/print-jobs/print-job.service';
import { moonraker } from '../../src/machines/moonraker/adapter';
import type { BambuMachine } from '../recordings/bambu/machine';
import { MoonrakerMachine } from '../recordings/moonraker/machine';
import { instant } from '../recordings/recording';
import { anyDatabase, describeOnce, isTestedAlready } from '../support/databases';
import {
  AMS,
  CUT_EVERY,
  type Played,
  type PlayedPrinter as Printer,
  playBambu,
  providePlayedFarm,
  tray,
} from '../support/played-farm';

const farm = providePlayedFarm();
const {
  assignSpoolsTo,
  createMachine,
  newSpool,
  play,
  readPrint,
  readJobs,
  describeParts,
  queueJob,
  sendPlan,
  enterLoad,
} = farm;
let database: Database;
let jobs: PrintJobService;
beforeAll(() => {
  ({ database, jobs } = farm.opened());
});

const FILE = 'two.gcode';
/** Runs actions after steps, as a user does them. */
type Works = Map<number, (printer: Printer, second: number) => Promise<unknown>>;

interface Scene<Machine> {
  machine: Machine;
  /** After what was played so far. */
  behind(work: (printer: Printer, second: number) => Promise<unknown>): void;
}

function scene<Machine extends { steps: unknown[] }>(machine: Machine): Scene<Machine> & { works: Works } {
  const works: Works = new Map();
  return { machine, works, behind: (work) => void works.set(machine.steps.length, work) };
}

/** Two or more tools, or the gates of a unit. */
function playKlipper(
  begin: (scene: Scene<MoonrakerMachine>) => void,
  weights: number[] = [],
): { played: Played; works: Works } {
  const own = scene(new MoonrakerMachine());
  const { machine } = own;
  machine.files = { [FILE]: { filament_total: 1000, ...(weights.length > 0 && { filament_weights: weights }) } };
  machine.up();
  machine.stayIdle();
  begin(own);
  machine.stayIdle();
  return { played: { adapter: moonraker, steps: machine.steps }, works: own.works };
}

function playAms(begin: (scene: Scene<BambuMachine>) => void): { played: Played; works: Works } {
  let works: Works = new Map();
  const played = playBambu((machine) => {
    machine.sendsDeltas = false;
    const own = scene(machine);
    begin(own);
    works = own.works;
  });
  return { played, works };
}

/** @param cutEvery a new process continues after so many steps */
async function playScene({ played, works }: { played: Played; works: Works }, printer: Printer, cutEvery = CUT_EVERY) {
  await play(played, printer, cutEvery, async (step) => {
    await works.get(step)?.(printer, played.steps[step - 1]?.at as number);
  });
}

/** Without a time, as a user loads it. */
const put = (slot: string, serial: string | null) => async (printer: Printer, second: number) =>
  enterLoad(printer, slot, serial === null ? null : await newSpool(serial), null, instant(second));
/** As another program writes it. */
const write =
  (slot: string, serial: string) =>
  async ({ printerId }: Printer, second: number) => {
    await database.prisma.slotLoad.updateMany({ where: { printerId, slot, to: null }, data: { to: instant(second) } });
    const spoolId = await newSpool(serial);
    await database.prisma.slotLoad.create({ data: { printerId, slot, spoolId, from: instant(second) } });
  };

/** Each part as `spool slot mm basis`, in the order of their spools. */
const describeUsed = async (printer: Printer) =>
  (await describeParts(printer))?.map((part) => part.replace(/ \d+-\d+$/, '').replace(': ', ' ')).sort() ?? null;

const readNotes = async (printer: Printer) => (await readJobs(printer)).map(({ notes }) => notes);

const ended = { complete: (machine: MoonrakerMachine) => machine.endPrint('complete', 'completed') };

describe('a spool that is changed in a tool that is not feeding', () => {
  const IN_A_PAUSE = (machine: MoonrakerMachine, work: () => void) => {
    machine
      .update({ print_stats: { state: 'paused' } })
      .wait(10)
      .sendHeartbeat();
    work();
    machine.wait(10).update({ print_stats: { state: 'printing' } });
  };
  const WHILE_IT_PRINTS = (machine: MoonrakerMachine, work: () => void) => {
    work();
    machine.wait(1).sendHeartbeat();
  };
  const WAYS = [
    ['while it prints', WHILE_IT_PRINTS],
    ['in a pause', IN_A_PAUSE],
  ] as const;
  const CHANGES = [
    ['said', put],
    ['written by another program', write],
  ] as const;
  const cases = WAYS.flatMap(([when, during]) => CHANGES.map(([how, change]) => [when, how, during, change] as const));

  test.each(cases)('before the tool has fed, %s, %s', async (_, __, during, change) => {
    for (const [weights, cutEvery] of [
      [[], CUT_EVERY],
      [[0.3, 2.7], CUT_EVERY],
      [[2.7, 0.3], Number.POSITIVE_INFINITY],
    ] as const) {
      const printer = await createMachine('MOONRAKER', 'tool:0', 'tool:1');
      const played = playKlipper(
        ({ machine, behind }) => {
          machine.addExtruders().startPrint(FILE).print(30, 60, 0.1, 5);
          during(machine, () => behind(change('tool:1', 'changed')));
          machine.print(20, 100, 0.1, 8).selectTool(1).print(60, 1000, 1, 50).endPrint('complete', 'completed');
        },
        [...weights],
      );
      await playScene(played, printer, cutEvery);
      expect(await describeUsed(printer)).toEqual(['changed tool:1 900 MEASURED', 'tool:0 tool:0 100 MEASURED']);
      expect((await readPrint(printer))?.lacking).toBeNull();
    }
  });

  test.each(cases)('after the tool has fed for the last time, %s, %s', async (_, __, during, change) => {
    const printer = await createMachine('MOONRAKER', 'tool:0', 'tool:1');
    const played = playKlipper(
      ({ machine, behind }) => {
        machine
          .addExtruders()
          .startPrint(FILE)
          .selectTool(1)
          .print(60, 900, 0.9, 5)
          .selectTool(0)
          .print(20, 920, 0.92, 7);
        during(machine, () => behind(change('tool:1', 'changed')));
        machine.print(20, 1000, 1, 50).endPrint('complete', 'completed');
      },
      [0.3, 2.7],
    );
    await playScene(played, printer);
    expect(await describeUsed(printer)).toEqual(['tool:0 tool:0 100 MEASURED', 'tool:1 tool:1 900 MEASURED']);
  });

  test.each(cases)('between two segments of the tool, %s, %s', async (_, __, during, change) => {
    const printer = await createMachine('MOONRAKER', 'tool:0', 'tool:1', 'tool:2');
    const played = playKlipper(
      ({ machine, behind }) => {
        machine
          .addExtruders()
          .startPrint(FILE)
          .print(20, 50, 0.1, 2)
          .selectTool(1)
          .print(20, 350, 0.4, 9)
          .selectTool(0)
          .print(20, 380, 0.4, 10);
        during(machine, () => behind(change('tool:1', 'changed')));
        machine.print(20, 400, 0.4, 20).selectTool(2).print(20, 500, 0.5, 21).selectTool(1).print(20, 1000, 1, 50);
        machine.endPrint('cancelled', 'cancelled');
      },
      [0.3, 2.7],
    );
    await playScene(played, printer);
    expect(await describeUsed(printer)).toEqual([
      'changed tool:1 500 MEASURED',
      'tool:0 tool:0 100 MEASURED',
      'tool:1 tool:1 300 MEASURED',
      'tool:2 tool:2 100 MEASURED',
    ]);
  });

  test('gets its amounts while the print runs, and the job has the spool immediately', async () => {
    const printer = await createMachine('MOONRAKER', 'tool:0', 'tool:1');
    const played = playKlipper(
      ({ machine, behind }) => {
        machine.addExtruders().startPrint(FILE).print(30, 60, 0.1, 5);
        behind(put('tool:1', 'changed'));
        machine.wait(1).sendHeartbeat();
        behind(async (one) =>
          expect(await describeUsed(one)).toEqual(['changed tool:1 2.7g PLANNED', 'tool:0 tool:0 0.3g PLANNED']),
        );
        machine.print(20, 100, 0.1, 8).selectTool(1).print(60, 1000, 1, 50).endPrint('complete', 'completed');
      },
      [0.3, 2.7],
    );
    await playScene(played, printer);
    expect(await describeUsed(printer)).toEqual(['changed tool:1 900 MEASURED', 'tool:0 tool:0 100 MEASURED']);
  });

  test('if its slot was empty when the print started, has no share of what came before, and the print gets its job', async () => {
    const printer = await createMachine('MOONRAKER', 'tool:0');
    const played = playKlipper(
      ({ machine, behind }) => {
        machine.addExtruders().startPrint(FILE).print(30, 60, 0.1, 5);
        behind(async (one, second) => {
          expect(await describeUsed(one)).toBeNull();
          await put('tool:1', 'later')(one, second);
          expect((await readJobs(one)).map(({ status }) => status)).toEqual(['Printing']);
        });
        machine.print(20, 100, 0.1, 8).selectTool(1).print(60, 1000, 1, 50).endPrint('complete', 'completed');
      },
      [0.3, 2.7],
    );
    await playScene(played, printer);
    expect(await describeUsed(printer)).toEqual(['later tool:1 900 MEASURED', 'tool:0 tool:0 100 MEASURED']);
  });
});

describe('a spool that is changed in one of several slots during a pause', () => {
  describeOnce('cut where it says', () => {
    test.each([1, 4, Number.POSITIVE_INFINITY])(
      'is measured by tool, with a new process after every %d steps',
      async (cutEvery) => {
        const printer = await createMachine('MOONRAKER', 'tool:0', 'tool:1');
        const played = playKlipper(
          ({ machine, behind }) => {
            machine.addExtruders().startPrint(FILE).print(20, 200, 0.2, 5).selectTool(1).print(60, 1100, 0.5, 20);
            machine
              .update({ print_stats: { state: 'paused' } })
              .wait(20)
              .sendHeartbeat();
            behind(put('tool:1', 'second'));
            machine
              .wait(20)
              .update({ print_stats: { state: 'printing' } })
              .print(20, 1200, 1, 50)
              .endPrint('complete', 'completed');
          },
          [0.3, 2.7],
        );
        await playScene(played, printer, cutEvery);
        expect(await describeUsed(printer)).toEqual([
          'second tool:1 100 MEASURED',
          'tool:0 tool:0 200 MEASURED',
          'tool:1 tool:1 900 MEASURED',
        ]);
      },
    );
  });

  test('is measured by gate', async () => {
    const printer = await createMachine('MOONRAKER', 'mmu:0', 'mmu:1');
    const played = playKlipper(({ machine, behind }) => {
      machine.addUnit(0, 1).startPrint(FILE).print(20, 200, 0.2, 5).selectGate(1).print(60, 1100, 0.5, 20);
      machine
        .update({ print_stats: { state: 'paused' } })
        .wait(20)
        .sendHeartbeat();
      behind(put('mmu:1', 'second'));
      machine
        .wait(20)
        .update({ print_stats: { state: 'printing' } })
        .print(20, 1200, 1, 50)
        .endPrint('complete', 'completed');
    });
    await playScene(played, printer);
    expect(await describeUsed(printer)).toEqual([
      'mmu:0 mmu:0 200 MEASURED',
      'mmu:1 mmu:1 900 MEASURED',
      'second mmu:1 100 MEASURED',
    ]);
  });

  test('and an endless spool returns to a gate that was refilled', async () => {
    const printer = await createMachine('MOONRAKER', 'mmu:0', 'mmu:1');
    const played = playKlipper(({ machine, behind }) => {
      machine.addUnit(0, 1).startPrint(FILE).print(20, 400, 0.4, 20).selectGate(1).print(20, 600, 0.6, 30);
      behind(put('mmu:0', 'refilled'));
      machine.print(20, 800, 0.8, 40).selectGate(0).print(20, 1000, 1, 50).endPrint('complete', 'completed');
    });
    await playScene(played, printer);
    expect(await describeUsed(printer)).toEqual([
      'mmu:0 mmu:0 400 MEASURED',
      'mmu:1 mmu:1 400 MEASURED',
      'refilled mmu:0 200 MEASURED',
    ]);
  });
});

describe('a printer that uses other tools than the file names', () => {
  const others = (end = ended.complete) =>
    playKlipper(
      ({ machine }) => {
        machine
          .addExtruders()
          .startPrint(FILE)
          .selectTool(2)
          .print(40, 500, 0.5, 20)
          .selectTool(3)
          .print(40, 900, 1, 50);
        end(machine);
      },
      [0.3, 2.7],
    );

  test('gets its job without the spools of the tools that fed nothing', async () => {
    const printer = await createMachine('MOONRAKER', 'tool:2', 'tool:3');
    await playScene(others(), printer);
    expect(await describeUsed(printer)).toEqual(['tool:2 tool:2 500 MEASURED', 'tool:3 tool:3 400 MEASURED']);
    expect((await readPrint(printer))?.lacking).toBeNull();
    expect(await readNotes(printer)).toEqual([null]);
  });

  describeOnce('cut where it says', () => {
    test('has its job while it prints', async () => {
      const printer = await createMachine('MOONRAKER', 'tool:2', 'tool:3');
      const seen: (string | undefined)[] = [];
      const { played } = others();
      await play(played, printer, 1, async () => void seen.push((await readJobs(printer))[0]?.status));
      expect(seen).toContain('Printing');
    });
  });

  test('waits for the spool of a tool that has fed, and for no other spool', async () => {
    const printer = await createMachine('MOONRAKER', 'tool:2');
    await playScene(others(), printer);
    const print = await readPrint(printer);
    const waits = print?.jobId === null ? null : print?.lacking;
    expect(waits).toEqual(['tool:3']);
    await assignSpoolsTo(print?.id as string, [{ slot: 'tool:3', spoolId: await newSpool('said') }]);
    expect(await describeUsed(printer)).toEqual(['said tool:3 400 MEASURED', 'tool:2 tool:2 500 MEASURED']);
  });

  test('with known spools in all its tools has parts for those that fed', async () => {
    const printer = await createMachine('MOONRAKER', 'tool:0', 'tool:1', 'tool:2', 'tool:3');
    await playScene(others(), printer);
    const used = (await describeUsed(printer))?.filter((part) => !part.includes(' 0g '));
    expect(used).toEqual(['tool:2 tool:2 500 MEASURED', 'tool:3 tool:3 400 MEASURED']);
  });

  test('with both tools of the file in one: at the end the print does not wait for the spool of the other tool', async () => {
    const printer = await createMachine('MOONRAKER', 'tool:1');
    const played = playKlipper(
      ({ machine }) => {
        machine
          .addExtruders()
          .startPrint(FILE)
          .selectTool(1)
          .print(40, 500, 0.5, 20)
          .print(40, 900, 1, 50)
          .endPrint('complete', 'completed');
      },
      [0.3, 2.7],
    );
    await playScene(played, printer);
    expect(await describeUsed(printer)).toEqual(['tool:1 - 900 -']);
  });
});

describe('a print that ends before its second tool has fed', () => {
  const cancelled = () =>
    playKlipper(
      ({ machine }) =>
        machine.addExtruders().startPrint(FILE).print(40, 500, 0.5, 20).endPrint('cancelled', 'cancelled'),
      [2.7, 0.3],
    );

  test('gets its job without the spool of that tool, and no note about it', async () => {
    const printer = await createMachine('MOONRAKER', 'tool:0');
    await playScene(cancelled(), printer);
    expect(await describeUsed(printer)).toEqual(['tool:0 - 500 -']);
    expect((await readPrint(printer))?.lacking).toBeNull();
    expect(await readNotes(printer)).toEqual([null]);
  });

  test('removes the note about that tool from the claimed job', async () => {
    const printer = await createMachine('MOONRAKER');
    await queueJob(printer, await newSpool('ordered'), FILE);
    const notes: unknown[] = [];
    await play(cancelled().played, printer, CUT_EVERY, async () => void notes.push(...(await readNotes(printer))));
    expect(notes).toContain('The filament of tool:1 is not in this job, because its spool is unknown.');
    expect(await describeUsed(printer)).toEqual(['ordered - 500 -']);
    expect((await readPrint(printer))?.lacking).toBeNull();
    expect(await readNotes(printer)).toEqual([null]);
  });
});

describe('a Bambu printer', () => {
  const table: Parameters<typeof sendPlan>[1] = [
    [4, '4000'],
    [8, '8000'],
    [10, '10000'],
  ];
  const ONE: Parameters<typeof sendPlan>[0] = [[1, '10000', null]];

  test.each([
    ['with a table by layers', table],
    ['without a table', undefined],
  ])('continues from a backup slot, and later from the first slot after it was refilled, %s', async (_, layers) => {
    await sendPlan(ONE, layers);
    for (const cutEvery of isTestedAlready(anyDatabase) ? [CUT_EVERY] : [CUT_EVERY, Number.POSITIVE_INFINITY]) {
      const printer = await createMachine('BAMBU', 'ams:0:2', 'ams:0:3');
      const played = playAms(({ machine, behind }) => {
        machine
          .prepare({ ...AMS, mapping: [2] })
          .print(4)
          .sendReport(tray('255'))
          .sendReport(tray('3'))
          .print(2, 4);
        behind(put('ams:0:2', 'refilled'));
        machine.print(2, 6).sendReport(tray('255')).sendReport(tray('2')).print(2, 8).finish().sendReport(tray('255'));
      });
      await playScene(played, printer, cutEvery);
      expect(await describeParts(printer)).toEqual(
        [
          'ams:0:2: ams:0:2 4000 ESTIMATED 1-4',
          'refilled: ams:0:2 2000 ESTIMATED 9-10',
          'ams:0:3: ams:0:3 4000 ESTIMATED 5-8',
        ].sort((a, b) => Number(b.startsWith('ams:0:2')) - Number(a.startsWith('ams:0:2'))),
      );
    }
  });

  test('continues from a second backup slot after it returned to the first', async () => {
    await sendPlan(ONE, table);
    const printer = await createMachine('BAMBU', 'ams:0:2', 'ams:0:3', 'ams:0:0');
    const played = playAms(({ machine, behind }) => {
      machine
        .prepare({ ...AMS, mapping: [2] })
        .print(4)
        .sendReport(tray('3'))
        .print(2, 4);
      behind(put('ams:0:2', 'refilled'));
      machine
        .print(1, 6)
        .sendReport(tray('2'))
        .print(1, 7)
        .sendReport(tray('0'))
        .print(2, 8)
        .finish()
        .sendReport(tray('255'));
    });
    await playScene(played, printer);
    expect(await describeUsed(printer)).toEqual([
      'ams:0:0 ams:0:0 2000 ESTIMATED',
      'ams:0:2 ams:0:2 4000 ESTIMATED',
      'ams:0:3 ams:0:3 3000 ESTIMATED',
      'refilled ams:0:2 1000 ESTIMATED',
    ]);
  });

  test.each([
    ['a pause', true],
    ['the print', false],
  ])('whose spool is changed in a slot that has not fed, without a table, in %s', async (_, isPaused) => {
    await sendPlan([
      [1, '100', null],
      [2, '900', null],
    ]);
    const printer = await createMachine('BAMBU', 'ams:0:2', 'ams:0:3');
    const played = playAms(({ machine, behind }) => {
      machine.prepare({ ...AMS, mapping: [2, 3] }).print(4);
      if (isPaused) machine.wait(1).sendReport({ gcode_state: 'PAUSE' }).wait(5).sendReport({ wifi_signal: '-1dBm' });
      behind(put('ams:0:3', 'changed'));
      machine
        .wait(5)
        .sendReport({ gcode_state: 'RUNNING' })
        .sendReport(tray('3'))
        .print(6, 4)
        .finish()
        .sendReport(tray('255'));
    });
    await playScene(played, printer);
    expect(await describeUsed(printer)).toEqual(['ams:0:2 ams:0:2 100 PLANNED', 'changed ams:0:3 900 PLANNED']);
  });

  test('whose spool is changed in a slot that no longer feeds, without a table', async () => {
    await sendPlan([
      [1, '100', null],
      [2, '900', null],
    ]);
    const printer = await createMachine('BAMBU', 'ams:0:2', 'ams:0:3');
    const played = playAms(({ machine, behind }) => {
      machine
        .prepare({ ...AMS, mapping: [2, 3] })
        .print(4)
        .sendReport(tray('3'))
        .print(3, 4);
      behind(put('ams:0:2', 'changed'));
      machine.print(3, 7).finish().sendReport(tray('255'));
    });
    await playScene(played, printer);
    expect(await describeUsed(printer)).toEqual(['ams:0:2 ams:0:2 100 PLANNED', 'ams:0:3 ams:0:3 900 PLANNED']);
  });

  test.each([
    ['one', (machine: BambuMachine) => machine.sendReport(tray('254'))],
    ['two', (machine: BambuMachine) => machine.sendReport(tray('254')).wait(1).sendReport({ wifi_signal: '-1dBm' })],
  ])(
    'that reports the external spool in %s messages, without a layer between them, has used nothing from it',
    async (_, blip) => {
      await sendPlan(ONE, table);
      const printer = await createMachine('BAMBU', 'ams:0:2');
      const waits: unknown[] = [];
      const played = playAms(({ machine, behind }) => {
        machine.prepare({ ...AMS, mapping: [2] }).print(4);
        blip(machine);
        behind(async (one) => void waits.push((await readPrint(one))?.lacking));
        machine.sendReport(tray('2')).print(6, 4).finish().sendReport(tray('255'));
      });
      await playScene(played, printer);
      expect([await describeUsed(printer), waits]).toEqual([['ams:0:2 - 10000 -'], [null]]);
    },
  );

  test('that reports no map, and the external spool in one message, has used nothing from it', async () => {
    await sendPlan(ONE);
    const printer = await createMachine('BAMBU', 'ams:0:2');
    const played = playAms(({ machine }) => {
      machine
        .prepare(AMS)
        .print(4)
        .sendReport(tray('254'))
        .sendReport(tray('2'))
        .print(6, 4)
        .finish()
        .sendReport(tray('255'));
    });
    await playScene(played, printer);
    expect(await describeUsed(printer)).toEqual(['ams:0:2 - 10000 -']);
  });

  test('that continues from the external spool has a part for it', async () => {
    await sendPlan(ONE, table);
    const printer = await createMachine('BAMBU', 'ams:0:2', 'ext:0');
    const played = playAms(({ machine }) => {
      machine
        .prepare({ ...AMS, mapping: [2] })
        .print(4)
        .sendReport(tray('254'))
        .print(6, 4)
        .finish()
        .sendReport(tray('255'));
    });
    await playScene(played, printer);
    expect(await describeUsed(printer)).toEqual(['ams:0:2 ams:0:2 4000 ESTIMATED', 'ext:0 ext:0 6000 ESTIMATED']);
  });
});

describe('a spool that is taken out of a slot that continues to feed', () => {
  const SAID = /^The spool of tool:0 was taken out while the slot continued to feed/;
  const readNotes = async (printer: Printer) => {
    const [row] = await readJobs(printer);
    return row === undefined ? undefined : (await jobs.requireJob(row.id)).notes;
  };
  const paused = (work: (scene: Scene<MoonrakerMachine>) => void, more = 600) =>
    playKlipper((own) => {
      const { machine } = own;
      machine
        .startPrint(FILE)
        .print(40, 400, 0.4, 20)
        .update({ print_stats: { state: 'paused' } })
        .wait(20)
        .sendHeartbeat();
      work(own);
      machine.wait(20).update({ print_stats: { state: 'printing' } });
      if (more > 0) machine.print(60, 400 + more, 1, 50);
      machine.endPrint('cancelled', 'cancelled');
    });

  test('is noted in the job, and the note stays until a user enters the next spool', async () => {
    const printer = await createMachine('MOONRAKER', 'tool:0');
    await playScene(
      paused(({ behind }) => behind(put('tool:0', null))),
      printer,
    );
    expect([await describeUsed(printer), await readNotes(printer)]).toEqual([
      ['tool:0 - 1000 -'],
      expect.stringMatching(SAID),
    ]);
  });

  test('is not noted if another spool was loaded before the slot fed again, or if the slot fed nothing more', async () => {
    const printer = await createMachine('MOONRAKER', 'tool:0');
    const changed = paused(({ machine, behind }) => {
      behind(put('tool:0', null));
      machine.wait(5).sendHeartbeat();
      behind(put('tool:0', 'second'));
    });
    await playScene(changed, printer);
    expect([await describeUsed(printer), await readNotes(printer)]).toEqual([
      ['second tool:0 600 MEASURED', 'tool:0 tool:0 400 MEASURED'],
      null,
    ]);
    const other = await createMachine('MOONRAKER', 'tool:0');
    await playScene(
      paused(({ behind }) => behind(put('tool:0', null)), 0),
      other,
    );
    expect([await describeUsed(other), await readNotes(other)]).toEqual([['tool:0 - 400 -'], null]);
  });
});
