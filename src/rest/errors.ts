// Errors on REST: a status, and a body with the one member `error` (§7 of both documents).
import { Away, type ErrorCode, GatewayError, InputError, inWords } from '../errors';
import type { Spelling } from '../values/spelling';

/** The errors of subscriptions never come here. */
export const STATUS: Record<ErrorCode, number> = {
  BAD_REQUEST: 400,
  BAD_USER_INPUT: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  IDEMPOTENCY_KEY_REUSED: 422,
  TOO_MANY_REQUESTS: 429,
  PERSISTED_QUERY_NOT_IN_LIST: 403,
  CURSOR_EXPIRED: 410,
  SLOW_CONSUMER: 410,
};

/** How the paths of one document tell errors. */
export interface ErrorWords {
  /** Spells the members in messages. */
  spell: Spelling;
  /** While the database or the identity provider does not answer. */
  outageStatus: 500 | 503;
}

/** Clients do not see the cause. */
const UNEXPECTED = 'The gateway could not complete the request';

export function restError(error: unknown, { spell, outageStatus }: ErrorWords): { status: number; message: string } {
  if (!(error instanceof GatewayError))
    return { status: error instanceof Away ? outageStatus : 500, message: UNEXPECTED };
  return {
    status: STATUS[error.code],
    message: error instanceof InputError ? inWords(error.issues, spell) : error.message,
  };
}

export function errorBody(message: string): string {
  return JSON.stringify({ error: message });
}
