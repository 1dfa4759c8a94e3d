// A farm of the first release continues with this build: its data directory, and its backup in a new database of either kind.
import fs from 'node:fs';
import { join } from 'node:path';
import { createApp } from '../../src/app';
import { readConfig } from '../../src/config';
import { restore } from '../../src/database/backup/restore';
import { openDatabase, openDriver } from '../../src/database/database';
import type { DatabaseTarget } from '../../src/database/driver/driver';
import { databaseKinds, emptyDatabase } from '../support/databases';
import {
  collectAnswers,
  readBackup,
  readFirstAnswers,
  readRows,
  readTables,
  SETTINGS,
  type Table,
  unpackDirectory,
} from '../support/first-release';
import { temporaryFolder } from '../support/temporary-folder';

/** The records of the gateway about what this build has applied. */
const RECORDS = ['_prisma_migrations', 'sql_files'];
/** A restore switches notifications off, releases the devices, and moves the feed of changes to the new database. */
const CHANGED_BY_RESTORE = [
  'change_feed',
  'leases',
  'notification_deliveries',
  'notification_targets',
  'unreported_changes',
];

let directory: string;
let tables: Table[];
let rows: Record<string, string[]>;
beforeAll(async () => {
  directory = unpackDirectory();
  const driver = await openDriver({ kind: 'directory', path: directory });
  [tables, rows] = await driver.withSession(async (run) => {
    const found = await readTables(run);
    return [found, await readRows(run, found)];
  });
  await driver.close();
});
afterAll(() => fs.rmSync(directory, { recursive: true, force: true }));

/** After the new build has migrated the database, and before a gateway maintains it. */
async function rowsAfterUpgrade(target: DatabaseTarget): Promise<Record<string, string[]>> {
  const database = await openDatabase(target);
  try {
    return await database.withSession((run) => readRows(run, tables));
  } finally {
    await database.close();
  }
}

const without = (all: Record<string, string[]>, left: string[]) =>
  Object.fromEntries(Object.entries(all).filter(([name]) => !left.includes(name)));
const countRows = (all: Record<string, string[]>, of: string[]) => of.map((name) => [name, all[name]?.length]);

async function expectFirstAnswers(database: DatabaseTarget): Promise<void> {
  const { inject, close } = await createApp({ ...readConfig(SETTINGS), database });
  try {
    const answers = await collectAnswers(
      async (url, payload) =>
        (await inject({ method: payload ? 'POST' : 'GET', url, ...(payload ? { payload } : {}) })).payload,
    );
    expect(answers).toEqual(readFirstAnswers());
  } finally {
    await close();
  }
}

test('the farm of the first release has rows of every table', () => {
  const empty = Object.entries(rows).filter(([, found]) => found.length === 0);
  // Partitions of the status log for the coming weeks.
  expect(empty.map(([name]) => name).filter((name) => !/^camera_status_(\d{8}|later)$/.test(name))).toEqual([]);
  expect(tables.length).toBeGreaterThan(40);
});

test('its data directory keeps every value of every row, and is served as before', async () => {
  const target = { kind: 'directory', path: directory } as const;
  const after = await rowsAfterUpgrade(target);
  expect(without(after, RECORDS)).toEqual(without(rows, RECORDS));
  await expectFirstAnswers(target);
});

test.each(databaseKinds)(
  '(%s) its backup is restored with every value of every row, and is served as before',
  async (kind) => {
    const folder = temporaryFolder('first-backup');
    const file = join(folder, 'farm.sql');
    fs.writeFileSync(file, readBackup());
    const { target, drop } = await emptyDatabase(kind);
    try {
      await restore(target, file);
      const after = await rowsAfterUpgrade(target);
      const changed = [...RECORDS, ...CHANGED_BY_RESTORE];
      expect(without(after, changed)).toEqual(without(rows, changed));
      const kept = ['change_feed', 'notification_deliveries', 'notification_targets'];
      expect(countRows(after, kept)).toEqual(countRows(rows, kept));
      await expectFirstAnswers(target);
    } finally {
      await drop();
      fs.rmSync(folder, { recursive: true, force: true });
    }
  },
);
