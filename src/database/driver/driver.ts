// The interface of both kinds of database: an adapter for Prisma, and a plain session for migrations and maintenance.
import type { SqlDriverAdapterFactory } from '@prisma/client/runtime/client';

export type DatabaseTarget =
  | { kind: 'directory'; path: string }
  | { kind: 'memory' }
  | { kind: 'server'; url: string; poolSize: number };

/** Runs SQL in one session. Without values, the text may have several statements. */
export interface RunSql {
  (text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  /** Begins a transaction with the settings of the session, where a pooler keeps these no longer; otherwise `begin`. */
  readonly begin?: string;
}

export async function inTransaction<Result>(run: RunSql, work: () => Promise<Result>): Promise<Result> {
  await run(run.begin ?? 'begin');
  try {
    const result = await work();
    await run('commit');
    return result;
  } catch (error) {
    // The first error is reported. Without a connection, the server rolls back by itself.
    await run('rollback').catch(() => {});
    throw error;
  }
}

/** Loads lines in COPY's text format. The statement names table and columns: `COPY cameras (camera_id, …)`. */
type LoadRows = (statement: string, lines: Buffer) => Promise<void>;

/** The connections of a pool, and the number of statements that wait for one. */
export interface PoolState {
  idle: number;
  busy: number;
  waiting: number;
}

/** For the operator: what to do, and the cause. */
export type Warn = (message: string, cause: unknown) => void;

export interface Driver {
  readonly adapter: SqlDriverAdapterFactory;
  readonly vacuumsItself: boolean;
  /** Runs all SQL of `work` in the same session. */
  withSession<T>(work: (run: RunSql, load: LoadRows) => Promise<T>): Promise<T>;
  /** Undefined without a pool. */
  pool?(): PoolState;
  /** Resolves when the server can write. It does not wait for a connection of the pool. Undefined without a pool. */
  ready?(): Promise<void>;
  /** Ends all connections, the busy ones after their work. Undefined without a pool. */
  renew?(): void;
  /** From now on answers `npm run backup`. Undefined for a server, which other programs can reach themselves. */
  offerBackup?(): void;
  close(): Promise<void>;
}
