// The directory of an embedded database: one process at a time, kept between starts, never half made.
import fs from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { openDatabase } from '../../src/database/database';
import { addresses, LOCK_FILE } from '../../src/database/embedded/directory-lock';
import { startChild } from '../support/child-process';
import { type FreshDatabase, freshDatabase } from '../support/databases';
import { temporaryFolder } from '../support/temporary-folder';

const HOLDER = join(__dirname, 'open-and-hold.ts');
const IN_USE = `is in use by the process ${process.pid}`;

describe('a data directory', () => {
  let fresh: FreshDatabase;
  let path: string;
  const open = (where = path) => openDatabase({ kind: 'directory', path: where });
  const hold = (...args: string[]) => startChild(HOLDER, [JSON.stringify(fresh.target), ...args]);

  beforeEach(async () => {
    fresh = await freshDatabase('embedded');
    if (fresh.target.kind !== 'directory') throw new Error('These tests need a directory.');
    path = fresh.target.path;
  });
  afterEach(() => fresh.drop());

  test('is refused to a second opening in the same process, by whatever path, and keeps what was written', async () => {
    const database = await open();
    await database.prisma.$executeRaw`insert into cameras (camera_id, friendly_name) values ('kept', 'x')`;
    const link = `${path}-link`;
    fs.symlinkSync(path, link, 'junction');
    try {
      for (const name of [path, `${path}/.`, link])
        await expect(open(name)).rejects.toThrow(`${name} cannot be used: it ${IN_USE}`);
      await database.ping();
    } finally {
      fs.unlinkSync(link);
      await database.close();
    }
    const second = await open();
    expect(await second.prisma.camera.findMany({ select: { cameraId: true } })).toEqual([{ cameraId: 'kept' }]);
    await second.close();
    expect(fs.existsSync(join(path, LOCK_FILE))).toBe(false);
  });

  test('is refused to a second process, and free again after a kill -9, with what was acknowledged', async () => {
    const holder = hold();
    await holder.says('written');
    const second = hold();
    expect({ code: await second.ended, output: second.output }).toEqual({
      code: 1,
      output: expect.stringContaining(
        `The data directory ${path} cannot be used: it is in use by the process ${holder.pid}`,
      ),
    });
    await expect(open()).rejects.toThrow(`is in use by the process ${holder.pid}`);
    holder.kill('SIGKILL');
    await holder.ended;
    const database = await open();
    expect(await database.prisma.camera.findMany({ select: { cameraId: true } })).toEqual([{ cameraId: 'written' }]);
    await database.close();
  });

  test('of two processes that start at once after a crash one gets it', async () => {
    const crashed = hold();
    await crashed.says('written');
    crashed.kill('SIGKILL');
    await crashed.ended;
    const both = [hold(), hold()];
    const refused = await Promise.race(both.map(async (child) => ({ child, code: await child.ended })));
    expect({ code: refused.code, output: refused.child.output }).toMatchObject({
      code: 1,
      output: expect.stringContaining('it is in use by'),
    });
    const holder = both.find((child) => child !== refused.child)!;
    await holder.says('opened');
    holder.kill('SIGKILL');
    await holder.ended;
  });

  test('is refused when its socket file is listened on, all that is seen of a process in another container', async () => {
    const other = createServer();
    // Windows has pipes instead, whose names all processes of the machine share.
    const address = process.platform === 'win32' ? addresses(path)[0] : join(path, LOCK_FILE);
    await new Promise<void>((resolve) => other.listen(address, resolve));
    await expect(open()).rejects.toThrow('is in use by another process');
    await new Promise((resolve) => other.close(resolve));
    await (await open()).close();
  });

  test('with other files and no database is left alone', async () => {
    const foreign = temporaryFolder('foreign');
    fs.writeFileSync(join(foreign, 'thesis.txt'), 'text');
    await expect(open(foreign)).rejects.toThrow('holds files (thesis.txt) but no database');
    expect(fs.readdirSync(foreign)).toEqual(['thesis.txt']);
    fs.rmSync(foreign, { recursive: true });
  });

  test('is made, with its parents; a making that was interrupted is begun anew', async () => {
    const root = temporaryFolder('new');
    const made = join(root, 'deep', 'data');
    const child = startChild(HOLDER, [JSON.stringify({ kind: 'directory', path: made })]);
    // Killed when the making has begun to copy the new database into the directory.
    await new Promise<void>((resolve) => {
      const look = setInterval(() => {
        if (!fs.existsSync(join(made, 'base'))) return;
        clearInterval(look);
        resolve();
      }, 1);
    });
    child.kill('SIGKILL');
    expect(await child.ended).toBe('SIGKILL');
    expect(fs.readdirSync(made)).toContain('unfinished');
    const database = await open(made);
    expect(await database.prisma.camera.count()).toBe(0);
    await database.close();
    expect(fs.readdirSync(made)).not.toContain('unfinished');
    fs.rmSync(root, { recursive: true });
  });
});

test('a database in memory is new each time, and several can be open', async () => {
  const [first, second] = await Promise.all([openDatabase({ kind: 'memory' }), openDatabase({ kind: 'memory' })]);
  await first.prisma.$executeRaw`insert into cameras (camera_id, friendly_name) values ('here', 'x')`;
  expect(await second.prisma.camera.count()).toBe(0);
  await Promise.all([first.close(), second.close()]);
});
