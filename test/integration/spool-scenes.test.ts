// Random scenes of changed spools, compared with a separate model: each gram belongs to the spool that was in the slot.
import Decimal from 'decimal.js';
import type { Database } from '../../src/database/database';
import type { PrintJobService } from '../../src/farm/print-jobs/print-job.service';
import type { Course } from '../../src/farm/print-rules/print.model';
import type { ObservedPrintService } from '../../src/farm/prints/observed-print.service';
import { findWait } from '../../src/farm/prints/observed-print.status';
import { instant } from '../recordings/recording';
import { anyDatabase, isTestedAlready } from '../support/databases';
import { type PlayedPrinter, providePlayedFarm, TIME } from '../support/played-farm';
import { isEveryCut } from '../support/replay';
import {
  type Act,
  createBambuScene,
  createMoonrakerScene,
  createToolsScene,
  type Scene,
} from '../support/spool-scenes';

const farm = providePlayedFarm();
const { assignSpoolsTo, readParts, createMachine, newSpool, play, readPrint, queueJob, resolve, sendPlan, enterLoad } =
  farm;
let database: Database;
let jobs: PrintJobService;
let observed: ObservedPrintService;
beforeAll(() => {
  ({ database, jobs, observed } = farm.opened());
});

const OVERLAPS = `select a.slot from slot_loads a join slot_loads b
  on (a.spool_id, a.from) < (b.spool_id, b.from) and tstzrange(a.from, a.to) && tstzrange(b.from, b.to)
  and (a.spool_id = b.spool_id or (a.printer_id, a.slot) = (b.printer_id, b.slot))`;

/** Plays a scene. @returns the used lengths by slot and spool, with the faults on the way */
async function played(scene: Scene) {
  const printer = await createMachine(scene.kind);
  const names = new Map<string, string>();
  const findSpoolId = async (name: string) => {
    const id = names.get(name) ?? (await newSpool(name));
    names.set(name, id);
    return id;
  };
  for (const [slot, name] of Object.entries(scene.loaded))
    await database.prisma.slotLoad.create({
      data: { printerId: printer.printerId, slot, spoolId: await findSpoolId(name), from: instant(0) },
    });
  if (scene.queued !== null) await queueJob(printer, await findSpoolId(scene.queued), 'cube.gcode.3mf');
  const isSentFirst = scene.plan !== null && ![...scene.acts.values()].flat().some((act) => act.do === 'SEND_PLAN');
  const sendScenePlan = async () => void (scene.plan && (await sendPlan(scene.plan.slots, scene.plan.layers)));
  if (isSentFirst) await sendScenePlan();
  const assign = async () => {
    const print = await readPrint(printer);
    if (print === undefined) return;
    const missingSlots = print.lacking as string[] | null;
    if (print.jobId !== null && missingSlots === null) return;
    const plan = print.plan as { slots: { slot: string }[] } | null;
    const used = missingSlots ?? (plan?.slots.map(({ slot }) => slot) || Object.keys(scene.entered));
    const course = print.course as Course | null;
    const all = missingSlots ?? [...new Set([...used, ...(course?.stretches ?? []).flatMap(({ slot }) => slot ?? [])])];
    const enteredSlots = all.filter((slot) => scene.entered[slot] !== undefined);
    await assignSpoolsTo(
      print.id,
      await Promise.all(
        enteredSlots.map(async (slot) => ({ slot, spoolId: await findSpoolId(scene.entered[slot] as string) })),
      ),
    );
  };
  const work = async (act: Act, second: number) => {
    if (act.do === 'SEND_PLAN') return sendScenePlan();
    if (act.do === 'ASSIGN') return assign();
    if (act.do === 'WORDS') return words(printer);
    const spoolId = act.spool === null ? null : await findSpoolId(act.spool);
    await enterLoad(printer, act.slot, spoolId, act.at === null ? null : instant(act.at), instant(second));
  };
  const bases = new Set<string>();
  await play(
    scene.played,
    printer,
    scene.cutEvery,
    async (step) => {
      for (const act of scene.acts.get(step) ?? []) await work(act, scene.played.steps[step - 1]?.at as number);
      if ((await readPrint(printer))?.outcome !== 'RUNNING') return;
      for (const { basis } of (await readParts(printer)) ?? []) if (basis !== null) bases.add(basis);
      await expectReason(printer);
    },
    scene.cutUntil,
  );
  await expectReason(printer);
  await assign();
  const unresolved = await readPrint(printer);
  if (unresolved?.outcome === 'UNRESOLVED') await resolve(unresolved.id, 'COMPLETED', null);
  const print = await readPrint(printer);
  const given = (await readParts(printer)) ?? [];
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

/** Every print that waits has a reason, and no other print has one. */
async function expectReason(printer: PlayedPrinter): Promise<void> {
  const print = await observed.byId((await readPrint(printer))?.id as string);
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

/** Of hundreds that were played, the scenes with the most in them; one of each unless every cut is tested. */
describe.each([
  ['a Bambu printer', createBambuScene, [89, 85]],
  ['a Moonraker', createMoonrakerScene, [36, 79]],
  ['a Moonraker with several tools', createToolsScene, [27, 85]],
] as const)('%s', (_, createScene, [first, second]) => {
  const seeds = [...(isEveryCut && isTestedAlready(anyDatabase) ? [] : [first]), ...(isEveryCut ? [second] : [])];
  test.each(seeds)('scene %i', async (seed) => {
    const scene = createScene(seed);
    const { amounts, outcome, isMeasured } = scene.expected;
    const result = await played(scene);
    const allowed = isMeasured ? ['MEASURED'] : outcome === 'COMPLETED' ? ['PLANNED', 'ESTIMATED'] : ['ESTIMATED'];
    expect({ ...result, bases: result.bases.filter((basis) => !allowed.includes(basis as string)) }).toEqual({
      outcome,
      amounts,
      bases: [],
      whileItRan: [],
      overlaps: [],
      lacking: null,
    });
  });
});
