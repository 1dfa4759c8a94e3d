// The texts of the fields when the job form opens.
import type { JobDetailsFragment } from '../../generated/web-operations';

export const toJobTexts = (job?: JobDetailsFragment) => ({
  printName: job?.printName ?? '',
  printerId: job?.printer?.id ?? '',
  spoolId: job?.spool?.id ?? '',
  mmExtruded: job?.mmExtruded ?? '',
  gramsDerived: job?.gramsDerived ?? '',
  costPerPrint: job?.costPerPrint ?? '',
  filamentDiameterAtPrintMm: job?.filamentDiameterAtPrintMm ?? '',
  materialDensityAtPrint: job?.materialDensityAtPrint ?? '',
  // Only the form of a new job has this field.
  startedAt: '',
  dataSource: job?.dataSource ?? 'MANUAL',
  gcodeFilePath: job?.gcodeFilePath ?? '',
  notes: job?.notes ?? '',
});
