// Writes a printer and spools as rows, for tests without a gateway.
import { randomUUID } from 'node:crypto';
import type { Database } from '../../src/database/database';

export async function makeSpools({ prisma }: Database, printerId: string, ...spools: string[]): Promise<void> {
  const [materialId, times] = [randomUUID(), { createdAt: new Date(), updatedAt: new Date() }];
  await prisma.printer.create({ data: { id: printerId, name: 'Voron', ...times } });
  await prisma.material.create({ data: { id: materialId, name: 'PLA', densityGPerCm3: '1.24' } });
  const size = { filamentDiameterMm: '1.75', weightTotalGrams: '1000', materialId };
  for (const id of spools) await prisma.spool.create({ data: { id, spoolSerial: id, ...size, ...times } });
}
