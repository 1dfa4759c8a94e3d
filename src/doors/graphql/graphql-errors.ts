// Decides what GraphQL clients see of an error: its message and code if the client can correct it; all other errors are masked.
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import {
  DatabaseUnavailable,
  GatewayError,
  InputError,
  type Issue,
  OUTAGE_MESSAGES,
  SlowConsumer,
  UNEXPECTED_MESSAGE,
  Unavailable,
} from '../../errors';
import type { Log } from '../../observability/log';
import type { Observation } from '../../observability/observation';

/** Finds the original error inside the errors with which GraphQL wrapped it. */
export function causeOf(error: unknown): unknown {
  let cause = error;
  while (cause instanceof GraphQLError && cause.originalError) cause = cause.originalError;
  return cause;
}

/** Whether a document has too many levels. The parser calls itself for each level, until the stack is full. */
function isNestedTooDeeply(error: unknown, cause: unknown): boolean {
  return cause instanceof RangeError && (error as GraphQLError).extensions?.['code'] === 'GRAPHQL_PARSE_FAILED';
}

/** The issue of an argument that graphql-js refuses during execution, such as null from a variable. That error has no code. */
function findRefusedArgument(cause: unknown): Issue[] {
  const [, name] = (cause instanceof GraphQLError && /^Argument "(\w+)"/.exec(cause.message)) || [];
  return name === undefined ? [] : [{ path: [name], message: removeLiteral((cause as GraphQLError).message) }];
}

/** Removes the refused literal from a message, because the literal may be a secret or contain one. */
const removeLiteral = (message: string) =>
  message
    .replace(/^(String cannot represent a non string value): .*$/s, '$1')
    .replace(/^(Argument "\w+" has invalid value) .*$/s, '$1');

/**
 * Whether graphql-js refuses the client's document or variables. Its other errors have the path of a field and no code: the gateway
 * returned a value that the schema does not allow, such as null.
 */
function isRefusal(error: unknown, cause: unknown): boolean {
  if (!(cause instanceof GraphQLError)) return false;
  const isOfField = (error as GraphQLError).path !== undefined;
  return !isOfField || cause.extensions['code'] !== undefined || findRefusedArgument(cause).length > 0;
}

/** Finds the failure inside the gateway; undefined if the client caused the error. */
export function findUnexpectedCause(error: unknown): unknown {
  const cause = causeOf(error);
  const expected = cause instanceof GatewayError || isRefusal(error, cause) || isNestedTooDeeply(error, cause);
  return expected ? undefined : cause;
}

export function formatError(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  const cause = causeOf(error);
  const { message, locations, path } = formatted;
  if (cause instanceof SlowConsumer) return { message, extensions: { code: cause.code, cursor: cause.cursor } };
  if (cause instanceof GatewayError) {
    const issues = cause instanceof InputError && { issues: cause.issues };
    return { message, locations, path, extensions: { code: cause.code, ...issues } };
  }
  if (isNestedTooDeeply(error, cause)) {
    return {
      message: 'The document is nested too deeply. Select fewer levels.',
      extensions: { code: 'GRAPHQL_PARSE_FAILED' },
    };
  }
  // Some refusals of Apollo have no code, such as the refusal of a persisted query whose text does not match its hash.
  const isUncoded = formatted.extensions?.['code'] === 'INTERNAL_SERVER_ERROR' && path === undefined;
  if (isUncoded && cause instanceof GraphQLError) return { message, locations, extensions: { code: 'BAD_REQUEST' } };
  const issues = findRefusedArgument(cause);
  if (issues.length > 0)
    return { message: removeLiteral(message), locations, path, extensions: { code: 'BAD_USER_INPUT', issues } };
  // If a scalar refuses a value, graphql-js wraps the scalar's error in its own, and clients get the code of the outer error.
  if (findUnexpectedCause(error) === undefined) {
    const isOfDocument = formatted.extensions?.['code'] === 'GRAPHQL_VALIDATION_FAILED';
    return isOfDocument ? { ...formatted, message: removeLiteral(message) } : formatted;
  }
  const shownMessage = cause instanceof Unavailable ? OUTAGE_MESSAGES[cause.outage] : UNEXPECTED_MESSAGE;
  return { message: shownMessage, locations, path, extensions: { code: 'INTERNAL_SERVER_ERROR' } };
}

export const formatGraphQLError = (error: GraphQLError): GraphQLFormattedError => formatError(error.toJSON(), error);

/** Formats the response of an operation that failed before or after its execution. */
export function formatFailure(error: Error): { errors: GraphQLFormattedError[] } {
  const wrapped = new GraphQLError(error.message, { originalError: error });
  return { errors: [formatGraphQLError(wrapped)] };
}

/** Logs failures inside the gateway. An outage is logged once, by the Availability of the database. */
export function logUnexpected(log: Log, errors: readonly unknown[], { id }: Observation, operation?: string | null) {
  for (const error of errors) {
    const cause = findUnexpectedCause(error);
    if (cause === undefined || cause instanceof DatabaseUnavailable) continue;
    const { path } = error as GraphQLError;
    log.error({ requestId: id, operation, path, err: cause }, 'an operation failed');
  }
}

/** Notes the codes of a response's errors, for the log line of the request and for the metrics. */
export function noteCodes({ codes }: Observation, errors: readonly GraphQLFormattedError[] | undefined): void {
  for (const { extensions } of errors ?? []) codes.push(String(extensions?.['code'] ?? ''));
}
