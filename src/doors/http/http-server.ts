// Builds the HTTP server: its limits, the hooks of every request, and REST, GraphQL, probes and pages on one port.
import { randomUUID } from 'node:crypto';
import cors from '@fastify/cors';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, LogController } from 'fastify';
import type { Log } from '../../observability/log';
import type { Observer } from '../../observability/observer';
import type { TimeBudget } from '../../values/time-budget';
import { wholeMs } from '../../values/timers';
import type { Authenticate } from '../auth/authentication';
import type { GraphServer } from '../graphql/apollo-server';
import { rewriteToDocumentedPath } from '../rest/casing';
import type { RestRoute } from '../rest/routes';
import { SPOOLMAN_ROUTES } from '../spoolman/spoolman-routes';
import { sendError, sendJson } from './answers';
import { compressAnswers } from './compression';
import { GRAPH_PATH, mountGraph } from './graphql/graph-door';
import type { OpenSubscriptions } from './graphql/open-subscriptions';
import { createAdmission } from './limits/admission';
import { BODY_BYTES, BodyMemory } from './limits/body-memory';
import { limitClientMemory } from './limits/client-memory';
import { answerBrokenRequest, answerRareRequests, closeAtStop } from './limits/connections';
import { logForeignPages } from './limits/foreign-pages';
import { forgetPorts } from './limits/forwarded';
import { CORS, createOriginCheck, refuseOtherThanOneHost } from './limits/origin';
import { closeUnread, continueLater, isUnread } from './limits/unread-bodies';
import { observe, QUIET } from './observed-requests';
import { mountProbes } from './probes';
import { readBodies } from './request-bodies';
import { type ContextParts, createContexts } from './request-context';
import { mountRest } from './rest-door';
import { API_PATH, mountSpoolman, rewriteLabelUrl, type SpoolmanAccess, sendApiError } from './spoolman-door';
import type { SpoolmanSockets } from './spoolman-sockets';
import { answerUnknownPaths } from './unknown-paths';
import { mountWebFiles } from './web-files';
import { acceptWebSockets } from './web-sockets';

/** The maximum size of a request's first line and headers: twice what browsers send with the largest tokens of identity providers. */
const MAX_HEAD_BYTES = 16_384;
/** A connection is closed after so many requests, and the client connects again. Nginx has the same limit. */
const MAX_REQUESTS_OF_CONNECTION = 1000;
/** A connection without traffic is closed after this time plus the time limit of a request. */
const STILL_MS = 60_000;
/** How often Node checks for late requests within the time that a request has to arrive. */
const LATE_CHECKS = 6;

export interface HttpSettings {
  host: string;
  bodyBytes: number;
  connections: number;
  /** The maximum number of operations that one WebSocket may run at a time. */
  operationsPerSocket: number;
  /** Requests per minute of one key, one token or (without credentials) one address; null for no limit. */
  ratePerMinute: number | null;
  /** Addresses and networks of load balancers. Their X-Forwarded-For header is trusted for the client's address. */
  trustedProxies: string[];
  /** Other origins whose pages may use the gateway (CORS_ORIGINS). */
  corsOrigins: string[];
  /** Who may use the API for clients of Spoolman. */
  spoolman: SpoolmanAccess;
  /** The time that running requests have to finish when the gateway stops. */
  shutdownTimeoutMs: number;
}

interface HttpParts {
  /** PROBES: the gateway answers only the health probes, as the command `collect` does. */
  doors: 'CLIENTS' | 'PROBES';
  settings: HttpSettings;
  /** The time that a request has to arrive, including its body. */
  arrivalMs: number;
  budget: TimeBudget;
  log: Log;
  observer: Observer;
  graph: GraphServer;
  routes: RestRoute[];
  /** The OpenAPI document that describes the routes. */
  description: object;
  contextParts: ContextParts;
  /** Undefined when no authentication is configured. */
  authenticate: Authenticate | undefined;
  subscriptions: OpenSubscriptions;
  spoolmanSockets: SpoolmanSockets;
  ready(): Promise<void>;
  metrics(): Promise<{ type: string; text: string }>;
}

export function createHttpServer(parts: HttpParts): FastifyInstance {
  const { settings, arrivalMs, budget, log, observer, routes, description, contextParts, authenticate } = parts;
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // Log lines already have the request's id. A child logger would cost 2 µs per request.
    childLoggerFactory: (logger) => logger,
    bodyLimit: settings.bodyBytes,
    maxRequestsPerSocket: MAX_REQUESTS_OF_CONNECTION,
    requestTimeout: arrivalMs,
    connectionTimeout: wholeMs(budget.requestMs + STILL_MS),
    http: {
      maxHeaderSize: MAX_HEAD_BYTES,
      joinDuplicateHeaders: true,
      // The gateway itself refuses a request without a Host header, with a body in its error format.
      requireHostHeader: false,
      headersTimeout: arrivalMs,
      connectionsCheckingInterval: arrivalMs / LATE_CHECKS,
    },
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    trustProxy: settings.trustedProxies.length > 0 && settings.trustedProxies,
    rewriteUrl: ({ url = '' }) => rewriteLabelUrl(rewriteToDocumentedPath(url)),
    // Longer than any id, so that a wrong id reaches the service, which answers 400 or 404.
    routerOptions: { maxParamLength: 16_384, querystringParser: () => ({}) },
    frameworkErrors: (error, request, reply) => {
      // These requests pass no hook, so the hooks' headers are set here.
      if (isUnread(request.raw)) reply.header('connection', 'close');
      const send = request.url.startsWith(API_PATH) ? sendApiError : sendError;
      send(error, request, reply.header('x-request-id', request.id) as FastifyReply);
    },
    clientErrorHandler: answerBrokenRequest,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  });
  app.server.maxConnections = settings.connections;
  // No limit, because Node would silently drop headers after the 2,000th. MAX_HEAD_BYTES limits their number.
  app.server.maxHeadersCount = 0;
  answerRareRequests(app.server);
  closeAtStop(app, settings.shutdownTimeoutMs);
  compressAnswers(app);
  // This order matters: for an unknown path, the gateway must neither send 100 Continue nor read the body.
  answerUnknownPaths(app, parts.doors === 'CLIENTS');
  continueLater(app, settings.bodyBytes);
  const clientMemory = limitClientMemory(app);
  const memory = new BodyMemory(BODY_BYTES, settings.bodyBytes);
  memory.mount(app);
  readBodies(app, memory, budget.requestMs, (bytes) => bytes);
  closeUnread(app);
  logForeignPages(app, settings.corsOrigins);
  if (settings.corsOrigins.length > 0) app.register(cors, { origin: settings.corsOrigins, ...CORS });
  if (settings.trustedProxies.length > 0) app.addHook('onRequest', forgetPorts);
  const admission = createAdmission(app, authenticate, settings.ratePerMinute, budget.requestMs);
  observe(app, observer);
  const checkOrigin = createOriginCheck(settings.host, settings.corsOrigins);
  app.addHook('onRequest', (request, reply, done) => {
    // Data may change at any time, so responses must not be cached. The files of pages replace this cache-control.
    reply
      .header('x-request-id', request.id)
      .header('cache-control', 'no-store')
      .header('x-content-type-options', 'nosniff');
    refuseOtherThanOneHost(request, reply);
    checkOrigin(request);
    done();
  });
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));

  mountProbes(app, { ...parts, admission });
  if (parts.doors === 'PROBES') return app;
  const createContext = createContexts(contextParts, budget.requestMs);
  mountRest(app, routes, admission, createContext);
  app.register(async (scope) => {
    await acceptWebSockets(
      scope,
      settings.bodyBytes,
      (path) => path === GRAPH_PATH || path === API_PATH || path.startsWith(`${API_PATH}/`),
    );
    mountSpoolman(scope, settings.spoolman, SPOOLMAN_ROUTES, admission, createContext, parts.spoolmanSockets);
    mountGraph(scope, { ...parts, admission, createContext, clientMemory, memory, waitMs: budget.requestMs });
  });
  mountWebFiles(app);
  const openApi = Buffer.from(JSON.stringify(description, null, 2));
  app.get('/openapi.json', QUIET, (_request, reply) => sendJson(reply, 200, openApi));
  return app;
}

/**
 * How many connections may wait while the process is busy. Node's default of 511 is too low when all clients return after an
 * outage: the remaining clients retry only after 1, 3, 7 and 15 s. Linux allows 4,096 by default.
 */
const BACKLOG = 4096;

/** Listens on 127.0.0.1 for localhost. Fastify would start a second server at ::1, without the limits of connections. */
export const listenOptions = (host: string, port: number) => ({
  host: host.toLowerCase() === 'localhost' ? '127.0.0.1' : host,
  port,
  backlog: BACKLOG,
});

/** Explains why the gateway cannot listen, and what the operator can do. */
export function listenFailure(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const sentences: Record<string, string> = {
    EADDRINUSE: `Another program uses port ${port} of ${host}. Stop that program, or set PORT to another port.`,
    EACCES: `This account may not use port ${port}. Set PORT to 1024 or higher.`,
    EADDRNOTAVAIL: `HOST ${host} is not an address of this machine. Set HOST to one of its addresses.`,
    ENOTFOUND: `HOST ${host} is an unknown name. Set HOST to an address of this machine.`,
    EAI_AGAIN: `The name HOST ${host} could not be looked up. Set HOST to an address of this machine.`,
  };
  const sentence =
    sentences[error.code ?? ''] ?? `The gateway cannot listen at ${host}: ${error.message.replace(/\.$/, '')}.`;
  return new Error(sentence, { cause: error });
}
