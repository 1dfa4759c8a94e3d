// Names the weight sources of prints and jobs, such as "measured by the printer".
import type { FilamentBasis, PrintOutcome } from '../../generated/web-operations';
import { formatGrams } from '../parts/numbers';

export const BASES: Record<FilamentBasis, string> = {
  MEASURED: 'measured by the printer',
  PLANNED: 'planned by the slicer',
  ESTIMATED: 'estimated',
  UNKNOWN: 'unknown',
  MANUAL: 'entered by hand',
};

/** While a print runs, and if nobody saw its end, the amount is not the final sum. */
const BASES_SO_FAR: Partial<Record<PrintOutcome, Partial<Record<FilamentBasis, string>>>> = {
  RUNNING: { MEASURED: 'measured so far', ESTIMATED: 'measured so far, split by estimate' },
  UNRESOLVED: {
    MEASURED: 'measured until contact was lost',
    ESTIMATED: 'measured until contact was lost',
    PLANNED: 'planned by the slicer, if completed',
  },
};

export const basisName = (basis: FilamentBasis, outcome: PrintOutcome): string =>
  BASES_SO_FAR[outcome]?.[basis] ?? BASES[basis];

/** Whether the weight is unknown. Showing 0 g would mean that nothing was used. */
export const isWeightUnknown = ({
  gramsDerived,
  filamentBasis,
}: {
  gramsDerived: string;
  filamentBasis: FilamentBasis;
}) => filamentBasis === 'UNKNOWN' && Number(gramsDerived) === 0;

/** The weight of a job, or "Unknown". */
export const formatJobWeight = (job: { gramsDerived: string; filamentBasis: FilamentBasis }): string =>
  isWeightUnknown(job) ? 'Unknown' : formatGrams(job.gramsDerived);
