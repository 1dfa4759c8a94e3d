// The errors that may reach a client, each with its code, from which REST and GraphQL derive the HTTP status.

/** The HTTP status of each code. No REST path has the last two: only GraphQL reads the feed of changes. */
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

/** An error whose message is for the client. Other errors are logged, and the client gets a general message. */
export abstract class GatewayError extends Error {
  abstract readonly code: ErrorCode;
}

/** The HTTP request cannot be read as one of this interface. */
export class BadRequest extends GatewayError {
  readonly code = 'BAD_REQUEST';
}

/** One fault of an input. */
export interface Issue {
  /** The member with the fault: names in GraphQL spelling and indices, from the argument on. Empty for the whole input. */
  readonly path: readonly (string | number)[];
  /** The words behind the member's name, such as "must not be empty". With a capital letter: a sentence of its own. */
  readonly message: string;
}

/** The faults in words, each once. @param spell spells the members: REST does it as its documents do */
export function inWords(issues: readonly Issue[], spell: (member: string) => string = String): string {
  const sentences = issues.map(({ path, message }) => {
    const member = path.findLast((name) => typeof name === 'string');
    return member === undefined || /^[A-Z]/.test(message) ? message : `${spell(member)} ${message}`;
  });
  return [...new Set(sentences)].join('; ');
}

/** The most issues of one error. One request can have 50,000 faults, which are 4 MB of issues. */
const MAX_ISSUES = 100;

function firstOf(issues: readonly Issue[]): readonly Issue[] {
  const more = issues.length - MAX_ISSUES;
  return more > 0 ? [...issues.slice(0, MAX_ISSUES), { path: [], message: `There are more faults: ${more}` }] : issues;
}

/** An error that names the members of the input that are at fault, the first MAX_ISSUES of them. */
export abstract class InputError extends GatewayError {
  readonly issues: readonly Issue[];
  constructor(fault: string | readonly Issue[], ...path: Issue['path']) {
    const issues = typeof fault === 'string' ? [{ path, message: fault }] : firstOf(fault);
    super(inWords(issues));
    this.issues = issues;
  }
}

/** Input that cannot be accepted. Each message states the allowed values. */
export class BadInput extends InputError {
  readonly code = 'BAD_USER_INPUT';
}

type Link = 'printer' | 'spool' | 'material' | 'filament' | 'camera';

/** An input names an object that does not exist. @param path of the member, where it is not in `input` */
export const unknownLink = (kind: Link, ...path: Issue['path']) =>
  new BadInput(`must be the id of a ${kind}`, ...pathOf(kind, path));

/** An input names an object that is out of use. */
export const archivedLink = (kind: Link, ...path: Issue['path']) =>
  new BadInput(`must be the id of a ${kind} in use: this ${kind} is archived`, ...pathOf(kind, path));

const pathOf = (kind: Link, path: Issue['path']) => (path.length > 0 ? path : ['input', `${kind}Id`]);

/** The row that a mutation or a REST path names does not exist. */
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

/** Another row has this unique value. */
export class Conflict extends InputError {
  readonly code = 'CONFLICT';
}

/** The idempotency key was used for another request. */
export class KeyReused extends GatewayError {
  readonly code = 'IDEMPOTENCY_KEY_REUSED';
}

/** Changes after the cursor were removed, or its change is not in this database. */
export class CursorExpired extends GatewayError {
  readonly code = 'CURSOR_EXPIRED';
  constructor() {
    super(
      'The feed no longer knows the cursor in after. Read latestChangeCursor, then all objects, then watch after that cursor',
    );
  }
}

/** A watcher does not read its messages. */
export class SlowConsumer extends GatewayError {
  readonly code = 'SLOW_CONSUMER';
  /** @param cursor of the last change that was sent; null when none was */
  constructor(readonly cursor: string | null) {
    super('The client reads too slowly: subscribe again after the cursor of the last change that it has');
  }
}

/** The request has no credentials, or wrong ones. */
export class Unauthenticated extends GatewayError {
  readonly code = 'UNAUTHENTICATED';
}

/** The caller has no right to do this. */
export class Forbidden extends GatewayError {
  readonly code = 'FORBIDDEN';
}

/** The removal of an object would remove its device, too, which `write` does not allow. */
export const deviceKeeps = (kind: 'printer' | 'camera') =>
  new Forbidden(
    `This ${kind} has a device, and these credentials do not have the scope "devices": who has it removes the device first`,
  );

/** Most outages are short: a server that starts again, or a burst of requests. */
export const RETRY_SECONDS = 5;

/** The caller, or all callers together, ask for more than is allowed at a time. */
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

/** What clients read of a request that failed for no fault of its own: what happened, and what to do next. */
export const OUTAGES = {
  LATE:
    'The request took longer than the time limit of the gateway. Ask for less at a time: fewer rows, fewer fields or a shorter time; ' +
    `divide a file that you import. If the request was small, the gateway is busy: try again in ${RETRY_SECONDS} s. ` +
    'Part of a write may be done: read what is stored before you repeat it.',
  BUSY: `The gateway is busy, and this request waited too long for the database. ${TRY_AGAIN}`,
  AWAY: `The database does not answer. ${TRY_AGAIN}`,
  CANNOT_WRITE:
    'The database cannot write: its disk is full or fails, or its server is read-only. Nothing was written. The operator of the ' +
    'gateway finds the reason in its log.',
  PROVIDER: `The identity provider does not answer, so the gateway cannot check the credentials. ${TRY_AGAIN}`,
};

/** Another server that this request needs does not answer. Clients may try again. */
export class Unavailable extends Error {
  readonly retryAfterSeconds = RETRY_SECONDS;
  /** @param message for the log */
  constructor(
    message: string,
    readonly outage: keyof typeof OUTAGES = 'AWAY',
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The database does not answer, or not in time. The log gets one line per outage. */
export class DatabaseUnavailable extends Unavailable {}

/** The time of the request is over, so it reads and writes nothing more. Other requests may have time left. */
export class DeadlineExceeded extends DatabaseUnavailable {
  constructor() {
    super('The time of the request is over', 'LATE');
  }
}
