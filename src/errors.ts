// Defines the errors that may reach a client. Each has a code, from which REST and GraphQL derive the HTTP status.

/** The HTTP status of each code. REST never answers with the last two, because only GraphQL reads the feed of changes. */
export const HTTP_STATUS = {
  BAD_REQUEST: 400,
  BAD_USER_INPUT: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  IDEMPOTENCY_KEY_REUSED: 422,
  TOO_MANY_REQUESTS: 429,
  PERSISTED_QUERY_NOT_IN_LIST: 403,
  CURSOR_EXPIRED: 410,
  SLOW_CONSUMER: 410,
};

type ErrorCode = keyof typeof HTTP_STATUS;

/** An error whose message is written for the client. Any other error is logged, and the client gets a general message. */
export abstract class GatewayError extends Error {
  abstract readonly code: ErrorCode;
}

/** The HTTP request cannot be understood: its headers, its body or its parameters have the wrong form. */
export class BadRequest extends GatewayError {
  readonly code = 'BAD_REQUEST';
}

/** One fault of an input. */
export interface Issue {
  /**
   * The path to the member with the fault: names as GraphQL spells them and indices, starting with the argument. An empty
   * path means the whole input.
   */
  readonly path: readonly (string | number)[];
  /**
   * If the message starts with a small letter, it continues the member's name, such as "must not be empty". If it starts
   * with a capital letter, it is a whole sentence.
   */
  readonly message: string;
}

/**
 * Joins the messages of all faults; equal messages appear once.
 * @param spell spells the names of members, because REST spells them differently
 */
export function formatIssues(issues: readonly Issue[], spell: (member: string) => string = String): string {
  const sentences = issues.map(({ path, message }) => {
    const member = path.findLast((name) => typeof name === 'string');
    return member === undefined || /^[A-Z]/.test(message) ? message : `${spell(member)} ${message}`;
  });
  return [...new Set(sentences)].join('; ');
}

/** The most issues of one error. One request can have 50,000 faults, whose issues would be 4 MB. */
const MAX_ISSUES = 100;

function limitIssues(issues: readonly Issue[]): readonly Issue[] {
  const more = issues.length - MAX_ISSUES;
  return more > 0 ? [...issues.slice(0, MAX_ISSUES), { path: [], message: `There are ${more} more faults` }] : issues;
}

/** An error that names the members of the input that have faults, up to MAX_ISSUES of them. */
export abstract class InputError extends GatewayError {
  readonly issues: readonly Issue[];
  constructor(fault: string | readonly Issue[], ...path: Issue['path']) {
    const issues = typeof fault === 'string' ? [{ path, message: fault }] : limitIssues(fault);
    super(formatIssues(issues));
    this.issues = issues;
  }
}

/** The input has a value that is not allowed. Each message states which values are allowed. */
export class BadInput extends InputError {
  readonly code = 'BAD_USER_INPUT';
}

type Link = 'printer' | 'spool' | 'material' | 'filament' | 'camera';

/**
 * The error for an input with the id of an object that does not exist.
 * @param path the path of the member, if the member is not in `input`
 */
export const unknownLink = (kind: Link, ...path: Issue['path']) =>
  new BadInput(`must be the id of a ${kind}`, ...completePath(kind, path));

/** The error for an input with the id of an archived object. */
export const archivedLink = (kind: Link, ...path: Issue['path']) =>
  new BadInput(`must be the id of a ${kind} that is not archived`, ...completePath(kind, path));

const completePath = (kind: Link, path: Issue['path']) => (path.length > 0 ? path : ['input', `${kind}Id`]);

/** A mutation or a REST path names an object that does not exist. */
export class NotFound extends GatewayError {
  readonly code = 'NOT_FOUND';
  constructor(kind: string, ids: readonly string[]) {
    super(`There is no ${kind} ${ids.join(', ')}`);
  }
}

export function orNotFound<Row>(row: Row | null, kind: string, id: string): Row {
  if (row === null) throw new NotFound(kind, [id]);
  return row;
}

/** The write contradicts the stored state, such as a name that another object has. */
export class Conflict extends InputError {
  readonly code = 'CONFLICT';
}

/** The idempotency key was used for another request. */
export class KeyReused extends GatewayError {
  readonly code = 'IDEMPOTENCY_KEY_REUSED';
}

/** Changes after the cursor were deleted, or the cursor is from another database. */
export class CursorExpired extends GatewayError {
  readonly code = 'CURSOR_EXPIRED';
  constructor() {
    super(
      'The cursor in after has expired, because changes after it were deleted. Read latestChangeCursor, read all objects, and subscribe after that cursor.',
    );
  }
}

/** A subscriber reads its messages more slowly than changes arrive. */
export class SlowConsumer extends GatewayError {
  readonly code = 'SLOW_CONSUMER';
  /** @param cursor the cursor of the last change that was sent; null if no change was sent */
  constructor(readonly cursor: string | null) {
    super('The client reads changes too slowly. Subscribe again after the cursor of the last change that arrived.');
  }
}

/** The request has no credentials, or wrong credentials. */
export class Unauthenticated extends GatewayError {
  readonly code = 'UNAUTHENTICATED';
}

/** The caller's credentials do not allow this operation. */
export class Forbidden extends GatewayError {
  readonly code = 'FORBIDDEN';
}

/** Removing a printer or camera removes its connection, too, for which the scope `write` is not enough. */
export const connectionMustGoFirst = (kind: 'printer' | 'camera') =>
  new Forbidden(
    `This ${kind} has a connection, and removing a connection needs the scope "devices". Use a key with this scope, or ask somebody who has one to remove the connection first.`,
  );

/** Most outages are short, such as a restart of the server or a burst of requests. */
export const RETRY_SECONDS = 5;

/** One caller, or all callers together, sent more requests than the limits allow. */
export class TooManyRequests extends GatewayError {
  readonly code = 'TOO_MANY_REQUESTS';
  constructor(
    message: string,
    readonly retryAfterSeconds = RETRY_SECONDS,
  ) {
    super(message);
  }
}

/** The operation is not in the manifest of persisted operations. */
export class NotPersisted extends GatewayError {
  readonly code = 'PERSISTED_QUERY_NOT_IN_LIST';
}

const TRY_AGAIN = `Try again in ${RETRY_SECONDS} s.`;

/** What clients read of a failure of the gateway itself. The cause is only in the log, because it could show internals. */
export const UNEXPECTED_MESSAGE =
  'The gateway could not complete the request. The operator finds the reason in its log.';

/** What clients read of a request that failed for no fault of its own: what happened, and what to do next. */
export const OUTAGE_MESSAGES = {
  LATE:
    'The request took longer than the time limit of the gateway. Request fewer rows, fewer fields or a shorter period, or split the file ' +
    `that you import. If the request was small, the gateway is busy. Try again in ${RETRY_SECONDS} s. ` +
    'If the request was a write, check what is stored first: part of it may be done.',
  BUSY: `The gateway is busy, and this request waited too long for the database. ${TRY_AGAIN}`,
  AWAY: `The database does not answer. ${TRY_AGAIN}`,
  CANNOT_WRITE:
    'The database cannot write: its disk is full or failing, or its server is read-only. Nothing was written. The operator finds the ' +
    'reason in the log of the gateway.',
  SOCKETS: `The gateway has as many open WebSockets as it can serve. ${TRY_AGAIN}`,
  PROVIDER: `The identity provider does not answer, so the gateway cannot check the credentials. ${TRY_AGAIN}`,
};

/** A server that this request needs does not answer. Clients get the sentence of the outage and may retry. */
export class Unavailable extends Error {
  readonly retryAfterSeconds = RETRY_SECONDS;
  /** @param message for the log */
  constructor(
    message: string,
    readonly outage: keyof typeof OUTAGE_MESSAGES = 'AWAY',
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The database does not answer in time. The log gets one line for each outage. */
export class DatabaseUnavailable extends Unavailable {}

/** The request reached its time limit, so it reads and writes nothing more. Other requests are not affected. */
export class DeadlineExceeded extends DatabaseUnavailable {
  constructor() {
    super('The request reached its time limit', 'LATE');
  }
}
