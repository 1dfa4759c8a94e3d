// One shape for every failure of a request: what it says to the reader, and what the page decides by.
import { CombinedGraphQLErrors, ServerError } from '@apollo/client/errors';
import { type GatewayErrorEntry, type GatewayIssue, GatewayRequestError } from '../../client/request-error';

export interface Problem {
  message: string;
  codes: readonly string[];
  /** The faults of an input, each at its member. */
  issues: readonly GatewayIssue[];
  requestId?: string | undefined;
}

export function problemOf(error: unknown): Problem {
  if (error instanceof GatewayRequestError) return error;
  if (CombinedGraphQLErrors.is(error)) {
    return refusal(error.errors as GatewayErrorEntry[], 200, error.extensions?.['requestId'] as string | undefined);
  }
  if (ServerError.is(error)) {
    const requestId = error.response.headers.get('x-request-id') ?? undefined;
    return refusal(entriesOf(error.bodyText) ?? [{ message: `HTTP ${error.statusCode}` }], error.statusCode, requestId);
  }
  // fetch fails with a TypeError, whose words differ from browser to browser.
  const message =
    error instanceof TypeError ? 'The gateway does not answer' : String((error as Error).message ?? error);
  return { message, codes: [], issues: [] };
}

const refusal = (errors: readonly GatewayErrorEntry[], status: number, requestId: string | undefined) =>
  new GatewayRequestError(errors.map(({ message }) => message).join('; '), { status, errors, requestId });

/** The errors of an answer; undefined for other content, such as the error page of a proxy. */
function entriesOf(body: string): GatewayErrorEntry[] | undefined {
  try {
    const { errors } = JSON.parse(body);
    return Array.isArray(errors) ? errors : undefined;
  } catch {
    return undefined;
  }
}

/** The faults by the member that they belong to, as Base UI's Form takes them; the rest under ''. */
export function faultsByMember({ message, issues }: Problem): Record<string, string> {
  if (issues.length === 0) return { '': message };
  const faults: Record<string, string> = {};
  for (const issue of issues) {
    // Only the members of an input have fields. An argument beside it, such as `id`, has none.
    const member = issue.path[0] === 'input' ? String(issue.path.at(-1)) : '';
    faults[member] = faults[member] === undefined ? issue.message : `${faults[member]} ${issue.message}`;
  }
  return faults;
}
