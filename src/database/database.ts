// The one database of the process: opened, in UTC, migrated, with the only Prisma client on it.
import type { DatabaseTarget } from '../config';
import { type Prisma, PrismaClient } from '../generated/prisma/client';
import type { Driver } from './driver';
import { openEmbedded } from './embedded';
import { applyMigrations } from './migrations';
import { openServer } from './server';

export interface Database {
  readonly prisma: PrismaClient;
  /**
   * Runs one statement whose only row has one column `value`, of type json or text holding JSON, and returns it parsed;
   * null when there is no row. (A column of type json must not hold a bare string: Prisma has parsed it already.)
   */
  json<T>(statement: Prisma.Sql): Promise<T>;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** The database without migrations and without Prisma. */
export function openDriver(target: DatabaseTarget): Promise<Driver> {
  return target.kind === 'server' ? openServer(target) : openEmbedded(target);
}

export async function openDatabase(target: DatabaseTarget): Promise<Database> {
  const driver = await openDriver(target);
  try {
    await driver.withSession((run) => applyMigrations(run));
    const database = connect(driver);
    // Prisma compiles its query compiler at the first statement, about 0.1 s, which would be the first request's.
    await database.ping();
    driver.offerBackup?.();
    return database;
  } catch (error) {
    await driver.close();
    throw error;
  }
}

function connect(driver: Driver): Database {
  const prisma = new PrismaClient({
    adapter: driver.adapter,
    // An embedded database has one connection, so a transaction waits for those before it; Prisma's 2 s are short.
    transactionOptions: { maxWait: 10_000, timeout: 20_000 },
  });
  return {
    prisma,
    async json<T>(statement: Prisma.Sql): Promise<T> {
      const [row] = await prisma.$queryRaw<{ value: unknown }[]>(statement);
      const value = row?.value ?? null;
      return (typeof value === 'string' ? JSON.parse(value) : value) as T;
    },
    async ping() {
      await prisma.$queryRaw`select 1`;
    },
    async close() {
      await prisma.$disconnect();
      await driver.close();
    },
  };
}
