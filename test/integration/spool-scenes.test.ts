// Random scenes of changed spools against a model of their own: each gram is in the part of the spool that was in the slot.
import Decimal from 'decimal.js';
import type { Database } from '../../src/database/database';
import type { PrintJobService } from '../../src/farm/print-jobs/print-job.service';
import type { Course } from '../../src/farm/print-rules/print.model';
import type { ObservedPrintService } from '../../src/farm/prints/observed-print.service';
import { findWait } from '../../src/farm/prints/observed-print.status';
import { instant } from '../recordings/recording';
import { anyDatabase, isTestedAlready } from '../support/databases';
import { type PlayedPrinter, playedFarm, TIME } from '../support/played-farm';
import { isEveryCut } from '../support/replay';
import { type Act, bambuScene, moonrakerScene, type Scene, toolsScene } from '../support/spool-scenes';

const farm = playedFarm();
const { assignOf, givenBy, machineOf, newSpool, play, printOf, queue, resolve, send, tell } = farm;
let database: Database;
let jobs: PrintJobService;
let observed: ObservedPrintService;
beforeAll(() => {
  ({ database, jobs, observed } = farm.opened());
});

const OVERLAPS = `select a.slot from slot_loads a join slot_loads b
  on (a.spool_id, a.from) < (b.spool_id, b.from) and tstzrange(a.from, a.to) && tstzrange(b.from, b.to)
  and (a.spool_id = b.spool_id or (a.printer_id, a.slot) = (b.printer_id, b.slot))`;

/** Plays it. @returns by slot and spool what was given, with what is wrong on the way */
async function played(scene: Scene) {
  const printer = await machineOf(scene.kind);
  const names = new Map<string, string>();
  const idOf = async (name: string) => {
    const id = names.get(name) ?? (await newSpool(name));
    names.set(name, id);
    return id;
  };
  for (const [slot, name] of Object.entries(scene.loaded))
    await database.prisma.slotLoad.create({
      data: { printerId: printer.printerId, slot, spoolId: await idOf(name), from: instant(0) },
    });
  if (scene.queued !== null) await queue(printer, await idOf(scene.queued), 'cube.gcode.3mf');
  const isSentFirst = scene.plan !== null && ![...scene.acts.values()].flat().some((act) => act.do === 'SEND_PLAN');
  const sendPlan = async () => void (scene.plan && (await send(scene.plan.slots, scene.plan.layers)));
  if (isSentFirst) await sendPlan();
  const assign = async () => {
    const print = await printOf(printer);
    if (print === undefined) return;
    const lacking = print.lacking as string[] | null;
    if (print.jobId !== null && lacking === null) return;
    const plan = print.plan as { slots: { slot: string }[] } | null;
    const used = lacking ?? (plan?.slots.map(({ slot }) => slot) || Object.keys(scene.said));
    const course = print.course as Course | null;
    const all = lacking ?? [...new Set([...used, ...(course?.stretches ?? []).flatMap(({ slot }) => slot ?? [])])];
    const said = all.filter((slot) => scene.said[slot] !== undefined);
    await assignOf(
      print.id,
      await Promise.all(said.map(async (slot) => ({ slot, spoolId: await idOf(scene.said[slot] as string) }))),
    );
  };
  const work = async (act: Act, second: number) => {
    if (act.do === 'SEND_PLAN') return sendPlan();
    if (act.do === 'ASSIGN') return assign();
    if (act.do === 'WORDS') return words(printer);
    const spoolId = act.spool === null ? null : await idOf(act.spool);
    await tell(printer, act.slot, spoolId, act.at === null ? null : instant(act.at), instant(second));
  };
  const bases = new Set<string>();
  await play(
    scene.played,
    printer,
    scene.cutEvery,
    async (step) => {
      for (const act of scene.acts.get(step) ?? []) await work(act, scene.played.steps[step - 1]?.at as number);
      if ((await printOf(printer))?.outcome !== 'RUNNING') return;
      for (const { basis } of (await givenBy(printer)) ?? []) if (basis !== null) bases.add(basis);
      await expectReason(printer);
    },
    scene.cutUntil,
  );
  await expectReason(printer);
  await assign();
  const unresolved = await printOf(printer);
  if (unresolved?.outcome === 'UNRESOLVED') await resolve(unresolved.id, 'COMPLETED', null);
  const print = await printOf(printer);
  const given = (await givenBy(printer)) ?? [];
  const [only] = given;
  const amounts = new Map<string, Decimal>();
  const fallback = (print?.filament as { slot: string }[] | null)?.find(
    ({ slot }) => print?.spools && slot in (print.spools as object),
  )?.slot;
  for (const { slot, spool, mmExtruded } of given) {
    const key = `${slot ?? fallback} ${spool?.spoolSerial.split(' ')[0]}`;
    if (Number(mmExtruded) > 0) amounts.set(key, new Decimal(mmExtruded).plus(amounts.get(key) ?? 0));
  }
  const isWhole = only !== undefined && given.length === 1;
  return {
    outcome: print?.outcome,
    amounts: Object.fromEntries([...amounts].map(([key, mm]) => [key, mm.toFixed()]).sort()),
    bases: isWhole ? [] : [...new Set(given.filter((one) => Number(one.mmExtruded) > 0).map(({ basis }) => basis))],
    whileItRan: [...bases].filter((basis) => basis === 'MEASURED' || basis === 'MANUAL'),
    overlaps: await database.prisma.$queryRawUnsafe(OVERLAPS),
    lacking: print?.lacking,
  };
}

/** Every print that waits says why, and no other print does. */
async function expectReason(printer: PlayedPrinter): Promise<void> {
  const print = await observed.byId((await printOf(printer))?.id as string);
  if (print !== null) expect((await observed.explainWait(print)) !== null).toBe(findWait(print) !== null);
}

async function words({ printerId }: PlayedPrinter): Promise<void> {
  const [row] = await database.prisma.printJob.findMany({ where: { printerId } });
  if (row === undefined) return;
  const { spoolId, printName, gcodeFilePath, mmExtruded, gramsDerived, costPerPrint } = await jobs.requireJob(row.id);
  const as = { printerId, spoolId, printName, gcodeFilePath, mmExtruded, gramsDerived, costPerPrint };
  await jobs.update(
    row.id,
    { ...as, notes: 'for the fair', autoDeriveGrams: false },
    { ...TIME, now: instant(90_000) },
  );
}

/** Of hundreds that were played, those with the most in them; one of each where not every cut is tested. */
describe.each([
  ['a Bambu printer', bambuScene, [89, 85]],
  ['a Moonraker', moonrakerScene, [36, 79]],
  ['a Moonraker with several tools', toolsScene, [27, 85]],
] as const)('%s', (_, sceneOf, [first, second]) => {
  const seeds = [...(isEveryCut && isTestedAlready(anyDatabase) ? [] : [first]), ...(isEveryCut ? [second] : [])];
  test.each(seeds)('scene %i', async (seed) => {
    const scene = sceneOf(seed);
    const { amounts, outcome, isMeasured } = scene.expected;
    const told = await played(scene);
    const allowed = isMeasured ? ['MEASURED'] : outcome === 'COMPLETED' ? ['PLANNED', 'ESTIMATED'] : ['ESTIMATED'];
    expect({ ...told, bases: told.bases.filter((basis) => !allowed.includes(basis as string)) }).toEqual({
      outcome,
      amounts,
      bases: [],
      whileItRan: [],
      overlaps: [],
      lacking: null,
    });
  });
});
