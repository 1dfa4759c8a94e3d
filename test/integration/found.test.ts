// What generated input has found wrong, each with a name of its own.
import { randomUUID } from 'node:crypto';
import { describeOnDatabases } from '../support/databases';
import { makeFarm, unique } from '../support/farm';
import { expectCode, expectData, expectError, expectStatus, test, useGateway } from '../support/gateway';

describeOnDatabases('found by generated input', (kind) => {
  const gateway = useGateway(kind);
  const post = async (body: object) => {
    const answer = await gateway.rest('POST', '/graphql', body);
    return { ...answer, data: answer.body?.data, errors: answer.body?.errors ?? [] };
  };

  test('an operationName that names no operation of the document is the client’s fault, each time', async () => {
    const query = 'query a { materials { id } } query b { materials { id } }';
    for (const operationName of ['c', '', undefined, 'c', '']) {
      const answer = expectStatus(await post({ query, operationName }), 400);
      expect(expectCode(answer, 'OPERATION_RESOLUTION_FAILURE')).toMatch(/operation name/i);
    }
    expectData(await post({ query, operationName: 'b' }));
  });

  test('a document that is nested deeper than it can be read is the client’s fault', async () => {
    const nested = `{ printJobs(filter: ${'['.repeat(4900)}) { totalCount } }`;
    const answer = expectStatus(await post({ query: nested }), 400);
    expect(expectCode(answer, 'GRAPHQL_PARSE_FAILED')).toBe('The document is nested too deeply');
    expect(expectCode(await post({ query: '{' }), 'GRAPHQL_PARSE_FAILED')).toMatch(/^Syntax Error/);
  });

  test('a list of no status records is recorded', async () => {
    const answer = await gateway.graphql('mutation { recordCameraStatuses(input: []) { id } }');
    expect(expectData(answer)).toEqual({ recordCameraStatuses: [] });
  });

  test('a literal that is no finite number is refused before the database has to', async () => {
    for (const member of ['fps', 'rawBatteryPct', 'batteryPct']) {
      for (const value of ['1e400', '-1e400']) {
        const query = `mutation { recordCameraStatuses(input: [{ cameraId: "c", online: true, ${member}: ${value} }]) { id } }`;
        expect(expectCode(await post({ query }), 'BAD_USER_INPUT')).toContain(member);
      }
    }
  });

  test('a number with more digits than a float has is a Float, and no message shows how it was read', async () => {
    const camera = unique('digits');
    expectStatus(await gateway.rest('POST', '/cameras', { camera_id: camera, friendly_name: 'c' }), 201);
    const query =
      'mutation ($v: Float) { recordCameraStatuses(input: [{ cameraId: "CAMERA", online: true, rawBatteryPct: $v }]) { rawBatteryPct } }';
    const send = async (number: string) => {
      const document = JSON.stringify(query.replace('CAMERA', camera));
      const answer = await gateway.rest('POST', '/graphql', `{"query":${document},"variables":{"v":${number}}}`, {
        'content-type': 'application/json',
      });
      return { ...answer, data: answer.body?.data, errors: answer.body?.errors ?? [] };
    };
    for (const number of ['29.969999999999999', '3.14159265358979323846', '1e-400']) {
      expect(expectData(await send(number)).recordCameraStatuses).toEqual([{ rawBatteryPct: Number(number) }]);
    }
    expect(expectCode(await send('1e400'), 'BAD_USER_INPUT')).not.toContain('Lossless');
  });

  test('a filter that no float holds is refused, as a literal and as a variable', async () => {
    for (const number of ['1e400', '-1e999']) {
      const literal = await post({ query: `{ cameras(filter: { batteryAtMost: ${number} }) { totalCount } }` });
      expect(expectCode(literal, 'BAD_USER_INPUT')).toContain('batteryAtMost');
      const query = JSON.stringify('query ($n: Float) { cameras(filter: { batteryAtMost: $n }) { totalCount } }');
      const body = `{"query":${query},"variables":{"n":${number}}}`;
      const answer = await gateway.rest('POST', '/graphql', body, { 'content-type': 'application/json' });
      const told = {
        message: expect.stringMatching(new RegExp(`^Variable "\\$n" got invalid value ${number}; Float`)),
        extensions: { code: 'BAD_USER_INPUT' },
      };
      expect(answer.body.errors[0]).toMatchObject(told);
      const variables = encodeURIComponent(`{"n":${number}}`);
      const address = `/graphql?query=${encodeURIComponent(JSON.parse(query))}&variables=${variables}`;
      const read = await gateway.rest('GET', address, undefined, { 'apollo-require-preflight': '1' });
      expect(read.body.errors[0]).toMatchObject(told);
    }
  });

  test('a number in a wrong place is shown with its digits', async () => {
    const digits = '12345678901234567890.12345';
    const wrong: [type: string, use: string, json: string][] = [
      ['RegisterCameraInput!', 'registerCamera(input: $v) { id }', `{"id":"c","friendlyName":"c","unknown":${digits}}`],
      ['RegisterCameraInput!', 'registerCamera(input: $v) { id }', `{"id":{"a":[${digits}]},"friendlyName":"c"}`],
      ['RegisterCameraInput!', 'registerCamera(input: $v) { id }', '1e400'],
      ['RegisterCameraInput!', 'registerCamera(input: $v) { id }', `{"id":"c","friendlyName":${digits}}`],
      ['String!', 'registerCamera(input: {id: "c", friendlyName: $v}) { id }', digits],
      ['ID!', 'cancelPrintJob(id: $v) { id }', digits],
      ['PrintJobStatus!', 'changePrintJobStatus(id: "1", status: $v) { id }', digits],
      ['CreateMaterialInput!', 'createMaterial(input: $v) { id }', `{"name":"m","densityGPerCm3":9${digits}}`],
      ['DateTime', 'recordCameraStatuses(input: [{cameraId: "c", online: true, recordedAt: $v}]) { id }', digits],
      ['Boolean!', 'recordCameraStatuses(input: [{cameraId: "c", online: $v}]) { id }', `{"a":${digits}}`],
    ];
    for (const [type, use, value] of wrong) {
      const query = JSON.stringify(`mutation ($v: ${type}) { ${use} }`);
      const body = `{"query":${query},"variables":{"v":${value}}}`;
      const answer = await gateway.rest('POST', '/graphql', body, { 'content-type': 'application/json' });
      const messages = answer.body.errors.map(({ message }: { message: string }) => message).join('\n');
      expect([use, messages]).toEqual([use, expect.stringContaining(value === '1e400' ? value : digits)]);
      expect(messages).not.toMatch(/tooLarge|lossless/i);
    }
  });

  test('a search for more than any name holds is refused, and reads nothing', async () => {
    await makeFarm(gateway);
    const lists = [
      'printJobs(FILTER)',
      'cameras(FILTER)',
      'printers { nodes { jobs(FILTER)',
      'spools { nodes { jobs(FILTER)',
    ];
    for (const search of ['x'.repeat(1001), '%'.repeat(30_000)]) {
      for (const list of lists) {
        const opened = `{ ${list.replace('FILTER', 'filter: { search: $s }')} { totalCount`;
        const query = `query ($s: String) ${opened}${' }'.repeat(opened.split('{').length - 2)}`;
        const answer = await gateway.graphql(query, { s: search });
        expect(expectCode(answer, 'BAD_USER_INPUT')).toBe('search must have at most 1000 characters');
      }
    }
    for (const list of ['printJobs', 'cameras']) {
      const query = `query ($s: String) { ${list}(filter: { search: $s }) { totalCount } }`;
      expect(expectData(await gateway.graphql(query, { s: '%'.repeat(1000) }))[list].totalCount).toBe(0);
    }
  });

  test('null from a variable where none may be is the fault of the client', async () => {
    const query = 'query ($v: ID = "x") { camera(id: $v) { id } }';
    expectCode(await gateway.graphql(query, { v: null }), 'BAD_USER_INPUT');
  });

  test('an id of any number of digits is an id, as a variable and as a literal', async () => {
    const digits = '123456789012345678901234567890';
    for (const [head, id, variables] of [
      ['query ($id: ID!)', '$id', `{"id":${digits}}`],
      ['query', digits, '{}'],
    ]) {
      const body = `{"query":"${head} { camera(id: ${id}) { id } }","variables":${variables}}`;
      const answer = await gateway.rest('POST', '/graphql', body, { 'content-type': 'application/json' });
      expect(expectStatus(answer, 200).body).toEqual({ data: { camera: null } });
    }
  });

  test('variables that are nested without end are refused', async () => {
    const nested = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    for (const query of ['{ __typename }', 'query ($zz: ID!) { camera(id: $zz) { id } }']) {
      const body = `{"query":"${query}","variables":{"zz":${nested}}}`;
      const answer = await gateway.rest('POST', '/graphql', body, { 'content-type': 'application/json' });
      expect(expectStatus(answer, 400).body.errors[0].extensions.code).toBe('BAD_USER_INPUT');
    }
  });

  test('a header with the name of something that every object has is a header like any other', async () => {
    for (const accept of ['constructor', '__proto__', 'toString']) {
      expectStatus(await gateway.rest('POST', '/graphql', { query: '{ __typename }' }, { accept }), 406);
    }
  });

  test('a mutation whose answer would not be accepted is not done', async () => {
    const ask = (accept: string, id: string) =>
      gateway.rest(
        'POST',
        '/graphql',
        { query: `mutation { registerCamera(input: { id: "${id}", friendlyName: "x" }) { id } }` },
        { accept },
      );
    const refused = [
      'text/plain',
      'text/html, application/xml;q=0.9',
      'application/json;q=0',
      'image/*, , x',
      'a/json',
    ];
    const unread = [
      'application/json; charset=latin1',
      'application/json;foo=bar',
      `application/json;q=0.${'0'.repeat(8000)}`,
    ];
    refused.push(...unread);
    for (const accept of refused) {
      const id = unique('refused');
      const answer = expectStatus(await ask(accept, id), 406);
      expect(answer.body.errors[0]).toMatchObject({
        message: expect.stringContaining('accept'),
        extensions: { code: 'BAD_REQUEST' },
      });
      expectError(await gateway.rest('GET', `/cameras/${id}`), 404);
    }
    const taken = [
      '',
      '*/*',
      'text/html, application/*;q=0.1',
      'Application/JSON; charset=utf-8',
      'x, application/json',
    ];
    for (const accept of [...taken, 'application/graphql-response+json;q=0.05', 'application/json;q=0, */*;q=0.5']) {
      const id = unique('taken');
      expect(expectStatus(await ask(accept, id), 200).body).toEqual({ data: { registerCamera: { id } } });
    }
  });

  test('a job that does not exist is checked first, also before a body that cannot be read', async () => {
    const job = `/api/printjobs/${randomUUID()}`;
    for (const body of ['{', '', '[]', '{"Status":"nope"}']) {
      expectError(await gateway.rest('PUT', job, body), 404);
      expectError(await gateway.rest('PATCH', `${job}/status`, body), 404);
    }
  });

  test('a status that is unrecognised is ignored, whatever it holds', async () => {
    expectStatus(await gateway.rest('GET', '/api/printjobs?Status=%00'), 200);
  });

  test('the search for cameras knows the case of other letters than ASCII, as that for jobs does', async () => {
    const camera = unique('Süd');
    expectStatus(await gateway.rest('POST', '/cameras', { camera_id: camera, friendly_name: 'ÜBER Straße' }), 201);
    for (const search of [camera.toUpperCase(), 'über']) {
      const query = 'query ($search: String) { cameras(filter: { search: $search }) { nodes { id } } }';
      expect(expectData(await gateway.graphql(query, { search })).cameras.nodes).toContainEqual({ id: camera });
    }
  });

  test('a persisted query that is not what its hash says is the client’s fault', async () => {
    const extensions = { persistedQuery: { version: 1, sha256Hash: '0'.repeat(64) } };
    expectCode(await post({ query: '{ __typename }', extensions }), 'BAD_REQUEST');
  });

  test('the longest name of an operation stays short where it is counted', async () => {
    const answer = await post({ query: `query ${'B'.repeat(10_000)} { __typename }` });
    expectData(answer);
    const { text } = expectStatus(await gateway.rest('GET', '/metrics'), 200);
    expect(text).toContain(`"${'B'.repeat(100)}"`);
  });
});
