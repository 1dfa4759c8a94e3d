// Runs PGlite in a directory, and opens it again after PostgreSQL has stopped, as soon as the disk can be written.
import fs from 'node:fs';
import { join } from 'node:path';
import type { QueryOptions, Transaction } from '@electric-sql/pglite';
import { type EmbeddedPostgres, makeStoppedError } from './pglite';

/** The time between two attempts to open it. Opening blocks the process for about half a second. */
const BETWEEN_ATTEMPTS_MS = 1000;

/** The free space that is needed: the next segment of the log (16 MB), without which PostgreSQL stops again, and the files of a recovery. */
const ROOM_BYTES = 17 * 1024 * 1024;

/** The dot shows that the file does not belong to PostgreSQL. */
const TRIAL_FILE = '.room';

/** The methods of PGlite that are used. Each statement goes to the instance that is open at that moment. */
export class ReopeningPostgres {
  #attempt: Promise<void> | undefined;
  #nextAttempt = 0;
  #closed = false;

  constructor(
    private current: EmbeddedPostgres,
    private readonly path: string,
    private readonly open: () => Promise<EmbeddedPostgres>,
  ) {}

  async query<T>(text: string, values?: unknown[], options?: QueryOptions) {
    return (await this.running()).query<T>(text, values, options);
  }

  async exec(text: string) {
    return (await this.running()).exec(text);
  }

  async transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return (await this.running()).transaction(work);
  }

  /** The open instance, for work that must stay on one instance. All waiting statements share one attempt to open it again. */
  async running(): Promise<EmbeddedPostgres> {
    if (!this.current.stopped && !this.current.outOfRoom) return this.current;
    if (this.#closed || (this.#attempt === undefined && performance.now() < this.#nextAttempt)) {
      throw makeStoppedError('the gateway opens it again in a moment');
    }
    this.#attempt ??= this.#reopen().finally(() => {
      this.#attempt = undefined;
      this.#nextAttempt = performance.now() + BETWEEN_ATTEMPTS_MS;
    });
    await this.#attempt;
    return this.current;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#attempt?.catch(() => {});
    await this.current.close();
  }

  /** Opening replays the log, which has all acknowledged commits. */
  async #reopen(): Promise<void> {
    try {
      await this.#tryDisk();
      if (this.current.stopped) this.current = await this.open();
      this.current.outOfRoom = false;
    } catch (error) {
      throw makeStoppedError((error as Error).message);
    }
  }

  /** Throws if the disk has too little space. It also writes a file, because a quota may be below the reported free space, or the disk may be broken. */
  async #tryDisk(): Promise<void> {
    // If the disk is not mounted, PGlite would create a new database in the empty folder.
    if (!fs.existsSync(join(this.path, 'PG_VERSION'))) throw new Error(`there is no database in ${this.path}`);
    const { bavail, bsize } = await fs.promises.statfs(this.path);
    if (bavail * bsize < ROOM_BYTES) throw new Error('No space left on device');
    const file = join(this.path, TRIAL_FILE);
    try {
      await fs.promises.writeFile(file, Buffer.alloc(ROOM_BYTES), { flush: true });
    } finally {
      await fs.promises.rm(file, { force: true });
    }
  }
}
