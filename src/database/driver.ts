// What a kind of database must offer: an adapter for Prisma and one plain session for the migrations.
import type { SqlDriverAdapterFactory } from '@prisma/client/runtime/client';

/** Runs SQL in one session. Without values the text may hold several statements. */
export type RunSql = (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;

export interface Driver {
  readonly adapter: SqlDriverAdapterFactory;
  /** Everything that `work` runs is run in the same session. */
  withSession<T>(work: (run: RunSql) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
