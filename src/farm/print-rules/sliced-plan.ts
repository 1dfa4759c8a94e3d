// Decides which slicer's plan belongs to a print whose machine reports no amounts, and which printer slot feeds each slot of the slicer.
import Decimal from 'decimal.js';
import type { LayerPoint, PlateAmounts } from '../../slicers/plan';
import { takeBaseName } from '../../values/text';
import { listFedSlots } from './fed-slots';
import { type FilamentPlan, hasAmounts, type RunningPrint } from './print.model';

/** What a slicer sent about a plate before it was printed, by the slicer's slot numbers. */
export interface SlicedPlan extends PlateAmounts {
  /** The table by layers. `null` if the slicer sent none. */
  layers: LayerPoint[] | null;
}

/** The millimetres that a print has used at the end of a layer, by slot of the printer. */
export interface SlotLayer {
  layer: number;
  mm: Record<string, string>;
}

/** A slicer's plan by slot of the printer. */
interface CompletedPlan {
  plan: FilamentPlan;
  /** `null` if the slicer's file has no table. */
  layers: SlotLayer[] | null;
}

/** Whether neither the machine nor a plan has the amounts of an ended print. */
export const isUnplanned = ({ plan, measured }: Pick<RunningPrint, 'plan' | 'measured'>): boolean =>
  measured.length === 0 && !hasAmounts(plan);

/** A print with its plan. */
export interface Planned<Print> {
  print: Print;
  /** The slicer's plan, which the print keeps if a newer plan arrives. `null` if the slicer has sent no plan so far. */
  sliced: SlicedPlan | null;
  layers: SlotLayer[] | null;
}

/**
 * The names under which the newest plan of a slicer is searched. `null` if the print needs no plan.
 * @param kept the plan that the print has in the database
 */
export function listMissingPlanKeys(print: RunningPrint, kept: SlicedPlan | null): PlanKey[] | null {
  if (kept === null) return planKeysOf(print);
  // If the printer reports other filaments than the kept plan, that plan is from another slicing of the file.
  const isRefused = contradicts(print, kept) || (print.plan !== null && completePlan(print, kept) === null);
  return isRefused ? planKeysOf(print) : null;
}

/**
 * The print with the plan that fits it.
 * @param newest the newest plan under the names of the print; `null` if there is none, or if the print needs none
 */
export function addPlan<Print extends RunningPrint>(
  print: Print,
  kept: SlicedPlan | null,
  newest: SlicedPlan | null,
): Planned<Print> {
  const corrected = removeWrongPlan(print, kept);
  const sliced = newest === null || contradicts(print, newest) ? kept : newest;
  const completed = sliced === null || contradicts(print, sliced) ? null : completePlan(corrected, sliced);
  const hasMachinePlan =
    hasAmounts(corrected.plan) && JSON.stringify(corrected.plan) !== JSON.stringify(completed?.plan);
  if (completed === null || hasMachinePlan) return { print: corrected, sliced, layers: null };
  return { print: { ...corrected, plan: completed.plan }, sliced, layers: completed.layers };
}

/** Removes the amounts of a plan that turns out to belong to another print. The slots stay, because the machine reported them. */
function removeWrongPlan<Print extends RunningPrint>(print: Print, kept: SlicedPlan | null): Print {
  const { plan } = print;
  if (plan === null || kept === null || !contradicts(print, kept)) return print;
  if (JSON.stringify(plan) !== JSON.stringify(completePlan(print, kept)?.plan)) return print;
  const slots = plan.slots.map(({ slot }) => ({ slot, mm: null, grams: null }));
  return { ...print, plan: { ...plan, seconds: null, slots } };
}

/**
 * The slicer's plan by slot of the printer. `null` if one of the slots is unknown: the plan belongs to another print, or the machine
 * reports the slot later.
 */
export function completePlan(
  print: Pick<RunningPrint, 'plan' | 'course' | 'machine'>,
  sliced: SlicedPlan,
): CompletedPlan | null {
  const { plan, machine } = print;
  const fedSlots = listFedSlots(print);
  const feeding = sliced.slots.map(({ slot }) => findFeedingSlot(slot, sliced.slots.length, plan, fedSlots, machine));
  if (feeding.length === 0 || feeding.includes(null)) return null;
  const slots = [...new Set(feeding as string[])];
  // Several filaments may come from one slot.
  const sumOf = (slot: string, amounts: (string | null)[]) =>
    sumIfAllPresent(amounts.filter((_, at) => feeding[at] === slot));
  const lengths = sliced.slots.map(({ mm }) => mm);
  const weights = sliced.slots.map(({ grams }) => grams);
  return {
    plan: {
      ...(plan?.mapping && { mapping: plan.mapping }),
      seconds: plan?.seconds ?? sliced.seconds,
      slots: slots.map((slot) => ({ slot, mm: sumOf(slot, lengths), grams: sumOf(slot, weights) })),
    },
    layers:
      sliced.layers?.map(({ layer, mm }) => ({
        layer,
        mm: Object.fromEntries(slots.map((slot) => [slot, sumOf(slot, mm) as string])),
      })) ?? null,
  };
}

/** Slicer and machine count the same layers, except for layers of a raft or of supports. */
const LAYERS_APART = 5;
const LAYERS_APART_SHARE = 0.1;
/** Slicers are wrong by tens of percent, and a user may slow down, speed up and pause a print. */
const TIME_FACTOR = 4;
const TIME_APART_SEC = 600;

type MachineFigures = Pick<RunningPrint, 'layers' | 'remainingSec' | 'progressBasis' | 'counter'>;

/** Whether a plan cannot belong to the print that the machine shows, whatever their names. */
export function contradicts(print: MachineFigures, { seconds, layers }: SlicedPlan): boolean {
  const plannedLayers = layers?.at(-1)?.layer ?? null;
  if (plannedLayers !== null && print.layers !== null) {
    const difference = Math.abs(plannedLayers - print.layers);
    if (difference > LAYERS_APART && difference > LAYERS_APART_SHARE * Math.max(plannedLayers, print.layers))
      return true;
  }
  const total = estimateTotalSeconds(print);
  if (seconds === null || total === null) return false;
  const isFarAbove = (a: number, b: number) => a > TIME_FACTOR * b + TIME_APART_SEC;
  return isFarAbove(total, seconds) || isFarAbove(seconds, total);
}

/**
 * How long the whole print takes by the machine's own figures. `null` if the machine does not count the time. If its progress is not a
 * share of time, the machine guesses the remaining time from the progress, and its guess at the start is worthless.
 */
function estimateTotalSeconds({ counter, progressBasis, remainingSec }: MachineFigures): number | null {
  if (counter === null || remainingSec === null || progressBasis !== 'TIME') return null;
  return counter.seconds + remainingSec;
}

/**
 * The slot of the printer that feeds a slot of the slicer. `null` if it is unknown.
 * @param number the number of the slicer's slot
 * @param count how many slots the slicer uses
 */
function findFeedingSlot(
  number: number,
  count: number,
  plan: FilamentPlan | null,
  fedSlots: readonly string[],
  { toolsAreSlicerSlots }: RunningPrint['machine'],
): string | null {
  if (toolsAreSlicerSlots) return plan?.mapping ? (plan.mapping[number - 1] ?? null) : `tool:${number - 1}`;
  const [first, ...others] = plan?.slots ?? [];
  if (first !== undefined && others.length === 0) return first.slot;
  if (plan?.mapping) return plan.mapping[number - 1] ?? null;
  return count === 1 && first === undefined ? (fedSlots[0] ?? null) : null;
}

/** `null` if one of the amounts is unknown. */
function sumIfAllPresent(amounts: readonly (string | null)[]): string | null {
  const present = amounts.filter((amount) => amount !== null);
  if (present.length < amounts.length) return null;
  const [only, ...others] = present;
  return others.length === 0 && only !== undefined ? only : Decimal.sum(0, ...present).toFixed();
}

/**
 * Slicers, file systems and printers write the name of one file with different endings. The expression works in PostgreSQL too, which
 * print-plans/print-plan.store.ts uses.
 */
export const PLAN_ENDINGS = /(?<=.)(\.gcode)?\.3mf$|(?<=.)\.(b?gcode|gco)$/i;

/** The name of a file in one Unicode form, because systems write the same letters in different forms. */
export function baseName(path: string): string {
  return takeBaseName(path).normalize();
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
    return [...new Set(names.map(planName))].map((planned) => ({ name: planned, plate: 1 }));
  }
  const project = planName(name);
  const keys = [{ name: project, plate: Number(plate) }];
  // Slicers name the G-code of one plate of a project with this ending. So the plan may be stored under the G-code's name, where the plate is plate 1,
  // or under the project's name, where the plate has its number.
  const ending = `_plate_${plate}`;
  if (!project.endsWith(ending)) return keys;
  return [...keys, { name: project, plate: 1 }, { name: project.slice(0, -ending.length), plate: Number(plate) }];
}
