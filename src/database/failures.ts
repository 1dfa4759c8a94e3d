// Recognises why a statement failed by its SQLSTATE, names the violated constraint, and repeats work that a deadlock undid.

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

/** A driver's error as the adapter passes it on. Prisma's own error has it in `cause` or in `meta`. */
interface AdapterError {
  originalCode: string;
  originalMessage: string;
  column?: string;
  constraint?: { index?: string; fields?: string[] };
}

export function violatedConstraint(error: unknown): Violation | undefined {
  const failure = findAdapterError(error);
  const kind = failure && KINDS[failure.originalCode];
  return kind && { kind, constraint: findConstraintName(kind, failure) };
}

/** For each constraint, by its name, the error that the client gets when a write violates it. */
type ViolationErrors = ReadonlyMap<string, () => Error>;

/** Runs a write. If it violates one of the constraints, throws the error for that constraint. */
export async function translateViolations<T>(refusals: ViolationErrors, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    throw refusals.get(violatedConstraint(error)?.constraint ?? '')?.() ?? error;
  }
}

/** Whether an error has the code. It may be in the error of the driver, of the adapter or of Prisma. */
const hasCode = (error: unknown, code: string) =>
  !(error instanceof LostTransaction) &&
  listCauses(error).some((cause) => cause['code'] === code || cause['originalCode'] === code);

/** Whether the database refused and undid the statement because of a value (class 22), a constraint (23) or a trigger (P0). */
export const isRefused = (error: unknown) => /^(22|23|P0)/.test(findAdapterError(error)?.originalCode ?? '');

/** Whether the database undid the statement because two writers waited for each other. It may be tried again. */
export const isDeadlock = (error: unknown) => hasCode(error, '40P01');

/** How often work is tried that deadlocks. Each deadlock lets another writer finish. */
const MAX_TRIES = 5;

/** Runs work, and runs it again when a deadlock has undone it. */
export async function retryAfterDeadlock<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = MAX_TRIES; ; tries -= 1) {
    try {
      return await work();
    } catch (error) {
      if (!isDeadlock(error) || tries === 1) throw error;
    }
  }
}

/** Whether the database undid the statement because it waited for a lock for too long. */
export const isLockTimeout = (error: unknown) => hasCode(error, '55P03');

/** Whether the server ended and undid the statement because it took too long. */
export const isStatementTimeout = (error: unknown) => hasCode(error, '57014');

/** Whether a write failed because the server is read-only: a standby, or the old primary after a failover. */
export const isReadOnly = (error: unknown) => hasCode(error, '25006');

/** Whether the disk is full or fails. The built-in database reports the code of the operating system. */
export const isDiskFailure = (error: unknown) =>
  ['53100', '58030', 'ENOSPC', 'EDQUOT', 'EIO', 'EROFS'].some((code) => hasCode(error, code));

/** Whether the gateway has no connection because the role or the server has reached its limit of connections. */
export const hasNoConnection = (error: unknown) => hasCode(error, '53300') || hasCode(error, 'P2037');

/** Whether the statement named a time zone that the database does not know. */
export const isUnknownZone = (error: unknown) => hasCode(error, '22023');

/** Whether the role has too few rights for the statement. */
export const isDenied = (error: unknown) => hasCode(error, '42501');

/** A deadlock or a timeout undid a transaction. Only the whole transaction may be tried again, not the statement. */
export class LostTransaction extends Error {}

/** Runs a statement of a transaction. If a deadlock or a timeout undoes the transaction, throws a LostTransaction. */
export async function detectLostTransaction<Result>(statement: () => Promise<Result>): Promise<Result> {
  try {
    return await statement();
  } catch (error) {
    const isLost = isDeadlock(error) || isLockTimeout(error) || isStatementTimeout(error);
    throw isLost ? new LostTransaction('The database rolled back the transaction', { cause: error }) : error;
  }
}

const findAdapterError = (error: unknown) =>
  listCauses(error).find(({ originalCode }) => typeof originalCode === 'string') as AdapterError | undefined;

/** The error and all errors inside it: the driver's error in Prisma's error, and the causes. */
export function listCauses(error: unknown, depth = 0): Record<string, unknown>[] {
  if (typeof error !== 'object' || error === null || depth > 5) return [];
  const { meta, cause } = error as { meta?: { driverAdapterError?: unknown }; cause?: unknown };
  const inner = [meta?.driverAdapterError, cause].flatMap((next) => listCauses(next, depth + 1));
  return [error as Record<string, unknown>, ...inner];
}

/**
 * Finds the constraint's name. The adapters report it only for some kinds of constraints, but PostgreSQL's message always
 * has it, in the quotation marks of the server's language: after the name of the table or, when a delete was refused, before
 * the name of the referencing table.
 */
function findConstraintName(kind: Violation['kind'], failure: AdapterError): string {
  const quoted = [...failure.originalMessage.matchAll(/["“„«»‹'`]\s*([^"“”„«»‹›'`]+?)\s*["”“»«›'`]/g)].map(
    (match) => match[1]!,
  );
  if (kind === 'notNull') return failure.column ?? quoted[0] ?? '';
  if (failure.constraint?.index) return failure.constraint.index;
  const english = /constraint "([^"]+)"/.exec(failure.originalMessage)?.[1];
  return english ?? quoted.at(-1) ?? '';
}
