// Apollo Server over the schema, with the checks that an operation passes before it is executed.
import {
  ApolloServer,
  type GraphQLRequest,
  type GraphQLRequestListener,
  HeaderMap,
  type HTTPGraphQLHead,
} from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import type { DocumentNode, FormattedExecutionResult, GraphQLError, GraphQLSchema } from 'graphql';
import { BadInput } from '../../errors';
import type { Caller } from '../../farm/graph/caller';
import type { DoorContext } from '../../farm/graph/context';
import type { Log } from '../../observability/log';
import type { Channels } from '../../sharing/channel-registry';
import { longTurn } from '../../sharing/turns';
import { findUnstorableTexts } from '../../values/text';
import { AnswerSizes } from './answer-size';
import { createDemands } from './demands';
import { createExecution } from './execution';
import { formatError, formatGraphQLError, logUnexpected, noteCodes } from './graphql-errors';
import { type GraphLimits, limitCheck, MAX_DIRECTIVES } from './operation-limits';
import type { PersistedOperation } from './operation-manifest';
import { LONG, parsedDocuments, sourceOf } from './parsed-documents';
import type { PersistedOperations } from './persisted-operations';
import { repeatCheck } from './repeated-fields';
import { refuseConditionalSubscription } from './subscription-conditions';
import type { BeginDelivery, OperationContext } from './subscriptions';
import { refusalOfTokens, SentDocuments, tenfold } from './trusted-operations';
import { earlyRefusal, issuesOfTexts, pathOfVariable } from './variable-issues';
import { convertToDeclaredTypes, keepDeclaredVariables } from './variables';

export interface GraphSettings {
  limits: Omit<GraphLimits, 'directives'>;
  /** Whether clients may ask for the schema, and whether errors suggest names of it. */
  introspection: boolean;
  /** Whether the persisted operations are the only ones. */
  persistedOnly: boolean;
  /** The names of callers whose operations a program makes (trusted-operations.ts). */
  trusted: readonly string[];
  /** The persisted operations of other apps. */
  operations: readonly PersistedOperation[];
}

const MAX_NAME_LENGTH = 100;
/** Faults of a document that its answer names. */
const MAX_FAULTS = 5;

/** An operation that was executed or refused. */
export interface Executed {
  /** The status and the headers that its answer has by HTTP. */
  http: HTTPGraphQLHead;
  answer: FormattedExecutionResult;
  /** Begins the delivery of an accepted subscription. `answer` is then a placeholder that no client gets. */
  beginDelivery?: BeginDelivery | undefined;
}

interface GraphDoor {
  /** Subscriptions are refused where the door does not take them. */
  takesSubscriptions: boolean;
  /** The request is so long that it has a turn of the event loop for itself. */
  isLong?: boolean;
  /** Characters or bytes of the request that the door holds while its subscription is open. */
  held?(): number;
}

export interface GraphServer {
  start(): Promise<void>;
  execute(operation: GraphQLRequest, context: DoorContext, door: GraphDoor): Promise<Executed>;
  stop(): Promise<void>;
}

export function createGraphServer(
  schema: GraphQLSchema,
  channels: Channels,
  log: Log,
  settings: GraphSettings,
  persisted: PersistedOperations | undefined,
  requestMs: number,
): GraphServer {
  const { introspection, trusted } = settings;
  const limits = { ...settings.limits, directives: MAX_DIRECTIVES };
  const usual = boundsOf(schema, limits);
  const ofTrusted = trusted.length === 0 ? usual : boundsOf(schema, tenfold(limits));
  const isTrusted = ({ displayName: ownName }: Caller) => ownName !== null && trusted.includes(ownName);
  const sent = new SentDocuments();
  const checkTexts = textCheck();
  const demands = createDemands(schema);
  const listener: GraphQLRequestListener<OperationContext> = {
    async didResolveOperation({ request, document, operation, contextValue }) {
      if (operation) {
        // The name goes into the log, the metrics and the traces, and clients choose its length.
        const name = (operation.name?.value ?? '').slice(0, MAX_NAME_LENGTH);
        contextValue.observation.operation = { type: operation.operation, name };
      }
      const bounds = isTrusted(contextValue.caller) ? ofTrusted : usual;
      // Only its hash was sent, and the text may be one of a trusted caller.
      const refusal =
        request.query === undefined && bounds !== ofTrusted && refusalOfTokens(sourceOf(document), bounds.tokens);
      if (refusal) throw refusal;
      checkTexts(request, document);
      if (!operation) return;
      request.variables &&= keepDeclaredVariables(operation, request.variables);
      bounds.checkLimits(document, operation, request.variables);
      demands.refuseWithoutRights(document, operation, contextValue.caller);
      demands.refuseBeside(document, operation);
      request.variables &&= convertToDeclaredTypes(schema, document, operation, request.variables);
    },
    responseForOperation: createExecution(schema, channels, log, demands, new AnswerSizes(limits.cost), !introspection),
    // The errors of documents and variables that Apollo refuses.
    async didEncounterErrors({ errors, contextValue, operationName }) {
      logUnexpected(log, errors, contextValue.observation, operationName);
      noteCodes(contextValue.observation, errors.map(formatGraphQLError));
    },
  };
  const apollo = new ApolloServer<OperationContext>({
    schema,
    introspection,
    hideSchemaDetailsFromClientErrors: !introspection,
    ...(persisted && { persistedQueries: { cache: persisted.cache } }),
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    documentStore: parsedDocuments(),
    // A document may have thousands of faults, and graphql-js compares each with all names of a type.
    validationOptions: { maxErrors: MAX_FAULTS },
    parseOptions: { maxTokens: ofTrusted.tokens },
    logger: log,
    formatError,
    plugins: [
      ApolloServerPluginLandingPageDisabled(),
      // Cache control would wrap the resolver of every field to find its hints. This schema has no hints.
      ApolloServerPluginCacheControlDisabled(),
      // Inline traces are for subgraphs of a federation. The plugin would look at every request.
      ApolloServerPluginInlineTraceDisabled(),
      // One listener serves all requests, because it has no state of a request.
      { requestDidStart: async () => listener },
    ],
  });
  return {
    start: () => apollo.start(),
    async execute(operation, context, { takesSubscriptions, held, isLong }) {
      const isLongText = (operation.query?.length ?? 0) > LONG;
      if (isLong || isLongText) await longTurn(context.client, requestMs);
      // These checks are not in a hook: Apollo turns the error of a hook that comes before parsing into an internal error.
      const isOfProgram = isTrusted(context.caller);
      const bounds = isOfProgram ? ofTrusted : usual;
      if (!isOfProgram) persisted?.refuseOthers(operation.query);
      const refusal = bounds === ofTrusted ? undefined : refusalOfTokens(operation.query, bounds.tokens);
      if (refusal) return refused(refusal, context);
      if (isLongText) bounds.refuseRepeats(operation.query as string);
      refuseConditionalSubscription(operation.query, bounds.tokens);
      let beginDelivery: BeginDelivery | undefined;
      const contextValue: OperationContext = takesSubscriptions
        ? { ...context, held, takeSubscription: (begin) => (beginDelivery = begin) }
        : context;
      const { http, body } = await apollo.executeOperation(
        isOfProgram && persisted ? sent.complete(operation) : operation,
        { contextValue },
      );
      // Incremental delivery is not in the schema.
      if (body.kind !== 'single') throw new Error('The answer comes in parts');
      const answer = body.singleResult;
      return { http, answer, beginDelivery: answer.errors ? undefined : beginDelivery };
    },
    stop: () => apollo.stop(),
  };
}

/** What an operation may have. */
function boundsOf(schema: GraphQLSchema, limits: GraphLimits) {
  return {
    tokens: limits.tokens,
    checkLimits: limitCheck(schema, limits),
    refuseRepeats: repeatCheck(limits.tokens),
  };
}

function refused(error: GraphQLError, { observation }: DoorContext): Executed {
  const errors = [formatGraphQLError(error)];
  noteCodes(observation, errors);
  return { http: { status: 400, headers: new HeaderMap() }, answer: { errors } };
}

/** Refuses NUL and broken surrogates in variables and literals, as the REST door does member by member. */
function textCheck() {
  // To look through a document takes 0.04 ms, a tenth of the time of a single job (W4).
  const checked = new WeakSet<DocumentNode>();
  return ({ variables }: GraphQLRequest, document: DocumentNode): void => {
    const issues = [
      ...(checked.has(document) ? [] : issuesOfTexts(document)),
      ...findUnstorableTexts(variables, 'variables').map(({ path, message }) => {
        const [, variable, ...inside] = path;
        return {
          path: variable === undefined ? path : [...pathOfVariable(document, String(variable)), ...inside],
          message,
        };
      }),
    ];
    if (issues.length > 0) throw earlyRefusal(new BadInput(issues));
    checked.add(document);
  };
}
