// Tells one broker what the farm does: it keeps the connection, and knows what the broker holds.
import { Backoff } from '../../machines/collector/backoff';
import { sha256 } from '../../values/digest';
import { sleep, timeoutSignal } from '../../values/timers';
import type { Limits } from '../../wire/connection-limits';
import type { ReceiverFault } from '../../wire/faults';
import type { Heard } from '../../wire/mqtt';
import type { Reach } from '../../wire/networks';
import { addressOf } from '../address';
import {
  type Broker,
  BrokerFailure,
  type BrokerTarget,
  brokerFaultOf,
  connectBroker,
  RETAINED,
  within,
} from './broker';
import { type FarmOnBroker, HOME_ASSISTANT_STATUS } from './discovery';
import { type FarmStates, onlyOf } from './farm-states';
import { configTopicsOf, retainedOf } from './retained';
import { eventTopic, objectOf, objectTopics, statusTopic } from './topics';

export interface ToldTarget extends BrokerTarget {
  /** null: all. */
  printerIds: readonly string[] | null;
}

export interface TellerParts {
  reach: Pick<Reach, 'networkOf'>;
  /** The URL at which people reach the dashboard; null where PUBLIC_URL is not set. */
  publicUrl: string | null;
  limits?: Limits;
  /** It is connected (null), or is not any more. */
  changed(fault: ReceiverFault | null): void;
}

/** A broker that holds something by an earlier connection, whose text is not known. */
const NOT_KNOWN = '';
/** For the last words to a broker, before its connection is closed: the process that stops has 8 s for everything. */
const FAREWELL_MS = 2_000;
const FORGETTING_MS = 5_000;
/** A broker that holds more below the prefix is not one for this farm alone. */
const MAX_LEARNT = 5_000;
const MAX_TOPIC = 4_000;
/** Brokers of MQTT 3.1.1 may refuse a client id of more than 23 characters. */
const CLIENT_ID_DIGITS = 18;

export class BrokerTeller {
  private broker: Broker | null = null;
  /** Rejects with the fault while there is no connection. */
  private opening!: Promise<Broker>;
  private states: FarmStates | null = null;
  private telling: Promise<void> | null = null;
  private readonly held = new Map<string, string>();
  /** Whether the broker still tells what it held before. */
  private isLearning = true;
  private readonly farm: FarmOnBroker;
  private readonly over = new AbortController();
  private readonly running: Promise<void>;

  /** @param former the teller of this target before, when it is over: it may still empty what this one fills */
  constructor(
    readonly target: ToldTarget,
    private readonly parts: TellerParts,
    former: Promise<void>,
  ) {
    this.farm = { prefix: addressOf('MQTT', target.url).place, url: parts.publicUrl };
    this.running = this.run(former);
  }

  /** Publishes what differs from what the broker holds. While it does, newer states wait for the next call. */
  tell(states: FarmStates): void {
    this.states = this.target.printerIds === null ? states : onlyOf(states, this.target.printerIds);
    this.telling ??= this.publishDifferences()
      // The connection is over: the next one begins anew.
      .catch(() => undefined)
      .finally(() => {
        this.telling = null;
      });
  }

  /** Publishes an event; resolves when the broker has it, rejects with the fault. */
  async send(type: string, body: string, signal: AbortSignal): Promise<void> {
    const broker = await within(signal, this.opening);
    await within(signal, broker.publish(eventTopic(this.farm.prefix, type), body, { qos: 1 }));
  }

  /** @param forget whether what the broker holds is emptied, in one try */
  async close(forget: boolean): Promise<void> {
    this.over.abort();
    await this.running;
    await this.sayGoodbye(forget, timeoutSignal(forget ? FORGETTING_MS : FAREWELL_MS)).catch(() => undefined);
    this.broker?.close();
    this.broker = null;
  }

  private async run(former: Promise<void>): Promise<void> {
    const backoff = new Backoff();
    for (let before = former; ; before = Promise.resolve()) {
      let openedAt = Number.POSITIVE_INFINITY;
      let fault: ReceiverFault;
      try {
        let end: (fault: ReceiverFault) => void = () => {};
        const ended = new Promise<ReceiverFault>((resolve) => {
          end = resolve;
        });
        this.opening = before.then(() => this.connect(end, this.over.signal));
        this.broker = await this.opening;
        openedAt = performance.now();
        backoff.taken();
        if (!this.over.signal.aborted) this.parts.changed(null);
        fault = await within(this.over.signal, ended);
      } catch (error) {
        fault = brokerFaultOf(error);
      }
      if (this.over.signal.aborted) return;
      this.broker = null;
      this.opening = Promise.reject(new BrokerFailure(fault));
      // Nobody may ask for it.
      this.opening.catch(() => undefined);
      this.parts.changed(fault);
      const wait = backoff.next(Math.max(0, performance.now() - openedAt));
      const waitMs = fault === 'CREDENTIALS_REFUSED' ? backoff.refused() : wait;
      await sleep(waitMs, undefined, { ref: false, signal: this.over.signal }).catch(() => undefined);
      if (this.over.signal.aborted) return;
    }
  }

  private connect(ended: (fault: ReceiverFault) => void, signal: AbortSignal): Promise<Broker> {
    this.held.clear();
    this.isLearning = true;
    return connectBroker(this.target, {
      reach: this.parts.reach,
      // Another process that takes over has the same id: the broker then drops the connection that is left.
      clientId: `farm-${sha256(`${this.target.id} ${this.target.url}`).slice(0, CLIENT_ID_DIGITS)}`,
      topics: [HOME_ASSISTANT_STATUS, ...objectTopics(this.farm.prefix)],
      limits: this.parts.limits,
      signal,
      hear: (message) => this.hear(message),
      ended,
    });
  }

  private hear({ topic, payload, retain }: Heard): void {
    if (topic === HOME_ASSISTANT_STATUS) {
      // It has started, and has forgotten its devices where it holds none.
      if (!retain && payload.toString() === 'online') this.forgetConfigs();
    } else if (retain && payload.length > 0 && this.held.size < MAX_LEARNT && topic.length < MAX_TOPIC) {
      // Of an object that may be gone since.
      const isOurs = objectOf(this.farm.prefix, topic) !== undefined;
      if (isOurs && !this.held.has(topic)) this.held.set(topic, NOT_KNOWN);
    }
  }

  private forgetConfigs(): void {
    for (const topic of this.held.keys()) if (topic.startsWith('homeassistant/')) this.held.set(topic, NOT_KNOWN);
  }

  private async publishDifferences(): Promise<void> {
    const { broker, states } = this;
    if (broker === null || states === null) return;
    const wanted = retainedOf(states, this.farm);
    const gone = [...this.held.keys()].filter((topic) => !wanted.has(topic));
    for (const topic of new Set(gone.flatMap((one) => [...configTopicsOf(one, states, this.farm), one]))) {
      await broker.publish(topic, '', RETAINED);
      this.held.delete(topic);
    }
    for (const [topic, text] of wanted) {
      if (this.held.get(topic) === text) continue;
      await broker.publish(topic, text, RETAINED);
      this.held.set(topic, text);
    }
    // What was there before is known by now; from here on these topics only repeat what is published here.
    if (this.isLearning) broker.unsubscribe(objectTopics(this.farm.prefix));
    this.isLearning = false;
  }

  private async sayGoodbye(forget: boolean, signal: AbortSignal): Promise<void> {
    await within(signal, this.telling ?? Promise.resolve());
    if (!forget) {
      if (this.broker) await within(signal, this.broker.publish(statusTopic(this.farm.prefix), 'offline', RETAINED));
      return;
    }
    const broker = this.broker ?? (await this.connect(() => undefined, signal));
    this.broker = broker;
    const wanted = this.states === null ? [] : retainedOf(this.states, this.farm).keys();
    const topics = new Set([...wanted, ...this.held.keys(), statusTopic(this.farm.prefix)]);
    await within(signal, Promise.all([...topics].map((topic) => broker.publish(topic, '', RETAINED))));
  }
}
