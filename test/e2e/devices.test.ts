// Machines beside gateways as processes: a collector of its own, and one that is killed in mid-print.
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { createClient } from '../../src/client/client';
import { startFake } from '../../src/devices/fakes';
import {
  ConnectDeviceDocument,
  CreateMaterialDocument,
  CreatePrinterDocument,
  CreateSpoolDocument,
  DevicesDocument,
  LoadSpoolDocument,
  PrintJobsDocument,
} from '../../src/generated/operations';
import { ask } from '../support/asking';
import { type Child, startChild } from '../support/child-process';
import { freshDatabase } from '../support/databases';
import { CLI, runGateway } from '../support/running-gateway';
import { temporaryFolder } from '../support/temporary-folder';
import { until } from '../support/waiting';

const DEVICE_KEY = '0123456789abcdef'.repeat(4);

test('a collector that is killed in mid-print leaves one print and one job, which the next one ends', async () => {
  const fresh = await freshDatabase('server');
  const env = { DATABASE_URL: fresh.url, DEVICE_KEY, LOG_LEVEL: 'warn' };
  const gateway = await runGateway({ ...env, COLLECT: 'false' });
  const machine = await startFake('MOONRAKER', { secret: 'key', script: { seconds: 100, mm: 1000 } });
  const collectors: Child[] = [];
  const collect = () => {
    const child = startChild(CLI, ['collect'], env);
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
    const { createSpool } = await client.request(CreateSpoolDocument, {
      input: { spoolSerial: 'S', filamentDiameterMm: '1.75', weightTotalGrams: '1000', materialId: createMaterial.id },
    });
    await client.request(LoadSpoolDocument, { printerId: createPrinter.id, spoolId: createSpool.id });
    await client.request(ConnectDeviceDocument, {
      input: { kind: 'MOONRAKER', printerId: createPrinter.id, address: machine.url, secret: 'key' },
    });
    const first = collect();
    await until(async () => (await state()) === 'CONNECTED');
    machine.print.begin();
    machine.print.advance(10);
    await until(async () => (await jobs()).length === 1);
    first.kill('SIGKILL');
    await first.ended;
    machine.print.advance(10);
    machine.print.complete();
    // Another process takes the device when its lease is over, 30 s later.
    collect();
    await until(async () => (await jobs())[0]?.[0] === 'COMPLETED');
    expect(await jobs()).toEqual([['COMPLETED', '2.98']]);
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
    expect(metrics).toContain('print_farm_observed_prints{outcome="COMPLETED"} 1');
    collectors[1]?.kill('SIGTERM');
    expect(await collectors[1]?.ended).toBe(0);
    expect(collectors.map(({ output }) => output.includes('key'))).toEqual([false, false]);
  } finally {
    for (const one of collectors) one.kill('SIGKILL');
    await machine.close();
    await gateway.stop();
    await fresh.drop();
  }
});

test('a Bambu printer whose certificate an authority signed needs no fingerprint, and must have that serial number', async () => {
  const machine = await startFake('BAMBU', { secret: 'code' });
  const folder = temporaryFolder('authorities');
  const authorities = join(folder, 'authorities.pem');
  await writeFile(authorities, await certificateAt(machine.port));
  const gateway = await runGateway({ NODE_EXTRA_CA_CERTS: authorities, COLLECT: 'false', DATABASE_URL: 'memory:' });
  const query = 'mutation ($input: AddDeviceInput!) { testDevice(input: $input) { fault activity } }';
  const { createPrinter } = await createClient({ url: `${gateway.url}/graphql` }).request(CreatePrinterDocument, {
    input: { name: 'P1S' },
  });
  const address = `127.0.0.1:${machine.port}`;
  const tested = (serial: string) =>
    ask(gateway, '/graphql', {
      query,
      variables: { input: { kind: 'BAMBU', printerId: createPrinter.id, address, serial, secret: 'code' } },
    });
  try {
    expect(await tested('01P00A000000001')).toMatchObject({
      body: { data: { testDevice: { fault: null, activity: 'IDLE' } } },
    });
    expect(await tested('01P00A000000002')).toMatchObject({
      body: { data: { testDevice: { fault: 'CERTIFICATE_NOT_TRUSTED' } } },
    });
  } finally {
    await gateway.stop();
    await machine.close();
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
