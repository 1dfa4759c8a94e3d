// Which slot feeds, and how much: the difference of filament_used goes to the slot that was chosen before and behind it.
import Decimal from 'decimal.js';
import { openIn } from '../../farm/print-rules/course';
import type { FedPoint, Feeding, FilamentPlan } from '../../farm/print-rules/readings';
import type { Status } from './status';

/** A bound against machines that invent slots. */
const MAX_SLOTS = 64;

export interface HeardFeeding {
  feeding: Feeding;
  /** The slot that fed last; null: none was seen yet. */
  slot: string | null;
}

/** Happy Hare's number of the place past the unit. */
const PAST_UNIT = -2;

/** The slot that feeds when something feeds; null: with one extruder it is not known, since a unit of several filaments may feed it. */
function chosenOf({ slot, gate, hasOneExtruder }: Status): string | null {
  if (slot === 'tool:0' && gate !== null) return gate === PAST_UNIT ? 'ext:0' : gate < 0 ? null : `mmu:${gate}`;
  return hasOneExtruder && slot === 'tool:0' ? null : slot;
}

/** Whether the machine has several slots, and says which one is chosen. */
export const namesItsSlot = ({ slot, gate, hasOneExtruder }: Status) =>
  slot !== null && (gate !== null || !hasOneExtruder);

/** More than any print uses: so filament behind a change of the unit is never taken for filament of the gate before. */
const PER_CHANGE_MM = 1_000_000_000;

/**
 * While one extruder alone feeds, filament_used goes on as the position of this extruder does, but for the flow that a person has
 * set. A unit has one extruder, and counts its changes.
 */
function pointOf(status: Status, mm: string): FedPoint {
  const { slot, gate, changes, position, flow } = status;
  const isOfUnit = slot === 'tool:0' && gate !== null;
  const ofUnit = changes === null ? null : changes * PER_CHANGE_MM;
  const mark = isOfUnit ? ofUnit : position === null ? null : Number(mm) - position / (flow ?? 1);
  return { mm, slot: chosenOf(status), mark };
}

export function beganFeeding(status: Status | null): HeardFeeding {
  const from: FedPoint = status === null ? { mm: '0', slot: null, mark: null } : pointOf(status, status.mm ?? '0');
  return { slot: null, feeding: { from, now: from, by: {}, open: '0' } };
}

/**
 * Filament that was fed while the slot changed belongs to no slot: one message may report both, and slots between them.
 * A unit pulls filament back through the one extruder and feeds the next one as far: that is nothing new. A tool takes its own back.
 */
export function goesOn({ feeding, slot }: HeardFeeding, status: Status): HeardFeeding {
  const { now, by, open } = feeding;
  const reported = status.mm ?? now.mm;
  const isShared = status.gate !== null;
  const next = pointOf(status, isShared ? Decimal.max(now.mm, reported).toFixed() : reported);
  const difference = new Decimal(next.mm).minus(now.mm);
  if (difference.isZero()) return { slot, feeding: { ...feeding, now: next } };
  const chosen = next.slot;
  const isOneTooMany = chosen !== null && by[chosen] === undefined && Object.keys(by).length >= MAX_SLOTS;
  const opened = isOneTooMany ? difference : openIn(difference, now, next, true);
  const own = difference.minus(opened);
  const gone = { ...feeding, now: next, open: opened.plus(open).toFixed() };
  if (chosen === null || own.isZero()) return { slot, feeding: gone };
  const fed = { ...by, [chosen]: own.plus(by[chosen] ?? 0).toFixed() };
  return { slot: own.gt(0) ? chosen : slot, feeding: { ...gone, by: fed } };
}

/** The plan by the gates of the unit. Gate N belongs to tool N, unless a person has given the unit another map. */
export function planByGates(plan: FilamentPlan | null, gates: readonly number[] | null): FilamentPlan | null {
  if (gates === null || gates.length === 0) return plan;
  const gateOf = (tool: number) => {
    const gate = gates[tool];
    return gate === undefined || gate < 0 ? null : `mmu:${gate}`;
  };
  const slots = (plan?.slots ?? []).map((one) => {
    const [, tool] = /^tool:(\d+)$/.exec(one.slot) ?? [];
    return { ...one, slot: (tool === undefined ? null : gateOf(Number(tool))) ?? one.slot };
  });
  return { seconds: plan?.seconds ?? null, slots: merged(slots), mapping: gates.map((_, tool) => gateOf(tool)) };
}

/** Several tools may have one gate. */
function merged(slots: FilamentPlan['slots']): FilamentPlan['slots'] {
  const sum = (one: string | null, other: string | null) =>
    one === null || other === null ? null : Decimal.sum(one, other).toFixed();
  const by = new Map<string, FilamentPlan['slots'][number]>();
  for (const one of slots) {
    const same = by.get(one.slot);
    by.set(
      one.slot,
      same === undefined ? one : { ...one, mm: sum(same.mm, one.mm), grams: sum(same.grams, one.grams) },
    );
  }
  return [...by.values()];
}
