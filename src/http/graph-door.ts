// The GraphQL door: Apollo Server behind /graphql, and the playground for browsers that open the address itself.
import type { ApolloServer } from '@apollo/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { DoorContext } from '../graph/context';
import { answerType, asksForPage, expectsStatus200 } from '../graphql/accept';
import { textOf } from '../graphql/execution';
import { graphRequest } from '../graphql/http-request';
import type { PersistedOperations } from '../graphql/persisted-operations';
import { parsePlainJson } from '../values/json';
import type { Admission } from './admission';
import { sendGraphError } from './answers';
import { readBodies } from './bodies';
import { within } from './deadline';
import { refuseForgery, refuseOtherTypes } from './origin';
import { sendPlayground } from './pages';
import { searchOf } from './url';

const PATH = '/graphql';
const NOT_ACCEPTABLE = Object.assign(
  new Error('The accept header admits neither application/json nor application/graphql-response+json'),
  { statusCode: 406 },
);

export function mountGraph(
  app: FastifyInstance,
  graph: ApolloServer<DoorContext>,
  admit: Admission,
  contextOf: (request: FastifyRequest) => DoorContext,
  { persisted, trusted }: { persisted: PersistedOperations | undefined; trusted: readonly string[] },
): void {
  const handle = async (request: FastifyRequest, reply: FastifyReply) => {
    request.caller.mayAsk();
    const { accept } = request.headers;
    const type = answerType(accept);
    if (type === undefined) throw NOT_ACCEPTABLE;
    const { method, url, body } = request;
    if (method !== 'POST') refuseForgery(request, trusted);
    const operation = graphRequest({ method, search: searchOf(url), body });
    persisted?.refuseOthers(operation.query);
    const answering = graph.executeOperation(operation, { contextValue: contextOf(request) });
    const { http, body: answer } = await within(request.msLeft, answering);
    // Incremental delivery is not in the schema.
    if (answer.kind !== 'single') throw new Error('The answer comes in parts');
    for (const [name, value] of http.headers) reply.header(name, value);
    const status = http.status ?? 200;
    const isWellFormed = (operation.query ?? operation.extensions) !== undefined;
    const isRefused = isWellFormed && status === 400 && answer.singleResult.data === undefined;
    reply.code(isRefused && expectsStatus200(accept) ? 200 : status).header('content-type', type);
    return reply.send(textOf(answer.singleResult));
  };
  app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => sendGraphError(error, request, reply));
    readBodies(scope, (bytes) => (bytes.length === 0 ? undefined : parsePlainJson(bytes)));
    scope.addHook('onRequest', admit);
    scope.get(PATH, (request, reply) =>
      // GraphQL over GET carries a query.
      asksForPage(request.headers.accept) && !request.url.includes('?')
        ? sendPlayground(reply)
        : handle(request, reply),
    );
    const onRequest = (request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
      request.caller.mayAsk();
      refuseOtherTypes(request);
      done();
    };
    scope.post(PATH, { onRequest }, handle);
  });
}
