// What the slots of a print fed by Klipper's one measure: which slot each length between two messages belongs to, and what stays open.
import Decimal from 'decimal.js';
import { calculateUnassigned, isToolSlot } from '../../farm/print-rules/slot-lengths';
import type { Feeding, OdometerPoint } from '../../farm/print-rules/print.model';
import type { Status } from './status';

/** A bound against machines that invent slots. */
const MAX_SLOTS = 64;

/** Of each tool of several, where its extruder stood when the tool was seen last. It stays there while another tool is chosen. */
export type Positions = Readonly<Record<string, number>>;

export interface FeedingState {
  feeding: Feeding;
  /** The slot that fed last; null: none was seen yet. */
  slot: string | null;
  positions: Positions;
}

/** Happy Hare's number of the place past the unit. */
const PAST_UNIT = -2;

/** The slot that feeds when something feeds; null: with one extruder it is not known, since a unit of several filaments may feed it. */
function findChosenSlot({ slot, gate, hasOneExtruder }: Status): string | null {
  if (slot === 'tool:0' && gate !== null) return gate === PAST_UNIT ? 'ext:0' : gate < 0 ? null : `mmu:${gate}`;
  return hasOneExtruder && slot === 'tool:0' ? null : slot;
}

/** Whether the machine has several slots, and says which one is chosen. */
export const reportsSlot = ({ slot, gate, hasOneExtruder }: Status) =>
  slot !== null && (gate !== null || !hasOneExtruder);

/** More than any print uses: so filament behind a change of the unit is never taken for filament of the gate before. */
const PER_CHANGE_MM = 1_000_000_000;

/**
 * While one extruder alone feeds, filament_used goes on as the position of this extruder does, but for the flow that a person has
 * set. A unit has one extruder, and counts its changes.
 */
function readOdometer(status: Status, mm: string): OdometerPoint {
  const { slot, gate, changes, position, flow } = status;
  const isOfUnit = slot === 'tool:0' && gate !== null;
  const ofUnit = changes === null ? null : changes * PER_CHANGE_MM;
  const mark = isOfUnit ? ofUnit : position === null ? null : Number(mm) - position / (flow ?? 1);
  return { mm, slot: findChosenSlot(status), mark };
}

/** @param rested the status before, where the print was seen to begin: one message may report the begin and what was fed since */
export function startFeeding(
  status: Status | null,
  rested: Status | null = null,
  positions: Positions = {},
): FeedingState {
  const from: OdometerPoint =
    status === null ? { mm: '0', slot: null, mark: null } : readOdometer(status, status.mm ?? '0');
  if (status === null || rested === null || rested.slot !== status.slot || rested.gate !== status.gate)
    return {
      slot: null,
      positions: addPosition(positions, status),
      feeding: { start: from, now: from, bySlot: {}, unassigned: '0' },
    };
  // A unit counts its changes anew for each print.
  const changes = rested.changes === null ? null : Math.min(rested.changes, status.changes ?? 0);
  const atRest = readOdometer({ ...rested, changes }, '0');
  const feeding = { start: atRest, now: atRest, bySlot: {}, unassigned: '0' };
  return advanceFeeding({ slot: null, positions, feeding }, status);
}

/** With the position of the tool that is chosen. */
export const addPosition = (positions: Positions, status: Status | null): Positions =>
  status === null || status.slot === null || status.position === null
    ? positions
    : { ...positions, [status.slot]: status.position };

/**
 * Filament that was fed while the slot changed belongs to no slot, unless the positions of the tools show what each of them fed: one
 * message may report both, and slots between them. A unit pulls filament back through the one extruder and feeds the next one as far: that
 * is nothing new. A tool takes its own back.
 */
export function advanceFeeding({ feeding, slot, positions }: FeedingState, status: Status): FeedingState {
  const { now, bySlot: by, unassigned: open } = feeding;
  const reported = status.mm ?? now.mm;
  const isShared = status.gate !== null;
  const next = readOdometer(status, isShared ? Decimal.max(now.mm, reported).toFixed() : reported);
  const length = new Decimal(next.mm).minus(now.mm);
  const isOneTooMany = next.slot !== null && by[next.slot] === undefined && Object.keys(by).length >= MAX_SLOTS;
  const changed = isOneTooMany ? null : divideToolChange({ feeding, slot, positions }, next, status);
  const opened = isOneTooMany ? length : (changed?.unassigned ?? calculateUnassigned(length, now, next, true));
  const { before, chosen } = changed ?? { before: new Decimal(0), chosen: length.minus(opened) };
  const fed = { ...by };
  let last = slot;
  for (const [place, mm] of [[now.slot, before] as const, [next.slot, chosen] as const]) {
    if (place === null || mm.isZero()) continue;
    fed[place] = mm.plus(fed[place] ?? 0).toFixed();
    if (mm.gt(0)) last = place;
  }
  const left = positions[now.slot ?? ''];
  const moved =
    left === undefined || before.isZero()
      ? {}
      : { [now.slot as string]: left + before.toNumber() * (status.flow ?? 1) };
  return {
    slot: last,
    positions: addPosition({ ...positions, ...moved }, status),
    feeding: { ...feeding, now: next, bySlot: fed, unassigned: opened.plus(open).toFixed() },
  };
}

/** Binary floats of a machine differ by less. */
const SAME_MM = 0.01;

interface ToolChangeLengths {
  /** Of the tool that was chosen before. */
  before: Decimal;
  chosen: Decimal;
  unassigned: Decimal;
}

/**
 * What two tools fed where the second one was chosen meanwhile: the second one goes on from where it was seen last. The rest is of the first
 * one. What nobody could give to a tool so far may turn out to be of the second one. Null: the positions do not show it.
 */
function divideToolChange(
  { feeding, positions }: FeedingState,
  next: OdometerPoint,
  status: Status,
): ToolChangeLengths | null {
  const { now, unassigned: open } = feeding;
  const { position, flow } = status;
  if (
    now.slot === null ||
    next.slot === null ||
    now.slot === next.slot ||
    !isToolSlot(now.slot) ||
    !isToolSlot(next.slot)
  )
    return null;
  const [from, left] = [positions[next.slot], positions[now.slot]];
  if (from === undefined || left === undefined || position === null) return null;
  const millimetres = (apart: number) => new Decimal(apart).div(flow ?? 1).toDecimalPlaces(4);
  const isSame = (one: Decimal, other: Decimal.Value) => one.minus(other).abs().lt(SAME_MM);
  const length = new Decimal(next.mm).minus(now.mm);
  const moved = millimetres(position - from);
  const chosen = isSame(moved, 0) ? new Decimal(0) : isSame(moved, length) ? length : moved;
  if (isSame(length, 0)) {
    const found = isSame(chosen, open) ? new Decimal(open) : chosen;
    return found.gt(0) && found.lte(open) ? { before: length, chosen: found, unassigned: found.neg() } : null;
  }
  // Klipper before May 2025 sets its measure to the position of the new tool.
  const isSetBack = isSame(length, millimetres(position - left));
  const before = length.minus(chosen);
  return !isSetBack && Number(open) === 0 && before.gte(0) && chosen.gte(0)
    ? { before, chosen, unassigned: new Decimal(0) }
    : null;
}
