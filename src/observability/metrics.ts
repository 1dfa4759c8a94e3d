// The metrics of the process and the farm, in Prometheus format.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** The figures of the farm, read from the database when the metrics are read. */
export interface FarmFigures {
  cameras: Record<string, number>;
  jobs: Record<string, number>;
  /** Observed prints by outcome. */
  prints: Record<string, number>;
  /** For the jobs completed on each of the last days; decimals as texts. */
  days: { day: string; grams: string; cost: string }[];
  notifications: { targets: { kind: string; state: string; count: number }[]; oldestWaitingSeconds: number };
}

interface PoolFigures {
  idle: number;
  busy: number;
  waiting: number;
}

/** The subscriptions of this process. */
interface LiveFigures {
  subscriptions: number;
  deliveries: number;
  /** The age of the oldest change that subscriptions have not got yet. */
  secondsBehind: number;
}

/** The devices that this process holds. */
interface CollectorFigures {
  devices: { kind: string; state: string }[];
  oldestContactSeconds: number;
  /** What was written of prints since the start. */
  decisions: Record<string, number>;
}

/** What this process has delivered to receivers, and how often it could not report what happened. */
interface NotifierFigures {
  deliveries: { kind: string; outcome: string; count: number }[];
  failures: Record<string, number>;
}

interface Sources {
  collector(): CollectorFigures;
  notifier(): NotifierFigures;
  farm(): Promise<FarmFigures>;
  live(): Promise<LiveFigures>;
  /** Undefined without a pool. */
  pool(): PoolFigures | undefined;
}

/** While the database is away. */
const NO_FIGURES: FarmFigures = {
  cameras: {},
  jobs: {},
  prints: {},
  days: [],
  notifications: { targets: [], oldestWaitingSeconds: 0 },
};

/** Clients choose the names of operations, so further names, and names that never succeeded, are counted together. */
const MAX_OPERATIONS = 200;

/** In seconds: from a small read (half a millisecond) to more than the time limit of a request. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export class Metrics {
  private readonly registry = new Registry();
  private readonly operations: Set<string>;
  private readonly requests = this.durations('http_request_duration_seconds', 'Requests by route and status.', [
    'method',
    'route',
    'status_code',
  ]);
  private readonly runs = this.durations('graphql_operation_duration_seconds', 'Operations, from request to answer.', [
    'operation',
    'type',
  ]);
  private readonly statements = this.durations('database_statement_duration_seconds', 'SQL statements.', []);
  private readonly errors = new Counter({
    name: 'graphql_errors_total',
    help: 'Errors in GraphQL answers by code.',
    labelNames: ['operation', 'code'],
    registers: [this.registry],
  });
  private readonly up = this.gauge('database_up', 'Whether the database answered when it was last asked: 1 or 0.', []);
  private readonly pool = this.gauge('database_pool_connections', 'Connections to the server by state.', ['state']);
  private readonly waiting = this.gauge('database_pool_waiting', 'Statements that wait for a connection.', []);
  private readonly subscriptions = this.gauge('graphql_subscriptions', 'Subscriptions that are open.', []);
  private readonly deliveries = new Counter({
    name: 'graphql_deliveries_total',
    help: 'Changes that were sent to subscriptions.',
    registers: [this.registry],
  });
  private readonly behind = this.gauge(
    'change_feed_seconds_behind',
    'The age of the oldest change that subscriptions have not got yet.',
    [],
  );
  private readonly devices = this.gauge(
    'collector_devices',
    'Devices that this process holds, by the state of their connections.',
    ['kind', 'state'],
  );
  private readonly contact = this.gauge(
    'collector_oldest_contact_seconds',
    'The age of the last message of the machine that was silent for the longest time.',
    [],
  );
  private readonly decisions = new Counter({
    name: 'collector_decisions_total',
    help: 'What was written of the prints of machines, and of the status of cameras.',
    labelNames: ['decision'],
    registers: [this.registry],
  });
  private readonly delivered = new Counter({
    name: 'notifications_total',
    help: 'Notifications that this process delivered, tries that failed, and what it gave up, by the kind of target.',
    labelNames: ['kind', 'outcome'],
    registers: [this.registry],
  });
  private readonly notReported = new Counter({
    name: 'notification_failures_total',
    help: 'How often this process could not make notifications of what happened, of prints and of alerts.',
    labelNames: ['part'],
    registers: [this.registry],
  });
  private readonly targets = this.gauge('notification_targets', 'Notification targets by kind and state.', [
    'kind',
    'state',
  ]);
  private readonly oldestWaiting = this.gauge(
    'notification_oldest_waiting_seconds',
    'The age of the oldest notification that is still to be sent; 0 when none is.',
    [],
  );
  private readonly cameras = this.gauge('print_farm_cameras', 'Cameras by their liveness.', ['state']);
  private readonly jobs = this.gauge('print_farm_jobs', 'Print jobs by status.', ['status']);
  private readonly prints = this.gauge('print_farm_observed_prints', 'Prints that machines reported, by outcome.', [
    'outcome',
  ]);
  private readonly grams = this.gauge('print_farm_filament_grams', 'Grams in the jobs completed on a day (UTC).', [
    'day',
  ]);
  private readonly cost = this.gauge('print_farm_cost', 'Cost of the jobs completed on a day (UTC).', ['day']);

  /** @param operations names that always have figures of their own */
  constructor(operations: readonly string[] = []) {
    this.operations = new Set(operations);
    collectDefaultMetrics({ register: this.registry });
    this.up.set(1);
  }

  request(method: string, route: string, status: number, seconds: number): void {
    this.requests.observe({ method, route, status_code: status }, seconds);
  }

  operation({ name, type }: { name: string; type: string }, codes: readonly string[], seconds: number): void {
    if (codes.length === 0 && this.operations.size < MAX_OPERATIONS) this.operations.add(name);
    const operation = this.operations.has(name) ? name : 'other';
    this.runs.observe({ operation, type }, seconds);
    for (const code of codes) this.errors.inc({ operation, code });
  }

  statement(seconds: number): void {
    this.statements.observe(seconds);
  }

  databaseIs(state: 'up' | 'away'): void {
    this.up.set(state === 'up' ? 1 : 0);
  }

  /** While the database is away, the figures of the farm are missing. */
  async text(sources: Sources): Promise<{ type: string; text: string }> {
    const pool = sources.pool();
    if (pool) {
      this.pool.set({ state: 'idle' }, pool.idle);
      this.pool.set({ state: 'busy' }, pool.busy);
      this.waiting.set(pool.waiting);
    }
    const [farm, { subscriptions, deliveries, secondsBehind }] = await Promise.all([
      sources.farm().catch(() => NO_FIGURES),
      sources.live(),
    ]);
    this.show(farm);
    this.showCollector(sources.collector());
    const notifier = sources.notifier();
    this.delivered.reset();
    for (const { kind, outcome, count } of notifier.deliveries) this.delivered.inc({ kind, outcome }, count);
    this.notReported.reset();
    for (const [part, count] of Object.entries(notifier.failures)) this.notReported.inc({ part }, count);
    this.subscriptions.set(subscriptions);
    this.deliveries.reset();
    this.deliveries.inc(deliveries);
    this.behind.set(secondsBehind);
    return { type: this.registry.contentType, text: await this.registry.metrics() };
  }

  private show({ cameras, jobs, prints, days, notifications }: FarmFigures): void {
    for (const gauge of [this.cameras, this.jobs, this.prints, this.grams, this.cost, this.targets]) gauge.reset();
    for (const { kind, state, count } of notifications.targets) this.targets.set({ kind, state }, count);
    this.oldestWaiting.set(notifications.oldestWaitingSeconds);
    for (const [state, count] of Object.entries(cameras)) this.cameras.set({ state: state.toLowerCase() }, count);
    for (const [status, count] of Object.entries(jobs)) this.jobs.set({ status }, count);
    for (const [outcome, count] of Object.entries(prints)) this.prints.set({ outcome }, count);
    for (const { day, grams, cost } of days) {
      this.grams.set({ day }, Number(grams));
      this.cost.set({ day }, Number(cost));
    }
  }

  private showCollector({ devices, oldestContactSeconds, decisions }: CollectorFigures): void {
    this.devices.reset();
    this.decisions.reset();
    for (const { kind, state } of devices) this.devices.inc({ kind, state });
    this.contact.set(oldestContactSeconds);
    for (const [decision, count] of Object.entries(decisions)) this.decisions.inc({ decision }, count);
  }

  private durations(name: string, help: string, labelNames: string[]): Histogram {
    return new Histogram({ name, help, labelNames, buckets: BUCKETS, registers: [this.registry] });
  }

  private gauge(name: string, help: string, labelNames: string[]): Gauge {
    return new Gauge({ name, help, labelNames, registers: [this.registry] });
  }
}
