// Converts every failure of a request into one type: a message for the user, and codes on which a page decides.
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
  /** The faults of an input, each with the path of its member. */
  issues: readonly GatewayIssue[];
  requestId?: string | undefined;
}

/** The message if a request did not reach the gateway, or if the answer was lost. */
export const NO_ANSWER = 'The gateway does not answer. Check that it is running.';

/** The code of an unexpected error, such as a database that is busy for too long. The log of the gateway has the cause. */
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
  // fetch fails with a TypeError, whose message differs between browsers.
  const message = error instanceof TypeError ? NO_ANSWER : String((error as Error).message ?? error);
  return { message, codes: [], issues: [] };
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
