// Merges two messages of a machine, as a machine that is polled or that sends changes reports once what it could have reported twice.
import type { MachineMessage } from '../../src/machines/machine-adapter';
import { memberAt } from '../../src/machines/message-values';
import type { Recording, Step } from '../recordings/recording';

type Merge = (one: unknown, next: unknown) => unknown;

const takeLater: Merge = (_, next) => next;

/** The members of both messages; if both have a member, that of the later message counts. */
const mergeMembers: Merge = (one, next) => {
  const areBoth = [one, next].every((value) => typeof value === 'object' && value !== null && !Array.isArray(value));
  if (!areBoth) return next;
  const [before, now] = [one, next] as Record<string, unknown>[];
  const shared = Object.entries(now ?? {}).map(([name, value]) => [name, mergeMembers(before?.[name] ?? value, value)]);
  return { ...before, ...Object.fromEntries(shared) };
};

const mergeStatusUpdates: Merge = (one, next) => {
  const [before] = one as [unknown];
  const [now, time] = next as [unknown, number];
  return [mergeMembers(before, now), time];
};

/** By the kind of message. Other kinds are never merged. */
const MERGES: Record<string, Merge> = {
  notify_status_update: mergeStatusUpdates,
  'push current': takeLater,
  '/api/v1/status': takeLater,
  'report push_status': mergeMembers,
};

const findMessageKind = ({ source, body }: MachineMessage): string => {
  const more = { push: Object.keys(body ?? {})[0], report: memberAt(body, 'print', 'command') }[source];
  return more === undefined ? source : `${source} ${String(more)}`;
};

const HEARTBEATS = ['notify_proc_stat_update', 'pingresp'];

/** The steps with the message of one step merged into the next one; null if these two are never merged. */
export function withMergedMessage({ steps }: Pick<Recording, 'steps'>, place: number): Step[] | null {
  const one = steps[place]?.message ?? null;
  const behind = steps.findIndex(
    ({ message }, at) => at > place && (message === null || !HEARTBEATS.includes(message.source)),
  );
  const next = steps[behind];
  const merge = one === null ? undefined : MERGES[findMessageKind(one)];
  const isOne = one !== null && next?.message != null && findMessageKind(one) === findMessageKind(next.message);
  const isHeard = steps.slice(place, behind + 1).every(({ link }) => link === 'up');
  if (merge === undefined || !isOne || !isHeard || next.message === null) return null;
  const merged = { ...next, message: { ...next.message, body: merge(one.body, next.message.body) } };
  return [...steps.slice(0, place), ...steps.slice(place + 1, behind), merged, ...steps.slice(behind + 1)];
}
