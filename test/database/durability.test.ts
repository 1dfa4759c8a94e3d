// What the embedded database has acknowledged is on the disk: every commit waits for a real sync of the log.
import fs from 'node:fs';
import { join } from 'node:path';
import { type Database, openDatabase } from '../../src/database/database';
import type { Queryable } from '../../src/database/queryable';
import { type FreshDatabase, freshDatabase } from '../support/databases';

describe('the embedded database', () => {
  let fresh: FreshDatabase;
  let path: string;
  let database: Database;
  /** The inode numbers of what was synced, in order. */
  let synced: number[];
  const { fsyncSync } = fs;
  const now = performance.now.bind(performance);
  /** The database is opened again at the earliest a second after the last attempt; the test does not wait for it. */
  let skipped = 0;
  const nextAttempt = () => (skipped += 1100);
  let isBroken = false;

  beforeAll(async () => {
    fresh = await freshDatabase('embedded');
    path = fresh.url.slice('file:'.length);
    jest.spyOn(performance, 'now').mockImplementation(() => now() + skipped);
    jest.spyOn(fs, 'fsyncSync').mockImplementation((descriptor) => {
      if (isBroken)
        throw Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO', errno: -5, syscall: 'fsync' });
      fsyncSync(descriptor);
      synced.push(fs.fstatSync(descriptor).ino);
    });
    synced = [];
    database = await openDatabase(fresh.target);
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await database.close();
    await fresh.drop();
  });

  const write = (id: string, { prisma }: Queryable = database) =>
    prisma.$executeRaw`insert into cameras (camera_id, friendly_name) values (${id}, 'x')`;
  const ids = async () => (await database.prisma.camera.findMany()).map(({ cameraId }) => cameraId);
  const inodes = (folder: string) =>
    fs
      .readdirSync(join(path, folder), { withFileTypes: true, recursive: true })
      .map((entry) => fs.statSync(join(entry.parentPath, entry.name)).ino);

  test('syncs the log before it acknowledges each of 50 commits, syncs tables at a checkpoint, and syncs nothing for reads', async () => {
    for (let commit = 0; commit < 50; commit++) {
      synced = [];
      await write(`camera-${commit}`);
      const log = inodes('pg_wal');
      expect([commit, synced.some((inode) => log.includes(inode))]).toEqual([commit, true]);
    }
    synced = [];
    await database.prisma.$executeRawUnsafe('checkpoint');
    const tables = inodes('base');
    expect(synced.some((inode) => tables.includes(inode))).toBe(true);
    synced = [];
    for (let read = 0; read < 20; read++) await database.prisma.camera.count();
    expect(synced).toEqual([]);
  });

  test('refuses to run with fsync off, or with a method that its file layer drops', async () => {
    const settings = await database.prisma.$queryRaw`select name, setting from pg_settings
      where name in ('fsync', 'wal_sync_method', 'full_page_writes', 'synchronous_commit') order by name`;
    expect(settings).toEqual([
      { name: 'fsync', setting: 'on' },
      { name: 'full_page_writes', setting: 'on' },
      { name: 'synchronous_commit', setting: 'on' },
      { name: 'wal_sync_method', setting: 'fsync' },
    ]);
  });

  describe('when the disk cannot sync', () => {
    const stopped = /The built-in database has stopped: could not fsync file .*I\/O error/;
    const failure = { cause: { message: expect.stringContaining('has stopped') } };
    const openFiles = () =>
      fs.readdirSync('/proc/self/fd').flatMap((descriptor) => {
        const file = fs.existsSync(`/proc/self/fd/${descriptor}`) ? fs.readlinkSync(`/proc/self/fd/${descriptor}`) : '';
        return file.startsWith(path) ? [file] : [];
      });

    test('nothing is acknowledged, no file stays open, and acknowledged writes exist when the disk works again', async () => {
      await write('before');
      isBroken = true;
      await expect(write('not on the disk')).rejects.toThrow(stopped);
      await expect(write('after')).rejects.toThrow('The built-in database has stopped');
      await expect(database.prisma.$transaction([database.prisma.camera.count()])).rejects.toThrow('has stopped');
      await expect(database.ping()).rejects.toMatchObject(failure);
      for (let attempt = 0; attempt < 2; attempt++) {
        nextAttempt();
        await expect(write('still not')).rejects.toThrow('has stopped');
        expect(openFiles()).toEqual([]);
      }
      // No new database is created if the old one is gone.
      isBroken = false;
      fs.renameSync(path, `${path}-away`);
      fs.mkdirSync(path);
      nextAttempt();
      await expect(write('elsewhere')).rejects.toThrow('The built-in database has stopped: there is no database in');
      expect(fs.readdirSync(path)).toEqual([]);
      fs.rmdirSync(path);
      fs.renameSync(`${path}-away`, path);
      nextAttempt();
      await write('well again');
      // PostgreSQL opens a file once. A recovery opens other files than the usual start.
      const open = openFiles();
      expect(open.length).toBeGreaterThan(0);
      expect(open).toHaveLength(new Set(open).size);
      const kept = await ids();
      expect(kept).toEqual(expect.arrayContaining(['before', 'well again']));
      expect(kept).not.toContain('after');
    });

    test('a transaction is not acknowledged either, and one that started before fails as a whole', async () => {
      isBroken = true;
      await expect(database.transaction((one) => write('in', one))).rejects.toMatchObject({
        cause: { message: expect.stringMatching(stopped) },
      });
      isBroken = false;
      nextAttempt();
      const half = database.transaction(async (one) => {
        await write('half', one);
        isBroken = true;
        await one.prisma.$executeRawUnsafe('checkpoint').catch(() => {});
        await write('other half', one);
      });
      await expect(half).rejects.toMatchObject(failure);
      isBroken = false;
      nextAttempt();
      expect((await ids()).filter((id) => id.includes('half'))).toEqual([]);
    });
  });
});
