// Defines what a server and the built-in database have in common: an adapter for Prisma, and sessions for migrations and maintenance.
import type { SqlDriverAdapterFactory } from '@prisma/client/runtime/client';

export type DatabaseTarget =
  | { kind: 'directory'; path: string }
  | { kind: 'memory' }
  | { kind: 'server'; url: string; poolSize: number };

/** Runs SQL in one session. A text without values may have several statements. */
export interface RunSql {
  (text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  /** The statements that start a transaction through a pooler, where each transaction needs the settings of the session again. */
  readonly begin?: string;
}

export async function inTransaction<Result>(run: RunSql, work: () => Promise<Result>): Promise<Result> {
  await run(run.begin ?? 'begin');
  try {
    const result = await work();
    await run('commit');
    return result;
  } catch (error) {
    // Only the first error is reported. If the connection is lost, the server rolls back automatically.
    await run('rollback').catch(() => {});
    throw error;
  }
}

/** Loads lines in COPY's text format. The statement names table and columns: `COPY cameras (camera_id, …)`. */
type LoadRows = (statement: string, lines: Buffer) => Promise<void>;

/** The number of connections in a pool, and of statements that wait for a connection. */
export interface PoolState {
  idle: number;
  busy: number;
  waiting: number;
}

/** Shows the operator a warning, with its cause. */
export type Warn = (message: string, cause: unknown) => void;

/** Shows the operator a step of the start that takes long, before it starts. */
export type ReportStep = (text: string) => void;

export interface Driver {
  readonly adapter: SqlDriverAdapterFactory;
  readonly vacuumsItself: boolean;
  /** Runs all SQL of `work` in the same session. */
  withSession<T>(work: (run: RunSql, load: LoadRows) => Promise<T>): Promise<T>;
  /** The state of the pool. Undefined for the built-in database, which has no pool. */
  pool?(): PoolState;
  /** Resolves if the server can write, without waiting for a connection of the pool. Undefined for the built-in database. */
  ready?(): Promise<void>;
  /** Ends all connections; busy connections after their work. Undefined for the built-in database. */
  renew?(): void;
  /** From now on, answers the command `backup` of other processes. Undefined for a server, which other programs can read themselves. */
  offerBackup?(): void;
  close(): Promise<void>;
}
