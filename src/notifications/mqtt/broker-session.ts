// The session with the broker of one target: it keeps a connection, publishes what differs, and takes back what is gone.

import { sha256 } from '../../values/sha256';
import { sleep, timeoutSignal } from '../../values/timers';
import { Backoff } from '../../wire/backoff';
import type { Limits } from '../../wire/connection-limits';
import type { ReceiverFault } from '../../wire/faults';
import type { Heard } from '../../wire/mqtt';
import type { Reach } from '../../wire/networks';
import { parseTargetUrl } from '../target.address';
import type { NotificationTarget } from '../target.types';
import {
  BrokerFailure,
  type BrokerTarget,
  findBrokerFault,
  type MqttConnection,
  openMqttConnection,
  RETAINED,
  unlessAborted,
} from './broker-connection';
import { type FarmStates, selectPrinters } from './states.store';
import {
  buildRetainedTexts,
  eventTopic,
  farmTopic,
  HOME_ASSISTANT_STATUS,
  listObjectTopics,
  objectTopics,
  type PublishedFarm,
  parseObjectTopic,
  statusTopic,
} from './topics';

export interface PublisherTarget extends BrokerTarget {
  /** null: all. */
  printerIds: readonly string[] | null;
  events: NotificationTarget['events'];
}

export interface BrokerPublisherParts {
  reach: Pick<Reach, 'networkOf'>;
  /** The URL at which people reach the dashboard; null where PUBLIC_URL is not set. */
  publicUrl: string | null;
  limits?: Limits;
  /** The broker is connected (null), or was lost by this fault. */
  reportConnection(fault: ReceiverFault | null): void;
}

/** A text that no topic has. */
const NOT_PUBLISHED = '';
/** For the last message to a broker, before its connection is closed: the process that stops has 8 s for everything. */
const OFFLINE_MS = 2_000;
const EMPTYING_MS = 5_000;
/** Brokers of MQTT 3.1.1 may refuse a client id of more than 23 characters. */
const CLIENT_ID_DIGITS = 18;

export class BrokerPublisher {
  private connection: MqttConnection | null = null;
  /** Rejects with the fault while there is no connection. */
  private opening!: Promise<MqttConnection>;
  private states: FarmStates | null = null;
  private publishing: Promise<void> | null = null;
  /** The texts that this connection has published, by topic. */
  private readonly published = new Map<string, string>();
  /** Whether the broker still sends what it retained before. */
  private isReceivingRetained = true;
  /** Home Assistant has started since the states were last published. */
  private mustRepublish = false;
  private readonly farm: PublishedFarm;
  private readonly stopping = new AbortController();
  private readonly running: Promise<void>;

  /** @param former the session of this target before, when it is over: it may still empty what this one fills */
  constructor(
    readonly target: PublisherTarget,
    private readonly parts: BrokerPublisherParts,
    former: Promise<void>,
  ) {
    this.farm = {
      prefix: parseTargetUrl('MQTT', target.url).path,
      url: parts.publicUrl,
      hasEndedPrints: target.events.includes('PRINT_ENDED'),
    };
    this.running = this.run(former);
  }

  /** Publishes what differs from what the broker retains. While it does, newer states wait for the next call. */
  publish(states: FarmStates): void {
    this.states = this.target.printerIds === null ? states : selectPrinters(states, this.target.printerIds);
    this.publishing ??= this.publishDifferences()
      // The connection is over: the next one begins anew.
      .catch(() => undefined)
      .finally(() => {
        this.publishing = null;
      });
  }

  /** Publishes an event; resolves when the broker has it, rejects with the fault. */
  async send(type: string, body: string, signal: AbortSignal): Promise<void> {
    const connection = await unlessAborted(signal, this.opening);
    await unlessAborted(signal, connection.publish(eventTopic(this.farm.prefix, type), body, { qos: 1 }));
  }

  /** @param empties whether what the broker retains is emptied, in one try */
  async close(empties: boolean): Promise<void> {
    this.stopping.abort();
    await this.running;
    const signal = timeoutSignal(empties ? EMPTYING_MS : OFFLINE_MS);
    await (empties ? this.emptyRetained(signal) : this.goOffline(signal)).catch(() => undefined);
    this.connection?.close();
    this.connection = null;
  }

  private async run(previous: Promise<void>): Promise<void> {
    const backoff = new Backoff();
    for (let before = previous; ; before = Promise.resolve()) {
      let openedAt = Number.POSITIVE_INFINITY;
      let fault: ReceiverFault;
      try {
        let end: (fault: ReceiverFault) => void = () => {};
        const ended = new Promise<ReceiverFault>((resolve) => {
          end = resolve;
        });
        this.opening = before.then(() => this.connect(end, this.stopping.signal));
        this.connection = await this.opening;
        openedAt = performance.now();
        backoff.taken();
        if (!this.stopping.signal.aborted) this.parts.reportConnection(null);
        fault = await unlessAborted(this.stopping.signal, ended);
      } catch (error) {
        fault = findBrokerFault(error);
      }
      if (this.stopping.signal.aborted) return;
      this.connection = null;
      this.published.clear();
      this.opening = Promise.reject(new BrokerFailure(fault));
      // Nobody may ask for it.
      this.opening.catch(() => undefined);
      this.parts.reportConnection(fault);
      const wait = backoff.next(Math.max(0, performance.now() - openedAt));
      const waitMs = fault === 'CREDENTIALS_REFUSED' ? backoff.refused() : wait;
      await sleep(waitMs, undefined, { ref: false, signal: this.stopping.signal }).catch(() => undefined);
      if (this.stopping.signal.aborted) return;
    }
  }

  private connect(ended: (fault: ReceiverFault) => void, signal: AbortSignal): Promise<MqttConnection> {
    this.published.clear();
    this.isReceivingRetained = true;
    return openMqttConnection(this.target, {
      reach: this.parts.reach,
      // Another process that takes over has the same id: the broker then drops the connection that is left.
      clientId: `farm-${sha256(`${this.target.id} ${this.target.url}`).slice(0, CLIENT_ID_DIGITS)}`,
      topics: [HOME_ASSISTANT_STATUS, ...objectTopics(this.farm.prefix)],
      keepsTopic: (topic) => this.isReceivingRetained && parseObjectTopic(this.farm.prefix, topic) !== undefined,
      limits: this.parts.limits,
      signal,
      receive: (message) => this.hear(message),
      onEnd: ended,
    });
  }

  private hear({ topic, payload }: Heard): void {
    if (topic === HOME_ASSISTANT_STATUS && payload.toString() === 'online') this.mustRepublish = true;
  }

  private async publishDifferences(): Promise<void> {
    const { connection, states } = this;
    if (connection === null || states === null) return;
    const { prefix } = this.farm;
    const wanted = buildRetainedTexts(states, this.farm);
    // All of it: a person who cleans a broker by hand deletes more than the configs.
    if (this.mustRepublish) for (const topic of this.published.keys()) this.published.set(topic, NOT_PUBLISHED);
    this.mustRepublish = false;
    // Topics of objects that were removed while nobody published.
    for (const found of connection.retainedTopics.all()) {
      for (const topic of listObjectTopics(found, states.name, prefix)) {
        if (!wanted.has(topic)) await connection.publish(topic, '', RETAINED);
      }
      connection.retainedTopics.delete(found);
    }
    for (const topic of [...this.published.keys()].filter((one) => !wanted.has(one))) {
      await connection.publish(topic, '', RETAINED);
      this.published.delete(topic);
    }
    for (const [topic, text] of wanted) {
      if (this.published.get(topic) === text) continue;
      await connection.publish(topic, text, RETAINED);
      this.published.set(topic, text);
    }
    // What was there before has come by now; from here on these topics only repeat what is published here.
    if (this.isReceivingRetained) connection.unsubscribe(objectTopics(prefix));
    this.isReceivingRetained = false;
  }

  private async goOffline(signal: AbortSignal): Promise<void> {
    await unlessAborted(signal, this.publishing ?? Promise.resolve());
    if (this.connection === null) return;
    await unlessAborted(signal, this.connection.publish(statusTopic(this.farm.prefix), 'offline', RETAINED));
  }

  private async emptyRetained(signal: AbortSignal): Promise<void> {
    await unlessAborted(signal, this.publishing ?? Promise.resolve());
    const { states, farm } = this;
    this.connection ??= await this.connect(() => undefined, signal);
    const connection = this.connection;
    const topics = new Set([statusTopic(farm.prefix), farmTopic(farm.prefix), ...this.published.keys()]);
    const found = connection.retainedTopics.all();
    for (const topic of states === null
      ? found
      : found.flatMap((one) => listObjectTopics(one, states.name, farm.prefix)))
      topics.add(topic);
    if (states !== null) for (const topic of buildRetainedTexts(states, farm).keys()) topics.add(topic);
    await unlessAborted(signal, Promise.all([...topics].map((topic) => connection.publish(topic, '', RETAINED))));
  }
}
