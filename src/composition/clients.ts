// Makes the part that serves clients: HTTP, REST and GraphQL.

import type { GraphQLSchema } from 'graphql';
import { createAuthentication } from '../doors/auth/authentication';
import { createGraphServer } from '../doors/graphql/apollo-server';
import { PersistedOperations } from '../doors/graphql/persisted-operations';
import { OpenSubscriptions } from '../doors/http/graphql/open-subscriptions';
import { createHttpServer } from '../doors/http/http-server';
import { SpoolmanSockets } from '../doors/http/spoolman-sockets';
import type { IdempotencyService } from '../doors/idempotency/idempotency.service';
import { createOpenApiDocument } from '../doors/rest/openapi';
import { createRestRoutes } from '../doors/rest/routes';
import type { TagScans } from '../doors/spoolman/tag-scans';
import type { Collector } from '../machines/collector/collector';
import type { Notifier } from '../notifications/deliveries/notifier';
import type { Farm } from '../resolvers';
import { createChangeEvents } from '../services';
import { Broadcasts } from '../sharing/broadcast-registry';
import { Feed } from '../sharing/feed';
import { NewestValues } from '../sharing/newest';
import { instantNow } from '../values/instant';
import type { Foundation } from './foundation';

interface ClientParts {
  /** PROBES: the gateway answers only the health probes, as the command `collect` does. */
  doors: 'CLIENTS' | 'PROBES';
  schema: GraphQLSchema;
  farm: Farm;
  idempotency: IdempotencyService;
  collector: Collector;
  notifier: Notifier;
  tagScans: TagScans;
}

export async function createClientDoors(
  foundation: Foundation,
  { doors, schema, farm, idempotency, collector, notifier, tagScans }: ClientParts,
) {
  const { config, times, log, observer, metrics, database, changes, feed, states, secrets } = foundation;
  const subscriptions = new OpenSubscriptions();
  const printerStates = new Feed(new NewestValues((now) => states.fingerprints(now)), times.statesMs);
  const failed = (err: Error) => log.error({ err }, 'Subscriptions failed.');
  const broadcasts = new Broadcasts({ changes: feed, printerStates }, failed);
  const changeEvents = createChangeEvents(database, feed, (err) =>
    log.error({ err }, 'The WebSockets of Spoolman failed.'),
  );
  const persisted = config.graph.persistedOnly ? new PersistedOperations(config.graph.operations) : undefined;
  const graph = createGraphServer(schema, broadcasts, log, config.graph, persisted, config.budget.requestMs);
  await graph.start();
  const authenticate = await createAuthentication(config.auth, config.budget.statementMs);
  const http = createHttpServer({
    doors,
    settings: config.http,
    arrivalMs: times.arrivalMs,
    budget: config.budget,
    log,
    observer,
    graph,
    routes: createRestRoutes(config.jobSpelling),
    description: createOpenApiDocument(schema, {
      spell: config.jobSpelling,
      secured: authenticate !== undefined,
      limited: config.http.ratePerMinute !== null,
    }),
    contextParts: { resolvers: farm.resolvers, idempotency, feed, secrets },
    authenticate,
    subscriptions,
    spoolmanSockets: new SpoolmanSockets(changeEvents, tagScans),
    ready: () => database.ready(),
    metrics: () =>
      metrics.text({
        farm: () => farm.figures(instantNow()),
        collector: () => collector.readFigures(),
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
    await broadcasts.endAll();
    await http.close();
    changeEvents.stop();
    await graph.stop();
  };
  return { http, close };
}
