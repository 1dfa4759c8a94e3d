// The GraphQL door: Apollo Server behind /graphql by HTTP, event stream and WebSocket, and the playground for browsers.
import { randomUUID } from 'node:crypto';
import type { GraphQLRequest } from '@apollo/server';
import websocket, { type WebSocket } from '@fastify/websocket';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { handleProtocols } from 'graphql-ws';
import { BadRequest, TooManyRequests } from '../errors';
import type { BeginDelivery, DoorContext } from '../graph/context';
import { answerType, asksForPage, asksForStream, expectsStatus200 } from '../graphql/accept';
import { textOf } from '../graphql/answer-text';
import { graphRequest } from '../graphql/http-request';
import type { GraphServer } from '../graphql/server';
import type { Observer } from '../observability/observer';
import type { RequestRecord } from '../observability/request-record';
import { parsePlainJson } from '../values/json';
import type { Admission } from './admission';
import { failedMessage, sendGraphError } from './answers';
import { readBodies } from './bodies';
import { refuseHandshake } from './connections';
import type { ContextOf } from './context';
import { within } from './deadline';
import { type Outcome, socketHandler } from './graph-socket';
import { sendOnce, sendStream } from './graph-stream';
import { observeStream } from './observed';
import type { OpenSubscriptions } from './open-subscriptions';
import { refuseForgery, refuseOtherTypes } from './origin';
import { sendPlayground } from './pages';
import { webSocketUpgrades } from './upgrade';
import { searchOf } from './url';

const PATH = '/graphql';
const NOT_ACCEPTABLE = Object.assign(
  new Error('The accept header admits neither application/json nor application/graphql-response+json'),
  { statusCode: 406 },
);

interface GraphParts {
  graph: GraphServer;
  admission: Admission;
  contextOf: ContextOf;
  settings: { corsOrigins: readonly string[]; bodyBytes: number; operationsPerSocket: number };
  subscriptions: OpenSubscriptions;
  observer: Observer;
}

export function mountGraph(
  app: FastifyInstance,
  { graph, admission, contextOf, settings, subscriptions, observer }: GraphParts,
): void {
  const execute = ({ answerMs }: FastifyRequest, operation: GraphQLRequest, context: DoorContext) =>
    within(answerMs, graph.execute(operation, context));

  /** Executes an operation for a door that can send many answers: it takes subscriptions too. */
  const subscribe = async (request: FastifyRequest, operation: GraphQLRequest, context: DoorContext) => {
    let beginDelivery: BeginDelivery | undefined;
    const answered = await execute(request, operation, {
      ...context,
      takeSubscription: (begin) => (beginDelivery = begin),
    });
    return { ...answered, beginDelivery: answered.answer.errors ? undefined : beginDelivery };
  };

  const stream = async (request: FastifyRequest, reply: FastifyReply) => {
    const { method, url, body } = request;
    const operation = graphRequest({ method, search: searchOf(url), body });
    const context = contextOf(request);
    // Apollo would refuse a subscription by GET as it refuses a mutation.
    const { answer, beginDelivery } = await subscribe(
      request,
      { ...operation, http: undefined },
      method === 'POST' ? context : { ...context, write: refuseWrite },
    );
    if (beginDelivery) {
      observeStream(request, reply, observer);
      return sendStream(subscriptions, request, reply, beginDelivery);
    }
    // Browsers do not show the body of an event stream with another status than 200.
    return sendOnce(reply, String(textOf(answer)));
  };

  const handle = async (request: FastifyRequest, reply: FastifyReply) => {
    request.caller.mayAsk();
    const { accept } = request.headers;
    const type = answerType(accept);
    if (type === undefined && !asksForStream(accept)) throw NOT_ACCEPTABLE;
    const { method, url, body } = request;
    if (method !== 'POST') refuseForgery(request, settings.corsOrigins);
    if (type === undefined) return stream(request, reply);
    const operation = graphRequest({ method, search: searchOf(url), body });
    const { http, answer } = await execute(request, operation, contextOf(request));
    for (const [name, value] of http.headers) reply.header(name, value);
    const status = http.status ?? 200;
    const isWellFormed = (operation.query ?? operation.extensions) !== undefined;
    const isRefused = isWellFormed && status === 400 && answer.data === undefined;
    reply.code(isRefused && expectsStatus200(accept) ? 200 : status).header('content-type', type);
    return reply.send(textOf(answer));
  };

  /** Each message of a WebSocket has its own record: `request.record` belongs to the connection. */
  const observed = async <Answer>(request: FastifyRequest, work: (record: RequestRecord) => Promise<Answer>) => {
    const began = performance.now();
    const record = observer.requestBegan(randomUUID(), {});
    let status = 200;
    try {
      return await work(record);
    } catch (error) {
      status = failedMessage(error, request, record);
      throw error;
    } finally {
      const ms = performance.now() - began;
      const caller = request.caller.name;
      observer.requestEnded(record, { method: 'WEBSOCKET', route: PATH, status, ms, caller, quiet: false });
    }
  };

  const executeMessage = (request: FastifyRequest, payload: unknown, running: number): Promise<Outcome> =>
    observed(request, async (record) => {
      await admission.count(request);
      request.caller.mayAsk();
      request.caller.mustBeValid(Date.now());
      if (running > settings.operationsPerSocket)
        throw new TooManyRequests(`One connection may have ${settings.operationsPerSocket} operations at a time`);
      const operation = graphRequest({ method: 'POST', search: '', body: payload });
      const { answer, beginDelivery } = await subscribe(request, operation, { ...contextOf(request), record });
      return beginDelivery ? { beginDelivery } : { answer };
    });
  app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => sendGraphError(error, request, reply));
    readBodies(scope, (bytes) => (bytes.length === 0 ? undefined : parsePlainJson(bytes)));
    const onRequest = (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
      request.caller.mayAsk();
      refuseOtherTypes(request);
      done();
    };
    scope.addHook('onRequest', admission.admit);
    await scope.register(websocket, {
      options: { server: webSocketUpgrades(app.server, PATH), maxPayload: settings.bodyBytes, handleProtocols },
      errorHandler: (_error, socket) => socket.terminate(),
      preClose(done) {
        for (const socket of scope.websocketServer.clients) dismiss(socket);
        // A handshake may come, or be admitted, while the gateway stops.
        scope.websocketServer.on('connection', dismiss);
        done();
      },
    });
    scope.websocketServer.on('wsClientError', refuseHandshake);
    scope.route({
      method: 'GET',
      url: PATH,
      handler: (request, reply) =>
        // GraphQL over GET carries a query.
        asksForPage(request.headers.accept) && !request.url.includes('?')
          ? sendPlayground(reply)
          : handle(request, reply),
      wsHandler: socketHandler(scope, {
        subscriptions,
        admit: (request, credentials) => observed(request, () => admission.admitMessage(request, credentials)),
        execute: executeMessage,
      }),
    });
    scope.post(PATH, { onRequest }, handle);
  });
}

const dismiss = (socket: WebSocket): void => socket.close(1001, 'The gateway stops');

const refuseWrite: DoorContext['write'] = async () => {
  throw new BadRequest('GET requests only support queries and subscriptions');
};
