// The metrics of the process and the farm, as Prometheus reads them.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** What the farm is doing, asked of the database when somebody reads the metrics. */
export interface FarmFigures {
  cameras: Record<string, number>;
  jobs: Record<string, number>;
  /** Of the jobs completed on each of the last days; decimals as texts. */
  days: { day: string; grams: string; cost: string }[];
}

export interface PoolFigures {
  idle: number;
  busy: number;
  waiting: number;
}

export interface Sources {
  farm(): Promise<FarmFigures>;
  /** Undefined where there is no pool. */
  pool(): PoolFigures | undefined;
}

/** From half a millisecond, which a small read takes, to beyond the 5 s in which every request is answered. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Clients choose the names of operations: further ones are counted together. */
const MOST_OPERATIONS = 200;

export class Metrics {
  private readonly registry = new Registry();
  private readonly operations = new Set<string>();
  private readonly found = new Map<string, Histogram.Internal<string>>();
  private readonly requests = this.histogram('http_request_duration_seconds', 'Requests by route and status.', [
    ...['method', 'route', 'status_code'],
  ]);
  private readonly runs = this.histogram('graphql_operation_duration_seconds', 'Operations, from request to answer.', [
    ...['operation', 'type'],
  ]);
  private readonly statements = this.histogram('database_statement_duration_seconds', 'SQL statements.', []);
  private readonly errors = new Counter({
    name: 'graphql_errors_total',
    help: 'Errors in GraphQL answers by code.',
    labelNames: ['operation', 'code'],
    registers: [this.registry],
  });
  private readonly up = this.gauge('database_up', 'Whether the database answered when it was last asked: 1 or 0.', []);
  private readonly pool = this.gauge('database_pool_connections', 'Connections to the server by state.', ['state']);
  private readonly waiting = this.gauge('database_pool_waiting', 'Statements that wait for a connection.', []);
  private readonly cameras = this.gauge('print_farm_cameras', 'Cameras by their latest status.', ['state']);
  private readonly jobs = this.gauge('print_farm_jobs', 'Print jobs by status.', ['status']);
  private readonly grams = this.gauge('print_farm_filament_grams', 'Grams in the jobs completed on a day (UTC).', [
    'day',
  ]);
  private readonly cost = this.gauge('print_farm_cost', 'Cost of the jobs completed on a day (UTC).', ['day']);

  constructor(private readonly sources: Sources) {
    collectDefaultMetrics({ register: this.registry });
    this.up.set(1);
  }

  request(method: string, route: string, status: number, seconds: number): void {
    this.labelled(this.requests, { method, route, status_code: status }).observe(seconds);
  }

  operation({ name, type }: { name: string; type: string }, codes: readonly string[], seconds: number): void {
    if (this.operations.size < MOST_OPERATIONS) this.operations.add(name);
    const operation = this.operations.has(name) ? name : 'other';
    this.labelled(this.runs, { operation, type }).observe(seconds);
    for (const code of codes) this.errors.inc({ operation, code });
  }

  statement(seconds: number): void {
    this.statements.observe(seconds);
  }

  databaseIs(state: 'up' | 'away'): void {
    this.up.set(state === 'up' ? 1 : 0);
  }

  /** The farm's own figures are missing while the database is away. */
  async text(): Promise<{ type: string; text: string }> {
    const pool = this.sources.pool();
    if (pool) {
      this.pool.set({ state: 'idle' }, pool.idle);
      this.pool.set({ state: 'busy' }, pool.busy);
      this.waiting.set(pool.waiting);
    }
    this.show(await this.sources.farm().catch(() => ({ cameras: {}, jobs: {}, days: [] })));
    return { type: this.registry.contentType, text: await this.registry.metrics() };
  }

  private show({ cameras, jobs, days }: FarmFigures): void {
    for (const gauge of [this.cameras, this.jobs, this.grams, this.cost]) gauge.reset();
    for (const [state, count] of Object.entries(cameras)) this.cameras.set({ state }, count);
    for (const [status, count] of Object.entries(jobs)) this.jobs.set({ status }, count);
    for (const { day, grams, cost } of days) {
      this.grams.set({ day }, Number(grams));
      this.cost.set({ day }, Number(cost));
    }
  }

  /** A histogram finds the labels anew for every value, 2 µs; kept, it has found them. */
  private labelled(histogram: Histogram, labels: Record<string, string | number>): Histogram.Internal<string> {
    const key = Object.values(labels).join(' ');
    const known = this.found.get(key) ?? histogram.labels(labels);
    this.found.set(key, known);
    return known;
  }

  private histogram(name: string, help: string, labelNames: string[]): Histogram {
    return new Histogram({ name, help, labelNames, buckets: SECONDS, registers: [this.registry] });
  }

  private gauge(name: string, help: string, labelNames: string[]): Gauge {
    return new Gauge({ name, help, labelNames, registers: [this.registry] });
  }
}
