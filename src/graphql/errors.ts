// How an error shows itself in the graph: message and code for what the client can act on, everything else masked.

import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { GatewayError } from '../errors';

/** What was thrown first, however often GraphQL wrapped it. */
function causeOf(error: unknown): unknown {
  let cause = error;
  while (cause instanceof GraphQLError && cause.originalError) cause = cause.originalError;
  return cause;
}

/** What went wrong inside the gateway, or undefined when the error is the client's. */
export function unexpectedCause(error: unknown): unknown {
  const cause = causeOf(error);
  return cause instanceof GatewayError || cause instanceof GraphQLError ? undefined : cause;
}

export function formatError(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  const cause = causeOf(error);
  const { message, locations, path } = formatted;
  if (cause instanceof GatewayError) return { message, locations, path, extensions: { code: cause.code } };
  // A scalar that refuses a value throws inside GraphQL's own coercion error; the inner code is the telling one.
  if (cause instanceof GraphQLError) return formatted;
  return { message: 'Internal server error', locations, path, extensions: { code: 'INTERNAL_SERVER_ERROR' } };
}
