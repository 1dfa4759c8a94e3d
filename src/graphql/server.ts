// Apollo Server over the schema: what it accepts, and what it tells.
import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { type DocumentNode, GraphQLError, type GraphQLSchema, Kind, type StringValueNode, visit } from 'graphql';
import { BadInput } from '../errors';
import type { Log } from '../observability/log';
import { refuseBrokenText } from '../values/text';
import type { Context } from './context';
import { formatError, unexpectedCause } from './errors';
import { executionOf, sharedStringify } from './execution';
import { operationTypeRule } from './operation-type-rule';

/** No operation that people write comes near; a document of braces alone would otherwise exhaust the parser's stack. */
const MOST_TOKENS = 5000;

export function createGraphServer(schema: GraphQLSchema, log: Log): ApolloServer<Context> {
  return new ApolloServer<Context>({
    gateway: executionOf(schema),
    stringifyResult: sharedStringify() as (value: unknown) => string,
    introspection: true,
    csrfPrevention: true,
    allowBatchedHttpRequests: false,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    parseOptions: { maxTokens: MOST_TOKENS },
    validationRules: [operationTypeRule],
    logger: log,
    formatError,
    plugins: [ApolloServerPluginLandingPageDisabled(), textCheck(), statusByMediaType(), errorLog(log)],
  });
}

const checkLiteral = ({ value }: StringValueNode) => refuseBrokenText(value, 'A text in the document');

/** Refuses NUL and broken surrogates in variables and literals, as the REST door does member by member. */
function textCheck(): ApolloServerPlugin<Context> {
  const checked = new WeakSet<DocumentNode>();
  return {
    async requestDidStart() {
      return {
        async didResolveOperation({ request, document }) {
          try {
            refuseBrokenText(request.variables, 'variables');
            if (checked.has(document)) return;
            visit(document, { [Kind.STRING]: checkLiteral });
            checked.add(document);
          } catch (error) {
            if (error instanceof BadInput)
              throw new GraphQLError(error.message, { extensions: { code: error.code, http: { status: 400 } } });
            throw error;
          }
        },
      };
    },
  };
}

/**
 * GraphQL over HTTP: a client that asks for application/json alone gets 200 for every well-formed request; any other gets
 * 400 for a document or variables that cannot be executed.
 */
function statusByMediaType(): ApolloServerPlugin<Context> {
  return {
    async requestDidStart() {
      return {
        async willSendResponse({ response: { body, http }, request }) {
          const accept = request.http?.headers.get('accept') ?? '';
          const legacy = accept.includes('application/json') && !accept.includes('graphql-response+json');
          const refused = body.kind === 'single' && !('data' in body.singleResult);
          if (legacy && refused && request.query !== undefined && http.status === 400) http.status = 200;
        },
      };
    },
  };
}

function errorLog(log: Log): ApolloServerPlugin<Context> {
  return {
    async requestDidStart() {
      return {
        async didEncounterErrors({ errors, contextValue, operationName }) {
          for (const error of errors) {
            const cause = unexpectedCause(error);
            if (cause === undefined) continue;
            log.error(
              { requestId: contextValue.requestId, operation: operationName, path: error.path, err: cause },
              'an operation failed',
            );
          }
        },
      };
    },
  };
}
