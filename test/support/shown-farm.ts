// Makes a farm for the dashboard with the typed client: a printer and a spool, then jobs and cameras on demand.
import { createClient } from '../../src/client/client';
import {
  type CameraStatusInput,
  CreateMaterialDocument,
  CreatePrinterDocument,
  CreatePrintJobDocument,
  CreateSpoolDocument,
  RecordCameraStatusesDocument,
  RegisterCameraDocument,
} from '../../src/generated/operations';

const NAMES = { material: 'PETG', spool: 'PETG-1', printer: 'Bay 1' };

export async function makeShownFarm(url: string, headers: Record<string, string> = {}, names = NAMES) {
  const client = createClient({ url: `${url}/graphql`, headers });
  const { createMaterial } = await client.request(CreateMaterialDocument, {
    input: { name: names.material, densityGPerCm3: '1.27' },
  });
  const { createSpool } = await client.request(CreateSpoolDocument, {
    input: {
      spoolSerial: names.spool,
      filamentDiameterMm: '1.75',
      weightTotalGrams: '1000',
      materialId: createMaterial.id,
    },
  });
  const { createPrinter } = await client.request(CreatePrinterDocument, { input: { name: names.printer } });
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
  const makeCamera = async (id: string, status?: Omit<CameraStatusInput, 'cameraId'>) => {
    await client.request(RegisterCameraDocument, { input: { id, friendlyName: `Camera ${id}` } });
    if (status) await client.request(RecordCameraStatusesDocument, { input: [{ cameraId: id, ...status }] });
  };
  return { client, printerId: createPrinter.id, makeJob, makeCamera };
}
