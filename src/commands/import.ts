// The command `import`: shows what each row of a CSV file would do in a running gateway, and writes what it has shown.
import { readFile } from 'node:fs/promises';
import { createClient } from '../client/client';
import { readGateway } from '../config';
import { stockKindOf } from '../farm/stock/stock-import.kind';
import { ImportStockDocument, type ImportStockMutation, type StockKind } from '../generated/operations';
import { readCsv } from '../values/csv';
import { gatewayFailure } from './gateway-failures';

type Shown = ImportStockMutation['importStock'];
type Row = Shown['rows'][number];

export async function importFile(file: string, { write = false }: { write?: boolean }): Promise<void> {
  const { url, key } = readGateway();
  const csv = textOf(await readFile(file), file);
  const kind = kindOf(csv);
  const client = createClient({
    url: `${url}/graphql`,
    ...(key !== null && { headers: { authorization: `Bearer ${key}` } }),
  });
  try {
    const { importStock: shown } = await client.request(ImportStockDocument, { kind, csv });
    console.log(tableOf(shown));
    if (shown.refused > 0) {
      throw new Error(`Nothing is written: ${rowsIn(shown.refused)} refused. Correct the file, and try again.`);
    }
    if (shown.confirm === null) return;
    const sum = `${shown.creates} added, ${shown.updates} changed`;
    if (write) await client.request(ImportStockDocument, { kind, csv, confirm: shown.confirm });
    console.log(write ? `Written: ${sum}.` : `Nothing is written yet. With --write: ${sum}.`);
  } catch (error) {
    throw gatewayFailure(error, url, key, 'the scopes read and write');
  }
}

function textOf(bytes: Buffer, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Error(`${file} is not UTF-8: save it as "CSV UTF-8" in the spreadsheet.`, { cause });
  }
}

function kindOf(csv: string): StockKind {
  const [head] = readCsv(csv, 'The file', 1).rows;
  const kind = stockKindOf(head?.cells ?? []);
  if (kind === undefined)
    throw new Error('The first line must name the column spoolSerial, for spools, or name, for filaments.');
  return kind;
}

const rowsIn = (count: number) => (count === 1 ? '1 row is' : `${count} rows are`);

/** The rows that do something, and how many do nothing. */
function tableOf({ rows, same }: Shown): string {
  if (same === rows.length) return same === 1 ? 'The only row is the same.' : `All ${same} rows are the same.`;
  const others = rows.filter(({ action }) => action !== 'SAME');
  const cells = others.map((row) => [
    String(row.line),
    ACTIONS[row.action],
    row.number ? `#${row.number}` : '',
    row.name,
  ]);
  const table = [['line', 'what', 'number', 'name'], ...cells].map((line) => line.map(inOneLine));
  const widths = [0, 1, 2, 3].map((at) => Math.max(...table.map((line) => [...(line[at] ?? '')].length)));
  const texts = ['changes', ...others.map((row) => inOneLine(wordsOf(row)))];
  const lines = table.map((line, at) => {
    const padded = line.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length));
    return `${padded.join('  ')}  ${texts[at]}`;
  });
  return [...lines, ...(same > 0 ? [`${rowsIn(same)} the same.`] : [])].join('\n');
}

const ACTIONS: Record<Row['action'], string> = { CREATE: 'add', UPDATE: 'change', SAME: 'same', REFUSED: 'refused' };

function wordsOf({ reason, action, changes }: Row): string {
  if (reason !== null) return reason;
  return changes
    .map(({ column, from, to }) =>
      action === 'CREATE' ? `${column} ${to}` : `${column} ${from ?? 'nothing'} -> ${to ?? 'nothing'}`,
    )
    .join(', ');
}

/** A terminal obeys control characters. */
const inOneLine = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
