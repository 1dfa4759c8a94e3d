// The columns of print jobs, each named once: statements and row readers are made from this table.
import { type Columns, nested, rowShape } from '../database/rows';
import { PRINTER_ROW, SPOOL_ROW } from '../inventory/inventory.rows';
import type { PrintJob } from './print-job.types';

/** A job as its table holds it. */
export type StoredJob = Omit<PrintJob, 'printer' | 'spool'> & { printerId: string; spoolId: string };
/** A job with its printer and its spool; null when the printer or the spool was deleted. */
export type JobRow = StoredJob & Pick<PrintJob, 'printer' | 'spool'>;

export const JOB_COLUMNS = {
  id: 'uuid',
  printerId: 'uuid',
  spoolId: 'uuid',
  printName: 'text',
  gcodeFilePath: 'text',
  mmExtruded: 'numeric',
  gramsDerived: 'numeric',
  costPerPrint: 'numeric',
  startedAt: 'timestamptz',
  completedAt: 'timestamptz',
  status: 'text',
  dataSource: 'text',
  filamentDiameterAtPrintMm: 'numeric',
  materialDensityAtPrint: 'numeric',
  notes: 'text',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
} satisfies Columns<StoredJob>;

/** A job `j` alone. */
export const STORED_JOB = rowShape<StoredJob>('j', JOB_COLUMNS);

/** A job `j` with printer, spool and material. One statement reads all of them, instead of three (W2, W4). */
export const JOB_ROW = rowShape<JobRow, 'printer' | 'spool'>('j', JOB_COLUMNS, {
  printer: nested(PRINTER_ROW, (json) => `(select ${json} from printers p where p.id = j.printer_id)`),
  spool: nested(SPOOL_ROW, (json) => `(select ${json} from spools s where s.id = j.spool_id)`),
});
