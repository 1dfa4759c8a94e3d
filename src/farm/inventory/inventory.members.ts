// Checks what users enter for printers, spools, filaments and materials: names, colours, vendors, places, comments and temperatures.
import { BadInput } from '../../errors';
import { emptyAsNull, nullable, type Reader } from '../../values/members';
import { MAX_KEY_LENGTH, nonEmptyText, parseText, textUpTo, tidied } from '../../values/text';
import { COLOR_FAULT, COLOR_FORM } from './inventory.texts';

export const MAX_PLACE_LENGTH = 100;
export const MAX_LOT_LENGTH = 64;
export const MAX_COMMENT_LENGTH = 1024;
export const MAX_TEMPERATURE_C = 1000;

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
export const readLotNumber = tidied(emptyAsNull(textUpTo(MAX_LOT_LENGTH)));
/** A comment keeps its line breaks. */
export const readComment = emptyAsNull(textUpTo(MAX_COMMENT_LENGTH));

export const readTemperature: Reader<number> = (value, member) => {
  if (!Number.isInteger(value) || Number(value) < 0 || Number(value) > MAX_TEMPERATURE_C)
    throw new BadInput(`must be a whole number from 0 to ${MAX_TEMPERATURE_C}`, member);
  return value as number;
};
