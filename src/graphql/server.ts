// Apollo Server over the schema: what it accepts, and what it tells.
import {
  ApolloServer,
  type GraphQLRequest,
  type GraphQLRequestContextDidEncounterErrors,
  type GraphQLRequestContextWillSendResponse,
  type GraphQLRequestListener,
} from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import { type DocumentNode, GraphQLError, type GraphQLSchema, Kind, type StringValueNode, visit } from 'graphql';
import { BadInput, Outage } from '../errors';
import type { Log } from '../observability/log';
import { refuseBrokenText } from '../values/text';
import type { Context } from './context';
import { formatError, unexpectedCause } from './errors';
import { executionOf, stringifyResult } from './execution';
import { type GraphLimits, limitCheck } from './limits';
import { operationTypeRule } from './operation-type-rule';
import { manifestTexts } from './persisted-operations';
import { parsedDocuments, textsById } from './query-texts';

export interface GraphSettings {
  limits: GraphLimits;
  /** Whether clients may ask for the schema, and are told what they may have meant. */
  introspection: boolean;
  /** Whether the operations of the manifest are the only ones. */
  persistedOnly: boolean;
}

const LONGEST_NAME = 100;

export function createGraphServer(
  schema: GraphQLSchema,
  log: Log,
  { limits, introspection, persistedOnly }: GraphSettings,
): ApolloServer<Context> {
  const checkTexts = textCheck();
  const checkLimits = limitCheck(schema, limits);
  const { gateway, responseForOperation } = executionOf(schema);
  const listener: GraphQLRequestListener<Context> = {
    async didResolveOperation({ request, document, operation, contextValue }) {
      if (operation) {
        // It goes into the log, the metrics and the traces, and clients choose it.
        const name = (operation.name?.value ?? '').slice(0, LONGEST_NAME);
        contextValue.record.operation = { type: operation.operation, name };
      }
      checkTexts(request, document);
      if (operation) checkLimits(document, operation, request.variables);
    },
    responseForOperation,
    didEncounterErrors: errorLog(log),
    willSendResponse: statusByMediaType,
  };
  const server: ApolloServer<Context> = new ApolloServer<Context>({
    gateway,
    stringifyResult: stringifyResult as (value: unknown) => string,
    introspection,
    hideSchemaDetailsFromClientErrors: !introspection,
    csrfPrevention: true,
    allowBatchedHttpRequests: false,
    persistedQueries: { cache: textsById(() => (persistedOnly ? manifestTexts : server.cache)) },
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    documentStore: parsedDocuments(),
    parseOptions: { maxTokens: limits.tokens },
    validationRules: [operationTypeRule],
    logger: log,
    formatError: introspection ? formatError : withoutSuggestions,
    plugins: [
      ApolloServerPluginLandingPageDisabled(),
      // It would wrap the resolver of every field to find hints that this schema has none of.
      ApolloServerPluginCacheControlDisabled(),
      // For subgraphs of a federation alone; it would look at every request.
      ApolloServerPluginInlineTraceDisabled(),
      // One listener for all requests: Apollo awaits each listener of each request at every step.
      { requestDidStart: async () => listener },
    ],
  });
  return server;
}

/** Apollo leaves them out where a document does not fit the schema, not where a variable does not. */
function withoutSuggestions(...error: Parameters<typeof formatError>): ReturnType<typeof formatError> {
  const formatted = formatError(...error);
  return { ...formatted, message: formatted.message.replace(/ Did you mean .*\?$/s, '') };
}

const checkLiteral = ({ value }: StringValueNode) => refuseBrokenText(value, 'A text in the document');

/** Refuses NUL and broken surrogates in variables and literals, as the REST door does member by member. */
function textCheck() {
  const checked = new WeakSet<DocumentNode>();
  return (request: GraphQLRequest, document: DocumentNode): void => {
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
  };
}

/**
 * GraphQL over HTTP: a client that asks for application/json alone gets 200 for every well-formed request; any other gets
 * 400 for a document or variables that cannot be executed.
 */
async function statusByMediaType({
  response: { body, http },
  request,
  source,
}: GraphQLRequestContextWillSendResponse<Context>) {
  const accept = request.http?.headers.get('accept') ?? '';
  const legacy = accept.includes('application/json') && !accept.includes('graphql-response+json');
  const refused = body.kind === 'single' && !('data' in body.singleResult);
  if (legacy && refused && (request.query ?? source) !== undefined && http.status === 400) http.status = 200;
}

function errorLog(log: Log) {
  return async ({ errors, contextValue, operationName }: GraphQLRequestContextDidEncounterErrors<Context>) => {
    for (const error of errors) {
      contextValue.record.codes.push(String(formatError(error, error).extensions?.['code'] ?? ''));
      const cause = unexpectedCause(error);
      if (cause === undefined || cause instanceof Outage) continue;
      log.error(
        { requestId: contextValue.record.id, operation: operationName, path: error.path, err: cause },
        'an operation failed',
      );
    }
  };
}
