// Defines the metrics of the process and of the farm, and writes them in the format of Prometheus.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** The figures of the farm, read from the database when the metrics are read. */
export interface FarmFigures {
  cameras: Record<string, number>;
  jobs: Record<string, number>;
  /** Observed prints by outcome. */
  prints: Record<string, number>;
  /** The sums of the jobs that were completed on each of the last days. Decimals are texts. */
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
  /** The age of the oldest change that has not been sent to subscriptions yet. */
  secondsBehind: number;
}

/** The devices from which this process collects. */
interface CollectorFigures {
  devices: { kind: string; state: string }[];
  oldestContactSeconds: number;
  /** How many writes of each kind were made for prints and cameras since the start. */
  decisions: Record<string, number>;
}

/** How many notifications this process has delivered, and how often it failed to make notifications. */
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

/** The figures while the database does not answer. */
const NO_FIGURES: FarmFigures = {
  cameras: {},
  jobs: {},
  prints: {},
  days: [],
  notifications: { targets: [], oldestWaitingSeconds: 0 },
};

/**
 * The maximum number of operation names with separate figures. Clients choose these names, so further names, and names of operations
 * that never succeeded, are counted together.
 */
const MAX_OPERATIONS = 200;

/** In seconds, from a small read (half a millisecond) to more than the time limit of a request. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export class Metrics {
  private readonly registry = new Registry();
  private readonly operations: Set<string>;
  private readonly requests = this.durations(
    'http_request_duration_seconds',
    'The duration of HTTP requests by route and status.',
    ['method', 'route', 'status_code'],
  );
  private readonly runs = this.durations(
    'graphql_operation_duration_seconds',
    'The duration of GraphQL operations, from request to answer.',
    ['operation', 'type'],
  );
  private readonly statements = this.durations(
    'database_statement_duration_seconds',
    'The duration of SQL statements.',
    [],
  );
  private readonly errors = new Counter({
    name: 'graphql_errors_total',
    help: 'The number of errors in GraphQL answers, by operation and code.',
    labelNames: ['operation', 'code'],
    registers: [this.registry],
  });
  private readonly up = this.gauge(
    'database_up',
    '1 if the database answered the last statement, 0 if it did not.',
    [],
  );
  private readonly pool = this.gauge(
    'database_pool_connections',
    'The number of connections to the database server, by state.',
    ['state'],
  );
  private readonly waiting = this.gauge(
    'database_pool_waiting',
    'The number of statements that wait for a connection.',
    [],
  );
  private readonly subscriptions = this.gauge('graphql_subscriptions', 'The number of open subscriptions.', []);
  private readonly deliveries = new Counter({
    name: 'graphql_deliveries_total',
    help: 'The number of changes that were sent to subscriptions.',
    registers: [this.registry],
  });
  private readonly behind = this.gauge(
    'change_feed_seconds_behind',
    'The age of the oldest change that has not been sent to subscriptions yet.',
    [],
  );
  private readonly devices = this.gauge(
    'collector_devices',
    'The number of devices from which this process collects, by kind and state of the connection.',
    ['kind', 'state'],
  );
  private readonly contact = this.gauge(
    'collector_oldest_contact_seconds',
    'The time since the last message of the machine that has been silent for the longest time.',
    [],
  );
  private readonly decisions = new Counter({
    name: 'collector_decisions_total',
    help: 'The number of writes about prints of machines and the status of cameras, by their kind.',
    labelNames: ['decision'],
    registers: [this.registry],
  });
  private readonly delivered = new Counter({
    name: 'notifications_total',
    help: 'The number of notifications that this process delivered, tried without success or gave up, by kind of target.',
    labelNames: ['kind', 'outcome'],
    registers: [this.registry],
  });
  private readonly notReported = new Counter({
    name: 'notification_failures_total',
    help: 'How often this process failed to make notifications, by what they are about: events, prints or alerts.',
    labelNames: ['part'],
    registers: [this.registry],
  });
  private readonly targets = this.gauge(
    'notification_targets',
    'The number of notification targets, by kind and state.',
    ['kind', 'state'],
  );
  private readonly oldestWaiting = this.gauge(
    'notification_oldest_waiting_seconds',
    'The age of the oldest notification that waits to be sent; 0 if none waits.',
    [],
  );
  private readonly cameras = this.gauge('print_farm_cameras', 'The number of cameras, by liveness.', ['state']);
  private readonly jobs = this.gauge('print_farm_jobs', 'The number of print jobs, by status.', ['status']);
  private readonly prints = this.gauge(
    'print_farm_observed_prints',
    'The number of prints that machines reported, by outcome.',
    ['outcome'],
  );
  private readonly grams = this.gauge(
    'print_farm_filament_grams',
    'The grams of filament of the jobs that were completed on a day (UTC).',
    ['day'],
  );
  private readonly cost = this.gauge('print_farm_cost', 'The cost of the jobs that were completed on a day (UTC).', [
    'day',
  ]);

  /** @param operations the names of operations that always have separate figures */
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

  setDatabaseState(state: 'up' | 'away'): void {
    this.up.set(state === 'up' ? 1 : 0);
  }

  /** The text for Prometheus. While the database does not answer, it has no figures of the farm. */
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
