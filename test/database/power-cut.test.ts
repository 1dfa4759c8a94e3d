// A power cut, as the disk sees it: of what was not synced anything may be missing, cut short or garbled. What was
// acknowledged is there all the same, and nothing else.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { join, relative } from 'node:path';
import { type Database, openDatabase } from '../../src/database/database';
import { type FreshDatabase, freshDatabase } from '../support/databases';
import { temporaryFolder } from '../support/temporary-folder';

/** The contents of a disk that keeps only what it was told to sync. */
class SyncedImage {
  readonly path = temporaryFolder('synced');
  private readonly names = new Map<number, string>();
  /** Called for a file that is about to be synced: answers whether the sync still reaches the disk. */
  hasPower: (file: string) => boolean = () => true;

  constructor(private readonly live: string) {
    fs.cpSync(live, this.path, { recursive: true });
    const realSync = fs.fsyncSync;
    jest.spyOn(fs, 'fsyncSync').mockImplementation((descriptor) => {
      const { ino } = fs.fstatSync(descriptor);
      const file = this.nameOf(ino);
      if (file !== undefined && this.hasPower(file)) this.keep(file);
      realSync(descriptor);
    });
  }

  copy(): string {
    const copy = temporaryFolder('cut');
    fs.cpSync(this.path, copy, { recursive: true });
    return copy;
  }

  remove(): void {
    fs.rmSync(this.path, { recursive: true });
  }

  private keep(file: string): void {
    fs.mkdirSync(join(this.path, file, '..'), { recursive: true });
    fs.copyFileSync(join(this.live, file), join(this.path, file));
  }

  /** Undefined for directories. Files are renamed after their first sync, so a name that is known is looked at again. */
  private nameOf(inode: number): string | undefined {
    const known = this.names.get(inode);
    const stat = known === undefined ? undefined : fs.statSync(join(this.live, known), { throwIfNoEntry: false });
    if (stat?.ino === inode) return known;
    for (const entry of fs.readdirSync(this.live, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = join(entry.parentPath, entry.name);
      this.names.set(fs.statSync(file).ino, relative(this.live, file));
    }
    return this.names.get(inode);
  }
}

/** The last write, which was never acknowledged: its log file, and from where to where the disk has not seen it yet. */
interface Unsynced {
  file: string;
  bytes: Buffer;
  from: number;
  to: number;
}

const insert = (database: Database, id: string) =>
  database.prisma.$executeRaw`insert into cameras (camera_id, friendly_name) values (${id}, 'x')`;

const idsIn = async (database: Database) =>
  (await database.prisma.camera.findMany({ orderBy: { cameraId: 'asc' } })).map((camera) => camera.cameraId);

/** Bytes without a pattern, the same at each run. */
const GARBAGE = createHash('shake256', { outputLength: 20_000 }).update('garbage').digest();

describe('after a power cut', () => {
  let fresh: FreshDatabase;
  let image: SyncedImage;
  const acknowledged: string[] = [];
  let unsynced: Unsynced;

  beforeAll(async () => {
    fresh = await freshDatabase('embedded');
    if (fresh.target.kind !== 'directory') throw new Error('These tests need a directory.');
    image = new SyncedImage(fresh.target.path);
    const database = await openDatabase(fresh.target);
    for (let n = 0; n < 40; n++) {
      const id = `camera ${String(n).padStart(2, '0')}`;
      await insert(database, id);
      acknowledged.push(id);
      // Tables are also written and synced in the middle, as at every checkpoint.
      if (n === 20) await database.prisma.$executeRaw`checkpoint`;
    }
    const { path } = fresh.target;
    let found: Unsynced | undefined;
    image.hasPower = (file) => {
      if (found !== undefined || !file.startsWith('pg_wal')) return found === undefined;
      const bytes = fs.readFileSync(join(path, file));
      const synced = fs.readFileSync(join(image.path, file));
      const differs = (at: number) => bytes[at] !== synced[at];
      let [from, to] = [0, bytes.length];
      while (from < to && !differs(from)) from++;
      while (to > from && !differs(to - 1)) to--;
      found = { file, bytes, from, to };
      return false;
    };
    await insert(database, 'never acknowledged');
    jest.restoreAllMocks();
    if (found === undefined) throw new Error('The last commit did not sync the log.');
    unsynced = found;
    await database.close();
  });
  afterAll(async () => {
    image.remove();
    await fresh.drop();
  });

  const middle = () => Math.floor((unsynced.from + unsynced.to) / 2);
  const overwritten = (log: Buffer, start: Buffer) => Buffer.concat([start, log.subarray(start.length)]);
  test.each<[what: string, damage: (log: Buffer) => Buffer, isThere?: boolean]>([
    ['nothing', (log) => log],
    ['a log that ends in the middle', () => unsynced.bytes.subarray(0, middle())],
    ['all but the last byte', (log) => overwritten(log, unsynced.bytes.subarray(0, unsynced.to - 1))],
    [
      'the second half without the first',
      (log) => Buffer.concat([log.subarray(0, middle()), unsynced.bytes.subarray(middle())]),
    ],
    ['garbage', (log) => overwritten(log, Buffer.concat([log.subarray(0, unsynced.from), GARBAGE]))],
    // No client was told that these were stored.
    ['the whole', () => unsynced.bytes, true],
  ])(
    'that left %s of the last write, it opens with everything that was acknowledged',
    async (_what, damage, isThere = false) => {
      expect(unsynced.to - unsynced.from).toBeGreaterThan(50);
      const path = image.copy();
      const log = join(path, unsynced.file);
      fs.writeFileSync(log, damage(fs.readFileSync(log)));
      const database = await openDatabase({ kind: 'directory', path });
      expect(await idsIn(database)).toEqual([...acknowledged, ...(isThere ? ['never acknowledged'] : [])]);
      // The database continues from there.
      await insert(database, 'new');
      expect(await idsIn(database)).toContain('new');
      await database.close();
      fs.rmSync(path, { recursive: true });
    },
  );
});
