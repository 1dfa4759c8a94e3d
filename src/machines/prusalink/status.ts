// Reads the answers of PrusaLink, member by member: the status has the id of the job, and the job has its file.
import type { Activity, End, FilamentPlan } from '../../farm/print-rules/print.model';
import { buildToolPlan } from '../machine-adapter';
import {
  memberAt,
  readGrams,
  readMessage,
  readMillimetres,
  readName,
  readPath,
  readSeconds,
  readShare,
  readWhole,
  readWholeSeconds,
} from '../message-values';

const STATES = ['IDLE', 'BUSY', 'PRINTING', 'PAUSED', 'FINISHED', 'STOPPED', 'ERROR', 'ATTENTION', 'READY'] as const;
type State = (typeof STATES)[number];

const ACTIVITIES: Record<State, Activity> = {
  IDLE: 'IDLE',
  READY: 'IDLE',
  BUSY: 'PREPARING',
  PRINTING: 'PRINTING',
  PAUSED: 'PAUSED',
  FINISHED: 'FINISHED',
  STOPPED: 'IDLE',
  ERROR: 'ERROR',
  ATTENTION: 'PAUSED',
};

/** The states that stay until the plate is cleared, with the outcome of the print. */
export const END_STATES: Partial<Record<State, NonNullable<End['outcome']>>> = {
  FINISHED: 'COMPLETED',
  STOPPED: 'CANCELLED',
};

export const NO_REASON = 'The printer reported an error';

export interface Status {
  state: State;
  activity: Activity;
  /** The id of the job, with 16 bits on Buddy boards. 0 is a valid id; `null` means that the printer has no job. */
  id: number | null;
  progress: string | null;
  remainingSec: number | null;
  printingSec: number | null;
  message: string | null;
}

export function readStatus(body: unknown): Status | null {
  const state = STATES.find((name) => name === memberAt(body, 'printer', 'state'));
  if (state === undefined) return null;
  const job = memberAt(body, 'job');
  const printer = memberAt(body, 'printer', 'status_printer');
  return {
    state,
    activity: ACTIVITIES[state],
    id: readWhole(memberAt(job, 'id'), Number.MAX_SAFE_INTEGER),
    progress: readShare(memberAt(job, 'progress'), 100),
    remainingSec: readWholeSeconds(memberAt(job, 'time_remaining')),
    printingSec: readSeconds(memberAt(job, 'time_printing')),
    message: memberAt(printer, 'ok') === false ? readMessage(memberAt(printer, 'message')) : null,
  };
}

export interface Job {
  id: number;
  name: string;
  path: string | null;
  plan: FilamentPlan | null;
}

export function readJob(body: unknown): Job | null {
  const id = readWhole(memberAt(body, 'id'), Number.MAX_SAFE_INTEGER);
  const file = memberAt(body, 'file');
  const name = readName(memberAt(file, 'display_name')) ?? readName(memberAt(file, 'name'));
  if (id === null || name === null) return null;
  const folder = readPath(memberAt(file, 'path'));
  return {
    id,
    name,
    path: readPath(folder === null ? name : `${folder}/${name}`),
    plan: readPlan(memberAt(file, 'meta')),
  };
}

/** Any origin, to resolve the path of a picture. */
const PRINTER = 'http://printer';

/** The picture of the file of a job; `null` if there is none, or if it is not on the printer itself. */
export function findThumbnail(job: unknown): { filePath: string; path: string } | null {
  const filePath = readJob(job)?.path ?? null;
  const reference = readPath(memberAt(job, 'file', 'refs', 'thumbnail'));
  if (filePath === null || reference === null || !URL.canParse(reference, PRINTER)) return null;
  const { origin, pathname, search } = new URL(reference, PRINTER);
  return origin === PRINTER ? { filePath, path: pathname + search } : null;
}

/** Reads the slicer's amounts, which are a number or a list by tool. Only PrusaLink on a Raspberry Pi reports them. */
function readPlan(meta: unknown): FilamentPlan | null {
  const grams = readAmounts(memberAt(meta, 'filament used [g]'), readGrams);
  const mm = readAmounts(memberAt(meta, 'filament used [mm]'), readMillimetres);
  const tools = Array.from({ length: Math.max(grams.length, mm.length) }, (_, tool) => ({
    tool,
    mm: mm[tool] ?? null,
    grams: grams[tool] ?? null,
  }));
  return buildToolPlan(tools, null);
}

function readAmounts(value: unknown, read: (value: unknown) => string | null): (string | null)[] {
  const parts = typeof value === 'string' ? value.split(',', 64).map((part) => part.trim()) : [value];
  return parts.map(read);
}
