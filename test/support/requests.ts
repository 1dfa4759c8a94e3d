// Sends requests to a running gateway, and checks the answers it gives while its database is away.
import { OUTAGE_MESSAGES } from '../../src/errors';
import type { RunningGateway } from './running-gateway';
import { until } from './waiting';

export interface Answer {
  request: string;
  status: number;
  retryAfter: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: what a body looks like is what the tests find out
  body: any;
}

/** A body makes the request a POST, unless `method` says otherwise. */
export async function ask(
  { url }: Pick<RunningGateway, 'url'>,
  path: string,
  body?: unknown,
  method = body === undefined ? 'GET' : 'POST',
  headers: Record<string, string> = {},
): Promise<Answer> {
  const sent = body === undefined ? null : JSON.stringify(body);
  const response = await fetch(url + path, {
    method,
    body: sent,
    headers: { 'content-type': 'application/json', ...headers },
  });
  const answer = await response.json();
  return {
    request: `${method} ${path} ${sent}`,
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    body: answer,
  };
}

/** Reads the feed until it ends with the change of a camera or a print job. An open transaction of another test may delay that change. */
export function readChangesUpTo(gateway: Pick<RunningGateway, 'url'>, id: string): Promise<{ cursor: string }[]> {
  const members = 'cursor ... on CameraChanged { id: cameraId } ... on PrintJobChanged { id: jobId }';
  const changes = async (): Promise<{ cursor: string; id?: string }[]> => {
    const { body } = await ask(gateway, '/graphql', { query: `{ changes(first: 1000) { nodes { ${members} } } }` });
    return body.data.changes.nodes;
  };
  return until(`the last change is that of ${id}`, changes, (found) => found.at(-1)?.id === id && found);
}

export const isRefused = ({ status, body }: Answer) => status >= 300 || body.errors !== undefined;

/** Expects a refusal in plain words that reveals no internals. @param outages the outages that the answer may name */
export function expectPlainRefusal(answer: Answer, ...outages: (keyof typeof OUTAGE_MESSAGES)[]): void {
  const named = outages.length > 0 ? outages : (Object.keys(OUTAGE_MESSAGES) as (keyof typeof OUTAGE_MESSAGES)[]);
  const sentences: string[] = named.map((one) => OUTAGE_MESSAGES[one]);
  const shownMessage = answer.body.error ?? answer.body.errors?.[0]?.message;
  expect(sentences).toContain(shownMessage);
  const message = shownMessage;
  const error = { message, extensions: { code: 'INTERNAL_SERVER_ERROR' } };
  const status = answer.request.includes(' /cameras') ? 500 : 503;
  const refusal = answer.request.includes(' /graphql ')
    ? { body: { errors: [error] } }
    : { status, retryAfter: '5', body: { error: message } };
  expect(answer).toMatchObject(refusal);
}
