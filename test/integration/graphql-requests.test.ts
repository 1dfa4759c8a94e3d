// Requests of GraphQL: the operation that they name, how deep they are nested, what they accept, and the digits of their numbers.
import { anyDatabase } from '../support/databases';
import { unique } from '../support/farm';
import { expectCode, expectData, expectError, expectStatus, test, useGateway } from '../support/gateway';

describe('a GraphQL request', () => {
  const gateway = useGateway(anyDatabase);
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

  test('a document that is nested too deeply to be parsed is the client’s fault', async () => {
    const nested = `{ printJobs(filter: ${'['.repeat(4900)}) { totalCount } }`;
    const answer = expectStatus(await post({ query: nested }), 400);
    expect(expectCode(answer, 'GRAPHQL_PARSE_FAILED')).toBe('The document is nested too deeply. Select fewer levels.');
    expect(expectCode(await post({ query: '{' }), 'GRAPHQL_PARSE_FAILED')).toMatch(/^Syntax Error/);
  });

  test('a number with more digits than a float has is a Float, and no message shows the internal form', async () => {
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

  test('a number in a wrong place is shown with its digits', async () => {
    const digits = '12345678901234567890.12345';
    const wrong: [type: string, use: string, json: string][] = [
      ['RegisterCameraInput!', 'registerCamera(input: $v) { id }', `{"id":"c","friendlyName":"c","unknown":${digits}}`],
      ['RegisterCameraInput!', 'registerCamera(input: $v) { id }', '1e400'],
      ['String!', 'registerCamera(input: {id: "c", friendlyName: $v}) { id }', digits],
      ['PrintJobStatus!', 'changePrintJobStatus(id: "1", status: $v) { id }', digits],
      ['CreateMaterialInput!', 'createMaterial(input: $v) { id }', `{"name":"m","densityGPerCm3":9${digits}}`],
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

  test('a mutation whose answer the client does not accept is not executed', async () => {
    const query = 'mutation ($id: ID!) { registerCamera(input: { id: $id, friendlyName: "x" }) { id } }';
    const ask = (accept: string, id: string) =>
      gateway.rest('POST', '/graphql', { query, variables: { id } }, { accept });
    const refused = ['text/plain', 'application/json;q=0', 'image/*, , x', 'application/json;foo=bar', 'constructor'];
    for (const accept of refused) {
      const id = unique('refused');
      const answer = expectStatus(await ask(accept, id), 406);
      expect(answer.body.errors[0]).toMatchObject({
        message: expect.stringContaining('Accept header'),
        extensions: { code: 'BAD_REQUEST' },
      });
      expectError(await gateway.rest('GET', `/cameras/${id}`), 404);
    }
    const taken = [
      '',
      '*/*',
      'text/html, application/*;q=0.1',
      'x, application/json',
      'application/json;q=0, */*;q=0.5',
    ];
    for (const accept of taken) {
      const id = unique('taken');
      expect(expectStatus(await ask(accept, id), 200).body).toEqual({ data: { registerCamera: { id } } });
    }
  });

  test('the longest name of an operation is shortened in the metrics', async () => {
    const answer = await post({ query: `query ${'B'.repeat(10_000)} { __typename }` });
    expectData(answer);
    const { text } = expectStatus(await gateway.rest('GET', '/metrics'), 200);
    expect(text).toContain(`"${'B'.repeat(100)}"`);
  });
});
