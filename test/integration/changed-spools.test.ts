// Spools that are put in and taken out while a print runs or waits: what of it belongs to which of them.
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
  ofBambu,
  type Played,
  type PlayedPrinter as Printer,
  playedFarm,
  tray,
} from '../support/played-farm';
import { isEveryCut } from '../support/replay';

const farm = playedFarm();
const { assignOf, machineOf, newSpool, play, printOf, jobsOf, partsOf, queue, resolve, send, tell } = farm;
let database: Database;
beforeAll(() => {
  ({ database } = farm.opened());
});

const CUBE = 'cube.gcode';
/** 400 mm in 20 layers, a pause of a minute, and 600 mm in 30 layers. */
const paused = (
  end = (machine: MoonrakerMachine) => machine.end('complete', 'completed'),
  file: object = { filament_total: 1000 },
): Played => {
  const machine = new MoonrakerMachine();
  machine.files = { [CUBE]: file };
  machine.up();
  machine.rest();
  machine.begin(CUBE).print(40, 400, 0.4, 20).pause(60).print(60, 1000, 1, 50);
  end(machine);
  machine.rest();
  return { adapter: moonraker, steps: machine.steps };
};
const secondOf = (played: Played, step: number) => played.steps[step - 1]?.at as number;
const stepOf = ({ steps }: Played, text: string) =>
  steps.findIndex(({ message }) => JSON.stringify(message ?? '').includes(text)) + 1;
const PAUSE = stepOf(paused(), '"paused"') + 2;
const BEGUN = stepOf(paused(), '"printing"');

/** Something that is done once, behind a step, with the second of that step. */
async function playWith(
  played: Played,
  printer: Printer,
  works: Record<number, (second: number) => Promise<unknown>>,
): Promise<void> {
  await play(played, printer, CUT_EVERY, async (step) => {
    await works[step]?.(secondOf(played, step));
  });
}

describe('several changes of a print whose file has no plan', () => {
  test('are each booked while it prints, also where its job has the spool of a change', async () => {
    const machine = new MoonrakerMachine();
    machine.up();
    machine.rest();
    machine.begin(CUBE).print(20, 40, 0.02, 1).pause(10).print(20, 180, 0.14, 7).pause(10).print(20, 350, 0.24, 12);
    machine.pause(10).print(20, 540, 0.28, 14).end('complete', 'completed');
    machine.rest();
    const played = { adapter: moonraker, steps: machine.steps };
    const [, second, third] = played.steps.flatMap(({ message }, at) =>
      JSON.stringify(message ?? '').includes('"paused"') ? [at + 2] : [],
    ) as [number, number, number];
    const printer = await machineOf('MOONRAKER', 'tool:0');
    const names = ['second', 'third', 'fourth'];
    const [next, another, last] = (await Promise.all(names.map(newSpool))) as [string, string, string];
    const running: (string[] | null)[] = [];
    await playWith(played, printer, {
      // Said behind what it fed.
      [second - 1]: (now) => tell(printer, 'tool:0', next, instant(secondOf(played, second) - 35), instant(now)),
      [second]: (now) => tell(printer, 'tool:0', another, null, instant(now)),
      [third]: async (now) => {
        running.push(await partsOf(printer));
        await tell(printer, 'tool:0', last, null, instant(now));
        running.push(await partsOf(printer));
      },
    });
    expect(running).toEqual([['second: - 0g -'], ['second: tool:0 0g UNKNOWN 1-7', 'third: tool:0 0g UNKNOWN 8-50']]);
    expect(await partsOf(printer)).toEqual([
      'second: tool:0 140 MEASURED 2-7',
      'tool:0: tool:0 40 MEASURED 1-1',
      'third: tool:0 170 MEASURED 8-12',
      'fourth: tool:0 190 MEASURED 13-50',
    ]);
  });
});

describe('a spool that is put in without a time', () => {
  test('does not fill the past of a print that began in an empty slot, and has what is printed from then on', async () => {
    const printer = await machineOf('MOONRAKER');
    const [before, since] = [await newSpool('before'), await newSpool('since')];
    await playWith(paused(), printer, {
      [PAUSE]: (second) => tell(printer, 'tool:0', since, null, instant(second)),
    });
    expect([await partsOf(printer), await jobsOf(printer)]).toEqual([null, []]);
    const print = await printOf(printer);
    await expect(assignOf(print?.id as string, [])).rejects.toThrow('must name each slot of the print once: tool:0');
    await assignOf(print?.id as string, [{ slot: 'tool:0', spoolId: before }]);
    expect(await partsOf(printer)).toEqual(['before: tool:0 400 MEASURED 1-20', 'since: tool:0 600 MEASURED 21-50']);
    expect((await printOf(printer))?.filament).toHaveLength(2);
  });

  test('is all of the print where a person says that it was', async () => {
    const printer = await machineOf('MOONRAKER');
    const since = await newSpool('since');
    await playWith(paused(), printer, {
      [PAUSE]: (second) => tell(printer, 'tool:0', since, null, instant(second)),
    });
    await assignOf((await printOf(printer))?.id as string, [{ slot: 'tool:0', spoolId: since }]);
    expect(await partsOf(printer)).toEqual(['since: - 1000 -']);
  });

  test('gives a waiting print its job when its time is said, and it was there at the begin', async () => {
    const printer = await machineOf('MOONRAKER');
    const played = paused();
    const spoolId = await newSpool('there');
    await playWith(played, printer, {
      [PAUSE]: async (second) => {
        await tell(printer, 'tool:0', spoolId, null, instant(second));
        expect(await jobsOf(printer)).toEqual([]);
        await tell(printer, 'tool:0', spoolId, instant(1), instant(second));
        expect((await jobsOf(printer)).map(({ status }) => status)).toEqual(['Printing']);
      },
    });
    expect(await partsOf(printer)).toEqual(['there: - 1000 -']);
  });

  test('before the gateway hears of the print is there at its begin', async () => {
    const printer = await machineOf('MOONRAKER');
    const played = paused();
    const begun = secondOf(played, BEGUN);
    const spoolId = await newSpool('there');
    await database.prisma.slotLoad.create({
      data: { printerId: printer.printerId, slot: 'tool:0', spoolId, from: instant(begun) },
    });
    await play(played, printer);
    expect(await partsOf(printer)).toEqual(['there: - 1000 -']);
  });
});

describe('a spool that is changed in its slot', () => {
  const change =
    (printer: Printer, serial = 'second', slot = 'tool:0') =>
    async (second: number) =>
      tell(printer, slot, await newSpool(serial), null, instant(second));

  test('begins a part of the running job at once, as far as it is planned', async () => {
    const printer = await machineOf('MOONRAKER', 'tool:0');
    await playWith(paused(), printer, {
      [PAUSE]: async (second) => {
        await change(printer)(second);
        expect(await partsOf(printer)).toEqual([
          'tool:0: tool:0 400 ESTIMATED 1-20',
          'second: tool:0 600 ESTIMATED 21-50',
        ]);
      },
    });
    expect(await partsOf(printer)).toEqual(['tool:0: tool:0 400 MEASURED 1-20', 'second: tool:0 600 MEASURED 21-50']);
  });

  test('leaves the job whole again when it turns out that it was not', async () => {
    const printer = await machineOf('MOONRAKER', 'tool:0');
    const [load] = await database.prisma.slotLoad.findMany({ where: { printerId: printer.printerId } });
    await playWith(paused(), printer, {
      [PAUSE]: async (second) => {
        await change(printer)(second);
        await tell(printer, 'tool:0', load?.spoolId as string, instant(second), instant(second));
        expect(await partsOf(printer)).toEqual(['tool:0: - 1000 -']);
      },
    });
    expect(await partsOf(printer)).toEqual(['tool:0: - 1000 -']);
  });

  test('keeps its part when it is archived before the print is over', async () => {
    const printer = await machineOf('MOONRAKER', 'tool:0');
    const second = await newSpool('second');
    await playWith(paused(), printer, {
      [PAUSE]: (at) => tell(printer, 'tool:0', second, null, instant(at)),
      [PAUSE + 10]: async (at) => {
        await change(printer, 'third')(at);
        await database.prisma.spool.update({ where: { id: second }, data: { archivedAt: instant(at) } });
      },
    });
    const told = await partsOf(printer);
    expect(told?.map((one) => one.split(' ')[0])).toEqual(['tool:0:', 'second:', 'third:']);
  });

  test('is divided too when the print waits for a person who says how it ended', async () => {
    const printer = await machineOf('MOONRAKER', 'tool:0');
    const played = paused((machine) => machine.restartKlipper(30));
    await playWith(played, printer, { [PAUSE]: change(printer) });
    const print = await printOf(printer);
    if (print?.outcome === 'UNRESOLVED') await resolve(print.id, 'COMPLETED', null);
    expect((await partsOf(printer))?.map((one) => one.split(' ').slice(0, 3).join(' '))).toEqual([
      'tool:0: tool:0 400',
      'second: tool:0 600',
    ]);
  });

  test('and taken out, with another one in between that printed nothing, is no change', async () => {
    const printer = await machineOf('MOONRAKER', 'tool:0');
    const [load] = await database.prisma.slotLoad.findMany({ where: { printerId: printer.printerId } });
    await playWith(paused(), printer, {
      [PAUSE]: async (second) => {
        await change(printer)(second);
        await tell(printer, 'tool:0', load?.spoolId as string, null, instant(second + 1));
      },
    });
    expect(await partsOf(printer)).toEqual(['tool:0: - 1000 -']);
  });

  test('is divided by the share of the file where a machine tells no layers', async () => {
    const printer = await machineOf('OCTOPRINT', 'tool:0');
    const played = halted();
    await playWith(played, printer, { [stepOf(played, '"PrintPaused"') + 1]: change(printer) });
    expect((await partsOf(printer))?.map((one) => one.split(' ').slice(0, 4).join(' '))).toEqual([
      'tool:0: tool:0 250 ESTIMATED',
      'second: tool:0 750 ESTIMATED',
    ]);
  });
});

/** A quarter of the file, a pause, and the rest of it. */
function halted(): Played {
  const machine = new OctoPrintMachine();
  machine.files = { 'cube.gco': { length: [1000] } };
  machine.up().rest().begin('cube.gco').print(50, 25).pauseFor(60).print(50, 99.5).done().rest();
  return { adapter: octoprint, steps: machine.steps };
}

/** A print to a pause, in which the gateway is killed. Nobody listens while the print continues. */
interface Unheard {
  kind: string;
  slot: string;
  played: Played;
  /** The first step that nobody hears. */
  killed: number;
  /** A step of the pause that nobody hears, minutes later. */
  later: number;
}

/** The machine waits minutes in its pause: behind `killed` steps nobody listens, and behind `later` steps it is still paused. */
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
  machine.rest();
  machine
    .begin(CUBE)
    .print(40, 400, 0.4, 20)
    .update({ print_stats: { state: 'paused' } });
  machine.wait(10).beat().wait(1).beat();
  const steps = unheard(machine, () => machine.wait(300).beat());
  machine.wait(60).update({ print_stats: { state: 'printing' } });
  end(machine);
  machine.rest();
  if (machine.link === 'down') machine.up();
  machine.rest();
  return { kind: 'MOONRAKER', slot: 'tool:0', played: { adapter: moonraker, steps: machine.steps }, ...steps };
}
const printed = (machine: MoonrakerMachine) => machine.print(60, 991.55, 1, 50);

function unheardOctoPrint(isBack: boolean): Unheard {
  const machine = new OctoPrintMachine();
  machine.files = { 'cube.gco': { length: [1000] } };
  machine.up().rest().begin('cube.gco').print(50, 40).halt(20);
  const steps = unheard(machine, () => machine.wait(300).tick());
  machine.wait(60).resume().print(50, 70);
  if (isBack) machine.up();
  machine.print(50, 99.5).done().rest();
  if (!isBack) machine.up();
  machine.rest();
  return { kind: 'OCTOPRINT', slot: 'tool:0', played: { adapter: octoprint, steps: machine.steps }, ...steps };
}

function unheardBambu(isBack: boolean): Unheard {
  let steps = { killed: 0, later: 0 };
  const played = ofBambu((printer) => {
    printer.sendsDeltas = false;
    printer.begin().print(4).tell({ gcode_state: 'PAUSE' }).rest(20);
    steps = unheard(printer, () => printer.rest(300));
    printer.rest(60).print(3, 4);
    if (isBack) printer.up();
    printer.print(3, 7).finish().rest(20);
    if (!isBack) printer.up();
  });
  return { kind: 'BAMBU', slot: 'ams:0:2', played, ...steps };
}

describe('a spool that is put in during a pause, in which the gateway is killed,', () => {
  const measured = ['400 MEASURED', '591.55 MEASURED'] as const;
  const estimated = ['400 ESTIMATED', '600 ESTIMATED'] as const;
  const printers: [string, Unheard, readonly [string, string]][] = [
    ['Klipper completes', unheardMoonraker((machine) => printed(machine).end('complete', 'completed')), measured],
    ['Klipper fails', unheardMoonraker((machine) => printed(machine).end('error', 'error')), measured],
    ['Klipper is cancelled', unheardMoonraker((machine) => printed(machine).end('cancelled', 'cancelled')), measured],
    [
      'Klipper prints when the gateway is back',
      unheardMoonraker((machine) => printed(machine.print(30, 700, 0.7, 35).up()).end('complete', 'completed')),
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
        ).end('complete', 'completed'),
      ),
      measured,
    ],
    ['OctoPrint completes', unheardOctoPrint(false), estimated],
    ['OctoPrint prints when the gateway is back', unheardOctoPrint(true), estimated],
    ['a Bambu printer completes', unheardBambu(false), estimated],
    ['a Bambu printer prints when the gateway is back', unheardBambu(true), estimated],
  ];
  const amountsOf = async (printer: Printer) =>
    (await partsOf(printer))
      ?.map((one) => one.split(' '))
      .map(([serial, , mm, basis]) => `${serial} ${mm} ${basis}`)
      .sort();

  test.each(printers)('gives all that is printed behind the pause: %s', async (_, print, [before, behind]) => {
    const { kind, slot, played, killed, later } = print;
    const all: [string, (string | null)[], step: number][] = [
      ['behind another one', ['third', null, 'second'], killed - 1],
      ['behind another one when nobody listens', [null, 'third', 'second'], later],
      ['directly', ['second'], killed - 1],
      ['when the first one was taken out', [null, 'second'], killed - 1],
      ['when nobody listens', ['second'], later],
    ];
    const changes = isEveryCut || print === printers[0]?.[1] ? all : all.slice(0, 2);
    await send([[1, '1000', null]], [[10, '1000']]);
    const found: Record<string, unknown> = {};
    const expected: Record<string, unknown> = {};
    for (const [name, serials, changed] of changes) {
      const printer = await machineOf(kind, slot);
      const { printerId } = printer;
      await play(played, printer, CUT_EVERY, async (step) => {
        if (step === killed)
          await database.prisma.device.updateMany({ where: { printerId }, data: { state: 'CONNECTING' } });
        if (step !== changed) return;
        for (const [more, serial] of serials.entries()) {
          const now = instant(secondOf(played, step) + more / 10);
          await tell(printer, slot, serial && (await newSpool(serial)), null, now);
        }
      });
      found[name] = await amountsOf(printer);
      const parts = [`${slot}: ${before}`, `second: ${behind}`].sort();
      // Only a gateway that listened knows that the print was paused then.
      expected[name] = changed < killed ? parts : parts.map((one) => one.replace('MEASURED', 'ESTIMATED'));
    }
    expect(found).toEqual(expected);
  });
});

describe('a slot that stands in for another one', () => {
  /** Layers 1 to 4 from slot 2, then slot 3; a pause behind layer 7. */
  const backup = (end: (printer: BambuMachine) => void = (printer) => printer.print(3, 7).finish()) =>
    ofBambu((printer) => {
      printer.sendsDeltas = false;
      printer.prepare({ ...AMS, mapping: [2] }).print(4);
      printer.tell(tray('255')).tell(tray('3')).print(3, 4);
      printer.tell({ gcode_state: 'PAUSE' }).wait(10).tell({ gcode_state: 'RUNNING' });
      end(printer);
      printer.tell(tray('255'));
    });
  const PAUSED = stepOf(backup(), '"PAUSE"') + 1;
  const PLAN: Parameters<typeof send> = [
    [[1, '100', null]],
    [
      [4, '70'],
      [7, '85'],
      [10, '100'],
    ],
  ];
  const changed = (printer: Printer, slot: string, serial: string) => async (second: number) =>
    tell(printer, slot, await newSpool(serial), null, instant(second));

  test('and has its own spool changed then is divided among both', async () => {
    await send(...PLAN);
    const printer = await machineOf('BAMBU', 'ams:0:2', 'ams:0:3');
    await playWith(backup(), printer, { [PAUSED]: changed(printer, 'ams:0:3', 'third') });
    expect(await partsOf(printer)).toEqual([
      'ams:0:2: ams:0:2 70 ESTIMATED 1-4',
      'ams:0:3: ams:0:3 15 ESTIMATED 5-7',
      'third: ams:0:3 15 ESTIMATED 8-10',
    ]);
  });

  test('leaves the first slot to its spool when that gets a new one meanwhile', async () => {
    await send(...PLAN);
    const printer = await machineOf('BAMBU', 'ams:0:2', 'ams:0:3');
    await playWith(backup(), printer, { [PAUSED]: changed(printer, 'ams:0:2', 'refilled') });
    expect(await partsOf(printer)).toEqual(['ams:0:2: ams:0:2 70 ESTIMATED 1-4', 'ams:0:3: ams:0:3 30 ESTIMATED 5-10']);
  });

  test('has the spool that was in it when it began to feed, also where that is said later', async () => {
    await send(...PLAN);
    const printer = await machineOf('BAMBU', 'ams:0:2');
    const played = backup();
    const third = await newSpool('third');
    const fed = stepOf(played, '"255"');
    await playWith(played, printer, {
      [PAUSED]: async (second) => {
        expect((await printOf(printer))?.lacking).toEqual(['ams:0:3']);
        await tell(printer, 'ams:0:3', third, instant(secondOf(played, fed) - 5), instant(second));
        expect((await printOf(printer))?.lacking).toBeNull();
      },
    });
    expect(await partsOf(printer)).toEqual(['ams:0:2: ams:0:2 70 ESTIMATED 1-4', 'third: ams:0:3 30 ESTIMATED 5-10']);
  });

  test('waits when its spool was put in behind that, and a person says what was in it before', async () => {
    await send(...PLAN);
    const printer = await machineOf('BAMBU', 'ams:0:2');
    await playWith(backup(), printer, { [PAUSED]: changed(printer, 'ams:0:3', 'third') });
    const print = await printOf(printer);
    expect([await partsOf(printer), print?.lacking]).toEqual([['ams:0:2: - 70 -'], ['ams:0:3']]);
    await assignOf(print?.id as string, [{ slot: 'ams:0:3', spoolId: await newSpool('second') }]);
    expect(await partsOf(printer)).toEqual([
      'ams:0:2: ams:0:2 70 ESTIMATED 1-4',
      'second: ams:0:3 15 ESTIMATED 5-7',
      'third: ams:0:3 15 ESTIMATED 8-10',
    ]);
  });
});

describe('a spool that is archived while the print runs', () => {
  const archive = (id: string) =>
    database.prisma.spool.update({ where: { id }, data: { archivedAt: instant(1), updatedAt: instant(1) } });

  test('has its part of a job that was queued, and that gets its amounts at the end', async () => {
    const printer = await machineOf('MOONRAKER', 'tool:0');
    const [load] = await database.prisma.slotLoad.findMany({ where: { printerId: printer.printerId } });
    await queue(printer, load?.spoolId as string, CUBE);
    const [second, third] = [await newSpool('second'), await newSpool('third')];
    const played = paused((machine) => machine.pause(60).print(10, 1100, 1, 50).end('complete', 'completed'), {});
    await playWith(played, printer, {
      [PAUSE]: (at) => tell(printer, 'tool:0', second, null, instant(at)),
      [played.steps.length - 16]: async (at) => {
        await tell(printer, 'tool:0', third, null, instant(at));
        await archive(second);
      },
    });
    expect(await partsOf(printer)).toEqual([
      'tool:0: tool:0 400 MEASURED 1-20',
      'second: tool:0 600 MEASURED 21-50',
      'third: tool:0 100 MEASURED',
    ]);
  });

  test('has its slot of a job that was queued', async () => {
    const printer = await machineOf('BAMBU', 'ams:0:2', 'ams:0:3');
    const loads = await database.prisma.slotLoad.findMany({ where: { printerId: printer.printerId } });
    const in_ = (slot: string) => loads.find((one) => one.slot === slot)?.spoolId as string;
    await queue(printer, in_('ams:0:2'), 'cube.gcode.3mf');
    const played = ofBambu((machine) => {
      machine.sendsDeltas = false;
      machine
        .prepare({ ...AMS, mapping: [2, 3] })
        .print(10)
        .finish();
    });
    await playWith(played, printer, {
      [played.steps.length - 12]: async () => {
        await archive(in_('ams:0:3'));
        await send([
          [1, '60', null],
          [2, '40', null],
        ]);
      },
    });
    expect((await printOf(printer))?.outcome).toBe('COMPLETED');
    expect(await partsOf(printer)).toEqual(['ams:0:2: ams:0:2 60 PLANNED', 'ams:0:3: ams:0:3 40 PLANNED']);
  });
});
