// The plan of a slicer for a print whose machine reports no amounts: by which names it is found, whether it is that of the print, and
// which slot of the printer feeds each slot of the slicer.
import Decimal from 'decimal.js';
import type { LayerPoint, PlateAmounts } from '../../slicers/plan';
import { baseNameOf } from '../../values/text';
import { fedSlots } from './fed-slots';
import { type FilamentPlan, hasAmounts, type RunningPrint } from './print.model';

/** What a slicer says of a plate before it is printed, by the slicer's own numbers of slots. */
export interface SlicedPlan extends PlateAmounts {
  /** Null where no table was sent. */
  layers: LayerPoint[] | null;
}

/** The millimetres that a print has used at the end of a layer, by slot of the printer. */
export interface SlotLayer {
  layer: number;
  mm: Record<string, string>;
}

interface CompletedPlan {
  plan: FilamentPlan;
  /** Null where the slicer's file has no table. */
  layers: SlotLayer[] | null;
}

/** Whether neither the machine nor a plan has the amounts of a print that is over. */
export const isUnplanned = ({ plan, measured }: Pick<RunningPrint, 'plan' | 'measured'>): boolean =>
  measured.length === 0 && !hasAmounts(plan);

/** A print with its plan. */
export interface Planned<Print> {
  print: Print;
  /** The plan of the slicer, which the print keeps when a newer one comes; null: none was sent so far. */
  sliced: SlicedPlan | null;
  layers: SlotLayer[] | null;
}

/**
 * The names under which the newest plan of a slicer is looked for; null: the print needs none.
 * @param kept the plan that the print has in the database
 */
export function missingPlanKeys(print: RunningPrint, kept: SlicedPlan | null): PlanKey[] | null {
  if (kept === null) return planKeysOf(print);
  // What the print has does not fit any more when the printer reports other filaments: it is that of another slicing.
  const isRefused = contradicts(print, kept) || (print.plan !== null && completePlan(print, kept) === null);
  return isRefused ? planKeysOf(print) : null;
}

/** @param newest that was found for the plan which is missing; null: there is none, or none is missing */
export function addPlan<Print extends RunningPrint>(
  print: Print,
  kept: SlicedPlan | null,
  newest: SlicedPlan | null,
): Planned<Print> {
  const own = removeWrongPlan(print, kept);
  const sliced = newest === null || contradicts(print, newest) ? kept : newest;
  const completion = sliced === null || contradicts(print, sliced) ? null : completePlan(own, sliced);
  const isOwn = hasAmounts(own.plan) && JSON.stringify(own.plan) !== JSON.stringify(completion?.plan);
  if (completion === null || isOwn) return { print: own, sliced, layers: null };
  return { print: { ...own, plan: completion.plan }, sliced, layers: completion.layers };
}

/** Without the amounts of a plan that turns out to be that of another print. The slots are the machine's. */
function removeWrongPlan<Print extends RunningPrint>(print: Print, kept: SlicedPlan | null): Print {
  const { plan } = print;
  if (plan === null || kept === null || !contradicts(print, kept)) return print;
  if (JSON.stringify(plan) !== JSON.stringify(completePlan(print, kept)?.plan)) return print;
  const slots = plan.slots.map(({ slot }) => ({ slot, mm: null, grams: null }));
  return { ...print, plan: { ...plan, seconds: null, slots } };
}

/** Null where one of the slots is not known: then the plan is not that of this print, or the machine reports it later. */
export function completePlan(
  print: Pick<RunningPrint, 'plan' | 'course' | 'machine'>,
  sliced: SlicedPlan,
): CompletedPlan | null {
  const { plan, machine } = print;
  const fed = fedSlots(print);
  const feeds = sliced.slots.map(({ slot }) => findFeedingSlot(slot, sliced.slots.length, plan, fed, machine));
  if (feeds.length === 0 || feeds.includes(null)) return null;
  const slots = [...new Set(feeds as string[])];
  /** Several filaments may come from one slot. */
  const sumIn = (slot: string, amounts: (string | null)[]) =>
    sumKnownParts(amounts.filter((_, at) => feeds[at] === slot));
  const lengths = sliced.slots.map(({ mm }) => mm);
  const weights = sliced.slots.map(({ grams }) => grams);
  return {
    plan: {
      ...(plan?.mapping && { mapping: plan.mapping }),
      seconds: plan?.seconds ?? sliced.seconds,
      slots: slots.map((slot) => ({ slot, mm: sumIn(slot, lengths), grams: sumIn(slot, weights) })),
    },
    layers:
      sliced.layers?.map(({ layer, mm }) => ({
        layer,
        mm: Object.fromEntries(slots.map((slot) => [slot, sumIn(slot, mm) as string])),
      })) ?? null,
  };
}

/** Both count the same layers, but for those of a raft or of the supports. */
const LAYERS_APART = 5;
const LAYERS_APART_SHARE = 0.1;
/** Slicers err by tens of percent, and a print may be slowed down, sped up and paused. */
const TIME_FACTOR = 4;
const TIME_APART_SEC = 600;

type MachineFigures = Pick<RunningPrint, 'layers' | 'remainingSec' | 'progressBasis' | 'counter'>;

/** Whether a plan is that of another print than the one that its machine shows, whatever their names. */
export function contradicts(print: MachineFigures, { seconds, layers }: SlicedPlan): boolean {
  const counted = layers?.at(-1)?.layer ?? null;
  if (counted !== null && print.layers !== null) {
    const apart = Math.abs(counted - print.layers);
    if (apart > LAYERS_APART && apart > LAYERS_APART_SHARE * Math.max(counted, print.layers)) return true;
  }
  const total = estimateTotalSeconds(print);
  if (seconds === null || total === null) return false;
  const isFarAbove = (one: number, other: number) => one > TIME_FACTOR * other + TIME_APART_SEC;
  return isFarAbove(total, seconds) || isFarAbove(seconds, total);
}

/**
 * How long the whole print takes by the machine's own figures; null where it does not count by itself. Where progress is none of time,
 * what remains is guessed from it, at the begin from hardly anything.
 */
function estimateTotalSeconds({ counter, progressBasis, remainingSec }: MachineFigures): number | null {
  if (counter === null || remainingSec === null || progressBasis !== 'TIME') return null;
  return counter.seconds + remainingSec;
}

/** @param number of the slicer's slot, one of `count` */
function findFeedingSlot(
  number: number,
  count: number,
  plan: FilamentPlan | null,
  fed: readonly string[],
  { toolsAreSlicerSlots }: RunningPrint['machine'],
): string | null {
  if (toolsAreSlicerSlots) return plan?.mapping ? (plan.mapping[number - 1] ?? null) : `tool:${number - 1}`;
  const [first, ...others] = plan?.slots ?? [];
  if (first !== undefined && others.length === 0) return first.slot;
  if (plan?.mapping) return plan.mapping[number - 1] ?? null;
  return count === 1 && first === undefined ? (fed[0] ?? null) : null;
}

/** Null where one of them is not known. */
function sumKnownParts(amounts: readonly (string | null)[]): string | null {
  const present = amounts.filter((amount) => amount !== null);
  if (present.length < amounts.length) return null;
  const [only, ...others] = present;
  return others.length === 0 && only !== undefined ? only : Decimal.sum(0, ...present).toFixed();
}

/** Slicers, file systems and printers write the name of one file in different ways. PostgreSQL understands it too: print-plans/print-plan.store.ts. */
export const PLAN_ENDINGS = /(?<=.)(\.gcode)?\.3mf$|(?<=.)\.(b?gcode|gco)$/i;

/** One text for one name: systems write the same letters in different forms. */
export function baseName(path: string): string {
  return baseNameOf(path).normalize();
}

export const planName = (path: string): string => baseName(path).replace(PLAN_ENDINGS, '');

export interface PlanKey {
  name: string;
  plate: number;
}

/** The names and plates under which the plan of a print may be. */
export function planKeysOf({
  name,
  filePath,
  machine,
}: Pick<RunningPrint, 'name' | 'filePath' | 'machine'>): PlanKey[] {
  const plate = machine.platePath?.exec(filePath ?? '')?.[1];
  if (plate === undefined) {
    const names = filePath === null ? [name] : [name, filePath];
    return [...new Set(names.map(planName))].map((one) => ({ name: one, plate: 1 }));
  }
  const own = planName(name);
  const keys = [{ name: own, plate: Number(plate) }];
  // Slicers call one plate of a project so. It is the only plate of its G-code, and one of the plates of the project's file.
  const ending = `_plate_${plate}`;
  if (!own.endsWith(ending)) return keys;
  return [...keys, { name: own, plate: 1 }, { name: own.slice(0, -ending.length), plate: Number(plate) }];
}
