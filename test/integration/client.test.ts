// The typed client against a server that answers anything that a gateway, a proxy or a broken network may answer.
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient, GatewayRequestError } from '../../src/client/client';
import { answersOf } from '../../src/client/event-stream';
import { CameraDetailDocument, MaterialsDocument } from '../../src/generated/operations';

let server: Server;
let url: string;
let answer: RequestListener;
let received: { headers: IncomingMessage['headers']; method: string | undefined; body: string }[];

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    received.push({ headers: request.headers, method: request.method, body: Buffer.concat(parts).toString() });
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
});

beforeEach(() => {
  received = [];
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

function answerWith(status: number, body: string, headers: Record<string, string> = {}): void {
  answer = (_request, response) => response.writeHead(status, headers).end(body);
}

async function failure(request: Promise<unknown>): Promise<GatewayRequestError> {
  const error = await request.then(
    (data) => new Error(`It was answered: ${JSON.stringify(data)}`),
    (reason: unknown) => reason,
  );
  if (!(error instanceof GatewayRequestError)) {
    throw new Error(`Not a GatewayRequestError: ${error}\nRequests: ${JSON.stringify(received)}`);
  }
  return error;
}

test('sends document, variables and headers, and returns the data', async () => {
  answerWith(200, '{"data":{"camera":null}}');
  const client = createClient({ url, headers: { authorization: 'Bearer token' } });
  expect(await client.request(CameraDetailDocument, { id: 'c', records: 5 })).toEqual({ camera: null });
  const [request] = received;
  expect(request).toMatchObject({
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: expect.stringMatching(/^application\/graphql-response\+json/),
      authorization: 'Bearer token',
    },
  });
  expect(JSON.parse(request?.body ?? '')).toEqual({
    query: CameraDetailDocument.loc.source.body,
    variables: { id: 'c', records: 5 },
  });
});

test('asks a function for headers anew each time', async () => {
  answerWith(200, '{"data":{"materials":[]}}');
  let count = 0;
  const client = createClient({ url, headers: async () => ({ authorization: `token ${++count}` }) });
  await client.request(MaterialsDocument);
  await client.request(MaterialsDocument);
  expect(received.map(({ headers }) => headers.authorization)).toEqual(['token 1', 'token 2']);
});

test('tells errors, their codes once each, partial data, status and request id', async () => {
  const errors = [
    { message: 'no such camera', path: ['camera'], extensions: { code: 'NOT_FOUND' } },
    { message: 'nor that', extensions: { code: 'NOT_FOUND' } },
    { message: 'taken', extensions: { code: 'CONFLICT' } },
    { message: 'without a code' },
  ];
  answerWith(200, JSON.stringify({ errors, data: { camera: null } }), { 'x-request-id': 'r-1' });
  expect(await failure(createClient({ url }).request(CameraDetailDocument, { id: 'c' }))).toMatchObject({
    name: 'GatewayRequestError',
    message: 'no such camera; nor that; taken; without a code',
    errors,
    codes: ['NOT_FOUND', 'CONFLICT'],
    status: 200,
    requestId: 'r-1',
    data: { camera: null },
  });
});

test.each([
  ['a GraphQL refusal', 400, '{"errors":[{"message":"bad","extensions":{"code":"GRAPHQL_VALIDATION_FAILED"}}]}', 'bad'],
  ['a body too large', 413, '{"error":"The body is too large"}', 'The body is too large (HTTP 413)'],
  ['a page of a proxy', 502, '<h1>Bad Gateway</h1>', 'the answer is not a GraphQL answer (HTTP 502)'],
  ['a page where an answer should be', 200, '<h1>Hello</h1>', 'the answer is not a GraphQL answer (HTTP 200)'],
  ['null', 200, 'null', 'the answer is not a GraphQL answer (HTTP 200)'],
  ['nothing', 200, '', 'the answer is not a GraphQL answer (HTTP 200)'],
  ['an empty object', 200, '{}', 'the answer is not a GraphQL answer (HTTP 200)'],
  ['a list of no errors', 200, '{"errors":[]}', 'the answer is not a GraphQL answer (HTTP 200)'],
  ['no errors beside data', 200, '{"errors":[],"data":{}}', 'the answer is not a GraphQL answer (HTTP 200)'],
  ['an error without words', 200, '{"errors":[{"message":""}]}', 'the answer is not a GraphQL answer (HTTP 200)'],
])('%s is an error with its status', async (_name, status, body, message) => {
  answerWith(status, body);
  expect(await failure(createClient({ url }).request(MaterialsDocument))).toMatchObject({ status, message });
});

test('no answer is an error with status 0 and its cause', async () => {
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  const { port } = closed.address() as AddressInfo;
  await new Promise((resolve) => closed.close(resolve));
  const error = await failure(createClient({ url: `http://127.0.0.1:${port}/graphql` }).request(MaterialsDocument));
  expect(error).toMatchObject({ status: 0, requestId: undefined, cause: expect.anything() });
});

test('an answer that breaks off is an error with the status that had arrived', async () => {
  answer = (_request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{"data":');
    setTimeout(() => response.destroy(), 50);
  };
  expect(await failure(createClient({ url }).request(MaterialsDocument))).toMatchObject({
    status: 200,
    message: 'the answer broke off',
  });
});

test('an event that is no answer is told as such, and with its status', async () => {
  const stream = new Response('event: next\ndata: <h1>Hello</h1>\n\n');
  expect(await failure(answersOf(stream).next())).toMatchObject({
    status: 200,
    message: 'the answer is not a GraphQL answer (HTTP 200)',
  });
});

test('a request that is aborted fails with the reason of the abort', async () => {
  answer = () => {};
  const abort = new AbortController();
  const request = createClient({ url }).request(MaterialsDocument, undefined, { signal: abort.signal });
  setTimeout(() => abort.abort(new Error('changed my mind')), 50);
  await expect(request).rejects.toThrow('changed my mind');
  server.closeAllConnections();
});

test('uses the fetch that it is given', async () => {
  const asked: unknown[] = [];
  const client = createClient({
    url: 'http://gateway.example/graphql',
    fetch: async (target) => {
      asked.push(target);
      return new Response('{"data":{"materials":[]}}');
    },
  });
  expect(await client.request(MaterialsDocument)).toEqual({ materials: [] });
  expect(asked).toEqual(['http://gateway.example/graphql']);
});

test('variables are required by their types exactly when the operation requires them', () => {
  const { request } = createClient({ url });
  const wrong = () => [
    // @ts-expect-error the operation has a required variable
    request(CameraDetailDocument),
    // @ts-expect-error of another type
    request(CameraDetailDocument, { id: 1 }),
  ];
  expect(wrong).toBeInstanceOf(Function);
});
