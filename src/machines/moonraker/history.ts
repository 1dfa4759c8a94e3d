// Moonraker's history and metadata of files: what it has noted of prints, and where that is wrong for ever.

import type { End, FilamentPlan, PrintReading, Reading } from '../../farm/print-rules/print.model';
import type { Instant } from '../../values/instant';
import { baseNameOf } from '../../values/text';
import { emptyReading } from '../machine-adapter';
import {
  copyText,
  memberAt,
  readGrams,
  readMessage,
  readMillimetres,
  readName,
  readPath,
  readSeconds,
  readUnixTime,
  readWholeSeconds,
  toNumber,
} from '../message-values';

/** The statuses of the history that say how a print ended. `interrupted` and `server_exit` say only that Moonraker stopped. */
const OUTCOMES: Record<string, End['outcome']> = {
  completed: 'COMPLETED',
  cancelled: 'CANCELLED',
  error: 'FAILED',
  klippy_shutdown: 'FAILED',
  klippy_disconnect: 'FAILED',
};

const toOutcome = (status: string): End['outcome'] =>
  Object.hasOwn(OUTCOMES, status) ? (OUTCOMES[status] ?? null) : null;

const REASONS: Record<string, string> = {
  klippy_shutdown: 'Klipper shut down',
  klippy_disconnect: 'Klipper was restarted',
  interrupted: 'Moonraker was stopped while it printed',
  server_exit: 'Moonraker was stopped while it printed',
};

/** A row of the history. */
export interface Job {
  /** The number of the row, which begins at 1 again with a new database, and the whole start time. */
  externalId: string;
  filename: string;
  isRunning: boolean;
  /** Whether its print may have gone on: only its connection was lost. */
  mayContinue: boolean;
  outcome: End['outcome'];
  reason: string | null;
  startedSec: number;
  endedSec: number | null;
  totalSec: number;
  mm: string | null;
  plan: FilamentPlan | null;
}

/** The members of a row that are read: a thousand whole rows have 3 MB. */
const READ_MEMBERS = ['job_id', 'filename', 'status', 'start_time', 'end_time', 'total_duration', 'filament_used'];
const READ_METADATA = ['estimated_time', 'filament_total', 'filament_weight_total', 'filament_weights'];

export function pickReadMembers(row: unknown): unknown {
  const pick = (value: unknown, names: readonly string[]) =>
    Object.fromEntries(
      names.flatMap((name) => (memberAt(value, name) === undefined ? [] : [[name, memberAt(value, name)]])),
    );
  return { ...pick(row, READ_MEMBERS), metadata: pick(memberAt(row, 'metadata'), READ_METADATA) };
}

export function readJob(value: unknown): Job | null {
  const id = readName(memberAt(value, 'job_id'));
  const filename = readPath(memberAt(value, 'filename'));
  const status = readName(memberAt(value, 'status'));
  const start = memberAt(value, 'start_time');
  const startedSec = toNumber(start);
  if (id === null || filename === null || status === null) return null;
  if (!(startedSec >= 0 && startedSec < 1e11) || start === '') return null;
  const outcome = toOutcome(status);
  const ended = toNumber(memberAt(value, 'end_time'));
  return {
    externalId: copyText(`${id}@${String(start)}`.slice(0, 200)),
    filename,
    isRunning: status === 'in_progress',
    mayContinue: ['interrupted', 'server_exit', 'klippy_disconnect'].includes(status),
    outcome,
    reason: outcome === 'COMPLETED' || outcome === 'CANCELLED' ? null : (REASONS[status] ?? readMessage(status)),
    startedSec,
    endedSec: ended > 0 && ended < 1e11 ? ended : null,
    totalSec: readSeconds(memberAt(value, 'total_duration')) ?? 0,
    // A running row says 0 until its end; one that Moonraker did not end has 0 or a part.
    mm: outcome === null ? null : readMillimetres(memberAt(value, 'filament_used')),
    plan: readPlan(memberAt(value, 'metadata')),
  };
}

/** Of all rows of an answer, the newest first: four of each. A row of 64 tools is possible, a thousand of them are not honest. */
const MAX_SLOTS = 4000;

/** The answer of `server.history.list`, oldest first. null: it is none. */
export function readJobs(body: unknown): Job[] | null {
  const rows = memberAt(body, 'jobs');
  if (!Array.isArray(rows)) return null;
  const jobs = rows.slice(0, 1000).flatMap((row) => readJob(row) ?? []);
  let slots = 0;
  return jobs
    .map((job) => {
      slots += job.plan?.slots.length ?? 0;
      return slots > MAX_SLOTS ? { ...job, plan: null } : job;
    })
    .sort((one, other) => one.startedSec - other.startedSec);
}

/** What the slicer wrote into the file. */
export function readPlan(metadata: unknown): FilamentPlan | null {
  const seconds = readWholeSeconds(memberAt(metadata, 'estimated_time'));
  const mm = readMillimetres(memberAt(metadata, 'filament_total'));
  const total = readGrams(memberAt(metadata, 'filament_weight_total'));
  const weights = memberAt(metadata, 'filament_weights');
  const grams = Array.isArray(weights) ? weights.slice(0, 64).map(readGrams) : [];
  const used = [...grams.entries()].filter(([, gram]) => Number(gram) > 0);
  const slots =
    used.length > 1
      ? used.map(([tool, gram]) => ({ slot: `tool:${tool}`, mm: null, grams: gram }))
      : mm === null && total === null
        ? []
        : [{ slot: `tool:${used[0]?.[0] ?? 0}`, mm, grams: total ?? used[0]?.[1] ?? null }];
  return seconds === null && slots.length === 0 ? null : { seconds, slots };
}

/** A job as a print that is over. */
export function toRecord(job: Job, now: Instant, clockOffMs: number | null): PrintReading & { end: End } {
  // Rows of other programs may have no end, and say how long it took.
  const endedSec = job.endedSec ?? (job.totalSec > 0 ? job.startedSec + job.totalSec : null);
  return {
    ...emptyReading(0),
    externalId: job.externalId,
    name: readName(baseNameOf(job.filename)),
    filePath: job.filename,
    startedAt: readUnixTime(job.startedSec, now, clockOffMs),
    measured: job.mm === null ? [] : [{ slot: 'tool:0', mm: job.mm, grams: null }],
    plan: job.plan,
    end: {
      outcome: job.outcome,
      at: endedSec === null || job.outcome === null ? null : readUnixTime(endedSec, now, clockOffMs),
      estimated: job.endedSec === null,
      reason: job.reason,
    },
  };
}

export const recordReading = (job: Job, now: Instant, clockOffMs: number | null): Reading => ({
  kind: 'RECORD',
  at: now,
  print: toRecord(job, now, clockOffMs),
});
