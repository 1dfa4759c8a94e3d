// GraphQL over HTTP as its specification requires, and the further rules that Apollo clients rely on, against a running gateway.
import { createHash } from 'node:crypto';
import { serverAudits } from 'graphql-http';
import { type ListeningGateway, listenInProcess } from '../support/listening-gateway';

let gateway: ListeningGateway;
const url = () => `${gateway.url}/graphql`;

beforeAll(async () => {
  gateway = await listenInProcess();
});

afterAll(() => gateway?.stop());

/** What the specification allows goes over GET, for which the gateway wants a header that a foreign page cannot send. */
const withPreflight: typeof fetch = (input, init) =>
  fetch(input, { ...init, headers: { ...(init?.headers as Record<string, string>), ...PREFLIGHT } });
const PREFLIGHT = { 'apollo-require-preflight': 'true' };

test('all audits of the specification pass', async () => {
  const audits = [
    ...serverAudits({ url, fetchFn: fetch }).filter(({ name }) => !name.startsWith('MAY ')),
    ...serverAudits({ url, fetchFn: withPreflight }).filter(({ name }) => name.startsWith('MAY ')),
  ];
  expect(audits.length).toBeGreaterThanOrEqual(61);
  for (const { id, name, fn } of audits) {
    const result = await fn();
    if (result.status === 'ok') continue;
    const { response, reason } = result;
    const text = await response.text().catch(() => '(read already)');
    const headers = JSON.stringify(Object.fromEntries(response.headers));
    throw new Error(`${id} ${name}: ${reason}\n→ ${response.status} ${headers}\n${text}`);
  }
});

async function send(search: string, init: RequestInit = {}) {
  const response = await fetch(url() + search, init);
  const text = await response.text();
  const type = response.headers.get('content-type');
  return { request: { search, ...init }, status: response.status, type, text, body: JSON.parse(text) };
}

const post = (body: unknown, headers: Record<string, string> = {}) =>
  send('', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const query = (parameters: Record<string, string>) => `?${new URLSearchParams(parameters)}`;
const TYPENAME = { query: '{ __typename }' };

const mutation = 'mutation { createPrinter(input: { name: "forged" }) { id } }';
const NOTHING = { data: { printers: { totalCount: 0 } } };

test('a request that a foreign page could send is refused, unless a header shows that the browser asked first', async () => {
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    undefined,
  ]) {
    const body = Buffer.from(JSON.stringify({ query: mutation }));
    const refused = await send('', {
      method: 'POST',
      headers: type === undefined ? {} : { 'content-type': type },
      body,
    });
    const problem = type === undefined ? 'no content type' : `the content type ${type.split(';')[0]}`;
    const message = expect.stringContaining(`The request has ${problem}`);
    expect(refused).toMatchObject({ status: 415, body: { errors: [{ message }] } });
  }
  expect((await post({ query: '{ printers { totalCount } }' })).body).toEqual(NOTHING);
  expect(await post(TYPENAME, { 'content-type': 'Application/JSON ;charset=UTF-8' })).toMatchObject({ status: 200 });

  const pages: [Record<string, string>, number][] = [
    [{ 'sec-fetch-site': 'cross-site' }, 400],
    [{ 'sec-fetch-site': 'same-site' }, 400],
    [{ origin: 'https://elsewhere.example' }, 400],
    // A page of this gateway, an address that is typed, and no browser.
    [{ 'sec-fetch-site': 'same-origin' }, 200],
    [{ 'sec-fetch-site': 'none' }, 200],
    [{}, 200],
  ];
  for (const [headers, status] of pages) {
    const answer = await send(query(TYPENAME), { headers });
    expect(answer).toMatchObject({ status });
    if (status === 400) expect(answer.text).toMatch(/CSRF.*BAD_REQUEST/);
    const asked: Record<string, string>[] = [PREFLIGHT, { 'content-type': 'application/json' }, { 'x-api-key': 'x' }];
    for (const one of asked) {
      expect(await send(query(TYPENAME), { headers: { ...headers, ...one } })).toMatchObject({ status: 200 });
    }
  }
});

test('persisted queries are requested by their hash, sent once, and then found only by that hash', async () => {
  const text = '{ persisted: __typename }';
  const by = (sha256Hash: unknown) => ({ extensions: { persistedQuery: { version: 1, sha256Hash } } });
  const own = by(createHash('sha256').update(text).digest('hex'));
  const unknown = {
    errors: [{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }],
  };
  const found = { data: { persisted: 'Query' } };
  const mismatch = { errors: [{ message: 'provided sha does not match query' }] };
  const noText = { errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] };
  for (const [request, body] of [
    [own, unknown],
    [{ query: text, ...own }, found],
    [own, found],
    [by(text), unknown],
    [{ ...TYPENAME, ...by('a'.repeat(64)) }, mismatch],
    [by({ toString: 1 }), noText],
  ]) {
    expect(await post(request)).toMatchObject({ body });
  }
  const search = query({ extensions: JSON.stringify(own.extensions) });
  expect(await send(search, { headers: PREFLIGHT })).toMatchObject({ status: 200, body: found });
});

test('no answer reveals a stack, a path or a library', async () => {
  for (const body of [
    { query: '{ camera(id: "") { id } }' },
    { query: '{ none }' },
    { query: '{' },
    { query: 1 },
    {},
  ]) {
    const { text } = await post(body);
    expect(text).toContain('"errors"');
    expect(text).not.toMatch(/stacktrace|node_modules|\.js:|prisma|select /i);
  }
});
