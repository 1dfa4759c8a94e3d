// Decides when an alert is reported as raised or cleared: after it has been active or gone for a minute. An alert that becomes CRITICAL is
// raised again.
import { STEADY_MS } from '../../farm/alerts/alert.limits';
import type { AlertSeverity } from '../../farm/alerts/alert.types';
import { findEarliest, type Instant, msBetween } from '../../values/instant';

export interface AlertKey {
  kind: string;
  about: string;
  id: string;
}

/** An alert at the last check: active, or gone after it was raised. */
export interface AlertState<Reported> extends AlertKey {
  /** Since when the alert has been active without a break; `null` while the alert is gone. */
  activeSince: Instant | null;
  goneSince: Instant | null;
  /** When the alert was last raised; `null` before that. */
  raisedAt: Instant | null;
  /** The severity at that time; `null` before that, and if an older version of the gateway raised the alert. */
  severity: AlertSeverity | null;
  /** The alert as it was raised; `null` if no channel got it. */
  alert: Reported | null;
  /** The ids of the channels that got the alert. */
  reportedTo: readonly string[];
  /** Whether the alert was silenced since it became active. If so, all channels get it when the silence ends. */
  wasSilenced: boolean;
}

/** The stored state, with whether the alert is silenced now. */
export type CurrentAlertState<Reported> = AlertState<Reported> & { isSilenced: boolean };

/** An alert that is active now. */
interface ActiveAlert extends AlertKey {
  severity: AlertSeverity;
  /** `null` if the alert is not silenced. */
  silence: object | null;
}

/** What a check decides about one alert. `before` is the stored state; undefined for a new alert. */
export type AlertChange<Active, Reported> = { key: AlertKey; before: AlertState<Reported> | undefined } & (
  | { becomes: 'RAISED'; alert: Active }
  | { becomes: 'CLEARED'; before: AlertState<Reported> }
  | { becomes: 'SEEN'; state: AlertState<Reported> }
  /** The alert is gone and nothing about it has to be reported: it was never raised, is silenced, or is now another alert. */
  | { becomes: 'FORGOTTEN' }
);

/** @param active the active alerts, the most urgent first. The result keeps this order. */
export function findAlertChanges<Active extends ActiveAlert, Reported>(
  states: readonly CurrentAlertState<Reported>[],
  active: readonly Active[],
  now: Instant,
): AlertChange<Active, Reported>[] {
  const changes: AlertChange<Active, Reported>[] = [];
  const statesByKey = new Map(states.map((state) => [alertKeyText(state), state]));
  const alerts = new Map(active.map((alert) => [alertKeyText(alert), alert]));
  for (const [key, alert] of alerts) {
    const before = statesByKey.get(key);
    // A stored time in the future comes from a clock that was ahead and is corrected now. The alert counts as active since now.
    const since = before?.activeSince == null ? now : findEarliest([before.activeSince, now]);
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
    const since = before.goneSince === null ? now : findEarliest([before.goneSince, now]);
    if (before.raisedAt === null || before.isSilenced || isOfOlderVersion(before)) {
      changes.push({ key: before, before, becomes: 'FORGOTTEN' });
    } else if (since !== before.goneSince) {
      changes.push({ key: before, before, becomes: 'SEEN', state: { ...before, activeSince: null, goneSince: since } });
    } else if (msBetween(since, now) >= STEADY_MS) {
      changes.push({ key: before, before, becomes: 'CLEARED' });
    }
  }
  return changes;
}

/** The state of an alert that counts as raised now but that no channel gets. */
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

/** Whether no other process has changed the state since it was read. */
export const isUnchanged = (before: AlertState<unknown> | undefined, found: AlertState<unknown> | undefined): boolean =>
  before?.activeSince === found?.activeSince &&
  before?.goneSince === found?.goneSince &&
  before?.raisedAt === found?.raisedAt &&
  before?.wasSilenced === found?.wasSilenced;

export const alertKeyText = ({ kind, about, id }: AlertKey) => JSON.stringify([kind, about, id]);

/** An older version of the gateway reported each unresolved print by itself. Now its printer has the alert, so it is not cleared. */
const isOfOlderVersion = ({ about }: AlertKey): boolean => about === 'print';

const hasBecomeCritical = (alert: ActiveAlert, before: AlertState<unknown>): boolean =>
  alert.severity === 'CRITICAL' && before.severity === 'WARNING';

const isNewlySilenced = ({ silence }: ActiveAlert, { raisedAt, wasSilenced }: AlertState<unknown>): boolean =>
  silence !== null && (raisedAt !== null || !wasSilenced);

/** A silenced alert loses its record of what was reported, so that it is raised again when the silence ends. */
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
