// The first execution of a document is another than the later ones, which may be compiled: all of them do and answer the same.
import { describeOnDatabases } from '../support/databases';
import { type Farm, makeCamera, makeFarm, unique } from '../support/farm';
import { type Gateway, test, useGateway } from '../support/gateway';

const NOBODY = '00000000-0000-0000-0000-000000000000';
const DATE_MARK = '__MAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74d';

describeOnDatabases('every execution', (kind) => {
  const gateway = useGateway(kind);
  let farm: Farm;
  let camera: string;
  beforeAll(async () => {
    farm = await makeFarm(gateway);
    camera = await makeCamera(gateway, { mac_address: 'AA:BB' });
  });

  /** Three times: as it comes first, compiled, and once more. */
  async function executions(document: string, variables?: unknown): Promise<unknown[]> {
    const answers: unknown[] = [];
    let before = await printers(gateway);
    for (let time = 0; time < 3; time += 1) {
      const { body, status } = await gateway.rest('POST', '/graphql', { query: document, variables });
      const after = await printers(gateway);
      answers.push({ body, status, written: after - before });
      before = after;
    }
    return answers;
  }

  const job = () => `printerId: "${farm.printerId}", spoolId: "${farm.spoolId}", printName: "x", dataSource: MANUAL`;
  const CASES: [what: string, document: () => string, variables?: unknown][] = [
    ['runs no text as code', () => `{ __type(name: "${DATE_MARK}process.exit(9)") { name } }`],
    [
      'stores a text as it is',
      () => `mutation { createPrinter(input: { name: "${DATE_MARK}0),name:String(1" }) { name } }`,
    ],
    [
      'stops at the first mutation that fails',
      () =>
        `mutation { a: createPrinter(input: { name: "a" }) { name } b: cancelPrintJob(id: "${NOBODY}") { id }
          c: createPrinter(input: { name: "c" }) { name } }`,
    ],
    [
      'does not wait behind a mutation whose argument is refused',
      () =>
        `mutation ($o: ID = "x") { a: createPrinter(input: { name: "a" }) { name } b: cancelPrintJob(id: $o) { id }
          c: createPrinter(input: { name: "c" }) { name } }`,
      { o: null },
    ],
    [
      'leaves alone what a variable that is not given would say',
      () =>
        `mutation ($mac: String, $name: String) {
          updateCamera(id: "${camera}", input: { macAddress: $mac, friendlyName: $name }) { macAddress friendlyName } }`,
      { name: 'named' },
    ],
    [
      'takes the default of a member whose variable is not given',
      () => `mutation ($x: Decimal) { createPrintJob(input: { ${job()}, mmExtruded: $x }) { mmExtruded } }`,
    ],
    [
      'refuses null for a variable with a default',
      () => `mutation ($x: Boolean = true) { createPrintJob(input: { ${job()}, autoDeriveGrams: $x }) { printName } }`,
      { x: null },
    ],
    [
      'uses a fragment wholly where it has no condition',
      () =>
        `query ($full: Boolean!) { cameras(first: 1) { nodes { id ...C @include(if: $full) } } camera(id: "${camera}") { ...C } }
          fragment C on Camera { friendlyName macAddress }`,
      { full: false },
    ],
    [
      'uses a fragment again that it left out before',
      () => '{ cameras { ...F @skip(if: true) ...F } } fragment F on CameraConnection { totalCount }',
    ],
    [
      'leaves out what two conditions leave out',
      () =>
        'query ($v: Boolean!, $w: Boolean!) { cameras { nodes @include(if: $v) { ... @include(if: $w) { id } } nodes { friendlyName } } }',
      { v: false, w: true },
    ],
    [
      'refuses a default that no float holds',
      () => 'query ($x: Float = 1e400) { cameras(filter: { batteryAtMost: $x }) { totalCount } }',
    ],
    [
      'reads a variable with the name of something that every object has',
      () => 'query ($constructor: Int = 5) { printJobs(first: $constructor) { totalCount } }',
      {},
    ],
    [
      'refuses such a variable when it is null',
      () => 'mutation ($toString: CreatePrinterInput!) { createPrinter(input: $toString) { name } }',
      { toString: null },
    ],
    [
      'answers to each of two fields what it asked',
      () => 'query ($p: ID!) { jobs_printer: printJobs { nodes { id } } printer(id: $p) { jobs { totalCount } } }',
      () => ({ p: farm.printerId }),
    ],
    [
      'tells as many errors',
      () =>
        'query ($p: ID!, $g: String) { printer(id: $p) { x: jobs(after: $g) { totalCount } y: jobs(after: $g) { totalCount } } }',
      () => ({ p: farm.printerId, g: 'garbage' }),
    ],
    [
      'follows fragments at any depth once',
      () =>
        `query ($p: ID!) { printer(id: $p) { ${'jobs(first: 1) { nodes { printer { '.repeat(4)} ...F0 ${' } } }'.repeat(4)} } }
          ${doubled(9, 'Printer')} fragment F9 on Printer { ${'name '.repeat(500)} }`,
      () => ({ p: farm.printerId }),
    ],
    ['answers under any alias', () => '{ cameras(first: 1) { nodes { friendlyName __proto__: macAddress } } }'],
  ];
  for (const [what, document, variables] of CASES) {
    test(what, async () => {
      const [first, ...later] = await executions(
        `# ${unique('document')}\n${document()}`,
        typeof variables === 'function' ? variables() : variables,
      );
      for (const execution of later) expect(execution).toEqual(first);
      expect(JSON.stringify(first)).not.toContain('INTERNAL_SERVER_ERROR');
    });
  }
});

/** Fragments each of which uses the next one twice. */
function doubled(count: number, type: string): string {
  return Array.from({ length: count }, (_, n) => `fragment F${n} on ${type} { ...F${n + 1} ...F${n + 1} }`).join(' ');
}

async function printers(gateway: Gateway): Promise<number> {
  const [row] = await gateway.sql('SELECT count(*)::int AS n FROM printers');
  return row.n;
}
