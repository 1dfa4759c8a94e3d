// A new database of either kind for a test, and which of them a run has.
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { Client } from 'pg';
import type { DatabaseTarget } from '../../src/database/driver/driver';
import type { Templates } from './templates';
import { temporaryFolder } from './temporary-folder';

export type DatabaseKind = 'embedded' | 'server';

/** Of a folder whose tests are made on both; see test/jest.config.cjs. */
const { needsServer } = globalThis as { needsServer?: boolean };
/** TEST_DATABASES: the kinds on which the tests of the other folders are made. A server takes half the CPU time of the embedded one. */
const chosen = needsServer ? 'embedded,server' : process.env['TEST_DATABASES'] || 'server';

export const databaseKinds = chosen.split(',').map((name): DatabaseKind => {
  if (name !== 'embedded' && name !== 'server')
    throw new Error(`TEST_DATABASES: embedded, server or both, not ${name}`);
  return name;
});

/** For rules and queries that are the same on each: their tests are made once. */
export const anyDatabase = databaseKinds[0] as DatabaseKind;

/** The same, of tests that have thousands of statements: a server, where the run has one for others. */
export const quickDatabase: DatabaseKind = process.env['TEST_SERVER_URL'] ? 'server' : anyDatabase;

export interface FreshDatabase {
  target: DatabaseTarget;
  /** The same as the value of DATABASE_URL. */
  url: string;
  drop(): Promise<void>;
}

/** Of a run that follows one on another database: it leaves out what is the same on both. */
const onlyDifferent = process.env['ONLY_DIFFERENT'] === 'true';

/** Whether what is the same on each database has been tested on another one. A describe ends there with the tests that can differ. */
export const isTestedAlready = (kind: DatabaseKind) => onlyDifferent || kind !== anyDatabase;

/** For what a kind of database or its driver can make differ: errors, types, the order of texts, sessions, locks, limits. */
export function describeOnDatabases(name: string, tests: (kind: DatabaseKind) => void): void {
  describe.each(databaseKinds)(`${name} (%s)`, (kind) => tests(kind));
}

/** What is the same on each database, in a file of other tests that can differ. */
export function describeOnce(name: string, tests: (kind: DatabaseKind) => void): void {
  if (!isTestedAlready(anyDatabase)) describe(name, () => tests(anyDatabase));
}

/** Tests that need a server, in a file whose other tests do not. A file of such tests alone lies in test/server. */
export function describeOnServer(name: string, tests: () => void): void {
  if (databaseKinds.includes('server')) describe(name, tests);
}

/** A database that has been migrated and holds no row. */
export function freshDatabase(kind: DatabaseKind): Promise<FreshDatabase> {
  return kind === 'embedded' ? freshDirectory() : freshServerDatabase(fromSetUp('TEST_SERVER_TEMPLATE'));
}

/** A database without any table; opening it migrates it. */
export function emptyDatabase(kind: DatabaseKind): Promise<FreshDatabase> {
  return kind === 'embedded' ? freshDirectory(fromSetUp('TEST_EMBEDDED_EMPTY_TEMPLATE')) : freshServerDatabase();
}

/** The embedded database of `freshDatabase` in a directory that the test names. */
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

/** Answers the rows of a single statement. */
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

/** test/support/global-setup.ts leaves these in the environment. */
function fromSetUp(name: keyof Templates['environment']): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: this Jest project does not name test/support/global-setup.ts.`);
  return value;
}
