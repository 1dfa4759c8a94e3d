// Decides what GraphQL clients see of an error: message and code if the client can act on it; all other errors are masked.
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import {
  DatabaseUnavailable,
  GatewayError,
  InputError,
  type Issue,
  OUTAGES,
  SlowConsumer,
  Unavailable,
} from '../../errors';
import type { Log } from '../../observability/log';
import type { Observation } from '../../observability/observation';

/** The message to clients of a failure inside the gateway. */
export const UNEXPECTED = 'Internal server error';

/** The error that was thrown first, however often GraphQL wrapped it. */
export function causeOf(error: unknown): unknown {
  let cause = error;
  while (cause instanceof GraphQLError && cause.originalError) cause = cause.originalError;
  return cause;
}

/** The parser calls itself for every level of a document, until the stack is full. */
function isNestedTooDeeply(error: unknown, cause: unknown): boolean {
  return cause instanceof RangeError && (error as GraphQLError).extensions?.['code'] === 'GRAPHQL_PARSE_FAILED';
}

/** graphql-js refuses an argument, such as null from a variable, where it is used: the client's fault, without a code. */
function refusedArgument(cause: unknown): Issue[] {
  const [, name] = (cause instanceof GraphQLError && /^Argument "(\w+)"/.exec(cause.message)) || [];
  return name === undefined ? [] : [{ path: [name], message: withoutLiteral((cause as GraphQLError).message) }];
}

/** A literal that is refused may be a secret, or hold one. */
const withoutLiteral = (message: string) =>
  message
    .replace(/^(String cannot represent a non string value): .*$/s, '$1')
    .replace(/^(Argument "\w+" has invalid value) .*$/s, '$1');

/**
 * GraphQL refuses the text or the variables of the client. Its other errors are those of a field, without a code: a value
 * of the gateway that the schema does not allow, such as null.
 */
function isRefusal(error: unknown, cause: unknown): boolean {
  if (!(cause instanceof GraphQLError)) return false;
  const isOfField = (error as GraphQLError).path !== undefined;
  return !isOfField || cause.extensions['code'] !== undefined || refusedArgument(cause).length > 0;
}

/** The failure inside the gateway, or undefined when the error is the client's. */
export function unexpectedCause(error: unknown): unknown {
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
    return { message: 'The document is nested too deeply', extensions: { code: 'GRAPHQL_PARSE_FAILED' } };
  }
  // Apollo's own refusals without a code, as of a persisted query whose text does not have its hash.
  const isUncoded = formatted.extensions?.['code'] === 'INTERNAL_SERVER_ERROR' && path === undefined;
  if (isUncoded && cause instanceof GraphQLError) return { message, locations, extensions: { code: 'BAD_REQUEST' } };
  const issues = refusedArgument(cause);
  if (issues.length > 0)
    return { message: withoutLiteral(message), locations, path, extensions: { code: 'BAD_USER_INPUT', issues } };
  // A scalar that refuses a value throws inside GraphQL's own coercion error, and clients get that error's code.
  if (unexpectedCause(error) === undefined) {
    const isOfDocument = formatted.extensions?.['code'] === 'GRAPHQL_VALIDATION_FAILED';
    return isOfDocument ? { ...formatted, message: withoutLiteral(message) } : formatted;
  }
  const told = cause instanceof Unavailable ? OUTAGES[cause.outage] : UNEXPECTED;
  return { message: told, locations, path, extensions: { code: 'INTERNAL_SERVER_ERROR' } };
}

export const formatGraphQLError = (error: GraphQLError): GraphQLFormattedError => formatError(error.toJSON(), error);

/** The answer of an operation that failed outside of its execution. */
export function formatFailure(error: Error): { errors: GraphQLFormattedError[] } {
  const wrapped = new GraphQLError(error.message, { originalError: error });
  return { errors: [formatGraphQLError(wrapped)] };
}

/** Logs failures inside the gateway. An outage is logged once, by the Availability of the database. */
export function logUnexpected(log: Log, errors: readonly unknown[], { id }: Observation, operation?: string | null) {
  for (const error of errors) {
    const cause = unexpectedCause(error);
    if (cause === undefined || cause instanceof DatabaseUnavailable) continue;
    const { path } = error as GraphQLError;
    log.error({ requestId: id, operation, path, err: cause }, 'an operation failed');
  }
}

/** The codes of an answer's errors, for the line of the request in the log and for the metrics. */
export function noteCodes({ codes }: Observation, errors: readonly GraphQLFormattedError[] | undefined): void {
  for (const { extensions } of errors ?? []) codes.push(String(extensions?.['code'] ?? ''));
}
