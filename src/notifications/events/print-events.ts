// Decides which events of a print, or of a job without a print, are reported. buildHistories restores from the notes the state before and
// after each change; findEvents compares these states.

import type { JobStatus } from '../../farm/print-jobs/print-job.status';
import type { PrintOutcome } from '../../farm/print-rules/print.model';
import { decideWait } from '../../farm/prints/observed-print.status';
import type { PrintWait } from '../../farm/prints/observed-print.types';
import { findEarliest, findLatest, HOUR_MS, type Instant, msBetween } from '../../values/instant';
import { GIVEN_UP_AFTER_HOURS } from '../deliveries/retries';

/** The state of a print, or of a job without a print, at one moment. */
export interface PrintSnapshot {
  /** `null` for a job without a print. */
  outcome: PrintOutcome | null;
  jobId: string | null;
  /** The status of the job; `null` if there is no job. */
  status: JobStatus | null;
  lacksSpool: boolean;
  isIgnored: boolean;
}

/** A print, or a job without a print, with everything that messages show. */
export interface PrintOrJob extends PrintSnapshot {
  /** The id of the print, or of the job if there is no print. */
  id: string;
  /** Whether the job was ever printing. */
  hasPrinted: boolean;
  printerId: string;
  /** `null` only if another program removed the printer. */
  printerName: string | null;
  printName: string | null;
  jobName: string | null;
  startedAt: Instant | null;
  endedAt: Instant | null;
  /** The printer's message about a failure or a cancellation. */
  reason: string | null;
  /** Whether the alert about the waiting print is silenced. */
  isSilenced: boolean;
  grams: string | null;
  cost: string | null;
}

/** The state after one change. */
export interface StateAfterChange {
  /** The id of the note of the change. */
  changeId: number;
  at: Instant;
  /** `null` if neither the print nor the job existed. */
  snapshot: PrintSnapshot | null;
}

/** A note of a change, with the state before it. A print without an outcome and a job without a status did not exist before. */
export interface ChangeNote extends PrintSnapshot {
  id: number;
  at: Instant;
  type: 'PRINT' | 'JOB';
  entity: string;
}

/** The state of a print or a job after the notes that were read. */
export interface EntityState extends PrintSnapshot {
  id: string;
}

/** The oldest notes, and the states of their prints and jobs after these notes. */
export interface UnreportedChanges {
  changes: ChangeNote[];
  prints: EntityState[];
  jobs: EntityState[];
  /** The prints, and the jobs of the notes, with everything that messages show. */
  subjects: PrintOrJob[];
}

interface ChangeHistory {
  subject: PrintOrJob;
  before: PrintSnapshot | null;
  moments: StateAfterChange[];
}

/** @returns one history for each print of the notes, and one for each job without a print */
export function buildHistories({ changes, prints, jobs, subjects }: UnreportedChanges): ChangeHistory[] {
  const printTimelines = new Timelines('PRINT', changes, prints);
  const jobTimelines = new Timelines('JOB', changes, jobs);
  const details = new Map(subjects.map((subject) => [subject.id, subject]));
  // A print that no longer exists was merged into another row of the same print. Its job was a duplicate and is not reported.
  const mergedJobs = new Set(
    prints.flatMap(({ id, jobId }) => (details.has(id) ? (jobId ?? []) : printTimelines.listJobs(id))),
  );
  const histories: ChangeHistory[] = [];
  for (const { id, outcome } of prints) {
    const subject = details.get(id);
    if (subject === undefined || outcome === null) continue;
    const jobIds = printTimelines.listJobs(id);
    const snapshotAt = (changeId: number): PrintSnapshot | null => {
      const print = printTimelines.stateAfter(id, changeId);
      // Before the print was recorded, an operator may already have set its job to Printing.
      const jobId = print.outcome === null ? (jobIds[0] ?? null) : print.jobId;
      const status = jobId === null ? null : jobTimelines.stateAfter(jobId, changeId).status;
      return print.outcome === null && status === null ? null : { ...print, jobId, status };
    };
    histories.push(
      buildHistory(
        subject,
        [...printTimelines.listNotes(id), ...jobIds.flatMap((job) => jobTimelines.listNotes(job))],
        snapshotAt,
      ),
    );
  }
  for (const { id } of jobs) {
    const subject = details.get(id);
    if (subject === undefined || mergedJobs.has(id)) continue;
    const snapshotAt = (changeId: number) => {
      const job = jobTimelines.stateAfter(id, changeId);
      return job.status === null ? null : { ...job, jobId: id };
    };
    histories.push(buildHistory(subject, jobTimelines.listNotes(id), snapshotAt));
  }
  return histories;
}

function buildHistory(
  subject: PrintOrJob,
  notes: readonly ChangeNote[],
  snapshotAt: (changeId: number) => PrintSnapshot | null,
): ChangeHistory {
  const ordered = notes.toSorted((a, b) => a.id - b.id);
  return {
    subject,
    before: snapshotAt(0),
    moments: ordered.map(({ id, at }) => ({ changeId: id, at, snapshot: snapshotAt(id) })),
  };
}

/** Answers in which state each print, or each job, was after each of its notes. */
class Timelines {
  private readonly notes = new Map<string, ChangeNote[]>();
  private readonly last: ReadonlyMap<string, EntityState>;

  constructor(type: ChangeNote['type'], changes: readonly ChangeNote[], states: readonly EntityState[]) {
    for (const change of changes) {
      if (change.type === type) this.notes.set(change.entity, [...this.listNotes(change.entity), change]);
    }
    this.last = new Map(states.map((state) => [state.id, state]));
  }

  listNotes(entity: string): readonly ChangeNote[] {
    return this.notes.get(entity) ?? [];
  }

  /** The state after a note is the state that the next note recorded, or the last known state. */
  stateAfter(entity: string, changeId: number): PrintSnapshot {
    return this.listNotes(entity).find(({ id }) => id > changeId) ?? (this.last.get(entity) as EntityState);
  }

  /** The jobs that a print had, oldest first. */
  listJobs(print: string): string[] {
    const all = [...this.listNotes(print), this.last.get(print)];
    return [...new Set(all.flatMap((state) => state?.jobId ?? []))];
  }
}

export type EndStatus = 'COMPLETED' | 'CANCELLED' | 'FAILED';

export interface PrintEvent {
  event: 'PRINT_BEGAN' | 'PRINT_ENDED' | 'PRINT_WAITS';
  /** The id of the note of the change. A channel gets the events of notes that were written after it was enabled. */
  changeId: number;
  /** When the event happened. */
  at: Instant;
  /** When the gateway recorded the event, by its own clock. */
  receivedAt: Instant;
}

/** A print that had ended this long before it was recorded is history and is not reported. */
const HISTORY_MS = GIVEN_UP_AFTER_HOURS * HOUR_MS;

const ENDED: Partial<Record<string, EndStatus>> = {
  Completed: 'COMPLETED',
  Cancelled: 'CANCELLED',
  Failed: 'FAILED',
  COMPLETED: 'COMPLETED',
  CANCELLED: 'CANCELLED',
  FAILED: 'FAILED',
};

/** How the print ended; `null` while it is running. The status that an operator gave the job wins over the outcome of the print. */
export function endStatusOf({ outcome, status }: PrintSnapshot): EndStatus | null {
  if (outcome === 'RUNNING') return null;
  return ENDED[status ?? ''] ?? ENDED[outcome ?? ''] ?? null;
}

export function waitsFor({ outcome, lacksSpool, isIgnored }: PrintSnapshot): PrintWait | null {
  if (outcome === null) return null;
  return decideWait({ outcome, lacksSpool, isIgnored });
}

/**
 * Compares the state before all changes with the state now. A state that started and ended in between is not reported. A new state that lasts is
 * reported with the time of the change that started it.
 * @param before `null` if neither the print nor the job existed
 * @param moments the states after each change, oldest first; the last state is the state now
 */
export function findEvents(
  subject: Pick<PrintOrJob, 'startedAt' | 'endedAt' | 'hasPrinted'>,
  before: PrintSnapshot | null,
  moments: readonly StateAfterChange[],
): PrintEvent[] {
  const last = moments.at(-1)?.snapshot ?? null;
  if (last === null || last.isIgnored) return [];
  if (before === null && last.outcome !== 'RUNNING' && isHistory(subject, moments)) return [];
  const [end, wait] = [endStatusOf(last), waitsFor(last)];
  const events: PrintEvent[] = [];
  const findChange = (readProperty: (snapshot: PrintSnapshot | null) => unknown) =>
    findLastChange(before, moments, readProperty);
  const wasAlreadyFinished = (moment: StateAfterChange) => wasRecordedFinished(moment, before, moments);
  if (!hasStarted(before)) {
    const start = moments.find(({ snapshot }) => isPrinting(snapshot));
    if (start !== undefined)
      events.push({ event: 'PRINT_BEGAN', ...buildTimes(start, wasAlreadyFinished(start) ? subject.startedAt : null) });
  }
  if (end !== null && end !== (before && endStatusOf(before)) && !wasOnlyQueued(last, subject)) {
    const ended = findChange((snapshot) => snapshot && endStatusOf(snapshot));
    const isTimeOfMachine =
      wasAlreadyFinished(ended) && ended.snapshot?.outcome === last.outcome && !hasStarted(before);
    events.push({ event: 'PRINT_ENDED', ...buildTimes(ended, isTimeOfMachine ? subject.endedAt : null) });
  }
  if (wait !== null && wait !== (before && waitsFor(before))) {
    const waiting = findChange((snapshot) => snapshot && waitsFor(snapshot));
    events.push({ event: 'PRINT_WAITS', ...buildTimes(waiting, null) });
  }
  return withOrderedTimes(events);
}

/**
 * Whether the print had ended long before it was recorded. The time of the report does not matter: an event that no gateway could report in
 * time becomes a delivery that is given up, and a notification OMITTED counts it.
 */
const isHistory = ({ endedAt }: Pick<PrintOrJob, 'endedAt'>, [first]: readonly StateAfterChange[]): boolean =>
  endedAt !== null && first !== undefined && msBetween(endedAt, first.at) > HISTORY_MS;

/** Whether the print had already ended when it was recorded at this moment. Then only the machine knows when the print ended. */
function wasRecordedFinished(
  moment: StateAfterChange,
  before: PrintSnapshot | null,
  moments: readonly StateAfterChange[],
): boolean {
  const index = moments.indexOf(moment);
  const previous = index === 0 ? before : (moments[index - 1] as StateAfterChange).snapshot;
  const { outcome = null } = moment.snapshot ?? {};
  return (previous?.outcome ?? null) === null && outcome !== null && outcome !== 'RUNNING';
}

/** Finds the change that gave a property of the print its current value. */
function findLastChange(
  before: PrintSnapshot | null,
  moments: readonly StateAfterChange[],
  readProperty: (snapshot: PrintSnapshot | null) => unknown,
): StateAfterChange {
  const all = [before, ...moments.map(({ snapshot }) => snapshot)].map(readProperty);
  const index = moments.findLastIndex((_, at) => all[at] !== all[at + 1]);
  return moments[index] as StateAfterChange;
}

/** @param reportedAt the time that the machine reports. If it is later than the record of the change, the time of the record is used. */
function buildTimes({ changeId, at }: StateAfterChange, reportedAt: Instant | null) {
  return { changeId, at: reportedAt ? findEarliest([reportedAt, at]) : at, receivedAt: at };
}

/** Moves times so that no event is earlier than the event before it, whatever the clocks say. */
const withOrderedTimes = (events: readonly PrintEvent[]): PrintEvent[] =>
  events.map((event, index) => ({ ...event, at: findLatest(events.slice(0, index + 1).map(({ at }) => at)) }));

/** A queued job that is cancelled or fails is not the end of a print. */
const wasOnlyQueued = ({ outcome }: PrintSnapshot, { hasPrinted }: Pick<PrintOrJob, 'hasPrinted'>) =>
  outcome === null && !hasPrinted;

const isPrinting = (snapshot: PrintSnapshot | null) =>
  snapshot !== null && (snapshot.outcome !== null || snapshot.status === 'Printing');

const hasStarted = (snapshot: PrintSnapshot | null): boolean =>
  snapshot !== null && (snapshot.outcome !== null || (snapshot.status !== null && snapshot.status !== 'Queued'));
