// Mounts the API for clients of Spoolman at /api/v1, and the addresses of Spoolman's labels.
import { Readable } from 'node:stream';
import type { WebSocket } from '@fastify/websocket';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { DatabaseUnavailable, GatewayError, orNotFound, TooManyRequests, Unavailable } from '../../errors';
import { Caller } from '../../farm/graph/caller';
import type { DoorContext } from '../../farm/graph/context';
import { readSpoolmanLabel } from '../../farm/inventory/spoolman-label';

import { SpoolmanApi } from '../spoolman/api';
import { messageBody, toApiError } from '../spoolman/errors';
import { type ApiAnswer, type ApiRequest, type ApiRoute, type RouteTable } from '../spoolman/route';
import { JSON_TYPE, logFailure, sendJson } from './answers';
import type { Admission } from './limits/admission';
import { isPrivateClient, takeBasicPassword } from './limits/spoolman-callers';
import { followExchange } from './report-exchange';
import { type CreateContext, respondWithin } from './request-context';
import { readSocketTopic, type SocketTopic, type SpoolmanSockets } from './spoolman-sockets';
import { readPath, readQueryString } from './url';

export const API_PATH = '/api/v1';

/** Who may use the API: callers with a key, also clients in private networks, or nobody. */
export type SpoolmanAccess = 'keys' | 'open' | 'off';

declare module 'fastify' {
  interface FastifyRequest {
    /** The route of the API that answers the request. */
    apiRoute?: { route: ApiRoute; params: string[] };
    /** What the WebSocket listens to. */
    socketTopic?: SocketTopic;
  }
}

export function mountSpoolman(
  app: FastifyInstance,
  access: SpoolmanAccess,
  routes: RouteTable,
  admission: Admission,
  createContext: CreateContext,
  sockets: SpoolmanSockets,
): void {
  app.decorateRequest('apiRoute');
  app.decorateRequest('socketTopic');
  mountLabels(app, createContext);
  for (const url of [API_PATH, `${API_PATH}/*`]) {
    const shared: Omit<RouteOptions, 'method'> = {
      url,
      exposeHeadRoute: false,
      onRequest: [
        (request, reply, done) => {
          // Every body is read as JSON, whatever its content type is.
          request.headers['content-type'] = JSON_TYPE;
          const path = readPath(request.url).slice(API_PATH.length).replace(/\/$/, '') || '/';
          const topic = request.ws ? readSocketTopic(path) : null;
          const isOffered = access !== 'off' && (!request.ws || topic !== null);
          const found = isOffered && topic === null ? routes.find(request.method, path) : [];
          if (topic !== null && isOffered) {
            request.socketTopic = topic;
            takeBasicPassword(request);
            done();
          } else if (Array.isArray(found)) sendUnknown(request, reply, found);
          else {
            request.apiRoute = found;
            takeBasicPassword(request);
            done();
          }
        },
        async (request) => {
          const isOpen = access === 'open' && isPrivateClient(request);
          try {
            await admission.admit(request);
          } catch (error) {
            // In a private network an unknown password may be that of a proxy.
            if (!isOpen || error instanceof TooManyRequests || error instanceof Unavailable) throw error;
          }
          if (isOpen) request.caller = new Caller(request.caller.name, ['spools']);
          request.caller.requireSpools(request.apiRoute?.route.changes ? 'write' : 'read');
          if (request.socketTopic !== undefined) await sockets.admit(request.socketTopic);
        },
      ],
      handler: async (request, reply) => {
        const { route, params } = request.apiRoute as NonNullable<FastifyRequest['apiRoute']>;
        const client = {
          address: request.ip,
          userAgent: request.headers['user-agent'],
          exchange: followExchange(reply.raw),
        };
        const body = request.body as Buffer | undefined;
        const asked = { params, search: readQueryString(request.url), body, client };
        return send(reply, await respondWithin(request.answerMs, execute(route, asked, createContext(request))));
      },
      errorHandler: sendApiError,
    };
    app.route({ ...shared, method: ['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] });
    const serve = (socket: WebSocket, request: FastifyRequest) =>
      sockets.serve(socket, request, request.socketTopic as SocketTopic);
    app.route({ ...shared, method: 'GET', wsHandler: serve });
  }
}

function execute(route: ApiRoute, asked: ApiRequest, context: DoorContext): Promise<ApiAnswer> {
  const answer = ({ resolvers }: Pick<DoorContext, 'resolvers'>) =>
    route.answer(resolvers.get(SpoolmanApi), asked, { ...context, resolvers });
  if (!route.changes) return answer(context);
  const { params, search, body = '' } = asked;
  return context.write(
    () => [route.method, API_PATH + route.path, ...params, search, body],
    // A refused write is not stored under its key, because a part of it may be written: the refusal undoes all of it.
    (resolvers) => answer({ resolvers }),
  );
}

function send(reply: FastifyReply, { status, json, total, chunks }: ApiAnswer): FastifyReply {
  if (total !== undefined) reply.header('x-total-count', total);
  if (chunks !== undefined)
    return reply
      .code(status)
      .header('content-type', JSON_TYPE)
      .send(Readable.from(reply.request.method === 'HEAD' ? [] : chunks));
  return json === undefined ? reply.code(status).send() : sendJson(reply, status, json);
}

function sendUnknown(request: FastifyRequest, reply: FastifyReply, allowed: string[]): void {
  if (allowed.length === 0) sendJson(reply, 404, messageBody(`There is nothing at ${readPath(request.url)}.`));
  else {
    reply.header('allow', allowed.join(', '));
    sendJson(reply, 405, messageBody(`${request.method} is not allowed here. Allowed: ${allowed.join(', ')}.`));
  }
}

export function sendApiError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { statusCode, message } = error as FastifyError;
  const isOfGateway = error instanceof GatewayError || statusCode === undefined || statusCode >= 500;
  const refused = isOfGateway ? toApiError(error) : { status: statusCode, message };
  if (refused.status >= 500 && !(error instanceof DatabaseUnavailable)) logFailure(error, request);
  if (refused.status === 401) reply.header('www-authenticate', 'Bearer');
  if (error instanceof TooManyRequests || error instanceof Unavailable)
    reply.header('retry-after', error.retryAfterSeconds);
  return sendJson(reply, refused.status, messageBody(refused.message, error));
}

/** A label of Spoolman leads to the page of the object that it means. The page asks for a key, so the address needs none. */
function mountLabels(app: FastifyInstance, createContext: CreateContext): void {
  for (const kind of ['spool', 'filament'] as const) {
    app.get<{ Params: { id: string } }>(`/${kind}/show/:id`, async (request, reply) => {
      const label = orNotFound(readSpoolmanLabel(readPath(request.url)), kind, request.params.id);
      const { resolvers } = createContext(request);
      const { filaments } = resolvers.get(SpoolmanApi).parts;
      return reply.redirect(`/n/${await filaments.numberOfLabel(label)}`, 302);
    });
  }
}

/** Rewrites the address of a label, in any case: /?sel=spool:12 and /SPOOL/SHOW/12/ become /spool/show/12. */
export function rewriteLabelUrl(url: string): string {
  if (!/sel=|\/show\//i.test(url)) return url;
  const path = readPath(url).replace(/\/$/, '');
  const isLabel = path === '' || /^\/\w+\/show\/\d+$/i.test(path);
  const label = isLabel ? readSpoolmanLabel(path === '' ? url : path) : null;
  return label === null ? url : `/${label.kind.toLowerCase()}/show/${label.id}`;
}
