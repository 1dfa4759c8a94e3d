// Prints whose slot is certain neither from the file nor from the machine: which spool they get, and why they wait.
import type { Database } from '../../src/database/database';
import type { ObservedPrintService } from '../../src/farm/prints/observed-print.service';
import { moonraker } from '../../src/machines/moonraker/adapter';
import { octoprint } from '../../src/machines/octoprint/adapter';
import { MoonrakerMachine } from '../recordings/moonraker/machine';
import { OctoPrintMachine } from '../recordings/octoprint/machine';
import { instant } from '../recordings/recording';
import { CUT_EVERY, type Played, providePlayedFarm } from '../support/played-farm';

const farm = providePlayedFarm();
const { readJobs, createMachine, describeParts, play, readPrint } = farm;
let database: Database;
let observed: ObservedPrintService;
beforeAll(() => {
  ({ database, observed } = farm.opened());
});

const FILE = 'cube.gcode';

/** A Klipper with one extruder. @param file what the slicer wrote into it @param answersLate it is known only while it prints */
function playOneExtruder(file: object | null, answersLate = false): Played {
  const machine = new MoonrakerMachine();
  const known: MoonrakerMachine['files'] = file === null ? {} : { [FILE]: file };
  machine.files = answersLate ? {} : known;
  machine.up();
  machine.stayIdle();
  machine.startPrint(FILE).print(20, 1000.5, 0.2);
  machine.files = known;
  machine.print(40, 5473.85, 1).endPrint('complete', 'completed');
  machine.stayIdle();
  return { adapter: moonraker, steps: machine.steps };
}

describe('a Klipper with one extruder and two loaded tools, whose file has no slicer data,', () => {
  test('explains why its print waits, and counts the tool that fed when the print has ended', async () => {
    const printer = await createMachine('MOONRAKER', 'tool:0', 'tool:1');
    const reasons = new Set<string | null>();
    await play(playOneExtruder(null), printer, CUT_EVERY, async () => {
      const print = await readPrint(printer);
      if (print?.outcome === 'RUNNING') {
        const row = await observed.byId(print.id);
        reasons.add(row && (await observed.explainWait(row)));
      }
    });
    expect([...reasons]).toEqual([
      'Several spools are loaded, and neither the file nor the printer names the slot that feeds. Choose the spool.',
    ]);
    expect(await describeParts(printer)).toEqual(['tool:0: - 5473.85 -']);
    expect((await readJobs(printer)).map(({ status }) => status)).toEqual(['Completed']);
  });
});

describe('a Klipper with one extruder, whose file names tool 4,', () => {
  const FOURTH = { filament_total: 5473.85, filament_weights: [0, 0, 0, 16.3] };

  test.each([
    ['when the print starts', false, 1],
    ['when the print starts, and the gateway continues', false, 1000],
    ['while it prints', true, 1],
    ['never', true, 1000],
  ])('counts its only spool, which is in tool:0, if the file is known %s', async (_, answersLate, cutEvery) => {
    const printer = await createMachine('MOONRAKER', 'tool:0');
    const jobs = new Set<string>();
    await play(playOneExtruder(FOURTH, answersLate), printer, cutEvery, async () => {
      for (const { id } of await readJobs(printer)) jobs.add(id);
    });
    expect(await describeParts(printer)).toEqual(['tool:0: - 5473.85 -']);
    expect((await readJobs(printer)).map(({ status, notes }) => [status, notes])).toEqual([['Completed', null]]);
    expect(jobs.size).toBe(1);
  });

  test('counts tool:3 if a unit has spools in several tools', async () => {
    const printer = await createMachine('MOONRAKER', 'tool:0', 'tool:3');
    await play(playOneExtruder(FOURTH), printer);
    expect(await describeParts(printer)).toEqual(['tool:3: - 5473.85 -']);
  });

  test('waits if tool:3 is empty among several, and explains why', async () => {
    const printer = await createMachine('MOONRAKER', 'tool:0', 'tool:1');
    await play(playOneExtruder(FOURTH), printer);
    const print = await observed.byId((await readPrint(printer))?.id as string);
    expect(print && (await observed.explainWait(print))).toBe(
      'No spool was in tool:3 when the print started. Choose the spool of this print.',
    );
    expect(await database.prisma.printJob.count({ where: { printerId: printer.printerId } })).toBe(0);
  });
});

describe('a Klipper with several extruders that the gateway first reads when the print has used all its filament', () => {
  test.each([
    ['a file without slicer data', {}],
    ['a file that names tool 4', { filament_total: 990, filament_weights: [0, 0, 0, 2.9] }],
  ])('counts the active tool, with %s', async (_, file) => {
    const machine = new MoonrakerMachine();
    machine.files = { [FILE]: file };
    machine.up();
    machine.stayIdle();
    machine.addExtruders().down().startPrint(FILE).selectTool(1).print(60, 991.55, 0.99).up().stayIdle();
    machine.endPrint('complete', 'completed').stayIdle();
    const printer = await createMachine('MOONRAKER', 'tool:0', 'tool:1');
    await play({ adapter: moonraker, steps: machine.steps }, printer);
    expect(await describeParts(printer)).toEqual(['tool:1: - 991.55 -']);
    expect((await readPrint(printer))?.filament).toMatchObject([{ slot: 'tool:1', mm: '991.55', basis: 'ESTIMATED' }]);
  });
});

describe('an OctoPrint whose file names tool 2 alone', () => {
  const LENGTHS = [0, 0, 5473.85];

  /** @param known when the analysis of the file is known */
  function ofOneTool(known: 'before' | 'while it prints' | 'after the end'): Played {
    const machine = new OctoPrintMachine().set({ files: { [FILE]: { length: known === 'before' ? LENGTHS : null } } });
    machine.up().stayIdle().startPrint(FILE).print(20, 20);
    if (known === 'while it prints') machine.files[FILE] = { length: LENGTHS };
    machine.print(30, 99.5);
    if (known === 'after the end') machine.files[FILE] = { length: LENGTHS };
    machine.completePrint().stayIdle(100);
    return { adapter: octoprint, steps: machine.steps };
  }

  test.each(['before', 'while it prints', 'after the end'] as const)(
    'counts its only spool, which is in tool:0, where the file is analysed %s',
    async (known) => {
      const printer = await createMachine('OCTOPRINT', 'tool:0');
      await play(ofOneTool(known), printer);
      expect(await describeParts(printer)).toEqual(['tool:0: - 5473.85 -']);
      expect((await readJobs(printer)).map(({ status, notes }) => [status, notes])).toEqual([['Completed', null]]);
    },
  );

  test('waits for the spool of tool:2 where another tool has had a spool', async () => {
    const printer = await createMachine('OCTOPRINT', 'tool:0', 'tool:1');
    await farm.enterLoad(printer, 'tool:1', null, instant(1), instant(2));
    await play(ofOneTool('before'), printer);
    const print = await observed.byId((await readPrint(printer))?.id as string);
    expect(print && (await observed.explainWait(print))).toBe(
      'No spool was in tool:2 when the print started. Choose the spool of this print.',
    );
  });
});
