// Klipper's printer objects as far as they are read, kept whole from the deltas of their subscription.
import { layerOf, memberAt, messageOf, mmOf, nameOf, partOf, pathOf, secondsOf } from '../bounds';
import type { MachineState } from '../tracking';
import { activityOf, KLIPPY_STATES, PRINT_STATES, type PrintState } from './words';

/** What to subscribe to. Everything else, such as positions, comes many times a second. */
export const OBJECTS = {
  print_stats: null,
  virtual_sdcard: ['progress'],
  display_status: ['message'],
  webhooks: null,
  toolhead: ['extruder'],
  // Klipper answers null for an object that it has not.
  extruder1: ['can_extrude'],
};

export interface Status {
  state: PrintState | null;
  filename: string | null;
  totalSec: number | null;
  printSec: number | null;
  mm: string | null;
  message: string | null;
  layer: number | null;
  layers: number | null;
  progress: string | null;
  klippy: (typeof KLIPPY_STATES)[number] | null;
  klippyMessage: string | null;
  display: string | null;
  /** The extruder that is chosen, whether it feeds or not. */
  slot: string | null;
  /** With one extruder, what feeds it is not told: it may be a unit of several filaments. */
  hasOneExtruder: boolean;
}

type Reader = (value: unknown) => unknown;

const MEMBERS: { [Member in keyof Status]: [path: string[], read: Reader] } = {
  state: [['print_stats', 'state'], oneOf(PRINT_STATES)],
  filename: [['print_stats', 'filename'], pathOf],
  totalSec: [['print_stats', 'total_duration'], secondsOf],
  printSec: [['print_stats', 'print_duration'], secondsOf],
  mm: [['print_stats', 'filament_used'], mmOf],
  message: [['print_stats', 'message'], messageOf],
  layer: [['print_stats', 'info', 'current_layer'], layerOf],
  layers: [['print_stats', 'info', 'total_layer'], layerOf],
  progress: [['virtual_sdcard', 'progress'], (value) => partOf(value)],
  klippy: [['webhooks', 'state'], oneOf(KLIPPY_STATES)],
  klippyMessage: [['webhooks', 'state_message'], messageOf],
  display: [['display_status', 'message'], messageOf],
  slot: [['toolhead', 'extruder'], slotOf],
  hasOneExtruder: [['extruder1'], (value) => typeof memberAt(value, 'can_extrude') !== 'boolean'],
};

/** Before anything was told. */
export const NO_STATUS = {
  ...Object.fromEntries(Object.keys(MEMBERS).map((member) => [member, null])),
  hasOneExtruder: false,
} as Status;

/** The members that may become empty. Any other value that cannot be read leaves the one before. */
const CLEARED = new Set<unknown>(['', null]);

/** Merges a delta, two levels deep; null when the delta has no member that the adapter reads. */
export function merged(status: Status, delta: unknown): Status | null {
  const told = Object.entries(MEMBERS).flatMap(([member, [path, read]]) => {
    const value = memberAt(delta, ...path);
    if (value === undefined) return [];
    const found = read(value);
    return found === null && !CLEARED.has(value) ? [] : [[member, found]];
  });
  return told.length === 0 ? null : { ...status, ...Object.fromEntries(told) };
}

/** print_stats as it is to be understood. */
export interface EffectiveStatus extends MachineState {
  status: Status;
  state: PrintState | null;
  reason: string | null;
}

/** Whatever print_stats says, no print survives that Klipper shuts down. */
export function understood(status: Status): EffectiveStatus {
  const isDown = status.klippy === 'shutdown' || status.klippy === 'error';
  if (isDown && (status.state === 'printing' || status.state === 'paused')) {
    return effectiveAs(status, 'error', status.klippyMessage ?? 'Klipper shut down');
  }
  return effectiveAs(status, status.state, status.state === 'error' ? status.message : null);
}

const effectiveAs = (status: Status, state: PrintState | null, reason: string | null): EffectiveStatus => ({
  ...{ status, state, reason },
  activity: activityOf(state, status.printSec),
  message: reason ?? status.display,
});

/** `extruder` is the first one, `extruder1` the second. */
function slotOf(value: unknown): string | null {
  const [, number] = /^extruder(\d{0,2})$/.exec(nameOf(value) ?? '') ?? [];
  return number === undefined ? null : `tool:${number === '' ? 0 : Number(number)}`;
}

function oneOf<Name extends string>(names: readonly Name[]): (value: unknown) => Name | null {
  return (value) => names.find((name) => name === value) ?? null;
}
