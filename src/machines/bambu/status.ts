// What the merged pushes of a Bambu printer say, read member by member, and what its words and codes are for people.
import type { Activity } from '../../farm/print-rules/print.model';
import type { Instant } from '../../values/instant';
import { baseNameOf } from '../../values/text';
import { layerOf, memberAt, nameOf, partOf, pathOf, wholeOf, wholeSeconds } from '../message-values';
import type { MergedState } from './merged-reports';
import { externalSpoolOnly, hasNoAms, type SlotUse, slotFeeding, slotsAsked, slotsMapped } from './slots';

const STATES = ['IDLE', 'PREPARE', 'SLICING', 'RUNNING', 'PAUSE', 'FINISH', 'FAILED'] as const;
type State = (typeof STATES)[number];

const ACTIVITIES: Record<State, Activity> = {
  IDLE: 'IDLE',
  PREPARE: 'PREPARING',
  SLICING: 'PREPARING',
  RUNNING: 'PRINTING',
  PAUSE: 'PAUSED',
  FINISH: 'FINISHED',
  FAILED: 'IDLE',
};

/** @param error 0 is none */
function activityOf(state: State | null, error: number): Activity {
  if (state === null) return 'UNKNOWN';
  return state === 'FAILED' && error !== 0 && !isCancel(error) ? 'ERROR' : ACTIVITIES[state];
}

/** A person cancelled it. */
const CANCELS = [0x0300_400c, 0x0500_400e];
export const isCancel = (code: number) => CANCELS.includes(code);

/** Pauses that only ask for filament. */
const ERROR_WORDS: Record<number, string> = {
  [0x1200_8006]: 'It waits for another colour (1200_8006)',
  [0x0300_8015]: 'Its filament ran out (0300_8015)',
};

const errorWords = (code: number) => ERROR_WORDS[code] ?? `Error ${errorCodeText(code)}`;

/** As the screen shows it: 0500_400E. */
export const errorCodeText = (code: number) =>
  code
    .toString(16)
    .toUpperCase()
    .padStart(8, '0')
    .replace(/(?=.{4}$)/, '_');

/** `auto_cali_for_user_param.gcode` and others; not every model says where they lie. */
const OWN_FILE = /^\/usr\/|^auto_cali_for_user/;

export interface Status {
  /** null: one that is not known. */
  state: State | null;
  activity: Activity;
  /** A calibration runs a file of the printer's own. */
  isPrint: boolean;
  externalId: string | null;
  name: string | null;
  /** The file of its plate; null where the machine does not name the plate. */
  path: string | null;
  /** As it is reported while it prints: P1 and A1 clear it when a print is over. */
  file: string | null;
  progress: string | null;
  remainingSec: number | null;
  layer: number | null;
  layers: number | null;
  /** `print_error` and `fail_reason`; 0 is none. */
  error: number;
  reason: number;
  /** Its code, or else the first of the faults that its screen shows, while it does not go on. */
  message: string | null;
  /** The slots of the whole print; null where the machine does not say. */
  slots: SlotUse | null;
  feeding: string | null;
}

export function statusOf(report: MergedState): Status {
  const type = memberAt(report, 'print_type');
  const file = pathOf(memberAt(report, 'gcode_file'));
  const name = nameOf(memberAt(report, 'subtask_name')) ?? (file === null ? null : nameOf(baseNameOf(file)));
  const ams = memberAt(report, 'ams');
  const state = STATES.find((known) => known === memberAt(report, 'gcode_state')) ?? null;
  const error = codeOf(memberAt(report, 'print_error'));
  return {
    state,
    activity: activityOf(state, error),
    isPrint: type !== 'system' && ![file, name].some((text) => OWN_FILE.test(text ?? '')),
    externalId: externalIdOf(report),
    name,
    path: pathOfPlate(name, plateOf(memberAt(report, 'plate_idx'), file)),
    file: file ?? pathOf(name),
    progress: partOf(memberAt(report, 'mc_percent'), 100),
    remainingSec: minutesOf(memberAt(report, 'mc_remaining_time')),
    layer: layerOf(memberAt(report, 'layer_num')),
    layers: layerOf(memberAt(report, 'total_layer_num')),
    error,
    reason: codeOf(memberAt(report, 'fail_reason')),
    message: state === 'PAUSE' || state === 'FAILED' ? messageOf(error, memberAt(report, 'hms')) : null,
    // While it prepares, `mapping` may be that of the print before.
    slots:
      (state === 'PREPARE' ? null : slotsMapped(memberAt(report, 'mapping'), ams, memberAt(report, 'extruder'))) ??
      (hasNoAms(ams) ? externalSpoolOnly : null),
    feeding: slotFeeding(ams, memberAt(report, 'extruder')),
  };
}

/** A number of the cloud. Local prints have "0", or four digits without a subtask_id, which come again. */
function externalIdOf(report: MergedState): string | null {
  const id = idOf(memberAt(report, 'task_id'));
  if (id === null) return null;
  return idOf(memberAt(report, 'subtask_id')) !== null || id.length > 6 ? id : null;
}

/** As digits: it may exceed 32 bits. */
function idOf(value: unknown): string | null {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  return typeof text === 'string' && /^\d{1,40}$/.test(text) && /[1-9]/.test(text) ? text : null;
}

function plateOf(index: unknown, file: string | null): number | null {
  const [, digits] = /plate_(\d{1,3})\.gcode$/.exec(file ?? '') ?? [];
  const plate = wholeOf(digits ?? index, 999);
  return plate === 0 ? null : plate;
}

/** All plates of a project have its name, and on some models all files are plate_1.gcode: only both distinguish them. */
export function pathOfPlate(name: string | null, plate: number | null): string | null {
  return plate === null || name === null ? null : pathOf(`${name}/plate_${plate}.gcode`);
}

function minutesOf(value: unknown): number | null {
  const minutes = wholeSeconds(value);
  return minutes === null ? null : wholeSeconds(minutes * 60);
}

/** A number, its digits, or as the screen shows it: 0500_400E. */
function codeOf(value: unknown): number {
  const [, high, low] = /^([\dA-F]{4})_([\dA-F]{4})$/i.exec(typeof value === 'string' ? value : '') ?? [];
  return high !== undefined ? Number.parseInt(`${high}${low}`, 16) : (wholeOf(value, 0xffff_ffff) ?? 0);
}

function messageOf(error: number, hms: unknown): string | null {
  if (error !== 0) return errorWords(error);
  const first = Array.isArray(hms) ? hms[0] : undefined;
  const attr = codeOf(memberAt(first, 'attr'));
  return attr === 0 ? null : `HMS ${errorCodeText(attr)}_${errorCodeText(codeOf(memberAt(first, 'code')))}`;
}

/** The command of a slicer, as the printer repeats it once to all who listen. */
export interface BambuCommand {
  at: Instant;
  name: string | null;
  slots: SlotUse | null;
  plate: number | null;
}

export function commandOf(body: unknown, report: MergedState, now: Instant): BambuCommand | null {
  if (memberAt(body, 'command') !== 'project_file' || isRefused(memberAt(body, 'result'))) return null;
  return {
    at: now,
    name: nameOf(memberAt(body, 'subtask_name')),
    slots: slotsAsked(body, memberAt(report, 'extruder')),
    plate: plateOf(memberAt(body, 'plate_idx'), pathOf(memberAt(body, 'param'))),
  };
}

/** In small letters or large ones. */
const isRefused = (result: unknown) => typeof result === 'string' && result.toLowerCase() !== 'success';
