// The accept header of /graphql: the media type of the answer, and the clients that expect the status 200.
import { chooseResponseType, expectsStatus200 } from '../../src/doors/graphql/accept';

const JSON_TYPE = 'application/json; charset=utf-8';
const RESPONSE_TYPE = 'application/graphql-response+json; charset=utf-8';

test.each([
  [undefined, JSON_TYPE, false],
  ['', JSON_TYPE, false],
  ['*/*', JSON_TYPE, false],
  ['application/json', JSON_TYPE, true],
  ['application/graphql-response+json', RESPONSE_TYPE, false],
  ['application/graphql-response+json, application/json;q=0.9', RESPONSE_TYPE, false],
  ['application/graphql-response+json;q=0.1, application/json', JSON_TYPE, false],
  ['application/graphql-response+json;q=0, application/json', JSON_TYPE, true],
  ['application/json;q=0, */*', JSON_TYPE, false],
  ['text/html, application/json;q=.5', JSON_TYPE, true],
  ['text/html', undefined, false],
  ['application/json;q=0', undefined, false],
])('%s is answered as %s; 200 for every well-formed request: %s', (accept, type, is200) => {
  expect(chooseResponseType(accept)).toBe(type);
  expect(expectsStatus200(accept)).toBe(is200);
});
