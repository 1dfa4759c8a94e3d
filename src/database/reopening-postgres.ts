// PGlite in a directory, opened anew when PostgreSQL inside it has given up and the disk can be written again.
import fs from 'node:fs';
import { join } from 'node:path';
import type { QueryOptions, Transaction } from '@electric-sql/pglite';
import { type EmbeddedPostgres, stopped } from './embedded-postgres';

/** From the end of one attempt to the next. An opening blocks the process for about half a second. */
const BETWEEN_ATTEMPTS_MS = 1000;

/** The next segment of the log, without which PostgreSQL stops again, and what recovery writes beside it. */
const ROOM_BYTES = 17 * 1024 * 1024;

/** Its name begins with a dot, as those of the files that are not PostgreSQL's do. */
const TRIAL_FILE = '.room';

/** The part of PGlite that is used: every statement goes to the instance that is open at the time. */
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

  /** The instance that is open, for what must not begin in one and go on in another. All who wait share one attempt. */
  async running(): Promise<EmbeddedPostgres> {
    if (!this.current.stopped && !this.current.outOfRoom) return this.current;
    if (this.#closed || (this.#attempt === undefined && performance.now() < this.#nextAttempt)) {
      throw stopped('it is tried again in a moment');
    }
    this.#attempt ??= this.#goOn().finally(() => {
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

  /** What was acknowledged is in the log on the disk, and opening replays it. */
  async #goOn(): Promise<void> {
    try {
      await this.#tryDisk();
      if (this.current.stopped) this.current = await this.open();
      this.current.outOfRoom = false;
    } catch (error) {
      throw stopped((error as Error).message);
    }
  }

  /** The space that is said to be free may be under a quota, and the disk may be broken, so it is written as well. */
  async #tryDisk(): Promise<void> {
    // Where a disk has been unmounted PGlite would make a new database.
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
