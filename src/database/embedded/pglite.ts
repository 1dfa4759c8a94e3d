// Runs PGlite, and knows whether the PostgreSQL inside it has stopped or has no disk space left.
import { PGlite, type PGliteOptions } from '@electric-sql/pglite';

/** The members of PGlite's compiled program that are used here. `nfd` is the descriptor of a real file. */
interface Module {
  onAbort?: (what: unknown) => void;
  FS: { streams: ({ nfd?: number } | null)[]; close(stream: object): void };
}

/** The SQLSTATEs for a disk that is full or cannot be written. */
const DISK_FAILURES = ['53100', '58030'];

/** WASI's error number for a full disk. Emscripten's file layer throws numbers without a message. */
const NO_SPACE = 51;

/**
 * The error for a statement while PostgreSQL has stopped. It reads its own `stack`, because an error keeps the objects on its stack
 * in memory until then, here an instance of 140 MB, and Prisma keeps the last hundred errors.
 */
export function makeStoppedError(reason: string): Error {
  const error = new Error(`The built-in database has stopped: ${reason}`);
  error.stack = String(error.stack);
  return error;
}

/** Changes two methods of PGlite 0.5.16. Remove it when PGlite itself refuses statements after its program has ended. */
export class EmbeddedPostgres extends PGlite {
  /** The last message of PostgreSQL before it stopped. */
  #lastMessage = '';
  #stopped = false;

  /** True after a statement failed because the disk is full. ReopeningPostgres resets it when there is space again. */
  outOfRoom = false;

  static async open(options: PGliteOptions): Promise<EmbeddedPostgres> {
    const postgres = new EmbeddedPostgres({
      ...options,
      onStderr: (line) => {
        const message = /(?:PANIC|FATAL):\s*(.*)$/.exec(line)?.[1];
        if (message !== undefined) postgres.#lastMessage = message;
        return false;
      },
    });
    try {
      await postgres.waitReady;
    } catch (error) {
      postgres.#abandon();
      const { message = '', errno } = error as { message?: string; errno?: number };
      const reason = postgres.#lastMessage || message || `its files cannot be used (WASI error ${errno})`;
      throw Object.assign(new Error(reason), errno === NO_SPACE && { code: 'ENOSPC' });
    }
    // Emscripten's runtime calls this when PostgreSQL aborts.
    (postgres.mod as Module).onAbort = (what) => {
      postgres.#stopped = true;
      postgres.#lastMessage ||= String(what);
    };
    return postgres;
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  /** An instance that has stopped cannot shut down. The next instance replays its log. */
  override async close(): Promise<void> {
    if (!this.#stopped) await super.close();
  }

  /** Closes the files and does not call the program again. */
  #abandon(): void {
    this.#stopped = true;
    const files = (this.mod as Module | undefined)?.FS;
    for (const stream of files?.streams ?? []) {
      if (stream?.nfd !== undefined) files?.close(stream);
    }
  }

  /**
   * PostgreSQL stops when it cannot write or sync its log because the disk is full or broken. PGlite would still pass statements
   * to it, and these would never end. So this method refuses them.
   */
  override execProtocolRawSync(message: Uint8Array) {
    if (this.#stopped) throw makeStoppedError(this.#lastMessage);
    try {
      const answer = super.execProtocolRawSync(message);
      if (!this.#stopped) return answer;
    } catch (error) {
      if (!this.#stopped) throw error;
    }
    this.#abandon();
    throw makeStoppedError(this.#lastMessage);
  }

  /** Every statement passes through this method, also in a transaction. */
  override async execProtocolStream(...message: Parameters<PGlite['execProtocolStream']>) {
    try {
      return await super.execProtocolStream(...message);
    } catch (error) {
      if (DISK_FAILURES.includes(String((error as { code?: string }).code))) this.outOfRoom = true;
      throw error;
    }
  }
}
