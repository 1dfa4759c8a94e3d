// The names of operations in the metrics: clients choose them, and cannot fill all places.
import { Metrics } from '../../src/observability/metrics';

const sources = {
  farm: async () => ({
    cameras: {},
    jobs: {},
    prints: {},
    days: [],
    notifications: { targets: [{ kind: 'NTFY', state: 'OK', count: 2 }], oldestWaitingSeconds: 7 },
  }),
  notifier: () => ({
    deliveries: [{ kind: 'NTFY', outcome: 'delivered', count: 3 }],
    failures: { prints: 0, alerts: 2 },
  }),
  pool: () => undefined,
  collector: () => ({ devices: [], oldestContactSeconds: 0, decisions: {} }),
  live: async () => ({ subscriptions: 0, deliveries: 0, secondsBehind: 0 }),
};

test('a name that never succeeded is counted under "other", and names of the manifest always have room', async () => {
  const metrics = new Metrics(['Dashboard']);
  for (let n = 0; n < 300; n += 1) metrics.operation({ name: `Failed${n}`, type: 'query' }, ['FORBIDDEN'], 0.1);
  metrics.operation({ name: 'Own', type: 'query' }, [], 0.1);
  for (let n = 0; n < 300; n += 1) metrics.operation({ name: `Made${n}`, type: 'query' }, [], 0.1);
  metrics.operation({ name: 'Dashboard', type: 'query' }, ['FORBIDDEN'], 0.1);
  const { text } = await metrics.text(sources);
  const counts = [...text.matchAll(/^graphql_operation_duration_seconds_count\{operation="(\w+)".*\} (\d+)$/gm)];
  const count = new Map(counts.map(([, name, times]) => [name, Number(times)]));
  expect(count.size).toBeLessThanOrEqual(201);
  expect([count.get('Own'), count.get('Dashboard'), count.get('Failed0')]).toEqual([1, 1, undefined]);
  expect(text).toContain('graphql_errors_total{operation="other",code="FORBIDDEN"} 300');
});

test('notifications are counted by kind, and no label has a name or a URL', async () => {
  const { text } = await new Metrics().text(sources);
  expect(text).toContain('notifications_total{kind="NTFY",outcome="delivered"} 3');
  expect(text).toContain('notification_targets{kind="NTFY",state="OK"} 2');
  expect(text).toContain('notification_failures_total{part="alerts"} 2');
  expect(text).toContain('notification_oldest_waiting_seconds 7');
});
