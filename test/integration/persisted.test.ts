// Persisted-only mode: the operations of the manifest are carried out, by text or by hash, and nothing else is.
import { readConfig } from '../../src/config';
import * as documents from '../../src/generated/operations';
import manifest from '../../src/generated/persisted-operations.json';
import { expectData, test, useGateway } from '../support/gateway';

const REFUSED = {
  errors: [
    {
      message: 'This gateway carries out the operations of its manifest alone (PERSISTED_ONLY)',
      extensions: { code: 'PERSISTED_QUERY_NOT_IN_LIST' },
    },
  ],
};
const cameras = manifest.operations.find(({ name }) => name === 'Cameras') as { id: string; body: string };

describe('with PERSISTED_ONLY', () => {
  const gateway = useGateway('server', { graph: readConfig({ PERSISTED_ONLY: 'true' }).graph });
  const extensions = (sha256Hash: string) => ({ persistedQuery: { version: 1, sha256Hash } });

  test('an operation of the manifest is carried out, as text', async () => {
    expect(expectData(await gateway.graphql(cameras.body, { first: 1 }))).toMatchObject({ cameras: { nodes: [] } });
    const input = { id: 'a', friendlyName: 'x' };
    expectData(await gateway.graphql(documents.RegisterCameraDocument.loc.source.body, { input }));
  });

  test('or by its hash alone, which no client has to register', async () => {
    const { body } = await gateway.rest('POST', '/graphql', { extensions: extensions(cameras.id) });
    expect(body).toMatchObject({ data: { cameras: {} } });
    const search = new URLSearchParams({ extensions: JSON.stringify(extensions(cameras.id)) });
    const got = await gateway.rest('GET', `/graphql?${search}`, undefined, { 'apollo-require-preflight': '1' });
    expect(got.body).toMatchObject({ data: { cameras: {} } });
  });

  globalThis.test.each([
    '{ __typename }',
    '{ __schema { types { name } } }',
    `${cameras.body} `,
    '{ this is no GraphQL',
    'mutation { registerCamera(input: { id: "b", friendlyName: "x" }) { id } }',
  ])('any other is refused before it is read: %j', async (query) => {
    const answer = await gateway.rest('POST', '/graphql', { query });
    expect([answer.status, answer.body]).toEqual([403, REFUSED]);
    const search = new URLSearchParams({ query });
    const got = await gateway.rest('GET', `/graphql?${search}`, undefined, { 'apollo-require-preflight': '1' });
    expect([got.status, got.body]).toEqual([403, REFUSED]);
  });

  test('a text cannot be passed off under the hash of another, nor be registered', async () => {
    const query = '{ __typename }';
    const answer = await gateway.rest('POST', '/graphql', { query, extensions: extensions(cameras.id) });
    expect([answer.status, answer.body]).toEqual([403, REFUSED]);
    const unknown = await gateway.rest('POST', '/graphql', { extensions: extensions('0'.repeat(64)) });
    expect(unknown.body.errors).toMatchObject([{ extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }]);
  });

  test('REST is as ever', async () => {
    expect(await gateway.rest('GET', '/cameras')).toMatchObject({ status: 200 });
  });
});
