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
  /** The slot that fed last; `null` if none was seen yet. */
  slot: string | null;
  positions: Positions;
}

/** Happy Hare's number of the bypass, which feeds filament past the unit. */
const BYPASS_GATE = -2;

/** Finds the selected slot. Returns `null` with a single extruder and no known gate, because an unknown unit of several filaments may feed it. */
function findChosenSlot({ slot, gate, hasOneExtruder }: Status): string | null {
  if (slot === 'tool:0' && gate !== null) return gate === BYPASS_GATE ? 'ext:0' : gate < 0 ? null : `mmu:${gate}`;
  return hasOneExtruder && slot === 'tool:0' ? null : slot;
}

/** Whether the machine has several slots and reports the selected slot. */
export const reportsSlot = ({ slot, gate, hasOneExtruder }: Status) =>
  slot !== null && (gate !== null || !hasOneExtruder);

/** Added to the mark for each filament change of the unit. No print uses so much filament, so filament after a change never counts for the previous gate. */
const MARK_PER_CHANGE_MM = 1_000_000_000;

/**
 * Builds the point that the print rules compare. While one extruder feeds, filament_used grows by as much as the position of this extruder,
 * divided by the flow that a user has set. A unit has only one extruder, so its number of changes is used instead.
 */
function toOdometerPoint(status: Status, mm: string): OdometerPoint {
  const { slot, gate, changes, position, flow } = status;
  const isUnitSlot = slot === 'tool:0' && gate !== null;
  const unitMark = changes === null ? null : changes * MARK_PER_CHANGE_MM;
  const mark = isUnitSlot ? unitMark : position === null ? null : Number(mm) - position / (flow ?? 1);
  return { mm, slot: findChosenSlot(status), mark };
}

/** @param idleStatus the previous status, if the gateway saw the start of the print: one message may report both the start and filament fed since */
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
  const idlePoint = toOdometerPoint({ ...idleStatus, changes }, '0');
  const feeding = { start: idlePoint, now: idlePoint, bySlot: {}, unassigned: '0' };
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
  const exceedsLimit = next.slot !== null && bySlot[next.slot] === undefined && Object.keys(bySlot).length >= MAX_SLOTS;
  const toolChange = exceedsLimit ? null : splitToolChange({ feeding, slot, positions }, next, status);
  const unassignedLength = exceedsLimit
    ? length
    : (toolChange?.unassigned ?? calculateUnassigned(length, now, next, true));
  const { before, after: chosen } = toolChange ?? { before: new Decimal(0), after: length.minus(unassignedLength) };
  const lengths = { ...bySlot };
  let last = slot;
  for (const [slotName, mm] of [[now.slot, before] as const, [next.slot, chosen] as const]) {
    if (slotName === null || mm.isZero()) continue;
    lengths[slotName] = mm.plus(lengths[slotName] ?? 0).toFixed();
    if (mm.gt(0)) last = slotName;
  }
  const previousPosition = positions[now.slot ?? ''];
  const previousTool =
    previousPosition === undefined || before.isZero()
      ? {}
      : { [now.slot as string]: previousPosition + before.toNumber() * (status.flow ?? 1) };
  return {
    slot: last,
    positions: withPosition({ ...positions, ...previousTool }, status),
    feeding: { ...feeding, now: next, bySlot: lengths, unassigned: unassignedLength.plus(unassigned).toFixed() },
  };
}

/** Lengths that differ by less are equal, because machines calculate with binary floats. */
const SAME_MM = 0.01;

interface ToolChangeLengths {
  /** The length of the tool that was selected before the change. */
  before: Decimal;
  /** The length of the tool that was selected by the change. */
  after: Decimal;
  /** The length that belongs to neither tool. A negative length is taken from the length that belonged to no tool so far. */
  unassigned: Decimal;
}

/**
 * Splits the filament of two tools, if the second tool was selected since the last message. The second tool continues from its last known
 * position, and the remaining length belongs to the first tool. Filament that belonged to no tool so far may turn out to belong to the
 * second tool. Returns `null` if the positions do not show it.
 */
function splitToolChange(
  { feeding, positions }: FeedingState,
  next: OdometerPoint,
  status: Status,
): ToolChangeLengths | null {
  const { now, unassigned } = feeding;
  const { position, flow } = status;
  if (
    now.slot === null ||
    next.slot === null ||
    now.slot === next.slot ||
    !isToolSlot(now.slot) ||
    !isToolSlot(next.slot)
  )
    return null;
  const [from, previousPosition] = [positions[next.slot], positions[now.slot]];
  if (from === undefined || previousPosition === undefined || position === null) return null;
  const millimetres = (distance: number) => new Decimal(distance).div(flow ?? 1).toDecimalPlaces(4);
  const isSame = (a: Decimal, b: Decimal.Value) => a.minus(b).abs().lt(SAME_MM);
  const length = new Decimal(next.mm).minus(now.mm);
  const moved = millimetres(position - from);
  const chosen = isSame(moved, 0) ? new Decimal(0) : isSame(moved, length) ? length : moved;
  if (isSame(length, 0)) {
    const newLength = isSame(chosen, unassigned) ? new Decimal(unassigned) : chosen;
    return newLength.gt(0) && newLength.lte(unassigned)
      ? { before: length, after: newLength, unassigned: newLength.neg() }
      : null;
  }
  // Klipper before May 2025 resets its length to the position of the new tool.
  const isSetBack = isSame(length, millimetres(position - previousPosition));
  const before = length.minus(chosen);
  return !isSetBack && Number(unassigned) === 0 && before.gte(0) && chosen.gte(0)
    ? { before, after: chosen, unassigned: new Decimal(0) }
    : null;
}
