// Publishes the states of the farm to the broker of one channel: reconnects after a loss, publishes what differs, and empties the topics of removed objects.

import { sha256 } from '../../values/sha256';
import { createTimeoutSignal, sleep } from '../../values/timers';
import { Backoff } from '../../wire/backoff';
import type { Limits } from '../../wire/connection-limits';
import type { ReceiverFault } from '../../wire/faults';
import type { ReceivedMessage } from '../../wire/mqtt';
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
} from './mqtt-connection';
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
  /** `null` for all printers. */
  printerIds: readonly string[] | null;
  events: NotificationTarget['events'];
}

export interface BrokerPublisherParts {
  reach: Pick<Reach, 'networkOf'>;
  /** The URL at which users reach the dashboard; `null` if PUBLIC_URL is not set. */
  publicUrl: string | null;
  limits?: Limits;
  /** Called when the broker is connected (`null`) or its connection is lost. */
  reportConnection(fault: ReceiverFault | null): void;
}

/** No state is the empty text, so this value always differs from the next state. */
const NOT_PUBLISHED = '';
/** The time to publish "offline" before the connection is closed. A stopping process has 8 s for everything. */
const OFFLINE_MS = 2_000;
const EMPTYING_MS = 5_000;
/** A broker of MQTT 3.1.1 may refuse a client id of more than 23 characters, and "farm-" has five. */
const CLIENT_ID_DIGITS = 18;

export class BrokerPublisher {
  private connection: MqttConnection | null = null;
  /** While there is no connection, this promise is rejected with the fault. */
  private opening!: Promise<MqttConnection>;
  private states: FarmStates | null = null;
  private publishing: Promise<void> | null = null;
  /** The texts that were published over this connection, by topic. */
  private readonly published = new Map<string, string>();
  /** Whether the broker is still sending the topics that it had retained before this connection. */
  private isReceivingRetained = true;
  /** Whether Home Assistant has started since the states were last published. It announces this as its "birth message". */
  private mustRepublish = false;
  private readonly farm: PublishedFarm;
  private readonly stopping = new AbortController();
  private readonly running: Promise<void>;

  /** @param previous resolves when the previous publisher of this channel has closed. Until then it may empty topics that this publisher fills. */
  constructor(
    readonly target: PublisherTarget,
    private readonly parts: BrokerPublisherParts,
    previous: Promise<void>,
  ) {
    this.farm = {
      prefix: parseTargetUrl('MQTT', target.url).path,
      url: parts.publicUrl,
      hasEndedPrints: target.events.includes('PRINT_ENDED'),
    };
    this.running = this.run(previous);
  }

  /** Publishes what differs from the retained topics. States that arrive meanwhile are published by the next call. */
  publish(states: FarmStates): void {
    this.states = this.target.printerIds === null ? states : selectPrinters(states, this.target.printerIds);
    this.publishing ??= this.publishDifferences()
      // The connection has ended. The next connection publishes everything again.
      .catch(() => undefined)
      .finally(() => {
        this.publishing = null;
      });
  }

  /** Resolves when the broker has acknowledged the event, and rejects with the fault. */
  async send(type: string, body: string, signal: AbortSignal): Promise<void> {
    const connection = await unlessAborted(signal, this.opening);
    await unlessAborted(signal, connection.publish(eventTopic(this.farm.prefix, type), body, { qos: 1 }));
  }

  /** @param empties whether the retained topics are emptied. This is attempted once. */
  async close(empties: boolean): Promise<void> {
    this.stopping.abort();
    await this.running;
    const signal = createTimeoutSignal(empties ? EMPTYING_MS : OFFLINE_MS);
    await (empties ? this.emptyRetained(signal) : this.goOffline(signal)).catch(() => undefined);
    this.connection?.close();
    this.connection = null;
  }

  private async run(previous: Promise<void>): Promise<void> {
    const backoff = new Backoff();
    for (let previousClosed = previous; ; previousClosed = Promise.resolve()) {
      let openedAt = Number.POSITIVE_INFINITY;
      let fault: ReceiverFault;
      try {
        let end: (fault: ReceiverFault) => void = () => {};
        const ended = new Promise<ReceiverFault>((resolve) => {
          end = resolve;
        });
        this.opening = previousClosed.then(() => this.connect(end, this.stopping.signal));
        this.connection = await this.opening;
        openedAt = performance.now();
        backoff.noteAccepted();
        if (!this.stopping.signal.aborted) this.parts.reportConnection(null);
        fault = await unlessAborted(this.stopping.signal, ended);
      } catch (error) {
        fault = findBrokerFault(error);
      }
      if (this.stopping.signal.aborted) return;
      this.connection = null;
      this.published.clear();
      this.opening = Promise.reject(new BrokerFailure(fault));
      // This marks the rejection as handled, because maybe no event is sent before the next connection.
      this.opening.catch(() => undefined);
      this.parts.reportConnection(fault);
      const wait = backoff.nextWait(Math.max(0, performance.now() - openedAt));
      const waitMs = fault === 'CREDENTIALS_REFUSED' ? backoff.nextWaitAfterRefusal() : wait;
      await sleep(waitMs, undefined, { ref: false, signal: this.stopping.signal }).catch(() => undefined);
      if (this.stopping.signal.aborted) return;
    }
  }

  private connect(ended: (fault: ReceiverFault) => void, signal: AbortSignal): Promise<MqttConnection> {
    this.published.clear();
    this.isReceivingRetained = true;
    return openMqttConnection(this.target, {
      reach: this.parts.reach,
      // The same id in each process: when another process takes over, the broker closes the old connection.
      clientId: `farm-${sha256(`${this.target.id} ${this.target.url}`).slice(0, CLIENT_ID_DIGITS)}`,
      topics: [HOME_ASSISTANT_STATUS, ...objectTopics(this.farm.prefix)],
      keepsTopic: (topic) => this.isReceivingRetained && parseObjectTopic(this.farm.prefix, topic) !== undefined,
      limits: this.parts.limits,
      signal,
      receive: (message) => this.receive(message),
      onEnd: ended,
    });
  }

  private receive({ topic, payload }: ReceivedMessage): void {
    if (topic === HOME_ASSISTANT_STATUS && payload.toString() === 'online') this.mustRepublish = true;
  }

  private async publishDifferences(): Promise<void> {
    const { connection, states } = this;
    if (connection === null || states === null) return;
    const { prefix } = this.farm;
    const wanted = buildRetainedTexts(states, this.farm);
    // Everything is published again, not only the configs: a user who cleans up a broker by hand often deletes the states too.
    if (this.mustRepublish) for (const topic of this.published.keys()) this.published.set(topic, NOT_PUBLISHED);
    this.mustRepublish = false;
    // Empty the topics of objects that were removed while no process was publishing.
    for (const retainedTopic of connection.retainedTopics.all()) {
      for (const topic of listObjectTopics(retainedTopic, states.name, prefix)) {
        if (!wanted.has(topic)) await connection.publish(topic, '', RETAINED);
      }
      connection.retainedTopics.delete(retainedTopic);
    }
    for (const topic of [...this.published.keys()].filter((topic) => !wanted.has(topic))) {
      await connection.publish(topic, '', RETAINED);
      this.published.delete(topic);
    }
    for (const [topic, text] of wanted) {
      if (this.published.get(topic) === text) continue;
      await connection.publish(topic, text, RETAINED);
      this.published.set(topic, text);
    }
    // The broker has sent all retained topics by now. From here on these subscriptions would only repeat what the gateway publishes.
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
    const retainedTopics = connection.retainedTopics.all();
    for (const topic of states === null
      ? retainedTopics
      : retainedTopics.flatMap((topic) => listObjectTopics(topic, states.name, farm.prefix)))
      topics.add(topic);
    if (states !== null) for (const topic of buildRetainedTexts(states, farm).keys()) topics.add(topic);
    await unlessAborted(signal, Promise.all([...topics].map((topic) => connection.publish(topic, '', RETAINED))));
  }
}
