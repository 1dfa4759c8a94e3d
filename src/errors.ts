// The one family of errors that may reach a client, each with its code; the doors look their HTTP status up by it.

export type ErrorCode =
  | 'BAD_USER_INPUT'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'TOO_MANY_REQUESTS'
  | 'PERSISTED_QUERY_NOT_IN_LIST';

/** An error whose message is meant for the client. Everything else is masked at the door and goes to the log. */
export abstract class GatewayError extends Error {
  abstract readonly code: ErrorCode;
}

/**
 * Input that cannot be accepted. `member` is the GraphQL spelling of what is wrong (`friendlyName`, `pageSize`), so that
 * the REST door can respell it as its document does; `problem` says what is allowed.
 */
export class BadInput extends GatewayError {
  readonly code = 'BAD_USER_INPUT';
  constructor(
    readonly problem: string,
    readonly member?: string,
  ) {
    super(member === undefined ? problem : `${member} ${problem}`);
  }
}

/** A mutation or a REST path named something that does not exist. */
export class NotFound extends GatewayError {
  readonly code = 'NOT_FOUND';
}

/** Something unique is taken already. */
export class Conflict extends GatewayError {
  readonly code = 'CONFLICT';
  constructor(
    readonly problem: string,
    readonly member?: string,
  ) {
    super(member === undefined ? problem : `${member} ${problem}`);
  }
}

/** An idempotency key came again with another request. */
export class KeyReused extends GatewayError {
  readonly code = 'IDEMPOTENCY_KEY_REUSED';
}

/** Nobody is known behind the request, or their credentials are not accepted. */
export class Unauthenticated extends GatewayError {
  readonly code = 'UNAUTHENTICATED';
}

/** Who is behind the request may not do this. */
export class Forbidden extends GatewayError {
  readonly code = 'FORBIDDEN';
}

/** One client has asked for more than its share. */
export class TooManyRequests extends GatewayError {
  readonly code = 'TOO_MANY_REQUESTS';
  constructor(
    limit: number,
    readonly retryAfterSeconds: number,
  ) {
    super(`More than ${limit} requests in a minute; the next is welcome in ${retryAfterSeconds} s`);
  }
}

/** The operation is not one of those that the gateway carries out. */
export class NotPersisted extends GatewayError {
  readonly code = 'PERSISTED_QUERY_NOT_IN_LIST';
}

/** The database is not there, or not in time. Masked like everything unexpected, but said in the log once and not by every request. */
export class Outage extends Error {}
