// What generated input has found wrong, each with a name of its own.
import { describeOnBothDatabases } from '../../support/databases';
import { expectCode, expectData, expectStatus, test, useGateway } from '../../support/gateway';

describeOnBothDatabases('found by generated input', (kind) => {
  const gateway = useGateway(kind);
  const post = async (body: object) => {
    const answer = await gateway.rest('POST', '/graphql', body);
    return { ...answer, data: answer.body?.data, errors: answer.body?.errors ?? [] };
  };

  test('an operationName that names no operation of the document is the client’s fault, each time', async () => {
    const query = 'query a { materials { id } } query b { materials { id } }';
    for (const operationName of ['', 'c', undefined, 'c', '']) {
      const answer = expectStatus(await post({ query, operationName }), 400);
      expect(expectCode(answer, 'OPERATION_RESOLUTION_FAILURE')).toMatch(/operation name/i);
    }
    expectData(await post({ query, operationName: 'b' }));
  });

  test('a kind of operation that the schema does not have is the client’s fault', async () => {
    const answer = expectStatus(await post({ query: 'subscription { cameras { totalCount } }' }), 400);
    expect(expectCode(answer, 'GRAPHQL_VALIDATION_FAILED')).toContain('no subscription operations');
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
});
