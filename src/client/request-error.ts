// Reads an answer of the gateway for the typed client, and defines the error that the client throws.

/** One entry in the `errors` of a GraphQL answer. */
export interface GatewayErrorEntry {
  message: string;
  path?: readonly (string | number)[];
  extensions?: { code?: string; issues?: readonly GatewayIssue[]; [name: string]: unknown };
}

/** One fault of the input: the path of the member, with names and indices starting with the argument, and the rule for it. */
export interface GatewayIssue {
  path: readonly (string | number)[];
  message: string;
}

/** The error of a request that was refused, that failed in part, or that got no answer (then `status` is 0). */
export class GatewayRequestError extends Error {
  override readonly name = 'GatewayRequestError';
  readonly errors: readonly GatewayErrorEntry[];
  /** The different `extensions.code` of the errors. */
  readonly codes: readonly string[];
  /** The faults of the input from all errors. */
  readonly issues: readonly GatewayIssue[];
  readonly status: number;
  /** The x-request-id of the answer, by which you find the request in the log of the gateway. */
  readonly requestId: string | undefined;
  /** The data of the answer, if only some fields failed. */
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

/** The answer in a text; undefined if the text is not from a gateway, such as the error page of a proxy. */
export function parseAnswer<Result>(text: string): Answer<Result> | undefined {
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
export function makeRequestError(
  answer: Answer<unknown> | undefined,
  { status, requestId }: { status: number; requestId?: string | undefined },
): GatewayRequestError {
  const errors = answer?.errors ?? [];
  const problem = typeof answer?.error === 'string' ? answer.error : 'the answer is not from a GraphQL server';
  const message = errors.map((error) => error.message).join('; ') || `${problem} (HTTP ${status})`;
  return new GatewayRequestError(message, { status, errors, requestId, data: answer?.data });
}

/** The data of an answer without errors. */
export function dataOrThrow<Result>(
  answer: Answer<Result> | undefined,
  details: Parameters<typeof makeRequestError>[1],
): Result {
  if (answer?.data == null || answer.errors) throw makeRequestError(answer, details);
  return answer.data;
}

/** Throws the error for an answer whose body did not arrive completely. */
export function throwIncomplete(status: number, cause: unknown): never {
  throw new GatewayRequestError('the connection was lost before the whole answer arrived', { status, cause });
}
