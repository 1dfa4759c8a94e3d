// Decides how an operation is executed: identical queries share an execution, and a mutation may have an idempotency key.
import { type GraphQLRequestListener, HeaderMap } from '@apollo/server';
import { type DocumentNode, type FormattedExecutionResult, GraphQLError, type GraphQLSchema } from 'graphql';
import { DatabaseUnavailable, GatewayError, RETRY_SECONDS } from '../../errors';
import type { Resolvers } from '../../farm/graph/context';
import type { Log } from '../../observability/log';
import type { Broadcasts } from '../../sharing/broadcast-registry';
import { SharedReads } from '../../sharing/shared-reads';
import { lacksRights } from '../idempotency/idempotency.service';
import type { AnswerSizes } from './answer-size';
import { createRunner, type Result } from './compiled';
import type { DemandsOfSchema } from './demands';
import {
  causeOf,
  findUnexpectedCause,
  formatError,
  formatFailure,
  formatGraphQLError,
  logUnexpected,
  noteCodes,
} from './graphql-errors';
import { createSubscriptionStart, type Handover, type OperationContext } from './subscriptions';
import { describeIssue, removeValue } from './variable-issues';

/** A result as clients get it. */
type Answer = FormattedExecutionResult<Record<string, unknown>>;

/** Makes Apollo's hook that executes operations. If the hook returns null, Apollo executes the operation itself. */
export function createExecution(
  schema: GraphQLSchema,
  broadcasts: Broadcasts,
  log: Log,
  { findAudience, findDemands }: DemandsOfSchema,
  sizes: AnswerSizes,
  hideSuggestions: boolean,
): NonNullable<GraphQLRequestListener<OperationContext>['responseForOperation']> {
  const findRunner = createRunner(schema, hideSuggestions);
  const reads = new SharedReads<Result>();
  const startSubscription = createSubscriptionStart(schema, broadcasts, log, findAudience, sizes, hideSuggestions);

  const makeAnswer = ({ data, errors }: Result, { contextValue, operationName }: Handover): Answer => {
    if (data === undefined) throw new NotExecuted(errors ?? []);
    if (errors === undefined) return { data };
    logUnexpected(log, errors, contextValue.observation, operationName);
    return { data, errors: errors.map(formatGraphQLError) };
  };

  const execute = async (handover: Handover): Promise<Answer> => {
    const { document, operation, queryHash, contextValue, operationName, request } = handover;
    if (operation.operation === 'subscription') return makeAnswer(await startSubscription(handover), handover);
    const run = findRunner(document, operation, operationName);
    const { variables } = request;
    const fingerprint = () => [String(queryHash), String(operationName), JSON.stringify(variables) ?? ''];
    if (operation.operation === 'query') {
      const key = [findAudience(document, operation, contextValue.caller), ...fingerprint()].join(' ');
      // The shared execution uses the context of the request whose deadline is latest.
      const result = await reads.run(key, contextValue.deadline, () =>
        sizes.runWithinLimits(contextValue, () => run(contextValue, variables)),
      );
      return makeAnswer(result, handover);
    }
    const { storesNothing, takesSecret, hasSeveralRoots } = findDemands(document, operation);
    const write = async (resolvers: Resolvers, { isKeyed }: { isKeyed: boolean }) => {
      const context = { ...contextValue, resolvers };
      // If the response is refused, the transaction of a write with a key is rolled back; other writes stay.
      const result = await sizes.runWithinLimits(context, () => run(context, variables), !isKeyed);
      if (isKeyed) throwIfNotStorable(result);
      return makeAnswer(result, handover);
    };
    const storedOf = (answer: Answer) => replaceByNull(contextValue.shownOnce, answer);
    return contextValue.write<Answer>(storesNothing ? null : fingerprint, write, {
      isConfidential: takesSecret,
      hasSeveralMutations: hasSeveralRoots,
      storedOf,
    });
  };

  return async (handover) => {
    // The document does not have the named operation, although Apollo's type excludes this. Apollo reports that error.
    if (handover.operation === undefined) return null;
    const { document, operationName, contextValue } = handover;
    const respond = (singleResult: Answer, status?: number, headers = NO_HEADERS) => {
      noteCodes(contextValue.observation, singleResult.errors);
      return { http: { status, headers }, body: { kind: 'single' as const, singleResult } };
    };
    const note = (errors: readonly unknown[]) => logUnexpected(log, errors, contextValue.observation, operationName);
    try {
      return respond(await execute(handover));
    } catch (error) {
      if (error instanceof NotExecuted) {
        note(error.errors);
        const isConfidential = findDemands(document, handover.operation).takesSecret;
        return respond(formatRefusal(error.errors, document, isConfidential), 400);
      }
      note([error]);
      return respond(
        formatThrown(error as Error),
        chooseStatus(error),
        error instanceof DatabaseUnavailable ? RETRY : NO_HEADERS,
      );
    }
  };
}

/** Replaces these texts in a response by null. */
const replaceByNull = (texts: ReadonlySet<string>, answer: Answer): Answer =>
  texts.size === 0
    ? answer
    : JSON.parse(JSON.stringify(answer, (_name, value) => (texts.has(value as string) ? null : value)));

const NO_HEADERS = new HeaderMap();
const RETRY = new HeaderMap([['retry-after', String(RETRY_SECONDS)]]);

/** Nothing was executed, because the variables do not fit their types. */
class NotExecuted extends Error {
  constructor(readonly errors: readonly GraphQLError[]) {
    super();
  }
}

function formatRefusal(errors: readonly GraphQLError[], document: DocumentNode, isConfidential: boolean): Answer {
  const formatted = (error: GraphQLError) => {
    const issue = isConfidential ? removeValue(describeIssue(error, document)) : describeIssue(error, document);
    const extensions = { code: 'BAD_USER_INPUT', issues: [issue] };
    // GraphQL's message would show the whole input, with its secrets.
    const message = isConfidential ? `Invalid value at "${issue.path.join('.')}"; ${issue.message}` : error.message;
    return formatError({ ...error.toJSON(), message, extensions }, error);
  };
  return { errors: errors.map(formatted) };
}

/** Formats an error outside of the resolvers: a GatewayError is the client's fault, any other error a failure of the gateway. */
function formatThrown(error: Error): Answer {
  const answer = formatFailure(error);
  return error instanceof GatewayError ? { data: null, ...answer } : answer;
}

const chooseStatus = (error: unknown) => {
  if (error instanceof GatewayError) return undefined;
  // answer-size.ts throws a GraphQLError with a status if the response is too large.
  if (error instanceof GraphQLError) return (error.extensions['http'] as { status: number }).status;
  return error instanceof DatabaseUnavailable ? 503 : 500;
};

/** Throws if the gateway failed or the caller has too few rights. The error rolls back the write, so the key can be used again. */
function throwIfNotStorable({ errors }: Result): void {
  for (const error of errors ?? []) {
    const cause = causeOf(error);
    if (findUnexpectedCause(error) !== undefined || lacksRights(cause)) throw cause;
  }
}
