// PGlite, cheaper per statement, and knowing when PostgreSQL inside it has given up or has no room left.
import { PGlite, type PGliteOptions, type QueryOptions, type Results } from '@electric-sql/pglite';

/** What is used here of the compiled program. `nfd` is the descriptor of a file that is a real one. */
interface Module {
  onAbort?: (what: unknown) => void;
  FS: { streams: ({ nfd?: number } | null)[]; close(stream: object): void };
}

/** SQLSTATE: the disk is full, or could not be written. */
const DISK_FAILURES = ['53100', '58030'];

/**
 * Prisma keeps the last hundred errors that it has seen, and an error keeps who was on its stack until that is read: here
 * an instance of 140 MB.
 */
export function stopped(reason: string): Error {
  const error = new Error(`The embedded database has stopped: ${reason}`);
  error.stack = String(error.stack);
  return error;
}

export class EmbeddedPostgres extends PGlite {
  #lastWords = '';
  #stopped = false;
  #parsers: QueryOptions['parsers'];

  /** Set when a statement has failed for want of room, until somebody has seen that there is room again. */
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
      throw new Error(postgres.#lastWords || (error as Error).message);
    }
    // The compiler's runtime calls this when the program inside it aborts.
    (postgres.mod as Module).onAbort = (what) => {
      postgres.#stopped = true;
      postgres.#lastWords ||= String(what);
    };
    return postgres;
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  /** One that has stopped cannot shut down; its log is replayed at the next opening. */
  override async close(): Promise<void> {
    if (!this.#stopped) await super.close();
  }

  /** Closes the files, and asks nothing more of the program. */
  #abandon(): void {
    this.#stopped = true;
    const files = (this.mod as Module | undefined)?.FS;
    for (const stream of files?.streams ?? []) {
      if (stream?.nfd !== undefined) files?.close(stream);
    }
  }

  /**
   * PostgreSQL ends itself when it cannot write or sync its log (a full or broken disk). PGlite goes on handing
   * statements to what is left, which then computes for ever, so everything after that is refused here.
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

  /** Every statement passes here, those in transactions too. */
  override async execProtocolStream(...message: Parameters<PGlite['execProtocolStream']>) {
    try {
      return await super.execProtocolStream(...message);
    } catch (error) {
      if (DISK_FAILURES.includes(String((error as { code?: string }).code))) this.outOfRoom = true;
      throw error;
    }
  }

  /**
   * Prisma's adapter gives its parsers along with every statement, and PGlite would copy them and its own 150 each time:
   * 0.1 ms of a trivial statement's 0.3 ms. So they are copied once, into its own.
   */
  override query<T>(text: string, values?: unknown[], options?: QueryOptions): Promise<Results<T>> {
    if (!options?.parsers) return super.query<T>(text, values, options);
    const { parsers, ...others } = options;
    if (parsers !== this.#parsers) Object.assign(this.parsers, parsers);
    this.#parsers = parsers;
    return super.query<T>(text, values, others);
  }
}
