// What the dashboard shows for an answer that it did not expect.
import { CombinedGraphQLErrors, ServerError } from '@apollo/client/errors';
import { problemOf } from '../../src/web/parts/problem';

const serverError = (bodyText: string) => {
  const response = new Response(bodyText, { status: 502, headers: { 'x-request-id': 'r-1' } });
  return new ServerError('Response not successful', { response, bodyText });
};

test.each([
  ['<h1>Bad Gateway</h1>', 'the answer is not from a GraphQL server (HTTP 502)', []],
  ['{"error":"The gateway stops"}', 'The gateway stops (HTTP 502)', []],
  ['{"errors":[]}', 'the answer is not from a GraphQL server (HTTP 502)', []],
  ['{"errors":[null]}', 'the answer is not from a GraphQL server (HTTP 502)', []],
  ['{"errors":[{"message":"no"},{"message":"nor","extensions":{"code":"FORBIDDEN"}}]}', 'no; nor', ['FORBIDDEN']],
])('the body %s of a refusal is shown', (bodyText, message, codes) => {
  expect(problemOf(serverError(bodyText))).toMatchObject({ message, codes, requestId: 'r-1' });
});

test('the errors of an answer are shown with their codes', () => {
  const errors = [{ message: 'taken', extensions: { code: 'CONFLICT' } }];
  const error = new CombinedGraphQLErrors({ errors, extensions: { requestId: 'r-2' } });
  expect(problemOf(error)).toMatchObject({ message: 'taken', codes: ['CONFLICT'], requestId: 'r-2' });
});

test('an unexpected fault asks to try again, and keeps its request id for the log', () => {
  const errors = [
    {
      message: 'The gateway could not complete the request. The operator finds the reason in its log.',
      extensions: { code: 'INTERNAL_SERVER_ERROR' },
    },
  ];
  const error = new CombinedGraphQLErrors({ errors, extensions: { requestId: 'r-3' } });
  expect(problemOf(error)).toMatchObject({
    message: 'The gateway is busy or has a problem. Try again in a moment.',
    codes: ['INTERNAL_SERVER_ERROR'],
    requestId: 'r-3',
  });
});
