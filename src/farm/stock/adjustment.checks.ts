// Checks what users enter for weighings and corrections, and calculates the net weight of a weighing.
import DecimalJs from 'decimal.js';
import { BadInput } from '../../errors';
import { parseDecimal, readAmount } from '../../values/decimal';
import { emptyAsNull, nullable, readMembers } from '../../values/members';
import { nonEmptyText, textUpTo } from '../../values/text';
import type { NewAdjustment } from './adjustment.rows';
import type { LockedSpool } from './adjustment.store';

export const MAX_NOTE_LENGTH = 1000;
/** In grams. Scales and the tares of spools differ by as much. */
export const MAX_BELOW_TARE = 10;

/** With 160 digits the difference of two amounts is exact. */
const Decimal = DecimalJs.clone({ precision: 160 });

export const parseNote = emptyAsNull(textUpTo(MAX_NOTE_LENGTH));
export const parseWeighing = readMembers({
  grossGrams: nullable(readAmount),
  netGrams: nullable(readAmount),
  note: parseNote,
});
export const parseCorrection = readMembers({ grams: parseDecimal, note: nonEmptyText(MAX_NOTE_LENGTH) });

export type WeighedAmounts = Pick<NewAdjustment, 'netGrams' | 'grossGrams' | 'tareGrams' | 'note'> & {
  netGrams: string;
};

/** A missing tare is refused: to treat it as 0 would add the weight of the empty spool to the filament. */
export function calculateNetWeight(
  { grossGrams, netGrams }: ReturnType<typeof parseWeighing>,
  { tareGrams }: LockedSpool,
): Omit<WeighedAmounts, 'note'> {
  if ((grossGrams == null) === (netGrams == null))
    throw new BadInput('must have either grossGrams or netGrams', 'input');
  if (grossGrams == null) return { netGrams: netGrams as string, grossGrams: null, tareGrams: null };
  if (tareGrams === null) {
    throw new BadInput(
      'needs the weight of the empty spool, and neither the spool nor its filament has tareGrams: set tareGrams, or send netGrams instead',
      'input',
      'grossGrams',
    );
  }
  const net = subtractTare(grossGrams, tareGrams);
  if (net === null) {
    throw new BadInput(
      `is ${grossGrams} g, and the empty spool weighs ${tareGrams} g: the scale may show at most ${MAX_BELOW_TARE} g less than the empty spool. Weigh again, or correct tareGrams`,
      'input',
      'grossGrams',
    );
  }
  return { netGrams: net, grossGrams, tareGrams };
}

/** The net weight of a reading of a scale, by Spoolman's API. */
export function calculateMeasuredWeight(grossGrams: string, { tareGrams }: LockedSpool): Omit<WeighedAmounts, 'note'> {
  if (tareGrams === null) {
    throw new BadInput(
      'The weight of the empty spool is unknown, so the gateway cannot tell the filament from the spool. Enter it as the tare of the spool (spool_weight) or of its filament (spool_weight of the filament), then weigh again',
      'weight',
    );
  }
  const net = subtractTare(grossGrams, tareGrams);
  if (net === null) {
    throw new BadInput(
      `The scale shows ${grossGrams} g, and the empty spool weighs ${tareGrams} g: the scale may show at most ${MAX_BELOW_TARE} g less than the empty spool. Weigh again, or correct the weight of the empty spool`,
      'weight',
    );
  }
  return { netGrams: net, grossGrams, tareGrams };
}

/** `null` if the scale shows too little for an empty spool. */
function subtractTare(grossGrams: string, tareGrams: string): string | null {
  const net = new Decimal(grossGrams).minus(tareGrams);
  return net.lt(-MAX_BELOW_TARE) ? null : Decimal.max(net, 0).toFixed();
}
