// PGlite, and whether PostgreSQL inside it has stopped or has no disk space left.
import { PGlite, type PGliteOptions } from '@electric-sql/pglite';

/** The used part of the compiled program. `nfd` is the descriptor of a real file. */
interface Module {
  onAbort?: (what: unknown) => void;
  FS: { streams: ({ nfd?: number } | null)[]; close(stream: object): void };
}

/** SQLSTATE: the disk is full, or cannot be written. */
const DISK_FAILURES = ['53100', '58030'];

/** WASI's number for a full disk. Emscripten's file layer throws numbers without a message. */
const NO_SPACE = 51;

/**
 * Prisma keeps the last hundred errors, and an error keeps the objects on its stack in memory until `stack` is read:
 * here an instance of 140 MB.
 */
export function stopped(reason: string): Error {
  const error = new Error(`The embedded database has stopped: ${reason}`);
  error.stack = String(error.stack);
  return error;
}

/** Overrides two steps of PGlite 0.5.16. Remove this when PGlite refuses statements itself once its program has ended. */
export class EmbeddedPostgres extends PGlite {
  #lastWords = '';
  #stopped = false;

  /** True after a statement failed on a full disk; ReopeningPostgres resets it when there is space again. */
  outOfRoom = false;

  static async open(options: PGliteOptions): Promise<EmbeddedPostgres> {
    const postgres = new EmbeddedPostgres({
      ...options,
      onStderr: (line) => {
        const words = /(?:PANIC|FATAL):\s*(.*)$/.exec(line)?.[1];
        if (words !== undefined) postgres.#lastWords = words;
        return false;
      },
    });
    try {
      await postgres.waitReady;
    } catch (error) {
      postgres.#abandon();
      const { message = '', errno } = error as { message?: string; errno?: number };
      const words = postgres.#lastWords || message || `its files cannot be used (WASI error ${errno})`;
      throw Object.assign(new Error(words), errno === NO_SPACE && { code: 'ENOSPC' });
    }
    // Emscripten's runtime calls this when PostgreSQL aborts.
    (postgres.mod as Module).onAbort = (what) => {
      postgres.#stopped = true;
      postgres.#lastWords ||= String(what);
    };
    return postgres;
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  /** A stopped instance cannot shut down; the next opening replays its log. */
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
   * PostgreSQL ends itself when it cannot write or sync its log (a full or broken disk). PGlite would still pass
   * statements to it, which would never end, so they are refused here.
   */
  override execProtocolRawSync(message: Uint8Array) {
    if (this.#stopped) throw stopped(this.#lastWords);
    try {
      const answer = super.execProtocolRawSync(message);
      if (!this.#stopped) return answer;
    } catch (error) {
      if (!this.#stopped) throw error;
    }
    this.#abandon();
    throw stopped(this.#lastWords);
  }

  /** All statements pass here, also those in transactions. */
  override async execProtocolStream(...message: Parameters<PGlite['execProtocolStream']>) {
    try {
      return await super.execProtocolStream(...message);
    } catch (error) {
      if (DISK_FAILURES.includes(String((error as { code?: string }).code))) this.outOfRoom = true;
      throw error;
    }
  }
}
