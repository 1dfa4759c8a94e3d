// A new, empty database of either kind for a test, and how to run the same tests on both.
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { DatabaseTarget } from '../../src/config';

export const databaseKinds = ['embedded', 'server'] as const;
export type DatabaseKind = (typeof databaseKinds)[number];

export interface FreshDatabase {
  target: DatabaseTarget;
  /** The same as the value of DATABASE_URL. */
  url: string;
  drop(): Promise<void>;
}

export function describeOnBothDatabases(name: string, tests: (kind: DatabaseKind) => void): void {
  describe.each(databaseKinds)(`${name} (%s)`, (kind) => tests(kind));
}

/** An empty database without any table; opening it migrates it. */
export function freshDatabase(kind: DatabaseKind): Promise<FreshDatabase> {
  return kind === 'embedded' ? freshDirectory() : freshServerDatabase();
}

async function freshDirectory(): Promise<FreshDatabase> {
  const path = fs.mkdtempSync(join(tmpdir(), 'gateway-test-data-'));
  fs.cpSync(fromSetUp('TEST_EMBEDDED_TEMPLATE'), path, { recursive: true });
  return {
    target: { kind: 'directory', path },
    url: `file:${path}`,
    drop: async () => fs.rmSync(path, { recursive: true, force: true }),
  };
}

async function freshServerDatabase(): Promise<FreshDatabase> {
  const name = `gateway_test_${randomUUID().replaceAll('-', '')}`;
  await onServer(`create database ${name}`);
  const url = new URL(fromSetUp('TEST_SERVER_URL'));
  url.pathname = `/${name}`;
  return {
    target: { kind: 'server', url: url.toString(), poolSize: 10 },
    url: url.toString(),
    drop: () => onServer(`drop database if exists ${name} with (force)`),
  };
}

async function onServer(sql: string): Promise<void> {
  const client = new Client({ connectionString: fromSetUp('TEST_SERVER_URL') });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** test/support/global-setup.ts leaves these in the environment. */
function fromSetUp(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: this Jest project does not name test/support/global-setup.ts.`);
  return value;
}
