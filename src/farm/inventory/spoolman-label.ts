// Reads the labels that Spoolman prints: a short text, or the address of a page of Spoolman. Any host is accepted, because the gateway may have
// replaced that Spoolman.
import { readDigits } from './inventory.texts';

/** The object that a label names, by its id in Spoolman. */
export interface SpoolmanLabel {
  kind: 'SPOOL' | 'FILAMENT';
  id: number;
}

/** Spoolman's ids are 32-bit integers above 0. */
const MAX_ID = 2 ** 31 - 1;

/** The start of an address, as SCANNED of inventory.texts.ts reads it: group 2 is the sign that a keyboard layout writes for the slash. */
const SCANNED_START = /^\p{L}(\p{L})\1\p{L}{1,2}.(.)\2\S*\2/u.source;
/** Five letters as in "spool", with the same letter twice, or eight keys as in "filament". On a French keyboard, one of them is a comma. */
const SCANNED_KIND = /(?:(?<spool>\p{L}{2}(?<twice>\p{L})\k<twice>\p{L})|\S{8})/u.source;

/** The forms of a label. On a keyboard layout other than the American one, a scanner writes other signs than + : - and /. */
const FORMS = [
  /^[wz]eb\W{0,2}spool[m,;:?][aq]n\W(?:(?<spool>s)|f)\W(?<keys>\S+)$/i,
  /^(?:\S*\/)?(?:(?<spool>spool)|filament)\/show\/(?<keys>\d+)\/?$/i,
  /^[^\s?]*\?(?:\S*&)?sel=(?:(?<spool>spool)|filament)(?::|%3a)(?<keys>\d+)(?:&\S*)?$/i,
  new RegExp(`${SCANNED_START}${SCANNED_KIND}\\2\\p{L}{4}\\2(?<keys>(?:(?!\\2)\\S)+)\\2?$`, 'iu'),
  new RegExp(`${SCANNED_START}.\\p{L}{3}.{1,2}${SCANNED_KIND}\\P{N}(?<keys>\\S+)$`, 'iu'),
];

/** @returns null if the text is not a label of Spoolman */
export function readSpoolmanLabel(text: string): SpoolmanLabel | null {
  const label = text.trim().normalize('NFKC');
  for (const form of FORMS) {
    const { spool, keys } = form.exec(label)?.groups ?? {};
    const digits = keys === undefined ? undefined : readDigits(keys);
    if (digits === undefined) continue;
    const id = Number(digits);
    return id > 0 && id <= MAX_ID ? { kind: spool === undefined ? 'FILAMENT' : 'SPOOL', id } : null;
  }
  return null;
}
