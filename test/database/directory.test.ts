// Tests the directory of an embedded database: one process at a time, kept between starts, never left half created.
import fs from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { openDatabase } from '../../src/database/database';
import { LOCK_FILE, lockAddresses } from '../../src/database/embedded/directory-lock';
import { startChild } from '../support/child-process';
import { copyTemplate, type FreshDatabase, freshDatabase } from '../support/databases';
import { listenInProcess } from '../support/listening-gateway';
import { halfRequest, isLocked, stopsListening } from '../support/signalled-gateway';
import { temporaryFolder } from '../support/temporary-folder';

describe('a data directory', () => {
  let fresh: FreshDatabase;
  let path: string;
  const open = (where = path) => openDatabase({ kind: 'directory', path: where });
  const startHolder = () => startChild(join(__dirname, 'open-and-hold.ts'), [JSON.stringify(fresh.target)]);

  beforeAll(async () => {
    fresh = await freshDatabase('embedded');
    path = fresh.url.slice('file:'.length);
  });
  afterAll(() => fresh.drop());

  test('is refused to a second opening in the same process, by whatever path, and keeps what was written', async () => {
    const database = await open();
    await database.prisma.$executeRaw`insert into cameras (camera_id, friendly_name) values ('kept', 'x')`;
    const link = `${path}-link`;
    fs.symlinkSync(path, link, 'junction');
    try {
      for (const name of [path, `${path}/.`, link])
        await expect(open(name)).rejects.toThrow(`${name} cannot be used: the process ${process.pid} uses it`);
      await database.ping();
    } finally {
      fs.unlinkSync(link);
      await database.close();
    }
    expect(fs.existsSync(join(path, LOCK_FILE))).toBe(false);
  });

  test('is refused to a second process, and free again after a kill -9, with everything that was acknowledged', async () => {
    const both = [startHolder(), startHolder()];
    const refused = await Promise.race(both.map(async (child) => ({ child, code: await child.ended })));
    const holder = both.find((child) => child !== refused.child)!;
    expect({ code: refused.code, output: refused.child.output }).toEqual({
      code: 1,
      output: expect.stringContaining(`The data directory ${path} cannot be used: `),
    });
    await holder.waitForOutput('written');
    await expect(open()).rejects.toThrow(`the process ${holder.pid} uses it`);
    holder.kill('SIGKILL');
    await holder.ended;
    const database = await open();
    const cameras = await database.prisma.camera.findMany({ select: { cameraId: true }, orderBy: { cameraId: 'asc' } });
    expect(cameras).toEqual([{ cameraId: 'kept' }, { cameraId: 'written' }]);
    await database.close();
  });

  test('is locked until the last request of its gateway is answered', async () => {
    const gateway = await listenInProcess({ DATABASE_URL: fresh.url });
    const request = await halfRequest(gateway.url);
    const stopped = gateway.stop();
    await stopsListening(gateway.url);
    expect(await isLocked(fresh)).toBe(true);
    expect(await request.finish()).toMatch(/HTTP\/1\.1 201 /);
    await stopped;
    expect(await isLocked(fresh)).toBe(false);
  });

  test('is refused if a process listens on its socket file, the only sign of a process in another container', async () => {
    const other = createServer();
    // Windows has pipes instead, whose names all processes of the machine share.
    const address = process.platform === 'win32' ? lockAddresses(path)[0] : join(path, LOCK_FILE);
    await new Promise<void>((resolve) => other.listen(address, resolve));
    await expect(open()).rejects.toThrow('another process uses it');
    await new Promise((resolve) => other.close(resolve));
  });

  test('of another release of PostgreSQL is refused with the steps to upgrade, and stays unchanged', async () => {
    const written = temporaryFolder('older');
    fs.writeFileSync(join(written, 'PG_VERSION'), '17\n');
    await expect(open(written)).rejects.toThrow(
      `${written} cannot be used: PostgreSQL 17 wrote its files, but this gateway has PostgreSQL 18. Back it up with the version of the gateway that made it (npm run backup), and restore the backup into a new directory with this version (npm run restore).`,
    );
    expect(fs.readdirSync(written)).toEqual(['PG_VERSION']);
    expect(fs.readFileSync(join(path, 'PG_VERSION'), 'latin1').trim()).toBe('18');
  });

  test('with missing or changed files is refused with what was found, and how to restore a backup', async () => {
    const whole = temporaryFolder('whole');
    copyTemplate(whole);
    const damages: [found: string, damage: (of: (file: string) => string) => void][] = [
      [
        'could not read file "global/pg_control": read 100 of 296',
        (of) => fs.truncateSync(of('global/pg_control'), 100),
      ],
      [
        'could not open file "global/pg_control": No such file or directory',
        (of) => fs.rmSync(of('global/pg_control')),
      ],
      ['could not load /pglite/data/pg_hba.conf', (of) => fs.rmSync(of('pg_hba.conf'))],
      ['could not access status of transaction', (of) => fs.rmSync(of('pg_xact'), { recursive: true })],
      ['the folder pg_wal is missing', (of) => fs.rmSync(of('pg_wal'), { recursive: true })],
      ['the file PG_VERSION is missing', (of) => fs.rmSync(of('PG_VERSION'))],
      ['the file PG_VERSION does not contain a version', (of) => fs.truncateSync(of('PG_VERSION'))],
    ];
    for (const [found, damage] of damages) {
      const copy = temporaryFolder('damaged');
      fs.cpSync(whole, copy, { recursive: true });
      damage((file) => join(copy, file));
      const message = await open(copy).then(
        () => 'opened',
        (error: Error) => error.message,
      );
      expect(message).toContain(`${copy} cannot be used: its database is damaged (${found}`);
      expect(message).toMatch(
        /Restore a backup into a new directory with npm run restore, or replace the whole .* was running\.$/,
      );
    }
  });

  test('is not created on a full disk, and a message says so; an interrupted creation starts again, and is synced before it counts', async () => {
    const made = temporaryFolder('new');
    const full = Object.assign(new Error('ENOSPC: write'), { code: 'ENOSPC', errno: -28, syscall: 'write' });
    jest.spyOn(fs, 'writeSync').mockImplementation(() => {
      throw full;
    });
    const sentence =
      /^The data directory \S+ cannot be used: the disk is full\. Free some space, or set DATABASE_URL=\S+ to another directory\.$/;
    await expect(open(made)).rejects.toThrow(sentence);
    jest.restoreAllMocks();

    // As a process leaves it that is killed while it copies the new database into the directory.
    fs.mkdirSync(join(made, 'base'), { recursive: true });
    fs.writeFileSync(join(made, 'unfinished'), '');
    fs.writeFileSync(join(made, 'PG_VERSION'), '');

    const synced = new Set<number>();
    const missing: string[] = [];
    const { fsyncSync, unlinkSync } = fs;
    jest.spyOn(fs, 'fsyncSync').mockImplementation((descriptor) => {
      fsyncSync(descriptor);
      synced.add(fs.fstatSync(descriptor).ino);
    });
    jest.spyOn(fs, 'unlinkSync').mockImplementation((name) => {
      if (name === join(made, 'unfinished')) {
        const entries = fs.readdirSync(made, { withFileTypes: true, recursive: true });
        const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
        missing.push(...files.filter((file) => !synced.has(fs.statSync(file).ino)));
        expect(files.length).toBeGreaterThan(500);
      }
      unlinkSync(name);
    });
    const database = await open(made);
    jest.restoreAllMocks();
    expect(missing).toEqual([]);
    expect(await database.prisma.camera.count()).toBe(0);
    await database.close();
    expect(fs.readdirSync(made)).not.toContain('unfinished');
    fs.rmSync(made, { recursive: true });
  });
});
