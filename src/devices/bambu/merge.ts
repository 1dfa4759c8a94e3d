// What a Bambu printer said so far: whole pushes and deltas, laid over each other.
import { digitsOf } from '../../values/decimal';
import { isJsonObject } from '../../values/json';
import { at } from '../bounds';

export type Report = Record<string, unknown>;

/** The members that are read. Temperatures and fans come each second and are not kept. */
const MEMBERS = [
  'gcode_state',
  'print_type',
  'task_id',
  'subtask_id',
  'subtask_name',
  'gcode_file',
  'plate_idx',
  'mc_percent',
  'mc_remaining_time',
  'layer_num',
  'total_layer_num',
  'print_error',
  'fail_reason',
  'hms',
  'ams',
  'mapping',
];

/** ams.ams[].tray[] is the deepest of them. What lies deeper is replaced. */
const MAX_DEPTH = 8;
/** Four units, eight AMS-HT, a few dozen faults: no list of a printer is longer. */
const MAX_ELEMENTS = 256;

/** A delta has `msg` 1. Pushes of other models, and answers to pushall, have 0 or none. */
export const isWhole = (push: unknown) => at(push, 'msg') === undefined || Number(at(push, 'msg')) === 0;

/** Members that a push leaves out stay, also in a whole one. */
export function merged(known: Report, push: unknown): Report {
  const told = MEMBERS.flatMap((name) => {
    const value = at(push, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const extruder = at(push, 'device', 'extruder');
  return {
    ...(laidOver(known, Object.fromEntries(told), isWhole(push), 0) as Report),
    // None is ever taken off.
    ...(extruder === undefined ? {} : { extruder: laidOver(at(known, 'extruder'), extruder, false, 1) }),
  };
}

function laidOver(known: unknown, told: unknown, whole: boolean, depth: number): unknown {
  if (depth >= MAX_DEPTH) return null;
  if (Array.isArray(told)) return listOver(Array.isArray(known) ? known : [], told, whole, depth);
  // In a message with a long number, all numbers are objects with digits.
  if (!isJsonObject(told)) return digitsOf(told) ?? told;
  const before = isJsonObject(known) ? known : {};
  const entries = Object.entries(told).map(([name, value]) => {
    return [name, laidOver(at(before, name), value, whole, depth + 1)] as const;
  });
  return Object.fromEntries([...Object.entries(before), ...entries]);
}

/** By id: a delta names only the unit or tray that changed. A list without ids, and an empty one, is as it was told. */
function listOver(known: unknown[], told: unknown[], whole: boolean, depth: number): unknown[] {
  const elements = told.slice(0, MAX_ELEMENTS);
  const before = new Map(known.map((element) => [idOf(element), element]));
  const now = elements.map((element) => {
    const id = idOf(element);
    return laidOver(id === null ? undefined : before.get(id), element, whole, depth + 1);
  });
  const ids = new Set(now.map(idOf));
  if (whole || ids.size === 0 || ids.has(null)) return now;
  return [...known.filter((element) => !ids.has(idOf(element))), ...now].slice(0, MAX_ELEMENTS);
}

/** Faults (hms) have no id: without one, a list is always told whole. */
function idOf(element: unknown): string | null {
  const given = at(element, 'id');
  const id = digitsOf(given) ?? given;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : null;
}
