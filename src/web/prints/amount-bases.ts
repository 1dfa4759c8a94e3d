// How the amounts of prints and jobs are known.
import type { FilamentBasis, PrintOutcome } from '../../generated/web-operations';
import { grams } from '../parts/numbers';

export const BASES: Record<FilamentBasis, string> = {
  MEASURED: 'measured by the printer',
  PLANNED: 'planned by the slicer',
  ESTIMATED: 'estimated',
  UNKNOWN: 'unknown',
  MANUAL: 'entered by hand',
};

/** While a print runs, and where its end was not seen, the amount is no sum yet. */
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

/** 0 g would say that nothing was used. */
export const isNotKnown = ({ gramsDerived, filamentBasis }: { gramsDerived: string; filamentBasis: FilamentBasis }) =>
  filamentBasis === 'UNKNOWN' && Number(gramsDerived) === 0;

/** The grams of a job, where they are known. */
export const jobGramsOf = (job: { gramsDerived: string; filamentBasis: FilamentBasis }): string =>
  isNotKnown(job) ? 'Unknown' : grams(job.gramsDerived);
