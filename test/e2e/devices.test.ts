// Machines beside gateways in separate processes: one only collects, and another is killed during a print.
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { createClient } from '../../src/client/client';
import { startFake } from '../../src/demo/machines/start-machine';
import {
  ConnectDeviceDocument,
  CreateMaterialDocument,
  CreatePrinterDocument,
  CreateSpoolDocument,
  DevicesDocument,
  LoadSpoolDocument,
  PrintJobsDocument,
} from '../../src/generated/operations';
import { type Child, startChild } from '../support/child-process';
import { freshDatabase, onServer } from '../support/databases';
import { ask } from '../support/requests';
import { CLI, runGateway } from '../support/running-gateway';
import { temporaryFolder } from '../support/temporary-folder';
import { has, is, until } from '../support/waiting';

const DEVICE_KEY = '0123456789abcdef'.repeat(4);

test('a collector that is killed during a print leaves one print and one job, which the next ends; authorities can vouch for machines', async () => {
  const fresh = await freshDatabase('server');
  const bambu = await startFake('BAMBU', { secret: 'code' });
  const folder = temporaryFolder('authorities');
  const authorities = join(folder, 'authorities.pem');
  await writeFile(authorities, await certificateAt(bambu.port));
  const env = { DATABASE_URL: fresh.url, DEVICE_KEY, LOG_LEVEL: 'warn' };
  const gateway = await runGateway({ ...env, COLLECT: 'false', NODE_EXTRA_CA_CERTS: authorities });
  const machine = await startFake('MOONRAKER', { secret: 'key', script: { seconds: 100, mm: 1000 } });
  const collectors: Child[] = [];
  const collect = (more: Record<string, string> = {}) => {
    const child = startChild(CLI, ['collect'], { ...env, ...more });
    collectors.push(child);
    return child;
  };
  const client = createClient({ url: `${gateway.url}/graphql` });
  const jobs = async () =>
    (await client.request(PrintJobsDocument)).printJobs.nodes.map(({ status, gramsDerived }) => [status, gramsDerived]);
  const state = async () => (await client.request(DevicesDocument)).devices[0]?.connection.state;
  try {
    const { createMaterial } = await client.request(CreateMaterialDocument, {
      input: { name: 'PLA', densityGPerCm3: '1.24' },
    });
    const { createPrinter } = await client.request(CreatePrinterDocument, { input: { name: 'Voron' } });
    const printerId = createPrinter.id;
    const { createSpool } = await client.request(CreateSpoolDocument, {
      input: { spoolSerial: 'S', filamentDiameterMm: '1.75', weightTotalGrams: '1000', materialId: createMaterial.id },
    });
    await client.request(LoadSpoolDocument, { printerId, spoolId: createSpool.id });
    const first = collect();
    await first.waitForOutput('To see its health and metrics, set PORT to a free port.');

    const query = 'mutation ($input: AddDeviceInput!) { testDevice(input: $input) { fault activity } }';
    for (const [serial, found] of [
      ['01P00A000000001', { fault: null, activity: 'IDLE' }],
      ['01P00A000000002', { fault: 'CERTIFICATE_NOT_TRUSTED' }],
    ] as const) {
      const input = { kind: 'BAMBU', printerId, address: `127.0.0.1:${bambu.port}`, serial, secret: 'code' };
      const tested = await ask(gateway, '/graphql', { query, variables: { input } });
      expect(tested).toMatchObject({ body: { data: { testDevice: found } } });
    }

    await client.request(ConnectDeviceDocument, {
      input: { kind: 'MOONRAKER', printerId, address: machine.url, secret: 'key' },
    });
    await until('the device is connected', state, is('CONNECTED'));
    machine.print.start();
    machine.print.advance(10);
    await until('the print has a job', jobs, has({ length: 1 }));
    first.kill('SIGKILL');
    await first.ended;
    machine.print.advance(10);
    machine.print.complete();
    // Another process takes the device when its lease has expired, 30 s later; the test moves the lease by that time.
    await onServer(fresh.url, 'update leases set until = now()');
    const second = collect({ PORT: '0' });
    await second.waitForOutput('/metrics');
    const url = /http:\S+(?=\/healthz,)/.exec(second.output)?.[0];
    await until('the second collector is ready', async () => (await fetch(`${url}/readyz`)).status, is(200));
    const statuses = ['/healthz', '/readyz', '/metrics', '/graphql', '/cameras', '/'].map(
      async (path) => (await fetch(`${url}${path}`)).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 200, 200, 404, 404, 404]);
    const held = 'collector_devices{kind="MOONRAKER",state="CONNECTED"} 1';
    await until(
      'the second collector holds the device',
      async () => (await fetch(`${url}/metrics`)).text(),
      (text) => text.includes(held),
    );
    await until('the job is completed', jobs, ([job]) => job?.[0] === 'COMPLETED');
    expect(await jobs()).toEqual([['COMPLETED', '2.98']]);
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
    expect(metrics).toContain('print_farm_observed_prints{outcome="COMPLETED"} 1');
    second.kill('SIGTERM');
    expect(await second.ended).toBe(0);
    expect(collectors.map(({ output }) => output.includes('key'))).toEqual([false, false]);
  } finally {
    for (const one of collectors) one.kill('SIGKILL');
    await Promise.all([machine.close(), bambu.close(), gateway.stop()]);
    await fresh.drop();
    await rm(folder, { recursive: true });
  }
});

async function certificateAt(port: number): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const certificate = socket.getPeerX509Certificate();
  socket.destroy();
  return `${certificate}`;
}
