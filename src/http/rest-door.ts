// The REST door: each route of rest's table as a route of the server, with what every one of them needs around it.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Forbidden, GatewayError } from '../errors';
import type { Context } from '../graphql/context';
import { SharedReads } from '../graphql/shared-reads';
import { errorBody, restError } from '../rest/errors';
import type { RestAnswer, RestRequest, RestRoute } from '../rest/routes';
import { refuseBrokenText } from '../values/text';
import type { Admission } from './admission';
import { JSON_TYPE, sendError, sendJson } from './answers';
import { within } from './deadline';
import { searchOf } from './url';

export function mountRest(
  app: FastifyInstance,
  routes: RestRoute[],
  admit: Admission,
  contextOf: (request: FastifyRequest) => Context,
  timeoutMs: number,
): void {
  const reads = new SharedReads<RestAnswer>();
  for (const route of routes) {
    app.route<{ Params: { id?: string }; Body: Buffer | undefined }>({
      method: route.method,
      url: route.path,
      // A body is JSON whatever its type says, or lacks; Fastify would refuse a type that is none.
      onRequest: [
        (request, _reply, done) => {
          request.headers['content-type'] = JSON_TYPE;
          done();
        },
        admit,
        (request, _reply, done) => {
          request.caller.needs(route.method === 'GET' ? 'read' : 'write');
          done();
        },
      ],
      handler: async (request, reply) => {
        const { url, body, params } = request;
        const search = searchOf(url);
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
        const { status, location, json } = await within(timeoutMs, working);
        if (location !== undefined) reply.header('location', location);
        return json === undefined ? reply.code(status).send() : sendJson(reply, status, json);
      },
      errorHandler: (error, request, reply) => sendError(error, request, reply, route.spell),
    });
  }
}

function written(route: RestRoute, request: RestRequest, context: Context): Promise<RestAnswer> {
  const { id, search, body = '' } = request;
  return context.write(
    () => [route.method, route.path, id, search, body],
    (farm) => answerOf(route, request, { ...context, farm }),
  );
}

/** A refusal is an answer like others, kept under an idempotency key too, but for one that other rights would lift. */
async function answerOf(route: RestRoute, request: RestRequest, context: Context): Promise<RestAnswer> {
  try {
    return await route.answer(request, context);
  } catch (error) {
    if (!(error instanceof GatewayError) || error instanceof Forbidden) throw error;
    const { status, message } = restError(error, route.spell);
    return { status, json: errorBody(message) };
  }
}
