// Reads export files of Spoolman: JSON or CSV, lists as its API answers them or flat lists with names such as filament.vendor.name.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parsePlainJson } from '../../values/json';
import { readCsv } from '../../values/read-csv';
import { MAX_OBJECTS, type ReadObjects } from './read-objects';
import { isRaw, type Raw, type SpoolmanKind } from './spoolman-objects';
import { isMissing } from './spoolman-values';

/** A file that is no export of Spoolman. The message is a sentence for the user. */
export class UnreadableFile extends Error {}

const OBJECTS_OF_TURN = 200;
/** The signs before which Spoolman's CSV has an apostrophe. */
const PROTECTED = /^'(?=[=+\-@\t\r])/;

/** @param number which file it is, for messages */
export async function readSpoolmanFile(text: string, number: number, objects: ReadObjects): Promise<void> {
  const rows = /^\ufeff?\s*[[{]/.test(text) ? readJsonList(text, number) : readCsvList(text, number);
  const kinds = new Set(rows.slice(0, 50).map(kindOf));
  // A list has one kind. Only a vendor has none of the members by which the others are recognised.
  const kind = kinds.has('SPOOL') ? 'SPOOL' : kinds.has('FILAMENT') ? 'FILAMENT' : 'VENDOR';
  let count = 0;
  for (const row of rows) {
    if (++count % OBJECTS_OF_TURN === 0) await nextTurn();
    objects.add(kind, row);
  }
}

function kindOf(raw: Raw): SpoolmanKind {
  if (raw['filament'] !== undefined || 'filament_id' in raw || 'used_weight' in raw || 'remaining_weight' in raw)
    return 'SPOOL';
  return 'density' in raw || 'diameter' in raw ? 'FILAMENT' : 'VENDOR';
}

function readJsonList(text: string, number: number): Raw[] {
  let parsed: unknown;
  try {
    parsed = parsePlainJson(Buffer.from(text));
  } catch {
    throw new UnreadableFile(`File ${number} is not valid JSON. Export it from Spoolman again.`);
  }
  if (!Array.isArray(parsed) || !parsed.every(isRaw))
    throw new UnreadableFile(`File ${number} is no list of objects. Choose a file that Spoolman exported.`);
  return parsed.map(nest);
}

function readCsvList(text: string, number: number): Raw[] {
  let table: ReturnType<typeof readCsv>;
  try {
    table = readCsv(text, 'files', MAX_OBJECTS.SPOOL + 1);
  } catch {
    throw new UnreadableFile(`File ${number} is neither JSON nor CSV. Choose a file that Spoolman exported.`);
  }
  const [head, ...rows] = table.rows;
  const names = head?.cells.map((cell) => cell.trim()) ?? [];
  if (!names.includes('id'))
    throw new UnreadableFile(`File ${number} has no column id. Choose a file that Spoolman exported.`);
  return rows.map(({ cells }) => {
    const flat: Raw = {};
    for (const [at, name] of names.entries()) {
      const cell = cells[at] ?? '';
      if (cell !== '') flat[name] = cell.replace(PROTECTED, '');
    }
    return nest(flat);
  });
}

const PARTS = [
  'filament.vendor.extra.',
  'filament.extra.',
  'vendor.extra.',
  'extra.',
  'filament.vendor.',
  'filament.',
  'vendor.',
];

/** Turns names such as filament.vendor.name into objects in objects. */
function nest(flat: Raw): Raw {
  if (!Object.keys(flat).some((key) => key.includes('.'))) return flat;
  const nested: Raw = {};
  for (const [key, value] of Object.entries(flat)) {
    if (isMissing(value)) continue;
    const prefix = PARTS.find((part) => key.startsWith(part)) ?? '';
    let object = nested;
    for (const name of prefix.split('.').filter(Boolean)) {
      if (!isRaw(object[name])) object[name] = {};
      object = object[name] as Raw;
    }
    const isExtra = prefix.endsWith('extra.');
    // JSON writes the text of a value as it is stored. A number or a boolean is its own text.
    object[key.slice(prefix.length)] = isExtra && typeof value !== 'string' ? JSON.stringify(value) : value;
  }
  return nested;
}
