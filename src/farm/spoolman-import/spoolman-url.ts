// Reads a running Spoolman: one request at a time, with bounds, without redirects, and only at addresses that devices may have.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { BadInput } from '../../errors';
import type { AddressFormat } from '../../kind-facts';
import { copiedText } from '../../values/copied-texts';
import { parsePlainJson } from '../../values/json';
import { ConnectionLifetime } from '../../wire/connection-lifetime';
import { LIMITS, type Limits } from '../../wire/connection-limits';
import { dial } from '../../wire/dial';
import { type ConnectionFault, toConnectionFault } from '../../wire/faults';
import { HttpClient } from '../../wire/http-client';
import { type Address, parseAddress } from '../../wire/machine-address';
import type { Network } from '../../wire/networks';
import { type ReadObjects, TooMuch } from './read-objects';
import { type FieldDefinition, readFieldDefinitions } from './spoolman-fields';
import { isRaw, type Raw, type SpoolmanKind } from './spoolman-objects';

export interface SpoolmanUrl extends Address {
  /** Without a slash at the end; empty for the root. */
  path: string;
}

/** A reason why the Spoolman cannot be read, as a sentence. It has no text of an answer. */
export class ReadingFailed extends Error {}

const ADDRESS: AddressFormat = { schemes: ['http', 'https'], port: 7912 };
const MAX_PATH = 200;

export function parseSpoolmanUrl(value: unknown, network: Network, member = 'url'): SpoolmanUrl {
  const text = copiedText(2 * MAX_PATH)(value, member);
  const [, origin, path = ''] = /^(https?:\/\/[^/?#]*)([^?#]*)$/i.exec(text) ?? [];
  if (origin === undefined)
    throw new BadInput('must be a URL such as http://192.168.1.20:7912, without a query', member);
  const tidy = path
    .replace(/\/+$/, '')
    .replace(/\/api\/v1$/, '')
    .replace(/\/+$/, '');
  if (tidy.length > MAX_PATH || !/^[\w./~%-]*$/.test(tidy))
    throw new BadInput('must have a path of letters, digits and the signs . _ ~ - % /', member);
  return { ...parseAddress(origin, ADDRESS, network, member), path: tidy };
}

const PAGE = 1000;
/** A list that changes is read again three times. */
const TRIES = 4;
const MAX_ANSWER_BYTES = 16 << 20;
const MAX_BYTES = 256 << 20;
const LIMITS_OF_READING: Limits = {
  ...LIMITS,
  connectMs: 10 * 60_000,
  answerMs: 30_000,
  maxBytes: MAX_ANSWER_BYTES,
  floodBytes: 2 * MAX_BYTES,
  steadyBytes: MAX_BYTES,
};

const LOGIN = 'Enter an API key, a token, or a user name and password. Or read its export files instead.';
const FAULTS: Partial<Record<ConnectionFault, string>> = {
  NOT_RESOLVED: 'The host name in the URL has no address. Check the spelling, or enter the IP address.',
  NOT_ALLOWED:
    'The gateway may not connect to this host, because it is outside your private networks. Correct the URL, or add the network to DEVICE_NETWORKS and restart the gateway.',
  NOT_REACHABLE:
    'Nothing is listening at the host and port of the URL. Check that Spoolman is running and that the port is right.',
  TIMED_OUT: 'The Spoolman did not answer in time. Check that it is running, and try again.',
  CLOSED_AT_ONCE: 'The Spoolman closed the connection. Check the URL, which may need https://, and try again.',
  HTTPS_REQUIRED: 'The server accepts only HTTPS. Enter a URL that starts with https://.',
  TLS_NOT_SPOKEN: 'The server does not use TLS at this port. Enter a URL that starts with http://.',
  CERTIFICATE_NOT_TRUSTED:
    'The certificate of the server is not trusted. Use a URL that starts with http://, or read the export files of Spoolman instead.',
  TOO_MUCH_DATA:
    'The server sends more than the gateway reads: 16 MiB for an answer and 256 MiB in all. Read the export files of Spoolman instead.',
};
const NOT_SPOOLMAN = 'Another program than Spoolman answers at this URL. Check the port and the path.';
const UNSTABLE = 'The lists of the Spoolman changed while they were read. Try again when nobody changes them.';

const PATHS = [
  ['vendor', 'VENDOR'],
  ['filament', 'FILAMENT'],
  ['spool', 'SPOOL'],
] as const;

export interface UrlReading {
  url: SpoolmanUrl;
  /** The header with the credentials; empty without any. */
  login: Record<string, string>;
  network: Network;
  signal: AbortSignal;
  /** Is called after each page. */
  progress(): void;
}

/** Reads all objects, and returns the fields that the Spoolman defines. */
export async function readSpoolmanUrl(reading: UrlReading, objects: ReadObjects): Promise<FieldDefinition[]> {
  const lifetime = new ConnectionLifetime(
    { onConnected: () => undefined, onMessage: () => undefined, onEnded: () => undefined },
    LIMITS_OF_READING,
  );
  const giveUp = () => lifetime.close();
  if (reading.signal.aborted) giveUp();
  reading.signal.addEventListener('abort', giveUp, { once: true });
  try {
    const session = new SpoolmanSession(reading, lifetime);
    await session.readInfo();
    const fields: FieldDefinition[] = [];
    for (const [name] of PATHS) fields.push(...(await session.readFields(name)));
    for (const [name, kind] of PATHS) await session.readList(name, kind, objects);
    return fields;
  } catch (error) {
    if (error instanceof ReadingFailed || error instanceof TooMuch) throw error;
    const fault = lifetime.fault ?? toConnectionFault(error);
    throw new ReadingFailed(FAULTS[fault] ?? NOT_SPOOLMAN);
  } finally {
    reading.signal.removeEventListener('abort', giveUp);
    lifetime.close();
  }
}

class SpoolmanSession {
  private readonly client: HttpClient;
  private bytes = 0;

  constructor(
    private readonly reading: UrlReading,
    lifetime: ConnectionLifetime,
  ) {
    const { url, network } = reading;
    this.client = new HttpClient(url, LIMITS_OF_READING, lifetime, () =>
      dial(url, { network, trusted: null, signal: lifetime.signal, meter: lifetime.meter }),
    );
  }

  async readInfo(): Promise<void> {
    const info = await this.get('info');
    if (!isRaw(info) || typeof info['version'] !== 'string') throw new ReadingFailed(NOT_SPOOLMAN);
  }

  async readFields(name: 'vendor' | 'filament' | 'spool'): Promise<FieldDefinition[]> {
    // Old versions have no fields.
    const list = await this.get(`field/${name}`, true);
    const fields = list === null ? [] : readFieldDefinitions(name, list);
    if (fields === null) throw new ReadingFailed(NOT_SPOOLMAN);
    return fields;
  }

  async readList(name: string, kind: SpoolmanKind, objects: ReadObjects): Promise<void> {
    for (let tries = 1; tries <= TRIES; tries++) {
      if (await this.tryList(name, kind, objects)) return;
      objects.restart(kind);
    }
    throw new ReadingFailed(UNSTABLE);
  }

  /** @returns false if a page does not start with the last object of the page before */
  private async tryList(name: string, kind: SpoolmanKind, objects: ReadObjects): Promise<boolean> {
    const archived = name === 'spool' ? 'allow_archived=true&' : '';
    let last: Raw | undefined;
    for (let offset = 0; ; offset += PAGE - 1) {
      const page = await this.get(`${name}?${archived}limit=${PAGE}&offset=${offset}&sort=id:asc`);
      if (!Array.isArray(page) || !page.every(isRaw) || page.length > PAGE) throw new ReadingFailed(NOT_SPOOLMAN);
      if (last !== undefined && (page.length === 0 || page[0]?.['id'] !== last['id'])) return false;
      for (const raw of last === undefined ? page : page.slice(1)) objects.add(kind, raw);
      this.reading.progress();
      if (page.length < PAGE) return true;
      last = page.at(-1);
      await nextTurn();
    }
  }

  private async get(path: string, mayBeMissing = false): Promise<unknown> {
    const { url, login } = this.reading;
    const request = { headers: { 'user-agent': 'print-farm-gateway', ...login } };
    const answer = await this.client.askForBytes(`${url.path}/api/v1/${path}`, request, MAX_ANSWER_BYTES);
    const { status, bytes } = answer;
    if (status === 401 || status === 403) {
      throw new ReadingFailed(
        Object.keys(login).length === 0
          ? `The Spoolman asks for a login. ${LOGIN}`
          : 'The Spoolman rejects this login. Correct it, or read its export files instead.',
      );
    }
    if (status >= 300 && status < 400)
      throw new ReadingFailed('The server redirects to another address. Enter the address to which it leads.');
    if (status === 404 && mayBeMissing) return null;
    if (status >= 500) throw new ReadingFailed('The Spoolman answers with an error. Look into its log, and try again.');
    if (status !== 200 || bytes === null) throw new ReadingFailed(NOT_SPOOLMAN);
    this.bytes += bytes.length;
    if (this.bytes > MAX_BYTES) throw new ReadingFailed(FAULTS.TOO_MUCH_DATA as string);
    try {
      return parsePlainJson(bytes);
    } catch {
      throw new ReadingFailed(NOT_SPOOLMAN);
    }
  }
}
