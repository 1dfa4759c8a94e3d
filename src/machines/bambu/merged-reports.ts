// Merges the reports of a Bambu printer, which are whole states and deltas, into its current state.
import { exactDigits } from '../../values/decimal';
import { isJsonObject } from '../../values/json';
import { copyText, memberAt, toNumber } from '../message-values';

export type MergedState = Record<string, unknown>;

/** Which parts of a report are kept: a value, the named members of an object, or these members of each object in a list. */
type Shape = 'VALUE' | { readonly [member: string]: Shape } | readonly [Shape];

/** The members that the adapter reads. Temperatures and fans arrive every second, and a hostile machine could invent names without end. */
const SHAPE: { readonly [member: string]: Shape } = {
  gcode_state: 'VALUE',
  print_type: 'VALUE',
  task_id: 'VALUE',
  subtask_id: 'VALUE',
  subtask_name: 'VALUE',
  gcode_file: 'VALUE',
  plate_idx: 'VALUE',
  mc_percent: 'VALUE',
  mc_remaining_time: 'VALUE',
  layer_num: 'VALUE',
  total_layer_num: 'VALUE',
  print_error: 'VALUE',
  stg_cur: 'VALUE',
  fail_reason: 'VALUE',
  hms: [{ attr: 'VALUE', code: 'VALUE' }],
  ams: { ams: [{ id: 'VALUE' }], tray_now: 'VALUE' },
  mapping: ['VALUE'],
};
const EXTRUDER: Shape = { state: 'VALUE', info: [{ id: 'VALUE', snow: 'VALUE' }] };

/** The longest text of a member, such as a path, and of an id or a code in a list. */
const MAX_TEXT = 1000;
const MAX_SHORT_TEXT = 64;
/** Longer than any list of a printer: four AMS units, eight AMS HT, a few dozen faults. */
const MAX_ELEMENTS = 256;

/** A delta has `msg` 1. A whole state has `msg` 0 or no `msg`: pushes of some models, and answers to pushall. */
export const isWholeState = (push: unknown) =>
  (memberAt(push, 'msg') ?? null) === null || toNumber(memberAt(push, 'msg')) === 0;

/** Merges a report into the known state. Members that the report leaves out stay as they were, even if the report is a whole state. */
export function mergeReport(known: MergedState, push: unknown): MergedState {
  const extruder = memberAt(push, 'device', 'extruder');
  return {
    ...(mergeInto(known, push, SHAPE, isWholeState(push)) as MergedState),
    // Extruders are never removed from a printer, so a report never shortens their list.
    ...(extruder === undefined ? {} : { extruder: mergeInto(memberAt(known, 'extruder'), extruder, EXTRUDER, false) }),
  };
}

function mergeInto(known: unknown, reported: unknown, shape: Shape, isWhole: boolean, maxText = MAX_TEXT): unknown {
  if (shape === 'VALUE') return limitValue(reported, maxText);
  if (isList(shape)) {
    return Array.isArray(reported) ? mergeList(Array.isArray(known) ? known : [], reported, shape[0], isWhole) : null;
  }
  if (!isJsonObject(reported)) return null;
  const members = Object.entries(shape).flatMap(([name, memberShape]) => {
    const value = memberAt(reported, name);
    return value === undefined
      ? []
      : [[name, mergeInto(memberAt(known, name), value, memberShape, isWhole, maxText)] as const];
  });
  return { ...(isJsonObject(known) ? known : {}), ...Object.fromEntries(members) };
}

const isList = (shape: Shape): shape is readonly [Shape] => Array.isArray(shape);

/** Limits a reported value. If a message has a long number, all its numbers arrive as objects with digits. */
function limitValue(reported: unknown, max: number): unknown {
  const value = exactDigits(reported) ?? reported;
  if (typeof value === 'string') return copyText(value.slice(0, max));
  return typeof value === 'object' ? null : value;
}

/** Merges a list by the ids of its elements, because a delta has only the unit that changed. A list without ids, or an empty list, replaces the old list. */
function mergeList(known: unknown[], reported: unknown[], shape: Shape, isWhole: boolean): unknown[] {
  const before = new Map(known.map((element) => [readId(element), element]));
  const now = reported.slice(0, MAX_ELEMENTS).map((element) => {
    const id = readId(element);
    return mergeInto(id === null ? undefined : before.get(id), element, shape, isWhole, MAX_SHORT_TEXT);
  });
  const ids = new Set(now.map(readId));
  if (isWhole || ids.size === 0 || ids.has(null)) return now;
  return [...known.filter((element) => !ids.has(readId(element))), ...now].slice(0, MAX_ELEMENTS);
}

/** Faults (hms) have no id, and their list is always sent complete. */
function readId(element: unknown): string | null {
  const value = memberAt(element, 'id');
  const id = exactDigits(value) ?? value;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : null;
}
