// The HTTP server: GraphQL, REST, health and pages behind one port.
import { createHash, randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { ApolloServer } from '@apollo/server';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import cors from '@fastify/cors';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Caller } from '../auth/caller';
import type { Config } from '../config';
import { GatewayError, Outage } from '../errors';
import type { Farm } from '../farm';
import type { Context } from '../graphql/context';
import { SharedReads } from '../graphql/shared-reads';
import type { KeyedWrite } from '../idempotency/idempotency.store';
import type { Log } from '../observability/log';
import { errorBody, restError } from '../rest/errors';
import { openApiDocument } from '../rest/openapi';
import type { RestAnswer, RestRequest, RestRoute } from '../rest/routes';
import { camel, pascal, type Spelling } from '../rest/shapes';
import { parsePlainJson } from '../values/json';
import { refuseBrokenText } from '../values/text';
import { within } from './deadline';
import { originCheck } from './origin';
import { playgroundAssets, playgroundPage } from './playground';
import { mountStaticFiles, sendStaticFile } from './static-files';
import { dashboardFiles } from './web-files';

const JSON_TYPE = 'application/json';
/** What pages of trusted origins may send and see. */
const CORS = {
  methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowedHeaders: ['content-type', 'authorization', 'x-api-key', 'idempotency-key', 'apollo-require-preflight'],
  exposedHeaders: ['x-request-id', 'location', 'www-authenticate'],
  maxAge: 600,
};

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for the paths that need one. */
    caller: Caller;
  }
}

export interface HttpParts {
  config: Config;
  log: Log;
  graph: ApolloServer<Context>;
  routes: RestRoute[];
  farm: Farm;
  /** Who asks, by the headers; throws when their credentials are wrong. */
  authenticate(headers: FastifyRequest['headers']): Promise<Caller>;
  /** Does a write that its client named, in a transaction, once. */
  once<Answer>(write: KeyedWrite, now: string, work: (farm: Farm) => Promise<Answer>): Promise<Answer>;
  /** Resolves when the database answers. */
  ready(): Promise<void>;
}

export function createHttpServer({
  config,
  log,
  graph,
  routes,
  farm,
  authenticate,
  once,
  ready,
}: HttpParts): FastifyInstance {
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: config.bodyLimit,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    // Far longer than any id: what no id can be is the service's to say, with 400 or 404.
    routerOptions: { maxParamLength: 16_384, querystringParser: () => ({}) },
    frameworkErrors: (error, request, reply) =>
      sendError(error, request, reply.header('x-request-id', request.id) as FastifyReply, camel),
    clientErrorHandler: answerBrokenRequest,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  });

  app.addHook('preClose', (done) => {
    // A connection whose request ends from now on is not kept for the next one.
    app.server.keepAliveTimeout = 1;
    setTimeout(() => app.server.closeAllConnections(), config.shutdownTimeoutMs).unref();
    done();
  });

  // Every route by its pattern, so that a wrong method on a known path is told apart from an unknown path.
  const known: { method: string; pattern: RegExp }[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    // What answers preflights is no path of its own.
    if (url === '*') return;
    const pattern = new RegExp(`^${url.replace(/:\w+/g, '[^/]*')}$`);
    for (const name of [method].flat()) known.push({ method: name, pattern });
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes));
  const checkOrigin = originCheck(config.host, config.corsOrigins);
  if (config.corsOrigins.length > 0) app.register(cors, { origin: config.corsOrigins, ...CORS });
  app.decorateRequest('caller');
  app.addHook('onRequest', (request, reply, done) => {
    // An answer is true at its moment alone; files say otherwise for themselves.
    reply.header('x-request-id', request.id).header('cache-control', 'no-store');
    checkOrigin(request);
    done();
  });
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply, camel));
  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request.url);
    const allowed = known.filter((route) => route.pattern.test(path)).map((route) => route.method);
    if (allowed.length === 0) return sendJson(reply, 404, errorBody(`There is nothing at ${path}`));
    reply.header('allow', allowed.join(', '));
    return sendJson(reply, 405, errorBody(`${request.method} is not allowed here; allowed: ${allowed.join(', ')}`));
  });

  const contextOf = (request: FastifyRequest): Context => {
    const now = new Date().toISOString();
    const key = request.headers['idempotency-key'];
    const { caller } = request;
    return {
      requestId: request.id,
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

  const reads = new SharedReads<RestAnswer>();
  for (const route of routes) {
    app.route<{ Params: { id?: string }; Body: Buffer | undefined }>({
      method: route.method,
      url: route.path,
      // A body is JSON whatever its type says, or lacks; Fastify would refuse a type that is none.
      onRequest: async (request) => {
        request.headers['content-type'] = JSON_TYPE;
        request.caller = await authenticate(request.headers);
        request.caller.needs(route.method === 'GET' ? 'read' : 'write');
      },
      handler: async (request, reply) => {
        const { url, body, params } = request;
        const search = url.includes('?') ? url.slice(url.indexOf('?') + 1) : '';
        const id = params.id ?? '';
        refuseBrokenText(id, 'id');
        const context = () => contextOf(request);
        const asked = { id, search, body };
        const working =
          route.method === 'GET'
            ? reads.run(`${request.caller.readRights} ${route.path} ${id} ${search}`, () =>
                answerOf(route, asked, context()),
              )
            : written(route, asked, context());
        const { status, location, json } = await within(config.requestTimeoutMs, working);
        if (location !== undefined) reply.header('location', location);
        return json === undefined ? reply.code(status).send() : sendJson(reply, status, json);
      },
      errorHandler: (error, request, reply) => sendError(error, request, reply, route.spell),
    });
  }

  const apollo = fastifyApolloHandler(graph, { context: async (request) => contextOf(request) });
  const handleGraph: typeof apollo = function handle(request, reply) {
    return within(config.requestTimeoutMs, Promise.resolve(apollo.call(this, request, reply)));
  };
  app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => sendGraphError(error, request, reply));
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: FastifyRequest, bytes: Buffer) =>
      bytes.length === 0 ? undefined : parsePlainJson(bytes),
    );
    scope.addHook('onRequest', async (request) => {
      request.caller = await authenticate(request.headers);
    });
    const page = playgroundPage('/graphql');
    scope.get('/graphql', (request, reply) =>
      asksForPage(request) ? sendStaticFile(request, reply, page) : handleGraph.call(scope, request, reply),
    );
    scope.post('/graphql', handleGraph);
  });
  mountStaticFiles(app, [...dashboardFiles, ...playgroundAssets()]);
  const openApi = JSON.stringify(openApiDocument(config.printJobCasing === 'camel' ? camel : pascal));
  app.get('/openapi.json', (_request, reply) => sendJson(reply, 200, openApi));

  app.get('/healthz', (_request, reply) => sendJson(reply, 200, '{"status":"ok"}'));
  app.get('/readyz', async (request, reply) => {
    try {
      await within(config.requestTimeoutMs, ready());
      return sendJson(reply, 200, '{"status":"ready"}');
    } catch (error) {
      logged(error, request, 503);
      return sendJson(reply, 503, errorBody('The database does not answer'));
    }
  });
  return app;
}

function written(route: RestRoute, request: RestRequest, context: Context): Promise<RestAnswer> {
  const { id, search, body = '' } = request;
  return context.write(
    () => [route.method, route.path, id, search, body],
    (farm) => answerOf(route, request, { ...context, farm }),
  );
}

/** A refusal is an answer like others: it is kept under an idempotency key too. */
async function answerOf(route: RestRoute, request: RestRequest, context: Context): Promise<RestAnswer> {
  try {
    return await route.answer(request, context);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const { status, message } = restError(error, route.spell);
    return { status, json: errorBody(message) };
  }
}

/** A browser that opens the address itself; GraphQL over GET carries a query, or says that it wants JSON. */
function asksForPage({ url, headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') === true && !url.includes('?');
}

function sendJson(reply: FastifyReply, status: number, body: string | Buffer): FastifyReply {
  // A string would be sent with "; charset=utf-8" behind the type that the documents name.
  return reply
    .code(status)
    .header('content-type', JSON_TYPE)
    .send(typeof body === 'string' ? Buffer.from(body) : body);
}

/** Status and message of what the doors throw, and of what Fastify refuses on its own (its messages are for clients). */
function refusal(error: unknown, spell: Spelling): { status: number; message: string } {
  const { statusCode, message } = error as FastifyError;
  if (error instanceof GatewayError || statusCode === undefined || statusCode >= 500) return restError(error, spell);
  return { status: statusCode, message };
}

function logged(error: unknown, request: FastifyRequest, status: number): void {
  if (status >= 500 && !(error instanceof Outage))
    request.log.error({ requestId: request.id, err: error }, 'a request failed');
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply, spell: Spelling): FastifyReply {
  const { status, message } = refusal(error, spell);
  logged(error, request, status);
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  return sendJson(reply, status, errorBody(message));
}

/** The same for /graphql, in the shape that GraphQL clients read. */
function sendGraphError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, message } = refusal(error, camel);
  logged(error, request, status);
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  const code = error instanceof GatewayError ? error.code : status >= 500 ? 'INTERNAL_SERVER_ERROR' : 'BAD_REQUEST';
  return sendJson(reply, status, JSON.stringify({ errors: [{ message, extensions: { code } }] }));
}

/** What never became a request: headers too large, a request that is not HTTP, one that took too long. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [status, message] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'The headers are too large']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'The request took too long to arrive']
        : ['400 Bad Request', 'The request is not HTTP that can be read'];
  const body = errorBody(message);
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: ${JSON_TYPE}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** Each part with its length, so that no two requests run into the same bytes. */
function hashOf(parts: (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest('base64url');
}

function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}
