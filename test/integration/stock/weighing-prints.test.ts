// A spool that is weighed while a machine prints from it: at each message of recordings, with new processes behind the messages. What is
// left is what the scale said, less what the job used afterwards.
import { randomUUID } from 'node:crypto';
import Decimal from 'decimal.js';
import type { Database } from '../../../src/database/database';
import { Conflict } from '../../../src/errors';
import type { Context } from '../../../src/farm/graph/context';
import { LeftOnSpools } from '../../../src/farm/prints/left-on-spools.service';
import { AdjustmentService } from '../../../src/farm/stock/adjustment.service';
import { moonraker } from '../../../src/machines/moonraker/adapter';
import { octoprint } from '../../../src/machines/octoprint/adapter';
import { createLedger } from '../../../src/services';
import { BAMBU } from '../../recordings/bambu/recordings';
import { MoonrakerMachine } from '../../recordings/moonraker/machine';
import { MOONRAKER } from '../../recordings/moonraker/recordings';
import { OctoPrintMachine } from '../../recordings/octoprint/machine';
import { OCTOPRINT } from '../../recordings/octoprint/recordings';
import { PRUSALINK } from '../../recordings/prusalink/recordings';
import { instant, type Recording } from '../../recordings/recording';
import { AMS, type Played, type PlayedPrinter, playBambu, providePlayedFarm } from '../../support/played-farm';
import { statementsOf } from '../../support/statements';

/** After that many steps another spool is weighed, in a separate farm. */
const WEIGHED_EVERY = 6;
/** A new process continues after so many steps. A weighing reads only rows, so more processes would show nothing new. */
const NEW_PROCESS_EVERY = 7;

const farm = providePlayedFarm();
let database: Database;
let adjustments: AdjustmentService;
beforeAll(() => {
  ({ database } = farm.opened());
  adjustments = new AdjustmentService((work) => database.transaction((one) => work(createLedger(one))), {
    spool: async () => null,
  });
});

const contextAt = (seconds: number) =>
  ({
    now: instant(seconds),
    deadline: Number.POSITIVE_INFINITY,
    newId: randomUUID,
    caller: { displayName: null },
  }) as unknown as Context;

type Outcome = 'NOT_PRINTING' | 'KNOWN' | 'REFUSED';

/** Weighs the spool after a step, and plays on to the end. */
async function weighBehind(kind: string, recording: Recording, at: number, slot: string): Promise<Outcome> {
  const machine = await farm.createMachine(kind, slot);
  const { spoolId } = await database.prisma.slotLoad.findFirstOrThrow({ where: { printerId: machine.printerId } });
  const spool = spoolId as string;
  const weighed: { outcome: Outcome; noted: string; over: string[] }[] = [];
  await farm.play(recording, machine, NEW_PROCESS_EVERY, async (step) => {
    if (step !== at) return;
    const jobs = await farm.readJobs(machine);
    const printing = jobs.find(({ status, spoolId }) => status === 'Printing' && spoolId === spool);
    const over = jobs.filter(({ status }) => status !== 'Queued' && status !== 'Printing').map(({ id }) => id);
    try {
      const context = contextAt(recording.steps[step - 1]?.at as number);
      const { printingGrams: noted } = await adjustments.weigh(spool, { netGrams: '500' }, context);
      weighed.push({ outcome: printing === undefined ? 'NOT_PRINTING' : 'KNOWN', noted, over });
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
      expect(error.message).toContain(printing?.printName);
      weighed.push({ outcome: 'REFUSED', noted: '0', over });
    }
  });
  const [{ outcome, noted, over }] = weighed as [(typeof weighed)[0]];
  const jobs = await farm.readJobs(machine);
  const sum = (all: typeof jobs) => Decimal.sum(0, ...all.map(({ gramsDerived }) => gramsDerived.toString()));
  const grams = await farm.opened().stock.gramsOfSpool.load(spool);
  if (grams === null) throw new Error('The spool is gone.');
  const { usedGrams, plannedGrams, remainingGrams, adjustedGrams } = grams;
  expect(new Decimal(1000).minus(usedGrams).plus(adjustedGrams).toFixed()).toBe(remainingGrams);
  expect(new Decimal(usedGrams).plus(plannedGrams).toFixed()).toBe(sum(jobs).toFixed());
  if (outcome === 'REFUSED') expect(adjustedGrams).toBe('0');
  else if (plannedGrams === '0') {
    // What a job had used by then is never more than its final amount.
    const after = sum(jobs.filter(({ id }) => !over.includes(id)));
    expect(remainingGrams).toBe(new Decimal(500).minus(after).plus(Decimal.min(noted, after)).toFixed());
  }
  return outcome;
}

test.each<[kind: string, name: string, recordings: readonly Recording[], slot: string, whilePrinting: Outcome[]]>([
  ['MOONRAKER', 'a pause', MOONRAKER, 'tool:0', ['KNOWN']],
  ['MOONRAKER', 'a cancel', MOONRAKER, 'tool:0', ['KNOWN']],
  ['MOONRAKER', 'Klipper stays away', MOONRAKER, 'tool:0', ['KNOWN']],
  ['OCTOPRINT', 'OctoPrint loses its printer in a pause', OCTOPRINT, 'tool:0', ['KNOWN', 'REFUSED']],
  // No plan says how much its layers need, and the machine does not measure.
  ['OCTOPRINT', 'a print from the card is cancelled in a pause', OCTOPRINT, 'tool:0', ['REFUSED']],
  ['BAMBU', 'a local print with the id 0', BAMBU, 'ams:0:2', ['REFUSED']],
  ['PRUSALINK', 'a whole print of a Buddy board', PRUSALINK, 'tool:0', ['REFUSED']],
])('%s: %s', async (kind, name, recordings, slot, whilePrinting) => {
  const recording = recordings.find((one) => one.name.endsWith(`: ${name}`));
  if (recording === undefined) throw new Error(`There is no recording of ${name}.`);
  const outcomes: Outcome[] = [];
  for (let at = 1; at <= recording.steps.length; at += WEIGHED_EVERY)
    outcomes.push(await weighBehind(kind, recording, at, slot));
  expect(new Set(outcomes)).toEqual(new Set(['NOT_PRINTING', ...whilePrinting]));
});

const LONG = 'long.gcode';

/** A print of 100 m, which is 298.25 g: two fifths, a pause behind the steps `pausedAt`, and the rest. */
interface LongPrint {
  played: Played;
  pausedAt: number;
}

const LONG_PRINTS: [kind: string, slot: string, play: () => LongPrint][] = [
  [
    'MOONRAKER',
    'tool:0',
    () => {
      const machine = new MoonrakerMachine().set({ files: { [LONG]: { filament_total: 100_000 } } });
      machine
        .up()
        .stayIdle()
        .startPrint(LONG)
        .print(40, 40_000, 0.4)
        .update({ print_stats: { state: 'paused' } })
        .wait(60)
        .sendHeartbeat();
      const pausedAt = machine.steps.length;
      machine
        .wait(60)
        .update({ print_stats: { state: 'printing' } })
        .print(60, 100_000, 1)
        .endPrint('complete', 'completed')
        .stayIdle();
      return { played: { adapter: moonraker, steps: machine.steps }, pausedAt };
    },
  ],
  [
    'OCTOPRINT',
    'tool:0',
    () => {
      const machine = new OctoPrintMachine().set({ files: { [LONG]: { length: [100_000] } } });
      machine.up().stayIdle().startPrint(LONG).print(40, 40).halt(60);
      const pausedAt = machine.steps.length;
      machine.wait(60).resume().wait(1).sendStatus().print(60, 99.9).completePrint().stayIdle();
      return { played: { adapter: octoprint, steps: machine.steps }, pausedAt };
    },
  ],
  [
    'BAMBU',
    'ams:0:2',
    () => {
      let pausedAt = 0;
      const played = playBambu((machine) => {
        machine
          .prepare({ ...AMS, mapping: [2] })
          .print(4)
          .wait(1)
          .sendReport({ gcode_state: 'PAUSE' })
          .stayIdle(60);
        pausedAt = machine.steps.length;
        machine.wait(60).sendReport({ gcode_state: 'RUNNING' }).print(6, 4).finish();
      });
      return { played, pausedAt };
    },
  ],
];

/** Plays a long print, with what an operator does in its pause. Answers what is left on the spool then, and behind the end. */
async function playLong(
  [kind, slot, make]: (typeof LONG_PRINTS)[number],
  inPause: (machine: PlayedPrinter, spool: string, now: string) => Promise<unknown>,
): Promise<{ spool: string; remaining: string | undefined; job: string }> {
  if (kind === 'BAMBU') await farm.sendPlan([[1, '100000', null]]);
  const machine = await farm.createMachine(kind, slot);
  const { spoolId } = await database.prisma.slotLoad.findFirstOrThrow({ where: { printerId: machine.printerId } });
  const spool = spoolId as string;
  const { played, pausedAt } = make();
  await farm.play(played, machine, NEW_PROCESS_EVERY, async (step) => {
    if (step === pausedAt) await inPause(machine, spool, instant(played.steps[step - 1]?.at as number));
  });
  const [job] = await farm.readJobs(machine);
  const left = await farm.opened().stock.gramsOfSpool.load(spool);
  return { spool, remaining: left?.remainingGrams, job: `${job?.status} ${job?.gramsDerived}` };
}

/** As playLong, of a print that waits for its spool, which is in no printer. */
async function playWaiting(
  [kind, slot, make]: (typeof LONG_PRINTS)[number],
  inPause: (machine: PlayedPrinter, spool: string, now: string) => Promise<unknown>,
) {
  if (kind === 'BAMBU') await farm.sendPlan([[1, '100000', null]]);
  const machine = await farm.createMachine(kind);
  const spool = await farm.newSpool(slot);
  const { played, pausedAt } = make();
  await farm.play(played, machine, NEW_PROCESS_EVERY, async (step) => {
    if (step === pausedAt) await inPause(machine, spool, instant(played.steps[step - 1]?.at as number));
  });
  return { machine, spool, remaining: (await farm.opened().stock.gramsOfSpool.load(spool))?.remainingGrams };
}

const readLeft = async (spools: readonly string[], now: string) => [
  ...(await new LeftOnSpools(database).left(spools, { ...contextAt(0), now })).values(),
];

const weighAt = (spool: string, netGrams: string, now: string) =>
  adjustments.weigh(spool, { netGrams }, { ...contextAt(0), now });

describe.each(LONG_PRINTS)('in a pause of %s', (...long) => {
  const [kind, slot, make] = long;

  test('what is left now is the remaining grams less what the print has used so far, also after a weighing', async () => {
    const { spool, remaining } = await playLong(long, async (_, chosen, now) => {
      expect(await readLeft([chosen], now)).toEqual(['880.7']);
      await weighAt(chosen, '870', now);
      expect(await readLeft([chosen], now)).toEqual(['870']);
    });
    expect(remaining).toBe('691.05');
    expect(await readLeft([spool], contextAt(200_000).now)).toEqual(['691.05']);
  });

  test('what is left on many spools takes as many statements as on one', async () => {
    const spools: string[] = [];
    const { played, pausedAt } = make();
    for (let n = 0; n < 3; n += 1) {
      if (kind === 'BAMBU') await farm.sendPlan([[1, '100000', null]]);
      const machine = await farm.createMachine(kind, slot);
      const { spoolId } = await database.prisma.slotLoad.findFirstOrThrow({ where: { printerId: machine.printerId } });
      spools.push(spoolId);
      await farm.play({ ...played, steps: played.steps.slice(0, pausedAt) }, machine, NEW_PROCESS_EVERY);
    }
    spools.push(await farm.newSpool('unused'));
    const now = instant(played.steps[pausedAt - 1]?.at as number);
    const left: string[][] = [];
    const ofOne = await statementsOf(async () => void left.push(await readLeft(spools.slice(0, 1), now)));
    const ofMany = await statementsOf(async () => void left.push(await readLeft(spools, now)));
    expect(left).toEqual([['880.7'], ['880.7', '880.7', '880.7', '1000']]);
    expect(ofMany).toHaveLength(ofOne.length);
  });

  test('a spool that is taken out, weighed and put back loses what is printed afterwards', async () => {
    const { remaining, job } = await playLong(long, async (machine, spool, now) => {
      await farm.enterLoad(machine, slot, null, null, now);
      const later = new Date(Date.parse(now) + 1000).toISOString();
      expect((await weighAt(spool, '880', later)).printingGrams).toBe('119.3');
      await farm.enterLoad(machine, slot, spool, null, new Date(Date.parse(now) + 2000).toISOString());
    });
    expect([remaining, job]).toEqual(['701.05', 'Completed 298.25']);
  });

  test('a spool that another one replaces has what it fed before, and nothing afterwards', async () => {
    const { remaining } = await playLong(long, async (machine, spool, now) => {
      const next = await farm.newSpool(slot);
      await farm.enterLoad(machine, slot, next, null, now);
      const later = new Date(Date.parse(now) + 1000).toISOString();
      expect((await weighAt(spool, '880', later)).printingGrams).toBe('119.3');
    });
    expect(remaining).toBe('880');
  });

  test.each([
    ['in the pause', true],
    ['after the end', false],
  ])('a spool that is weighed before its print gets it %s has what was printed before', async (_, isInPause) => {
    const assign = async (machine: PlayedPrinter, spool: string) => {
      const { id } = (await farm.readPrint(machine)) as { id: string };
      await farm.assignSpoolsTo(id, [{ slot, spoolId: spool }]);
    };
    const { machine, spool, remaining } = await playWaiting(long, async (printer, chosen, now) => {
      expect((await weighAt(chosen, '880', now)).printingGrams).toBe('0');
      if (isInPause) await assign(printer, chosen);
    });
    if (!isInPause) {
      expect(remaining).toBe('880');
      await assign(machine, spool);
    }
    const rows = await database.prisma.spoolAdjustment.findMany({ where: { spoolId: spool }, orderBy: { id: 'asc' } });
    expect(rows.map(({ netGrams, takenBackAt }) => `${netGrams} ${takenBackAt !== null}`)).toEqual([
      '880 true',
      '880 false',
    ]);
    expect((await farm.opened().stock.gramsOfSpool.load(spool))?.remainingGrams).toBe('701.05');
  });

  test('a correction in the same millisecond stays behind a weighing that is replaced', async () => {
    const { spool } = await playWaiting(long, async (machine, chosen, now) => {
      const lost = { kind: 'LOST', grams: '-10', note: 'spilled' } as Parameters<AdjustmentService['correct']>[1];
      await weighAt(chosen, '880', now);
      await adjustments.correct(chosen, lost, { ...contextAt(0), now });
      await farm.assignSpoolsTo((await farm.readPrint(machine))?.id as string, [{ slot, spoolId: chosen }]);
    });
    expect((await farm.opened().stock.gramsOfSpool.load(spool))?.remainingGrams).toBe('691.05');
  });

  test('a weighing counts although the clock of the gateway that assigns the spool is behind', async () => {
    const { spool } = await playWaiting(long, async (machine, chosen, now) => {
      await weighAt(chosen, '880', now);
      const id = (await farm.readPrint(machine))?.id as string;
      await farm.assignSpoolsTo(id, [{ slot, spoolId: chosen }], new Date(Date.parse(now) - 1000).toISOString());
    });
    expect((await farm.opened().stock.gramsOfSpool.load(spool))?.remainingGrams).toBe('701.05');
  });

  test('a weighing counts when a user enters the end of a print that the gateway lost before it', async () => {
    const { machine, spool } = await playWaiting(long, (_, chosen, now) => weighAt(chosen, '0', now));
    const { id, endedAt } = (await farm.readPrint(machine)) as { id: string; endedAt: Date };
    const { at } = await database.prisma.spoolAdjustment.findFirstOrThrow({ where: { spoolId: spool } });
    await database.prisma.observedPrint.update({
      where: { id },
      data: { outcome: 'UNRESOLVED', endedAt: null, seenAt: new Date(at.getTime() - 1000) },
    });
    await farm.assignSpoolsTo(id, [{ slot, spoolId: spool }]);
    await farm.resolve(id, 'COMPLETED', endedAt.toISOString());
    expect((await farm.opened().stock.gramsOfSpool.load(spool))?.remainingGrams).toBe('0');
  });

  test('a weighing is refused when an operator entered what the job uses', async () => {
    const { remaining } = await playLong(long, async (machine, spool, now) => {
      const [job] = await farm.readJobs(machine);
      const other = await farm.newSpool(slot);
      const parts = [
        { spoolId: spool, slot, mmExtruded: '0', gramsDerived: '298.25' },
        { spoolId: other, slot, mmExtruded: '0', gramsDerived: '1' },
      ];
      await farm.opened().parts.setParts(job?.id as string, parts, { ...contextAt(0), now });
      await expect(weighAt(spool, '850', now)).rejects.toThrow(Conflict);
      expect(await weighAt(spool, '0', now)).toMatchObject({ printingGrams: '298.25' });
    });
    expect(remaining).toBe('0');
  });
});

describe('a spool that was loaded during a print whose file has no plan, after a wrong spool,', () => {
  /** 10 m of one spool, a pause, 20 m of another one, a pause, and 30 m more. */
  function klipper() {
    const machine = new MoonrakerMachine();
    machine.up().stayIdle().startPrint(LONG).print(20, 10_000, 0.1, 5);
    const pause = () =>
      machine
        .update({ print_stats: { state: 'paused' } })
        .wait(10)
        .sendHeartbeat().steps.length;
    const resume = () => machine.wait(10).update({ print_stats: { state: 'printing' } });
    const changedAt = pause();
    resume().print(20, 30_000, 0.3, 15);
    const weighedAt = pause();
    resume().print(20, 60_000, 0.6, 50).endPrint('complete', 'completed').stayIdle();
    return { kind: 'MOONRAKER', played: { adapter: moonraker, steps: machine.steps }, changedAt, weighedAt };
  }
  function octoPrint() {
    const machine = new OctoPrintMachine();
    machine.up().stayIdle().startPrint(LONG).print(20, 10).halt(20);
    const changedAt = machine.steps.length;
    machine.wait(10).resume().wait(1).sendStatus().print(20, 30).halt(20);
    const weighedAt = machine.steps.length;
    machine.wait(10).resume().wait(1).sendStatus().print(20, 60).completePrint().stayIdle();
    return { kind: 'OCTOPRINT', played: { adapter: octoprint, steps: machine.steps }, changedAt, weighedAt };
  }

  async function playChanged(
    { kind, played, changedAt, weighedAt }: { kind: string; played: Played; changedAt: number; weighedAt: number },
    weigh: (spool: string, now: string) => Promise<unknown>,
  ): Promise<string | undefined> {
    const machine = await farm.createMachine(kind, 'tool:0');
    const next = await farm.newSpool('next');
    await farm.play(played, machine, NEW_PROCESS_EVERY, async (step) => {
      const now = instant(played.steps[step - 1]?.at as number);
      if (step === changedAt) {
        await farm.enterLoad(machine, 'tool:0', await farm.newSpool('wrong'), null, now);
        await farm.enterLoad(machine, 'tool:0', next, null, new Date(Date.parse(now) + 1000).toISOString());
      }
      if (step === weighedAt) await weigh(next, now);
    });
    return (await farm.opened().stock.gramsOfSpool.load(next))?.remainingGrams;
  }

  test('is weighed against what it has fed so far', async () => {
    expect(await playChanged(klipper(), (spool, now) => weighAt(spool, '500', now))).toBe('410.52');
  });

  test('has in its ledger what it has fed so far, before the print ends', async () => {
    const shown: string[] = [];
    const machine = new MoonrakerMachine();
    machine
      .up()
      .stayIdle()
      .startPrint(LONG)
      .print(20, 10_000, 0.1, 5)
      .update({ print_stats: { state: 'paused' } });
    const pausedAt = machine.wait(60).sendHeartbeat().steps.length;
    machine
      .update({ print_stats: { state: 'printing' } })
      .print(20, 30_000, 0.3, 15)
      .endPrint('complete', 'completed')
      .stayIdle();
    const printer = await farm.createMachine('MOONRAKER', 'tool:0');
    const { spoolId } = await database.prisma.slotLoad.findFirstOrThrow({ where: { printerId: printer.printerId } });
    await farm.play({ adapter: moonraker, steps: machine.steps }, printer, NEW_PROCESS_EVERY, async (step) => {
      if (step !== pausedAt) return;
      const now = instant(machine.steps[step - 1]?.at as number);
      const { grams, printingGrams } = await weighAt(spoolId as string, '960', now);
      const left = await farm.opened().stock.gramsOfSpool.load(spoolId as string);
      shown.push(printingGrams, grams, ...[left?.usedGrams, left?.plannedGrams, left?.remainingGrams].map(String));
    });
    expect(shown).toEqual(['29.83', '-10.17', '29.83', '0', '960']);
    const left = await farm.opened().stock.gramsOfSpool.load(spoolId as string);
    expect([left?.usedGrams, left?.adjustedGrams, left?.remainingGrams]).toEqual(['89.48', '-10.17', '900.35']);
  });

  test('gives nothing more once it is empty', async () => {
    expect(await playChanged(klipper(), (spool, now) => weighAt(spool, '0', now))).toBe('0');
  });

  test('cannot be weighed if nothing measures what it feeds', async () => {
    const weigh = (spool: string, now: string) => expect(weighAt(spool, '500', now)).rejects.toThrow(Conflict);
    expect(await playChanged(octoPrint(), weigh)).toBe('1000');
  });
});
