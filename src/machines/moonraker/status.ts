// Reads the printer objects of Klipper that the adapter needs, and keeps them complete from the deltas of their subscription.

import type { Activity, End } from '../../farm/print-rules/print.model';
import type { MachineState } from '../machine-adapter';
import {
  memberAt,
  readLayer,
  readMessage,
  readMillimetres,
  readName,
  readPath,
  readSeconds,
  readShare,
  readWhole,
  toNumber,
} from '../message-values';
import { listToolMacros } from './spools';

type Outcome = End['outcome'];

/** The states of print_stats. */
const PRINT_STATES = ['standby', 'printing', 'paused', 'complete', 'cancelled', 'error'] as const;
type PrintState = (typeof PRINT_STATES)[number];
const KLIPPY_STATES = ['ready', 'startup', 'shutdown', 'error'] as const;

const ACTIVITIES: Record<PrintState, Activity> = {
  standby: 'IDLE',
  printing: 'PRINTING',
  paused: 'PAUSED',
  complete: 'FINISHED',
  cancelled: 'IDLE',
  error: 'ERROR',
};

/** @param printSec 0 or `null` if nothing was extruded yet */
function toActivity(state: PrintState | null, printSec: number | null): Activity {
  if (state === null) return 'UNKNOWN';
  return state === 'printing' && !((printSec ?? 0) > 0) ? 'PREPARING' : ACTIVITIES[state];
}

const END_STATES: Partial<Record<PrintState, Outcome>> = {
  complete: 'COMPLETED',
  cancelled: 'CANCELLED',
  error: 'FAILED',
};

export const findShownOutcome = (state: PrintState | null): Outcome =>
  state === null ? null : (END_STATES[state] ?? null);

/** The objects to subscribe to. All other objects, such as positions, would arrive many times a second. */
const OBJECTS = {
  print_stats: null,
  virtual_sdcard: ['progress'],
  display_status: ['message'],
  webhooks: null,
  toolhead: ['extruder'],
  // Klipper answers null for a missing object.
  extruder1: ['can_extrude'],
};

/** The further objects to subscribe to if the printer has an object of this name. */
const FURTHER_OBJECTS: Record<string, Record<string, string[]>> = {
  extruder1: { gcode_move: ['position', 'extrude_factor'] },
  mmu: { mmu: ['gate', 'ttg_map', 'num_toolchanges', 'gate_spool_id'] },
};

type Objects = Record<string, readonly string[] | null>;

/** The objects of filament sensors. Their names, such as `filament_switch_sensor runout`, come from the printer's configuration. */
const SENSOR = /^filament_(?:switch|motion)_sensor (.{1,64})$/;
const MAX_SENSORS = 32;

/** @param names the objects that the printer lists */
export function listObjects(names: unknown): Objects {
  const listed: unknown[] = Array.isArray(names) ? names : [];
  const further = Object.entries(FURTHER_OBJECTS).flatMap(([name, more]) => (listed.includes(name) ? [more] : []));
  const sensors = listed.filter((name) => typeof name === 'string' && SENSOR.test(name)).slice(0, MAX_SENSORS);
  const sensorMembers = Object.fromEntries(sensors.map((name) => [name, ['enabled', 'filament_detected']]));
  const macros = listed.includes('extruder1') ? listToolMacros(listed).map((name) => [name, ['spool_id']]) : [];
  return Object.assign({}, OBJECTS, ...further, sensorMembers, Object.fromEntries(macros));
}

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
  /** The selected extruder, whether it feeds or not. */
  slot: string | null;
  /** Whether there is only one extruder. Then the slot is unknown, because a unit with several filaments may feed it. */
  hasOneExtruder: boolean;
  /** The position of the selected extruder. filament_used is the sum of its movements. */
  position: number | null;
  /** The flow that a user has set. With 1 the machine extrudes as much as the file states. */
  flow: number | null;
  /** The selected gate of a unit with several filaments (Happy Hare); `null` if the printer has no unit. A number below 0 means that no gate is selected. */
  gate: number | null;
  /** The gate of each tool. */
  gates: number[] | null;
  /** How often the unit has changed the filament in this print. */
  changes: number | null;
  /** The filament sensors by their names. */
  sensors: Readonly<Record<string, Sensor>> | null;
}

interface Sensor {
  isEnabled: boolean;
  detectsFilament: boolean;
}

type Reader = (value: unknown) => unknown;

const MEMBERS: { [Member in Exclude<keyof Status, 'sensors'>]: [path: string[], read: Reader] } = {
  state: [['print_stats', 'state'], oneOf(PRINT_STATES)],
  filename: [['print_stats', 'filename'], readPath],
  totalSec: [['print_stats', 'total_duration'], readSeconds],
  printSec: [['print_stats', 'print_duration'], readSeconds],
  mm: [['print_stats', 'filament_used'], readMillimetres],
  message: [['print_stats', 'message'], readMessage],
  layer: [['print_stats', 'info', 'current_layer'], readLayer],
  layers: [['print_stats', 'info', 'total_layer'], readLayer],
  progress: [['virtual_sdcard', 'progress'], (value) => readShare(value)],
  klippy: [['webhooks', 'state'], oneOf(KLIPPY_STATES)],
  klippyMessage: [['webhooks', 'state_message'], readMessage],
  display: [['display_status', 'message'], readMessage],
  slot: [['toolhead', 'extruder'], readSlot],
  position: [['gcode_move', 'position'], readPosition],
  flow: [['gcode_move', 'extrude_factor'], readFlow],
  gate: [['mmu', 'gate'], readGate],
  gates: [['mmu', 'ttg_map'], readGates],
  changes: [['mmu', 'num_toolchanges'], (value) => readWhole(value, 1_000_000)],
  hasOneExtruder: [['extruder1'], (value) => typeof memberAt(value, 'can_extrude') !== 'boolean'],
};

/** The status before the first message. */
export const NO_STATUS = {
  ...Object.fromEntries(Object.keys(MEMBERS).map((member) => [member, null])),
  hasOneExtruder: false,
  sensors: null,
} as Status;

/** The values that empty a member. Any other unreadable value keeps the value before. */
const CLEARED = new Set<unknown>(['', null]);

/** Merges a delta, two levels deep. Returns `null` if the delta has no member that the adapter reads. */
export function mergeDelta(status: Status, delta: unknown): Status | null {
  const reported = Object.entries(MEMBERS).flatMap(([member, [path, read]]) => {
    const value = memberAt(delta, ...path);
    if (value === undefined) return [];
    const found = read(value);
    return found === null && !CLEARED.has(value) ? [] : [[member, found]];
  });
  const sensors = mergeSensors(status.sensors, delta);
  if (reported.length === 0 && sensors === status.sensors) return null;
  return { ...status, ...Object.fromEntries(reported), sensors };
}

function mergeSensors(known: Status['sensors'], delta: unknown): Status['sensors'] {
  const objects = typeof delta === 'object' && delta !== null ? Object.keys(delta) : [];
  const reported = objects.flatMap((object) => {
    const [, name] = SENSOR.exec(object) ?? [];
    if (name === undefined) return [];
    const before = known?.[name] ?? { isEnabled: true, detectsFilament: true };
    const isEnabled = (memberAt(delta, object, 'enabled') ?? before.isEnabled) === true;
    const detectsFilament = (memberAt(delta, object, 'filament_detected') ?? before.detectsFilament) === true;
    return [[name, { isEnabled, detectsFilament }] as const];
  });
  if (reported.length === 0) return known;
  const sensors = { ...known, ...Object.fromEntries(reported) };
  return Object.fromEntries(Object.entries(sensors).slice(0, MAX_SENSORS));
}

/** Names the first sensor that detects no filament; null if there is none. */
function findRunout({ sensors }: Status): string | null {
  const empty = Object.entries(sensors ?? {}).find(([, sensor]) => sensor.isEnabled && !sensor.detectsFilament);
  return empty === undefined ? null : `Out of filament (sensor ${empty[0]})`;
}

/** print_stats as the adapter interprets it. */
export interface EffectiveStatus extends MachineState {
  status: Status;
  state: PrintState | null;
  reason: string | null;
}

/** Interprets a status. No print survives a shutdown of Klipper, whatever print_stats shows. */
export function interpret(status: Status): EffectiveStatus {
  const isDown = status.klippy === 'shutdown' || status.klippy === 'error';
  if (isDown && (status.state === 'printing' || status.state === 'paused')) {
    return toEffectiveStatus(status, 'error', status.klippyMessage ?? 'Klipper shut down');
  }
  if (status.state === 'paused') return toEffectiveStatus(status, 'paused', null, findRunout(status));
  return toEffectiveStatus(status, status.state, status.state === 'error' ? status.message : null);
}

const toEffectiveStatus = (
  status: Status,
  state: PrintState | null,
  reason: string | null,
  runout: string | null = null,
): EffectiveStatus => ({
  status,
  state,
  reason,
  activity: toActivity(state, status.printSec),
  message: reason ?? runout ?? status.display,
});

/** Reads the slot of an extruder: `extruder` is the first, `extruder1` the second. */
function readSlot(value: unknown): string | null {
  const [, number] = /^extruder(\d{0,2})$/.exec(readName(value) ?? '') ?? [];
  return number === undefined ? null : `tool:${number === '' ? 0 : Number(number)}`;
}

/** Reads the position of the extruder, which follows x, y and z. */
function readPosition(value: unknown): number | null {
  const position = Array.isArray(value) ? toNumber(value[3]) : Number.NaN;
  return Number.isFinite(position) ? position : null;
}

function readFlow(value: unknown): number | null {
  const flow = toNumber(value);
  return flow > 0 && flow < 1000 ? flow : null;
}

/** Reads the number of a gate. -1: unknown. -2: the bypass of the unit. */
function readGate(value: unknown): number | null {
  const gate = toNumber(value);
  return Number.isInteger(gate) && gate >= -2 && gate < 1000 ? gate : null;
}

function readGates(value: unknown): number[] | null {
  return Array.isArray(value) ? value.slice(0, 64).map((gate) => readGate(gate) ?? -1) : null;
}

function oneOf<Name extends string>(names: readonly Name[]): (value: unknown) => Name | null {
  return (value) => names.find((name) => name === value) ?? null;
}
