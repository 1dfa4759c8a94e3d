// The composition root: makes the parts of the gateway and connects them. reflect-metadata is imported first, because
// the decorators of the classes below use it.
import 'reflect-metadata';

import type { FastifyInstance } from 'fastify';
import { type Config, ConfigError } from './config';
import { type Database, openDatabase } from './database/database';
import { authentication } from './doors/auth/authentication';
import { namesOf, PersistedOperations, unfitOperations } from './doors/graphql/persisted-operations';
import { createGraphServer } from './doors/graphql/server';
import { OpenSubscriptions } from './doors/http/graphql/open-subscriptions';
import { listenOptions } from './doors/http/listening';
import { createHttpServer } from './doors/http/server';
import { IdempotencyService } from './doors/idempotency/idempotency.service';
import { openApiDocument } from './doors/rest/openapi';
import { restRoutes } from './doors/rest/routes';
import { Unavailable } from './errors';
import { alertsOn, farmOn, farmStatesOn, inPrints, printsOn, recordsOn } from './farm';
import { ChangeStore } from './farm/changes/change.store';
import { PrinterStateStore } from './farm/printer-states/printer-state.store';
import { PrintRecorderService } from './farm/prints/print-recorder.service';
import { MAX_EMBEDDED_REPORT_PRICE } from './farm/reports/usage.limits';
import { CameraRecorder } from './machines/collector/camera-recorder';
import { Collector } from './machines/collector/collector';
import { LeaseStore } from './machines/collector/lease.store';
import { PACE } from './machines/collector/pace';
import { KINDS } from './machines/kinds';
import { maintainEveryHour } from './maintenance';
import { BrokerTargetStore } from './notifications/mqtt/broker-target.store';
import { Brokers } from './notifications/mqtt/brokers';
import { BrokerTellers } from './notifications/mqtt/tellers';
import { Notifier } from './notifications/notifier';
import { NotifierStore } from './notifications/notifier.store';
import { Outbox } from './notifications/outbox/outbox';
import { sendersOn } from './notifications/senders';
import { createLog } from './observability/log';
import { Metrics } from './observability/metrics';
import { Observer } from './observability/observer';
import { Tracing } from './observability/tracing';
import { buildGraph } from './schema';
import { Channels } from './sharing/channels';
import { Feed } from './sharing/feed';
import { NewestOf } from './sharing/newest';
import { listenFailure } from './start-failures';
import { instantNow } from './values/instant';
import { networkOf, Reach } from './wire/networks';
import { Secrets } from './wire/secrets';

export interface App {
  readonly database: Database;
  /** Returns the URL of the gateway. */
  listen(): Promise<string>;
  /** Listens to machines. Returns the URL of the probes; null where they have no port. */
  collect(): Promise<string | null>;
  /** Sends a request without a socket, for tests. */
  inject: FastifyInstance['inject'];
  /** Finishes the running requests, then closes the database. */
  close(): Promise<void>;
}

/** While clients watch the states of printers, the gateway reads all states once in this time. */
const STATES_INTERVAL_MS = 1000;

const EVERYWHERE = ['0.0.0.0/0', '::/0'];

/** @param doors what it answers: its clients, or the probes alone */
export async function createApp(config: Config, doors: 'CLIENTS' | 'PROBES' = 'CLIENTS'): Promise<App> {
  const log = createLog(config.logLevel);
  // A provider signs the tokens for other services with the same keys.
  if (config.auth.tokens?.audience === null)
    log.warn('tokens that the provider made for other services are accepted too: set JWT_AUDIENCE');
  const schema = buildGraph();
  const unfit = unfitOperations(schema, config.graph.operations);
  if (unfit.length > 0) throw new ConfigError(unfit);
  const persisted = config.graph.persistedOnly ? new PersistedOperations(config.graph.operations) : undefined;
  const metrics = new Metrics(namesOf(config.graph.operations));
  const subscriptions = new OpenSubscriptions();
  const tracing = config.tracesUrl === null ? undefined : await Tracing.open(config.tracesUrl);
  const observer = new Observer(log, metrics, tracing);
  const database = await openDatabase(config.database, observer, config.budget);
  const changes = new ChangeStore(database);
  const feed = new Feed(changes);
  const states = new PrinterStateStore(database);
  const printerStates = new Feed(new NewestOf((now) => states.fingerprints(now)), STATES_INTERVAL_MS);
  const secrets = new Secrets(config.devices.key, config.database);
  const network = networkOf({ allowed: config.devices.networks, ownPort: config.port || null });
  const far = networkOf({ allowed: EVERYWHERE, ownPort: config.port || null });
  const reach = new Reach(network, far, config.notifications.hosts);
  const farmStates = farmStatesOn(database);
  const brokerStore = new BrokerTargetStore(database);
  const tellers = new BrokerTellers({
    ...{ reach, publicUrl: config.notifications.publicUrl },
    read: (now) => farmStates.read(now),
    changed: (id, fault) => void brokerStore.connection(id, fault).catch(() => undefined),
  });
  const senders = sendersOn(reach, tellers);
  const farm = farmOn(database, {
    notifications: { reach, senders, changed: () => notifier.wake() },
    devices: { secrets, network },
    currency: config.currency,
    recordingStates: config.recordingStates,
    maxReportPrice: config.database.kind === 'server' ? null : MAX_EMBEDDED_REPORT_PRICE,
  });
  const notifierStore = new NotifierStore(database);
  const notifier = new Notifier({
    brokers: new Brokers({ store: brokerStore, tellers, secrets }),
    ...{ store: notifierStore, senders, secrets, publicUrl: config.notifications.publicUrl },
    outbox: new Outbox({
      database,
      alertsOn: (one) => alertsOn(one, config.recordingStates),
      currency: config.currency,
    }),
    unanswered(err) {
      if (!(err instanceof Unavailable)) log.error({ err }, 'notifications were not told: the next try is in a second');
    },
  });
  const leases = new LeaseStore(database);
  const { ofDevice } = printsOn(database);
  const collector = new Collector({
    leases,
    store: ofDevice,
    states,
    recorder: new PrintRecorderService(inPrints(database), ofDevice),
    cameras: new CameraRecorder((work) => database.transaction((one) => work(recordsOn(one)))),
    isWatchedPrinting: (cameraId) => states.isWatchedPrinting(cameraId),
    kinds: KINDS,
    network,
    secretOf: (device) => secrets.decrypt(device),
    committed: () => feed.wake(),
    failed: (err, { id: device }) =>
      log.error({ err, device }, 'what a device told was not written: it is connected again'),
    putAside: (err, { id: device }) =>
      log.error({ err, device }, 'what a device told cannot be written, and is put aside: an alert tells of it'),
    // The observer has one line for each outage.
    unanswered(err) {
      if (!(err instanceof Unavailable)) log.error({ err }, 'the devices of this process were not renewed');
    },
    newDeadline: () => performance.now() + config.budget.requestMs,
    pace: PACE,
  });
  try {
    // No other process can use the built-in database.
    if (config.database.kind !== 'server') {
      await leases.takeBack();
      await notifierStore.takeBack();
    }
    await changes.align();
    const idempotency = new IdempotencyService(database, (transaction) => farm.on(transaction).resolvers);
    const failed = (err: Error) => log.error({ err }, 'subscriptions failed');
    const channels = new Channels({ changes: feed, printerStates }, failed);
    const graph = createGraphServer(schema, channels, log, config.graph, persisted, config.budget.requestMs);
    await graph.start();
    const authenticate = await authentication(config.auth, config.budget.statementMs);
    const http = createHttpServer({
      doors,
      settings: config.http,
      budget: config.budget,
      log,
      observer,
      graph,
      routes: restRoutes(config.jobSpelling),
      description: openApiDocument(schema, {
        spell: config.jobSpelling,
        secured: authenticate !== undefined,
        limited: config.http.ratePerMinute !== null,
      }),
      contextParts: { resolvers: farm.resolvers, idempotency, feed, secrets },
      authenticate,
      subscriptions,
      ready: () => database.ready(),
      metrics: () =>
        metrics.text({
          farm: () => farm.figures(instantNow()),
          collector: () => collector.figures(),
          told: () => notifier.figures(),
          pool: () => database.pool(),
          live: async () => ({
            subscriptions: subscriptions.count,
            deliveries: subscriptions.delivered,
            secondsBehind: Math.max(feed.secondsBehind, await changes.secondsHeldUp().catch(() => 0)),
          }),
        }),
    });
    await http.ready();
    const maintenance = maintainEveryHour({ idempotency, farm, changes, database, log }, config);
    await maintenance.first;
    const listen = (port: number) =>
      http.listen(listenOptions(config.http.host, port)).catch((error) => {
        throw listenFailure(error, config.http.host, port);
      });
    return {
      database,
      async listen() {
        const url = await listen(config.port);
        if (config.devices.collect) collector.start();
        if (config.notifications.send) notifier.start();
        return url;
      },
      async collect() {
        const url = config.probePort === null ? null : await listen(config.probePort);
        collector.start();
        if (config.notifications.send) notifier.start();
        return url;
      },
      inject: http.inject.bind(http) as FastifyInstance['inject'],
      async close() {
        maintenance.stop();
        await Promise.all([collector.close(), notifier.close()]);
        await channels.endAll();
        await http.close();
        await graph.stop();
        await database.close();
        await tracing?.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
