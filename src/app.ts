// The composition root: makes the parts of the gateway and connects them. reflect-metadata is imported first, because
// the decorators of the classes below use it.
import 'reflect-metadata';

import type { FastifyInstance } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import { type Config, ConfigError } from './config';
import { type Database, openDatabase } from './database/database';
import type { Queryable } from './database/queryable';
import { authentication } from './doors/auth/authentication';
import { createGraphServer } from './doors/graphql/apollo-server';
import { operationNames, PersistedOperations, unfitOperations } from './doors/graphql/persisted-operations';
import { OpenSubscriptions } from './doors/http/graphql/open-subscriptions';
import { createHttpServer, listenFailure, listenOptions } from './doors/http/http-server';
import { IdempotencyService } from './doors/idempotency/idempotency.service';
import { openApiDocument } from './doors/rest/openapi';
import { restRoutes } from './doors/rest/routes';
import { Unavailable } from './errors';
import { type Farm, farmOn } from './farm';
import { ChangeStore } from './farm/changes/change.store';
import { maintainEveryHour } from './farm/maintenance';
import { PrinterStateStore } from './farm/printer-states/printer-state.store';
import { PrintWritingService } from './farm/prints/print-writing.service';
import { inPrints, printsOn } from './farm/prints/prints.transaction';
import { MAX_EMBEDDED_REPORT_PRICE } from './farm/reports/usage.service';
import { CameraRecorder } from './machines/collector/camera-records';
import { Collector } from './machines/collector/collector';
import { PACE } from './machines/collector/database-work';
import { HeldDeviceStore } from './machines/collector/held-device.store';
import { KIND_CODE } from './machines/kind-code';
import { Notifier } from './notifications/deliveries/notifier';
import { NotifierStore } from './notifications/deliveries/notifier.store';
import { AlertReporter } from './notifications/events/alert-reporter';
import { PrintReporter } from './notifications/events/print-reporter';
import { Brokers } from './notifications/mqtt/brokers';
import { Sender } from './notifications/sender';
import { TargetStore } from './notifications/target.store';
import { createLog, type Log } from './observability/log';
import { Metrics } from './observability/metrics';
import { Observer } from './observability/observer';
import { Tracing } from './observability/tracing';
import { buildGraph } from './schema';
import { alertsOn, farmStatesOn, recordsOn } from './services';
import { Channels } from './sharing/channel-registry';
import { Feed } from './sharing/feed';
import { LeaseStore } from './sharing/lease';
import { NewestOf } from './sharing/newest';
import { instantNow } from './values/instant';
import { type Network, networkOf, Reach } from './wire/networks';
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

/** The waits of users that a test makes shorter. */
export const TIMES = {
  /** While clients watch the states of printers, the gateway reads all states once in this time. */
  statesMs: 1000,
  /** A request, its body included, arrives in this time: a body of a megabyte by a line of 280 kbit/s. */
  arrivalMs: 30_000,
};

const EVERYWHERE = ['0.0.0.0/0', '::/0'];

/** What all parts of the gateway need. */
interface Ground {
  config: Config;
  times: typeof TIMES;
  log: Log;
  observer: Observer;
  metrics: Metrics;
  database: Database;
  changes: ChangeStore;
  feed: Feed;
  states: PrinterStateStore;
  secrets: Secrets;
  /** The networks in which machines may be. */
  network: Network;
}

/** @param doors what it answers: its clients, or the probes alone */
export async function createApp(config: Config, doors: 'CLIENTS' | 'PROBES' = 'CLIENTS', times = TIMES): Promise<App> {
  const log = createLog(config.logLevel);
  // A provider signs the tokens for other services with the same keys.
  if (config.auth.tokens?.audience === null)
    log.warn('tokens that the provider made for other services are accepted too: set JWT_AUDIENCE');
  const schema = buildGraph();
  const unfit = unfitOperations(schema, config.graph.operations);
  if (unfit.length > 0) throw new ConfigError(unfit);
  const metrics = new Metrics(operationNames(config.graph.operations));
  const tracing = config.tracesUrl === null ? undefined : await Tracing.open(config.tracesUrl);
  const observer = new Observer(log, metrics, tracing);
  const database = await openDatabase(config.database, observer, config.budget);
  try {
    const changes = new ChangeStore(database);
    const ground: Ground = {
      config,
      times,
      log,
      observer,
      metrics,
      database,
      changes,
      feed: new Feed(changes),
      states: new PrinterStateStore(database),
      secrets: new Secrets(config.devices.key, config.database),
      network: networkOf({ allowed: config.devices.networks, ownPort: config.port || null }),
    };
    // No other process can use the built-in database.
    if (config.database.kind !== 'server') await new HeldDeviceStore(database).takeBack();
    const { reach, sender, notifier } = notificationsOn(ground);
    const collector = collectorOn(ground);
    const farm = farmOn(database, {
      notifications: { reach, sender, changed: () => notifier.wake() },
      devices: { secrets: ground.secrets, network: ground.network },
      currency: config.currency,
      publicUrl: config.notifications.publicUrl,
      recordingStates: config.recordingStates,
      maxReportPrice: config.database.kind === 'server' ? null : MAX_EMBEDDED_REPORT_PRICE,
      filmsAtATime: config.database.kind === 'server' ? Number.POSITIVE_INFINITY : 1,
    });
    await changes.align();
    const idempotency = new IdempotencyService(database, (transaction) => farm.on(transaction).resolvers);
    const { http, close } = await openDoors(ground, { doors, schema, farm, idempotency, collector, notifier });
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
        await close();
        await database.close();
        await tracing?.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Sends notifications. */
function notificationsOn({ config, log, database, secrets, network }: Ground) {
  const { publicUrl, hosts } = config.notifications;
  const far = networkOf({ allowed: EVERYWHERE, ownPort: config.port || null });
  const reach = new Reach(network, far, hosts);
  const farmStates = farmStatesOn(database);
  const brokers = new Brokers({
    store: new TargetStore(database),
    secrets,
    reach,
    publicUrl,
    read: (now) => farmStates.read(now),
  });
  const sender = new Sender({ reach, brokers, secrets, log });
  const alertsOf = (one: Queryable) => alertsOn(one, config.recordingStates);
  const store = new NotifierStore(database);
  const notifier = new Notifier({
    leases: new LeaseStore(database),
    brokers,
    store,
    sender,
    publicUrl,
    reporters: {
      prints: new PrintReporter({ database, alertsOn: alertsOf, currency: config.currency }),
      alerts: new AlertReporter(database, alertsOf),
    },
    notReported(part, err) {
      if (!(err instanceof Unavailable))
        log.error({ err, part }, 'what happened could not be reported to notification targets: the next try follows');
    },
    unanswered(err) {
      if (!(err instanceof Unavailable))
        log.error({ err }, 'notifications were not delivered: the next try is in a second');
    },
  });
  return { reach, sender, notifier };
}

/** Listens to machines. */
function collectorOn({ config, log, database, feed, states, secrets, network }: Ground): Collector {
  const { ofDevice } = printsOn(database);
  return new Collector({
    devices: new HeldDeviceStore(database),
    ofDevice,
    states,
    writing: new PrintWritingService(inPrints(database), ofDevice),
    cameras: new CameraRecorder((work) => database.transaction((one) => work(recordsOn(one)))),
    isWatchedPrinting: (cameraId) => states.isWatchedPrinting(cameraId),
    kinds: KIND_CODE,
    network,
    secretOf: (device) => secrets.decrypt(device),
    committed: () => feed.wake(),
    failed: (err, { id: device }) =>
      log.error({ err, device }, 'what a device reported was not written: it is connected again'),
    cannotBeWritten: (err, { id: device }) =>
      log.error({ err, device }, 'what a device reported cannot be written, and is put aside: an alert says so'),
    // The observer has one line for each outage.
    unanswered(err) {
      if (!(err instanceof Unavailable)) log.error({ err }, 'the devices of this process were not renewed');
    },
    newDeadline: () => performance.now() + config.budget.requestMs,
    pace: PACE,
  });
}

interface Behind {
  doors: 'CLIENTS' | 'PROBES';
  schema: GraphQLSchema;
  farm: Farm;
  idempotency: IdempotencyService;
  collector: Collector;
  notifier: Notifier;
}

/** The doors for clients: GraphQL, and HTTP around it and REST. */
async function openDoors(ground: Ground, { doors, schema, farm, idempotency, collector, notifier }: Behind) {
  const { config, times, log, observer, metrics, database, changes, feed, states, secrets } = ground;
  const subscriptions = new OpenSubscriptions();
  const printerStates = new Feed(new NewestOf((now) => states.fingerprints(now)), times.statesMs);
  const failed = (err: Error) => log.error({ err }, 'subscriptions failed');
  const channels = new Channels({ changes: feed, printerStates }, failed);
  const persisted = config.graph.persistedOnly ? new PersistedOperations(config.graph.operations) : undefined;
  const graph = createGraphServer(schema, channels, log, config.graph, persisted, config.budget.requestMs);
  await graph.start();
  const authenticate = await authentication(config.auth, config.budget.statementMs);
  const http = createHttpServer({
    doors,
    settings: config.http,
    arrivalMs: times.arrivalMs,
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
        notifier: () => notifier.figures(),
        pool: () => database.pool(),
        live: async () => ({
          subscriptions: subscriptions.count,
          deliveries: subscriptions.delivered,
          secondsBehind: Math.max(feed.secondsBehind, await changes.secondsHeldUp().catch(() => 0)),
        }),
      }),
  });
  await http.ready();
  const close = async () => {
    await channels.endAll();
    await http.close();
    await graph.stop();
  };
  return { http, close };
}
