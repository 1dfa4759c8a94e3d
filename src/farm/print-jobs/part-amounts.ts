// Decides how a job is divided into parts: their order, which spool the job has, the sums, and what autoDeriveGrams derives. The part with the
// spool of the job comes first; its amounts are what the other parts leave of the amounts of the job.
import DecimalJs from 'decimal.js';
import { checkStorable, trimZeros } from '../../values/decimal';
import { compareSlots } from '../../values/slot';
import type { Spool } from '../inventory/inventory.types';
import { calculateCostByPrice, deriveGrams, hasPrice, type Price } from './filament';
import type { JobPart, JobRow, PartRow, StoredJob, StoredPart } from './print-job.rows';

/** With 160 digits the sum of 64 amounts is exact. */
const Decimal = DecimalJs.clone({ precision: 160 });

type Amounts = Pick<JobPart, 'mmExtruded' | 'gramsDerived' | 'cost'>;
type SlotAndLayers = Pick<JobPart, 'slot' | 'fromLayer' | 'toLayer'>;

const countDecimals = (amounts: readonly string[]) =>
  Math.max(0, ...amounts.map((amount) => amount.split('.')[1]?.length ?? 0));

/** The sum, with as many decimals as the amount with the most decimals. */
export function sumAmounts(amounts: readonly string[]): string {
  const decimals = countDecimals(amounts);
  return amounts.reduce((sum, amount) => sum.plus(amount), new Decimal(0)).toFixed(decimals);
}

/** What the other parts leave of an amount of the job; 0 if another program lowered the amount of the job below their sum. */
export function subtractAmounts(amount: string, others: readonly string[]): string {
  const decimals = countDecimals([amount, ...others]);
  return Decimal.max(new Decimal(amount).minus(sumAmounts(others)), 0).toFixed(decimals);
}

/** The amounts of a job: the sums over its parts. */
export const sumParts = (parts: readonly Amounts[]): Amounts => ({
  mmExtruded: sumAmounts(parts.map(({ mmExtruded }) => mmExtruded)),
  gramsDerived: sumAmounts(parts.map(({ gramsDerived }) => gramsDerived)),
  cost: sumAmounts(parts.map(({ cost }) => cost)),
});

/** Parts with the spool of the job first, then by slot (parts without a slot last), then by layer. */
export function sortParts<Part extends SlotAndLayers & { spoolId: string }>(
  parts: readonly Part[],
  jobSpoolId: string,
): Part[] {
  const isOther = ({ spoolId }: Part) => Number(spoolId !== jobSpoolId);
  return parts.toSorted((a, b) => isOther(a) - isOther(b) || compareSlotAndLayers(a, b));
}

function compareSlotAndLayers(a: SlotAndLayers, b: SlotAndLayers): number {
  if (a.slot !== b.slot) return a.slot === null ? 1 : b.slot === null ? -1 : compareSlots(a.slot, b.slot);
  return (a.fromLayer ?? Number.MAX_SAFE_INTEGER) - (b.fromLayer ?? Number.MAX_SAFE_INTEGER);
}

/** A job keeps its spool if a part has that spool. Otherwise the job gets the spool of the part with the most grams; of equal parts, the lowest slot. */
export function chooseJobSpool(parts: readonly JobPart[], spoolId: string): string {
  if (parts.some((part) => part.spoolId === spoolId)) return spoolId;
  const heaviest = sortParts(parts, spoolId).reduce((most, part) =>
    new Decimal(part.gramsDerived).gt(most.gramsDerived) ? part : most,
  );
  return heaviest.spoolId;
}

/** A single part needs no row, because the row of the job has its amounts, unless a user entered the slot of the part. */
export const needsPartRows = (parts: readonly Pick<JobPart, 'slot' | 'filamentBasis'>[]): boolean =>
  parts.length > 1 || parts.some(({ slot, filamentBasis }) => slot !== null && filamentBasis === 'MANUAL');

/** A PUT of a job cannot give parts. The stored parts stay if the request repeats the stored spool and the stored amounts. */
export function keepsParts(
  stored: RequestedAmounts,
  { spoolId, mmExtruded, gramsDerived, costPerPrint }: RequestedAmounts,
  autoDeriveGrams: boolean,
): boolean {
  if (spoolId !== stored.spoolId || !isSameNumber(mmExtruded, stored.mmExtruded)) return false;
  return (
    autoDeriveGrams ||
    (isSameNumber(gramsDerived, stored.gramsDerived) && isSameNumber(costPerPrint, stored.costPerPrint))
  );
}

interface RequestedAmounts {
  spoolId: string;
  mmExtruded: string;
  gramsDerived: string;
  costPerPrint: string;
}

const isSameNumber = (a: string, b: string) => trimZeros(a) === trimZeros(b);

/** The values from which grams and cost are derived. */
export interface DerivationValues extends Price {
  filamentDiameterMm: string;
  material: { densityGPerCm3: string };
}

/**
 * Derives the grams and the cost of parts by the formulas. A part whose spool is gone keeps its diameter and density, and has no price.
 * @param costGiven the cost of the first part if no spool has a price, or if nothing was used
 */
export function deriveParts<Part extends JobPart>(
  parts: readonly { part: Part; spool: DerivationValues | null }[],
  costGiven: string,
): Part[] {
  const derived = parts.map(({ part, spool }) => {
    const diameter = spool?.filamentDiameterMm ?? part.filamentDiameterAtPrintMm;
    const density = spool?.material.densityGPerCm3 ?? part.materialDensityAtPrint;
    const gramsDerived = deriveGrams(part.mmExtruded, diameter, density);
    const cost = calculateCostByPrice(gramsDerived, spool) ?? '0';
    const properties = { filamentDiameterAtPrintMm: diameter, materialDensityAtPrint: density };
    return { ...part, ...properties, gramsDerived, cost };
  });
  const [first, ...others] = derived;
  const isPriced = parts.some(({ spool }) => hasPrice(spool)) && derived.some((part) => Number(part.gramsDerived) > 0);
  return first === undefined || isPriced ? derived : [{ ...first, cost: costGiven }, ...others];
}

/** POST and PUT rule 3: diameter from the spool, density from its material, grams by the formula. */
export function deriveFromSpool(spool: Spool, mmExtruded: string) {
  const { filamentDiameterMm, material } = spool;
  return {
    filamentDiameterAtPrintMm: filamentDiameterMm,
    materialDensityAtPrint: material.densityGPerCm3,
    gramsDerived: checkStorable(
      deriveGrams(mmExtruded, filamentDiameterMm, material.densityGPerCm3),
      'input',
      'gramsDerived',
    ),
  };
}

/** PUT rules 3 and 4. Without a price, without a weight to divide by, or without grams, the cost stays as requested. */
export function deriveWithCost(
  spool: Spool,
  { mmExtruded, costPerPrint }: Pick<StoredJob, 'mmExtruded' | 'costPerPrint'>,
) {
  const derived = deriveFromSpool(spool, mmExtruded);
  const cost = calculateCostByPrice(derived.gramsDerived, spool);
  return { ...derived, costPerPrint: cost === null ? costPerPrint : checkStorable(cost, 'input', 'costPerPrint') };
}

/** Applies the rules of deriveWithCost to each part with its spool. The job gets the sums. @param costGiven as in deriveParts */
export function deriveByParts(job: Omit<JobRow, 'printer'>, rows: readonly PartRow[], costGiven: string) {
  const withSpools = completeParts(job, rows).map(({ spool, ...part }) => ({ part, spool }));
  const parts = deriveParts(withSpools, costGiven);
  const [first] = parts as [JobPart];
  const { gramsDerived, cost } = sumParts(parts);
  return {
    rows: toStoredParts(job.id, parts),
    filamentDiameterAtPrintMm: first.filamentDiameterAtPrintMm,
    materialDensityAtPrint: first.materialDensityAtPrint,
    gramsDerived: checkStorable(gramsDerived, 'input', 'gramsDerived'),
    costPerPrint: checkStorable(cost, 'input', 'costPerPrint'),
  };
}

/** @param parts in their order, the part with the spool of the job first */
export const toStoredParts = (jobId: string, parts: readonly JobPart[]): StoredPart[] =>
  parts.map(({ slot, fromLayer, toLayer, filamentBasis, ...part }, number) => ({
    jobId,
    number,
    slot,
    fromLayer,
    toLayer,
    filamentBasis,
    ...(number === 0 ? STORED_WITH_JOB : selectSpoolAndAmounts(part)),
  }));

const STORED_WITH_JOB = {
  spoolId: null,
  mmExtruded: null,
  gramsDerived: null,
  cost: null,
  filamentDiameterAtPrintMm: null,
  materialDensityAtPrint: null,
};

function selectSpoolAndAmounts(part: { [Member in keyof typeof STORED_WITH_JOB]: string }) {
  const { spoolId, mmExtruded, gramsDerived, cost, filamentDiameterAtPrintMm, materialDensityAtPrint } = part;
  return { spoolId, mmExtruded, gramsDerived, cost, filamentDiameterAtPrintMm, materialDensityAtPrint };
}

/** The parts of a divided job with all their amounts. Part 0 gets what the other parts leave of the amounts of the job. */
export function completeParts(
  job: Omit<JobRow, 'printer'>,
  rows: readonly PartRow[],
): (JobPart & Pick<PartRow, 'spool'>)[] {
  const others = rows.filter(({ number }) => number > 0) as (JobPart & PartRow)[];
  const subtractOtherParts = (amount: string, member: 'mmExtruded' | 'gramsDerived' | 'cost') =>
    subtractAmounts(
      amount,
      others.map((part) => part[member]),
    );
  return rows.map((row) =>
    row.number > 0
      ? (row as JobPart & PartRow)
      : {
          ...row,
          spoolId: job.spoolId,
          spool: job.spool,
          mmExtruded: subtractOtherParts(job.mmExtruded, 'mmExtruded'),
          gramsDerived: subtractOtherParts(job.gramsDerived, 'gramsDerived'),
          cost: subtractOtherParts(job.costPerPrint, 'cost'),
          filamentDiameterAtPrintMm: job.filamentDiameterAtPrintMm,
          materialDensityAtPrint: job.materialDensityAtPrint,
        },
  );
}
