// The edges of alerts: one is raised when its condition has stood for a minute, and cleared when it has been gone for a minute.
import { earliestOf, type Instant, msBetween } from '../../values/instant';

export interface AlertKey {
  kind: string;
  about: string;
  id: string;
}

/** A condition as it was looked at last: it stands, or it is gone after it was raised. */
export interface AlertState<Told> extends AlertKey {
  /** Since when it stands without a break; null while it is gone. */
  standsSince: Instant | null;
  goneSince: Instant | null;
  /** When it was raised; null before. */
  raisedAt: Instant | null;
  /** The alert as it was told when it was raised. */
  alert: Told | null;
  /** The ids of the targets that were told of it. */
  told: readonly string[];
}

interface Edges<Standing, Told> {
  raised: Standing[];
  cleared: AlertState<Told>[];
  /** States as they are now, where they differ from before; those of raised alerts are not among them. */
  changed: AlertState<Told>[];
  /** Of conditions that are over before they were raised. */
  forgotten: AlertKey[];
}

/** Against flapping. */
const STEADY_MS = 60_000;

/** @param standing the alerts now */
export function edgesOf<Standing extends AlertKey, Told>(
  states: readonly AlertState<Told>[],
  standing: readonly Standing[],
  now: Instant,
): Edges<Standing, Told> {
  const edges: Edges<Standing, Told> = { raised: [], cleared: [], changed: [], forgotten: [] };
  const before = new Map(states.map((state) => [keyOf(state), state]));
  const alerts = new Map(standing.map((alert) => [keyOf(alert), alert]));
  for (const [key, alert] of alerts) {
    const state = before.get(key);
    // A clock that was ahead is set right: it stands since now.
    const since = state?.standsSince == null ? now : earliestOf([state.standsSince, now]);
    if (state === undefined || since !== state.standsSince) edges.changed.push(standingSince(alert, state, since));
    else if (state.raisedAt === null && msBetween(since, now) >= STEADY_MS) edges.raised.push(alert);
  }
  for (const [key, state] of before) {
    if (alerts.has(key)) continue;
    const since = state.goneSince === null ? now : earliestOf([state.goneSince, now]);
    if (state.raisedAt === null) edges.forgotten.push(state);
    else if (since !== state.goneSince) edges.changed.push({ ...state, standsSince: null, goneSince: since });
    else if (msBetween(since, now) >= STEADY_MS) edges.cleared.push(state);
  }
  return edges;
}

/** As of an alert that stands when the first target is added: nobody was told of it. */
export const knownSince = ({ kind, about, id }: AlertKey, now: Instant): AlertState<never> => ({
  ...{ kind, about, id, standsSince: now, goneSince: null, raisedAt: now, alert: null, told: [] },
});

function standingSince<Told>(
  { kind, about, id }: AlertKey,
  state: AlertState<Told> | undefined,
  since: Instant,
): AlertState<Told> {
  const { raisedAt = null, alert = null, told = [] } = state ?? {};
  return { kind, about, id, standsSince: since, goneSince: null, raisedAt, alert, told };
}

const keyOf = ({ kind, about, id }: AlertKey) => JSON.stringify([kind, about, id]);
