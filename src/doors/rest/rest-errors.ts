// Errors on REST: a status, and a body with the one member `error` (§7 of both documents).
import { GatewayError, HTTP_STATUS, InputError, inWords, OUTAGES, Unavailable } from '../../errors';
import type { Spelling } from '../../values/spelling';
import { camel, cameraSpelling } from './casing';

/** How the errors on the paths of one document are written. */
export interface ErrorFormat {
  /** Spells the members in messages. */
  spell: Spelling;
  /** While the database or the identity provider does not answer. */
  outageStatus: 500 | 503;
}

/** §7 of the camera document: "Any other storage failure gives 500." */
export const CAMERA_ERRORS: ErrorFormat = { spell: cameraSpelling, outageStatus: 500 };
/** The print job document is silent on failures. */
export const printJobErrors = (spell: Spelling): ErrorFormat => ({ spell, outageStatus: 503 });
/** For reports, for /graphql, and for paths that are in no document. */
export const OWN_ERRORS = printJobErrors(camel);

/** Clients do not see the cause. */
const UNEXPECTED = 'The gateway could not complete the request';

export function restError(error: unknown, { spell, outageStatus }: ErrorFormat): { status: number; message: string } {
  if (error instanceof Unavailable) return { status: outageStatus, message: OUTAGES[error.outage] };
  if (!(error instanceof GatewayError)) return { status: 500, message: UNEXPECTED };
  return {
    status: HTTP_STATUS[error.code],
    message: error instanceof InputError ? inWords(error.issues, spell) : error.message,
  };
}

export function errorBody(message: string): string {
  return JSON.stringify({ error: message });
}
