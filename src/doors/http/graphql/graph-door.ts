// Serves /graphql: operations by HTTP, event stream and WebSocket, and the playground for browsers.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FormattedExecutionResult } from 'graphql';
import { BadRequest } from '../../../errors';
import type { DoorContext } from '../../../farm/graph/context';
import type { Observer } from '../../../observability/observer';
import { parsePlainJson } from '../../../values/json';
import { asksForPage, asksForStream, chooseResponseType, expectsStatus200 } from '../../graphql/accept';
import type { GraphServer } from '../../graphql/apollo-server';
import { readGraphRequest } from '../../graphql/http-request';
import { sendGraphError } from '../answers';
import { COMPRESSED_FROM } from '../compression';
import type { Admission } from '../limits/admission';
import type { BodyMemory } from '../limits/body-memory';
import type { ClientMemory } from '../limits/client-memory';
import { refuseForgery, refuseOtherTypes } from '../limits/origin';
import { observeStream } from '../observed-requests';
import { LONG_FROM, readBodies } from '../request-bodies';
import { type CreateContext, respondWithin } from '../request-context';
import { readQueryString } from '../url';
import { sendPlayground } from '../web-files';
import { createMessages } from './graph-messages';
import { createSocketHandler } from './graph-socket';
import { sendSingleResult, sendStream } from './graph-stream';
import type { OpenSubscriptions } from './open-subscriptions';

export const GRAPH_PATH = '/graphql';
const NOT_ACCEPTABLE = Object.assign(
  new Error(
    'The Accept header allows no type that the gateway can send. Accept application/json or application/graphql-response+json.',
  ),
  { statusCode: 406 },
);

interface GraphParts {
  graph: GraphServer;
  admission: Admission;
  createContext: CreateContext;
  settings: { corsOrigins: readonly string[]; operationsPerSocket: number };
  subscriptions: OpenSubscriptions;
  observer: Observer;
  clientMemory: ClientMemory;
  memory: BodyMemory;
  /** The longest wait of a long body for its turn. */
  waitMs: number;
}

export function mountGraph(app: FastifyInstance, parts: GraphParts): void {
  const { graph, admission, createContext, settings, subscriptions, observer, clientMemory, memory, waitMs } = parts;

  const handleStream = async (request: FastifyRequest, reply: FastifyReply) => {
    const { method, url, body } = request;
    // The method is not passed on, because Apollo would refuse a subscription by GET like a mutation.
    const operation = { ...readGraphRequest({ method, search: readQueryString(url), body }), http: undefined };
    const context = method === 'POST' ? createContext(request) : { ...createContext(request), write: refuseWrite };
    const execution = graph.execute(operation, context, {
      takesSubscriptions: true,
      isLong: request.bodyBytes > LONG_FROM,
      // An open stream keeps its request in memory.
      heldLength: () => request.bodyBytes,
    });
    const { answer, beginDelivery } = await respondWithin(request.answerMs, execution);
    if (beginDelivery) {
      // A response that waits behind another response has no socket yet, so nothing would report that its client left.
      if (reply.raw.socket === null)
        throw new BadRequest(
          'The request for an event stream came on a connection that still sends another response. Send it on a separate connection.',
        );
      observeStream(request, reply, observer);
      return sendStream(subscriptions, request, reply, beginDelivery);
    }
    // The status is 200 even with errors, because browsers hide the body of an event stream with any other status.
    return sendSingleResult(reply, String(writeAnswer(answer)));
  };

  const handle = async (request: FastifyRequest, reply: FastifyReply) => {
    request.caller.requireCredentials();
    const { accept } = request.headers;
    const type = chooseResponseType(accept);
    if (type === undefined && !asksForStream(accept)) throw NOT_ACCEPTABLE;
    const { method, url, body } = request;
    if (method !== 'POST') refuseForgery(request, settings.corsOrigins);
    if (type === undefined) return handleStream(request, reply);
    const operation = readGraphRequest({ method, search: readQueryString(url), body });
    const execution = graph.execute(operation, createContext(request), {
      takesSubscriptions: false,
      isLong: request.bodyBytes > LONG_FROM,
    });
    const { http, answer } = await respondWithin(request.answerMs, execution);
    for (const [name, value] of http.headers) reply.header(name, value);
    const status = http.status ?? 200;
    const isWellFormed = (operation.query ?? operation.extensions) !== undefined;
    const isRefused = isWellFormed && status === 400 && answer.data === undefined;
    reply.code(isRefused && expectsStatus200(accept) ? 200 : status).header('content-type', type);
    return reply.send(writeAnswer(answer));
  };

  app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => sendGraphError(error, request, reply));
    readBodies(scope, memory, waitMs, (bytes) => (bytes.length === 0 ? undefined : parsePlainJson(bytes)));
    const onRequest = (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
      request.caller.requireCredentials();
      refuseOtherTypes(request);
      done();
    };
    scope.addHook('onRequest', admission.admit);
    scope.route({
      method: 'GET',
      url: GRAPH_PATH,
      handler: (request, reply) =>
        // A GET with a query string is a GraphQL request, even from a browser.
        asksForPage(request.headers.accept) && !request.url.includes('?')
          ? sendPlayground(reply)
          : handle(request, reply),
      wsHandler: createSocketHandler(subscriptions, createMessages(GRAPH_PATH, parts), clientMemory),
    });
    scope.post(GRAPH_PATH, { onRequest }, handle);
  });
}

const refuseWrite: DoorContext['write'] = async () => {
  throw new BadRequest('GET requests only support queries and subscriptions');
};

const texts = new WeakMap<object, string | Buffer>();

/**
 * Writes a result as JSON. Requests that share a read get the same data object, which is written only once. The floors of W1 and
 * W2 at 16 and 64 connections depend on this.
 */
function writeAnswer({ errors, data, extensions }: FormattedExecutionResult): string | Buffer {
  const shared = data != null && errors === undefined && extensions === undefined ? (data as object) : undefined;
  const earlier = shared && texts.get(shared);
  if (earlier !== undefined) return earlier;
  const text = `${JSON.stringify({ errors, data, extensions })}\n`;
  const sent = text.length >= COMPRESSED_FROM ? Buffer.from(text) : text;
  if (shared) texts.set(shared, sent);
  return sent;
}
