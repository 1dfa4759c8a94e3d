// What each slot of a print fed, where its machine has one measure for all slots: the difference goes to the slot that was chosen.
import Decimal from 'decimal.js';
import { compareSlots } from '../../values/slot';
import type { Fed } from './print.model';
import { type Feeding, isTool, openIn } from './readings';

/**
 * @param before as it was with what was heard before
 * @param last what this connection told before; null: it is the first that this connection tells
 */
export function fedBy(before: Fed | null, last: Feeding | null, heard: Feeding): Fed {
  if (before !== null && last !== null) {
    const by = added(before.by, heard.by, last.by);
    return { by, open: sumOf(before.open, heard.open, negative(last.open)), at: heard.now };
  }
  const gap = new Decimal(heard.from.mm).minus(before?.at.mm ?? 0);
  const open = before === null ? gap : openIn(gap, before.at, heard.from, false);
  const { slot } = heard.from;
  const by = added(before?.by ?? {}, heard.by);
  return {
    by: slot === null || open.eq(gap) ? by : added(by, { [slot]: gap.minus(open).toFixed() }),
    open: sumOf(before?.open ?? '0', heard.open, open),
    at: heard.now,
  };
}

/** @param now knows nothing of the time before: all that its measure showed then is open */
export const fedTogether = (before: Fed, now: Fed): Fed => ({
  by: added(before.by, now.by),
  open: sumOf(before.open, now.open, negative(before.at.mm)),
  at: now.at,
});

function added(by: Fed['by'], more: Fed['by'], less: Fed['by'] = {}): Fed['by'] {
  const slots = new Set([...Object.keys(by), ...Object.keys(more)]);
  return Object.fromEntries(
    [...slots].map((slot) => [slot, sumOf(by[slot] ?? '0', more[slot] ?? '0', negative(less[slot] ?? '0'))]),
  );
}

export interface FedAmounts {
  amounts: { slot: string; mm: string }[];
  /** Whether all of it was heard. */
  isWhole: boolean;
}

/**
 * The millimetres by slot. What is open is divided so that the whole comes as near to the shares of the plan as what was heard
 * allows; without a plan by slot as what was heard.
 * @param total of the machine, which may have told of more since
 * @param planned in lengths or in what stands for them; null: not known by slot
 */
export function fedAmounts(
  fed: Fed,
  total: string | null,
  planned: readonly { slot: string; share: Decimal }[] | null,
): FedAmounts | null {
  const slotsHeard = Object.entries(fed.by).map(([slot, mm]) => ({ slot, mm: new Decimal(mm) }));
  const heard = slotsHeard.filter(({ mm }) => mm.gt(0));
  const later = total === null ? new Decimal(0) : Decimal.max(new Decimal(total).minus(fed.at.mm), 0);
  const isWhole = later.plus(fed.open).isZero();
  // What a slot took back more than it was heard to feed, it fed unheard.
  const open = Decimal.sum(later, fed.open, ...slotsHeard.map(({ mm }) => Decimal.min(mm, 0)));
  // A unit took filament back unheard: what it fed in its place is no more than that.
  if (open.lt(0) && heard.some(({ slot }) => !isTool(slot))) return null;
  const parts = planned === null ? heard.map(({ slot, mm }) => ({ slot, share: mm })) : lacking(heard, open, planned);
  if (parts.length === 0) return null;
  const shares = parts.map(({ share }) => share);
  const lengths = open.gt(0) ? dividedAmount(open.toFixed(), shares) : [];
  const opened = Object.fromEntries(parts.map(({ slot }, at) => [slot, lengths[at] ?? '0']));
  const told = Object.fromEntries(heard.map(({ slot, mm }) => [slot, mm.toFixed()]));
  // A slot of the plan that fed nothing has 0.
  const by = added(added(Object.fromEntries((planned ?? []).map(({ slot }) => [slot, '0'])), told), opened);
  const slots = Object.keys(by).sort(compareSlots);
  return { isWhole, amounts: slots.map((slot) => ({ slot, mm: by[slot] as string })) };
}

/** What each slot of the plan lacks of its share of the whole. */
function lacking(
  heard: readonly { slot: string; mm: Decimal }[],
  open: Decimal,
  planned: readonly { slot: string; share: Decimal }[],
) {
  const whole = Decimal.sum(open, ...heard.map(({ mm }) => mm));
  const sum = Decimal.sum(...planned.map(({ share }) => share));
  const parts = planned.map(({ slot, share }) => {
    const had = heard.find((one) => one.slot === slot)?.mm ?? 0;
    return { slot, share: Decimal.max(share.times(whole).div(sum).minus(had), 0) };
  });
  const short = parts.filter(({ share }) => share.gt(0));
  return short.length > 0 ? short : planned;
}

/** The last part gets what rounding left, so the parts add up to the total. */
export function dividedAmount(total: string | null, parts: readonly Decimal[]): string[] {
  if (total === null) return [];
  const sum = Decimal.sum(...parts);
  let rest = new Decimal(total);
  return parts.map((part, at) => {
    const one = at === parts.length - 1 ? rest : part.div(sum).times(total).toDecimalPlaces(2, Decimal.ROUND_DOWN);
    rest = rest.minus(one);
    return one.toFixed();
  });
}

const sumOf = (...amounts: (string | Decimal)[]) => Decimal.sum(...amounts).toFixed();
const negative = (amount: string) => new Decimal(amount).neg();
