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
  /** The currency of costs; null for none. */
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
      const limit = maxNotes(targets);
      const look = await store.readOldestNotes(limit);
      const events = buildHistories(look)
        .flatMap(({ subject, before, moments }) =>
          findEvents(subject, before, moments).map((event) => ({
            subject,
            event,
            targets: choosePrintTargets(targets, event, subject),
          })),
        )
        .filter((one) => one.targets.length > 0)
        .sort((one, other) => compareEvents(one.event, other.event));
      const alerts = alertServices.createOn(transaction);
      // Built together, so that one statement reads why the prints wait.
      const notifications = await Promise.all(
        events.map(async ({ subject, event, targets }): Promise<Notification> => {
          const waiting = event.event === 'PRINT_WAITS' ? await buildWaitingSentence(subject, alerts) : null;
          return {
            event: event.event,
            at: event.at,
            receivedAt: event.receivedAt,
            severity: null,
            ...buildPrintMessage(event.event, asOfEvent(event, subject), waiting, currency),
            targets,
          };
        }),
      );
      await store.addNotifications(notifications);
      await store.deleteNotes(look.changes.map(({ id }) => id));
      return { count: notifications.length, isFull: look.changes.length >= limit };
    });
  }
}

/** The order of events that one change causes. */
const EVENT_ORDER: readonly PrintEvent['event'][] = ['PRINT_BEGAN', 'PRINT_ENDED', 'PRINT_WAITS'];

/** The number of notes that keeps a transaction within its limits even if each change causes all events. */
function maxNotes(targets: readonly Audience[]): number {
  const chosen = targets.flatMap(({ events }) => EVENT_ORDER.filter((event) => events.includes(event)));
  const most = Math.min(MAX_EVENTS / EVENT_ORDER.length, MAX_DELIVERIES / Math.max(1, chosen.length));
  return Math.max(1, Math.floor(most));
}

const compareEvents = (one: PrintEvent, other: PrintEvent): number =>
  Date.parse(one.at) - Date.parse(other.at) ||
  one.changeId - other.changeId ||
  EVENT_ORDER.indexOf(one.event) - EVENT_ORDER.indexOf(other.event);

/** The message about the start of a print shows the print as running, even if it has ended since. */
const asOfEvent = ({ event }: PrintEvent, subject: PrintOrJob): PrintOrJob =>
  event === 'PRINT_BEGAN' && endStatusOf(subject) !== null
    ? {
        ...subject,
        outcome: subject.outcome && 'RUNNING',
        status: subject.status && 'Printing',
        endedAt: null,
        reason: null,
      }
    : subject;

/** The same sentence as that of the alert about the waiting print. */
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
