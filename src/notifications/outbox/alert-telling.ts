// From alerts to notifications: each edge once, in the transaction that stores that it was told.

import type { Queryable } from '../../database/queryable';
import type { AlertService } from '../../farm/alerts/alert.service';
import type { Finding } from '../../farm/alerts/alert.store';
import { SEVERITY_OF } from '../../farm/alerts/alert.types';
import type { Instant } from '../../values/instant';
import { type AlertState, edgesOf, knownSince } from './alert-edges';
import { type Audience, toldOfAlert, toldOfClearing } from './audience';
import { type OutboxLease, OutboxStore } from './outbox.store';
import { type Told, type ToldAlert, toldAlert, wordsOfAlert } from './words';

interface Parts {
  database: Queryable;
  alertsOn(database: Queryable): Pick<AlertService, 'all' | 'messageOf'>;
}

/**
 * Nothing is written while no alert changes.
 * @param isBegun whether it is known what stood when the first target was added
 * @returns how many notifications were written
 */
export async function lookAtAlerts(
  { database, alertsOn }: Parts,
  lease: OutboxLease,
  isBegun: boolean,
  now: Instant,
): Promise<number> {
  const standing = await alertsOn(database).all(now);
  const edgesIn = async (store: OutboxStore) => edgesOf(await store.alertStates(), standing, now);
  if (isBegun && Object.values(await edgesIn(new OutboxStore(database))).every(({ length }) => length === 0)) return 0;
  return database.transaction(async (transaction) => {
    const store = new OutboxStore(transaction);
    if (!(await store.lockAlerts(lease, isBegun))) return 0;
    if (!isBegun) {
      await store.forgetAlerts('ALL');
      await store.noteAlerts(standing.map((alert) => knownSince(alert, now)));
      return 0;
    }
    const { raised, cleared, changed, forgotten } = await edgesIn(store);
    const targets = await store.targets();
    const isNew = await raisedNow(store, targets, raised, alertsOn(transaction), now);
    const told = [...cleared.flatMap((state) => clearedNow(targets, state, now)), ...isNew.told];
    if (told.length > 0) await store.tell(told);
    await store.noteAlerts([...changed, ...isNew.states]);
    await store.forgetAlerts([...forgotten, ...cleared]);
    return told.length;
  });
}

async function raisedNow(
  store: OutboxStore,
  targets: readonly Audience[],
  raised: readonly Finding[],
  alerts: Pick<AlertService, 'messageOf'>,
  now: Instant,
): Promise<{ told: Told[]; states: AlertState<ToldAlert>[] }> {
  const told: Told[] = [];
  const states: AlertState<ToldAlert>[] = [];
  const printers = raised.length > 0 ? await store.printersOf(raised) : [];
  for (const [index, finding] of raised.entries()) {
    const severity = SEVERITY_OF[finding.kind];
    const alert = toldAlert(finding, severity, await alerts.messageOf(finding));
    const ids = toldOfAlert(targets, { ...finding, severity, printerId: printers[index] ?? null });
    if (ids.length > 0) told.push(notification('ALERT_RAISED', alert, now, ids));
    states.push({ ...knownSince(finding, now), alert, told: ids });
  }
  return { told, states };
}

function clearedNow(targets: readonly Audience[], { alert, told }: AlertState<ToldAlert>, now: Instant): Told[] {
  const ids = toldOfClearing(targets, told);
  return alert === null || ids.length === 0 ? [] : [notification('ALERT_CLEARED', alert, now, ids)];
}

const notification = (
  event: 'ALERT_RAISED' | 'ALERT_CLEARED',
  alert: ToldAlert,
  at: Instant,
  targets: readonly string[],
): Told => ({ event, at, severity: alert.severity, ...wordsOfAlert(event, alert), targets });
