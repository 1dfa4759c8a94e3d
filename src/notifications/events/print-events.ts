// What is reported of a print, or of a job without one. historiesOf reads from the notes how it was before its changes and behind each of
// them; eventsOf decides by that what happened.

import type { JobStatus } from '../../farm/print-jobs/print-job.status';
import type { PrintOutcome } from '../../farm/print-rules/print.model';
import { decideWait } from '../../farm/prints/observed-print.status';
import type { PrintWait } from '../../farm/prints/observed-print.types';
import { earliestOf, HOUR_MS, type Instant, latestOf, msBetween } from '../../values/instant';
import { GIVEN_UP_AFTER_HOURS } from '../deliveries/delivery.limits';

/** How a print, or a job without one, is or was. */
export interface PrintSnapshot {
  /** The outcome of the print; null for a job without a print. */
  outcome: PrintOutcome | null;
  jobId: string | null;
  /** The status of the job; null where there is none. */
  status: JobStatus | null;
  lacksSpool: boolean;
  isIgnored: boolean;
}

/** A print, or a job without one, as its messages show it. */
export interface PrintOrJob extends PrintSnapshot {
  /** The id of the print, or of the job that has none. */
  id: string;
  /** Whether the job was ever printing. */
  hasPrinted: boolean;
  printerId: string;
  /** Null only where another program removed the row. */
  printerName: string | null;
  printName: string | null;
  jobName: string | null;
  startedAt: Instant | null;
  endedAt: Instant | null;
  /** Why it failed or was cancelled, in the printer's words. */
  reason: string | null;
  /** Whether the alert of what it waits for is silenced. */
  isSilenced: boolean;
  grams: string | null;
  cost: string | null;
}

/** How it was behind one of its changes. */
export interface StateAfterChange {
  /** The id of the note of the change. */
  changeId: number;
  at: Instant;
  /** Null where neither the print nor the job was there. */
  snapshot: PrintSnapshot | null;
}

/** A note: how the entity was before. A print without an outcome, and a job without a status, was not there. */
export interface ChangeNote extends PrintSnapshot {
  id: number;
  at: Instant;
  type: 'PRINT' | 'JOB';
  entity: string;
}

/** How a print or a job is behind the notes that are read. */
export interface EntityState extends PrintSnapshot {
  id: string;
}

/** A look at the notes: the oldest ones, and the state behind them of each print and job that they are of. */
export interface Look {
  changes: ChangeNote[];
  prints: EntityState[];
  jobs: EntityState[];
  /** The prints, and the jobs that are in the notes, as messages show them. */
  subjects: PrintOrJob[];
}

interface ChangeHistory {
  subject: PrintOrJob;
  before: PrintSnapshot | null;
  moments: StateAfterChange[];
}

/** @returns a history for each print, and for each job without one, that the notes are of */
export function historiesOf({ changes, prints, jobs, subjects }: Look): ChangeHistory[] {
  const printTimes = new Timelines('PRINT', changes, prints);
  const jobTimes = new Timelines('JOB', changes, jobs);
  const details = new Map(subjects.map((one) => [one.id, one]));
  // Another row of the same print took in a print that is gone: the job of that one was one too many.
  const taken = new Set(prints.flatMap(({ id, jobId }) => (details.has(id) ? (jobId ?? []) : printTimes.jobsOf(id))));
  const histories: ChangeHistory[] = [];
  for (const { id, outcome } of prints) {
    const subject = details.get(id);
    if (subject === undefined || outcome === null) continue;
    const ofJobs = printTimes.jobsOf(id);
    const snapshotAt = (changeId: number): PrintSnapshot | null => {
      const print = printTimes.at(id, changeId);
      // A print that is not there yet may be that of a job that a person set to printing.
      const jobId = print.outcome === null ? (ofJobs[0] ?? null) : print.jobId;
      const status = jobId === null ? null : jobTimes.at(jobId, changeId).status;
      return print.outcome === null && status === null ? null : { ...print, jobId, status };
    };
    histories.push(
      historyOf(subject, [...printTimes.notesOf(id), ...ofJobs.flatMap((job) => jobTimes.notesOf(job))], snapshotAt),
    );
  }
  for (const { id } of jobs) {
    const subject = details.get(id);
    if (subject === undefined || taken.has(id)) continue;
    const snapshotAt = (changeId: number) => {
      const job = jobTimes.at(id, changeId);
      return job.status === null ? null : { ...job, jobId: id };
    };
    histories.push(historyOf(subject, jobTimes.notesOf(id), snapshotAt));
  }
  return histories;
}

function historyOf(
  subject: PrintOrJob,
  notes: readonly ChangeNote[],
  snapshotAt: (changeId: number) => PrintSnapshot | null,
): ChangeHistory {
  const ordered = notes.toSorted((one, other) => one.id - other.id);
  return {
    subject,
    before: snapshotAt(0),
    moments: ordered.map(({ id, at }) => ({ changeId: id, at, snapshot: snapshotAt(id) })),
  };
}

/** How all prints of a look, or all its jobs, were at each of their notes. */
class Timelines {
  private readonly notes = new Map<string, ChangeNote[]>();
  private readonly last: ReadonlyMap<string, EntityState>;

  constructor(type: ChangeNote['type'], changes: readonly ChangeNote[], states: readonly EntityState[]) {
    for (const change of changes) {
      if (change.type === type) this.notes.set(change.entity, [...this.notesOf(change.entity), change]);
    }
    this.last = new Map(states.map((state) => [state.id, state]));
  }

  notesOf(entity: string): readonly ChangeNote[] {
    return this.notes.get(entity) ?? [];
  }

  /** Behind the note with this id: what it was before its next note. */
  at(entity: string, changeId: number): PrintSnapshot {
    return this.notesOf(entity).find(({ id }) => id > changeId) ?? (this.last.get(entity) as EntityState);
  }

  /** The jobs that a print had, the first one first. */
  jobsOf(print: string): string[] {
    const all = [...this.notesOf(print), this.last.get(print)];
    return [...new Set(all.flatMap((one) => one?.jobId ?? []))];
  }
}

export type Ended = 'COMPLETED' | 'CANCELLED' | 'FAILED';

export interface PrintEvent {
  event: 'PRINT_BEGAN' | 'PRINT_ENDED' | 'PRINT_WAITS';
  /** The note of the change that made it so: a target gets what happens after it was enabled. */
  changeId: number;
  /** When it happened. */
  at: Instant;
  /** When the farm heard of it: never a time of a machine. */
  heardAt: Instant;
}

/** A print that was over for so long when it was first heard of is history. */
const HISTORY_MS = GIVEN_UP_AFTER_HOURS * HOUR_MS;

const ENDED: Partial<Record<string, Ended>> = {
  Completed: 'COMPLETED',
  Cancelled: 'CANCELLED',
  Failed: 'FAILED',
  COMPLETED: 'COMPLETED',
  CANCELLED: 'CANCELLED',
  FAILED: 'FAILED',
};

/** What became of it, once it is over. The status that a person gave its job wins. */
export function endedAs({ outcome, status }: PrintSnapshot): Ended | null {
  if (outcome === 'RUNNING') return null;
  return ENDED[status ?? ''] ?? ENDED[outcome ?? ''] ?? null;
}

export function waitsFor({ outcome, lacksSpool, isIgnored }: PrintSnapshot): PrintWait | null {
  if (outcome === null) return null;
  return decideWait({ outcome, lacksSpool, isIgnored });
}

/**
 * What came and went again between its changes is not reported; what stays is, with the time at which it became so.
 * @param before null where neither the print nor the job was there
 * @param moments behind each of its changes, oldest first; the last one is how it is now
 */
export function eventsOf(
  subject: Pick<PrintOrJob, 'startedAt' | 'endedAt' | 'hasPrinted'>,
  before: PrintSnapshot | null,
  moments: readonly StateAfterChange[],
): PrintEvent[] {
  const last = moments.at(-1)?.snapshot ?? null;
  if (last === null || last.isIgnored) return [];
  if (before === null && last.outcome !== 'RUNNING' && isHistory(subject, moments)) return [];
  const [end, wait] = [endedAs(last), waitsFor(last)];
  const events: PrintEvent[] = [];
  const changed = (isSo: (snapshot: PrintSnapshot | null) => unknown) => lastChange(before, moments, isSo);
  const isFoundOver = (moment: StateAfterChange) => wasFoundOver(moment, before, moments);
  if (!hasBegun(before)) {
    const began = moments.find(({ snapshot }) => isPrinting(snapshot));
    if (began !== undefined)
      events.push({ event: 'PRINT_BEGAN', ...times(began, isFoundOver(began) ? subject.startedAt : null) });
  }
  if (end !== null && end !== (before && endedAs(before)) && !wasOnlyQueued(last, subject)) {
    const ended = changed((snapshot) => snapshot && endedAs(snapshot));
    const isFound = isFoundOver(ended) && ended.snapshot?.outcome === last.outcome && !hasBegun(before);
    events.push({ event: 'PRINT_ENDED', ...times(ended, isFound ? subject.endedAt : null) });
  }
  if (wait !== null && wait !== (before && waitsFor(before))) {
    const waiting = changed((snapshot) => snapshot && waitsFor(snapshot));
    events.push({ event: 'PRINT_WAITS', ...times(waiting, null) });
  }
  return inOwnOrder(events);
}

/**
 * Whether it had ended long before it was recorded. Only that counts, and not when it is reported: what no gateway could report in time
 * becomes a delivery that is given up, and a notification OMITTED counts it.
 */
const isHistory = ({ endedAt }: Pick<PrintOrJob, 'endedAt'>, [first]: readonly StateAfterChange[]): boolean =>
  endedAt !== null && first !== undefined && msBetween(endedAt, first.at) > HISTORY_MS;

/** Whether the print was over when the farm heard of it at this moment: then only the machine has the time of that. */
function wasFoundOver(
  moment: StateAfterChange,
  before: PrintSnapshot | null,
  moments: readonly StateAfterChange[],
): boolean {
  const index = moments.indexOf(moment);
  const previous = index === 0 ? before : (moments[index - 1] as StateAfterChange).snapshot;
  const { outcome = null } = moment.snapshot ?? {};
  return (previous?.outcome ?? null) === null && outcome !== null && outcome !== 'RUNNING';
}

/** The change since which it is as it is now. */
function lastChange(
  before: PrintSnapshot | null,
  moments: readonly StateAfterChange[],
  memberIn: (snapshot: PrintSnapshot | null) => unknown,
): StateAfterChange {
  const all = [before, ...moments.map(({ snapshot }) => snapshot)].map(memberIn);
  const index = moments.findLastIndex((_, at) => all[at] !== all[at + 1]);
  return moments[index] as StateAfterChange;
}

/** @param reportedAt by the machine, of which nothing is later than when the farm heard of it */
function times({ changeId, at }: StateAfterChange, reportedAt: Instant | null) {
  return { changeId, at: reportedAt ? earliestOf([reportedAt, at]) : at, heardAt: at };
}

/** Nothing ends before it begins, whatever clocks say. */
const inOwnOrder = (events: readonly PrintEvent[]): PrintEvent[] =>
  events.map((one, index) => ({ ...one, at: latestOf(events.slice(0, index + 1).map(({ at }) => at)) }));

/** A job that ends while it is still queued, cancelled or failed, is not the end of a print. */
const wasOnlyQueued = ({ outcome }: PrintSnapshot, { hasPrinted }: Pick<PrintOrJob, 'hasPrinted'>) =>
  outcome === null && !hasPrinted;

const isPrinting = (snapshot: PrintSnapshot | null) =>
  snapshot !== null && (snapshot.outcome !== null || snapshot.status === 'Printing');

const hasBegun = (snapshot: PrintSnapshot | null): boolean =>
  snapshot !== null && (snapshot.outcome !== null || (snapshot.status !== null && snapshot.status !== 'Queued'));
