// Decides the media type of a response of /graphql by the client's Accept header.

const JSON_TYPE = 'application/json; charset=utf-8';
const RESPONSE_TYPE = 'application/graphql-response+json; charset=utf-8';

/** A media range of JSON; the charset is the only other parameter that it may have. */
const JSON_RANGE =
  /^(?<type>\*\/\*|application\/(?:\*|json|graphql-response\+json))(?:\s*;\s*(?:charset="?utf-8"?|q=(?<q>[01](?:\.\d{0,3})?|\.\d{1,3})))*$/i;

/** The media ranges of JSON that a client accepts, its favourite first. */
function rangesOf(accept: string): string[] {
  return accept
    .split(',')
    .map((text) => JSON_RANGE.exec(text.trim())?.groups ?? { q: '0' })
    .map(({ type = '', q = '1' }) => ({ type: type.toLowerCase(), q: Number(q) }))
    .filter(({ q }) => q > 0)
    .sort((one, other) => other.q - one.q)
    .map(({ type }) => type);
}

/** The media type of the answer; undefined when the client accepts none. */
export function answerType(accept = ''): string | undefined {
  if (accept === '') return JSON_TYPE;
  const [favourite] = rangesOf(accept);
  return favourite?.endsWith('graphql-response+json') ? RESPONSE_TYPE : favourite && JSON_TYPE;
}

/** GraphQL over HTTP: a client that names application/json alone gets 200 for every well-formed request. */
export function expectsStatus200(accept = ''): boolean {
  const ranges = rangesOf(accept);
  return ranges.includes('application/json') && !ranges.includes('application/graphql-response+json');
}

/** A client that wants answers as they come: graphql-sse's protocol, distinct connections mode. */
export function asksForStream(accept = ''): boolean {
  return /(^|,)\s*text\/event-stream\s*(;|,|$)/i.test(accept);
}

/** A browser that opens the address itself asks for a page; a client of the graph never does. */
export function asksForPage(accept = ''): boolean {
  return accept.includes('text/html');
}
