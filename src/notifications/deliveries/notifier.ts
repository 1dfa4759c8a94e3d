// Runs the notifier: the one process that holds the lease of notifications turns events into notifications and delivers them.
import { randomUUID } from 'node:crypto';
import { type LeaseStore, RENEWED_AT_SEC } from '../../sharing/lease';
import { createTimeoutSignal, setInterval, sleep } from '../../values/timers';
import { type ReceiverAnswer, reportFailed } from '../../wire/faults';
import type { AlertReporter } from '../events/alert-reporter';
import { buildOmittedMessage, findPageUrl } from '../events/messages';
import type { PrintReporter } from '../events/print-reporter';
import type { ReporterLease } from '../events/reporter.store';
import type { BrokerRegistry } from '../mqtt/broker-registry';
import type { NotifierWaker } from '../notifier-waker';
import type { Sender } from '../sender';
import type { DueDelivery, NotifierStore } from './notifier.store';
import { ATTEMPT_MS, decideOutcome } from './retries';

export interface NotifierParts {
  leases: Pick<LeaseStore, 'release'>;
  store: NotifierStore;
  /** The reporters turn each event into one notification. */
  reporters: { prints: Pick<PrintReporter, 'report'>; alerts: Pick<AlertReporter, 'report'> };
  sender: Pick<Sender, 'send'>;
  /** Brokers also get the states of the farm while this process holds the lease. */
  brokers: Pick<BrokerRegistry, 'step' | 'stop'>;
  /** The URL at which users reach the dashboard; `null` if PUBLIC_URL is not set. */
  publicUrl: string | null;
  /** Called if events could not become notifications. The next step tries again. */
  logReportFailure(what: Reported, error: unknown): void;
  /** Called if a statement fails, such as when the database does not answer. */
  logFailure(error: unknown): void;
}

/** The parts of a step that report what happens. */
type Reported = 'prints' | 'alerts';

interface NotifierFigures {
  deliveries: { kind: string; outcome: string; count: number }[];
  failures: Record<Reported, number>;
}

const TICK_MS = 1000;
/** How often a farm without enabled channels is checked, because another process may have added a channel. */
const IDLE_MS = 15_000;
/** How often a process without the lease tries to take the lease. */
const WITHOUT_LEASE_MS = 5000;
/** How often deliveries that are too old are given up. */
const SWEEP_MS = 15_000;
/** An attempt that starts within this time after a renewal ends before another process can take the lease. */
const MAX_UNRENEWED_MS = RENEWED_AT_SEC * 1000 - ATTEMPT_MS - 2000;
/** An attempt that is still running this long after its time limit is abandoned. */
const ABANDONED_AFTER_MS = 1000;
/** The number of steps after wake(): a new channel is visible only after its transaction has committed. */
const STEPS_AFTER_WAKING = 5;
/** How long running deliveries may still take when the process stops. */
const GRACE_MS = 2000;

interface RunningAttempt {
  startedAt: number;
  abandon(): void;
}

export class Notifier implements NotifierWaker {
  private readonly holder = randomUUID();
  private readonly stopping = new AbortController();
  /** The running deliveries by the ids of their channels. */
  private readonly deliveringTo = new Map<string, Promise<void>>();
  private readonly runningAttempts = new Set<RunningAttempt>();
  private readonly counts = new Map<string, { kind: string; outcome: string; count: number }>();
  private readonly failures: Record<Reported, number> = { prints: 0, alerts: 0 };
  private lease: ReporterLease | null = null;
  private renewedAt = Number.NEGATIVE_INFINITY;
  private nextStepAt = Number.NEGATIVE_INFINITY;
  private sweptAt = Number.NEGATIVE_INFINITY;
  private stepsLeft = 0;
  /** Whether a channel may still need a notification OMITTED. */
  private mayHaveOmitted = true;
  private timer: NodeJS.Timeout | undefined;
  private stepping: Promise<void> | undefined;

  constructor(private readonly parts: NotifierParts) {}

  start(): void {
    this.timer = setInterval(() => this.tick(), TICK_MS);
    this.tick();
  }

  wake(): void {
    this.stepsLeft = STEPS_AFTER_WAKING;
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.stepping;
    await Promise.race([this.waitForDeliveries(), sleep(GRACE_MS, undefined, { ref: false })]);
    this.stopping.abort();
    await this.waitForDeliveries();
    await this.parts.brokers.stop();
    if (this.lease !== null) await this.parts.leases.release(this.holder).catch(this.parts.logFailure);
    this.lease = null;
  }

  /** The deliveries of this process and its failures to report events, since its start, for metrics. */
  figures(): NotifierFigures {
    return { deliveries: [...this.counts.values()], failures: this.failures };
  }

  private tick(): void {
    this.stepping ??= this.step()
      .catch(this.parts.logFailure)
      .finally(() => {
        this.stepping = undefined;
      });
  }

  /** Takes or renews the lease. With the lease, the step reports prints and alerts, gives up old deliveries and starts due deliveries. */
  async step(): Promise<void> {
    const now = performance.now();
    for (const { startedAt, abandon } of this.runningAttempts)
      if (now - startedAt > ATTEMPT_MS + ABANDONED_AFTER_MS) abandon();
    if (now < this.nextStepAt && this.stepsLeft === 0) return;
    this.stepsLeft = Math.max(0, this.stepsLeft - 1);
    const { isWanted, number } = await this.parts.store.takeLease(this.holder);
    this.lease = number === null ? null : { holder: this.holder, number };
    this.nextStepAt = now + (this.lease !== null ? 0 : isWanted ? WITHOUT_LEASE_MS : IDLE_MS);
    if (this.lease === null) return this.parts.brokers.stop();
    this.renewedAt = now;
    // A failure to publish states must not delay deliveries, because the next states follow in two seconds anyway.
    await this.parts.brokers.step().catch(this.parts.logFailure);
    const { lease } = this;
    await this.report('prints', lease);
    await this.report('alerts', lease);
    if (now - this.sweptAt >= SWEEP_MS) await this.sweep(now);
    if (this.mayHaveOmitted) await this.reportOmitted();
    for (const delivery of await this.parts.store.listDue([...this.deliveringTo.keys()]))
      this.startDelivering(delivery);
  }

  /** Catches any error, because a failure here must not delay the deliveries that already wait. */
  private async report(what: Reported, lease: ReporterLease): Promise<void> {
    try {
      await this.parts.reporters[what].report(lease);
    } catch (error) {
      this.failures[what] += 1;
      this.parts.logReportFailure(what, error);
    }
  }

  /** Resolves when no delivery is running. */
  async waitForDeliveries(): Promise<void> {
    while (this.deliveringTo.size > 0) await Promise.all(this.deliveringTo.values());
  }

  private async sweep(now: number): Promise<void> {
    for (const { kind, count } of await this.parts.store.giveUpOld([...this.deliveringTo.keys()])) {
      this.count(kind, 'given_up', count);
      this.mayHaveOmitted = true;
    }
    this.sweptAt = now;
  }

  private async reportOmitted(): Promise<void> {
    const omitted = await this.parts.store.countOmitted();
    // mayHaveOmitted is reset before the writes, because a delivery that ends during the writes may set it again.
    this.mayHaveOmitted = false;
    for (const { id, count } of omitted)
      await this.parts.store.reportOmitted(id, randomUUID(), buildOmittedMessage(count));
  }

  private startDelivering(first: DueDelivery): void {
    const { id } = first.target;
    const work = this.deliver(first)
      .catch(this.parts.logFailure)
      .finally(() => this.deliveringTo.delete(id));
    this.deliveringTo.set(id, work);
  }

  /** Delivers one message after the other, as long as the channel has a due delivery. */
  private async deliver(first: DueDelivery): Promise<void> {
    const { store, sender, publicUrl } = this.parts;
    for (let next: DueDelivery | undefined = first; next !== undefined; ) {
      if (this.stopping.signal.aborted || performance.now() - this.renewedAt > MAX_UNRENEWED_MS) return;
      const { target, attempts, ...message } = next;
      const sent = sender.send(
        { ...message, url: findPageUrl(message.data, publicUrl) },
        target,
        createTimeoutSignal(ATTEMPT_MS, this.stopping.signal),
      );
      const answer = await this.awaitAnswer(sent);
      // This process is stopping. The process that takes the lease next sends the message again, with the same id.
      if (answer.fault !== null && this.stopping.signal.aborted) return;
      const outcome = decideOutcome(answer, attempts);
      if (await store.writeOutcome(next, outcome)) this.mayHaveOmitted = true;
      this.count(target.kind, OUTCOMES[outcome.delivery], 1);
      [next] = await store.listDue([], target.id);
    }
  }

  /** Also resolves if nothing ever ends the attempt. Otherwise its channel would never get another message. */
  private async awaitAnswer(sent: Promise<ReceiverAnswer>): Promise<ReceiverAnswer> {
    let abandon = () => {};
    const abandoned = new Promise<ReceiverAnswer>((resolve) => {
      abandon = () => resolve(reportFailed('TIMED_OUT'));
    });
    const attempt = { startedAt: performance.now(), abandon };
    this.runningAttempts.add(attempt);
    return Promise.race([sent, abandoned]).finally(() => this.runningAttempts.delete(attempt));
  }

  private count(kind: string, outcome: string, added: number): void {
    const counted = this.counts.get(`${kind} ${outcome}`) ?? { kind, outcome, count: 0 };
    counted.count += added;
    this.counts.set(`${kind} ${outcome}`, counted);
  }
}

/** The names of the outcomes in the metric. */
const OUTCOMES = { DELIVERED: 'delivered', WAITING: 'failed', GIVEN_UP: 'given_up' };
