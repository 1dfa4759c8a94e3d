// Decides which slot of a Klipper printer fed each length of filament. Klipper reports only one length for all slots together.
import Decimal from 'decimal.js';
import type { Feeding, OdometerPoint } from '../../farm/print-rules/print.model';
import { calculateUnassigned, isToolSlot } from '../../farm/print-rules/slot-lengths';
import type { Status } from './status';

/** The most slots of a print: a hostile machine could invent slots without end. */
const MAX_SLOTS = 64;

/** The last known position of each tool's extruder. An extruder does not move while another tool is selected. */
export type Positions = Readonly<Record<string, number>>;

export interface FeedingState {
  feeding: Feeding;
  /** The slot that fed last; null if none was seen yet. */
  slot: string | null;
  positions: Positions;
}

/** Happy Hare's number of the bypass, which feeds filament past the unit. */
const PAST_UNIT = -2;

/** Finds the selected slot. Returns null with a single extruder and no known gate, because an unknown unit of several filaments may feed it. */
function findChosenSlot({ slot, gate, hasOneExtruder }: Status): string | null {
  if (slot === 'tool:0' && gate !== null) return gate === PAST_UNIT ? 'ext:0' : gate < 0 ? null : `mmu:${gate}`;
  return hasOneExtruder && slot === 'tool:0' ? null : slot;
}

/** Whether the machine has several slots and reports which one is selected. */
export const reportsSlot = ({ slot, gate, hasOneExtruder }: Status) =>
  slot !== null && (gate !== null || !hasOneExtruder);

/** Added to the mark for each change of the unit. It is more than any print uses, so filament after a change never counts for the gate before. */
const PER_CHANGE_MM = 1_000_000_000;

/**
 * Builds the point that the print rules compare. While one extruder feeds, filament_used grows as the position of this extruder does,
 * apart from the flow that a user has set. A unit has only one extruder, so its number of changes is used instead.
 */
function toOdometerPoint(status: Status, mm: string): OdometerPoint {
  const { slot, gate, changes, position, flow } = status;
  const isOfUnit = slot === 'tool:0' && gate !== null;
  const ofUnit = changes === null ? null : changes * PER_CHANGE_MM;
  const mark = isOfUnit ? ofUnit : position === null ? null : Number(mm) - position / (flow ?? 1);
  return { mm, slot: findChosenSlot(status), mark };
}

/** @param idleStatus the status before, if the gateway saw the start of the print: one message may report the start and the filament fed since */
export function startFeeding(
  status: Status | null,
  idleStatus: Status | null = null,
  positions: Positions = {},
): FeedingState {
  const from: OdometerPoint =
    status === null ? { mm: '0', slot: null, mark: null } : toOdometerPoint(status, status.mm ?? '0');
  if (status === null || idleStatus === null || idleStatus.slot !== status.slot || idleStatus.gate !== status.gate)
    return {
      slot: null,
      positions: withPosition(positions, status),
      feeding: { start: from, now: from, bySlot: {}, unassigned: '0' },
    };
  // A unit counts its changes from 0 for each print.
  const changes = idleStatus.changes === null ? null : Math.min(idleStatus.changes, status.changes ?? 0);
  const atRest = toOdometerPoint({ ...idleStatus, changes }, '0');
  const feeding = { start: atRest, now: atRest, bySlot: {}, unassigned: '0' };
  return appendFeeding({ slot: null, positions, feeding }, status);
}

/** Adds the position of the selected tool. */
export const withPosition = (positions: Positions, status: Status | null): Positions =>
  status === null || status.slot === null || status.position === null
    ? positions
    : { ...positions, [status.slot]: status.position };

/**
 * Adds the filament since the last message to the slots. If the slot changed in between, the filament belongs to no slot, because there
 * may have been further slots, unless the positions of the tools show what each tool fed. When a unit changes the filament, it pulls the
 * old filament back and feeds the new filament as far, which uses nothing. A tool pulls back only its own filament.
 */
export function appendFeeding({ feeding, slot, positions }: FeedingState, status: Status): FeedingState {
  const { now, bySlot, unassigned } = feeding;
  const reported = status.mm ?? now.mm;
  const isShared = status.gate !== null;
  const next = toOdometerPoint(status, isShared ? Decimal.max(now.mm, reported).toFixed() : reported);
  const length = new Decimal(next.mm).minus(now.mm);
  const isOneTooMany = next.slot !== null && bySlot[next.slot] === undefined && Object.keys(bySlot).length >= MAX_SLOTS;
  const changed = isOneTooMany ? null : splitToolChange({ feeding, slot, positions }, next, status);
  const opened = isOneTooMany ? length : (changed?.open ?? calculateUnassigned(length, now, next, true));
  const { before, chosen } = changed ?? { before: new Decimal(0), chosen: length.minus(opened) };
  const grown = { ...bySlot };
  let last = slot;
  for (const [place, mm] of [[now.slot, before] as const, [next.slot, chosen] as const]) {
    if (place === null || mm.isZero()) continue;
    grown[place] = mm.plus(grown[place] ?? 0).toFixed();
    if (mm.gt(0)) last = place;
  }
  const left = positions[now.slot ?? ''];
  const moved =
    left === undefined || before.isZero()
      ? {}
      : { [now.slot as string]: left + before.toNumber() * (status.flow ?? 1) };
  return {
    slot: last,
    positions: withPosition({ ...positions, ...moved }, status),
    feeding: { ...feeding, now: next, bySlot: grown, unassigned: opened.plus(unassigned).toFixed() },
  };
}

/** Lengths that differ by less are equal, because machines calculate with binary floats. */
const SAME_MM = 0.01;

interface ToolChangeLengths {
  /** The length of the tool that was selected before. */
  before: Decimal;
  chosen: Decimal;
  open: Decimal;
}

/**
 * Splits the filament of two tools, if the second tool was selected since the last message. The second tool continues from its last known
 * position, and the remaining length belongs to the first tool. Filament that belonged to no tool so far may turn out to belong to the
 * second tool. Returns null if the positions do not show it.
 */
function splitToolChange(
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
    return found.gt(0) && found.lte(open) ? { before: length, chosen: found, open: found.neg() } : null;
  }
  // Klipper before May 2025 resets its length to the position of the new tool.
  const isSetBack = isSame(length, millimetres(position - left));
  const before = length.minus(chosen);
  return !isSetBack && Number(open) === 0 && before.gte(0) && chosen.gte(0)
    ? { before, chosen, open: new Decimal(0) }
    : null;
}
