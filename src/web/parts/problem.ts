// One shape for every failure of a request: the message for the reader, and the codes by which a page decides.
import { CombinedGraphQLErrors, ServerError } from '@apollo/client/errors';
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
  /** The faults of an input, each at its member. */
  issues: readonly GatewayIssue[];
  requestId?: string | undefined;
}

/** The request did not reach the gateway, or its answer was lost. */
export const NO_ANSWER = 'The gateway does not answer. Check that it is running.';

/** The code of what the gateway did not expect, such as a database that is busy for too long. Its log has the cause. */
const UNEXPECTED = 'INTERNAL_SERVER_ERROR';
const TRY_AGAIN = 'The gateway is busy or has a problem. Try again in a moment.';

export function problemOf(error: unknown): Problem {
  const problem = readProblem(error);
  return problem.codes.includes(UNEXPECTED) ? { ...problem, message: TRY_AGAIN } : problem;
}

function readProblem(error: unknown): Problem {
  if (error instanceof GatewayRequestError) return error;
  if (CombinedGraphQLErrors.is(error)) {
    const requestId = error.extensions?.['requestId'] as string | undefined;
    return makeRequestError({ errors: error.errors as GatewayErrorEntry[] }, { status: 200, requestId });
  }
  if (ServerError.is(error)) {
    const requestId = error.response.headers.get('x-request-id') ?? undefined;
    return makeRequestError(parseAnswer(error.bodyText), { status: error.statusCode, requestId });
  }
  // fetch fails with a TypeError, whose words differ from browser to browser.
  const message = error instanceof TypeError ? NO_ANSWER : String((error as Error).message ?? error);
  return { message, codes: [], issues: [] };
}

/** The faults by the member that they belong to, as Base UI's Form takes them; the rest under ''. */
export function faultsByMember({ message, issues }: Problem): Record<string, string> {
  if (issues.length === 0) return { '': message };
  const faults: Record<string, string> = {};
  for (const issue of issues) {
    const member = memberOf(issue.path);
    faults[member] = faults[member] === undefined ? issue.message : `${faults[member]} ${issue.message}`;
  }
  return faults;
}

/**
 * Only the members of an input have fields, and `printerIds.0` is in that of `printerIds`; `parts.0.slot` is one of an input in a
 * list. An argument such as `id` has none, and the input as a whole neither.
 */
function memberOf(path: GatewayIssue['path']): string {
  if (path[0] === 'input') return String(path.slice(1).findLast((part) => typeof part === 'string') ?? '');
  return typeof path[1] === 'number' && path.length === 3 ? path.join('.') : '';
}
