// From alerts to notifications: each edge once, in the transaction that stores that it was reported.

import type { Queryable } from '../../database/queryable';
import type { AlertService } from '../../farm/alerts/alert.service';
import type { Finding } from '../../farm/alerts/alert.store';
import { SilenceStore } from '../../farm/alerts/silence.store';
import { type Instant, instantNow } from '../../values/instant';
import { AlertBaseline } from './alert-baseline';
import {
  type AlertChange,
  type AlertState,
  alertKeyText,
  createRaisedState,
  findAlertChanges,
  isUnchanged,
} from './alert-edges';
import type { AlertServiceFactory } from './alert-service-factory';
import { AlertStatesStore } from './alert-states.store';
import { type Audience, chooseAlertTargets, chooseClearedTargets } from './audience';
import { buildAlertMessage, type Notification, type ReportedAlert, toReportedAlert } from './messages';
import { MAX_DELIVERIES, MAX_EVENTS, type ReporterLease, ReporterStore } from './reporter.store';

type Change = AlertChange<Finding, ReportedAlert>;
type Transition = Extract<Change, { becomes: 'RAISED' | 'CLEARED' }>;

/** Each 15 s: a timer of 15 s may be early. */
export const CHECK_EVERY_MS = 14_500;

/** Reports alerts, in the one process that holds the lease. */
export class AlertReporter {
  private checkedAt = Number.NEGATIVE_INFINITY;
  /** Edges that are still to be reported, the most urgent first. */
  private pending: Transition[] = [];

  private readonly baseline: AlertBaseline;

  constructor(
    private readonly database: Queryable,
    private readonly alertServices: AlertServiceFactory,
  ) {
    this.baseline = new AlertBaseline(alertServices);
  }

  /** Looks at the alerts when it is time, or goes on with what the last look found. @returns how many notifications were written */
  async report(lease: ReporterLease, now: Instant = instantNow()): Promise<number> {
    if (performance.now() - this.checkedAt < CHECK_EVERY_MS) return this.reportPending(lease, now);
    this.checkedAt = performance.now();
    return this.check(lease, now);
  }

  /**
   * Compares the alerts with those of the last look, ends silences that are over, and reports the first edges. Nothing is written
   * while no alert changes.
   * @param now as the alerts are judged
   * @returns how many notifications were written
   */
  async check(lease: ReporterLease, now: Instant): Promise<number> {
    const { hasTargets, knowsAlerts, hasSilences } = await new ReporterStore(this.database).readWork();
    this.pending = [];
    if (hasTargets && !knowsAlerts) {
      await this.database.transaction(async (transaction) => {
        if (await new ReporterStore(transaction).lock(lease)) await this.baseline.record(transaction, now);
      });
      return 0;
    }
    if (!hasTargets && !hasSilences) return 0;
    const active = await this.alertServices.createOn(this.database).listAll(now);
    const states = hasTargets ? await new AlertStatesStore(this.database).list(now) : null;
    if (hasSilences) {
      await this.database.transaction(async (transaction) => {
        if (await new ReporterStore(transaction).lock(lease))
          await new SilenceStore(transaction).endFinished(active, now);
      });
    }
    if (states === null) return 0;
    const changes = findAlertChanges(states, active, now);
    const isTransition = (change: Change): change is Transition =>
      change.becomes === 'RAISED' || change.becomes === 'CLEARED';
    const others = changes.filter((change) => !isTransition(change));
    for (let at = 0; at < others.length; at += MAX_EVENTS) {
      await this.runLocked(lease, now, others.slice(at, at + MAX_EVENTS), async (states, found) => {
        await states.write(found.flatMap((change) => (change.becomes === 'SEEN' ? change.state : [])));
        await states.delete(found.flatMap((change) => (change.becomes === 'FORGOTTEN' ? change.key : [])));
      });
    }
    this.pending = changes
      .filter(isTransition)
      .toSorted((one, other) => Number(isCritical(other)) - Number(isCritical(one)));
    return this.reportPending(lease, now);
  }

  /** Reports the next edges that the last look found. @returns how many notifications were written */
  private async reportPending(lease: ReporterLease, now: Instant): Promise<number> {
    const transitions = this.pending.slice(0, MAX_EVENTS);
    if (transitions.length === 0) return 0;
    let count = 0;
    let done = transitions.length;
    await this.runLocked(lease, now, transitions, async (states, found, transaction) => {
      const store = new ReporterStore(transaction);
      const targets = await store.lockTargets();
      const printers = await states.findPrinters(found.map(({ key }) => key));
      const reports = found.map((edge, index) => ({
        edge,
        targets: chooseTargets(edge, targets, printers[index] ?? null),
      }));
      const writableCount = countWritable(reports.map((one) => one.targets.length));
      const isAll = writableCount === reports.length;
      if (!isAll) done = transitions.indexOf((reports[writableCount] as { edge: Transition }).edge);
      const alerts = this.alertServices.createOn(transaction);
      // All at once: the reasons of prints that wait are read by one statement.
      const written = await Promise.all(
        reports.slice(0, writableCount).map((one) => buildReport(one.edge, one.targets, alerts, now)),
      );
      const notifications = written.flatMap(({ notification }) => notification ?? []);
      await store.addNotifications(notifications);
      await states.write(written.flatMap(({ state }) => state ?? []));
      await states.delete(
        reports.slice(0, writableCount).flatMap(({ edge }) => (edge.becomes === 'CLEARED' ? edge.key : [])),
      );
      count = notifications.length;
    });
    this.pending = this.pending.slice(done);
    return count;
  }

  /** A transaction that holds the row of the outbox, over the changes of which nothing else has become meanwhile. */
  private async runLocked<One extends Change>(
    lease: ReporterLease,
    now: Instant,
    changes: readonly One[],
    work: (states: AlertStatesStore, found: One[], transaction: Queryable) => Promise<void>,
  ): Promise<void> {
    await this.database.transaction(async (transaction) => {
      if (!(await new ReporterStore(transaction).lock(lease))) return;
      const states = new AlertStatesStore(transaction);
      const keys = changes.map(({ key }) => key);
      const current = new Map((await states.list(now, keys)).map((state) => [alertKeyText(state), state]));
      await work(
        states,
        changes.filter(({ key, before }) => isUnchanged(before, current.get(alertKeyText(key)))),
        transaction,
      );
    });
  }
}

const isCritical = (edge: Transition): boolean =>
  (edge.becomes === 'RAISED' ? edge.alert.severity : edge.before.alert?.severity) === 'CRITICAL';

function chooseTargets(edge: Transition, targets: readonly Audience[], printerId: string | null): string[] {
  if (edge.becomes === 'CLEARED')
    return edge.before.alert === null ? [] : chooseClearedTargets(targets, edge.before.reportedTo);
  const wasSilenced = edge.before?.wasSilenced === true;
  return chooseAlertTargets(targets, { ...edge.alert, printerId, wasSilenced });
}

/** How many of these may be written at once, but one at least. */
function countWritable(deliveryCounts: readonly number[]): number {
  let sum = 0;
  const index = deliveryCounts.findIndex((count, at) => {
    sum += count;
    return at > 0 && sum > MAX_DELIVERIES;
  });
  return index === -1 ? deliveryCounts.length : index;
}

/** A sentence is made for what some target gets. */
async function buildReport(
  edge: Transition,
  targets: readonly string[],
  alerts: Pick<AlertService, 'buildMessage'>,
  now: Instant,
): Promise<{ notification?: Notification; state?: AlertState<ReportedAlert> }> {
  if (edge.becomes === 'CLEARED') {
    const { alert } = edge.before;
    return alert === null || targets.length === 0
      ? {}
      : { notification: buildNotification('ALERT_CLEARED', alert, now, targets) };
  }
  const { alert: finding, before } = edge;
  const reportedBefore = before?.reportedTo ?? [];
  if (targets.length === 0)
    return { state: { ...createRaisedState(finding, now), alert: before?.alert ?? null, reportedTo: reportedBefore } };
  const alert = toReportedAlert(finding, await alerts.buildMessage(finding));
  return {
    notification: buildNotification('ALERT_RAISED', alert, now, targets),
    state: { ...createRaisedState(finding, now), alert, reportedTo: [...new Set([...reportedBefore, ...targets])] },
  };
}

const buildNotification = (
  event: 'ALERT_RAISED' | 'ALERT_CLEARED',
  alert: ReportedAlert,
  at: Instant,
  targets: readonly string[],
): Notification => ({
  event,
  at,
  receivedAt: at,
  severity: alert.severity,
  ...buildAlertMessage(event, alert),
  targets,
});
