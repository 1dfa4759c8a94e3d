// Persisted-only mode: the operations of the manifests are executed, by text or by hash, and no others.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApp } from '../../src/app';
import { readConfig } from '../../src/config';
import * as documents from '../../src/generated/operations';
import manifest from '../../src/generated/persisted-operations.json';
import { sha256 } from '../../src/values/sha256';
import { anyDatabase } from '../support/databases';
import { test, useGateway } from '../support/gateway';
import { temporaryFolder } from '../support/temporary-folder';

const REFUSED = {
  errors: [
    {
      message: expect.stringContaining('This gateway runs only persisted operations (PERSISTED_ONLY)'),
      extensions: { code: 'PERSISTED_QUERY_NOT_IN_LIST' },
    },
  ],
};
const extensions = (sha256Hash: string) => ({ persistedQuery: { version: 1, sha256Hash } });
const cameras = manifest.operations.find(({ name }) => name === 'Cameras') as { id: string; body: string };

describe('with PERSISTED_ONLY', () => {
  const folder = temporaryFolder('manifests');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Writes a manifest as Apollo's tool does, and returns its path. */
  function written(name: string, body: string, changes: object = {}): string {
    const file = join(folder, `${name}.json`);
    const operation = { id: sha256(body), name, type: 'query', body, ...changes };
    const { format, version } = manifest;
    writeFileSync(file, JSON.stringify({ format, version, operations: [operation] }));
    return file;
  }
  const COUNT = 'query Count {\n  printers {\n    totalCount\n  }\n}';
  const NAMES = 'query Names {\n  materials {\n    name\n  }\n}';
  const files = `${written('Count', COUNT)}, ${written('Names', NAMES)}`;
  const gateway = useGateway(anyDatabase, {
    graph: readConfig({ PERSISTED_ONLY: 'true', PERSISTED_MANIFEST: files }).graph,
  });
  const post = (body: object) => gateway.rest('POST', '/graphql', body);
  const get = (parameters: Record<string, string>) =>
    gateway.rest('GET', `/graphql?${new URLSearchParams(parameters)}`, undefined, { 'apollo-require-preflight': '1' });

  test('the operations of this project and of the manifests are executed, by text and by hash alone', async () => {
    for (const [query, data] of [
      [COUNT, { printers: { totalCount: 0 } }],
      [NAMES, { materials: [] }],
      [cameras.body, { cameras: { totalCount: 0 } }],
    ] as const) {
      expect((await post({ query })).body).toMatchObject({ data });
      expect((await post({ extensions: extensions(sha256(query)) })).body).toMatchObject({ data });
      expect((await get({ extensions: JSON.stringify(extensions(sha256(query))) })).body).toMatchObject({ data });
    }
    const variables = { input: { id: 'a', friendlyName: 'x' } };
    const registered = await post({ query: documents.RegisterCameraDocument.loc.source.body, variables });
    expect(registered.body).toMatchObject({ data: { registerCamera: {} } });
    expect(await gateway.rest('GET', '/cameras')).toMatchObject({ status: 200 });
  });

  test('any other operation is refused before it is parsed, and cannot be passed off under a hash or registered', async () => {
    for (const query of ['{ __schema { types { name } } }', `${cameras.body} `, '{ this is no GraphQL']) {
      for (const answer of [await post({ query }), await get({ query })])
        expect([answer.status, answer.body]).toEqual([403, REFUSED]);
    }
    const forged = await post({ query: '{ __typename }', extensions: extensions(cameras.id) });
    expect([forged.status, forged.body]).toEqual([403, REFUSED]);
    const unknown = await post({ extensions: extensions('0'.repeat(64)) });
    expect(unknown.body.errors).toMatchObject([{ extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }]);
  });

  test('every fault of a manifest is reported at the start, with the other faults of the configuration', () => {
    const broken = join(folder, 'broken.json');
    writeFileSync(broken, '{');
    const other = join(folder, 'other.json');
    writeFileSync(other, '{"format": "relay", "operations": []}');
    const nameless = written('nameless', COUNT, { name: 7 });
    const faults: [file: string, fault: string][] = [
      [join(folder, 'none.json'), 'cannot be read (ENOENT)'],
      [broken, 'is not JSON'],
      [other, 'must have "format": "apollo-persisted-query-manifest", "version": 1 and a list of "operations"'],
      [nameless, 'has an operation whose "id", "name" or "body" is missing or is not a string'],
      [
        written('Forged', COUNT, { id: sha256(NAMES) }),
        'has the operation Forged, whose id is not the SHA-256 of its body',
      ],
    ];
    const env = { PORT: 'x', PERSISTED_MANIFEST: faults.map(([file]) => file).join(',') };
    const faultList = faults.map(([file, fault]) => `  PERSISTED_MANIFEST: ${file} ${fault}`).join('\n');
    expect(() => readConfig(env)).toThrow(faultList);
    expect(() => readConfig(env)).toThrow('PORT must be a whole number');
  });

  test('an operation that does not fit the schema is reported at the start too', async () => {
    for (const [body, fault] of [
      ['{ printers { colour } }', 'Cannot query field "colour" on type "PrinterConnection".'],
      ['query {', 'Syntax Error: Expected Name, found <EOF>.'],
    ] as const) {
      const config = readConfig({ DATABASE_URL: 'memory:', PERSISTED_MANIFEST: written('Odd', body) });
      await expect(createApp(config)).rejects.toMatchObject({
        faults: [`PERSISTED_MANIFEST: the operation Odd does not fit the schema: ${fault}`],
      });
    }
  });
});
