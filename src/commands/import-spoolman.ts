// Runs the command `import spoolman`, which lets a running gateway read a Spoolman or its export files, shows what each object becomes, and
// writes everything.
import { readFile } from 'node:fs/promises';
import { type Client, createClient } from '../client/client';
import { readGateway, readSpoolmanLogin } from '../config';
import { splitSpoolmanFile } from '../farm/spoolman-import/spoolman-parts';
import { decodeFile, explainEncoding } from '../farm/stock/stock-import.text';
import {
  ReadSpoolmanDocument,
  type ReadSpoolmanInput,
  SpoolmanImportDocument,
  type SpoolmanImportQuery,
  WriteSpoolmanImportDocument,
} from '../generated/operations';
import { sleep } from '../values/timers';
import { gatewayFailure } from './gateway-failures';

type Import = NonNullable<SpoolmanImportQuery['spoolmanImport']>;
type Row = Import['rows']['nodes'][number];

interface Options {
  source?: string;
  write?: boolean;
  withoutRefused?: boolean;
}

/** The characters of one request: the gateway accepts a megabyte, and a character may have more than one byte. */
const CHARACTERS_OF_REQUEST = 250_000;
const ROWS_OF_ANSWER = 500;
const PAUSE_MS = 200;

export async function importSpoolman(targets: string[], options: Options): Promise<void> {
  const { url, key } = readGateway();
  const client = createClient({
    url: `${url}/graphql`,
    ...(key !== null && { headers: { authorization: `Bearer ${key}` } }),
  });
  const isUrl = /^https?:\/\//i.test(targets[0] ?? '');
  if (isUrl && targets.length > 1) throw new Error('Give one URL, or one or more files.');
  try {
    const source = options.source === undefined ? {} : { source: options.source };
    const shown = isUrl
      ? await read(client, { url: targets[0] as string, ...readLogin(), ...source })
      : await readFiles(client, targets, source);
    await showRows(client, shown);
    const { creates, updates, kept, refused, confirm } = shown;
    const sum = `${creates} added, ${updates} changed, ${kept} kept`;
    if (refused > 0 && options.withoutRefused !== true)
      throw new Error(
        `Nothing was imported, because the gateway refuses some objects (${refused}). Correct them in Spoolman, or add --without-refused to leave them out.`,
      );
    if (confirm === null) console.log('Nothing has changed, so there is nothing to import.');
    else if (options.write === true) {
      await client.request(WriteSpoolmanImportDocument, {
        id: shown.id,
        confirm,
        withoutRefused: options.withoutRefused === true,
      });
      await settle(client, shown.id);
      console.log(`Imported: ${sum}.`);
    } else console.log(`This was a preview: ${sum}. Nothing was imported. To import the objects, add --write.`);
    if (refused > 0) process.exitCode = 1;
  } catch (error) {
    const rights = `the scopes read and write${isUrl ? ', and devices for a URL' : ''}`;
    throw gatewayFailure(error, url, key, rights);
  }
}

async function read(client: Client, input: ReadSpoolmanInput): Promise<Import> {
  const { readSpoolman } = await client.request(ReadSpoolmanDocument, { input });
  return settle(client, readSpoolman.id);
}

async function readFiles(client: Client, files: string[], source: { source?: string }): Promise<Import> {
  const parts: string[] = [];
  for (const file of files) {
    const text = decodeFile(await readFile(file));
    if (text === null) throw new Error(explainEncoding(file));
    parts.push(...splitSpoolmanFile(text, CHARACTERS_OF_REQUEST));
  }
  let shown: Import | undefined;
  for (const part of parts) {
    const into = shown === undefined ? {} : { into: shown.id };
    shown = await read(client, { files: [part], ...into, ...source });
  }
  return shown as Import;
}

/** Waits until the import is neither READING nor WRITING, and throws if it has failed. */
async function settle(client: Client, id: string): Promise<Import> {
  for (;;) {
    const { spoolmanImport } = await client.request(SpoolmanImportDocument, { id, first: 1 });
    if (spoolmanImport == null) throw new Error('The import no longer exists. Start again.');
    if (spoolmanImport.state === 'FAILED') throw new Error(removeControls(spoolmanImport.message ?? ''));
    if (spoolmanImport.state === 'READY' || spoolmanImport.state === 'WRITTEN') return spoolmanImport;
    await sleep(PAUSE_MS);
  }
}

function readLogin(): Pick<ReadSpoolmanInput, 'login'> {
  const text = readSpoolmanLogin();
  if (text === null) return {};
  const [, kind, rest = ''] = /^(apiKey|token|basic):(.+)$/s.exec(text) ?? [];
  if (kind === 'apiKey') return { login: { apiKey: rest } };
  if (kind === 'token') return { login: { token: rest } };
  const colon = rest.indexOf(':');
  if (kind !== 'basic' || colon < 1)
    throw new Error('SPOOLMAN_LOGIN must be apiKey:KEY, token:TOKEN or basic:USER:PASSWORD.');
  return { login: { username: rest.slice(0, colon), password: rest.slice(colon + 1) } };
}

/** Unchanged objects are only counted. */
const SHOWN: Row['action'][] = ['CREATE', 'UPDATE', 'KEPT', 'REFUSED'];

const ACTIONS: Record<Row['action'], string> = {
  CREATE: 'add',
  UPDATE: 'change',
  SAME: 'same',
  KEPT: 'keep',
  REFUSED: 'refuse',
};

async function showRows(client: Client, { id, same, gone, withoutTare }: Import): Promise<void> {
  for (let after: string | null = null; ; ) {
    const { spoolmanImport }: SpoolmanImportQuery = await client.request(SpoolmanImportDocument, {
      id,
      actions: SHOWN,
      first: ROWS_OF_ANSWER,
      after,
    });
    if (spoolmanImport == null) throw new Error('The import no longer exists. Start again.');
    for (const row of spoolmanImport.rows.nodes) console.log(describeRow(row));
    if (!spoolmanImport.rows.pageInfo.hasNextPage) break;
    after = spoolmanImport.rows.pageInfo.endCursor;
  }
  if (same > 0) console.log(`Unchanged: ${same}.`);
  if (gone > 0) console.log(`No longer in Spoolman, but kept here: ${gone}.`);
  if (withoutTare > 0)
    console.log(
      `Spools in use without a known weight of the empty spool: ${withoutTare}. A scale cannot measure them. Enter the weight in Spoolman and read again, or enter it here at the product.`,
    );
}

function describeRow({ kind, spoolmanId, action, number, name, reason, changes }: Row): string {
  const texts = changes.map(({ member, from, to }) =>
    action === 'CREATE' ? `${member} ${to}` : `${member} ${from ?? 'nothing'} -> ${to ?? 'nothing'}`,
  );
  const columns = [
    ACTIONS[action],
    `${kind.toLowerCase()} ${spoolmanId ?? '?'}`,
    number === null ? '' : `#${number}`,
    name,
  ];
  return [...columns, texts.join(', '), reason ?? '']
    .filter((text) => text !== '')
    .map(removeControls)
    .join('  ');
}

/** Removes control characters, because a terminal would act on them. */
const removeControls = (text: string) => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
