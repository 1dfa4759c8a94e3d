// Builds the answer of an import: counts of rows, the confirm value that writes them, and one page of rows.
import { createHash } from 'node:crypto';
import type {
  MissingMaterial,
  StockImport,
  StockImportAction,
  StockImportRow,
  StockImportRowsArguments,
  StockKind,
} from './stock-import.types';

/** A user corrects refused rows first, and checks changes before new rows. */
const ORDER_OF_ACTIONS: readonly StockImportAction[] = ['REFUSED', 'UPDATE', 'CREATE', 'SAME'];

export function createAnswer(
  kind: StockKind,
  rows: StockImportRow[],
  materials: { missing: readonly MissingMaterial[]; added: readonly MissingMaterial[] },
): StockImport {
  const count = (counted: StockImportAction) => rows.filter(({ action }) => action === counted).length;
  const [creates, updates, same, refused] = [count('CREATE'), count('UPDATE'), count('SAME'), count('REFUSED')];
  return {
    rows,
    creates,
    updates,
    same,
    refused,
    warnings: rows.filter(({ warning }) => warning !== null).length,
    missingMaterials: materials.missing,
    confirm: refused === 0 && creates + updates > 0 ? calculateDigest(kind, rows, materials.added) : null,
    written: false,
  };
}

/** The digest of what the rows do. No replica stores it; each replica calculates the same digest again. */
function calculateDigest(kind: StockKind, rows: readonly StockImportRow[], added: readonly MissingMaterial[]): string {
  const hash = createHash('sha256').update(kind);
  for (const { name, densityGPerCm3 } of added) hash.update(JSON.stringify([name, densityGPerCm3]));
  // Hashed row by row, because the text of all rows would be several megabytes.
  for (const { line, action, number, name, changes } of rows)
    hash.update(
      JSON.stringify([line, action, number, name, changes.map(({ column, from, to }) => [column, from, to])]),
    );
  return hash.digest('base64url');
}

/** If `first` is missing, all rows in the order of the file. Otherwise a page that starts with the rows that need attention. */
export function selectRows(rows: StockImportRow[], { first, offset }: StockImportRowsArguments): StockImportRow[] {
  const ordered =
    first == null ? rows : ORDER_OF_ACTIONS.flatMap((action) => rows.filter((row) => row.action === action));
  const from = Math.max(offset ?? 0, 0);
  return ordered.slice(from, first == null ? undefined : from + Math.max(first, 1));
}
