// Reads a list before the dashboard or the command sends it: finds the encoding of the file, and whether it lists spools or filaments.

/**
 * The text of a file. Spreadsheets save UTF-8, or as "Unicode text" UTF-16 with a byte order mark.
 * @returns null for any other encoding: a file does not name its encoding, and a wrong guess would change letters such as ä
 */
export function decodeFile(bytes: Uint8Array): string | null {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

export const explainEncoding = (file: string): string =>
  `Could not read ${file}, because its encoding is not UTF-8. In the spreadsheet, save it as "CSV UTF-8".`;

/** @returns undefined if the names of the columns do not show the kind */
export function findStockKind(csv: string): 'SPOOLS' | 'FILAMENTS' | undefined {
  const [head = ''] = csv.replace(/^\ufeff?(?:"?sep=.*(?:\r\n|[\r\n]))?\s*/i, '').split(/[\r\n]/, 1);
  const names = head.split(/[,;\t]/).map((name) => name.replaceAll('"', '').trim().toLowerCase());
  if (names.includes('spoolserial')) return 'SPOOLS';
  return names.includes('name') ? 'FILAMENTS' : undefined;
}
