// Executes operations for Apollo Server: identical queries share an execution, and mutations may have an idempotency key.
import { type GraphQLRequestListener, HeaderMap } from '@apollo/server';
import { type DocumentNode, type FormattedExecutionResult, GraphQLError, type GraphQLSchema } from 'graphql';
import { DatabaseUnavailable, GatewayError, RETRY_SECONDS } from '../../errors';
import type { Resolvers } from '../../farm/graph/context';
import type { Log } from '../../observability/log';
import type { Channels } from '../../sharing/channel-registry';
import { SharedReads } from '../../sharing/shared-reads';
import { isLackOfRights } from '../idempotency/idempotency.service';
import type { AnswerSizes } from './answer-size';
import { compiledOperations, type Result } from './compiled';
import type { DemandsIn } from './demands';
import {
  causeOf,
  formatError,
  formatFailure,
  formatGraphQLError,
  logUnexpected,
  noteCodes,
  unexpectedCause,
} from './graphql-errors';
import { type Handover, type OperationContext, subscriptionsOn } from './subscriptions';
import { issueOf, withoutValue } from './variable-issues';

/** A result as it goes out. */
type Answer = FormattedExecutionResult<Record<string, unknown>>;

/** Apollo's hook for answers from elsewhere. Where it answers null, Apollo executes the operation itself. */
export function createExecution(
  schema: GraphQLSchema,
  channels: Channels,
  log: Log,
  { audienceOf, demandsOf }: DemandsIn,
  sizes: AnswerSizes,
  hideSuggestions: boolean,
): NonNullable<GraphQLRequestListener<OperationContext>['responseForOperation']> {
  const runOf = compiledOperations(schema, hideSuggestions);
  const reads = new SharedReads<Result>();
  const begin = subscriptionsOn(schema, channels, log, audienceOf, sizes, hideSuggestions);

  const answerFrom = ({ data, errors }: Result, { contextValue, operationName }: Handover): Answer => {
    if (data === undefined) throw new NotExecuted(errors ?? []);
    if (errors === undefined) return { data };
    logUnexpected(log, errors, contextValue.observation, operationName);
    return { data, errors: errors.map(formatGraphQLError) };
  };

  const answerTo = async (handover: Handover): Promise<Answer> => {
    const { document, operation, queryHash, contextValue, operationName, request } = handover;
    if (operation.operation === 'subscription') return answerFrom(await begin(handover), handover);
    const run = runOf(document, operation, operationName);
    const { variables } = request;
    const fingerprint = () => [String(queryHash), String(operationName), JSON.stringify(variables) ?? ''];
    if (operation.operation === 'query') {
      const key = [audienceOf(document, operation, contextValue.caller), ...fingerprint()].join(' ');
      // The shared execution has the context of the request with most time left.
      const result = await reads.run(key, contextValue.deadline, () =>
        sizes.bounded(contextValue, () => run(contextValue, variables)),
      );
      return answerFrom(result, handover);
    }
    const { storesNothing, takesSecret, hasSeveralRoots } = demandsOf(document, operation);
    const write = async (resolvers: Resolvers, { isKeyed }: { isKeyed: boolean }) => {
      const context = { ...contextValue, resolvers };
      // The transaction of a write with a key is undone.
      const result = await sizes.bounded(context, () => run(context, variables), !isKeyed);
      if (isKeyed) refuseToStore(result);
      return answerFrom(result, handover);
    };
    const storedOf = (answer: Answer) => without(contextValue.shownOnce, answer);
    return contextValue.write<Answer>(storesNothing ? null : fingerprint, write, {
      isConfidential: takesSecret,
      hasSeveralMutations: hasSeveralRoots,
      storedOf,
    });
  };

  return async (handover) => {
    // The document lacks the named operation (Apollo's type excludes this); Apollo writes that error.
    if (handover.operation === undefined) return null;
    const { document, operationName, contextValue } = handover;
    const respond = (singleResult: Answer, status?: number, headers = NO_HEADERS) => {
      noteCodes(contextValue.observation, singleResult.errors);
      return { http: { status, headers }, body: { kind: 'single' as const, singleResult } };
    };
    const note = (errors: readonly unknown[]) => logUnexpected(log, errors, contextValue.observation, operationName);
    try {
      return respond(await answerTo(handover));
    } catch (error) {
      if (error instanceof NotExecuted) {
        note(error.errors);
        const isConfidential = demandsOf(document, handover.operation).takesSecret;
        return respond(refused(error.errors, document, isConfidential), 400);
      }
      note([error]);
      return respond(
        failed(error as Error),
        statusOf(error),
        error instanceof DatabaseUnavailable ? RETRY : NO_HEADERS,
      );
    }
  };
}

/** The answer with null in the place of these texts. */
const without = (texts: ReadonlySet<string>, answer: Answer): Answer =>
  texts.size === 0
    ? answer
    : JSON.parse(JSON.stringify(answer, (_name, value) => (texts.has(value as string) ? null : value)));

const NO_HEADERS = new HeaderMap();
const RETRY = new HeaderMap([['retry-after', String(RETRY_SECONDS)]]);

/** Nothing was executed, because the variables do not fit. */
class NotExecuted extends Error {
  constructor(readonly errors: readonly GraphQLError[]) {
    super();
  }
}

function refused(errors: readonly GraphQLError[], document: DocumentNode, isConfidential: boolean): Answer {
  const formatted = (error: GraphQLError) => {
    const issue = isConfidential ? withoutValue(issueOf(error, document)) : issueOf(error, document);
    const extensions = { code: 'BAD_USER_INPUT', issues: [issue] };
    // GraphQL's message shows the whole input.
    const message = isConfidential ? `Invalid value at "${issue.path.join('.')}"; ${issue.message}` : error.message;
    return formatError({ ...error.toJSON(), message, extensions }, error);
  };
  return { errors: errors.map(formatted) };
}

/** An idempotency key that cannot be used is a refusal like others; any other error here is a failure of the gateway. */
function failed(error: Error): Answer {
  const answer = formatFailure(error);
  return error instanceof GatewayError ? { data: null, ...answer } : answer;
}

const statusOf = (error: unknown) => {
  if (error instanceof GatewayError) return undefined;
  // Too large while it was made (answer-size.ts).
  if (error instanceof GraphQLError) return (error.extensions['http'] as { status: number }).status;
  return error instanceof DatabaseUnavailable ? 503 : 500;
};

/** A failure inside the gateway is not stored under an idempotency key. The thrown error undoes the write. */
function refuseToStore({ errors }: Result): void {
  for (const error of errors ?? []) {
    const cause = causeOf(error);
    if (unexpectedCause(error) !== undefined || isLackOfRights(cause)) throw cause;
  }
}
