// Turns changes of prints and jobs into notifications. They are written in the transaction that deletes the notes of the changes, so each change
// is reported once.
import type { Queryable } from '../../database/queryable';
import type { AlertService } from '../../farm/alerts/alert.service';
import type { AlertServiceFactory } from './alert-service-factory';
import { type Audience, choosePrintTargets } from './audience';
import { buildPrintMessage, type Notification } from './messages';
import { buildHistories, endStatusOf, findEvents, type PrintEvent, type PrintOrJob, waitsFor } from './print-events';
import { MAX_DELIVERIES, MAX_EVENTS, MAX_TRANSACTIONS, type ReporterLease, ReporterStore } from './reporter.store';

interface PrintReporterParts {
  database: Queryable;
  alertServices: AlertServiceFactory;
  /** The currency of costs; `null` if none is set. */
  currency: string | null;
}

/** Used by the one process that holds the lease of notifications. */
export class PrintReporter {
  constructor(private readonly parts: PrintReporterParts) {}

  /** Reports the changes since the last call. If there are very many, the next call continues. @returns the number of notifications written */
  async report(lease: ReporterLease): Promise<number> {
    const { hasChanges } = await new ReporterStore(this.parts.database).readWork();
    let count = 0;
    let isFull = hasChanges;
    for (let left = MAX_TRANSACTIONS; isFull && left > 0; left -= 1) {
      const written = await this.reportOldest(lease);
      if (written === null) return count;
      count += written.count;
      isFull = written.isFull;
    }
    return count;
  }

  /**
   * Reports the oldest notes, in a transaction of limited size.
   * @returns the number of notifications written, and whether there may be more notes; `null` if another process holds the lease
   */
  private reportOldest(lease: ReporterLease): Promise<{ count: number; isFull: boolean } | null> {
    const { database, alertServices, currency } = this.parts;
    return database.transaction(async (transaction) => {
      const store = new ReporterStore(transaction);
      if (!(await store.lock(lease))) return null;
      const targets = await store.lockTargets();
      if (targets.length === 0) {
        await store.deleteAllNotes();
        return { count: 0, isFull: false };
      }
      const limit = calculateMaxNotes(targets);
      const unreported = await store.readOldestNotes(limit);
      const events = buildHistories(unreported)
        .flatMap(({ subject, before, moments }) =>
          findEvents(subject, before, moments).map((event) => ({
            subject,
            event,
            targets: choosePrintTargets(targets, event, subject),
          })),
        )
        .filter((report) => report.targets.length > 0)
        .sort((a, b) => compareEvents(a.event, b.event));
      const alerts = alertServices.createOn(transaction);
      // All messages are built at the same time, so that one statement reads why the prints wait.
      const notifications = await Promise.all(
        events.map(async ({ subject, event, targets }): Promise<Notification> => {
          const waiting = event.event === 'PRINT_WAITS' ? await buildWaitingSentence(subject, alerts) : null;
          return {
            event: event.event,
            at: event.at,
            receivedAt: event.receivedAt,
            severity: null,
            ...buildPrintMessage(event.event, showAtEvent(event, subject), waiting, currency),
            targets,
          };
        }),
      );
      await store.addNotifications(notifications);
      await store.deleteNotes(unreported.changes.map(({ id }) => id));
      return { count: notifications.length, isFull: unreported.changes.length >= limit };
    });
  }
}

/** The order of events that one change causes. */
const EVENT_ORDER: readonly PrintEvent['event'][] = ['PRINT_BEGAN', 'PRINT_ENDED', 'PRINT_WAITS'];

/** The number of notes that keeps a transaction within its limits even if each change causes all events. */
function calculateMaxNotes(targets: readonly Audience[]): number {
  const chosen = targets.flatMap(({ events }) => EVENT_ORDER.filter((event) => events.includes(event)));
  const max = Math.min(MAX_EVENTS / EVENT_ORDER.length, MAX_DELIVERIES / Math.max(1, chosen.length));
  return Math.max(1, Math.floor(max));
}

const compareEvents = (a: PrintEvent, b: PrintEvent): number =>
  Date.parse(a.at) - Date.parse(b.at) ||
  a.changeId - b.changeId ||
  EVENT_ORDER.indexOf(a.event) - EVENT_ORDER.indexOf(b.event);

/** The message about the start of a print shows the print as running, even if it has ended since. */
const showAtEvent = ({ event }: PrintEvent, subject: PrintOrJob): PrintOrJob =>
  event === 'PRINT_BEGAN' && endStatusOf(subject) !== null
    ? {
        ...subject,
        outcome: subject.outcome && 'RUNNING',
        status: subject.status && 'Printing',
        endedAt: null,
        reason: null,
      }
    : subject;

/** Builds the sentence that the alert about the waiting print shows too. */
const buildWaitingSentence = (subject: PrintOrJob, alerts: Pick<AlertService, 'buildMessage'>) =>
  alerts.buildMessage({
    kind: waitsFor(subject) === 'OUTCOME' ? 'PRINT_UNRESOLVED' : 'PRINT_WAITS',
    about: 'printer',
    id: subject.printerId,
    name: subject.printerName as string,
    detail: subject.printName,
    prints: 1,
    printId: subject.id,
  });
