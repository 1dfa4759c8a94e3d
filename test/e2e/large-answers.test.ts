// A process with a small heap refuses an answer that exceeds its memory, and continues, however a request repeats one object.
import { ask } from '../support/requests';
import { type RunningGateway, runGateway } from '../support/running-gateway';

const NAMES = 10_000;

describe('a process with a heap of 256 MB', () => {
  let gateway: RunningGateway;
  let id: string;
  const graphql = async (query: string, variables = {}) => ask(gateway, '/graphql', { query, variables });

  beforeAll(async () => {
    gateway = await runGateway({ NODE_OPTIONS: '--max-old-space-size=256' });
    const made = await graphql('mutation { printer: createPrinter(input: { name: "P" }) { id } }');
    const material = await graphql(
      'mutation { createMaterial(input: { name: "PLA", densityGPerCm3: "1.24" }) { id } }',
    );
    const spool = await graphql('mutation ($input: CreateSpoolInput!) { createSpool(input: $input) { id } }', {
      input: {
        spoolSerial: 'S',
        filamentDiameterMm: '1.75',
        weightTotalGrams: '1000',
        materialId: material.body.data.createMaterial.id,
      },
    });
    const spoolId = spool.body.data.createSpool.id;
    const job = await graphql('mutation ($input: CreatePrintJobInput!) { createPrintJob(input: $input) { id } }', {
      input: {
        printerId: made.body.data.printer.id,
        spoolId,
        printName: 'Cube',
        dataSource: 'MANUAL',
        notes: 'n'.repeat(10_000),
      },
    });
    id = job.body.data.createPrintJob.id;
    const parts = Array.from({ length: 64 }, (_, slot) => ({ spoolId, slot: `tool:${slot}`, mmExtruded: '10' }));
    await graphql(
      'mutation ($id: ID!, $parts: [PrintJobPartInput!]!) { setPrintJobParts(id: $id, parts: $parts) { id } }',
      {
        id,
        parts,
      },
    );
  });
  afterAll(async () => {
    expect(await gateway.stop()).toBe(0);
  });

  const part = 'slot mmExtruded gramsDerived cost filamentBasis spool { spoolSerial material { name } }';
  const aliased = (field: string, count: number) =>
    Array.from({ length: count }, (_, n) => `a${n}: ${field}`).join(' ');
  test.each([
    ['parts', `parts { ${part} }`],
    [
      'parts of jobs of parts',
      'parts { spool { jobs { nodes { parts { spool { jobs { nodes { parts { cost } } } } } } } } }',
    ],
    ['aliases of objects', aliased('printer { name }', 40)],
    ['aliases of texts', aliased('printName', 400)],
    ['long texts', 'notes'],
    [
      'parts in fragments',
      `...A ...B } } } fragment A on PrintJob { parts { cost } ...B } fragment B on PrintJob { ... on PrintJob { b: parts { ${part}`,
    ],
  ])('%s of one job that is named 10,000 times', async (_, fields) => {
    const query = `query ($keys: [_Any!]!) { _entities(representations: $keys) { ... on PrintJob { ${fields} } } }`;
    const keys = Array(NAMES).fill({ __typename: 'PrintJob', id });
    // The second time the operation is compiled.
    for (let time = 1; time <= 2; time += 1) {
      const { status, body } = await graphql(query, { keys });
      expect([status, Object.keys(body), body.errors[0].extensions.code]).toEqual([400, ['errors'], 'BAD_USER_INPUT']);
    }
  });

  test('an alias in the schema', async () => {
    const { status, body } = await graphql(`{ __schema { ${aliased('types { fields { type { name } } }', 400)} } }`);
    expect([status, body.errors[0].extensions.code]).toEqual([400, 'BAD_USER_INPUT']);
  });

  test('an answer that fits the memory is sent', async () => {
    const query = `query ($keys: [_Any!]!) { _entities(representations: $keys) { ... on PrintJob { parts { ${part} } } } }`;
    const { body } = await graphql(query, { keys: Array(200).fill({ __typename: 'PrintJob', id }) });
    expect(body.data._entities.flatMap((job: { parts: object[] }) => job.parts)).toHaveLength(200 * 64);
  });
});
