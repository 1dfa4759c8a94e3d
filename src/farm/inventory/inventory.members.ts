// Checks the texts that users enter for printers, spools, filaments and materials: names, colours, vendors and places.
import { BadInput } from '../../errors';
import { emptyAsNone, nullable, type Reader } from '../../values/members';
import { MAX_KEY_LENGTH, nonEmptyText, parseText, textUpTo } from '../../values/text';
import { COLOR_FORM, NO_COLOR } from './inventory.texts';

export const MAX_PLACE_LENGTH = 100;

export const NAME = nonEmptyText(MAX_KEY_LENGTH);
/** Stored in upper case, so that equal colours are equal texts. */
const COLOR: Reader<string> = (value, member) => {
  const color = parseText(value, member);
  if (!COLOR_FORM.test(color)) throw new BadInput(NO_COLOR, member);
  return color.toUpperCase();
};
export const LOOKS = { colorHex: nullable(COLOR), vendor: emptyAsNone(textUpTo(MAX_KEY_LENGTH)) };
/** A text of white space only is stored as null. */
export const PLACE: Reader<string | null | undefined> = (value, member) => {
  const place = nullable(textUpTo(MAX_PLACE_LENGTH))(value, member);
  return place?.trim() === '' ? null : place;
};
