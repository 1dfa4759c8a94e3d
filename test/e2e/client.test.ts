// The typed client against the running gateway: the first steps of a frontend developer.

import { type Client, createClient, GatewayRequestError } from '../../src/client/client';
import {
  CameraDetailDocument,
  CamerasDocument,
  CancelPrintJobDocument,
  ChangePrintJobStatusDocument,
  CreateMaterialDocument,
  CreatePrinterDocument,
  CreatePrintJobDocument,
  CreateSpoolDocument,
  PrintJobByIdDocument,
  PrintJobsDocument,
  RecordCameraStatusesDocument,
  RegisterCameraDocument,
  UpdateCameraDocument,
  UpdatePrintJobDocument,
} from '../../src/generated/operations';
import { type RunningGateway, runGateway } from '../support/running-gateway';

let gateway: RunningGateway;
let client: Client;

beforeAll(async () => {
  gateway = await runGateway();
  client = createClient({ url: `${gateway.url}/graphql` });
});

afterAll(() => gateway?.stop());

const refusal = (request: Promise<unknown>) =>
  request.then(
    (data) => new Error(`It was answered: ${JSON.stringify(data)}`),
    (error: unknown) => error,
  );

test('a camera is registered, renamed, reports, and is read with its history', async () => {
  const input = { id: 'lobby', friendlyName: 'Lobby', macAddress: '02:00:00:00:00:aa' };
  const { registerCamera } = await client.request(RegisterCameraDocument, { input });
  expect(registerCamera).toMatchObject({ ...input, lastStatus: null });
  await client.request(UpdateCameraDocument, { id: 'lobby', input: { friendlyName: 'Front lobby' } });
  const recordedAt = new Date(Date.now() - 60_000).toISOString();
  const report = { cameraId: 'lobby', online: true, batteryPct: 61.5, recordedAt };
  const { recordCameraStatuses } = await client.request(RecordCameraStatusesDocument, { input: [report] });
  expect(recordCameraStatuses).toMatchObject([report]);
  const { camera } = await client.request(CameraDetailDocument, { id: 'lobby' });
  expect(camera).toMatchObject({
    friendlyName: 'Front lobby',
    lastStatus: { batteryPct: 61.5, recordedAt },
    history: [{ recordedAt }],
  });
  const { cameras } = await client.request(CamerasDocument, { filter: { batteryAtMost: 70 } });
  expect(cameras).toMatchObject({ totalCount: 1, nodes: [{ id: 'lobby' }] });
});

test('a print job is created, updated, changed and cancelled, decimals keeping their digits', async () => {
  const { createMaterial: material } = await client.request(CreateMaterialDocument, {
    input: { name: 'PLA for the client', densityGPerCm3: '1.240' },
  });
  const { createSpool: spool } = await client.request(CreateSpoolDocument, {
    input: {
      spoolSerial: 'client-1',
      filamentDiameterMm: '1.75',
      weightTotalGrams: 1000,
      purchasePrice: '25.00',
      materialId: material.id,
    },
  });
  const { createPrinter: printer } = await client.request(CreatePrinterDocument, { input: { name: 'Client printer' } });
  const links = { printerId: printer.id, spoolId: spool.id };
  const { createPrintJob: job } = await client.request(CreatePrintJobDocument, {
    input: { ...links, printName: 'Boat', dataSource: 'MANUAL', costPerPrint: '0.100000000000000000001' },
  });
  expect(job).toMatchObject({ status: 'QUEUED', costPerPrint: '0.100000000000000000001', printer: { id: printer.id } });
  const { updatePrintJob } = await client.request(UpdatePrintJobDocument, {
    id: job.id,
    input: { ...links, printName: 'Boat', mmExtruded: 1000, autoDeriveGrams: true },
  });
  expect(updatePrintJob).toMatchObject({
    gramsDerived: '2.98',
    costPerPrint: '0.0745',
    materialDensityAtPrint: '1.240',
  });
  const { changePrintJobStatus } = await client.request(ChangePrintJobStatusDocument, {
    id: job.id,
    status: 'PRINTING',
  });
  expect(changePrintJobStatus.allowedTransitions).toContain('COMPLETED');
  await client.request(CancelPrintJobDocument, { id: job.id });
  const { printJob } = await client.request(PrintJobByIdDocument, { id: job.id });
  expect(printJob).toMatchObject({ status: 'CANCELLED', completedAt: expect.any(String) });
  expect((await client.request(PrintJobsDocument, { filter: { status: ['CANCELLED'] } })).printJobs.totalCount).toBe(1);
});

test('refusals carry code and request id', async () => {
  const again = await refusal(
    client.request(RegisterCameraDocument, { input: { id: 'lobby', friendlyName: 'Again' } }),
  );
  expect(again).toBeInstanceOf(GatewayRequestError);
  expect(again).toMatchObject({ codes: ['CONFLICT'], requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  const absent = { id: '00000000-0000-0000-0000-000000000000', status: 'PRINTING' as const };
  expect(await refusal(client.request(ChangePrintJobStatusDocument, absent))).toMatchObject({ codes: ['NOT_FOUND'] });
  // @ts-expect-error an operator's typing mistake, which only the gateway can see at run time
  expect(await refusal(client.request(CameraDetailDocument, { id: { no: 'text' } }))).toMatchObject({
    codes: ['BAD_USER_INPUT'],
    status: 400,
  });
});
