// GraphQL over HTTP as its specification has it, and the rules beyond it that Apollo clients rely on, against the running gateway.
import { createHash } from 'node:crypto';
import { serverAudits } from 'graphql-http';
import { type RunningGateway, runGateway } from '../support/running-gateway';

let gateway: RunningGateway;
const url = () => `${gateway.url}/graphql`;

beforeAll(async () => {
  gateway = await runGateway();
});

afterAll(() => gateway?.stop());

/** What the specification allows goes over GET, for which the gateway wants a header that a foreign page cannot send. */
const withPreflight: typeof fetch = (input, init) =>
  fetch(input, { ...init, headers: { ...(init?.headers as Record<string, string>), ...PREFLIGHT } });
const PREFLIGHT = { 'apollo-require-preflight': 'true' };

const audits = [
  ...serverAudits({ url, fetchFn: fetch }).filter(({ name }) => !name.startsWith('MAY ')),
  ...serverAudits({ url, fetchFn: withPreflight }).filter(({ name }) => name.startsWith('MAY ')),
];

test('the audits are those of the specification', () => {
  expect(audits.length).toBeGreaterThanOrEqual(61);
});

test.each(audits.map((audit) => [audit.id, audit.name, audit] as const))('audit %s: %s', async (_id, _name, audit) => {
  const result = await audit.fn();
  if (result.status === 'ok') return;
  const { response } = result;
  const body = await response.text().catch(() => '(read already)');
  throw new Error(
    `${result.status}: ${result.reason}\n→ ${response.status} ${JSON.stringify(Object.fromEntries(response.headers))}\n${body}`,
  );
});

interface Answer {
  status: number;
  type: string | null;
  body: { data?: unknown; errors?: { message: string; extensions?: { code?: string } }[] };
  text: string;
}

async function send(search: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url() + search, init);
  const text = await response.text();
  return { status: response.status, type: response.headers.get('content-type'), body: JSON.parse(text), text };
}

const post = (body: unknown, headers: Record<string, string> = {}) =>
  send('', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

const query = (parameters: Record<string, string>) => `?${new URLSearchParams(parameters)}`;
const RESPONSE_JSON = 'application/graphql-response+json';

describe('the media type', () => {
  test.each([
    ['application/json', 'application/json; charset=utf-8'],
    [RESPONSE_JSON, `${RESPONSE_JSON}; charset=utf-8`],
    [`${RESPONSE_JSON}, application/json;q=0.9`, `${RESPONSE_JSON}; charset=utf-8`],
    ['*/*', 'application/json; charset=utf-8'],
  ])('asked for with %s is %s', async (accept, type) => {
    expect(await post({ query: '{ __typename }' }, { accept })).toMatchObject({
      status: 200,
      type,
      body: { data: { __typename: 'Query' } },
    });
  });

  test.each([
    ['application/json', 200],
    [RESPONSE_JSON, 400],
  ])('%s has the status %s for a document that is not valid', async (accept, status) => {
    const answer = await post({ query: '{ nothingOfThatName }' }, { accept });
    expect(answer).toMatchObject({ status, body: { errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] } });
    expect(answer.body).not.toHaveProperty('data');
  });

  test('does not change the status of an operation that ran and failed in part', async () => {
    const failing = { query: '{ __typename camera(id: "") { id } }' };
    for (const accept of ['application/json', RESPONSE_JSON]) {
      expect(await post(failing, { accept })).toMatchObject({
        status: 200,
        body: {
          data: { __typename: 'Query', camera: null },
          errors: [{ path: ['camera'], extensions: { code: 'BAD_USER_INPUT' } }],
        },
      });
    }
  });
});

describe('GET', () => {
  test('runs a query with variables', async () => {
    const search = query({
      query: 'query Farm($first: Int) { cameras(first: $first) { totalCount } }',
      operationName: 'Farm',
      variables: '{"first":1}',
    });
    expect(await send(search, { headers: PREFLIGHT })).toMatchObject({
      status: 200,
      body: { data: { cameras: { totalCount: 0 } } },
    });
  });

  test('never runs a mutation', async () => {
    const search = query({ query: 'mutation { createPrinter(input: { name: "by GET" }) { id } }' });
    expect(await send(search, { headers: PREFLIGHT })).toMatchObject({ status: 405, body: { errors: [{}] } });
    expect((await post({ query: '{ printers { totalCount } }' })).body).toEqual({
      data: { printers: { totalCount: 0 } },
    });
  });
});

describe('requests that a foreign page could make a browser send', () => {
  const mutation = JSON.stringify({ query: 'mutation { createPrinter(input: { name: "forged" }) { id } }' });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'as POST with the type %s are refused',
    async (type) => {
      const answer = await send('', { method: 'POST', headers: { 'content-type': type }, body: mutation });
      expect({ ...answer, refused: answer.status >= 400 && answer.status < 500 }).toMatchObject({ refused: true });
      expect((await post({ query: '{ printers { totalCount } }' })).body).toEqual({
        data: { printers: { totalCount: 0 } },
      });
    },
  );

  test.each<Record<string, string>>([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://elsewhere.example' },
  ])('as GET with %j are refused unless a header shows that the browser asked first', async (headers) => {
    const search = query({ query: '{ __typename }' });
    expect(await send(search, { headers })).toMatchObject({
      status: 400,
      body: { errors: [{ message: expect.stringMatching(/CSRF/), extensions: { code: 'BAD_REQUEST' } }] },
    });
    for (const asked of [PREFLIGHT, { 'content-type': 'application/json' }, { 'x-api-key': 'x' }] as Record<
      string,
      string
    >[]) {
      expect(await send(search, { headers: { ...headers, ...asked } })).toMatchObject({ status: 200 });
    }
  });

  test.each<Record<string, string>>([{}, { 'sec-fetch-site': 'same-origin' }, { 'sec-fetch-site': 'none' }])(
    'are not those as GET with %j: a page of this gateway, an address that is typed, or no browser',
    async (headers: Record<string, string>) => {
      const search = query({ query: '{ __typename }' });
      expect(await send(search, { headers })).toMatchObject({ status: 200 });
    },
  );
});

describe('persisted queries', () => {
  test('are asked for by their hash, sent once, and then found by it', async () => {
    const text = '{ persisted: __typename }';
    const extensions = {
      persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(text).digest('hex') },
    };
    expect(await post({ extensions })).toMatchObject({
      body: { errors: [{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }] },
    });
    const data = { data: { persisted: 'Query' } };
    expect(await post({ query: text, extensions })).toMatchObject({ status: 200, body: data });
    expect(await post({ extensions })).toMatchObject({ status: 200, body: data });
    const search = query({ extensions: JSON.stringify(extensions) });
    expect(await send(search, { headers: PREFLIGHT })).toMatchObject({ status: 200, body: data });
  });

  test('are refused when the hash is that of another text', async () => {
    const extensions = { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } };
    expect(await post({ query: '{ __typename }', extensions })).toMatchObject({
      status: 400,
      body: { errors: [{ message: 'provided sha does not match query' }] },
    });
  });

  test.each([5, null, { toString: 1 }, ['a'], true])('with %j for a hash are refused', async (sha256Hash) => {
    const extensions = { persistedQuery: { version: 1, sha256Hash } };
    const refused = {
      status: 400,
      body: {
        errors: [
          { message: expect.stringMatching(/sha256Hash must be a text/), extensions: { code: 'BAD_USER_INPUT' } },
        ],
      },
    };
    expect(await post({ extensions })).toMatchObject(refused);
    const search = query({ extensions: JSON.stringify(extensions) });
    expect(await send(search, { headers: PREFLIGHT })).toMatchObject(refused);
  });

  test('are not found by a text in the place of its hash', async () => {
    const text = '{ sent: __typename }';
    expect(await post({ query: text })).toMatchObject({ status: 200, body: { data: { sent: 'Query' } } });
    const extensions = { persistedQuery: { version: 1, sha256Hash: text } };
    expect(await post({ extensions })).toMatchObject({ body: { errors: [{ message: 'PersistedQueryNotFound' }] } });
  });
});

test('no answer tells a stack, a path or a library', async () => {
  const answers = [
    await post({ query: '{ camera(id: "") { id } }' }),
    await post({ query: '{' }),
    await post({ query: 1 }),
    await post({}),
    await send('', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' }),
  ];
  for (const answer of answers) {
    expect(answer.text).toContain('"errors"');
    expect(answer.text).not.toMatch(/stacktrace|node_modules|\.js:|prisma|select /i);
  }
});
