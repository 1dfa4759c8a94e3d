// Creates new databases of either kind for tests, and decides which kinds a run uses.
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { Client } from 'pg';
import type { DatabaseTarget } from '../../src/database/driver/driver';
import type { Templates } from './templates';
import { temporaryFolder } from './temporary-folder';

export type DatabaseKind = 'embedded' | 'server';

/** True in a folder whose tests run on both kinds; see test/jest.config.cjs. */
const { needsServer } = globalThis as { needsServer?: boolean };
/** TEST_DATABASES: the kinds on which the tests of the other folders run. A server takes half the CPU time of the embedded database. */
const chosen = needsServer ? 'embedded,server' : process.env['TEST_DATABASES'] || 'server';

export const databaseKinds = chosen.split(',').map((name): DatabaseKind => {
  if (name !== 'embedded' && name !== 'server')
    throw new Error(`TEST_DATABASES: embedded, server or both, not ${name}`);
  return name;
});

/** For rules and queries that behave the same on each kind: their tests run once. */
export const anyDatabase = databaseKinds[0] as DatabaseKind;

/** For such tests with thousands of statements: a server, if the run has one. */
export const quickDatabase: DatabaseKind = process.env['TEST_SERVER_URL'] ? 'server' : anyDatabase;

export interface FreshDatabase {
  target: DatabaseTarget;
  /** The database as a value of DATABASE_URL. */
  url: string;
  drop(): Promise<void>;
}

/** True in a run that follows a run on another database: it skips what is the same on both. */
const onlyDifferent = process.env['ONLY_DIFFERENT'] === 'true';

/** Whether another kind of database already ran the tests that are the same on each. A describe then ends after the tests that can differ. */
export const isTestedAlready = (kind: DatabaseKind) => onlyDifferent || kind !== anyDatabase;

/** For behaviour in which the kinds of database or their drivers can differ: errors, types, the order of texts, sessions, locks, limits. */
export function describeOnDatabases(name: string, tests: (kind: DatabaseKind) => void): void {
  describe.each(databaseKinds)(`${name} (%s)`, (kind) => tests(kind));
}

/** For behaviour that is the same on each database, in a file whose other tests can differ. */
export function describeOnce(name: string, tests: (kind: DatabaseKind) => void): void {
  if (!isTestedAlready(anyDatabase)) describe(name, () => tests(anyDatabase));
}

/** For tests that need a server, in a file whose other tests do not. A file of such tests alone belongs in test/server. */
export function describeOnServer(name: string, tests: () => void): void {
  if (databaseKinds.includes('server')) describe(name, tests);
}

/** A migrated database without rows. */
export function freshDatabase(kind: DatabaseKind): Promise<FreshDatabase> {
  return kind === 'embedded' ? freshDirectory() : freshServerDatabase(fromSetUp('TEST_SERVER_TEMPLATE'));
}

/** A database without tables; opening it migrates it. */
export function emptyDatabase(kind: DatabaseKind): Promise<FreshDatabase> {
  return kind === 'embedded' ? freshDirectory(fromSetUp('TEST_EMBEDDED_EMPTY_TEMPLATE')) : freshServerDatabase();
}

/** Copies the embedded database of `freshDatabase` to a directory that the test names. */
export function copyTemplate(path: string, template = fromSetUp('TEST_EMBEDDED_TEMPLATE')): void {
  fs.cpSync(template, path, { recursive: true });
}

async function freshDirectory(template?: string): Promise<FreshDatabase> {
  const path = temporaryFolder('data');
  copyTemplate(path, template);
  return {
    target: { kind: 'directory', path },
    url: `file:${path}`,
    drop: async () => fs.rmSync(path, { recursive: true, force: true }),
  };
}

async function freshServerDatabase(template?: string): Promise<FreshDatabase> {
  const server = fromSetUp('TEST_SERVER_URL');
  const name = `gateway_test_${randomUUID().replaceAll('-', '')}`;
  await onServer(server, `create database ${name}${template ? ` template ${template}` : ''}`);
  const url = databaseUrl(server, name);
  return {
    target: { kind: 'server', url, poolSize: 10 },
    url,
    drop: async () => void (await onServer(server, `drop database if exists ${name} with (force)`)),
  };
}

/** Runs a single statement, and answers its rows. */
export async function onServer(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

export function databaseUrl(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.toString();
}

/** Reads a variable that test/support/global-setup.ts has set. */
function fromSetUp(name: keyof Templates['environment']): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: this Jest project does not name test/support/global-setup.ts.`);
  return value;
}
