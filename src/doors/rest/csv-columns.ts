// Defines the columns of the CSV files. They have the names of the graph; printers, spools and materials appear by their names.
import type { JobFilming } from '../../farm/filming/filming.types';
import type { Filament } from '../../farm/inventory/filament.types';
import type { Material, Printer, Spool } from '../../farm/inventory/inventory.types';
import type { JobRow } from '../../farm/print-jobs/print-job.rows';
import type { PrintJobPart } from '../../farm/print-jobs/print-job-part.types';
import type { UsageRow } from '../../farm/reports/usage.rows';
import {
  createCellWriters,
  FILAMENT_COLUMNS,
  FILAMENT_COLUMNS_TO_READ,
  type FilamentOfFile,
  SPOOL_COLUMNS,
  SPOOL_COLUMNS_TO_READ,
  type SpoolOfFile,
} from '../../farm/stock/stock-columns';
import { defineCsv } from '../../values/csv';
import { toJsonNumber } from './shapes';

/** A row of the usage report with the printer, spool, material and filament of its group. */
interface NamedUsage extends UsageRow {
  printer: Printer | null;
  spool: Spool | null;
  material: Material | null;
  filament: Filament | null;
}

export const USAGE_SHEET = defineCsv<NamedUsage>(
  {
    from: ({ from }) => from,
    printerId: ({ printerId }) => printerId,
    printer: ({ printer }) => printer?.name,
    spoolId: ({ spoolId }) => spoolId,
    spool: ({ spool }) => spool?.spoolSerial,
    materialId: ({ materialId }) => materialId,
    material: ({ material }) => material?.name,
    completedJobs: ({ completedJobs }) => completedJobs,
    completedGrams: ({ completedGrams }) => toJsonNumber(completedGrams),
    completedCost: ({ completedCost }) => toJsonNumber(completedCost),
    wastedJobs: ({ wastedJobs }) => wastedJobs,
    wastedGrams: ({ wastedGrams }) => toJsonNumber(wastedGrams),
    wastedCost: ({ wastedCost }) => toJsonNumber(wastedCost),
    filamentId: ({ filamentId }) => filamentId,
    filament: ({ filament }) => filament?.name,
    lostGrams: ({ lostGrams }) => lostGrams && toJsonNumber(lostGrams),
    lostCost: ({ lostCost }) => lostCost && toJsonNumber(lostCost),
  },
  ['completedCost', 'wastedCost', 'lostCost'],
);

/** The columns that show the job of a row. */
const JOB_COLUMNS_OF_ROW = {
  jobId: ({ printJob }: RowOfJob) => printJob.id,
  printName: ({ printJob }: RowOfJob) => printJob.printName,
  printerId: ({ printJob }: RowOfJob) => printJob.printerId,
  printer: ({ printJob }: RowOfJob) => printJob.printer?.name,
  status: ({ printJob }: RowOfJob) => printJob.status,
  createdAt: ({ printJob }: RowOfJob) => printJob.createdAt,
  startedAt: ({ printJob }: RowOfJob) => printJob.startedAt,
  completedAt: ({ printJob }: RowOfJob) => printJob.completedAt,
  updatedAt: ({ printJob }: RowOfJob) => printJob.updatedAt,
};

interface RowOfJob {
  printJob: JobRow;
}

/** A part with its job, and with the basis of its amounts. */
export type PartOfJob = PrintJobPart & RowOfJob & { filamentBasis: string };

export const PART_SHEET = defineCsv<PartOfJob>(
  {
    ...JOB_COLUMNS_OF_ROW,
    slot: ({ slot }) => slot,
    fromLayer: ({ fromLayer }) => fromLayer,
    toLayer: ({ toLayer }) => toLayer,
    spoolId: ({ spool }) => spool?.id,
    spool: ({ spool }) => spool?.spoolSerial,
    material: ({ spool }) => spool?.material.name,
    mmExtruded: ({ mmExtruded }) => toJsonNumber(mmExtruded),
    gramsDerived: ({ gramsDerived }) => toJsonNumber(gramsDerived),
    cost: ({ cost }) => toJsonNumber(cost),
    filamentBasis: ({ filamentBasis }) => filamentBasis,
  },
  ['cost'],
);

/** What a camera recorded of a job. */
export type FilmOfJob = JobFilming & RowOfJob & { camera: string | undefined };

export const FILMING_SHEET = defineCsv<FilmOfJob>({
  ...JOB_COLUMNS_OF_ROW,
  cameraId: ({ cameraId }) => cameraId,
  camera: ({ camera }) => camera,
  from: ({ from }) => from,
  to: ({ to }) => to,
  windowSec: ({ windowSec }) => windowSec,
  recordedSec: ({ recordedSec }) => recordedSec,
  share: ({ share }) => share,
  resolutionSec: ({ resolutionSec }) => resolutionSec,
  gaps: ({ gaps }) => gaps.length,
  otherGapsSec: ({ otherGapsSec }) => otherGapsSec,
  final: ({ final }) => String(final),
});

export const JOB_SHEET = defineCsv<JobRow>(
  {
    id: ({ id }) => id,
    printName: ({ printName }) => printName,
    status: ({ status }) => status,
    printerId: ({ printerId }) => printerId,
    printer: ({ printer }) => printer?.name,
    spoolId: ({ spoolId }) => spoolId,
    spool: ({ spool }) => spool?.spoolSerial,
    material: ({ spool }) => spool?.material.name,
    mmExtruded: ({ mmExtruded }) => toJsonNumber(mmExtruded),
    gramsDerived: ({ gramsDerived }) => toJsonNumber(gramsDerived),
    costPerPrint: ({ costPerPrint }) => toJsonNumber(costPerPrint),
    filamentDiameterAtPrintMm: ({ filamentDiameterAtPrintMm }) => toJsonNumber(filamentDiameterAtPrintMm),
    materialDensityAtPrint: ({ materialDensityAtPrint }) => toJsonNumber(materialDensityAtPrint),
    dataSource: ({ dataSource }) => dataSource,
    gcodeFilePath: ({ gcodeFilePath }) => gcodeFilePath,
    notes: ({ notes }) => notes,
    createdAt: ({ createdAt }) => createdAt,
    startedAt: ({ startedAt }) => startedAt,
    completedAt: ({ completedAt }) => completedAt,
    updatedAt: ({ updatedAt }) => updatedAt,
  },
  ['costPerPrint'],
);

export const SPOOL_SHEET = defineCsv<SpoolOfFile>(
  createCellWriters<SpoolOfFile>({ ...SPOOL_COLUMNS, ...SPOOL_COLUMNS_TO_READ }),
  ['purchasePrice'],
);

export const FILAMENT_SHEET = defineCsv<FilamentOfFile>(
  createCellWriters<FilamentOfFile>({ ...FILAMENT_COLUMNS, ...FILAMENT_COLUMNS_TO_READ }),
  ['purchasePrice'],
);
