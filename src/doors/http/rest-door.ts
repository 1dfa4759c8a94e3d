// Mounts the REST routes on the server, each with admission, a time limit, shared reads and its error format.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { DoorContext } from '../../farm/graph/context';
import { checkRights } from '../../farm/graph/rights';
import { SharedReads } from '../../sharing/shared-reads';
import { refuseUnstorableTexts } from '../../values/text';
import type { RestAnswer, RestRequest, RestRoute } from '../rest/routes';
import { JSON_TYPE, sendCsv, sendError, sendJson } from './answers';
import type { Admission } from './limits/admission';
import { type CreateContext, respondWithin } from './request-context';
import { readQueryString } from './url';

/** Converts the body to bytes once, for all clients that share the read. */
const toBytes = ({ json, ...answer }: RestAnswer) => ({
  ...answer,
  bytes: json === undefined ? undefined : Buffer.from(json),
});

type AnswerInBytes = ReturnType<typeof toBytes>;

export function mountRest(
  app: FastifyInstance,
  routes: RestRoute[],
  admission: Admission,
  createContext: CreateContext,
): void {
  const reads = new SharedReads<AnswerInBytes>();
  const execute = async (
    route: RestRoute,
    restRequest: RestRequest,
    request: FastifyRequest,
  ): Promise<AnswerInBytes> => {
    const context = createContext(request);
    if (route.method !== 'GET') return toBytes(await write(route, restRequest, context));
    const read = () => route.answer(restRequest, context).then(toBytes);
    // A stream can have only one reader.
    if (route.streams) return read();
    return reads.run(
      `${request.caller.readRights} ${route.path} ${restRequest.id} ${restRequest.search}`,
      context.deadline,
      read,
    );
  };
  for (const route of routes) {
    app.route<{ Params: { id?: string }; Body: Buffer | undefined }>({
      method: route.method,
      url: route.path,
      // Every body is read as JSON, whatever its content type is. Fastify would refuse a malformed content type.
      onRequest: [
        (request, _reply, done) => {
          request.headers['content-type'] = JSON_TYPE;
          done();
        },
        admission.admit,
        (request, _reply, done) => {
          checkRights(request.caller, [route.right]);
          done();
        },
      ],
      handler: async (request, reply) => {
        const { url, body, params } = request;
        const asked = { id: params.id ?? '', search: readQueryString(url), body };
        refuseUnstorableTexts(asked.id, 'id');
        const { status, location, bytes, csv } = await respondWithin(request.answerMs, execute(route, asked, request));
        if (location !== undefined) reply.header('location', location);
        if (csv !== undefined) return sendCsv(reply, csv.name, csv.chunks);
        return bytes === undefined ? reply.code(status).send() : sendJson(reply, status, bytes);
      },
      errorHandler: (error, request, reply) => sendError(error, request, reply, route.errorFormat),
    });
  }
}

function write(route: RestRoute, request: RestRequest, context: DoorContext): Promise<RestAnswer> {
  const { id, search, body = '' } = request;
  return context.write(
    () => [route.method, route.path, id, search, body],
    (resolvers) => route.answer(request, { ...context, resolvers }),
  );
}
