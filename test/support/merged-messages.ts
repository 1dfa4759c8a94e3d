// How messages of a machine come as one: what a machine that is asked, or that sends its changes, reports once instead of twice.
import type { MachineMessage } from '../../src/machines/machine-adapter';
import { memberAt } from '../../src/machines/message-values';
import type { Recording, Step } from '../recordings/recording';

type Merge = (one: unknown, next: unknown) => unknown;

const later: Merge = (_, next) => next;

/** Members of both; where both have one, that of the later message. */
const members: Merge = (one, next) => {
  const areBoth = [one, next].every((value) => typeof value === 'object' && value !== null && !Array.isArray(value));
  if (!areBoth) return next;
  const [before, now] = [one, next] as Record<string, unknown>[];
  const shared = Object.entries(now ?? {}).map(([name, value]) => [name, members(before?.[name] ?? value, value)]);
  return { ...before, ...Object.fromEntries(shared) };
};

const statusUpdates: Merge = (one, next) => {
  const [before] = one as [unknown];
  const [now, time] = next as [unknown, number];
  return [members(before, now), time];
};

/** By what a message is; others never come as one. */
const MERGES: Record<string, Merge> = {
  notify_status_update: statusUpdates,
  'push current': later,
  '/api/v1/status': later,
  'report push_status': members,
};

const kindOf = ({ source, body }: MachineMessage): string => {
  const more = { push: Object.keys(body ?? {})[0], report: memberAt(body, 'print', 'command') }[source];
  return more === undefined ? source : `${source} ${String(more)}`;
};

const HEARTBEATS = ['notify_proc_stat_update', 'pingresp'];

/** The steps, but for one whose message comes with that of the next one; null: these two never come as one. */
export function withMergedMessage({ steps }: Pick<Recording, 'steps'>, place: number): Step[] | null {
  const one = steps[place]?.message ?? null;
  const behind = steps.findIndex(
    ({ message }, at) => at > place && (message === null || !HEARTBEATS.includes(message.source)),
  );
  const next = steps[behind];
  const merge = one === null ? undefined : MERGES[kindOf(one)];
  const isOne = one !== null && next?.message != null && kindOf(one) === kindOf(next.message);
  const isHeard = steps.slice(place, behind + 1).every(({ link }) => link === 'up');
  if (merge === undefined || !isOne || !isHeard || next.message === null) return null;
  const merged = { ...next, message: { ...next.message, body: merge(one.body, next.message.body) } };
  return [...steps.slice(0, place), ...steps.slice(place + 1, behind), merged, ...steps.slice(behind + 1)];
}
