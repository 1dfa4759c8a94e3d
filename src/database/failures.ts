// Distinguishes failed statements by their SQLSTATE, names the violated constraint, and repeats work that a deadlock undid.

interface Violation {
  kind: 'unique' | 'foreignKey' | 'check' | 'notNull' | 'exclusion';
  /** The name of the constraint or unique index; for notNull the name of the column. */
  constraint: string;
}

/** SQLSTATE class 23. 23001 is PostgreSQL 18's code for ON DELETE RESTRICT. */
const KINDS: Record<string, Violation['kind']> = {
  '23505': 'unique',
  '23503': 'foreignKey',
  '23001': 'foreignKey',
  '23514': 'check',
  '23502': 'notNull',
  '23P01': 'exclusion',
};

/** A driver's error in the adapter's form. Prisma's own error has it in `cause` or in `meta`. */
interface AdapterError {
  originalCode: string;
  originalMessage: string;
  column?: string;
  constraint?: { index?: string; fields?: string[] };
}

export function violatedConstraint(error: unknown): Violation | undefined {
  const failure = adapterError(error);
  const kind = failure && KINDS[failure.originalCode];
  return kind && { kind, constraint: constraintName(kind, failure) };
}

/** The errors that take the place of violated constraints, by the constraint's name. */
type Refusals = ReadonlyMap<string, () => Error>;

/** Does a write. A violated constraint becomes its refusal. */
export async function withRefusals<T>(refusals: Refusals, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw refusals.get(violatedConstraint(error)?.constraint ?? '')?.() ?? error;
  }
}

/** The code may be in the error of the driver, of the adapter or of Prisma. */
const hasCode = (error: unknown, code: string) =>
  !(error instanceof LostTransaction) &&
  chainOf(error).some((one) => one['code'] === code || one['originalCode'] === code);

/** A statement that was refused for a value (class 22), by a constraint (23) or by a function of a trigger (P0). It was undone. */
export const isRefused = (error: unknown) => /^(22|23|P0)/.test(adapterError(error)?.originalCode ?? '');

/** A statement that was rolled back because two writers waited for each other. It may be tried again. */
export const isDeadlock = (error: unknown) => hasCode(error, '40P01');

/** Tries of work that deadlocks. Each deadlock lets another writer finish. */
const MAX_TRIES = 5;

/** Does work again that a deadlock has undone. */
export async function retryAfterDeadlock<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = MAX_TRIES; ; tries -= 1) {
    try {
      return await work();
    } catch (error) {
      if (!isDeadlock(error) || tries === 1) throw error;
    }
  }
}

/** A statement that waited for a lock for as long as it may. It was undone. */
export const isLockTimeout = (error: unknown) => hasCode(error, '55P03');

/** A statement that the server ended, because it took too long. It was undone. */
export const isStatementTimeout = (error: unknown) => hasCode(error, '57014');

/** A write on a server that is read-only: a standby, or a primary after a failover. */
export const isReadOnly = (error: unknown) => hasCode(error, '25006');

/** A disk that is full or fails. The embedded database has the code of the system. */
export const isDiskFailure = (error: unknown) =>
  ['53100', '58030', 'ENOSPC', 'EDQUOT', 'EIO', 'EROFS'].some((code) => hasCode(error, code));

/** The role or the server has as many connections as it may, and none of them is the gateway's. */
export const hasNoConnection = (error: unknown) => hasCode(error, '53300') || hasCode(error, 'P2037');

/** A statement with the name of a time zone that the database does not know. */
export const isUnknownZone = (error: unknown) => hasCode(error, '22023');

/** The role lacks a right. */
export const isDenied = (error: unknown) => hasCode(error, '42501');

/** A deadlock or a timeout inside a transaction. Only the whole transaction may be tried again, not its statement. */
export class LostTransaction extends Error {}

/** Runs a statement of a transaction; a deadlock or a timeout becomes a LostTransaction. */
export async function asLostTransaction<Result>(statement: () => Promise<Result>): Promise<Result> {
  try {
    return await statement();
  } catch (error) {
    const isLost = isDeadlock(error) || isLockTimeout(error) || isStatementTimeout(error);
    throw isLost ? new LostTransaction('The transaction was undone', { cause: error }) : error;
  }
}

const adapterError = (error: unknown) =>
  chainOf(error).find(({ originalCode }) => typeof originalCode === 'string') as AdapterError | undefined;

/** The error, then the errors inside it: the driver's in Prisma's, and causes. */
export function chainOf(error: unknown, depth = 0): Record<string, unknown>[] {
  if (typeof error !== 'object' || error === null || depth > 5) return [];
  const { meta, cause } = error as { meta?: { driverAdapterError?: unknown }; cause?: unknown };
  const inside = [meta?.driverAdapterError, cause].flatMap((one) => chainOf(one, depth + 1));
  return [error as Record<string, unknown>, ...inside];
}

/**
 * The adapters have the constraint's name only for some kinds, but PostgreSQL's message always has it, in the quotation
 * marks of the server's language: after the table's name or, for a refused delete, before the referencing table's name.
 */
function constraintName(kind: Violation['kind'], failure: AdapterError): string {
  const quoted = [...failure.originalMessage.matchAll(/["“„«»‹'`]\s*([^"“”„«»‹›'`]+?)\s*["”“»«›'`]/g)].map(
    (match) => match[1]!,
  );
  if (kind === 'notNull') return failure.column ?? quoted[0] ?? '';
  if (failure.constraint?.index) return failure.constraint.index;
  const english = /constraint "([^"]+)"/.exec(failure.originalMessage)?.[1];
  return english ?? quoted.at(-1) ?? '';
}
