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
import { decimal } from './shapes';

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
    completedGrams: ({ completedGrams }) => decimal(completedGrams),
    completedCost: ({ completedCost }) => decimal(completedCost),
    wastedJobs: ({ wastedJobs }) => wastedJobs,
    wastedGrams: ({ wastedGrams }) => decimal(wastedGrams),
    wastedCost: ({ wastedCost }) => decimal(wastedCost),
    filamentId: ({ filamentId }) => filamentId,
    filament: ({ filament }) => filament?.name,
    lostGrams: ({ lostGrams }) => lostGrams && decimal(lostGrams),
    lostCost: ({ lostCost }) => lostCost && decimal(lostCost),
  },
  ['completedCost', 'wastedCost', 'lostCost'],
);

/** The columns that show the job of a row. */
const JOB_OF_ROW = {
  jobId: ({ of }: OfJob) => of.id,
  printName: ({ of }: OfJob) => of.printName,
  printerId: ({ of }: OfJob) => of.printerId,
  printer: ({ of }: OfJob) => of.printer?.name,
  status: ({ of }: OfJob) => of.status,
  createdAt: ({ of }: OfJob) => of.createdAt,
  startedAt: ({ of }: OfJob) => of.startedAt,
  completedAt: ({ of }: OfJob) => of.completedAt,
  updatedAt: ({ of }: OfJob) => of.updatedAt,
};

interface OfJob {
  of: JobRow;
}

/** A part with its job, and with the basis of its amounts. */
export type PartOfJob = PrintJobPart & OfJob & { filamentBasis: string };

export const PART_SHEET = defineCsv<PartOfJob>(
  {
    ...JOB_OF_ROW,
    slot: ({ slot }) => slot,
    fromLayer: ({ fromLayer }) => fromLayer,
    toLayer: ({ toLayer }) => toLayer,
    spoolId: ({ spool }) => spool?.id,
    spool: ({ spool }) => spool?.spoolSerial,
    material: ({ spool }) => spool?.material.name,
    mmExtruded: ({ mmExtruded }) => decimal(mmExtruded),
    gramsDerived: ({ gramsDerived }) => decimal(gramsDerived),
    cost: ({ cost }) => decimal(cost),
    filamentBasis: ({ filamentBasis }) => filamentBasis,
  },
  ['cost'],
);

/** What a camera recorded of a job. */
export type FilmOfJob = JobFilming & OfJob & { camera: string | undefined };

export const FILMING_SHEET = defineCsv<FilmOfJob>({
  ...JOB_OF_ROW,
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
    mmExtruded: ({ mmExtruded }) => decimal(mmExtruded),
    gramsDerived: ({ gramsDerived }) => decimal(gramsDerived),
    costPerPrint: ({ costPerPrint }) => decimal(costPerPrint),
    filamentDiameterAtPrintMm: ({ filamentDiameterAtPrintMm }) => decimal(filamentDiameterAtPrintMm),
    materialDensityAtPrint: ({ materialDensityAtPrint }) => decimal(materialDensityAtPrint),
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
