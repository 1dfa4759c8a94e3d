// Recognises which constraint a failed statement has violated, whatever adapter and whatever kind of query it was.

export interface Violation {
  kind: 'unique' | 'foreignKey' | 'check' | 'notNull';
  /** The constraint's (or unique index's) name; for notNull the column's. */
  constraint: string;
}

/** SQLSTATE class 23. PostgreSQL 18 has a code of its own for ON DELETE RESTRICT. */
const KINDS: Record<string, Violation['kind']> = {
  '23505': 'unique',
  '23503': 'foreignKey',
  '23001': 'foreignKey',
  '23514': 'check',
  '23502': 'notNull',
};

/** What an adapter makes of a driver's error; Prisma's own error carries it as `cause` or under `meta`. */
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

/** Two writers waited for each other: the statement is undone altogether, and may be tried again. */
export const isDeadlock = (error: unknown) =>
  !(error instanceof LostTransaction) && adapterError(error)?.originalCode === '40P01';

/** The same within a transaction, which is undone altogether and may be tried again; its statement alone may not. */
export class LostTransaction extends Error {}

/** Runs a statement of a transaction. */
export async function losing<Result>(statement: () => Promise<Result>): Promise<Result> {
  try {
    return await statement();
  } catch (error) {
    throw isDeadlock(error) ? new LostTransaction('deadlock', { cause: error }) : error;
  }
}

function adapterError(error: unknown, depth = 0): AdapterError | undefined {
  if (typeof error !== 'object' || error === null || depth > 5) return undefined;
  const { originalCode, cause, meta } = error as { originalCode?: unknown; cause?: unknown; meta?: unknown };
  if (typeof originalCode === 'string') return error as AdapterError;
  const { driverAdapterError } = (meta ?? {}) as { driverAdapterError?: unknown };
  return adapterError(driverAdapterError, depth + 1) ?? adapterError(cause, depth + 1);
}

/**
 * The adapters keep a constraint's name for some kinds only, but PostgreSQL's message has it always, in quotation marks
 * of the server's language: after the table's, or (a refused delete) before the referencing table's.
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
