// Turns alerts that became active or were resolved into notifications. A notification and the record that its alert was reported are written in
// one transaction, so each change of an alert is reported once.

import type { Queryable } from '../../database/queryable';
import type { AlertService } from '../../farm/alerts/alert.service';
import type { Finding } from '../../farm/alerts/alert.store';
import { SilenceStore } from '../../farm/alerts/silence.store';
import { type Instant, instantNow } from '../../values/instant';
import { AlertBaseline } from './alert-baseline';
import type { AlertServiceFactory } from './alert-service-factory';
import { AlertStatesStore } from './alert-states.store';
import {
  type AlertChange,
  type AlertState,
  alertKeyText,
  createRaisedState,
  findAlertChanges,
  isUnchanged,
} from './alert-transitions';
import { type Audience, chooseAlertTargets, chooseClearedTargets } from './audience';
import { buildAlertMessage, type Notification, type ReportedAlert, toReportedAlert } from './messages';
import { MAX_DELIVERIES, MAX_EVENTS, type ReporterLease, ReporterStore } from './reporter.store';

type Change = AlertChange<Finding, ReportedAlert>;
type Transition = Extract<Change, { becomes: 'RAISED' | 'CLEARED' }>;

/** Alerts are checked every 15 s. This is a little less, because a timer of 15 s may fire early. */
export const CHECK_EVERY_MS = 14_500;

/** Used by the one process that holds the lease of notifications. */
export class AlertReporter {
  private checkedAt = Number.NEGATIVE_INFINITY;
  /** Transitions that are not reported yet, the most urgent first. */
  private pending: Transition[] = [];

  private readonly baseline: AlertBaseline;

  constructor(
    private readonly database: Queryable,
    private readonly alertServices: AlertServiceFactory,
  ) {
    this.baseline = new AlertBaseline(alertServices);
  }

  /** Checks the alerts if it is time, or continues to report what the last check found. @returns the number of notifications written */
  async report(lease: ReporterLease, now: Instant = instantNow()): Promise<number> {
    if (performance.now() - this.checkedAt < CHECK_EVERY_MS) return this.reportPending(lease, now);
    this.checkedAt = performance.now();
    return this.check(lease, now);
  }

  /**
   * Compares the alerts with the last check, ends finished silences and reports the first transitions. Nothing is written while no alert
   * changes.
   * @param now the time for which the alerts are evaluated
   * @returns the number of notifications written
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
    const stateChanges = changes.filter((change) => !isTransition(change));
    for (let at = 0; at < stateChanges.length; at += MAX_EVENTS) {
      await this.runLocked(lease, now, stateChanges.slice(at, at + MAX_EVENTS), async (states, unchanged) => {
        await states.write(unchanged.flatMap((change) => (change.becomes === 'SEEN' ? change.state : [])));
        await states.delete(unchanged.flatMap((change) => (change.becomes === 'FORGOTTEN' ? change.key : [])));
      });
    }
    this.pending = changes.filter(isTransition).toSorted((a, b) => Number(isCritical(b)) - Number(isCritical(a)));
    return this.reportPending(lease, now);
  }

  /** Reports the next transitions of the last check. @returns the number of notifications written */
  private async reportPending(lease: ReporterLease, now: Instant): Promise<number> {
    const transitions = this.pending.slice(0, MAX_EVENTS);
    if (transitions.length === 0) return 0;
    let count = 0;
    let done = transitions.length;
    await this.runLocked(lease, now, transitions, async (states, unchanged, transaction) => {
      const store = new ReporterStore(transaction);
      const targets = await store.lockTargets();
      const printers = await states.findPrinters(unchanged.map(({ key }) => key));
      const reports = unchanged.map((transition, index) => ({
        transition,
        targets: chooseTargets(transition, targets, printers[index] ?? null),
      }));
      const writableCount = countWritable(reports.map((report) => report.targets.length));
      const isAll = writableCount === reports.length;
      if (!isAll) done = transitions.indexOf((reports[writableCount] as { transition: Transition }).transition);
      const alerts = this.alertServices.createOn(transaction);
      // All messages are built at the same time, so that one statement reads why the prints wait.
      const written = await Promise.all(
        reports.slice(0, writableCount).map((report) => buildReport(report.transition, report.targets, alerts, now)),
      );
      const notifications = written.flatMap(({ notification }) => notification ?? []);
      await store.addNotifications(notifications);
      await states.write(written.flatMap(({ state }) => state ?? []));
      await states.delete(
        reports
          .slice(0, writableCount)
          .flatMap(({ transition }) => (transition.becomes === 'CLEARED' ? transition.key : [])),
      );
      count = notifications.length;
    });
    this.pending = this.pending.slice(done);
    return count;
  }

  /** Runs the work in a transaction that locks the outbox, with only those changes whose states no other process has written meanwhile. */
  private async runLocked<SomeChange extends Change>(
    lease: ReporterLease,
    now: Instant,
    changes: readonly SomeChange[],
    work: (states: AlertStatesStore, found: SomeChange[], transaction: Queryable) => Promise<void>,
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

const isCritical = (transition: Transition): boolean =>
  (transition.becomes === 'RAISED' ? transition.alert.severity : transition.before.alert?.severity) === 'CRITICAL';

function chooseTargets(transition: Transition, targets: readonly Audience[], printerId: string | null): string[] {
  if (transition.becomes === 'CLEARED')
    return transition.before.alert === null ? [] : chooseClearedTargets(targets, transition.before.reportedTo);
  const wasSilenced = transition.before?.wasSilenced === true;
  return chooseAlertTargets(targets, { ...transition.alert, printerId, wasSilenced });
}

/** The number of transitions whose deliveries fit into one transaction, but at least one. */
function countWritable(deliveryCounts: readonly number[]): number {
  let sum = 0;
  const index = deliveryCounts.findIndex((count, at) => {
    sum += count;
    return at > 0 && sum > MAX_DELIVERIES;
  });
  return index === -1 ? deliveryCounts.length : index;
}

/** Builds the message only if a channel gets it, because a message may cost a statement. */
async function buildReport(
  transition: Transition,
  targets: readonly string[],
  alerts: Pick<AlertService, 'buildMessage'>,
  now: Instant,
): Promise<{ notification?: Notification; state?: AlertState<ReportedAlert> }> {
  if (transition.becomes === 'CLEARED') {
    const { alert } = transition.before;
    return alert === null || targets.length === 0
      ? {}
      : { notification: buildNotification('ALERT_CLEARED', alert, now, targets) };
  }
  const { alert: finding, before } = transition;
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
