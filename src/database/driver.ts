// What a kind of database must offer: an adapter for Prisma and one plain session for the migrations.
import type { SqlDriverAdapterFactory } from '@prisma/client/runtime/client';

/** Runs SQL in one session. Without values the text may hold several statements. */
export type RunSql = (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;

/** Loads lines of COPY's text format by a statement that names table and columns: `COPY cameras (camera_id, …)`. */
export type LoadRows = (statement: string, lines: Buffer) => Promise<void>;

/** The connections of a pool, and the statements that wait for one. */
export interface PoolState {
  idle: number;
  busy: number;
  waiting: number;
}

export interface Driver {
  readonly adapter: SqlDriverAdapterFactory;
  /** Whether the database works in a process of its own, while this one works. */
  readonly isApart: boolean;
  /** Everything that `work` runs is run in the same session. */
  withSession<T>(work: (run: RunSql, load: LoadRows) => Promise<T>): Promise<T>;
  /** Undefined where there is no pool. */
  pool?(): PoolState;
  /** From now on `npm run backup` is answered, where the database has nobody else to ask. */
  offerBackup?(): void;
  close(): Promise<void>;
}
