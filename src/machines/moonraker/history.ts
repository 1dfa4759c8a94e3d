// Reads Moonraker's history and the metadata of files, and decides which entries of the history cannot be trusted.

import type { End, FilamentPlan, PrintReading, Reading } from '../../farm/print-rules/print.model';
import type { Instant } from '../../values/instant';
import { takeBaseName } from '../../values/text';
import { createEmptyReading } from '../machine-adapter';
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

/** The statuses in the history that show how a print ended. `interrupted` and `server_exit` show only that Moonraker stopped. */
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
  /** The number of the row and its start time. The numbers start at 1 again with a new database. */
  externalId: string;
  filename: string;
  isRunning: boolean;
  /** Whether the print may have continued, because only a connection was lost. */
  mayContinue: boolean;
  outcome: End['outcome'];
  reason: string | null;
  startedSec: number;
  endedSec: number | null;
  totalSec: number;
  mm: string | null;
  plan: FilamentPlan | null;
  /** The numbers of the spools that were active during the print; `null` if Moonraker does not record them. */
  spoolIds: number[] | null;
}

/** The members of a row that the adapter reads. A thousand complete rows would have 3 MB. */
const READ_MEMBERS = ['job_id', 'filename', 'status', 'start_time', 'end_time', 'total_duration', 'filament_used'];
const READ_METADATA = ['estimated_time', 'filament_total', 'filament_weight_total', 'filament_weights'];

export function pickReadMembers(row: unknown): unknown {
  const pick = (value: unknown, names: readonly string[]) =>
    Object.fromEntries(
      names.flatMap((name) => (memberAt(value, name) === undefined ? [] : [[name, memberAt(value, name)]])),
    );
  const auxiliary = listAuxiliary(row).filter(isSpoolIds);
  return {
    ...pick(row, READ_MEMBERS),
    metadata: pick(memberAt(row, 'metadata'), READ_METADATA),
    ...(auxiliary.length > 0 && { auxiliary_data: auxiliary }),
  };
}

const listAuxiliary = (row: unknown): unknown[] => {
  const data = memberAt(row, 'auxiliary_data');
  return Array.isArray(data) ? data : [];
};
const isSpoolIds = (data: unknown) => memberAt(data, 'name') === 'spool_ids';

/** A print of one spool has one number. Further numbers only show that there were several. */
const MAX_SPOOL_IDS = 2;

function readSpoolIds(row: unknown): number[] | null {
  const ids = memberAt(listAuxiliary(row).find(isSpoolIds), 'value');
  if (!Array.isArray(ids)) return null;
  // `null` and 0 stand for no spool.
  const numbers = ids.slice(0, 64).map(toNumber);
  return [...new Set(numbers.filter((number) => Number.isInteger(number) && number > 0))].slice(0, MAX_SPOOL_IDS);
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
    // A running row has 0 until its end, and a row that Moonraker did not end has 0 or only a part.
    mm: outcome === null ? null : readMillimetres(memberAt(value, 'filament_used')),
    plan: readPlan(memberAt(value, 'metadata')),
    spoolIds: readSpoolIds(value),
  };
}

/**
 * The most slots in the rows of one answer: four for each of a thousand rows. One row may have 64 tools, but only a hostile machine sends a
 * thousand such rows.
 */
const MAX_SLOTS = 4000;

/** Reads the answer of `server.history.list`, oldest row first. Returns `null` for any other message. */
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
    .sort((a, b) => a.startedSec - b.startedSec);
}

/** Reads the plan that the slicer wrote into the file. */
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

/** Turns a row of the history into an ended print. */
export function toRecord(job: Job, now: Instant, clockOffMs: number | null): PrintReading & { end: End } {
  // Rows that other programs wrote may have a duration instead of an end.
  const endedSec = job.endedSec ?? (job.totalSec > 0 ? job.startedSec + job.totalSec : null);
  return {
    ...createEmptyReading(0),
    externalId: job.externalId,
    name: readName(takeBaseName(job.filename)),
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

export const buildRecordReading = (job: Job, now: Instant, clockOffMs: number | null): Reading => ({
  kind: 'RECORD',
  at: now,
  print: toRecord(job, now, clockOffMs),
});
