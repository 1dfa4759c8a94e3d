// What the embedded database has acknowledged is on the disk: every commit waits for a real sync of the log.
import fs from 'node:fs';
import { join } from 'node:path';
import { type Database, openDatabase } from '../../src/database/database';
import { type FreshDatabase, freshDatabase } from '../support/databases';
import { temporaryFolder } from '../support/temporary-folder';

describe('the embedded database', () => {
  let fresh: FreshDatabase;
  let path: string;
  let database: Database;
  /** What was synced, as inode numbers, in order. */
  let synced: number[];
  const realSync = fs.fsyncSync;

  const write = (id: string) =>
    database.prisma.$executeRaw`insert into cameras (camera_id, friendly_name) values (${id}, 'x')`;

  const inodes = (folder: string, recursive = false) =>
    fs
      .readdirSync(join(path, folder), { withFileTypes: true, recursive })
      .map((entry) => fs.statSync(join(entry.parentPath, entry.name)).ino);

  beforeEach(async () => {
    fresh = await freshDatabase('embedded');
    if (fresh.target.kind !== 'directory') throw new Error('These tests need a directory.');
    path = fresh.target.path;
    synced = [];
    jest.spyOn(fs, 'fsyncSync').mockImplementation((descriptor) => {
      realSync(descriptor);
      synced.push(fs.fstatSync(descriptor).ino);
    });
    database = await openDatabase(fresh.target);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await database.close();
    await fresh.drop();
  });

  test('syncs the log before it acknowledges a commit, for each of 50', async () => {
    const withoutSync: number[] = [];
    for (let commit = 0; commit < 50; commit++) {
      synced = [];
      await write(`camera-${commit}`);
      const log = inodes('pg_wal');
      if (!synced.some((inode) => log.includes(inode))) withoutSync.push(commit);
    }
    expect(withoutSync).toEqual([]);
  });

  test('syncs nothing for a read', async () => {
    await database.prisma.camera.count();
    synced = [];
    for (let read = 0; read < 20; read++) await database.prisma.camera.count();
    expect(synced).toEqual([]);
  });

  test('syncs tables and directories at a checkpoint', async () => {
    await write('one');
    await database.prisma.$executeRawUnsafe('create table made_now ()');
    synced = [];
    await database.prisma.$executeRawUnsafe('checkpoint');
    const tables = inodes('base', true);
    expect(synced.filter((inode) => tables.includes(inode)).length).toBeGreaterThan(0);
  });

  test('does not run with fsync off, nor with a method that its file layer drops', async () => {
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
    const stopped = /The embedded database has stopped: could not fsync file .*I\/O error/;
    let well: typeof fs.fsyncSync;

    /** The database is opened anew a second after the last attempt at the soonest; the test does not sit it out. */
    const now = performance.now.bind(performance);
    let skipped = 0;
    const nextAttempt = () => (skipped += 1100);
    beforeEach(() => {
      jest.spyOn(performance, 'now').mockImplementation(() => now() + skipped);
    });

    const breakDisk = () => {
      well = jest.mocked(fs.fsyncSync).getMockImplementation()!;
      jest.mocked(fs.fsyncSync).mockImplementation(() => {
        throw Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO', errno: -5, syscall: 'fsync' });
      });
    };
    const mendDisk = () => jest.mocked(fs.fsyncSync).mockImplementation(well);
    const openFiles = () =>
      fs.readdirSync('/proc/self/fd').flatMap((descriptor) => {
        try {
          const file = fs.readlinkSync(`/proc/self/fd/${descriptor}`);
          return file.startsWith(path) ? [file] : [];
        } catch {
          return [];
        }
      });

    test('a commit is not acknowledged, and what was acknowledged is there when the disk is well', async () => {
      await write('before');
      breakDisk();
      await expect(write('not on the disk')).rejects.toThrow(stopped);
      await expect(write('after')).rejects.toThrow('The embedded database has stopped');
      await expect(database.prisma.$transaction([database.prisma.camera.count()])).rejects.toThrow('has stopped');
      await expect(database.ping()).rejects.toMatchObject({ cause: { message: expect.stringMatching('has stopped') } });
      mendDisk();
      nextAttempt();
      await write('well again');
      const kept = (await database.prisma.camera.findMany({ select: { cameraId: true } })).map((one) => one.cameraId);
      expect(kept).toEqual(expect.arrayContaining(['before', 'well again']));
      expect(kept).not.toContain('after');
    });

    test('a transaction is not acknowledged either, and one that has begun before fails as a whole', async () => {
      breakDisk();
      const insert = database.transaction(
        (transaction) =>
          transaction.prisma.$executeRaw`insert into cameras (camera_id, friendly_name) values ('in', 'x')`,
      );
      await expect(insert).rejects.toMatchObject({ cause: { message: expect.stringMatching(stopped) } });
      mendDisk();
      nextAttempt();
      let [begun, goOn] = [() => {}, () => {}];
      const hasBegun = new Promise<void>((resolve) => (begun = resolve));
      const mayGoOn = new Promise<void>((resolve) => (goOn = resolve));
      const half = database.transaction(async (transaction) => {
        const add = (id: string) =>
          transaction.prisma.$executeRaw`insert into cameras (camera_id, friendly_name) values (${id}, 'x')`;
        await add('half');
        begun();
        await mayGoOn;
        breakDisk();
        await transaction.prisma.$executeRawUnsafe('checkpoint').catch(() => {});
        await add('other half');
      });
      await hasBegun;
      goOn();
      await expect(half).rejects.toMatchObject({ cause: { message: expect.stringMatching('has stopped') } });
      mendDisk();
      nextAttempt();
      expect(await database.prisma.camera.count({ where: { cameraId: { contains: 'half' } } })).toBe(0);
    });

    test('an opening that fails leaves no file open', async () => {
      breakDisk();
      await expect(write('not on the disk')).rejects.toThrow(stopped);
      for (let attempt = 0; attempt < 3; attempt++) {
        nextAttempt();
        await expect(write('still not')).rejects.toThrow('has stopped');
        expect(openFiles()).toEqual([]);
      }
      mendDisk();
      nextAttempt();
      await write('well again');
      // PostgreSQL opens a file once. A recovery opens other files than the usual start.
      const open = openFiles();
      expect(open.length).toBeGreaterThan(0);
      expect(open).toHaveLength(new Set(open).size);
    });

    test('no new database is made where the old one is gone', async () => {
      breakDisk();
      await expect(write('not on the disk')).rejects.toThrow(stopped);
      mendDisk();
      fs.renameSync(path, `${path}-away`);
      fs.mkdirSync(path);
      await expect(write('elsewhere')).rejects.toThrow(`The embedded database has stopped: there is no database in`);
      expect(fs.readdirSync(path)).toEqual([]);
      fs.rmdirSync(path);
      fs.renameSync(`${path}-away`, path);
      nextAttempt();
      await write('well again');
    });
  });
});

test('a new directory is synced whole before it counts as made', async () => {
  const root = temporaryFolder('new');
  const path = join(root, 'data');
  const synced = new Set<number>();
  const unlink = fs.unlinkSync;
  const missing: string[] = [];
  const realSync = fs.fsyncSync;
  jest.spyOn(fs, 'fsyncSync').mockImplementation((descriptor) => {
    realSync(descriptor);
    synced.add(fs.fstatSync(descriptor).ino);
  });
  jest.spyOn(fs, 'unlinkSync').mockImplementation((name) => {
    if (name === join(path, 'unfinished')) {
      const entries = fs.readdirSync(path, { withFileTypes: true, recursive: true });
      const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
      missing.push(...files.filter((file) => !synced.has(fs.statSync(file).ino)));
      expect(files.length).toBeGreaterThan(500);
    }
    unlink(name);
  });
  const database = await openDatabase({ kind: 'directory', path });
  jest.restoreAllMocks();
  expect(missing).toEqual([]);
  await database.close();
  fs.rmSync(root, { recursive: true });
});
