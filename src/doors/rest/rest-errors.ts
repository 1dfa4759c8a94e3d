// Decides the status and the message of an error on REST. The body has the single member `error` (§7 of both documents).
import {
  formatIssues,
  GatewayError,
  HTTP_STATUS,
  InputError,
  OUTAGE_MESSAGES,
  UNEXPECTED_MESSAGE,
  Unavailable,
} from '../../errors';
import type { Spelling } from '../../values/spelling';
import { camel, cameraSpelling } from './casing';

/** How errors look on the paths of one document. */
export interface ErrorFormat {
  /** Spells the names of members in messages. */
  spell: Spelling;
  /** The status while the database or the identity provider does not answer. */
  outageStatus: 500 | 503;
}

/** §7 of the camera document: "Any other storage failure gives 500." */
export const CAMERA_ERRORS: ErrorFormat = { spell: cameraSpelling, outageStatus: 500 };
/** The print job document does not mention failures of the storage, so they get 503. */
export const makePrintJobErrorFormat = (spell: Spelling): ErrorFormat => ({ spell, outageStatus: 503 });
/** The format for reports, for /graphql, and for paths that neither document describes. */
export const USUAL_ERRORS = makePrintJobErrorFormat(camel);

export function toRestError(error: unknown, { spell, outageStatus }: ErrorFormat): { status: number; message: string } {
  if (error instanceof Unavailable) return { status: outageStatus, message: OUTAGE_MESSAGES[error.outage] };
  if (!(error instanceof GatewayError)) return { status: 500, message: UNEXPECTED_MESSAGE };
  return {
    status: HTTP_STATUS[error.code],
    message: error instanceof InputError ? formatIssues(error.issues, spell) : error.message,
  };
}

export function errorBody(message: string): string {
  return JSON.stringify({ error: message });
}
