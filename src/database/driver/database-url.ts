// Reads DATABASE_URL and decides which database the gateway uses, or writes the sentence about what is wrong with it.
import { resolve } from 'node:path';
import { findEncryptionFault } from '../tls';
import type { DatabaseTarget } from './driver';

const FORMS = 'DATABASE_URL must be file:DIRECTORY, memory: or postgresql://USER:PASSWORD@HOST:PORT/DATABASE';
const ESCAPES = 'In a password, write the characters # / ? % and @ as %23 %2F %3F %25 and %40';

/** @returns the database, or a sentence about the fault, which does not show the value because it may hold a password */
export function readDatabaseTarget(text: string | undefined, poolSize: number): DatabaseTarget | string {
  if (text === undefined) return { kind: 'directory', path: resolve('data') };
  if (text === 'memory:') return { kind: 'memory' };
  if (text.startsWith('file:')) return readDirectoryTarget(text.slice('file:'.length));
  // With `?host=`, PostgreSQL's own programs accept a URL that has a user but no host. The class URL does not accept it.
  const url = text.replace(/^(\w+:\/\/[^/@]*@)(?=\/)/, '$1localhost');
  if (!/^postgres(ql)?:\/\//.test(url)) return `${FORMS}. ${ESCAPES}`;
  if (hasSeveralHosts(url))
    return 'DATABASE_URL must name one host. If you have several servers, give the address that leads to the primary server';
  if (!URL.canParse(url) || !isDecodable(url)) return `${FORMS}. ${ESCAPES}`;
  return findEncryptionFault(new URL(url)) ?? { kind: 'server', url, poolSize };
}

function readDirectoryTarget(path: string): DatabaseTarget | string {
  if (path === '') return 'DATABASE_URL must be file:DIRECTORY with the name of a directory, such as file:./data';
  // A shell replaces ~ only at the start of a word, so the gateway would create a directory named ~.
  if (/^[~$]/.test(path))
    return 'DATABASE_URL must be file:DIRECTORY with the full path, because ~ and variables are not replaced in it';
  if (/^\/\/[^/]/.test(path))
    return 'DATABASE_URL must be file:DIRECTORY without a host: file:/srv/farm is an absolute path, and file:farm is a directory below the current one';
  return { kind: 'directory', path: resolve(path) };
}

/** libpq accepts a list of hosts, in the address or as a parameter. The driver of this program would read the list as one name. */
function hasSeveralHosts(url: string): boolean {
  const [, authority = '', parameters = ''] = /^\w+:\/\/([^/?#]*)[^?#]*(?:\?([^#]*))?/.exec(url) ?? [];
  const host = new URLSearchParams(parameters).get('host') ?? '';
  return authority.slice(authority.lastIndexOf('@') + 1).includes(',') || host.includes(',');
}

/** The driver would not decode a URL with a % that starts no escape, and so send a wrong password. */
function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== '';
  } catch {
    return false;
  }
}
