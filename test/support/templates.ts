// Creates the templates of the test databases once per run, so that no test waits for the migrations.
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openDriver } from '../../src/database/database';
import type { DatabaseTarget } from '../../src/database/driver/driver';
import { applyMigrations } from '../../src/database/migrations';
import { applySqlFiles } from '../../src/database/sql-files';
import { databaseUrl, onServer } from './databases';
import { temporaryFolder } from './temporary-folder';
import { startTestServer } from './test-server';

type Names = 'TEST_SERVER_URL' | 'TEST_SERVER_TEMPLATE' | 'TEST_EMBEDDED_EMPTY_TEMPLATE' | 'TEST_EMBEDDED_TEMPLATE';

export interface Templates {
  /** As environment variables, because the workers start later and read them there. */
  environment: Partial<Record<Names, string>>;
  remove(): Promise<void>;
}

export async function makeServerTemplate(): Promise<Templates> {
  const server = await startTestServer(() => temporaryFolder('server'));
  const name = `gateway_test_template_${randomUUID().replaceAll('-', '')}`;
  await onServer(server.url, `create database ${name}`);
  await migrate({ kind: 'server', url: databaseUrl(server.url, name), poolSize: 1 });
  return {
    environment: { TEST_SERVER_URL: server.url, TEST_SERVER_TEMPLATE: name },
    async remove() {
      await onServer(server.url, `drop database ${name}`);
      await server.stop();
    },
  };
}

export async function makeEmbeddedTemplates(): Promise<Templates> {
  const empty = await provideEmptyDirectory();
  // Not kept for the next run: the partitions of the status log depend on the week in which the migrations ran.
  const migrated = temporaryFolder('template');
  fs.cpSync(empty, migrated, { recursive: true });
  await migrate({ kind: 'directory', path: migrated });

  return {
    environment: { TEST_EMBEDDED_EMPTY_TEMPLATE: empty, TEST_EMBEDDED_TEMPLATE: migrated },
    remove: async () => fs.rmSync(migrated, { recursive: true }),
  };
}

async function migrate(target: DatabaseTarget): Promise<void> {
  const driver = await openDriver(target);
  try {
    await driver.withSession(async (run) => {
      await applyMigrations(run);
      await applySqlFiles(run);
    });
  } finally {
    await driver.close();
  }
}

/** Kept between runs: creating one takes about 4 s, copying it a fraction of a second. */
async function provideEmptyDirectory(): Promise<string> {
  const uid = process.getuid?.() ?? 0;
  const template = join(tmpdir(), `gateway-test-pglite-${pgliteVersion()}-${uid}`);
  if (fs.existsSync(template)) {
    if (process.getuid && fs.statSync(template).uid !== uid) throw new Error(`${template} belongs to another account.`);
    return template;
  }
  const unfinished = fs.mkdtempSync(`${template}-`);
  const { PGlite } = await import('@electric-sql/pglite');
  await (await PGlite.create(unfinished)).close();
  try {
    fs.renameSync(unfinished, template);
  } catch {
    // Another run has created it meanwhile.
    fs.rmSync(unfinished, { recursive: true, force: true });
  }
  return template;
}

function pgliteVersion(): string {
  const manifest = join(dirname(require.resolve('@electric-sql/pglite')), '..', 'package.json');
  return JSON.parse(fs.readFileSync(manifest, 'utf8')).version;
}
