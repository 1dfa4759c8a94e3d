// Decides when an alert is raised and cleared: its condition has held, or has been gone, for a minute. One that becomes CRITICAL is raised
// again.
import { STEADY_MS } from '../../farm/alerts/alert.limits';
import type { AlertSeverity } from '../../farm/alerts/alert.types';
import { earliestOf, type Instant, msBetween } from '../../values/instant';

export interface AlertKey {
  kind: string;
  about: string;
  id: string;
}

/** A condition as it was looked at last: it holds, or it is over after it was raised. */
export interface AlertState<Reported> extends AlertKey {
  /** Since when it holds without a break; null while it is over. */
  activeSince: Instant | null;
  goneSince: Instant | null;
  /** When it was raised last; null before. */
  raisedAt: Instant | null;
  /** How urgent it was then; null before, and where an older version raised it. */
  severity: AlertSeverity | null;
  /** The alert as it was when it was raised; null where no target got it. */
  alert: Reported | null;
  /** The ids of the targets that got it. */
  reportedTo: readonly string[];
  /** Whether it was silenced since it began: then it is news for all targets when the silence ends. */
  wasSilenced: boolean;
}

/** As it is read: with whether it is silenced now. */
export type CurrentAlertState<Reported> = AlertState<Reported> & { isSilenced: boolean };

/** An alert that holds now. */
interface ActiveAlert extends AlertKey {
  severity: AlertSeverity;
  /** Null: it is not silenced. */
  silence: object | null;
}

/** What becomes of a condition. `before` is its state as it was looked at; undefined where it is new. */
export type AlertChange<Standing, Reported> = { key: AlertKey; before: AlertState<Reported> | undefined } & (
  | { becomes: 'RAISED'; alert: Standing }
  | { becomes: 'CLEARED'; before: AlertState<Reported> }
  | { becomes: 'SEEN'; state: AlertState<Reported> }
  /** The alert was over before it was raised. */
  | { becomes: 'FORGOTTEN' }
);

/** @param active the alerts now, the most urgent first, as they are then in the answer */
export function findAlertChanges<Standing extends ActiveAlert, Reported>(
  states: readonly CurrentAlertState<Reported>[],
  active: readonly Standing[],
  now: Instant,
): AlertChange<Standing, Reported>[] {
  const changes: AlertChange<Standing, Reported>[] = [];
  const statesByKey = new Map(states.map((state) => [alertKeyText(state), state]));
  const alerts = new Map(active.map((alert) => [alertKeyText(alert), alert]));
  for (const [key, alert] of alerts) {
    const before = statesByKey.get(key);
    // A clock that was ahead is set right: it holds since now.
    const since = before?.activeSince == null ? now : earliestOf([before.activeSince, now]);
    if (before === undefined || since !== before.activeSince || isNewlySilenced(alert, before)) {
      changes.push({ key: alert, before, becomes: 'SEEN', state: createActiveState(alert, before, since) });
    } else if (
      alert.silence === null &&
      (before.raisedAt === null ? msBetween(since, now) >= STEADY_MS : hasBecomeCritical(alert, before))
    ) {
      changes.push({ key: alert, before, becomes: 'RAISED', alert });
    }
  }
  for (const [key, before] of statesByKey) {
    if (alerts.has(key)) continue;
    const since = before.goneSince === null ? now : earliestOf([before.goneSince, now]);
    if (before.raisedAt === null || before.isSilenced) {
      changes.push({ key: before, before, becomes: 'FORGOTTEN' });
    } else if (since !== before.goneSince) {
      changes.push({ key: before, before, becomes: 'SEEN', state: { ...before, activeSince: null, goneSince: since } });
    } else if (msBetween(since, now) >= STEADY_MS) {
      changes.push({ key: before, before, becomes: 'CLEARED' });
    }
  }
  return changes;
}

/** As of an alert that holds when the first target is enabled: no target gets it. */
export const createRaisedState = (
  { kind, about, id, severity }: Omit<ActiveAlert, 'silence'>,
  now: Instant,
): AlertState<never> => ({
  kind,
  about,
  id,
  activeSince: now,
  goneSince: null,
  raisedAt: now,
  severity,
  alert: null,
  reportedTo: [],
  wasSilenced: false,
});

/** Whether nothing has become of it meanwhile. */
export const isUnchanged = (before: AlertState<unknown> | undefined, found: AlertState<unknown> | undefined): boolean =>
  before?.activeSince === found?.activeSince &&
  before?.goneSince === found?.goneSince &&
  before?.raisedAt === found?.raisedAt &&
  before?.wasSilenced === found?.wasSilenced;

export const alertKeyText = ({ kind, about, id }: AlertKey) => JSON.stringify([kind, about, id]);

const hasBecomeCritical = (alert: ActiveAlert, before: AlertState<unknown>): boolean =>
  alert.severity === 'CRITICAL' && before.severity === 'WARNING';

const isNewlySilenced = ({ silence }: ActiveAlert, { raisedAt, wasSilenced }: AlertState<unknown>): boolean =>
  silence !== null && (raisedAt !== null || !wasSilenced);

/** What was reported of an alert that is silenced is forgotten: it is raised anew when the silence ends. */
function createActiveState<Reported>(
  { kind, about, id, silence }: ActiveAlert,
  state: AlertState<Reported> | undefined,
  since: Instant,
): AlertState<Reported> {
  const isSilenced = silence !== null;
  const { raisedAt = null, severity = null, alert = null, reportedTo = [], wasSilenced = false } = state ?? {};
  return {
    kind,
    about,
    id,
    activeSince: since,
    goneSince: null,
    raisedAt: isSilenced ? null : raisedAt,
    severity: isSilenced ? null : severity,
    alert: isSilenced ? null : alert,
    reportedTo: isSilenced ? [] : reportedTo,
    wasSilenced: wasSilenced || isSilenced,
  };
}
