// Creates the Apollo Server of the schema, and decides which checks an operation passes before it is executed.
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
import type { Broadcasts } from '../../sharing/broadcast-registry';
import { takeLongTurn } from '../../sharing/turns';
import { findUnstorableTexts } from '../../values/text';
import { AnswerSizes } from './answer-size';
import { createDemands } from './demands';
import { createExecution } from './execution';
import { formatError, formatGraphQLError, logUnexpected, noteCodes } from './graphql-errors';
import { createLimitCheck, type GraphLimits, MAX_DIRECTIVES } from './operation-limits';
import type { PersistedOperation } from './operation-manifest';
import { parsedDocuments, sourceOf } from './parsed-documents';
import type { PersistedOperations } from './persisted-operations';
import { createRepeatCheck } from './repeated-fields';
import { refuseConditionalSubscription } from './subscription-conditions';
import type { BeginDelivery, OperationContext } from './subscriptions';
import { checkTokenLimit, raiseLimits, SentDocuments } from './trusted-operations';
import { earlyRefusal, findUnstorableLiterals, findVariablePath } from './variable-issues';
import { convertToDeclaredTypes, keepDeclaredVariables } from './variables';

export interface GraphSettings {
  limits: Omit<GraphLimits, 'directives'>;
  /** Whether clients may read the schema, and whether errors suggest its names. */
  introspection: boolean;
  /** Whether clients may run only persisted operations. */
  persistedOnly: boolean;
  /** The names of callers whose operations are written by a program (trusted-operations.ts). */
  trusted: readonly string[];
  /** The persisted operations of other apps. */
  operations: readonly PersistedOperation[];
}

const MAX_NAME_LENGTH = 100;
/**
 * A document with more characters waits for a turn of the event loop of its own, because graphql-js compares its fields with each
 * other. The dashboard's longest document has 1,500.
 */
const LONG_DOCUMENT_LENGTH = 2000;
/** The maximum number of faults of a document that the response names. */
const MAX_FAULTS = 5;

/** An operation that was executed or refused. */
export interface Executed {
  /** The HTTP status and headers of the response. */
  http: HTTPGraphQLHead;
  answer: FormattedExecutionResult;
  /** Starts the delivery of an accepted subscription. `answer` is then a placeholder that no client gets. */
  beginDelivery?: BeginDelivery | undefined;
}

interface GraphDoor {
  /** Whether the door can deliver subscriptions. If not, they are refused. */
  takesSubscriptions: boolean;
  /** Whether the request is so long that it waits for a turn of the event loop of its own (sharing/turns.ts). */
  isLong?: boolean;
  /** How many characters or bytes of the request the door keeps in memory while the subscription is open. */
  heldLength?(): number;
}

export interface GraphServer {
  start(): Promise<void>;
  execute(operation: GraphQLRequest, context: DoorContext, door: GraphDoor): Promise<Executed>;
  stop(): Promise<void>;
}

export function createGraphServer(
  schema: GraphQLSchema,
  broadcasts: Broadcasts,
  log: Log,
  settings: GraphSettings,
  persisted: PersistedOperations | undefined,
  requestMs: number,
): GraphServer {
  const { introspection, trusted } = settings;
  const limits = { ...settings.limits, directives: MAX_DIRECTIVES };
  const usualChecks = createChecks(schema, limits);
  const checksOfTrusted = trusted.length === 0 ? usualChecks : createChecks(schema, raiseLimits(limits));
  const isTrusted = ({ displayName: callerName }: Caller) => callerName !== null && trusted.includes(callerName);
  const sentDocuments = new SentDocuments();
  const checkTexts = createTextCheck();
  const demands = createDemands(schema);
  const listener: GraphQLRequestListener<OperationContext> = {
    async didResolveOperation({ request, document, operation, contextValue }) {
      if (operation) {
        // The name goes into the log, the metrics and the traces, and clients choose its length.
        const name = (operation.name?.value ?? '').slice(0, MAX_NAME_LENGTH);
        contextValue.observation.operation = { type: operation.operation, name };
      }
      const checks = isTrusted(contextValue.caller) ? checksOfTrusted : usualChecks;
      // If only the hash was sent, the stored text may come from a trusted caller, who has higher limits.
      const refusal =
        request.query === undefined && checks !== checksOfTrusted && checkTokenLimit(sourceOf(document), checks.tokens);
      if (refusal) throw refusal;
      checkTexts(request, document);
      if (!operation) return;
      request.variables &&= keepDeclaredVariables(operation, request.variables);
      checks.checkLimits(document, operation, request.variables);
      demands.refuseWithoutRights(document, operation, contextValue.caller);
      demands.refuseSeveralMutations(document, operation);
      request.variables &&= convertToDeclaredTypes(schema, document, operation, request.variables);
    },
    responseForOperation: createExecution(
      schema,
      broadcasts,
      log,
      demands,
      new AnswerSizes(limits.cost),
      !introspection,
    ),
    // Called for documents and variables that Apollo refuses.
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
    parseOptions: { maxTokens: checksOfTrusted.tokens },
    logger: log,
    formatError,
    plugins: [
      ApolloServerPluginLandingPageDisabled(),
      // The plugin for cache control would wrap the resolver of every field to find hints. This schema has no hints.
      ApolloServerPluginCacheControlDisabled(),
      // The plugin for inline traces would inspect every request. Only Apollo's own router reads such traces.
      ApolloServerPluginInlineTraceDisabled(),
      // One listener serves all requests, because it keeps no state of a request.
      { requestDidStart: async () => listener },
    ],
  });
  return {
    start: () => apollo.start(),
    async execute(operation, context, { takesSubscriptions, heldLength, isLong }) {
      const isLongText = (operation.query?.length ?? 0) > LONG_DOCUMENT_LENGTH;
      if (isLong || isLongText) await takeLongTurn(context.client, requestMs);
      // These checks are not in a hook, because Apollo turns the error of a hook that runs before parsing into an internal error.
      const isFromTrusted = isTrusted(context.caller);
      const checks = isFromTrusted ? checksOfTrusted : usualChecks;
      if (!isFromTrusted) persisted?.refuseOthers(operation.query);
      const refusal = checks === checksOfTrusted ? undefined : checkTokenLimit(operation.query, checks.tokens);
      if (refusal) return refuse(refusal, context);
      if (isLongText) checks.refuseRepeats(operation.query as string);
      refuseConditionalSubscription(operation.query, checks.tokens);
      let beginDelivery: BeginDelivery | undefined;
      const contextValue: OperationContext = takesSubscriptions
        ? { ...context, heldLength, takeSubscription: (begin) => (beginDelivery = begin) }
        : context;
      const { http, body } = await apollo.executeOperation(
        isFromTrusted && persisted ? sentDocuments.complete(operation) : operation,
        { contextValue },
      );
      // The schema has no directive for incremental delivery.
      if (body.kind !== 'single') throw new Error('Apollo Server returned an incremental response');
      const answer = body.singleResult;
      return { http, answer, beginDelivery: answer.errors ? undefined : beginDelivery };
    },
    stop: () => apollo.stop(),
  };
}

/** The checks of operations for these limits. */
function createChecks(schema: GraphQLSchema, limits: GraphLimits) {
  return {
    tokens: limits.tokens,
    checkLimits: createLimitCheck(schema, limits),
    refuseRepeats: createRepeatCheck(limits.tokens),
  };
}

function refuse(error: GraphQLError, { observation }: DoorContext): Executed {
  const errors = [formatGraphQLError(error)];
  noteCodes(observation, errors);
  return { http: { status: 400, headers: new HeaderMap() }, answer: { errors } };
}

/** Refuses NUL and broken surrogates in variables and literals, because PostgreSQL cannot store them. */
function createTextCheck() {
  // Checking a document takes 0.04 ms, a tenth of the time of reading one job (W4), so each document is checked once.
  const checked = new WeakSet<DocumentNode>();
  return ({ variables }: GraphQLRequest, document: DocumentNode): void => {
    const issues = [
      ...(checked.has(document) ? [] : findUnstorableLiterals(document)),
      ...findUnstorableTexts(variables, 'variables').map(({ path, message }) => {
        const [, variable, ...inside] = path;
        return {
          path: variable === undefined ? path : [...findVariablePath(document, String(variable)), ...inside],
          message,
        };
      }),
    ];
    if (issues.length > 0) throw earlyRefusal(new BadInput(issues));
    checked.add(document);
  };
}
