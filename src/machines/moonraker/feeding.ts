// Decides which slot fed each length of Klipper's one odometer, `filament_used`, between two messages, and which length belongs to no known slot.
import Decimal from 'decimal.js';
import type { Feeding, OdometerPoint } from '../../farm/print-rules/print.model';
import { calculateUnassigned, isToolSlot } from '../../farm/print-rules/slot-lengths';
import type { Status } from './status';

/** A limit against machines that invent slots. */
const MAX_SLOTS = 64;

/** By tool, the extruder's position when the tool was last chosen. It stays there while another tool is chosen. */
export type Positions = Readonly<Record<string, number>>;

export interface FeedingState {
  feeding: Feeding;
  /** The slot that fed last. `null` if no slot has fed yet. */
  slot: string | null;
  positions: Positions;
}

/** Happy Hare's gate number for the bypass. */
const BYPASS_GATE = -2;

/** The slot that would feed now. `null` if it is unknown: a unit with several filaments may feed a single extruder. */
function findChosenSlot({ slot, gate, hasOneExtruder }: Status): string | null {
  if (slot === 'tool:0' && gate !== null) return gate === BYPASS_GATE ? 'ext:0' : gate < 0 ? null : `mmu:${gate}`;
  return hasOneExtruder && slot === 'tool:0' ? null : slot;
}

/** Whether the machine has several slots and reports which one is chosen. */
export const reportsSlot = ({ slot, gate, hasOneExtruder }: Status) =>
  slot !== null && (gate !== null || !hasOneExtruder);

/** More than any print uses. Filament after a change of the gate is therefore never taken for filament of the gate before. */
const MARK_PER_CHANGE_MM = 1_000_000_000;

/**
 * The odometer with its mark. While one extruder alone feeds, `filament_used` grows like the position of this extruder, apart from the flow
 * that a user has set, so their difference is the mark. A unit has one extruder and counts its changes, which are the mark.
 */
function readOdometer(status: Status, mm: string): OdometerPoint {
  const { slot, gate, changes, position, flow } = status;
  const isOfUnit = slot === 'tool:0' && gate !== null;
  const markOfUnit = changes === null ? null : changes * MARK_PER_CHANGE_MM;
  const mark = isOfUnit ? markOfUnit : position === null ? null : Number(mm) - position / (flow ?? 1);
  return { mm, slot: findChosenSlot(status), mark };
}

/**
 * Starts to follow what the slots feed.
 * @param idleStatus the status before the print if its start was seen: one message may report the start and what was fed since
 */
export function startFeeding(
  status: Status | null,
  idleStatus: Status | null = null,
  positions: Positions = {},
): FeedingState {
  if (status === null || idleStatus === null || idleStatus.slot !== status.slot || idleStatus.gate !== status.gate) {
    const now = status === null ? { mm: '0', slot: null, mark: null } : readOdometer(status, status.mm ?? '0');
    return {
      slot: null,
      positions: addPosition(positions, status),
      feeding: { start: now, now, bySlot: {}, unassigned: '0' },
    };
  }
  // A unit counts its changes from 0 for each print.
  const changes = idleStatus.changes === null ? null : Math.min(idleStatus.changes, status.changes ?? 0);
  const start = readOdometer({ ...idleStatus, changes }, '0');
  const feeding = { start, now: start, bySlot: {}, unassigned: '0' };
  return advanceFeeding({ slot: null, positions, feeding }, status);
}

/** Adds the position of the chosen tool. */
export const addPosition = (positions: Positions, status: Status | null): Positions =>
  status === null || status.slot === null || status.position === null
    ? positions
    : { ...positions, [status.slot]: status.position };

/**
 * Adds what was fed since the last message. Filament that was fed while the slot changed belongs to no known slot, unless the positions of
 * the tools show what each tool fed. A unit pulls filament back through its one extruder and then feeds the next filament as far, which is
 * nothing new. A tool pulls back its own filament.
 */
export function advanceFeeding({ feeding, slot, positions }: FeedingState, status: Status): FeedingState {
  const { now, bySlot } = feeding;
  const reported = status.mm ?? now.mm;
  const isOfUnit = status.gate !== null;
  const next = readOdometer(status, isOfUnit ? Decimal.max(now.mm, reported).toFixed() : reported);
  const length = new Decimal(next.mm).minus(now.mm);
  const hasTooManySlots =
    next.slot !== null && bySlot[next.slot] === undefined && Object.keys(bySlot).length >= MAX_SLOTS;
  const change = hasTooManySlots ? null : divideToolChange({ feeding, slot, positions }, next, status);
  const unassigned = hasTooManySlots ? length : (change?.unassigned ?? calculateUnassigned(length, now, next, true));
  const { before, chosen } = change ?? { before: new Decimal(0), chosen: length.minus(unassigned) };
  const grown = { ...bySlot };
  let last = slot;
  for (const [name, mm] of [[now.slot, before] as const, [next.slot, chosen] as const]) {
    if (name === null || mm.isZero()) continue;
    grown[name] = mm.plus(grown[name] ?? 0).toFixed();
    if (mm.gt(0)) last = name;
  }
  const positionBefore = positions[now.slot ?? ''];
  const moved =
    positionBefore === undefined || before.isZero()
      ? {}
      : { [now.slot as string]: positionBefore + before.toNumber() * (status.flow ?? 1) };
  return {
    slot: last,
    positions: addPosition({ ...positions, ...moved }, status),
    feeding: { ...feeding, now: next, bySlot: grown, unassigned: unassigned.plus(feeding.unassigned).toFixed() },
  };
}

/** The binary floats of a machine differ by less than this. */
const SAME_MM = 0.01;

interface ToolChangeLengths {
  /** What the tool that was chosen before fed. */
  before: Decimal;
  chosen: Decimal;
  unassigned: Decimal;
}

/**
 * Divides a length between two tools of which the second was chosen meanwhile. The second tool continues from its last position, and the
 * remaining length belongs to the first tool. Length that belonged to no known slot so far may turn out to belong to the second tool. `null`
 * if the positions do not show it.
 */
function divideToolChange(
  { feeding, positions }: FeedingState,
  next: OdometerPoint,
  { position, flow }: Status,
): ToolChangeLengths | null {
  const { now, unassigned } = feeding;
  if (now.slot === null || next.slot === null || now.slot === next.slot) return null;
  if (!isToolSlot(now.slot) || !isToolSlot(next.slot)) return null;
  const [positionOfNext, positionBefore] = [positions[next.slot], positions[now.slot]];
  if (positionOfNext === undefined || positionBefore === undefined || position === null) return null;
  const millimetres = (distance: number) => new Decimal(distance).div(flow ?? 1).toDecimalPlaces(4);
  const isSame = (one: Decimal, other: Decimal.Value) => one.minus(other).abs().lt(SAME_MM);
  const length = new Decimal(next.mm).minus(now.mm);
  const moved = millimetres(position - positionOfNext);
  const chosen = isSame(moved, 0) ? new Decimal(0) : isSame(moved, length) ? length : moved;
  if (isSame(length, 0)) {
    const found = isSame(chosen, unassigned) ? new Decimal(unassigned) : chosen;
    return found.gt(0) && found.lte(unassigned) ? { before: length, chosen: found, unassigned: found.neg() } : null;
  }
  // Before May 2025, Klipper set `filament_used` to the position of the new tool.
  const isSetBack = isSame(length, millimetres(position - positionBefore));
  const before = length.minus(chosen);
  return !isSetBack && Number(unassigned) === 0 && before.gte(0) && chosen.gte(0)
    ? { before, chosen, unassigned: new Decimal(0) }
    : null;
}
