// How much filament a print used: measured before planned before estimated, never by a share of time.
import Decimal from 'decimal.js';
import { deriveGrams } from '../print-jobs/filament';
import type { ObservedFilament, PrintOutcome, RunningPrint } from './observed-print.model';
import type { SlotLayer } from './print-plan.completion';
import type { Amount } from './readings';

type Facts = Pick<RunningPrint, 'measured' | 'plan' | 'slots' | 'progress' | 'progressBasis' | 'layer' | 'layers'> &
  OfKind;

/** Of the machine; null or left out: not known any more. */
interface OfKind {
  kind?: string | null;
}

/**
 * The amounts by slot. While a print runs, and while its end is not known, the planned amount stands for an amount that is not measured.
 * @param layers the table of the plan; null where there is none
 */
export function consumption(
  facts: Facts,
  outcome: PrintOutcome,
  layers: readonly SlotLayer[] | null = null,
): ObservedFilament[] {
  const planned = facts.plan?.slots ?? [];
  if (facts.measured.length > 0) return measured(facts.measured, planned);
  if (planned.length === 0) return slotsOf(facts).map((slot) => ({ slot, mm: null, grams: null, basis: 'UNKNOWN' }));
  if (outcome !== 'CANCELLED' && outcome !== 'FAILED')
    return planned.map((one) => ({ ...one, basis: known(one, 'PLANNED') }));
  const { layer } = facts;
  if (layers !== null && layer !== null) return planned.map((one) => upTo(layer, one, layers));
  const part = partOf(facts);
  if (part === null) return planned.map(({ slot }) => ({ slot, mm: null, grams: null, basis: 'UNKNOWN' }));
  return planned.map(({ slot, mm, grams }) => ({
    slot,
    mm: times(mm, part),
    grams: times(grams, part),
    basis: known({ mm, grams }, 'ESTIMATED'),
  }));
}

/** Some machines tell the slots of a print, and no amounts. */
const known = ({ mm, grams }: Omit<Amount, 'slot'>, basis: 'PLANNED' | 'ESTIMATED') =>
  mm === null && grams === null ? 'UNKNOWN' : basis;

/** The slots that a print uses, as far as its plan or its machine tells; else the one that each machine of its kind has. */
export function slotsOf(print: Pick<RunningPrint, 'plan' | 'slots'> & OfKind): string[] {
  const told = toldSlotsOf(print);
  return told.length > 0 ? told : [print.kind === 'BAMBU' ? 'ext:0' : 'tool:0'];
}

export const toldSlotsOf = ({ plan, slots }: Pick<RunningPrint, 'plan' | 'slots'>): string[] =>
  plan !== null && plan.slots.length > 0 ? plan.slots.map(({ slot }) => slot) : slots;

/** One total for several tools is split by their parts of the plan. */
function measured(amounts: Amount[], planned: Amount[]): ObservedFilament[] {
  const [total] = amounts;
  const [only] = planned;
  if (amounts.length > 1 || planned.length < 2) {
    const slot = (amount: Amount) => (amounts.length === 1 && only !== undefined ? only.slot : amount.slot);
    return amounts.map((amount) => ({ ...amount, slot: slot(amount), basis: 'MEASURED' }));
  }
  const weights = planned.map(({ mm, grams }) => new Decimal(mm ?? grams ?? 0));
  const sum = Decimal.sum(...weights);
  if (sum.isZero()) return [{ ...(total as Amount), basis: 'MEASURED' }];
  let rest = new Decimal(total?.mm ?? 0);
  // The last one gets what rounding left, so the parts add up to what was measured.
  return planned.map(({ slot }, index) => {
    const part = (weights[index] as Decimal).div(sum);
    const mm = index === planned.length - 1 ? rest : part.times(total?.mm ?? 0).toDecimalPlaces(2);
    rest = rest.minus(mm);
    return { slot, mm: mm.toFixed(), grams: null, basis: 'ESTIMATED' };
  });
}

/** What the table says at the end of the layer, between two of its points by their distance; at most the whole plan. */
function upTo(layer: number, { slot, mm, grams }: Amount, layers: readonly SlotLayer[]): ObservedFilament {
  const nothing = { layer: 0, mm: '0' };
  const points = layers.map((point) => ({ layer: point.layer, mm: point.mm[slot] ?? '0' }));
  const from = points.findLast((point) => point.layer <= layer) ?? nothing;
  const to = points.find((point) => point.layer > layer) ?? from;
  const way = to.layer === from.layer ? new Decimal(0) : new Decimal(layer - from.layer).div(to.layer - from.layer);
  const used = way.times(new Decimal(to.mm).minus(from.mm)).plus(from.mm);
  const whole = new Decimal(mm ?? points.at(-1)?.mm ?? 0);
  const part = whole.isZero() ? new Decimal(0) : Decimal.min(used.div(whole), 1);
  const length = mm === null ? null : Decimal.min(used, whole).toDecimalPlaces(2, Decimal.ROUND_HALF_EVEN).toFixed();
  return { slot, mm: length, grams: times(grams, part), basis: known({ mm, grams }, 'ESTIMATED') };
}

/** By layers, else by the share of the file; at most the whole plan. */
function partOf({ layer, layers, progress, progressBasis }: Facts): Decimal | null {
  if (layer !== null && layers !== null && layers > 0) return Decimal.min(new Decimal(layer).div(layers), 1);
  return progress === null || progressBasis === null || progressBasis === 'TIME' ? null : Decimal.min(progress, 1);
}

const times = (amount: string | null, part: Decimal) =>
  amount === null ? null : new Decimal(amount).times(part).toDecimalPlaces(2, Decimal.ROUND_HALF_EVEN).toFixed();

/** Grams by the document's formula where millimetres are known, else the slicer's, else 0. */
export function gramsOf({ mm, grams }: Amount, spool: { filamentDiameterMm: string; densityGPerCm3: string }): string {
  return mm === null ? (grams ?? '0') : deriveGrams(mm, spool.filamentDiameterMm, spool.densityGPerCm3);
}
