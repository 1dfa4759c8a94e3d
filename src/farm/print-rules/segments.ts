// Which part of a slot's filament came from where: a filament that goes on from another slot, and a spool that is changed in its slot.
import Decimal from 'decimal.js';
import type { Instant } from '../../values/instant';
import { atMost } from './joining';
import type { SlotLayer } from './plan-completion';
import type { Course, ObservedFilament, RunningPrint } from './print.model';
import type { PrintReading } from './readings';

/** Of one filament. A machine may invent changes: beyond so many the smallest neighbours are one. */
export const MAX_SEGMENTS = 16;
/** A printer has so many slots. Beyond them the last one takes the rest. */
const MAX_STAND_INS = 64;
const MAX_PAUSES = 64;
export const NO_COURSE: Course = { slot: null, segments: [], pauses: [] };

type Facts = Pick<RunningPrint, 'layer' | 'layers'>;

/** Whether the machine has said which slots feed the print, so that another one stands in for one of them. */
const isMapped = ({ plan, machine }: Pick<RunningPrint, 'plan' | 'machine'>) =>
  !machine.toolsAreSlicerSlots && plan !== null && plan.slots.length > 0;

/** Whether the slot is none that the machine has said, and feeds in place of one of them. */
export const isStandIn = (print: Pick<RunningPrint, 'plan' | 'machine'>, slot: string) =>
  isMapped(print) && print.plan?.slots.every((one) => one.slot !== slot) === true;

/** @param print as it is with what is heard now, but for its course @param wasPaused before */
export function courseOf(print: RunningPrint, heard: PrintReading, wasPaused: boolean, at: Instant): Course | null {
  if (heard.end !== null) return print.course;
  const fed = fedFrom(print, heard.slot, at);
  return print.paused === wasPaused ? fed : { ...(fed ?? NO_COURSE), pauses: pausesOf(print, at) };
}

/** The layers up to that in which a change is heard are those of the slot before. */
function fedFrom(print: RunningPrint, slot: string | null, at: Instant): Course | null {
  const { course, plan, layer } = print;
  if (slot === null || layer === null || layer < 1 || !isMapped(print)) return course;
  const { slot: last, segments } = course ?? NO_COURSE;
  const isKnown = !isStandIn(print, slot) || segments.some((one) => one.slot === slot);
  // A print of one slot needs no memory of the last one.
  const planned = plan?.slots ?? [];
  const before = last ?? (planned.length === 1 ? (planned[0]?.slot ?? null) : null);
  if (isKnown || before === null || segments.length >= MAX_STAND_INS)
    return planned.length === 1 || last === slot ? course : { ...(course ?? NO_COURSE), slot };
  return { ...(course ?? NO_COURSE), slot, segments: [...segments, { slot, before, layer, at }] };
}

function pausesOf(print: RunningPrint, at: Instant): Course['pauses'] {
  const { course, paused, layer, measured } = print;
  const pauses = course?.pauses ?? [];
  const last = pauses.at(-1);
  if (paused) {
    const [only, ...others] = measured;
    const mm = others.length === 0 ? (only?.mm ?? null) : null;
    return [...pauses, { from: at, to: null, layer, mm, file: fileShareOf(print) }].slice(-MAX_PAUSES);
  }
  return last === undefined ? pauses : [...pauses.slice(0, -1), { ...last, to: at }];
}

/** A share of the time says nothing of filament. */
export const fileShareOf = ({ progress, progressBasis }: Pick<RunningPrint, 'progress' | 'progressBasis'>) =>
  progressBasis === null || progressBasis === 'TIME' ? null : progress;

/** Those that stood in for a slot of the print. */
export const standInsOf = ({ course }: Pick<RunningPrint, 'course'>): string[] => [
  ...new Set((course?.segments ?? []).map(({ slot }) => slot)),
];

/** The slot of the plan for which the slot stood in; itself where it is none that did. */
export function plannedSlotOf(print: Pick<RunningPrint, 'course'>, slot: string): string {
  const own = print.course?.segments.find((one) => one.slot === slot);
  return own === undefined || own.before === slot ? slot : plannedSlotOf(print, own.before);
}

/** The amounts of the slots of the plan, each divided among the slots that fed it one after the other. */
export function bySegments(
  filament: ObservedFilament[],
  print: Facts & Pick<RunningPrint, 'course'>,
  isWhole: boolean,
  table: readonly SlotLayer[] | null,
): ObservedFilament[] {
  const segments = print.course?.segments ?? [];
  if (segments.length === 0) return filament;
  const end = endLayer(print, isWhole);
  return filament.flatMap((one) => {
    const chain: { slot: string; layer: number }[] = [];
    for (const { slot, before, layer } of segments) {
      if (before === (chain.at(-1)?.slot ?? one.slot)) chain.push({ slot, layer: Math.min(layer, end ?? layer) });
    }
    const borders = chain.map(({ layer }) => ({ layer, share: shareAt(layer, one.slot, end, table), isExact: false }));
    const slots = [one.slot, ...chain.map(({ slot }) => slot)];
    const parts = divided(one, borders, end).map((part, at) => ({ ...part, slot: slots[at] as string }));
    return atMost(parts, MAX_SEGMENTS);
  });
}

export const endLayer = ({ layer, layers }: Facts, isWhole: boolean) => (isWhole ? (layers ?? layer) : layer);

/** By the table of the plan, else by the layers; null where neither is known. */
export function shareAt(
  layer: number,
  slot: string,
  end: number | null,
  table: readonly SlotLayer[] | null,
): Decimal | null {
  if (end === null || end <= 0) return null;
  const used = table === null ? null : usedAt(Math.min(layer, end), slot, table);
  const all = table === null ? null : usedAt(end, slot, table);
  if (used !== null && all !== null && !all.isZero()) return Decimal.min(used.div(all), 1);
  return Decimal.min(new Decimal(layer).div(end), 1);
}

/** What the table says at the end of the layer, between two of its points by their distance. */
export function usedAt(layer: number, slot: string, layers: readonly SlotLayer[]): Decimal {
  const nothing = { layer: 0, mm: '0' };
  const points = layers.map((point) => ({ layer: point.layer, mm: point.mm[slot] ?? '0' }));
  const from = points.findLast((point) => point.layer <= layer) ?? nothing;
  const to = points.find((point) => point.layer > layer) ?? from;
  const way = to.layer === from.layer ? new Decimal(0) : new Decimal(layer - from.layer).div(to.layer - from.layer);
  return way.times(new Decimal(to.mm).minus(from.mm)).plus(from.mm);
}

export interface Border {
  layer: number | null;
  share: Decimal | null;
  /** Whether the machine measured it. */
  isExact: boolean;
}

/** The last part takes the rest, so that the parts add up to the whole. Where no share is known, the parts are equal. */
export function divided(
  whole: ObservedFilament,
  borders: readonly Border[],
  end: number | null,
  begin = 0,
): ObservedFilament[] {
  if (borders.length === 0) return [whole];
  const isMeasured = whole.basis === 'MEASURED' && borders.every(({ isExact }) => isExact);
  const isUnknown = whole.basis === 'UNKNOWN';
  const basis = isUnknown ? 'UNKNOWN' : isMeasured ? 'MEASURED' : 'ESTIMATED';
  const shares = [
    ...borders.map(({ share }, at) => share ?? new Decimal(at + 1).div(borders.length + 1)),
    new Decimal(1),
  ];
  const cut = (amount: string | null, decimals: number) => {
    let before = new Decimal(0);
    return shares.map((share) => {
      if (amount === null) return null;
      const until = share.eq(1) ? new Decimal(amount) : share.times(amount).toDecimalPlaces(decimals);
      const part = Decimal.max(until.minus(before), 0);
      before = Decimal.max(until, before);
      return part.toFixed();
    });
  };
  // A measure has 4 decimals.
  const [lengths, weights] = [cut(whole.mm, isMeasured ? 4 : 2), cut(whole.grams, 2)];
  return shares.map((_, at) => {
    const from = at === 0 ? begin : (borders[at - 1]?.layer ?? null);
    const to = at === borders.length ? end : (borders[at]?.layer ?? null);
    const isKnown = from !== null && to !== null && to > from;
    return {
      ...{ ...whole, mm: lengths[at] ?? null, grams: weights[at] ?? null, basis },
      ...{ fromLayer: isKnown ? from + 1 : null, toLayer: isKnown ? to : null },
    };
  });
}
