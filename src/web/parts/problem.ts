// Converts every failure of a request into one type: a message for the user, and codes on which a page decides.
import { CombinedGraphQLErrors, ServerError, ServerParseError } from '@apollo/client/errors';
import {
  type GatewayErrorEntry,
  type GatewayIssue,
  GatewayRequestError,
  makeRequestError,
  parseAnswer,
} from '../../client/request-error';

export interface Problem {
  message: string;
  codes: readonly string[];
  /** The faults of an input, each with the path of its member. */
  issues: readonly GatewayIssue[];
  requestId?: string | undefined;
  /** Whether the same request may succeed later: the gateway is busy or away, or a proxy answers in its place. */
  isTemporary: boolean;
}

/** The message if a request did not reach the gateway, or if the answer was lost. */
export const NO_ANSWER = 'The gateway does not answer. Check that it is running.';

/** The code of an unexpected error, such as a database that is busy for too long. The log of the gateway has the cause. */
const UNEXPECTED = 'INTERNAL_SERVER_ERROR';
const TRY_AGAIN = 'The gateway is busy or has a problem. Try again in a moment.';
const TEMPORARY_CODES = [UNEXPECTED, 'TOO_MANY_REQUESTS'];

export function toProblem(error: unknown): Problem {
  const { message, codes, issues, requestId, ...failure } = readFailure(error);
  return {
    message: codes.includes(UNEXPECTED) ? TRY_AGAIN : message,
    codes,
    issues,
    requestId,
    // An answer without codes is not from the gateway.
    isTemporary:
      codes.length === 0 ? failure.status !== undefined : codes.some((code) => TEMPORARY_CODES.includes(code)),
  };
}

/** Describes a temporary problem for a page that sends its request again by itself. The user need not do anything. */
export function describeTemporary(error: unknown): string {
  const { codes, status } = readFailure(error);
  if (codes.length > 0) return 'The gateway is busy.';
  const isAway = status === NO_STATUS || GATEWAY_AWAY.includes(status as number);
  return isAway ? 'The gateway does not answer.' : 'Another program answers in place of the gateway, such as a proxy.';
}

/** A proxy answers with these statuses while the gateway is away. */
const GATEWAY_AWAY = [502, 503, 504];
/** The status of a request without an answer, as GatewayRequestError has it. */
const NO_STATUS = 0;

type Failure = Omit<Problem, 'isTemporary'> & {
  /** Missing if the error is not about a request. */
  status?: number;
};

function readFailure(error: unknown): Failure {
  if (error instanceof GatewayRequestError) return error;
  if (CombinedGraphQLErrors.is(error)) {
    const requestId = error.extensions?.['requestId'] as string | undefined;
    return makeRequestError({ errors: error.errors as GatewayErrorEntry[] }, { status: 200, requestId });
  }
  if (ServerError.is(error) || ServerParseError.is(error)) {
    const requestId = error.response.headers.get('x-request-id') ?? undefined;
    return makeRequestError(parseAnswer(error.bodyText), { status: error.statusCode, requestId });
  }
  // fetch fails with a TypeError, whose message differs between browsers.
  if (error instanceof TypeError) return { message: NO_ANSWER, codes: [], issues: [], status: NO_STATUS };
  return { message: String((error as Error).message ?? error), codes: [], issues: [] };
}

/** Groups faults by member, as Base UI's Form expects them. Faults without a field are under ''. */
export function faultsByMember({ message, issues }: Problem): Record<string, string> {
  if (issues.length === 0) return { '': message };
  const faults: Record<string, string> = {};
  for (const issue of issues) {
    const member = findField(issue.path);
    faults[member] = faults[member] === undefined ? issue.message : `${faults[member]} ${issue.message}`;
  }
  return faults;
}

/**
 * Finds the field of a fault by its path. `input.printerIds.0` belongs to the field `printerIds`, and `parts.0.slot` to a field of the
 * same name. The input as a whole and arguments such as `id` have no field.
 */
function findField(path: GatewayIssue['path']): string {
  if (path[0] === 'input') return String(path.slice(1).findLast((part) => typeof part === 'string') ?? '');
  return typeof path[1] === 'number' && path.length === 3 ? path.join('.') : '';
}
