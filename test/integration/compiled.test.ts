// Operations for which compiled code once differed from the interpreter: each way of execution has the same effects and answers.
import { anyDatabase } from '../support/databases';
import { makeCamera, makeFarm, unique } from '../support/farm';
import { test, useGateway } from '../support/gateway';

const NOBODY = '00000000-0000-0000-0000-000000000000';
const DATE_MARK = '__MAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74d';
const JOB = 'printerId: $p, spoolId: $s, printName: "x", dataSource: MANUAL';
/** Fragments each of which uses the next one twice. */
const DOUBLED = Array.from({ length: 9 }, (_, n) => `fragment F${n} on Printer { ...F${n + 1} ...F${n + 1} }`).join(
  ' ',
);
const NESTED = `${'jobs(first: 1) { nodes { printer { '.repeat(4)} ...F0 ${' } } }'.repeat(4)}`;

/** Operations with the ids of a farm: $c of a camera, $p of a printer, $s of a spool. */
const EXECUTED: [what: string, document: string, variables?: object][] = [
  ['no text is run as code', `{ __type(name: "${DATE_MARK}process.exit(9)") { name } }`],
  ['a text is stored as it is', `mutation { createPrinter(input: { name: "${DATE_MARK}0),name:String(1" }) { name } }`],
  [
    'the first mutation that fails is the last',
    `mutation { a: createPrinter(input: { name: "a" }) { name } b: cancelPrintJob(id: "${NOBODY}") { id }
       c: createPrinter(input: { name: "c" }) { name } }`,
  ],
  [
    'nothing waits after a mutation whose argument is refused',
    `mutation ($o: ID = "x") { a: createPrinter(input: { name: "a" }) { name } b: cancelPrintJob(id: $o) { id }
       c: createPrinter(input: { name: "c" }) { name } }`,
    { o: null },
  ],
  [
    'a missing variable changes nothing',
    `mutation ($c: ID!, $mac: String, $name: String) {
       updateCamera(id: $c, input: { macAddress: $mac, friendlyName: $name }) { macAddress friendlyName } }`,
    { name: 'named' },
  ],
  [
    'a member whose variable is missing has its default',
    `mutation ($p: ID!, $s: ID!, $x: Decimal) { createPrintJob(input: { ${JOB}, mmExtruded: $x }) { mmExtruded } }`,
  ],
  [
    'null is refused for a variable with a default',
    `mutation ($p: ID!, $s: ID!, $x: Boolean = true) { createPrintJob(input: { ${JOB}, autoDeriveGrams: $x }) { id } }`,
    { x: null },
  ],
  [
    'a fragment is complete if it has no condition',
    `query ($c: ID!, $full: Boolean!) { cameras(first: 1) { nodes { id ...C @include(if: $full) } } camera(id: $c) { ...C } }
       fragment C on Camera { friendlyName macAddress }`,
    { full: false },
  ],
  [
    'each of two conditions leaves out its part',
    `query ($v: Boolean!, $w: Boolean!) { cameras { nodes @include(if: $v) { ... @include(if: $w) { id } } nodes { friendlyName } } }`,
    { v: false, w: true },
  ],
  [
    'no float can hold the default',
    'query ($x: Float = 1e400) { cameras(filter: { batteryAtMost: $x }) { totalCount } }',
  ],
  ['a variable has any name', 'query ($constructor: Int = 5) { printJobs(first: $constructor) { totalCount } }'],
  [
    'such a variable is null',
    'mutation ($toString: CreatePrinterInput!) { createPrinter(input: $toString) { name } }',
    { toString: null },
  ],
  [
    'each of two fields gets the answer to its selection',
    'query ($p: ID!) { jobs_printer: printJobs { nodes { id } } printer(id: $p) { jobs { totalCount } } }',
  ],
  [
    'the same number of errors is reported',
    'query ($p: ID!, $g: String) { printer(id: $p) { x: jobs(after: $g) { totalCount } y: jobs(after: $g) { totalCount } } }',
    { g: 'garbage' },
  ],
  [
    'fragments are followed at any depth once',
    `query ($p: ID!) { printer(id: $p) { ${NESTED} } } ${DOUBLED} fragment F9 on Printer { ${'name '.repeat(500)} }`,
  ],
  ['an alias has any name', '{ cameras(first: 1) { nodes { friendlyName __proto__: macAddress } } }'],
];

// Only the later executions of a document may be compiled.
describe('every way of executing an operation gives the same effects and the same answer', () => {
  const gateway = useGateway(anyDatabase);
  let ids: object;
  beforeAll(async () => {
    const { printerId, spoolId } = await makeFarm(gateway);
    ids = { c: await makeCamera(gateway, { mac_address: unique('mac') }), p: printerId, s: spoolId };
  });
  const printers = async () => Number((await gateway.sql('select count(*) as n from printers'))[0].n);

  for (const [what, document, variables] of EXECUTED) {
    test(what, async () => {
      const query = `# ${unique('document')}\n${document}`;
      const answers: unknown[] = [];
      for (let time = 0; time < 3; time += 1) {
        const before = await printers();
        const { body, status } = await gateway.rest('POST', '/graphql', { query, variables: { ...ids, ...variables } });
        answers.push({ body, status, written: (await printers()) - before });
      }
      expect(answers).toEqual([answers[0], answers[0], answers[0]]);
      expect(JSON.stringify(answers)).not.toContain('INTERNAL_SERVER_ERROR');
    });
  }
});
