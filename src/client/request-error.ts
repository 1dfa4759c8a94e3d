// The answers of a gateway as the typed client reads them, and its error with the errors of an answer.

/** One entry in the `errors` of a GraphQL answer. */
export interface GatewayErrorEntry {
  message: string;
  path?: readonly (string | number)[];
  extensions?: { code?: string; issues?: readonly GatewayIssue[]; [name: string]: unknown };
}

/** One fault of the input: the member's names and indices from the argument on, and the rule for it. */
export interface GatewayIssue {
  path: readonly (string | number)[];
  message: string;
}

/** A request that was refused, failed in part, or got no answer (`status` is 0). */
export class GatewayRequestError extends Error {
  override readonly name = 'GatewayRequestError';
  readonly errors: readonly GatewayErrorEntry[];
  /** The `extensions.code` of each error that has one, without repetitions. */
  readonly codes: readonly string[];
  /** The faults of the input, of all errors. */
  readonly issues: readonly GatewayIssue[];
  readonly status: number;
  /** The x-request-id of the answer, to find the request in the gateway's log. */
  readonly requestId: string | undefined;
  /** The received data, when only some fields failed. */
  readonly data: unknown;

  constructor(
    message: string,
    details: {
      status: number;
      errors?: readonly GatewayErrorEntry[];
      requestId?: string | undefined;
      data?: unknown;
      cause?: unknown;
    },
  ) {
    super(message, { cause: details.cause });
    this.errors = details.errors ?? [];
    this.codes = [...new Set(this.errors.flatMap((error) => error.extensions?.code ?? []))];
    this.issues = this.errors.flatMap((error) => error.extensions?.issues ?? []);
    this.status = details.status;
    this.requestId = details.requestId;
    this.data = details.data;
  }
}

export interface Answer<Result> {
  data?: Result | null;
  errors?: readonly GatewayErrorEntry[] | null;
  /** Only answers outside of GraphQL have this member. */
  error?: unknown;
}

/** Undefined for a text that is no answer of a gateway, such as the error page of a proxy. */
export function answerIn<Result>(text: string): Answer<Result> | undefined {
  try {
    const answer = JSON.parse(text);
    const entries = answer.errors ?? [];
    return typeof answer === 'object' && entries.every(({ message }: GatewayErrorEntry) => typeof message === 'string')
      ? answer
      : undefined;
  } catch {
    return undefined;
  }
}

/** The error of an answer with errors, or without data. */
export function failureOf(
  answer: Answer<unknown> | undefined,
  { status, requestId }: { status: number; requestId?: string | undefined },
): GatewayRequestError {
  const errors = answer?.errors ?? [];
  const problem = typeof answer?.error === 'string' ? answer.error : 'the answer is not a GraphQL answer';
  const message = errors.map((error) => error.message).join('; ') || `${problem} (HTTP ${status})`;
  return new GatewayRequestError(message, { status, errors, requestId, data: answer?.data });
}

/** The data of an answer without errors. */
export function dataIn<Result>(answer: Answer<Result> | undefined, details: Parameters<typeof failureOf>[1]): Result {
  if (answer?.data == null || answer.errors) throw failureOf(answer, details);
  return answer.data;
}

/** For a body that does not come whole. */
export function brokenOff(status: number, cause: unknown): never {
  throw new GatewayRequestError('the answer broke off', { status, cause });
}
