// The notes of prints and jobs as the history of each print, and of each job without one.
import type { Facts, PrintOrJob, StateAfterChange } from './print-events';
import type { ChangeNote, EntityState, Look } from './unreported-changes.store';

export interface ChangeHistory {
  subject: PrintOrJob;
  before: Facts | null;
  moments: StateAfterChange[];
}

/** @returns a history for each print, and for each job without one, that the notes are of */
export function historiesOf({ changes, prints, jobs, subjects }: Look): ChangeHistory[] {
  const printTimes = new Timelines(changes, 'PRINT', prints);
  const jobTimes = new Timelines(changes, 'JOB', jobs);
  const details = new Map(subjects.map((one) => [one.id, one]));
  // Of a print that is gone, another record of the same print took it in: its job was one too many.
  const taken = new Set(prints.flatMap(({ id, jobId }) => (details.has(id) ? (jobId ?? []) : printTimes.jobsOf(id))));
  const histories: ChangeHistory[] = [];
  for (const { id, outcome } of prints) {
    const subject = details.get(id);
    if (subject === undefined || outcome === null) continue;
    const ofJobs = printTimes.jobsOf(id);
    const factsAt = (changeId: number): Facts | null => {
      const print = printTimes.at(id, changeId);
      // A print that is not there yet may be that of a job that a person set to printing.
      const jobId = print.outcome === null ? (ofJobs[0] ?? null) : print.jobId;
      const status = jobId === null ? null : jobTimes.at(jobId, changeId).status;
      return print.outcome === null && status === null ? null : { ...print, jobId, status };
    };
    histories.push(
      historyOf(subject, [...printTimes.notesOf(id), ...ofJobs.flatMap((job) => jobTimes.notesOf(job))], factsAt),
    );
  }
  for (const { id } of jobs) {
    const subject = details.get(id);
    if (subject === undefined || taken.has(id)) continue;
    const factsAt = (changeId: number) => {
      const job = jobTimes.at(id, changeId);
      return job.status === null ? null : job;
    };
    histories.push(historyOf(subject, jobTimes.notesOf(id), factsAt));
  }
  return histories;
}

function historyOf(
  subject: PrintOrJob,
  notes: readonly ChangeNote[],
  factsAt: (changeId: number) => Facts | null,
): ChangeHistory {
  const ordered = notes.toSorted((one, other) => one.id - other.id);
  return {
    subject,
    before: factsAt(0),
    moments: ordered.map(({ id, at }) => ({ changeId: id, at, facts: factsAt(id) })),
  };
}

/** How the prints, or the jobs, were at each of their notes. */
class Timelines {
  private readonly notes = new Map<string, ChangeNote[]>();
  private readonly last: ReadonlyMap<string, EntityState>;

  constructor(changes: readonly ChangeNote[], type: ChangeNote['type'], states: readonly EntityState[]) {
    for (const change of changes) {
      if (change.type === type) this.notes.set(change.entity, [...this.notesOf(change.entity), change]);
    }
    this.last = new Map(states.map((state) => [state.id, state]));
  }

  notesOf(entity: string): readonly ChangeNote[] {
    return this.notes.get(entity) ?? [];
  }

  /** Behind the note with this id: what it was before its next note. */
  at(entity: string, changeId: number): Facts {
    const { outcome, jobId, status, lacksSpool, isIgnored } =
      this.notesOf(entity).find(({ id }) => id > changeId) ?? (this.last.get(entity) as EntityState);
    return { outcome, jobId: status === null ? jobId : entity, status, lacksSpool, isIgnored };
  }

  /** The jobs that a print had, the first one first. */
  jobsOf(print: string): string[] {
    const all = [...this.notesOf(print), this.last.get(print)];
    return [...new Set(all.flatMap((one) => one?.jobId ?? []))];
  }
}
