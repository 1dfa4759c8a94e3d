// The amounts of a job, of its print and its spool.
import Decimal from 'decimal.js';
import type { Spool } from '../inventory/inventory.types';
import { costOf, deriveGrams, hasPrice } from '../print-jobs/filament';
import { gramsOf } from '../print-rules/consumption';
import type { ObservedFilament } from '../print-rules/print.model';
import type { StoredPrint } from './observed-print.rows';
import { bookedFilamentOf } from './observed-print.status';

export interface Amounts {
  mmExtruded: string;
  gramsDerived: string;
  costPerPrint: string;
  autoDeriveGrams: boolean;
  isKnown: boolean;
  /** Slots that the print uses beside those of the job's spool: their filament is not the spool's. */
  others: string[];
}

/** Of the slots that the job was made for. A plan that comes later may name more. */
export function amountsFor(print: StoredPrint, spool: Spool | null): Amounts {
  const all = bookedFilamentOf(print);
  const isOwn = ({ slot }: ObservedFilament) => print.spools === null || Object.hasOwn(print.spools, slot);
  const others = all.filter((one) => !isOwn(one)).map(({ slot }) => slot);
  return { ...amountsOf(all.filter(isOwn), spool), others };
}

/** All slots of a print count for the one spool of its job. */
function amountsOf(filament: readonly ObservedFilament[], spool: Spool | null): Omit<Amounts, 'others'> {
  const autoDeriveGrams = spool !== null && filament.every(({ mm }) => mm !== null);
  const mmExtruded = Decimal.sum(0, ...filament.map(({ mm }) => mm ?? 0)).toFixed();
  const gramsDerived = spool === null ? '0' : gramsWith(spool, filament, autoDeriveGrams ? mmExtruded : null);
  const isPriced = hasPrice(spool) && Number(gramsDerived) > 0;
  return {
    ...{ mmExtruded, gramsDerived, autoDeriveGrams },
    costPerPrint: isPriced ? costOf(gramsDerived, spool.purchasePrice, spool.weightTotalGrams) : '0',
    isKnown: filament.every(({ basis }) => basis !== 'UNKNOWN'),
  };
}

/** @param mm of all slots; null where one of them has no millimetres */
function gramsWith(spool: Spool, filament: readonly ObservedFilament[], mm: string | null): string {
  const measures = { filamentDiameterMm: spool.filamentDiameterMm, densityGPerCm3: spool.material.densityGPerCm3 };
  if (mm !== null) return deriveGrams(mm, measures.filamentDiameterMm, measures.densityGPerCm3);
  return Decimal.sum(0, ...filament.map((one) => gramsOf(one, measures))).toFixed();
}

export const spoolsOf = (print: StoredPrint, spoolId: string) =>
  Object.fromEntries(bookedFilamentOf(print).map(({ slot }) => [slot, spoolId]));
