// Decides whether an import from Spoolman may start, be added to or be written, and reads what the user sees of it.
import { violatedConstraint } from '../../database/failures';
import { BadInput, Conflict, orNotFound } from '../../errors';
import { parseGuid } from '../../values/guid';
import type { Page, PageRange } from '../../values/page';
import { describeUnstorable } from '../../values/text';
import type { Network } from '../../wire/networks';
import type { Context } from '../graph/context';
import { MAX_LOGIN, type ReadSpoolmanInput, type SpoolmanLoginInput } from './spoolman-import.inputs';
import type { SpoolmanImportStore, StoredImport } from './spoolman-import.store';
import type { SpoolmanImport, SpoolmanImportRow } from './spoolman-import.types';
import type { Reading, SpoolmanImporter } from './spoolman-importer';
import { parseSpoolmanUrl } from './spoolman-url';

const SOURCE = /^[a-z0-9-]{1,32}$/;

export class SpoolmanImportService {
  constructor(
    private readonly store: SpoolmanImportStore,
    private readonly importer: Pick<SpoolmanImporter, 'read' | 'write'>,
    private readonly network: Network,
  ) {}

  async find(id: string): Promise<SpoolmanImport | null> {
    const guid = parseGuid(id, 'id');
    const found = await this.store.find(guid);
    if (found === null || (found.state !== 'READING' && found.state !== 'WRITING')) return found;
    await this.store.failLost();
    return this.store.find(guid);
  }

  async read(input: ReadSpoolmanInput, { caller, newId }: Context): Promise<SpoolmanImport> {
    if (input.url != null) caller.requireDevices();
    const reading = this.parseReading(input);
    if (!SOURCE.test(input.source))
      throw new BadInput('must be 1 to 32 small letters, digits and hyphens', 'input', 'source');
    const into = input.into == null ? null : parseGuid(input.into, 'into');
    await this.store.failLost();
    const id = into ?? newId();
    if (into === null) {
      await refuseSecond(() => this.store.begin(id, input.source, 'url' in reading, caller.displayName));
    } else {
      const { fromUrl } = orNotFound(await this.store.find(into), 'import', into);
      if (fromUrl) throw new BadInput('must be an import of files', 'input', 'into');
      if (!(await refuseSecond(() => this.store.activate(into, 'READING', null))))
        throw new Conflict('This import is not READY. Read the files again', 'input', 'into');
    }
    // The answer shows the import before it is read.
    const begun = (await this.store.find(id)) as StoredImport;
    this.importer.read(id, reading);
    return begun;
  }

  async write(id: string, confirm: string, withoutRefused: boolean): Promise<SpoolmanImport> {
    const guid = parseGuid(id, 'id');
    await this.store.failLost();
    const { state, refused } = orNotFound(await this.store.find(guid), 'import', id);
    if (state === 'READY' && refused > 0 && !withoutRefused) {
      throw new Conflict(
        `Some objects are refused (${refused}), so nothing was written. Correct them in Spoolman and read again, or write without them`,
        'withoutRefused',
      );
    }
    if (!(await refuseSecond(() => this.store.activate(guid, 'WRITING', confirm))))
      throw new Conflict('This import is not READY, or it has changed. Look at its rows again', 'confirm');
    const begun = (await this.store.find(guid)) as StoredImport;
    this.importer.write(guid);
    return begun;
  }

  rows(
    id: string,
    filter: { kind: string | null; actions: readonly string[] | null },
    range: PageRange,
  ): Promise<Page<SpoolmanImportRow>> {
    return this.store.rows(id, filter, range);
  }

  private parseReading({ url, files, login, into }: ReadSpoolmanInput): Reading {
    if ((url == null) === (files == null)) throw new BadInput('Either url or files must be given', 'input');
    if (url != null) {
      if (into != null) throw new BadInput('must not be given with a url', 'input', 'into');
      return { url: parseSpoolmanUrl(url, this.network), login: login == null ? {} : parseLogin(login) };
    }
    if (login != null) throw new BadInput('must be given with a url only', 'input', 'login');
    const texts = files ?? [];
    if (texts.length === 0) throw new BadInput('must not be empty', 'input', 'files');
    return { files: texts, isAdded: into != null };
  }
}

/** The header with the credentials. The messages have none of their texts. */
function parseLogin({ apiKey, token, username, password }: SpoolmanLoginInput): Record<string, string> {
  const isGiven = [apiKey != null, token != null, username != null || password != null];
  if (isGiven.filter(Boolean).length !== 1)
    throw new BadInput('must have exactly one of apiKey, token, and username with password', 'input', 'login');
  const read = (value: string | null | undefined, member: string) => {
    if (value == null || value === '') throw new BadInput('must not be empty', 'input', 'login', member);
    if (value.length > MAX_LOGIN)
      throw new BadInput(`must have at most ${MAX_LOGIN} characters`, 'input', 'login', member);
    if (describeUnstorable(value) !== undefined || /[\r\n]/.test(value))
      throw new BadInput('must be one line of text', 'input', 'login', member);
    return value;
  };
  const header = (value: string, member: string) => {
    if (!/^[\x20-\x7e]+$/.test(value)) throw new BadInput('must have ASCII characters only', 'input', 'login', member);
    return value;
  };
  if (apiKey != null) return { 'x-api-key': header(read(apiKey, 'apiKey'), 'apiKey') };
  if (token != null) return { authorization: `Bearer ${header(read(token, 'token'), 'token')}` };
  const user = read(username, 'username');
  if (user.includes(':')) throw new BadInput('must not contain a colon', 'input', 'login', 'username');
  const pair = `${user}:${read(password, 'password')}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

async function refuseSecond<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (violatedConstraint(error)?.constraint !== 'spoolman_imports_active_key') throw error;
    throw new Conflict('Another import is being read or written. Try again when it has ended');
  }
}
