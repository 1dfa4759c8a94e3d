// Decides the media type of a response of /graphql by the client's Accept header.

const JSON_TYPE = 'application/json; charset=utf-8';
const RESPONSE_TYPE = 'application/graphql-response+json; charset=utf-8';

/** A media range of JSON; the charset is the only other parameter that it may have. */
const JSON_RANGE =
  /^(?<type>\*\/\*|application\/(?:\*|json|graphql-response\+json))(?:\s*;\s*(?:charset="?utf-8"?|q=(?<q>[01](?:\.\d{0,3})?|\.\d{1,3})))*$/i;

/** The media ranges of JSON that a client accepts, the preferred range first. */
function readJsonRanges(accept: string): string[] {
  return accept
    .split(',')
    .map((text) => JSON_RANGE.exec(text.trim())?.groups ?? { q: '0' })
    .map(({ type = '', q = '1' }) => ({ type: type.toLowerCase(), q: Number(q) }))
    .filter(({ q }) => q > 0)
    .sort((one, other) => other.q - one.q)
    .map(({ type }) => type);
}

/** The media type of the response; undefined if the client accepts none that the gateway can send. */
export function chooseResponseType(accept = ''): string | undefined {
  if (accept === '') return JSON_TYPE;
  const [favourite] = readJsonRanges(accept);
  return favourite?.endsWith('graphql-response+json') ? RESPONSE_TYPE : favourite && JSON_TYPE;
}

/** By "GraphQL over HTTP", a client that accepts only application/json gets the status 200 for every well-formed request. */
export function expectsStatus200(accept = ''): boolean {
  const ranges = readJsonRanges(accept);
  return ranges.includes('application/json') && !ranges.includes('application/graphql-response+json');
}

/** Whether the client asks for an event stream: graphql-sse's protocol in its distinct connections mode. */
export function asksForStream(accept = ''): boolean {
  return /(^|,)\s*text\/event-stream\s*(;|,|$)/i.test(accept);
}

/** Whether a browser opens the address to show a page. GraphQL clients never ask for HTML. */
export function asksForPage(accept = ''): boolean {
  return accept.includes('text/html');
}
