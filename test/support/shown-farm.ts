// A farm to look at in the dashboard, made with the typed client: a printer and a spool, then jobs and cameras on demand.
import {
  CreateMaterialDocument,
  CreatePrinterDocument,
  CreatePrintJobDocument,
  CreateSpoolDocument,
  RecordCameraStatusesDocument,
  RegisterCameraDocument,
} from '../../src/generated/operations';
import { createClient } from '../../src/web/client';

export async function makeShownFarm(url: string, headers: Record<string, string> = {}) {
  const client = createClient({ url: `${url}/graphql`, headers });
  const { createMaterial } = await client.request(CreateMaterialDocument, {
    input: { name: 'PETG', densityGPerCm3: '1.27' },
  });
  const { createSpool } = await client.request(CreateSpoolDocument, {
    input: {
      spoolSerial: 'PETG-1',
      filamentDiameterMm: '1.75',
      weightTotalGrams: '1000',
      materialId: createMaterial.id,
    },
  });
  const { createPrinter } = await client.request(CreatePrinterDocument, { input: { name: 'Bay 1' } });
  const makeJob = async (printName: string) => {
    const input = {
      printerId: createPrinter.id,
      spoolId: createSpool.id,
      printName,
      mmExtruded: '1000',
      costPerPrint: '0.4200',
      dataSource: 'MANUAL' as const,
      autoDeriveGrams: true,
    };
    return (await client.request(CreatePrintJobDocument, { input })).createPrintJob.id;
  };
  const makeCamera = async (id: string, status?: { online: boolean; batteryPct: number; recordedAt?: string }) => {
    await client.request(RegisterCameraDocument, { input: { id, friendlyName: `Camera ${id}` } });
    if (status) await client.request(RecordCameraStatusesDocument, { input: [{ cameraId: id, ...status }] });
  };
  return { client, makeJob, makeCamera };
}
