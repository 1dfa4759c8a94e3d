// Decides the status and the message of an error of the API. The body has the single member `message`.
import {
  BadInput,
  formatIssues,
  GatewayError,
  HTTP_STATUS,
  InputError,
  OUTAGE_MESSAGES,
  UNEXPECTED_MESSAGE,
  Unavailable,
} from '../../errors';
import { TagTaken } from '../../farm/inventory/tag.service';
import { type Spelling, snake } from '../../values/spelling';

/** The request has another form than the API reads: status 422, as Spoolman answers it. */
export class Unprocessable extends BadInput {}

/** The names of members of the farm in the API. */
const NAMES: Record<string, string> = {
  weightTotalGrams: 'initial_weight',
  remainingGrams: 'remaining_weight',
  netGrams: 'remaining_weight',
  tareGrams: 'spool_weight',
  purchasePrice: 'price',
  place: 'location',
  lotNumber: 'lot_nr',
  filamentDiameterMm: 'diameter',
  densityGPerCm3: 'density',
  materialId: 'material',
  vendor: 'vendor_id',
  extruderTempC: 'settings_extruder_temp',
  bedTempC: 'settings_bed_temp',
};
const spell: Spelling = (member) => NAMES[member] ?? snake(member);

export function toApiError(error: unknown): { status: number; message: string } {
  if (error instanceof Unavailable) return { status: 503, message: OUTAGE_MESSAGES[error.outage] };
  if (!(error instanceof GatewayError)) return { status: 500, message: UNEXPECTED_MESSAGE };
  return {
    status: error instanceof Unprocessable ? 422 : HTTP_STATUS[error.code],
    message: error instanceof InputError ? formatIssues(error.issues, spell) : error.message,
  };
}

/** If another spool has the tag, the body names it, so that a client can offer to move the tag. */
export const messageBody = (message: string, error?: unknown): string =>
  JSON.stringify(error instanceof TagTaken ? { message, spool_id: error.owner.number } : { message });
