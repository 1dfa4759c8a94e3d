// From alerts to notifications: each edge once, in the transaction that stores that it was reported.

import type { Queryable } from '../../database/queryable';
import type { AlertService } from '../../farm/alerts/alert.service';
import type { Finding } from '../../farm/alerts/alert.store';
import { SilenceStore } from '../../farm/alerts/silence.store';
import { type Instant, instantNow } from '../../values/instant';
import { AlertBaseline } from './alert-baseline';
import { type AlertChange, type AlertState, alertChanges, alertKeyOf, isUnchanged, raisedNow } from './alert-edges';
import type { AlertServiceFactory } from './alert-service-factory';
import { AlertStatesStore } from './alert-states.store';
import { type Audience, targetsOfAlert, targetsOfClearing } from './audience';
import { messageOfAlert, type Notification, type ReportedAlert, reportedAlert } from './messages';
import { MAX_DELIVERIES, MAX_EVENTS, type ReporterLease, ReporterStore } from './reporter.store';

type Change = AlertChange<Finding, ReportedAlert>;
type Edge = Extract<Change, { becomes: 'RAISED' | 'CLEARED' }>;

/** Each 15 s: a timer of 15 s may be early. */
export const LOOK_EVERY_MS = 14_500;

/** Reports alerts, in the one process that holds the lease. */
export class AlertReporter {
  private lookedAt = Number.NEGATIVE_INFINITY;
  /** Edges that are still to be reported, the most urgent first. */
  private left: Edge[] = [];

  private readonly baseline: AlertBaseline;

  constructor(
    private readonly database: Queryable,
    private readonly alertServices: AlertServiceFactory,
  ) {
    this.baseline = new AlertBaseline(alertServices);
  }

  /** Looks at the alerts when it is time, or goes on with what the last look found. @returns how many notifications were written */
  async report(lease: ReporterLease, now: Instant = instantNow()): Promise<number> {
    if (performance.now() - this.lookedAt < LOOK_EVERY_MS) return this.reportMore(lease, now);
    this.lookedAt = performance.now();
    return this.look(lease, now);
  }

  /**
   * Compares the alerts with those of the last look, ends silences that are over, and reports the first edges. Nothing is written
   * while no alert changes.
   * @param now as the alerts are judged
   * @returns how many notifications were written
   */
  async look(lease: ReporterLease, now: Instant): Promise<number> {
    const { hasTargets, knowsAlerts, hasSilences } = await new ReporterStore(this.database).work();
    this.left = [];
    if (hasTargets && !knowsAlerts) {
      await this.database.transaction(async (transaction) => {
        if (await new ReporterStore(transaction).lock(lease)) await this.baseline.record(transaction, now);
      });
      return 0;
    }
    if (!hasTargets && !hasSilences) return 0;
    const standing = await this.alertServices.createOn(this.database).all(now);
    const states = hasTargets ? await new AlertStatesStore(this.database).all(now) : null;
    if (hasSilences) {
      await this.database.transaction(async (transaction) => {
        if (await new ReporterStore(transaction).lock(lease))
          await new SilenceStore(transaction).endOver(standing, now);
      });
    }
    if (states === null) return 0;
    const changes = alertChanges(states, standing, now);
    const isEdge = (change: Change): change is Edge => change.becomes === 'RAISED' || change.becomes === 'CLEARED';
    const others = changes.filter((change) => !isEdge(change));
    for (let at = 0; at < others.length; at += MAX_EVENTS) {
      await this.inTurn(lease, now, others.slice(at, at + MAX_EVENTS), async (states, found) => {
        await states.write(found.flatMap((change) => (change.becomes === 'SEEN' ? change.state : [])));
        await states.forget(found.flatMap((change) => (change.becomes === 'FORGOTTEN' ? change.key : [])));
      });
    }
    this.left = changes.filter(isEdge).toSorted((one, other) => Number(isCritical(other)) - Number(isCritical(one)));
    return this.reportMore(lease, now);
  }

  /** Reports the next edges that the last look found. @returns how many notifications were written */
  private async reportMore(lease: ReporterLease, now: Instant): Promise<number> {
    const edges = this.left.slice(0, MAX_EVENTS);
    if (edges.length === 0) return 0;
    let count = 0;
    let done = edges.length;
    await this.inTurn(lease, now, edges, async (states, found, transaction) => {
      const store = new ReporterStore(transaction);
      const targets = await store.targets();
      const printers = await states.printersOf(found.map(({ key }) => key));
      const reports = found.map((edge, index) => ({
        edge,
        targets: targetsOf(edge, targets, printers[index] ?? null),
      }));
      const most = firstOf(reports.map((one) => one.targets.length));
      const isAll = most === reports.length;
      if (!isAll) done = edges.indexOf((reports[most] as { edge: Edge }).edge);
      const alerts = this.alertServices.createOn(transaction);
      // All at once: the reasons of prints that wait are read by one statement.
      const written = await Promise.all(
        reports.slice(0, most).map((one) => reportOf(one.edge, one.targets, alerts, now)),
      );
      const notifications = written.flatMap(({ notification }) => notification ?? []);
      await store.add(notifications);
      await states.write(written.flatMap(({ state }) => state ?? []));
      await states.forget(reports.slice(0, most).flatMap(({ edge }) => (edge.becomes === 'CLEARED' ? edge.key : [])));
      count = notifications.length;
    });
    this.left = this.left.slice(done);
    return count;
  }

  /** A transaction that holds the row of the outbox, over the changes of which nothing else has become meanwhile. */
  private async inTurn<One extends Change>(
    lease: ReporterLease,
    now: Instant,
    changes: readonly One[],
    work: (states: AlertStatesStore, found: One[], transaction: Queryable) => Promise<void>,
  ): Promise<void> {
    await this.database.transaction(async (transaction) => {
      if (!(await new ReporterStore(transaction).lock(lease))) return;
      const states = new AlertStatesStore(transaction);
      const keys = changes.map(({ key }) => key);
      const current = new Map((await states.all(now, keys)).map((state) => [alertKeyOf(state), state]));
      await work(
        states,
        changes.filter(({ key, before }) => isUnchanged(before, current.get(alertKeyOf(key)))),
        transaction,
      );
    });
  }
}

const isCritical = (edge: Edge): boolean =>
  (edge.becomes === 'RAISED' ? edge.alert.severity : edge.before.alert?.severity) === 'CRITICAL';

function targetsOf(edge: Edge, targets: readonly Audience[], printerId: string | null): string[] {
  if (edge.becomes === 'CLEARED')
    return edge.before.alert === null ? [] : targetsOfClearing(targets, edge.before.reportedTo);
  const wasSilenced = edge.before?.wasSilenced === true;
  return targetsOfAlert(targets, { ...edge.alert, printerId, wasSilenced });
}

/** How many of these may be written at once, but one at least. */
function firstOf(deliveries: readonly number[]): number {
  let sum = 0;
  const index = deliveries.findIndex((count, at) => {
    sum += count;
    return at > 0 && sum > MAX_DELIVERIES;
  });
  return index === -1 ? deliveries.length : index;
}

/** A sentence is made for what some target gets. */
async function reportOf(
  edge: Edge,
  targets: readonly string[],
  alerts: Pick<AlertService, 'messageOf'>,
  now: Instant,
): Promise<{ notification?: Notification; state?: AlertState<ReportedAlert> }> {
  if (edge.becomes === 'CLEARED') {
    const { alert } = edge.before;
    return alert === null || targets.length === 0
      ? {}
      : { notification: notificationOf('ALERT_CLEARED', alert, now, targets) };
  }
  const { alert: finding, before } = edge;
  const reportedBefore = before?.reportedTo ?? [];
  if (targets.length === 0)
    return { state: { ...raisedNow(finding, now), alert: before?.alert ?? null, reportedTo: reportedBefore } };
  const alert = reportedAlert(finding, await alerts.messageOf(finding));
  return {
    notification: notificationOf('ALERT_RAISED', alert, now, targets),
    state: { ...raisedNow(finding, now), alert, reportedTo: [...new Set([...reportedBefore, ...targets])] },
  };
}

const notificationOf = (
  event: 'ALERT_RAISED' | 'ALERT_CLEARED',
  alert: ReportedAlert,
  at: Instant,
  targets: readonly string[],
): Notification => ({
  event,
  at,
  heardAt: at,
  severity: alert.severity,
  ...messageOfAlert(event, alert),
  targets,
});
