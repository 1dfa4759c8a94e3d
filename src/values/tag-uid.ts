// Reads the UIDs of RFID and NFC tags, which readers and programs spell in many ways.

/** Blanks and the signs that readers write between the digits. */
const SEPARATORS = /[\s:\-_.]/g;

/** @returns the hexadecimal digits in capitals, without separators and without 0x at the start; null if the text is not the UID of a tag */
export function normalizeTagUid(text: string): string | null {
  const digits = text.replace(SEPARATORS, '').replace(/^0x/i, '');
  return /^[0-9A-Fa-f]{1,64}$/.test(digits) ? digits.toUpperCase() : null;
}
