// What the dashboard shows for an answer that it did not expect.
import { CombinedGraphQLErrors, ServerError, ServerParseError } from '@apollo/client/errors';
import { describeTemporary, toProblem } from '../../src/web/parts/problem';

const serverError = (bodyText: string, status = 502) => {
  const response = new Response(bodyText, { status, headers: { 'x-request-id': 'r-1' } });
  return new ServerError('Response not successful', { response, bodyText });
};

test.each([
  ['<h1>Bad Gateway</h1>', 'the answer is not from a GraphQL server (HTTP 502)', []],
  ['{"error":"The gateway stops"}', 'The gateway stops (HTTP 502)', []],
  ['{"errors":[]}', 'the answer is not from a GraphQL server (HTTP 502)', []],
  ['{"errors":[null]}', 'the answer is not from a GraphQL server (HTTP 502)', []],
  ['{"errors":[{"message":"no"},{"message":"nor","extensions":{"code":"FORBIDDEN"}}]}', 'no; nor', ['FORBIDDEN']],
])('the body %s of a refusal is shown', (bodyText, message, codes) => {
  expect(toProblem(serverError(bodyText))).toMatchObject({ message, codes, requestId: 'r-1' });
});

test('the errors of an answer are shown with their codes', () => {
  const errors = [{ message: 'taken', extensions: { code: 'CONFLICT' } }];
  const error = new CombinedGraphQLErrors({ errors, extensions: { requestId: 'r-2' } });
  expect(toProblem(error)).toMatchObject({ message: 'taken', codes: ['CONFLICT'], requestId: 'r-2' });
});

test('an unexpected fault asks to try again, and keeps its request id for the log', () => {
  const errors = [
    {
      message: 'The gateway could not complete the request. The operator finds the reason in its log.',
      extensions: { code: 'INTERNAL_SERVER_ERROR' },
    },
  ];
  const error = new CombinedGraphQLErrors({ errors, extensions: { requestId: 'r-3' } });
  expect(toProblem(error)).toMatchObject({
    message: 'The gateway is busy or has a problem. Try again in a moment.',
    codes: ['INTERNAL_SERVER_ERROR'],
    requestId: 'r-3',
  });
});

const codedError = (code: string) => new CombinedGraphQLErrors({ errors: [{ message: 'no', extensions: { code } }] });

test.each([
  ['an unexpected fault', codedError('INTERNAL_SERVER_ERROR'), 'The gateway is busy.'],
  ['too many requests', codedError('TOO_MANY_REQUESTS'), 'The gateway is busy.'],
  ['no answer', new TypeError('Failed to fetch'), 'The gateway does not answer.'],
  ["a proxy's page that the gateway is away", serverError('<h1>Bad Gateway</h1>'), 'The gateway does not answer.'],
  [
    "a proxy's page that asks who calls",
    serverError('<h1>Sign in</h1>', 401),
    'Another program answers in place of the gateway, such as a proxy.',
  ],
  [
    "a proxy's page in place of the answer",
    new ServerParseError(new SyntaxError('Unexpected token <'), {
      response: new Response('<p>', { status: 200 }),
      bodyText: '<p>',
    }),
    'Another program answers in place of the gateway, such as a proxy.',
  ],
])('a page sends its request again after %s', (_, error, description) => {
  expect(toProblem(error).isTemporary).toBe(true);
  expect(describeTemporary(error)).toBe(description);
});

test.each(['UNAUTHENTICATED', 'FORBIDDEN', 'BAD_USER_INPUT', 'NOT_FOUND', 'GRAPHQL_VALIDATION_FAILED'])(
  'a page does not send its request again after %s',
  (code) => expect(toProblem(codedError(code)).isTemporary).toBe(false),
);

test('a text that is not about a request is not temporary', () => {
  expect(toProblem('Your key can write, but not read.').isTemporary).toBe(false);
});
