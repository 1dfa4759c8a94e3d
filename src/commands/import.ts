// Runs the command `import`, which shows what each row of a CSV file would change in a running gateway, and then writes these changes.
import { readFile } from 'node:fs/promises';
import { createClient } from '../client/client';
import { GatewayRequestError } from '../client/request-error';
import { readGateway } from '../config';
import { decodeFile, explainEncoding, findStockKind } from '../farm/stock/stock-import.text';
import {
  ImportStockDocument,
  type ImportStockMutation,
  type ImportStockMutationVariables,
} from '../generated/operations';
import { gatewayFailure } from './gateway-failures';

type Preview = ImportStockMutation['importStock'];
type Row = Preview['rows'][number];

interface Options {
  write?: boolean;
  /** Columns of the file that are left out. */
  ignore?: string[];
  addMaterials?: boolean;
}

/** The rows of the preview in one answer. A gateway with little memory refuses to answer with all rows of a long list. */
const ROWS_OF_ANSWER = 500;

export async function importFile(
  file: string,
  { write = false, ignore = [], addMaterials = false }: Options,
): Promise<void> {
  const { url, key } = readGateway();
  const csv = decodeFile(await readFile(file));
  if (csv === null) throw new Error(explainEncoding(file));
  const kind = findStockKind(csv);
  if (kind === undefined)
    throw new Error(
      'The first line of the file must name the columns. For spools, one of them must be spoolSerial. For filaments, one of them must be name.',
    );
  const client = createClient({
    url: `${url}/graphql`,
    ...(key !== null && { headers: { authorization: `Bearer ${key}` } }),
  });
  const importStock = async (variables: Partial<ImportStockMutationVariables>) =>
    (await client.request(ImportStockDocument, { kind, csv, ignoreColumns: ignore, addMaterials, ...variables }))
      .importStock;
  try {
    const preview = await readPreview((offset) => importStock({ first: ROWS_OF_ANSWER, offset }));
    console.log(formatTable(preview));
    const materials = describeMaterials(preview, addMaterials);
    if (materials !== '') console.log(materials);
    if (preview.refused > 0) {
      throw new Error(`Nothing was imported: ${countRows(preview.refused)} refused. Correct the file and try again.`);
    }
    if (preview.confirm === null) return;
    const sum = `${preview.creates} added, ${preview.updates} changed`;
    if (write) await importStock({ confirm: preview.confirm, first: 1, offset: 0 });
    console.log(
      write
        ? `Imported: ${sum}.`
        : `This was a preview: ${sum}. Nothing was imported. To import the rows, add --write.`,
    );
  } catch (error) {
    throw gatewayFailure(suggestIgnoring(error), url, key, 'the scopes read and write');
  }
}

/** Reads the rows that change something, page by page. Every answer previews the whole file, so all answers must agree. */
async function readPreview(pageFrom: (offset: number) => Promise<Preview>): Promise<Preview> {
  const first = await pageFrom(0);
  const rows = [...first.rows];
  for (const count = first.refused + first.updates + first.creates; rows.length < count; ) {
    const page = await pageFrom(rows.length);
    if (page.confirm !== first.confirm || page.refused !== first.refused || page.rows.length === 0)
      throw new Error('The stock changed during the preview. Try again.');
    rows.push(...page.rows);
  }
  return { ...first, rows: rows.filter(({ action }) => action !== 'SAME') };
}

/** Adds the option that leaves out the columns that the gateway does not know. */
function suggestIgnoring(error: unknown): unknown {
  if (!(error instanceof GatewayRequestError)) return error;
  const unknown = error.issues.flatMap(({ path }) => (path[0] === 'csv' && path.length === 2 ? [String(path[1])] : []));
  if (unknown.length === 0) return error;
  const names = unknown.map((name) => JSON.stringify(removeControls(name))).join(' ');
  return new Error(
    `${removeControls(error.message).replace(/\.$/, '')}.\nTo import the file without these columns, add: --ignore ${names}`,
  );
}

const countRows = (count: number) => (count === 1 ? '1 row is' : `${count} rows are`);

function describeMaterials({ missingMaterials: missing }: Preview, isAdding: boolean): string {
  const usual = missing.flatMap(({ name, densityGPerCm3 }) =>
    densityGPerCm3 === null ? [] : [`${removeControls(name)} (${densityGPerCm3} g/cm³)`],
  );
  if (usual.length === 0) return '';
  return `${isAdding ? 'New materials' : 'Missing materials, which --add-materials adds'}: ${usual.join(', ')}.`;
}

/** A table of the rows that change something, and the number of rows that change nothing. */
function formatTable({ rows, same }: Preview): string {
  if (rows.length === 0) return same === 1 ? 'The only row changes nothing.' : `All ${same} rows change nothing.`;
  const cells = rows.map((row) => [
    String(row.line),
    ACTIONS[row.action],
    row.number ? `#${row.number}` : '',
    row.name,
  ]);
  const table = [['line', 'action', 'number', 'name'], ...cells].map((line) => line.map(removeControls));
  const widths = [0, 1, 2, 3].map((at) => Math.max(...table.map((line) => [...(line[at] ?? '')].length)));
  const texts = ['changes', ...rows.map((row) => removeControls(describeChanges(row)))];
  const lines = table.map((line, at) => {
    const padded = line.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length));
    return `${padded.join('  ')}  ${texts[at]}`;
  });
  return [...lines, ...(same > 0 ? [`${countRows(same)} unchanged.`] : [])].join('\n');
}

const ACTIONS: Record<Row['action'], string> = { CREATE: 'add', UPDATE: 'change', SAME: 'same', REFUSED: 'refused' };

function describeChanges({ reason, warning, action, changes }: Row): string {
  if (reason !== null) return reason;
  const texts = changes.map(({ column, from, to }) =>
    action === 'CREATE' ? `${column} ${to}` : `${column} ${from ?? 'nothing'} -> ${to ?? 'nothing'}`,
  );
  return [...texts, ...(warning === null ? [] : [`check: ${warning}`])].join(', ');
}

/** Removes control characters, because a terminal would act on them. */
const removeControls = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
