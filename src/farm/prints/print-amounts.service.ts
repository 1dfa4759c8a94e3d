// The amounts of a job, of its print and its spools.
import Decimal from 'decimal.js';
import type { Spool } from '../inventory/inventory.types';
import { deriveGrams, pricedCostOf } from '../print-jobs/filament';
import { type JobPart, ownSpoolOf, totalsOf } from '../print-jobs/print-job.parts';
import { gramsOf } from '../print-rules/amounts';
import { forOneJob } from '../print-rules/joining';
import type { ObservedFilament } from '../print-rules/print.model';
import type { StoredPrint } from './observed-print.rows';
import { bookedFilamentOf } from './observed-print.status';
import { dividedFilament } from './print-division.service';
import type { Prints } from './prints.service';

export interface Amounts {
  mmExtruded: string;
  gramsDerived: string;
  costPerPrint: string;
  autoDeriveGrams: boolean;
  isKnown: boolean;
  /** By slot and spool. */
  filament: ObservedFilament[];
  /** Slots that the print uses beside those of the job's spools. */
  others: string[];
  /** By slot, where the slots have several spools; null: all of it is of one spool. */
  parts: JobPart[] | null;
}

/** Whose amounts: a job, or one that is to be made. */
interface OfSpool {
  spoolId: string;
  spool: Spool | null;
  /** Whether the job is; one that is to be made is not. */
  divided: boolean;
}

/** Of the slots that the job was made for. A plan that comes later may name more. */
export async function amountsFor(
  prints: Prints,
  print: StoredPrint,
  { spoolId, spool, divided }: OfSpool,
): Promise<Amounts> {
  const filament = await dividedFilament(prints, print);
  const isOwn = ({ slot }: ObservedFilament) => print.spools === null || Object.hasOwn(print.spools, slot);
  const others = filament.filter((one) => !isOwn(one)).map(({ slot }) => slot);
  const own = filament.filter(isOwn);
  const spools = print.spools === null ? null : await spoolsOf(prints, print.spools, own, divided);
  if (spools === null || print.spools === null) return { ...amountsOf(own, spool), filament, others, parts: null };
  const parts = usedParts(partsOf(forOneJob(own), print.spools, spools), spoolId);
  const { mmExtruded, gramsDerived, cost } = totalsOf(parts);
  return {
    ...{ mmExtruded, gramsDerived, costPerPrint: cost, autoDeriveGrams: false, filament, others, parts },
    isKnown: own.every(({ basis }) => basis !== 'UNKNOWN'),
  };
}

/** The job's own spool when it is made: that of the slot with the most planned grams, then of the lowest slot. */
export async function ownSpoolFor(
  prints: Pick<Prints, 'spool'>,
  print: StoredPrint,
  bySlot: Record<string, string>,
): Promise<string> {
  const [only] = Object.values(bySlot) as [string];
  const spools = await spoolsOf(prints, bySlot, []);
  if (spools === null) return only;
  // What went on from another slot, or another spool, was not planned.
  const planned = bookedFilamentOf({ ...print, outcome: 'RUNNING', course: null });
  const parts = partsOf(planned, bySlot, spools);
  return parts.length === 0 ? only : ownSpoolOf(parts, '');
}

/** Those of the spools that are not archived. */
export async function inUse(
  { spool }: Pick<Prints, 'spool'>,
  spools: Record<string, string>,
): Promise<Record<string, string>> {
  const used: Record<string, string> = {};
  for (const [slot, id] of Object.entries(spools)) if ((await spool(id))?.archivedAt === null) used[slot] = id;
  return used;
}

/**
 * Null where all slots have one spool, and the job is not divided: then it has one part. A spool that another program removed has no
 * measures: its filament is in no job.
 */
async function spoolsOf(
  prints: Pick<Prints, 'spool'>,
  bySlot: Record<string, string>,
  filament: readonly ObservedFilament[],
  isDivided = false,
): Promise<Map<string, Spool> | null> {
  const ids = new Set([...Object.values(bySlot), ...filament.flatMap(({ spoolId }) => spoolId ?? [])]);
  if (ids.size < 2 && !isDivided) return null;
  const spools = new Map<string, Spool>();
  for (const id of ids) {
    const spool = await prints.spool(id);
    if (spool !== null) spools.set(id, spool);
  }
  return spools;
}

function partsOf(
  filament: readonly ObservedFilament[],
  bySlot: Record<string, string>,
  spools: ReadonlyMap<string, Spool>,
): JobPart[] {
  return filament.flatMap((one): JobPart[] => {
    const spool = spools.get(one.spoolId ?? bySlot[one.slot] ?? '');
    if (spool === undefined) return [];
    const { filamentDiameterMm, material } = spool;
    const gramsDerived = gramsOf(one, { filamentDiameterMm, densityGPerCm3: material.densityGPerCm3 });
    return [
      {
        ...{ spoolId: spool.id, slot: one.slot, fromLayer: one.fromLayer ?? null, toLayer: one.toLayer ?? null },
        ...{ mmExtruded: one.mm ?? '0', gramsDerived, cost: pricedCostOf(gramsDerived, spool) ?? '0' },
        filamentDiameterAtPrintMm: filamentDiameterMm,
        materialDensityAtPrint: material.densityGPerCm3,
        filamentBasis: one.basis,
      },
    ];
  });
}

/** A slot that used nothing is no part; one of which nothing is known is. The job's own spool stays, since clients hold it. */
function usedParts(parts: readonly JobPart[], spoolId: string): JobPart[] {
  const used = parts.filter(
    ({ mmExtruded, gramsDerived, filamentBasis }) =>
      filamentBasis === 'UNKNOWN' || Number(mmExtruded) > 0 || Number(gramsDerived) > 0,
  );
  const own = parts.find((one) => one.spoolId === spoolId);
  return own === undefined || used.some((one) => one.spoolId === spoolId) ? used : [own, ...used];
}

/** All slots of a print count for the one spool of its job. */
function amountsOf(
  filament: readonly ObservedFilament[],
  spool: Spool | null,
): Omit<Amounts, 'filament' | 'others' | 'parts'> {
  const autoDeriveGrams = spool !== null && filament.every(({ mm }) => mm !== null);
  const mmExtruded = Decimal.sum(0, ...filament.map(({ mm }) => mm ?? 0)).toFixed();
  const gramsDerived = spool === null ? '0' : gramsWith(spool, filament, autoDeriveGrams ? mmExtruded : null);
  return {
    ...{ mmExtruded, gramsDerived, autoDeriveGrams },
    costPerPrint: pricedCostOf(gramsDerived, spool) ?? '0',
    isKnown: filament.every(({ basis }) => basis !== 'UNKNOWN'),
  };
}

/** @param mm of all slots; null where one of them has no millimetres */
function gramsWith(spool: Spool, filament: readonly ObservedFilament[], mm: string | null): string {
  const measures = { filamentDiameterMm: spool.filamentDiameterMm, densityGPerCm3: spool.material.densityGPerCm3 };
  if (mm !== null) return deriveGrams(mm, measures.filamentDiameterMm, measures.densityGPerCm3);
  return Decimal.sum(0, ...filament.map((one) => gramsOf(one, measures))).toFixed();
}
