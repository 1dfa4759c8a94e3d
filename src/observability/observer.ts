// Receives requests, statements and outages once, and passes them to the log, the metrics and, if configured, the traces.
import type { IncomingHttpHeaders } from 'node:http';
import type { Log } from './log';
import type { Metrics } from './metrics';
import { currentObservation, type Observation } from './observation';
import type { Tracing } from './tracing';

/** A request that was answered. */
interface Answered {
  method: string;
  /** The pattern of the path. */
  route: string;
  status: number;
  /** The time until the answer was sent, or until its event stream started. */
  ms: number;
  /** The time until the event stream ended. */
  openMs?: number | undefined;
  caller: string;
  /** Whether the request is logged only at LOG_LEVEL=debug, like probes and files of the dashboard. */
  quiet: boolean;
}

export class Observer {
  /**
   * Whether statements are counted for their request, which traces and LOG_LEVEL=debug need. Node must then follow every promise,
   * which makes a small request a third slower on Node 20 (92 → 122 µs).
   */
  readonly followsStatements: boolean;

  constructor(
    private readonly log: Log,
    private readonly metrics: Metrics,
    private readonly tracing: Tracing | undefined,
  ) {
    this.followsStatements = tracing !== undefined || log.isLevelEnabled('debug');
  }

  requestStarted(id: string, headers: IncomingHttpHeaders): Observation {
    return { id, statements: 0, codes: [], span: this.tracing?.startRequest(headers) };
  }

  requestEnded(observation: Observation, { method, route, status, ms, openMs, caller, quiet }: Answered): void {
    const { id, operation, codes, statements, span } = observation;
    this.metrics.request(method, route, status, ms / 1000);
    if (operation) this.metrics.operation(operation, codes, ms / 1000);
    this.tracing?.endRequest(observation, method, route, status);
    if (!this.log.isLevelEnabled(quiet ? 'debug' : 'info')) return;
    const line = {
      requestId: id,
      traceId: span?.spanContext().traceId,
      caller: caller || undefined,
      method,
      route,
      operation: operation?.name || undefined,
      // Each code once, because one answer can have 10,000 errors.
      codes: codes.length > 0 ? [...new Set(codes)] : undefined,
      status,
      ms: roundMs(ms),
      openMs: openMs === undefined ? undefined : roundMs(openMs),
      sql: this.followsStatements ? statements : undefined,
    };
    if (quiet) this.log.debug(line, 'request');
    else this.log.info(line, 'request');
  }

  /** The database became unavailable (with the cause), answers again, or has a problem that the operator should know. */
  readonly reportState = (state: 'up' | 'away', message: string, cause?: unknown): void => {
    this.metrics.setDatabaseState(state);
    if (cause === undefined) this.log.info(message);
    else this.log.error({ err: cause }, message);
  };

  /** Called when a statement starts. Returns a function to call when it ends. */
  readonly statement = (text: string): ((failure?: unknown) => void) => {
    const observation = currentObservation();
    if (observation) observation.statements += 1;
    const span = observation?.span && this.tracing?.startStatement(observation.span, text);
    const startedAt = performance.now();
    return (failure) => {
      this.metrics.statement((performance.now() - startedAt) / 1000);
      if (span) this.tracing?.endStatement(span, failure);
    };
  };
}

const roundMs = (ms: number) => Math.round(ms * 100) / 100;
