// The media types that a client of /graphql accepts: the one place that reads its accept header.

const JSON_TYPE = 'application/json; charset=utf-8';
const RESPONSE_TYPE = 'application/graphql-response+json; charset=utf-8';

/** A media range of JSON, with parameters that change nothing. A quality of 0 refuses the range. */
const JSON_RANGE =
  /^(?<type>\*\/\*|application\/(?:\*|json|graphql-response\+json))(?:\s*;\s*(?:charset="?utf-8"?|q=(?:1(?:\.0{0,3})?|0?\.\d{0,2}[1-9]\d{0,2})))*$/i;

/** The media type of the answer; undefined when the client accepts none. */
export function answerType(accept = ''): string | undefined {
  if (accept === '') return JSON_TYPE;
  const types = accept
    .split(',')
    .flatMap((range) => JSON_RANGE.exec(range.trim())?.groups?.['type']?.toLowerCase() ?? []);
  if (types.length === 0) return undefined;
  return types.includes('application/graphql-response+json') ? RESPONSE_TYPE : JSON_TYPE;
}

/** GraphQL over HTTP: a client that names application/json alone gets 200 for every well-formed request. */
export function expectsStatus200(accept = ''): boolean {
  return accept.includes('application/json') && !accept.includes('graphql-response+json');
}

/** A browser that opens the address itself asks for a page; a client of the graph never does. */
export function asksForPage(accept = ''): boolean {
  return accept.includes('text/html');
}
