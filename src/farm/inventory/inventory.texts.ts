// The forms of colours and of searched numbers, which the gateway and the dashboard read in the same way.

/** The constraints spools_color_hex and filaments_color_hex enforce the same form; a test compares them. */
export const COLOR_FORM = /^#[0-9A-Fa-f]{6}$/;
export const COLOR_FAULT = 'must be # and six hexadecimal digits such as #1E90FF';

/** A sign that stands for "number", also as a British and a German keyboard write it; or a path that ends like that of a label. */
const SIGN_OR_PATH = /^(?:[#£§]\s*|(?:\S*\/)?n\/)(\d+)\/?$/i;

/**
 * The address of a label, as any keyboard writes it. A scanner presses keys as on a keyboard of the United States, and the computer
 * reads them by its own layout: a German one turns http://host/n/15 into httpÖ--host-n-15, and a Russian one into реезЖ..рщые.т.15.
 * So the shape counts: letters as in "http", one sign, another sign twice, a host, and one letter and the number behind that sign.
 */
const SCANNED = /^\p{L}(\p{L})\1\p{L}{1,2}.(.)\2\S*\2\p{L}\2((?:(?!\2)\S)+)\2?$/iu;

/** What the keys of the digits 1 to 9 and 0 write where digits need the shift key, or where only 0 is elsewhere. */
const DIGIT_ROWS = {
  French: '&é"\'(-è_çà',
  Belgian: '&é"\'(§è!çà',
  Czech: '+ěščřžýáíé',
  Slovak: '+ľščťžýáíé',
  Hungarian: '123456789ö',
};

/** The digits of a search for a number alone: #12, or the address that a label holds. */
export function findSearchedNumber(search: string): string | undefined {
  // An input method for Chinese or Japanese may write ＃ and wide digits.
  const text = search.trim().normalize('NFKC');
  const [, digits] = SIGN_OR_PATH.exec(text) ?? [];
  if (digits !== undefined) return digits;
  const [, , , keys] = SCANNED.exec(text) ?? [];
  return keys === undefined ? undefined : digitsOfKeys(keys);
}

/** No number begins with 0, so one row alone fits: é is 2 in France and 0 in Czechia. */
function digitsOfKeys(keys: string): string | undefined {
  if (/^\d+$/.test(keys)) return keys;
  const rows = Object.values(DIGIT_ROWS).map((row) => [...row]);
  return rows
    .filter((row) => [...keys.toLowerCase()].every((key) => row.includes(key)))
    .map((row) => [...keys.toLowerCase()].map((key) => (row.indexOf(key) + 1) % 10).join(''))
    .find((digits) => !digits.startsWith('0'));
}
