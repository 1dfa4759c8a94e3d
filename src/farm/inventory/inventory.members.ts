// Checks the texts that users enter for printers, spools, filaments and materials: names, colours, vendors and places.
import { BadInput } from '../../errors';
import { emptyAsNull, nullable, type Reader } from '../../values/members';
import { MAX_KEY_LENGTH, nonEmptyText, parseText, textUpTo, tidied } from '../../values/text';
import { COLOR_FAULT, COLOR_FORM } from './inventory.texts';

export const MAX_PLACE_LENGTH = 100;

export const readName = tidied(nonEmptyText(MAX_KEY_LENGTH));
/** Stored in upper case, so that equal colours are equal texts. */
const readColor: Reader<string> = (value, member) => {
  const color = parseText(value, member);
  if (!COLOR_FORM.test(color)) throw new BadInput(COLOR_FAULT, member);
  return color.toUpperCase();
};
export const COLOR_AND_VENDOR = {
  colorHex: nullable(readColor),
  vendor: tidied(emptyAsNull(textUpTo(MAX_KEY_LENGTH))),
};
/** A text of white space only is stored as null, because tidying makes it empty. */
export const readPlace = tidied(emptyAsNull(textUpTo(MAX_PLACE_LENGTH)));
