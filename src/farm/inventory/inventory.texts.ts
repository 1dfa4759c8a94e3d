// The forms of colours and of searched numbers, which the gateway and the dashboard read in the same way.

/** The constraints spools_color_hex and filaments_color_hex enforce the same form; a test compares them. */
export const COLOR_FORM = /^#[0-9A-Fa-f]{6}$/;
export const COLOR_FAULT = 'must be # and six hexadecimal digits such as #1E90FF';

/** A sign for "number", as American (#), British (£) and German (§) keyboards write it, or a path that ends like the path of a label. */
const SIGN_OR_PATH = /^(?:[#£§]\s*|(?:\S*\/)?n\/)(\d+)\/?$/i;

/**
 * The address of a label, with any keyboard layout. A scanner presses keys as on an American keyboard, and the computer reads them by its own
 * layout. A German layout turns http://host/n/15 into httpÖ--host-n-15, and a Russian layout into реезЖ..рщые.т.15. So only the shape
 * counts: letters as in "http", one sign, another sign twice, a host, and after that other sign one letter and the number.
 */
const SCANNED = /^\p{L}(\p{L})\1\p{L}{1,2}.(.)\2\S*\2\p{L}\2((?:(?!\2)\S)+)\2?$/iu;

/** What the keys for 1 to 9 and 0 write on keyboards where digits need the shift key, or where only the 0 is in another place. */
const DIGIT_ROWS = {
  French: '&é"\'(-è_çà',
  Belgian: '&é"\'(§è!çà',
  Czech: '+ěščřžýáíé',
  Slovak: '+ľščťžýáíé',
  Hungarian: '123456789ö',
};

/** The digits of a search for exactly one number: #12, or the address in the code of a label. */
export function findSearchedNumber(search: string): string | undefined {
  // An input method for Chinese or Japanese may write ＃ and wide digits.
  const text = search.trim().normalize('NFKC');
  const [, digits] = SIGN_OR_PATH.exec(text) ?? [];
  if (digits !== undefined) return digits;
  const [, , , keys] = SCANNED.exec(text) ?? [];
  return keys === undefined ? undefined : readDigits(keys);
}

/** The digits that keys write on any keyboard. No number starts with 0, so only one row fits: é is 2 in France and 0 in Czechia. */
export function readDigits(keys: string): string | undefined {
  if (/^\d+$/.test(keys)) return keys;
  const rows = Object.values(DIGIT_ROWS).map((row) => [...row]);
  return rows
    .filter((row) => [...keys.toLowerCase()].every((key) => row.includes(key)))
    .map((row) => [...keys.toLowerCase()].map((key) => (row.indexOf(key) + 1) % 10).join(''))
    .find((digits) => !digits.startsWith('0'));
}
