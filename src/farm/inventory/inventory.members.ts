// Checks the texts that users enter for printers, spools, filaments and materials: names, colours, vendors and places.
import { BadInput } from '../../errors';
import { emptyAsNull, nullable, type Reader } from '../../values/members';
import { MAX_KEY_LENGTH, nonEmptyText, parseText, textUpTo, tidied } from '../../values/text';
import { COLOR_FAULT, COLOR_FORM } from './inventory.texts';

export const MAX_PLACE_LENGTH = 100;

export const NAME = tidied(nonEmptyText(MAX_KEY_LENGTH));
/** Stored in upper case, so that equal colours are equal texts. */
const COLOR: Reader<string> = (value, member) => {
  const color = parseText(value, member);
  if (!COLOR_FORM.test(color)) throw new BadInput(COLOR_FAULT, member);
  return color.toUpperCase();
};
export const LOOKS = { colorHex: nullable(COLOR), vendor: tidied(emptyAsNull(textUpTo(MAX_KEY_LENGTH))) };
/** A text of white space only is stored as null, because it is empty when it is tidied. */
export const PLACE = tidied(emptyAsNull(textUpTo(MAX_PLACE_LENGTH)));
