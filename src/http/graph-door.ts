// The GraphQL door: Apollo Server behind /graphql, and the playground for browsers that open the address itself.
import type { ApolloServer } from '@apollo/server';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '../graphql/context';
import { refuseOddIds, refuseOthers } from '../graphql/persisted-operations';
import { parsePlainJson } from '../values/json';
import type { Admission } from './admission';
import { sendGraphError } from './answers';
import { readBodies } from './bodies';
import { within } from './deadline';
import { answerPlain, plainOperation } from './plain-operations';
import { playgroundPage } from './playground';
import { sendStaticFile } from './static-files';
import { searchOf } from './url';

const PATH = '/graphql';
/** A media range that JSON is in; with another parameter than these Apollo does not take it for JSON. */
const JSON_RANGE =
  /^(\*\/\*|application\/(\*|json|graphql-response\+json))(\s*;\s*(charset="?utf-8"?|q=(1(\.0{0,3})?|0?\.\d{0,2}[1-9]\d{0,2})))*$/i;
const NOT_ACCEPTABLE = Object.assign(
  new Error('The accept header admits neither application/json nor application/graphql-response+json'),
  { statusCode: 406 },
);

export function mountGraph(
  app: FastifyInstance,
  graph: ApolloServer<Context>,
  admit: Admission,
  contextOf: (request: FastifyRequest) => Context,
  { persistedOnly, timeoutMs }: { persistedOnly: boolean; timeoutMs: number },
): void {
  const apollo = fastifyApolloHandler(graph, { context: async (request) => contextOf(request) });
  const handle: typeof apollo = function handle(request, reply) {
    const operation = plainOperation(request);
    if (!operation && !isJsonWelcome(request)) throw NOT_ACCEPTABLE;
    if (!operation) refuseOddIds(extensionsOf(request));
    const answering = operation
      ? answerPlain(graph, operation, contextOf(request), reply)
      : Promise.resolve(apollo.call(this, request, reply));
    return within(timeoutMs, answering);
  };
  app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => sendGraphError(error, request, reply));
    readBodies(scope, (bytes) => (bytes.length === 0 ? undefined : parsePlainJson(bytes)));
    scope.addHook('onRequest', admit);
    if (persistedOnly) {
      scope.addHook('preHandler', async (request) => {
        refuseOthers((request.body as { query?: unknown } | undefined)?.query);
        for (const query of new URLSearchParams(searchOf(request.url)).getAll('query')) refuseOthers(query);
      });
    }
    const page = playgroundPage(PATH);
    scope.get(PATH, (request, reply) =>
      asksForPage(request) ? sendStaticFile(request, reply, page) : handle.call(scope, request, reply),
    );
    scope.post(PATH, handle);
  });
}

/** Apollo would say so too, but not before a mutation is done. */
function isJsonWelcome({ headers: { accept } }: FastifyRequest): boolean {
  return accept === undefined || accept === '' || accept.split(',').some((range) => JSON_RANGE.test(range.trim()));
}

/** Undefined where they cannot be read: Apollo says so. */
function extensionsOf({ method, url, body }: FastifyRequest): unknown {
  if (method !== 'GET') return (body as { extensions?: unknown } | undefined)?.extensions;
  try {
    return JSON.parse(new URLSearchParams(searchOf(url)).get('extensions') ?? 'null');
  } catch {
    return undefined;
  }
}

/** A browser that opens the address itself; GraphQL over GET carries a query, or says that it wants JSON. */
function asksForPage({ url, headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') === true && !url.includes('?');
}
