// A gateway with the embedded database reports what happens in a farm to a webhook, and to a broker with its states.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { copyTemplate } from '../support/databases';
import { closeServers } from '../support/hostile-machine';
import { type ListeningGateway, listenInProcess } from '../support/listening-gateway';
import { startAedes, watchBroker } from '../support/mqtt-brokers';
import { answerWith, startReceiver } from '../support/notification-receivers';
import { addTarget } from '../support/notification-targets';
import { ask } from '../support/requests';
import { temporaryFolder } from '../support/temporary-folder';
import { until } from '../support/waiting';

let folder: string;
let gateway: ListeningGateway;
beforeAll(async () => {
  folder = temporaryFolder('users');
  copyTemplate(join(folder, 'data'));
  // With the time for a request that users have: an empty variable counts as unset.
  gateway = await listenInProcess({ DATABASE_URL: `file:${join(folder, 'data')}`, REQUEST_TIMEOUT_MS: '' });
});
afterAll(async () => {
  await gateway.stop();
  rmSync(folder, { recursive: true });
});
afterAll(closeServers);

const graphql = async (query: string, variables: object = {}) => {
  const { body, status } = await ask(gateway, '/graphql', { query, variables });
  return { status, data: body.data, errors: body.errors ?? [] } as never;
};
const done = async (query: string, variables: object = {}) => {
  const { body, request } = await ask(gateway, '/graphql', { query, variables });
  if (body.errors) throw new Error(`${request}\n${JSON.stringify(body.errors)}`);
  return body.data;
};

test('a job that prints and is completed is sent once to a webhook and to a broker, which holds the states meanwhile', async () => {
  const hook = await startReceiver();
  hook.answer = answerWith(204);
  const broker = await startAedes();
  const watcher = await watchBroker(broker.port);
  const events = ['PRINT_BEGAN', 'PRINT_ENDED'];
  const { secret } = await addTarget({ graphql }, { url: `${hook.url}/farm`, events });
  const { target } = await addTarget(
    { graphql },
    { kind: 'MQTT', url: `mqtt://127.0.0.1:${broker.port}/home`, events },
  );

  const { createMaterial: material } = await done(
    'mutation { createMaterial(input: { name: "PLA", densityGPerCm3: "1.24" }) { id } }',
  );
  const { createPrinter: printer } = await done('mutation { createPrinter(input: { name: "Prusa 1" }) { id } }');
  const { createSpool: spool } = await done(
    `mutation ($materialId: ID!) { createSpool(input: { spoolSerial: "PLA-1", filamentDiameterMm: "1.75", weightTotalGrams: "1000",
      purchasePrice: "20", materialId: $materialId }) { id } }`,
    { materialId: material.id },
  );
  const state = `home/printers/${printer.id}`;
  await until(
    'the printer is on the broker',
    () => watcher.held,
    (held) => held.has(state),
  );
  const { createPrintJob: job } = await done(
    `mutation ($printerId: ID!, $spoolId: ID!) { createPrintJob(input: { printerId: $printerId, spoolId: $spoolId, printName: "gear",
      gcodeFilePath: "/gear.gcode", mmExtruded: "1000", autoDeriveGrams: true, costPerPrint: "0", dataSource: MANUAL }) { id } }`,
    { printerId: printer.id, spoolId: spool.id },
  );
  const change = (status: string) =>
    done('mutation ($id: ID!, $status: PrintJobStatus!) { changePrintJobStatus(id: $id, status: $status) { id } }', {
      id: job.id,
      status,
    });
  await change('PRINTING');
  await until(
    'the state shows the job',
    () => watcher.held.get(state) ?? '{}',
    (text) => JSON.parse(text).activity === 'PRINTING',
  );
  expect(JSON.parse(watcher.held.get(state) as string)).toEqual({
    name: 'Prusa 1',
    activity: 'PRINTING',
    progress: null,
    remainingSec: null,
    print: 'gear',
    spool: 'PLA-1',
    spools: ['PLA-1'],
  });
  await change('COMPLETED');
  await until(
    'both events reach the webhook',
    () => hook.received,
    (heard) => heard.length >= 2,
  );
  const bodies = hook.received.map(({ headers, body }) => new Webhook(secret).verify(body, headers as never));
  expect(bodies).toMatchObject([
    { type: 'print.began', data: { job: { id: job.id, name: 'gear', status: 'PRINTING' } } },
    { type: 'print.ended', data: { job: { id: job.id, name: 'gear', status: 'COMPLETED' } } },
  ]);
  const onBroker = () => watcher.heard.filter(({ topic }) => topic.startsWith('home/events/'));
  await until('both events reach the broker', onBroker, (heard) => heard.length >= 2);
  const told = onBroker().map(({ text }) => JSON.parse(text));
  expect(told).toEqual(bodies.map((body) => ({ ...(body as object), id: expect.any(String) })));
  expect(new Set(told.map(({ id }) => id)).size).toBe(told.length);

  await done('mutation ($id: ID!) { removeNotificationTarget(id: $id) }', { id: target.id });
  await until(
    'the broker holds nothing of the farm',
    () => watcher.held,
    (held) => [...held.keys()].every((topic) => topic.startsWith('home/events/')),
  );
  await watcher.stop();
  await broker.stop();
});
