// Reads the merged reports of a Bambu printer, member by member, and decides the words for its states and error codes.
import type { Activity } from '../../farm/print-rules/print.model';
import type { Instant } from '../../values/instant';
import { takeBaseName } from '../../values/text';
import { memberAt, readLayer, readName, readPath, readShare, readWhole, readWholeSeconds } from '../message-values';
import type { MergedState } from './merged-reports';
import {
  externalSpoolOnly,
  hasNoAms,
  readActiveSlot,
  readMappedSlots,
  readRequestedSlots,
  type SlotUse,
} from './slots';

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

/** @param error 0 if there is none */
function toActivity(state: State | null, error: number): Activity {
  if (state === null) return 'UNKNOWN';
  return state === 'FAILED' && error !== 0 && !isCancel(error) ? 'ERROR' : ACTIVITIES[state];
}

/** The codes of a cancel by a user. */
const CANCELS = [0x0300_400c, 0x0500_400e];
export const isCancel = (code: number) => CANCELS.includes(code);

/** The codes of pauses that ask for filament. */
const ERROR_TEXTS: Record<number, string> = {
  [0x1200_8006]: 'Waiting for another colour (1200_8006)',
  [0x0300_8015]: 'Out of filament (0300_8015)',
};

/** The code and the stage (`stg_cur`) of a pause that a user requested, on the screen or in an app. */
const PAUSED_BY_USER_CODE = 0x0300_8013;
const PAUSED_BY_USER_STAGE = 16;

/** The stages of other pauses. A firmware that shows no error code in a pause shows its cause as a stage. */
const PAUSE_STAGES: Record<number, string> = {
  6: 'Out of filament',
  17: 'The front cover fell off',
  20: 'The nozzle temperature is wrong',
  21: 'The heatbed temperature is wrong',
  23: 'An axis lost steps',
  26: 'No contact with the AMS',
  27: 'The hotend fan is too slow',
  28: 'The chamber temperature is wrong',
  30: 'The file paused the print',
  32: 'Filament covers the nozzle',
  33: 'The filament cutter failed',
  34: 'The first layer failed',
  35: 'The nozzle is clogged',
};

const describeError = (code: number) => ERROR_TEXTS[code] ?? `Error ${formatErrorCode(code)}`;

/** Formats an error code as the screen of the printer shows it: 0500_400E. */
export const formatErrorCode = (code: number) =>
  code
    .toString(16)
    .toUpperCase()
    .padStart(8, '0')
    .replace(/(?=.{4}$)/, '_');

/** The printer's own calibration files, such as `auto_cali_for_user_param.gcode`. Not every model reports their folder. */
const CALIBRATION_FILE = /^\/usr\/|^auto_cali_for_user/;

export interface Status {
  /** `null` for a state that the gateway does not know. */
  state: State | null;
  activity: Activity;
  /** Whether the printer runs a print. A calibration runs a file of the printer itself, and is no print. */
  isPrint: boolean;
  externalId: string | null;
  name: string | null;
  /** The path of the plate; `null` if the machine does not report the plate. */
  path: string | null;
  /** The file as reported while it prints. P1 and A1 clear it when a print ends. */
  file: string | null;
  progress: string | null;
  remainingSec: number | null;
  layer: number | null;
  layers: number | null;
  /** `print_error` and `fail_reason`; 0 if there is none. */
  error: number;
  reason: number;
  /** While the print is paused or failed: its error code, or else the first fault on the printer's screen, or the cause of the pause. */
  message: string | null;
  isPausedByUser: boolean;
  /** The slots of the print; `null` if the machine does not report them. */
  slots: SlotUse | null;
  activeSlot: string | null;
}

export function readStatus(report: MergedState): Status {
  const type = memberAt(report, 'print_type');
  const file = readPath(memberAt(report, 'gcode_file'));
  const name = readName(memberAt(report, 'subtask_name')) ?? (file === null ? null : readName(takeBaseName(file)));
  const ams = memberAt(report, 'ams');
  const state = STATES.find((known) => known === memberAt(report, 'gcode_state')) ?? null;
  const error = readCode(memberAt(report, 'print_error'));
  const stage = readWhole(memberAt(report, 'stg_cur'), MAX_STAGE);
  const isPausedByUser =
    state === 'PAUSE' && (error === PAUSED_BY_USER_CODE || (error === 0 && stage === PAUSED_BY_USER_STAGE));
  return {
    state,
    activity: toActivity(state, error),
    isPrint: type !== 'system' && ![file, name].some((text) => CALIBRATION_FILE.test(text ?? '')),
    externalId: readExternalId(report),
    name,
    path: toPlatePath(name, readPlate(memberAt(report, 'plate_idx'), file)),
    file: file ?? readPath(name),
    progress: readShare(memberAt(report, 'mc_percent'), 100),
    remainingSec: readMinutes(memberAt(report, 'mc_remaining_time')),
    layer: readLayer(memberAt(report, 'layer_num')),
    layers: readLayer(memberAt(report, 'total_layer_num')),
    error,
    reason: readCode(memberAt(report, 'fail_reason')),
    message: isPausedByUser ? null : describeStop(state, error, stage, memberAt(report, 'hms')),
    isPausedByUser,
    // While the printer prepares, `mapping` may still belong to the print before.
    slots:
      (state === 'PREPARE' ? null : readMappedSlots(memberAt(report, 'mapping'), ams, memberAt(report, 'extruder'))) ??
      (hasNoAms(ams) ? externalSpoolOnly : null),
    activeSlot: readActiveSlot(ams, memberAt(report, 'extruder')),
  };
}

/** Reads the cloud's number of the print. Local prints have "0", or four digits without a subtask_id, and these digits repeat. */
function readExternalId(report: MergedState): string | null {
  const id = readId(memberAt(report, 'task_id'));
  if (id === null) return null;
  return readId(memberAt(report, 'subtask_id')) !== null || id.length > 6 ? id : null;
}

/** Reads an id as digits, because it may exceed 32 bits. */
function readId(value: unknown): string | null {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  return typeof text === 'string' && /^\d{1,40}$/.test(text) && /[1-9]/.test(text) ? text : null;
}

function readPlate(index: unknown, file: string | null): number | null {
  const [, digits] = /plate_(\d{1,3})\.gcode$/.exec(file ?? '') ?? [];
  const plate = readWhole(digits ?? index, 999);
  return plate === 0 ? null : plate;
}

/** Builds the path of a plate from name and number. All plates of a project share its name, and on some models every file is plate_1.gcode. */
export function toPlatePath(name: string | null, plate: number | null): string | null {
  return plate === null || name === null ? null : readPath(`${name}/plate_${plate}.gcode`);
}

function readMinutes(value: unknown): number | null {
  const minutes = readWholeSeconds(value);
  return minutes === null ? null : readWholeSeconds(minutes * 60);
}

/** Reads an error code from a number, its digits, or the form on the screen: 0500_400E. */
function readCode(value: unknown): number {
  const [, high, low] = /^([\dA-F]{4})_([\dA-F]{4})$/i.exec(typeof value === 'string' ? value : '') ?? [];
  return high !== undefined ? Number.parseInt(`${high}${low}`, 16) : (readWhole(value, 0xffff_ffff) ?? 0);
}

/** The printer reports 255 or -1 while it is idle. */
const MAX_STAGE = 255;

function describeStop(state: State | null, error: number, stage: number | null, hms: unknown): string | null {
  if (state !== 'PAUSE' && state !== 'FAILED') return null;
  return describeFault(error, hms) ?? (state === 'PAUSE' && stage !== null ? (PAUSE_STAGES[stage] ?? null) : null);
}

function describeFault(error: number, hms: unknown): string | null {
  if (error !== 0) return describeError(error);
  const first = Array.isArray(hms) ? hms[0] : undefined;
  const attr = readCode(memberAt(first, 'attr'));
  return attr === 0 ? null : `HMS ${formatErrorCode(attr)}_${formatErrorCode(readCode(memberAt(first, 'code')))}`;
}

/** The command of a slicer. The printer repeats it once to all its clients. */
export interface BambuCommand {
  at: Instant;
  name: string | null;
  slots: SlotUse | null;
  plate: number | null;
}

export function readCommand(body: unknown, report: MergedState, now: Instant): BambuCommand | null {
  if (memberAt(body, 'command') !== 'project_file' || isRefused(memberAt(body, 'result'))) return null;
  return {
    at: now,
    name: readName(memberAt(body, 'subtask_name')),
    slots: readRequestedSlots(body, memberAt(report, 'extruder')),
    plate: readPlate(memberAt(body, 'plate_idx'), readPath(memberAt(body, 'param'))),
  };
}

/** The printer writes the result in upper or lower case. */
const isRefused = (result: unknown) => typeof result === 'string' && result.toLowerCase() !== 'success';
