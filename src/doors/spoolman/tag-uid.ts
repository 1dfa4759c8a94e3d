// Brings the UID of a tag into one form, whichever separators a reader writes.

/** Hexadecimal digits in capitals; `null` if the text is no UID. */
export function normalizeTagUid(text: string): string | null {
  const digits = text
    .replace(/[\s:_.-]/g, '')
    .toUpperCase()
    .replace(/^0X/, '');
  return /^[0-9A-F]{1,64}$/.test(digits) ? digits : null;
}
