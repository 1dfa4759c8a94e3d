// What a page and the command read of a list before they send it: the encoding of the file, and whether it lists spools or filaments.

/**
 * The text of a file. Spreadsheets save UTF-8, or UTF-16 with a byte order mark as "Unicode text".
 * @returns null for another encoding, which no file names: a guess would change letters such as ä
 */
export function textOfFile(bytes: Uint8Array): string | null {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

export const otherEncoding = (file: string): string =>
  `${file} is not UTF-8: save it as "CSV UTF-8" in the spreadsheet.`;

/** @returns undefined where the names of the columns do not show it */
export function stockKindOf(csv: string): 'SPOOLS' | 'FILAMENTS' | undefined {
  const [head = ''] = csv.replace(/^\ufeff?(?:"?sep=.*(?:\r\n|[\r\n]))?\s*/i, '').split(/[\r\n]/, 1);
  const names = head.split(/[,;\t]/).map((name) => name.replaceAll('"', '').trim().toLowerCase());
  if (names.includes('spoolserial')) return 'SPOOLS';
  return names.includes('name') ? 'FILAMENTS' : undefined;
}
