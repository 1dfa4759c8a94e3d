// Settings of a database that change what SQL means or prints: the gateway answers the same, also if a pooler drops its settings.
import { type App, createApp } from '../../src/app';
import { readConfig } from '../../src/config';
import { type FreshDatabase, freshDatabase, onServer } from '../support/databases';
import type { Parsed } from '../support/gateway';
import { until } from '../support/waiting';

/** All settings together: the difference of the answers shows which one has an effect. */
const SETTINGS: Record<string, string> = {
  extra_float_digits: '0',
  DateStyle: "'German, DMY'",
  IntervalStyle: "'iso_8601'",
  TimeZone: "'Asia/Kathmandu'",
  bytea_output: "'escape'",
  standard_conforming_strings: 'off',
  transform_null_equals: 'on',
  array_nulls: 'off',
  xmlbinary: "'hex'",
  quote_all_identifiers: 'on',
  search_path: 'elsewhere',
  client_encoding: "'LATIN1'",
  client_min_messages: "'debug1'",
  default_transaction_isolation: "'serializable'",
  default_transaction_deferrable: 'on',
  lock_timeout: "'1ms'",
  exit_on_error: 'on',
  jit: 'on',
};
const OTHERS = { ...SETTINGS, extra_float_digits: '-15', DateStyle: "'SQL, MDY'", IntervalStyle: "'sql_standard'" };
/** Through a pooler, a transaction makes its settings with its first statement, which these would end. */
const LIMITS = { statement_timeout: "'1ms'", idle_in_transaction_session_timeout: "'1ms'" };

/** What depends on the run: ids and the times of writes. */
const MASKED = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}|"(createdAt|updatedAt)":"[^"]*"|"id":"\d+"/g;

describe.each([
  ['in sessions of its own', '', LIMITS],
  ['in transactions of a pooler', '?pgbouncer=true', {}],
])('%s', (_how, parameters, limits) => {
  let fresh: FreshDatabase;
  let usual: string;
  let alter: (clause: string) => Promise<unknown>;
  beforeAll(async () => {
    fresh = await freshDatabase('server');
    // From another database, whose settings stay as they are.
    const server = process.env['TEST_SERVER_URL'] as string;
    alter = (clause) => onServer(server, `alter database ${new URL(fresh.url).pathname.slice(1)} ${clause}`);
    await onServer(fresh.url, 'create schema elsewhere');
    usual = await answers();
    expect(usual).toContain('33.333333333333336');
    expect(usual).not.toContain('"errors"');
  });
  afterAll(() => fresh.drop());

  let runs = 0;
  /** The answers of a gateway that starts now, to the same requests each time. */
  async function answers(): Promise<string> {
    runs += 1;
    const run = `run${runs}`;
    const app = await createApp(readConfig({ LOG_LEVEL: 'silent', DATABASE_URL: fresh.url + parameters }));
    try {
      const texts = await exchange(app, run);
      return texts.join('\n').replace(MASKED, '…').replaceAll(run, 'run');
    } finally {
      await app.close();
    }
  }

  test.each([{ ...SETTINGS, ...limits }, OTHERS])('%j', async (settings) => {
    for (const [name, value] of Object.entries(settings)) await alter(`set ${name} = ${value}`);
    try {
      expect(await answers()).toBe(usual);
    } finally {
      await alter('reset all');
    }
  });
});

/** Writes and reads of each kind of value. */
async function exchange(app: App, run: string): Promise<string[]> {
  const texts: string[] = [];
  const ask = async (query: string, variables: object = {}) => {
    const { payload } = await app.inject({ method: 'POST', url: '/graphql', payload: { query, variables } });
    texts.push(payload);
    return JSON.parse(payload).data;
  };
  const record = { cameraId: run, online: true, batteryPct: 33.333333333333336, fps: 29.97002997002997, mode: 'NULL' };
  const input = [
    { ...record, recordedAt: '2024-02-03T04:05:06.789Z', rawBatteryPct: 1e-7 },
    { ...record, recordedAt: '2024-03-02T04:05:06.789Z', rawBatteryPct: null },
  ];
  const members = 'recordedAt batteryPct fps rawBatteryPct mode resolution';
  await ask(
    `mutation ($name: String!, $input: [CameraStatusInput!]!) {
      registerCamera(input: { id: "${run}", friendlyName: $name }) { friendlyName }
      recordCameraStatuses(input: $input) { ${members} } }`,
    { name: `Tür \\ ' ${run}`, input },
  );
  await ask(`{ camera(id: "${run}") { friendlyName lastStatus { ${members} }
    history(from: "2024-01-01T00:00:00Z") { ${members} } } cameras(filter: { search: "TÜR \\\\ ' ${run}" }) { nodes { friendlyName } } }`);
  const { m, p } = await ask(`mutation { m: createMaterial(input: { name: "${run}", densityGPerCm3: "1.240" }) { id }
    p: createPrinter(input: { name: "P\\\\1" }) { id name } }`);
  const { s } = await ask(`mutation { s: createSpool(input: { spoolSerial: "${run}", materialId: "${m.id}",
    filamentDiameterMm: "1.75", weightTotalGrams: "1000.10" }) { id weightTotalGrams remainingGrams } }`);
  const { j } = await ask(`mutation { j: createPrintJob(input: { printerId: "${p.id}", spoolId: "${s.id}",
    printName: "part 50%_\\\\ ${run}", dataSource: MANUAL, startedAt: "2024-02-03T04:05:06.789Z", mmExtruded: "123456.7890",
    gramsDerived: "0.1", costPerPrint: "0.0003" }) { id startedAt mmExtruded costPerPrint notes } }`);
  for (const status of ['PRINTING', 'COMPLETED'])
    await ask(`mutation { changePrintJobStatus(id: "${j.id}", status: ${status}) { status } }`);
  await ask(`{ printJobs(filter: { search: "50%_\\\\ ${run}" }) { totalCount nodes { printName gramsDerived printer { name } } }
    filamentUsage(filter: { printerId: "${p.id}" }, groupBy: [PRINTER]) { completedGrams completedCost }
    spool(id: "${s.id}") { remainingGrams } }`);
  const csv = await app.inject(`/reports/print-jobs.csv?printerId=${p.id}`);
  texts.push(csv.payload.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => (time.startsWith('2024') ? time : '…')));
  // The last of three changes of the job.
  const changes = '{ changes(first: 1000) { nodes { ... on PrintJobChanged { jobId toStatus } } } }';
  const readChanges = async () =>
    (await app.inject({ method: 'POST', url: '/graphql', payload: { query: changes } })).payload;
  const isWhole = (text: string) => text.includes(`"${j.id}","toStatus":"COMPLETED"`) && text;
  const payload = await until('the changes of the job can be read', readChanges, isWhole);
  texts.push(String(JSON.parse(payload).data.changes.nodes.filter(({ jobId }: Parsed) => jobId === j.id).length));
  return texts;
}
