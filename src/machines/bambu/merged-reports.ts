// What a Bambu printer said so far: whole pushes and deltas, laid over each other.
import { digitsOf } from '../../values/decimal';
import { isJsonObject } from '../../values/json';
import { copyText, memberAt, toNumber } from '../message-values';

export type MergedState = Record<string, unknown>;

/** Which parts of a report stay in memory: a value, the named members of an object, or these members of each object in a list. */
type Shape = 'VALUE' | { readonly [member: string]: Shape } | readonly [Shape];

/** The members that are read. Temperatures and fans come each second, and a machine may make up new names without end. */
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
  fail_reason: 'VALUE',
  hms: [{ attr: 'VALUE', code: 'VALUE' }],
  ams: { ams: [{ id: 'VALUE' }], tray_now: 'VALUE' },
  mapping: ['VALUE'],
};
const EXTRUDER: Shape = { state: 'VALUE', info: [{ id: 'VALUE', snow: 'VALUE' }] };

/** As long as a path may be, and as an id or a code in a list. */
const MAX_TEXT = 1000;
const MAX_SHORT_TEXT = 64;
/** Four units, eight AMS HT, a few dozen faults: no list of a printer is longer. */
const MAX_ELEMENTS = 256;

/** A delta has `msg` 1. Pushes of other models, and answers to pushall, have 0 or none. */
export const isWholeState = (push: unknown) =>
  (memberAt(push, 'msg') ?? null) === null || toNumber(memberAt(push, 'msg')) === 0;

/** Members that a push leaves out stay, also in a whole one. */
export function mergeReport(known: MergedState, push: unknown): MergedState {
  const extruder = memberAt(push, 'device', 'extruder');
  return {
    ...(mergeInto(known, push, SHAPE, isWholeState(push)) as MergedState),
    // None is ever taken off.
    ...(extruder === undefined ? {} : { extruder: mergeInto(memberAt(known, 'extruder'), extruder, EXTRUDER, false) }),
  };
}

function mergeInto(known: unknown, reported: unknown, shape: Shape, whole: boolean, maxText = MAX_TEXT): unknown {
  if (shape === 'VALUE') return limitValue(reported, maxText);
  if (isList(shape)) {
    return Array.isArray(reported) ? mergeList(Array.isArray(known) ? known : [], reported, shape[0], whole) : null;
  }
  if (!isJsonObject(reported)) return null;
  const members = Object.entries(shape).flatMap(([name, of]) => {
    const value = memberAt(reported, name);
    return value === undefined ? [] : [[name, mergeInto(memberAt(known, name), value, of, whole, maxText)] as const];
  });
  return { ...(isJsonObject(known) ? known : {}), ...Object.fromEntries(members) };
}

const isList = (shape: Shape): shape is readonly [Shape] => Array.isArray(shape);

/** In a message with a long number, all numbers are objects with digits. */
function limitValue(reported: unknown, max: number): unknown {
  const value = digitsOf(reported) ?? reported;
  if (typeof value === 'string') return copyText(value.slice(0, max));
  return typeof value === 'object' ? null : value;
}

/** By id: a delta names only the unit that changed. A list without ids, and an empty one, is as it was reported. */
function mergeList(known: unknown[], reported: unknown[], shape: Shape, whole: boolean): unknown[] {
  const before = new Map(known.map((element) => [readId(element), element]));
  const now = reported.slice(0, MAX_ELEMENTS).map((element) => {
    const id = readId(element);
    return mergeInto(id === null ? undefined : before.get(id), element, shape, whole, MAX_SHORT_TEXT);
  });
  const ids = new Set(now.map(readId));
  if (whole || ids.size === 0 || ids.has(null)) return now;
  return [...known.filter((element) => !ids.has(readId(element))), ...now].slice(0, MAX_ELEMENTS);
}

/** Faults (hms) have no id: a list of them is always sent whole. */
function readId(element: unknown): string | null {
  const given = memberAt(element, 'id');
  const id = digitsOf(given) ?? given;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : null;
}
