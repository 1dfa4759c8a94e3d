// Spools that are loaded and taken out while a print runs or waits: which of them gets which part of the print.
import type { Database } from '../../src/database/database';
import { moonraker } from '../../src/machines/moonraker/adapter';
import { octoprint } from '../../src/machines/octoprint/adapter';
import type { BambuMachine } from '../recordings/bambu/machine';
import { MoonrakerMachine } from '../recordings/moonraker/machine';
import { OctoPrintMachine } from '../recordings/octoprint/machine';
import { instant } from '../recordings/recording';
import {
  AMS,
  CUT_EVERY,
  type Played,
  type PlayedPrinter as Printer,
  playBambu,
  providePlayedFarm,
  tray,
} from '../support/played-farm';
import { isEveryCut } from '../support/replay';

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
  resolve,
  sendPlan,
  enterLoad,
} = farm;
let database: Database;
beforeAll(() => {
  ({ database } = farm.opened());
});

const CUBE = 'cube.gcode';
/** 400 mm in 20 layers, a pause of a minute, and 600 mm in 30 layers. */
const paused = (
  end = (machine: MoonrakerMachine) => machine.endPrint('complete', 'completed'),
  file: object = { filament_total: 1000 },
): Played => {
  const machine = new MoonrakerMachine();
  machine.files = { [CUBE]: file };
  machine.up();
  machine.stayIdle();
  machine.startPrint(CUBE).print(40, 400, 0.4, 20).pause(60).print(60, 1000, 1, 50);
  end(machine);
  machine.stayIdle();
  return { adapter: moonraker, steps: machine.steps };
};
const findSecond = (played: Played, step: number) => played.steps[step - 1]?.at as number;
const findStep = ({ steps }: Played, text: string) =>
  steps.findIndex(({ message }) => JSON.stringify(message ?? '').includes(text)) + 1;
const PAUSE = findStep(paused(), '"paused"') + 2;
const BEGUN = findStep(paused(), '"printing"');

/** An action that runs once, after a step, with the second of that step. */
async function playWith(
  played: Played,
  printer: Printer,
  works: Record<number, (second: number) => Promise<unknown>>,
): Promise<void> {
  await play(played, printer, CUT_EVERY, async (step) => {
    await works[step]?.(findSecond(played, step));
  });
}

describe('several spool changes in a print whose file has no plan', () => {
  test('each change is booked while the print runs, also if its job already has the new spool', async () => {
    const machine = new MoonrakerMachine();
    machine.up();
    machine.stayIdle();
    machine
      .startPrint(CUBE)
      .print(20, 40, 0.02, 1)
      .pause(10)
      .print(20, 180, 0.14, 7)
      .pause(10)
      .print(20, 350, 0.24, 12);
    machine.pause(10).print(20, 540, 0.28, 14).endPrint('complete', 'completed');
    machine.stayIdle();
    const played = { adapter: moonraker, steps: machine.steps };
    const [, second, third] = played.steps.flatMap(({ message }, at) =>
      JSON.stringify(message ?? '').includes('"paused"') ? [at + 2] : [],
    ) as [number, number, number];
    const printer = await createMachine('MOONRAKER', 'tool:0');
    const names = ['second', 'third', 'fourth'];
    const [next, another, last] = (await Promise.all(names.map(newSpool))) as [string, string, string];
    const running: (string[] | null)[] = [];
    await playWith(played, printer, {
      // Entered after it was used.
      [second - 1]: (now) => enterLoad(printer, 'tool:0', next, instant(findSecond(played, second) - 35), instant(now)),
      [second]: (now) => enterLoad(printer, 'tool:0', another, null, instant(now)),
      [third]: async (now) => {
        running.push(await describeParts(printer));
        await enterLoad(printer, 'tool:0', last, null, instant(now));
        running.push(await describeParts(printer));
      },
    });
    expect(running).toEqual([['second: - 0g -'], ['second: tool:0 0g UNKNOWN 1-7', 'third: tool:0 0g UNKNOWN 8-50']]);
    expect(await describeParts(printer)).toEqual([
      'second: tool:0 140 MEASURED 2-7',
      'tool:0: tool:0 40 MEASURED 1-1',
      'third: tool:0 170 MEASURED 8-12',
      'fourth: tool:0 190 MEASURED 13-50',
    ]);
  });
});

describe('a spool that is loaded without a time', () => {
  test('a spool loaded in a print that started with an empty slot gets only what is printed from then on', async () => {
    const printer = await createMachine('MOONRAKER');
    const [before, since] = [await newSpool('before'), await newSpool('since')];
    await playWith(paused(), printer, {
      [PAUSE]: (second) => enterLoad(printer, 'tool:0', since, null, instant(second)),
    });
    expect([await describeParts(printer), await readJobs(printer)]).toEqual([null, []]);
    const print = await readPrint(printer);
    await expect(assignSpoolsTo(print?.id as string, [])).rejects.toThrow(
      'must name each slot of the print once: tool:0',
    );
    await assignSpoolsTo(print?.id as string, [{ slot: 'tool:0', spoolId: before }]);
    expect(await describeParts(printer)).toEqual([
      'before: tool:0 400 MEASURED 1-20',
      'since: tool:0 600 MEASURED 21-50',
    ]);
    expect((await readPrint(printer))?.filament).toHaveLength(2);
  });

  test('a spool that a user assigns to the whole print gets all of it', async () => {
    const printer = await createMachine('MOONRAKER');
    const since = await newSpool('since');
    await playWith(paused(), printer, {
      [PAUSE]: (second) => enterLoad(printer, 'tool:0', since, null, instant(second)),
    });
    await assignSpoolsTo((await readPrint(printer))?.id as string, [{ slot: 'tool:0', spoolId: since }]);
    expect(await describeParts(printer)).toEqual(['since: - 1000 -']);
  });

  test('a waiting print gets its job when a user enters a load time at or before its start', async () => {
    const printer = await createMachine('MOONRAKER');
    const played = paused();
    const spoolId = await newSpool('there');
    await playWith(played, printer, {
      [PAUSE]: async (second) => {
        await enterLoad(printer, 'tool:0', spoolId, null, instant(second));
        expect(await readJobs(printer)).toEqual([]);
        await enterLoad(printer, 'tool:0', spoolId, instant(1), instant(second));
        expect((await readJobs(printer)).map(({ status }) => status)).toEqual(['Printing']);
      },
    });
    expect(await describeParts(printer)).toEqual(['there: - 1000 -']);
  });

  test('a spool that is loaded before the gateway first hears of the print counts from its start', async () => {
    const printer = await createMachine('MOONRAKER');
    const played = paused();
    const startSecond = findSecond(played, BEGUN);
    const spoolId = await newSpool('there');
    await database.prisma.slotLoad.create({
      data: { printerId: printer.printerId, slot: 'tool:0', spoolId, from: instant(startSecond) },
    });
    await play(played, printer);
    expect(await describeParts(printer)).toEqual(['there: - 1000 -']);
  });
});

describe('a spool that is changed in its slot', () => {
  const change =
    (printer: Printer, serial = 'second', slot = 'tool:0') =>
    async (second: number) =>
      enterLoad(printer, slot, await newSpool(serial), null, instant(second));

  test('the new spool immediately gets a part of the running job, as far as it is planned', async () => {
    const printer = await createMachine('MOONRAKER', 'tool:0');
    await playWith(paused(), printer, {
      [PAUSE]: async (second) => {
        await change(printer)(second);
        expect(await describeParts(printer)).toEqual([
          'tool:0: tool:0 400 ESTIMATED 1-20',
          'second: tool:0 600 ESTIMATED 21-50',
        ]);
      },
    });
    expect(await describeParts(printer)).toEqual([
      'tool:0: tool:0 400 MEASURED 1-20',
      'second: tool:0 600 MEASURED 21-50',
    ]);
  });

  test('the job becomes whole again when a correction shows that the spool was not changed', async () => {
    const printer = await createMachine('MOONRAKER', 'tool:0');
    const [load] = await database.prisma.slotLoad.findMany({ where: { printerId: printer.printerId } });
    await playWith(paused(), printer, {
      [PAUSE]: async (second) => {
        await change(printer)(second);
        await enterLoad(printer, 'tool:0', load?.spoolId as string, instant(second), instant(second));
        expect(await describeParts(printer)).toEqual(['tool:0: - 1000 -']);
      },
    });
    expect(await describeParts(printer)).toEqual(['tool:0: - 1000 -']);
  });

  test('a spool keeps its part when it is archived before the print has ended', async () => {
    const printer = await createMachine('MOONRAKER', 'tool:0');
    const second = await newSpool('second');
    await playWith(paused(), printer, {
      [PAUSE]: (at) => enterLoad(printer, 'tool:0', second, null, instant(at)),
      [PAUSE + 10]: async (at) => {
        await change(printer, 'third')(at);
        await database.prisma.spool.update({ where: { id: second }, data: { archivedAt: instant(at) } });
      },
    });
    const describedParts = await describeParts(printer);
    expect(describedParts?.map((one) => one.split(' ')[0])).toEqual(['tool:0:', 'second:', 'third:']);
  });

  test('a job is also divided if the print waits for a user to enter its outcome', async () => {
    const printer = await createMachine('MOONRAKER', 'tool:0');
    const played = paused((machine) => machine.restartKlipper(30));
    await playWith(played, printer, { [PAUSE]: change(printer) });
    const print = await readPrint(printer);
    if (print?.outcome === 'UNRESOLVED') await resolve(print.id, 'COMPLETED', null);
    expect((await describeParts(printer))?.map((one) => one.split(' ').slice(0, 3).join(' '))).toEqual([
      'tool:0: tool:0 400',
      'second: tool:0 600',
    ]);
  });

  test('a spool that is taken out and put back is no change if the spool between printed nothing', async () => {
    const printer = await createMachine('MOONRAKER', 'tool:0');
    const [load] = await database.prisma.slotLoad.findMany({ where: { printerId: printer.printerId } });
    await playWith(paused(), printer, {
      [PAUSE]: async (second) => {
        await change(printer)(second);
        await enterLoad(printer, 'tool:0', load?.spoolId as string, null, instant(second + 1));
      },
    });
    expect(await describeParts(printer)).toEqual(['tool:0: - 1000 -']);
  });

  test('a job is divided by the share of the file if the machine reports no layers', async () => {
    const printer = await createMachine('OCTOPRINT', 'tool:0');
    const played = halted();
    await playWith(played, printer, { [findStep(played, '"PrintPaused"') + 1]: change(printer) });
    expect((await describeParts(printer))?.map((one) => one.split(' ').slice(0, 4).join(' '))).toEqual([
      'tool:0: tool:0 250 ESTIMATED',
      'second: tool:0 750 ESTIMATED',
    ]);
  });
});

/** A quarter of the file, a pause, and the rest of it. */
function halted(): Played {
  const machine = new OctoPrintMachine();
  machine.files = { 'cube.gco': { length: [1000] } };
  machine.up().stayIdle().startPrint('cube.gco').print(50, 25).pauseFor(60).print(50, 99.5).completePrint().stayIdle();
  return { adapter: octoprint, steps: machine.steps };
}

/** A print until a pause, in which the gateway is killed. No gateway runs while the print continues. */
interface Unheard {
  kind: string;
  slot: string;
  played: Played;
  /** The first step without a gateway. */
  killed: number;
  /** A step of the pause without a gateway, minutes later. */
  later: number;
}

/** The machine waits minutes in its pause: after `killed` steps no gateway runs, and after `later` steps it is still paused. */
function unheard<Machine extends { down(): Machine; steps: unknown[] }>(machine: Machine, pause: () => unknown) {
  machine.down();
  const killed = machine.steps.length;
  pause();
  return { killed, later: machine.steps.length };
}

function unheardMoonraker(end: (machine: MoonrakerMachine) => unknown): Unheard {
  const machine = new MoonrakerMachine();
  machine.files = { [CUBE]: { filament_total: 991.55 } };
  machine.up();
  machine.stayIdle();
  machine
    .startPrint(CUBE)
    .print(40, 400, 0.4, 20)
    .update({ print_stats: { state: 'paused' } });
  machine.wait(10).sendHeartbeat().wait(1).sendHeartbeat();
  const steps = unheard(machine, () => machine.wait(300).sendHeartbeat());
  machine.wait(60).update({ print_stats: { state: 'printing' } });
  end(machine);
  machine.stayIdle();
  if (machine.link === 'down') machine.up();
  machine.stayIdle();
  return { kind: 'MOONRAKER', slot: 'tool:0', played: { adapter: moonraker, steps: machine.steps }, ...steps };
}
const printed = (machine: MoonrakerMachine) => machine.print(60, 991.55, 1, 50);

function unheardOctoPrint(isBack: boolean): Unheard {
  const machine = new OctoPrintMachine();
  machine.files = { 'cube.gco': { length: [1000] } };
  machine.up().stayIdle().startPrint('cube.gco').print(50, 40).halt(20);
  const steps = unheard(machine, () => machine.wait(300).sendStatus());
  machine.wait(60).resume().print(50, 70);
  if (isBack) machine.up();
  machine.print(50, 99.5).completePrint().stayIdle();
  if (!isBack) machine.up();
  machine.stayIdle();
  return { kind: 'OCTOPRINT', slot: 'tool:0', played: { adapter: octoprint, steps: machine.steps }, ...steps };
}

function unheardBambu(isBack: boolean): Unheard {
  let steps = { killed: 0, later: 0 };
  const played = playBambu((printer) => {
    printer.sendsDeltas = false;
    printer.startPrint().print(4).sendReport({ gcode_state: 'PAUSE' }).stayIdle(20);
    steps = unheard(printer, () => printer.stayIdle(300));
    printer.stayIdle(60).print(3, 4);
    if (isBack) printer.up();
    printer.print(3, 7).finish().stayIdle(20);
    if (!isBack) printer.up();
  });
  return { kind: 'BAMBU', slot: 'ams:0:2', played, ...steps };
}

describe('a spool that is loaded during a pause in which the gateway is killed', () => {
  const measured = ['400 MEASURED', '591.55 MEASURED'] as const;
  const estimated = ['400 ESTIMATED', '600 ESTIMATED'] as const;
  const printers: [string, Unheard, readonly [string, string]][] = [
    ['Klipper completes', unheardMoonraker((machine) => printed(machine).endPrint('complete', 'completed')), measured],
    ['Klipper fails', unheardMoonraker((machine) => printed(machine).endPrint('error', 'error')), measured],
    [
      'Klipper is cancelled',
      unheardMoonraker((machine) => printed(machine).endPrint('cancelled', 'cancelled')),
      measured,
    ],
    [
      'Klipper prints when the gateway is back',
      unheardMoonraker((machine) => printed(machine.print(30, 700, 0.7, 35).up()).endPrint('complete', 'completed')),
      measured,
    ],
    [
      'Klipper is paused again when the gateway is back',
      unheardMoonraker((machine) =>
        printed(
          machine
            .print(30, 700, 0.7, 35)
            .update({ print_stats: { state: 'paused' } })
            .up()
            .pause(60),
        ).endPrint('complete', 'completed'),
      ),
      measured,
    ],
    ['OctoPrint completes', unheardOctoPrint(false), estimated],
    ['OctoPrint prints when the gateway is back', unheardOctoPrint(true), estimated],
    ['a Bambu printer completes', unheardBambu(false), estimated],
    ['a Bambu printer prints when the gateway is back', unheardBambu(true), estimated],
  ];
  const readAmounts = async (printer: Printer) =>
    (await describeParts(printer))
      ?.map((one) => one.split(' '))
      .map(([serial, , mm, basis]) => `${serial} ${mm} ${basis}`)
      .sort();

  test.each(printers)('gets everything that is printed after the pause: %s', async (_, print, [before, behind]) => {
    const { kind, slot, played, killed, later } = print;
    const all: [string, (string | null)[], step: number][] = [
      ['loaded after another one', ['third', null, 'second'], killed - 1],
      ['loaded after another one while no gateway ran', [null, 'third', 'second'], later],
      ['directly', ['second'], killed - 1],
      ['loaded when the first one was taken out', [null, 'second'], killed - 1],
      ['loaded while no gateway ran', ['second'], later],
    ];
    const changes = isEveryCut || print === printers[0]?.[1] ? all : all.slice(0, 2);
    await sendPlan([[1, '1000', null]], [[10, '1000']]);
    const found: Record<string, unknown> = {};
    const expected: Record<string, unknown> = {};
    for (const [name, serials, changed] of changes) {
      const printer = await createMachine(kind, slot);
      const { printerId } = printer;
      await play(played, printer, CUT_EVERY, async (step) => {
        if (step === killed)
          await database.prisma.device.updateMany({ where: { printerId }, data: { state: 'CONNECTING' } });
        if (step !== changed) return;
        for (const [more, serial] of serials.entries()) {
          const now = instant(findSecond(played, step) + more / 10);
          await enterLoad(printer, slot, serial && (await newSpool(serial)), null, now);
        }
      });
      found[name] = await readAmounts(printer);
      const parts = [`${slot}: ${before}`, `second: ${behind}`].sort();
      // Only a gateway that was running knows that the print was paused then.
      expected[name] = changed < killed ? parts : parts.map((one) => one.replace('MEASURED', 'ESTIMATED'));
    }
    expect(found).toEqual(expected);
  });
});

describe('a slot that continues for another slot', () => {
  /** Layers 1 to 4 from slot 2, then slot 3; a pause after layer 7. */
  const backup = (end: (printer: BambuMachine) => void = (printer) => printer.print(3, 7).finish()) =>
    playBambu((printer) => {
      printer.sendsDeltas = false;
      printer.prepare({ ...AMS, mapping: [2] }).print(4);
      printer.sendReport(tray('255')).sendReport(tray('3')).print(3, 4);
      printer.sendReport({ gcode_state: 'PAUSE' }).wait(10).sendReport({ gcode_state: 'RUNNING' });
      end(printer);
      printer.sendReport(tray('255'));
    });
  const PAUSED = findStep(backup(), '"PAUSE"') + 1;
  const PLAN: Parameters<typeof sendPlan> = [
    [[1, '100', null]],
    [
      [4, '70'],
      [7, '85'],
      [10, '100'],
    ],
  ];
  const changed = (printer: Printer, slot: string, serial: string) => async (second: number) =>
    enterLoad(printer, slot, await newSpool(serial), null, instant(second));

  test('a spool change in the second slot divides its segment between both spools', async () => {
    await sendPlan(...PLAN);
    const printer = await createMachine('BAMBU', 'ams:0:2', 'ams:0:3');
    await playWith(backup(), printer, { [PAUSED]: changed(printer, 'ams:0:3', 'third') });
    expect(await describeParts(printer)).toEqual([
      'ams:0:2: ams:0:2 70 ESTIMATED 1-4',
      'ams:0:3: ams:0:3 15 ESTIMATED 5-7',
      'third: ams:0:3 15 ESTIMATED 8-10',
    ]);
  });

  test('the first slot keeps its first spool in the job if it gets a new spool meanwhile', async () => {
    await sendPlan(...PLAN);
    const printer = await createMachine('BAMBU', 'ams:0:2', 'ams:0:3');
    await playWith(backup(), printer, { [PAUSED]: changed(printer, 'ams:0:2', 'refilled') });
    expect(await describeParts(printer)).toEqual([
      'ams:0:2: ams:0:2 70 ESTIMATED 1-4',
      'ams:0:3: ams:0:3 30 ESTIMATED 5-10',
    ]);
  });

  test('the second slot counts the spool that was in it when it began to feed, also if a user enters that spool later', async () => {
    await sendPlan(...PLAN);
    const printer = await createMachine('BAMBU', 'ams:0:2');
    const played = backup();
    const third = await newSpool('third');
    const fed = findStep(played, '"255"');
    await playWith(played, printer, {
      [PAUSED]: async (second) => {
        expect((await readPrint(printer))?.lacking).toEqual(['ams:0:3']);
        await enterLoad(printer, 'ams:0:3', third, instant(findSecond(played, fed) - 5), instant(second));
        expect((await readPrint(printer))?.lacking).toBeNull();
      },
    });
    expect(await describeParts(printer)).toEqual([
      'ams:0:2: ams:0:2 70 ESTIMATED 1-4',
      'third: ams:0:3 30 ESTIMATED 5-10',
    ]);
  });

  test('the print waits if the spool was loaded after the slot began to feed, until a user enters the earlier spool', async () => {
    await sendPlan(...PLAN);
    const printer = await createMachine('BAMBU', 'ams:0:2');
    await playWith(backup(), printer, { [PAUSED]: changed(printer, 'ams:0:3', 'third') });
    const print = await readPrint(printer);
    expect([await describeParts(printer), print?.lacking]).toEqual([['ams:0:2: - 70 -'], ['ams:0:3']]);
    await assignSpoolsTo(print?.id as string, [{ slot: 'ams:0:3', spoolId: await newSpool('second') }]);
    expect(await describeParts(printer)).toEqual([
      'ams:0:2: ams:0:2 70 ESTIMATED 1-4',
      'second: ams:0:3 15 ESTIMATED 5-7',
      'third: ams:0:3 15 ESTIMATED 8-10',
    ]);
  });
});

describe('a spool that is archived while the print runs', () => {
  const archive = (id: string) =>
    database.prisma.spool.update({ where: { id }, data: { archivedAt: instant(1), updatedAt: instant(1) } });

  test('keeps its part of a claimed job that gets its amounts at the end', async () => {
    const printer = await createMachine('MOONRAKER', 'tool:0');
    const [load] = await database.prisma.slotLoad.findMany({ where: { printerId: printer.printerId } });
    await queueJob(printer, load?.spoolId as string, CUBE);
    const [second, third] = [await newSpool('second'), await newSpool('third')];
    const played = paused((machine) => machine.pause(60).print(10, 1100, 1, 50).endPrint('complete', 'completed'), {});
    await playWith(played, printer, {
      [PAUSE]: (at) => enterLoad(printer, 'tool:0', second, null, instant(at)),
      [played.steps.length - 16]: async (at) => {
        await enterLoad(printer, 'tool:0', third, null, instant(at));
        await archive(second);
      },
    });
    expect(await describeParts(printer)).toEqual([
      'tool:0: tool:0 400 MEASURED 1-20',
      'second: tool:0 600 MEASURED 21-50',
      'third: tool:0 100 MEASURED',
    ]);
  });

  test('keeps its slot of a claimed job', async () => {
    const printer = await createMachine('BAMBU', 'ams:0:2', 'ams:0:3');
    const loads = await database.prisma.slotLoad.findMany({ where: { printerId: printer.printerId } });
    const in_ = (slot: string) => loads.find((one) => one.slot === slot)?.spoolId as string;
    await queueJob(printer, in_('ams:0:2'), 'cube.gcode.3mf');
    const played = playBambu((machine) => {
      machine.sendsDeltas = false;
      machine
        .prepare({ ...AMS, mapping: [2, 3] })
        .print(10)
        .finish();
    });
    await playWith(played, printer, {
      [played.steps.length - 12]: async () => {
        await archive(in_('ams:0:3'));
        await sendPlan([
          [1, '60', null],
          [2, '40', null],
        ]);
      },
    });
    expect((await readPrint(printer))?.outcome).toBe('COMPLETED');
    expect(await describeParts(printer)).toEqual(['ams:0:2: ams:0:2 60 PLANNED', 'ams:0:3: ams:0:3 40 PLANNED']);
  });
});
