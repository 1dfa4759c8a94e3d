// The HTTP server: its limits, what holds for every request, and the doors, probes and pages behind one port.
import { createHash, randomUUID } from 'node:crypto';
import type { ApolloServer } from '@apollo/server';
import cors from '@fastify/cors';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Caller } from '../auth/caller';
import type { Config } from '../config';
import type { Farm } from '../farm';
import type { Context } from '../graphql/context';
import type { KeyedWrite } from '../idempotency/idempotency.store';
import type { Log } from '../observability/log';
import type { Observer } from '../observability/observer';
import { errorBody } from '../rest/errors';
import { openApiDocument } from '../rest/openapi';
import type { RestRoute } from '../rest/routes';
import { camel, pascal } from '../rest/shapes';
import { instantNow } from '../values/instant';
import { admission } from './admission';
import { answerBrokenRequest, sendError, sendJson } from './answers';
import { readBodies } from './bodies';
import { mountGraph } from './graph-door';
import { observe, QUIET } from './observed';
import { originCheck } from './origin';
import { playgroundAssets } from './playground';
import { mountProbes } from './probes';
import { mountRest } from './rest-door';
import { mountStaticFiles } from './static-files';
import { pathOf } from './url';
import { dashboardFiles } from './web-files';

/** What pages of trusted origins may send and see. */
const CORS = {
  methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowedHeaders: ['content-type', 'authorization', 'x-api-key', 'idempotency-key', 'apollo-require-preflight'],
  exposedHeaders: ['x-request-id', 'location', 'www-authenticate', 'retry-after'],
  maxAge: 600,
};

export interface HttpParts {
  config: Config;
  log: Log;
  observer: Observer;
  graph: ApolloServer<Context>;
  routes: RestRoute[];
  farm: Farm;
  /** Who asks, by the headers; throws when their credentials are wrong. Undefined where nobody needs any. */
  authenticate: ((headers: FastifyRequest['headers']) => Promise<Caller>) | undefined;
  /** Does a write that its client named, in a transaction, once. */
  once<Answer>(write: KeyedWrite, now: string, work: (farm: Farm) => Promise<Answer>): Promise<Answer>;
  /** Resolves when the database answers. */
  ready(): Promise<void>;
  metrics(): Promise<{ type: string; text: string }>;
}

export function createHttpServer({
  config,
  log,
  observer,
  graph,
  routes,
  farm,
  authenticate,
  once,
  ready,
  metrics,
}: HttpParts): FastifyInstance {
  const limits = config.http;
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // Lines name their request themselves; a logger of its own costs each request 2 µs.
    childLoggerFactory: (logger) => logger,
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.receiveTimeoutMs,
    http: {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.receiveTimeoutMs,
      connectionsCheckingInterval: Math.min(limits.receiveTimeoutMs, 5000),
    },
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    trustProxy: limits.trustedProxies.length > 0 && limits.trustedProxies,
    // Far longer than any id: what no id can be is the service's to say, with 400 or 404.
    routerOptions: { maxParamLength: 16_384, querystringParser: () => ({}) },
    frameworkErrors: (error, request, reply) =>
      sendError(error, request, reply.header('x-request-id', request.id) as FastifyReply),
    clientErrorHandler: answerBrokenRequest,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  });
  app.server.maxConnections = limits.connections;

  app.addHook('preClose', (done) => {
    // A connection whose request ends from now on is not kept for the next one.
    app.server.keepAliveTimeout = 1;
    setTimeout(() => app.server.closeAllConnections(), config.shutdownTimeoutMs).unref();
    done();
  });
  readBodies(app, (bytes) => bytes);
  if (config.corsOrigins.length > 0) app.register(cors, { origin: config.corsOrigins, ...CORS });
  const admit = admission(app, authenticate, limits.ratePerMinute);
  observe(app, observer);
  const checkOrigin = originCheck(config.host, config.corsOrigins);
  app.addHook('onRequest', (request, reply, done) => {
    // An answer is true at its moment alone; files say otherwise for themselves.
    reply
      .header('x-request-id', request.id)
      .header('cache-control', 'no-store')
      .header('x-content-type-options', 'nosniff');
    checkOrigin(request);
    done();
  });
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
  answerUnknownPaths(app);

  const contextOf = (request: FastifyRequest): Context => {
    const now = instantNow();
    const key = request.headers['idempotency-key'];
    const { caller } = request;
    return {
      record: request.record,
      caller,
      now,
      newId: randomUUID,
      farm,
      write: (asked, work) =>
        key === undefined
          ? work(farm)
          : once({ caller: caller.name, key: String(key), fingerprint: hashOf(asked()) }, now, work),
    };
  };
  mountRest(app, routes, admit, contextOf, limits.requestTimeoutMs);
  mountGraph(app, graph, admit, contextOf, {
    persistedOnly: config.graph.persistedOnly,
    timeoutMs: limits.requestTimeoutMs,
  });
  mountProbes(app, { ready, metrics, admit, timeoutMs: limits.requestTimeoutMs });
  mountStaticFiles(app, [...dashboardFiles, ...playgroundAssets()]);
  const openApi = JSON.stringify(openApiDocument(config.printJobCasing === 'camel' ? camel : pascal));
  app.get('/openapi.json', QUIET, (_request, reply) => sendJson(reply, 200, openApi));
  return app;
}

/** A wrong method on a known path is told apart from an unknown path. */
function answerUnknownPaths(app: FastifyInstance): void {
  const known: { method: string; pattern: RegExp }[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    // What answers preflights is no path of its own.
    if (url === '*') return;
    const pattern = new RegExp(`^${url.replace(/:\w+/g, '[^/]*')}$`);
    for (const name of [method].flat()) known.push({ method: name, pattern });
  });
  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request.url);
    const allowed = known.filter((route) => route.pattern.test(path)).map((route) => route.method);
    if (allowed.length === 0) return sendJson(reply, 404, errorBody(`There is nothing at ${path}`));
    reply.header('allow', allowed.join(', '));
    return sendJson(reply, 405, errorBody(`${request.method} is not allowed here; allowed: ${allowed.join(', ')}`));
  });
}

/** Each part with its length, so that no two requests run into the same bytes. */
function hashOf(parts: (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest('base64url');
}
