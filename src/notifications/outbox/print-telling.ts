// From changes of prints and jobs to notifications, in the transaction that moves the place in the feed.
import type { AlertService } from '../../farm/alerts/alert.service';
import type { PrintChange } from '../../farm/changes/change.types';
import type { JobStatus } from '../../farm/print-jobs/print-job.status';
import type { Instant } from '../../values/instant';
import { type Audience, toldOfPrint } from './audience';
import type { OutboxStore } from './outbox.store';
import { eventsOf, type Hint, isEarly, isSettled, knownOf, type PrintEvent, type Subject, waitsFor } from './subjects';
import { type Told, wordsOfPrint } from './words';

type Sentences = Pick<AlertService, 'messageOf'>;

/**
 * A change is only a hint that something may be told.
 * @returns how many notifications were written
 */
export async function tellPrints(
  store: OutboxStore,
  changes: readonly PrintChange[],
  now: Instant,
  currency: string | null,
  alerts: Sentences,
): Promise<number> {
  const idsOf = (type: PrintChange['type']) => [
    ...new Set(changes.filter((change) => change.type === type).map(({ entity }) => entity)),
  ];
  const ids = { prints: idsOf('OBSERVED_PRINT'), jobs: idsOf('PRINT_JOB') };
  const { subjects, known } = await store.subjects(ids);
  const targets = await store.targets();
  const told: Told[] = [];
  const looked = inOrder(subjects, changes).filter(({ subject, hint }) => !isEarly(subject, known, hint));
  for (const { subject, hint } of looked) {
    for (const event of eventsOf(subject, known, hint, now)) {
      const one = await notification(event, subject, hint, targets, currency, alerts);
      if (one !== null) told.push(one);
    }
  }
  if (told.length > 0) await store.tell(told);
  await store.know(
    looked.map(({ subject }) => ({ ...knownOf(subject), isSettled: isSettled(subject) })),
    gone(known, subjects),
  );
  return told.length;
}

/** Null where nobody is told of it. */
async function notification(
  event: PrintEvent['event'],
  subject: Subject,
  { at, changeId }: Hint,
  targets: readonly Audience[],
  currency: string | null,
  alerts: Sentences,
): Promise<Told | null> {
  const told = toldOfPrint(targets, { event, changeId, printerId: subject.printerId });
  if (told.length === 0) return null;
  const waiting = event === 'PRINT_WAITS' ? await sentenceOf(subject, alerts) : null;
  return { event, at, severity: null, ...wordsOfPrint(event, subject, waiting, currency), targets: told };
}

/** As the alert says it. */
const sentenceOf = (subject: Subject, alerts: Sentences) =>
  alerts.messageOf({
    kind: waitsFor(subject) === 'OUTCOME' ? 'PRINT_UNRESOLVED' : 'PRINT_WAITS',
    ...{ about: 'print', id: subject.id, name: subject.printName as string, detail: subject.printerName },
  });

/** In the order of their newest changes. */
function inOrder(subjects: readonly Subject[], changes: readonly PrintChange[]) {
  return subjects
    .map((subject) => {
      const isOfIt = ({ type, entity }: PrintChange) =>
        type === 'PRINT_JOB' ? entity === subject.jobId : entity === subject.id;
      const own = changes.filter(isOfIt);
      const ofJob = own.find(({ type }) => type === 'PRINT_JOB');
      const newest = own.at(-1) as PrintChange;
      const hint: Hint = {
        ...{ changeId: newest.id, at: newest.at },
        isOfJob: own.every(({ type }) => type === 'PRINT_JOB'),
        isNew: own.some(({ type, kind }) => type === 'OBSERVED_PRINT' && kind === 'CREATED'),
        fromStatus: ofJob && (ofJob.fromStatus as JobStatus | null),
      };
      return { subject, hint, order: changes.indexOf(newest) };
    })
    .sort((one, other) => one.order - other.order);
}

/** Of prints and jobs that are gone, and of the job that a print has now, because the print tells of it. */
const gone = (known: readonly { id: string }[], subjects: readonly Subject[]): string[] =>
  known.map(({ id }) => id).filter((id) => subjects.every((subject) => subject.id !== id));
