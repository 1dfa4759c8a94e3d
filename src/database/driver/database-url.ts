// Reads DATABASE_URL: which database the gateway uses, or one sentence that says what is wrong with it.
import { resolve } from 'node:path';
import { encryptionFault } from '../tls';
import type { DatabaseTarget } from './driver';

const FORMS = 'DATABASE_URL must be file:DIRECTORY, memory: or postgresql://USER:PASSWORD@HOST:PORT/DATABASE';
const ESCAPES = 'write the characters # / ? % and @ of a password as %23 %2F %3F %25 and %40';

/** @returns a text is the fault. It leaves out the value, which may hold a password. */
export function databaseTarget(text: string | undefined, poolSize: number): DatabaseTarget | string {
  if (text === undefined) return { kind: 'directory', path: resolve('data') };
  if (text === 'memory:') return { kind: 'memory' };
  if (text.startsWith('file:')) return directoryTarget(text.slice('file:'.length));
  // Beside `?host=` PostgreSQL's own programs take a URL that has a user and no host, which URL does not.
  const url = text.replace(/^(\w+:\/\/[^/@]*@)(?=\/)/, '$1localhost');
  if (!/^postgres(ql)?:\/\//.test(url)) return `${FORMS}; ${ESCAPES}`;
  if (hasSeveralHosts(url))
    return 'DATABASE_URL must name one host: for several servers give the address that leads to the primary one';
  if (!URL.canParse(url) || !isDecodable(url)) return `${FORMS}; ${ESCAPES}`;
  return encryptionFault(new URL(url)) ?? { kind: 'server', url, poolSize };
}

function directoryTarget(path: string): DatabaseTarget | string {
  if (path === '') return `${FORMS}: the name of the directory is missing`;
  // A shell reads ~ at the begin of a word alone, so a directory of that name would be made here.
  if (/^[~$]/.test(path))
    return 'DATABASE_URL must be file:DIRECTORY with the whole path: ~ and variables are not read here';
  if (/^\/\/[^/]/.test(path))
    return 'DATABASE_URL must be file:DIRECTORY without a host: file:/srv/farm is a whole path, file:farm one from here';
  return { kind: 'directory', path: resolve(path) };
}

/** libpq takes a list of hosts, in the place of the host or as a parameter. The driver takes the list for one name. */
function hasSeveralHosts(url: string): boolean {
  const [, authority = '', parameters = ''] = /^\w+:\/\/([^/?#]*)[^?#]*(?:\?([^#]*))?/.exec(url) ?? [];
  const host = new URLSearchParams(parameters).get('host') ?? '';
  return authority.slice(authority.lastIndexOf('@') + 1).includes(',') || host.includes(',');
}

/** The driver would take a URL with a lone % for one without any escape, and send another password. */
function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== '';
  } catch {
    return false;
  }
}
