// How an error shows itself in the graph: message and code for what the client can act on, everything else masked.

import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { GatewayError } from '../errors';

/** What was thrown first, however often GraphQL wrapped it. */
export function causeOf(error: unknown): unknown {
  let cause = error;
  while (cause instanceof GraphQLError && cause.originalError) cause = cause.originalError;
  return cause;
}

/** The parser calls itself for every level of a document, until the stack is full. */
function isNestedTooDeeply(error: unknown, cause: unknown): boolean {
  return cause instanceof RangeError && (error as GraphQLError).extensions['code'] === 'GRAPHQL_PARSE_FAILED';
}

const isRefusedArgument = (cause: unknown) => cause instanceof GraphQLError && /^Argument "/.test(cause.message);

/** What went wrong inside the gateway, or undefined when the error is the client's. */
export function unexpectedCause(error: unknown): unknown {
  const cause = causeOf(error);
  const expected = cause instanceof GatewayError || cause instanceof GraphQLError || isNestedTooDeeply(error, cause);
  return expected ? undefined : cause;
}

export function formatError(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  const cause = causeOf(error);
  const { message, locations, path } = formatted;
  if (cause instanceof GatewayError) return { message, locations, path, extensions: { code: cause.code } };
  if (isNestedTooDeeply(error, cause)) {
    return { message: 'The document is nested too deeply', extensions: { code: 'GRAPHQL_PARSE_FAILED' } };
  }
  // Apollo's own refusals that have no code of theirs, as of a persisted query that is not what its hash says.
  const isUncoded = formatted.extensions?.['code'] === 'INTERNAL_SERVER_ERROR' && path === undefined;
  if (isUncoded && cause instanceof GraphQLError) return { message, locations, extensions: { code: 'BAD_REQUEST' } };
  // graphql-js refuses an argument, such as null from a variable, where it is used: the client's fault, without a code.
  if (isRefusedArgument(cause)) return { message, locations, path, extensions: { code: 'BAD_USER_INPUT' } };
  // A scalar that refuses a value throws inside GraphQL's own coercion error; the inner code is the telling one.
  if (cause instanceof GraphQLError) return formatted;
  return { message: 'Internal server error', locations, path, extensions: { code: 'INTERNAL_SERVER_ERROR' } };
}
