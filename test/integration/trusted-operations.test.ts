// TRUSTED_OPERATIONS: callers whose operations are written by a program, such as a router.
import { createHash, generateKeyPairSync } from 'node:crypto';
import { SignJWT } from 'jose';
import { type Config, readConfig } from '../../src/config';
import manifest from '../../src/generated/persisted-operations.json';
import { anyDatabase } from '../support/databases';
import { test, useGateway } from '../support/gateway';

const key = (name: string, scopes: string) => `${name}:${scopes}:${createHash('sha256').update(name).digest('hex')}`;
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const token = new SignJWT({ sub: 'mesh', scope: 'read' })
  .setProtectedHeader({ alg: 'EdDSA' })
  .setExpirationTime('5m')
  .sign(privateKey);

const settings = (env: Record<string, string>): Pick<Config, 'graph' | 'auth'> => {
  const { graph, auth } = readConfig({
    API_KEYS: [key('router', 'read'), key('writing', 'write'), key('app', 'read')].join(','),
    JWT_PUBLIC_KEY: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    TRUSTED_OPERATIONS: 'router, writing, mesh',
    ...env,
  });
  return { graph, auth };
};
const aliased = (count: number) => `{ ${Array.from({ length: count }, (_, n) => `a${n}: __typename`).join(' ')} }`;
const directed = (count: number) => `{ ${'__typename @skip(if: false) '.repeat(count)} }`;

describe('a trusted caller', () => {
  const limits = {
    GRAPHQL_MAX_TOKENS: '900',
    GRAPHQL_MAX_ALIASES: '20',
    GRAPHQL_MAX_DEPTH: '2',
    GRAPHQL_MAX_COST: '30',
  };
  const gateway = useGateway(anyDatabase, settings(limits));
  /** The message of the refusal; undefined for an answer. */
  const readRefusal = async (query: string, credentials: string) => {
    const { body } = await gateway.rest('POST', '/graphql', { query }, { 'x-api-key': credentials });
    return body.errors?.[0].message;
  };

  test('may use ten times the aliases, directives and tokens of others', async () => {
    for (const caller of ['router', await token]) {
      for (const query of [aliased(200), directed(200)]) expect(await readRefusal(query, caller)).toBeUndefined();
      expect(await readRefusal(aliased(201), caller)).toBe(
        'The operation has 201 aliases; the limit is 200. Use fewer aliases.',
      );
      expect(await readRefusal(aliased(5000), caller)).toMatch('9000 tokens');
    }
    expect(await readRefusal(aliased(21), 'app')).toBe(
      'The operation has 21 aliases; the limit is 20. Use fewer aliases.',
    );
    expect(await readRefusal(directed(101), 'app')).toBe(
      'The operation has 101 directives; the limit is 100. Use fewer directives.',
    );
    // A document that the trusted caller has sent before is no other one.
    expect(await readRefusal(aliased(301), 'app')).toMatch('900 tokens');
  });

  test('sends a long document only for itself: other callers cannot run it, also by its hash', async () => {
    const query = directed(200);
    const sha256Hash = createHash('sha256').update(query).digest('hex');
    const send = async (credentials: string, text?: string) => {
      const body = { query: text, extensions: { persistedQuery: { version: 1, sha256Hash } } };
      return gateway.rest('POST', '/graphql', body, { 'x-api-key': credentials });
    };
    expect(await send('router', query)).toMatchObject({ status: 200 });
    expect(await send('router')).toMatchObject({ status: 200 });
    for (const text of [query, undefined]) {
      const refusal = {
        message: 'Syntax Error: Document contains more that 900 tokens. Parsing aborted.',
        locations: [{ line: 1, column: expect.any(Number) }],
        extensions: { code: 'GRAPHQL_PARSE_FAILED' },
      };
      expect(await send('app', text)).toMatchObject({ status: 400, body: { errors: [refusal] } });
    }
  });

  test('has the same limits of cost and depth and the same scopes as others', async () => {
    for (const caller of ['router', 'app']) {
      expect(await readRefusal('{ cameras(first: 40) { nodes { id } } }', caller)).toMatch('a cost of 40');
      expect(await readRefusal('{ cameras(first: 1) { nodes { id } } }', caller)).toMatch('a depth of 3');
      expect(await readRefusal('mutation { removeCamera(id: "x") }', caller)).toMatch('do not have the scope "write"');
    }
    expect(await readRefusal('{ cameras(first: 1) { totalCount } }', 'writing')).toMatch(
      'do not have the scope "read"',
    );
    for (const query of ['{ _service { sdl } }', '{ _entities(representations: []) { __typename } }'])
      expect(await readRefusal(query, 'writing')).toMatch('do not have the scope "read"');
    expect(await readRefusal('{ _service { sdl } }', 'router')).toBeUndefined();
  });
});

describe('with PERSISTED_ONLY a trusted caller', () => {
  const gateway = useGateway(anyDatabase, settings({ PERSISTED_ONLY: 'true' }));

  test('may send operations of no manifest, and others may not', async () => {
    for (const [credentials, status] of [
      ['router', 200],
      [await token, 200],
      ['app', 403],
    ] as const) {
      const body = { query: '{ _entities(representations: []) { __typename } }' };
      const answer = await gateway.rest('POST', '/graphql', body, { authorization: `Bearer ${credentials}` });
      expect([answer.status, answer.body.data]).toEqual([status, status === 200 ? { _entities: [] } : undefined]);
    }
  });

  test('may send an operation by its hash alone: one of a manifest, as others may, and one that it sent before', async () => {
    const { id } = manifest.operations.find(({ name }) => name === 'LatestChangeCursor') as { id: string };
    const query = '{ __typename }';
    const added = createHash('sha256').update(query).digest('hex');
    for (const credentials of ['app', 'router', await token]) {
      const send = async (sha256Hash: string, text?: string) => {
        const body = { query: text, extensions: { persistedQuery: { version: 1, sha256Hash } } };
        return (await gateway.rest('POST', '/graphql', body, { authorization: `Bearer ${credentials}` })).body;
      };
      expect(await send(id)).toEqual({ data: { latestChangeCursor: expect.any(String) } });
      if (credentials === 'app') continue;
      for (const text of [query, undefined]) expect(await send(added, text)).toEqual({ data: { __typename: 'Query' } });
    }
  });
});
