// Decides what happens to a slot: what the machine reported before, what it reports now, and what the slot has make a load, an unload or nothing.
import type { Instant } from '../../values/instant';
import type { ReportedSlot, SeenSlot, SpoolProblem, SpoolReference } from './followed-spools.model';

/** The slot as the farm knows it. */
export interface SlotNow {
  spoolId: string | null;
  /** When the slot was last changed; `null` if it never had a spool. */
  changedAt: Instant | null;
}

/** The spool of the farm that a reference means. */
export interface FoundSpool {
  id: string;
  isArchived: boolean;
  /** Whether it is in a slot. */
  isLoaded: boolean;
}

/** `null` if there is none. */
export type FindSpool = (reference: SpoolReference) => FoundSpool | null;

export interface Circumstances {
  at: Instant;
  isPrinting: boolean;
  /** Whether the slots follow the machine. If not, the gateway only remembers what the machine reports. */
  follows: boolean;
}

export interface SlotDecision {
  seen: SeenSlot;
  /** The spool to load, or `null` to take out the spool in the slot. Missing if the slot stays as it is. */
  load?: { spoolId: string | null; at: Instant };
  problem: SpoolProblem | null;
}

export function decideSlot(
  before: SeenSlot | null,
  { spool, chosenAt, usesNothingSince = null }: ReportedSlot,
  slot: SlotNow,
  { at, isPrinting, follows }: Circumstances,
  find: FindSpool,
): SlotDecision {
  const isChange = before === null || !isSameSpool(before.spool, spool);
  if (isChange && before?.sent !== undefined && isSent(before.sent.number, spool)) {
    // The machine confirms what the gateway sent. A user may have changed the slot since, and that change counts.
    return { seen: { spool, at: before.sent.changedAt }, problem: null };
  }
  const pending = isChange ? { since: at, onlyIfEmpty: before === null } : before.pending;
  const kept = !isChange && before.sent !== undefined ? { sent: before.sent } : {};
  const seen: SeenSlot = { spool, at: isChange ? at : before.at, ...kept };
  const stay: SlotDecision = { seen, problem: null };
  const isOverruled = pending !== undefined && slot.changedAt !== null && slot.changedAt > pending.since;
  if (!follows || pending === undefined || isOverruled) return stay;
  if (pending.onlyIfEmpty && slot.spoolId !== null) return stay;
  const isRemoved = isChange && hasSpoolOf(slot, before?.spool ?? null, find);
  if (spool === null) {
    if (slot.spoolId === null || (isTag(before?.spool ?? null) && !isRemoved)) return stay;
    return isPrinting ? { ...stay, seen: { ...seen, pending } } : { ...stay, load: { spoolId: null, at } };
  }
  const found = find(spool);
  if (found === null || found.isArchived) {
    const problem: SpoolProblem | null =
      'number' in spool ? { cause: found === null ? 'UNKNOWN' : 'ARCHIVED', number: spool.number } : null;
    const waiting: SlotDecision = { seen: { ...seen, pending }, problem };
    // A tag that was replaced is no longer in the slot, whatever the new tag is.
    return isTag(spool) && isRemoved ? { ...waiting, load: { spoolId: null, at } } : waiting;
  }
  if (found.id === slot.spoolId) return stay;
  // A spool that was in another slot until now did not come with the start of the print: it may have been used there since.
  const since = chosenAt ?? (found.isLoaded ? null : usesNothingSince);
  return { ...stay, load: { spoolId: found.id, at: (isChange ? since : null) ?? at } };
}

const isTag = (spool: SpoolReference | null) => spool !== null && 'uids' in spool;

/** Whether the slot has the spool that the machine reported before. */
const hasSpoolOf = ({ spoolId }: SlotNow, before: SpoolReference | null, find: FindSpool) =>
  spoolId !== null && before !== null && find(before)?.id === spoolId;

const isSent = (number: number | null, spool: SpoolReference | null) =>
  spool === null ? number === null : 'number' in spool && spool.number === number;

/** Two references with the same first UID are the same spool: a Bambu spool has two chips, and the printer reads either of them. */
const isSameSpool = (one: SpoolReference | null, other: SpoolReference | null) => keyOf(one) === keyOf(other);

const keyOf = (spool: SpoolReference | null) =>
  spool === null ? null : 'number' in spool ? `#${spool.number}` : (spool.uids[0] ?? null);

/** The active spool of a machine and the spool in its slot, each with the time of its last change. */
export interface Choice {
  active: { number: number | null; at: Instant };
  slot: { number: number | null; changedAt: Instant };
  sent: SentBefore | undefined;
}
type SentBefore = SeenSlot['sent'];

/** How often the gateway sends one change of a slot. */
export const MAX_SENDS = 3;

/** Whether to send the spool of the slot to the machine: a user changed the slot after the machine chose its active spool. */
export function needsSending({ active, slot, sent }: Choice): boolean {
  if (slot.number === active.number || slot.changedAt <= active.at) return false;
  return sent === undefined || sent.changedAt !== slot.changedAt || sent.tries < MAX_SENDS;
}
