// Errors on REST: a status, and a body with the one member `error` (§7 of both documents).
import { GatewayError, HTTP_STATUS, InputError, inWords, Unavailable } from '../errors';
import { camel, type Spelling } from '../values/spelling';

/** The form of the errors on the paths of one document. */
export interface ErrorForm {
  /** Spells the members in messages. */
  spell: Spelling;
  /** While the database or the identity provider does not answer. */
  outageStatus: 500 | 503;
}

/** The form of the reports, of /graphql, and of paths that are in no document. */
export const OWN_FORM: ErrorForm = { spell: camel, outageStatus: 503 };

/** Clients do not see the cause. */
const UNEXPECTED = 'The gateway could not complete the request';

export function restError(error: unknown, { spell, outageStatus }: ErrorForm): { status: number; message: string } {
  if (!(error instanceof GatewayError))
    return { status: error instanceof Unavailable ? outageStatus : 500, message: UNEXPECTED };
  return {
    status: HTTP_STATUS[error.code],
    message: error instanceof InputError ? inWords(error.issues, spell) : error.message,
  };
}

export function errorBody(message: string): string {
  return JSON.stringify({ error: message });
}
