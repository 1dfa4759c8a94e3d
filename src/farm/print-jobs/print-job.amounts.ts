// The amounts that autoDeriveGrams derives: of a whole job, and of one part by part.

import { storable } from '../../values/decimal';
import type { Spool } from '../inventory/inventory.types';
import { deriveGrams, pricedCostOf } from './filament';
import { derivedParts, type JobPart, totalsOf } from './print-job.parts';
import { type JobRow, type PartRow, partsWithAmounts, type StoredJob, storedParts } from './print-job.rows';

/** POST and PUT rule 3: diameter from the spool, density from its material, grams by the formula. */
export function derivedFrom(spool: Spool, mmExtruded: string) {
  const { filamentDiameterMm, material } = spool;
  return {
    filamentDiameterAtPrintMm: filamentDiameterMm,
    materialDensityAtPrint: material.densityGPerCm3,
    gramsDerived: storable(
      deriveGrams(mmExtruded, filamentDiameterMm, material.densityGPerCm3),
      'input',
      'gramsDerived',
    ),
  };
}

/** PUT rules 3 and 4. Without a price (or a weight to divide by) or grams the cost stays as requested. */
export function derivedWithCost(
  spool: Spool,
  { mmExtruded, costPerPrint }: Pick<StoredJob, 'mmExtruded' | 'costPerPrint'>,
) {
  const derived = derivedFrom(spool, mmExtruded);
  const cost = pricedCostOf(derived.gramsDerived, spool);
  return { ...derived, costPerPrint: cost === null ? costPerPrint : storable(cost, 'input', 'costPerPrint') };
}

/** The same rules part by part, each with its own spool; the job has their sums. */
export function derivedByParts(job: Omit<JobRow, 'printer'>, rows: readonly PartRow[], costGiven: string) {
  const withSpools = partsWithAmounts(job, rows).map(({ spool, ...part }) => ({ part, spool }));
  const parts = derivedParts(withSpools, costGiven);
  const [own] = parts as [JobPart];
  const { gramsDerived, cost } = totalsOf(parts);
  return {
    rows: storedParts(job.id, parts),
    filamentDiameterAtPrintMm: own.filamentDiameterAtPrintMm,
    materialDensityAtPrint: own.materialDensityAtPrint,
    gramsDerived: storable(gramsDerived, 'input', 'gramsDerived'),
    costPerPrint: storable(cost, 'input', 'costPerPrint'),
  };
}
