// Decides the one state that a tile shows for a printer, the reason, and the action that solves what a person is needed for.
import type { AlertKind, DeviceConnectionState } from '../../generated/web-operations';
import { clockTime } from '../parts/formats';
import type { PrinterState } from '../printers/live-states';

export type TileStateName = 'NEEDS_YOU' | 'OFFLINE' | 'PRINTING' | 'FINISHED' | 'IDLE' | 'NO_MACHINE';
export type TileAction = 'OPEN_PRINTER' | 'CHANGE_SPOOL' | 'EDIT_CONNECTION' | 'CHOOSE_SPOOL' | 'SET_OUTCOME';

type LiveState = Pick<
  PrinterState,
  'activity' | 'message' | 'isPausedByUser' | 'activitySince' | 'heardAt' | 'stale' | 'remainingSec'
>;

export interface TileFacts {
  /** `null` if the printer has never sent a state. */
  state: LiveState | null;
  /** `null` if the printer has no machine, undefined while this is loading. */
  connection: { state: DeviceConnectionState; message: string | null } | null | undefined;
  /** Whether a job of the printer is printing. */
  hasJob: boolean;
  /** The numbers of prints that wait. */
  waiting: { forSpool: number; forOutcome: number };
  /** A condition whose alert is snoozed needs nobody now. */
  snoozed: ReadonlySet<AlertKind>;
}

export interface TileState {
  name: TileStateName;
  /** The second line of the tile. */
  reason: string | null;
  action: TileAction | null;
  /** How soon a person is needed: 0 is the most urgent. Only for NEEDS_YOU. */
  urgency: number;
}

interface Need {
  alert: AlertKind;
  reason: string;
  action: TileAction;
}

export function decideTileState(facts: TileFacts): TileState {
  const needs = listNeeds(facts);
  const urgency = needs.findIndex((need) => need !== null && !facts.snoozed.has(need.alert));
  const need = needs[urgency];
  const machine = describeMachine(facts);
  if (!need) return { ...machine, action: null, urgency: 0 };
  // A print can wait for its spool while its printer is lost.
  const isLost = facts.state?.stale && machine.name === 'OFFLINE' && need.alert !== 'DEVICE_REFUSED';
  const reason = isLost && machine.reason !== null ? `${machine.reason}. ${need.reason}` : need.reason;
  return { name: 'NEEDS_YOU', reason, action: need.action, urgency };
}

/** What a person is needed for, the most urgent first. `null` for what does not apply, so that the index is the urgency. */
function listNeeds({ state, connection, waiting: { forSpool, forOutcome } }: TileFacts): (Need | null)[] {
  // A machine that cannot be reached may have been repaired or resumed meanwhile.
  const current = state?.stale ? null : state;
  return [
    current?.activity === 'ERROR'
      ? {
          alert: 'PRINTER_FAULT',
          reason: withMessage(`Fault since ${clockTime(Date.parse(current.activitySince))}`, current),
          action: 'OPEN_PRINTER',
        }
      : null,
    current?.activity === 'PAUSED' && !current.isPausedByUser
      ? {
          alert: 'PRINTER_PAUSED',
          reason: withMessage(`Paused since ${clockTime(Date.parse(current.activitySince))}`, current),
          action: MENTIONS_FILAMENT.test(current.message ?? '') ? 'CHANGE_SPOOL' : 'OPEN_PRINTER',
        }
      : null,
    connection?.state === 'REFUSED'
      ? {
          alert: 'DEVICE_REFUSED',
          reason: connection.message ?? 'The machine rejects the gateway.',
          action: 'EDIT_CONNECTION',
        }
      : null,
    forSpool > 0
      ? {
          alert: 'PRINT_WAITS',
          reason: forSpool === 1 ? '1 print waits for its spool' : `${forSpool} prints wait for their spools`,
          action: 'CHOOSE_SPOOL',
        }
      : null,
    forOutcome > 0
      ? {
          alert: 'PRINT_UNRESOLVED',
          reason: forOutcome === 1 ? 'How did 1 print end?' : `How did ${forOutcome} prints end?`,
          action: 'SET_OUTCOME',
        }
      : null,
  ];
}

/** Machines report a runout only in the text of their message, such as "Filament ran out" or "Runout sensor triggered". */
const MENTIONS_FILAMENT = /filament|runout|spool/i;

const withMessage = (text: string, { message }: LiveState) => (message ? `${text}: ${message}` : text);

type MachineState = Pick<TileState, 'name' | 'reason'>;

/** The state of a printer that needs nobody. */
function describeMachine({ state, connection, hasJob }: TileFacts): MachineState {
  if (connection?.state === 'DISABLED') return { name: 'OFFLINE', reason: 'The connection is disabled' };
  if (state === null) {
    if (connection) return { name: 'OFFLINE', reason: connection.message ?? WITHOUT_STATE[connection.state] };
    if (hasJob) return { name: 'PRINTING', reason: null };
    return { name: connection === null ? 'NO_MACHINE' : 'IDLE', reason: null };
  }
  const { activity, stale, heardAt, isPausedByUser } = state;
  if (activity !== 'OFFLINE' && stale)
    return { name: 'OFFLINE', reason: `No contact since ${clockTime(Date.parse(heardAt))}` };
  if (activity === 'PAUSED') return { name: 'PRINTING', reason: isPausedByUser ? 'Paused by a user' : 'Paused' };
  return ACTIVITIES[activity];
}

const WITHOUT_STATE: Record<DeviceConnectionState, string> = {
  CONNECTING: 'Connecting …',
  CONNECTED: 'No data yet',
  OFFLINE: 'The machine does not answer',
  REFUSED: 'Access denied',
  DISABLED: 'The connection is disabled',
};

const ACTIVITIES: Record<Exclude<LiveState['activity'], 'PAUSED'>, MachineState> = {
  OFFLINE: { name: 'OFFLINE', reason: null },
  PREPARING: { name: 'PRINTING', reason: 'Preparing' },
  PRINTING: { name: 'PRINTING', reason: null },
  FINISHED: { name: 'FINISHED', reason: null },
  IDLE: { name: 'IDLE', reason: null },
  // Only while its alert is snoozed.
  ERROR: { name: 'IDLE', reason: 'Fault' },
  UNKNOWN: { name: 'IDLE', reason: 'The printer reports an unknown state' },
};
