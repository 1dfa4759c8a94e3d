// The amounts of a print and of its job: by the spools of its slots, and divided among the spools that were in one slot.
import Decimal from 'decimal.js';
import type { Instant } from '../../values/instant';
import type { Spool } from '../inventory/inventory.types';
import { deriveGrams, pricedCostOf } from '../print-jobs/filament';
import { ownSpoolOf, totalsOf } from '../print-jobs/print-job.parts';
import type { JobPart } from '../print-jobs/print-job.rows';
import {
  calculateBookedFilament,
  calculateFilament,
  calculateGrams,
  type Evidence,
  type FilamentProperties,
  findSlotsWithout,
  isUsed,
} from '../print-rules/amounts';
import { limitJobParts } from '../print-rules/division';
import { assumeFirstSlot, mayFeedFirstSlot } from '../print-rules/job-choice';
import {
  chooseFirstSpools,
  divideBySpools,
  findEmptyTimes,
  findSlotsFedWithoutSpool,
  findSpoolChanges,
  type PastLoad,
} from '../print-rules/loaded-spools';
import {
  type Ending,
  type EndingWithAmounts,
  hasAmounts,
  type ObservedFilament,
  type RunningPrint,
} from '../print-rules/print.model';
import { addPlan, missingPlanKeys, type Planned, type SlicedPlan } from '../print-rules/sliced-plan';
import type { StoredPrint } from './observed-print.rows';
import type { Prints } from './prints.transaction';

type FedPrintRow = Pick<
  StoredPrint,
  'printerId' | 'startedAt' | 'createdAt' | 'outcome' | 'endedAt' | 'seenAt' | 'course' | 'plan' | 'machine'
>;

/**
 * Null while it runs. A print may have ended while no gateway listened: a job that was queued, or a spool that was loaded, after its
 * end is for the next print.
 */
export const endInstantOf = ({
  outcome,
  endedAt,
  seenAt,
}: Pick<FedPrintRow, 'outcome' | 'endedAt' | 'seenAt'>): Instant | null =>
  outcome === 'RUNNING' ? null : (endedAt ?? seenAt);

export const readLoadsDuring = (prints: Pick<Prints, 'loadsBetween'>, print: FedPrintRow): Promise<PastLoad[]> =>
  prints.loadsBetween(print.printerId, print.startedAt ?? print.createdAt, endInstantOf(print));

/** The spools by slot with which the slots began to feed. A spool that is put in later is not among them. */
export async function findFirstSpools(
  prints: Pick<Prints, 'loadsBetween'>,
  print: FedPrintRow,
): Promise<Map<string, string>> {
  return chooseFirstSpools({ ...print, endedAt: endInstantOf(print) }, await readLoadsDuring(prints, print));
}

/**
 * The print with the plan of its slicer, which is not asked for where the machine itself reports amounts.
 * @param stored the print as it is in the database; null: it is new
 */
export async function addSlicedPlan<Print extends RunningPrint>(
  { newestPlan }: Pick<Prints, 'newestPlan'>,
  print: Print,
  stored: { sliced: SlicedPlan | null } | null,
): Promise<Planned<Print>> {
  const kept = stored?.sliced ?? null;
  if (kept === null && hasAmounts(print.plan)) return { print, sliced: null, layers: null };
  const keys = missingPlanKeys(print, kept);
  return addPlan(print, kept, keys && (await newestPlan(keys)));
}

/** As withSlicedPlan, for the slots that the printer uses. A row keeps the plan so. */
export async function addPlanOfPrinter<Print extends RunningPrint>(
  prints: Prints,
  print: Print,
  stored: { sliced: SlicedPlan | null } | null,
  { printerId, createdAt }: Pick<StoredPrint, 'printerId' | 'createdAt'>,
): Promise<Planned<Print>> {
  const planned = await addSlicedPlan(prints, print, stored);
  if (!mayFeedFirstSlot(planned.print)) return planned;
  const fed = { ...planned.print, printerId, createdAt, outcome: 'RUNNING', endedAt: null } as const;
  return { ...planned, print: assumeFirstSlot(planned.print, await findFirstSpools(prints, fed)) };
}

/**
 * The end of a planned print, with its amounts.
 * @param spools by slot, where the print has its job; null: those that were in the printer count
 */
export async function calculateEnding(
  prints: Prints,
  { print, layers }: Planned<RunningPrint>,
  { printerId, spools, createdAt }: Pick<StoredPrint, 'printerId' | 'spools' | 'createdAt'>,
  ending: Ending,
  { isEndSeen }: Pick<Evidence, 'isEndSeen'> = {},
): Promise<EndingWithAmounts> {
  const fed = { ...print, printerId, createdAt, outcome: ending.outcome, endedAt: ending.at };
  const properties = needsDensities(print) ? await readPropertiesBySlot(prints, fed, spools) : undefined;
  return { ...ending, filament: calculateFilament(print, ending.outcome, layers, { isEndSeen, properties }) };
}

/** One measure for several tools, of which the plan has weights. */
const needsDensities = ({ measured, plan }: RunningPrint) =>
  measured.length === 1 && plan !== null && plan.slots.length > 1 && plan.slots.some(({ mm }) => mm === null);

async function readPropertiesBySlot(
  prints: Prints,
  print: FedPrintRow,
  spools: Record<string, string> | null,
): Promise<Map<string, FilamentProperties>> {
  const properties = new Map<string, FilamentProperties>();
  for (const [slot, id] of spools === null ? await findFirstSpools(prints, print) : Object.entries(spools)) {
    const spool = await prints.spool(id);
    if (spool !== null) properties.set(slot, propertiesOf(spool));
  }
  return properties;
}

const propertiesOf = ({ filamentDiameterMm, material }: Spool): FilamentProperties => ({
  filamentDiameterMm,
  densityGPerCm3: material.densityGPerCm3,
});

/** Divides the filament of each slot among the spools that were in it one after the other. */
async function divideAmongSpools(
  prints: Prints,
  print: StoredPrint,
): Promise<Pick<JobAmounts, 'filament' | 'isDivided' | 'slotsFedWithoutSpool'>> {
  const filament = calculateBookedFilament(print);
  const { spools, outcome } = print;
  const whole = { filament, isDivided: false, slotsFedWithoutSpool: [] };
  if (spools === null) return whole;
  const fed = { ...print, endedAt: endInstantOf(print) };
  const loads = (await readLoadsDuring(prints, print)).filter(({ slot }) => Object.hasOwn(spools, slot));
  const changes = findSpoolChanges(fed, spools, loads);
  const empty = findEmptyTimes(fed, loads);
  // No spool was changed or taken out.
  if (changes.length + empty.length === 0) return whole;
  const { layers } = await addSlicedPlan(prints, print, print);
  // Where the end is not known, its time is not that of the whole amount.
  const endedAt = outcome === 'UNRESOLVED' ? null : fed.endedAt;
  const divisible = { ...print, endedAt };
  return {
    filament: divideBySpools(filament, divisible, spools, changes, layers),
    isDivided: changes.length > 0,
    slotsFedWithoutSpool: findSlotsFedWithoutSpool(filament, divisible, empty, layers),
  };
}

export interface JobAmounts {
  /** As a request for a whole job has them. */
  totals: { spoolId: string; mmExtruded: string; gramsDerived: string; costPerPrint: string; autoDeriveGrams: boolean };
  isKnown: boolean;
  /** By slot and spool. */
  filament: ObservedFilament[];
  /** Whether spools were changed, so that the filament is not as the print has it. */
  isDivided: boolean;
  /** Used slots beside those of the job's spools. */
  unbookedSlots: string[];
  /** Slots that went on to feed when their spool was taken out: what they fed counts for it. */
  slotsFedWithoutSpool: string[];
  /** By slot, where the slots have several spools; null: all of it is of one spool. */
  parts: JobPart[] | null;
}

/** The job whose amounts are computed, or a job that is to be made. */
interface JobSpool {
  spoolId: string;
  spool: Spool | null;
  /** Whether the job is divided; a job that is to be made is not. */
  divided: boolean;
}

/** The amounts of the slots that the job was made for. A plan that comes later may name more slots. */
export async function calculateJobAmounts(
  prints: Prints,
  print: StoredPrint,
  { spoolId, spool, divided }: JobSpool,
): Promise<JobAmounts> {
  const { filament, isDivided, slotsFedWithoutSpool: emptied } = await divideAmongSpools(prints, print);
  const own = filament.filter(({ slot }) => print.spools === null || Object.hasOwn(print.spools, slot));
  const others = print.spools === null ? [] : findSlotsWithout(print.spools, filament);
  const isKnown = own.every(({ basis }) => basis !== 'UNKNOWN');
  const spools = print.spools === null ? null : await readSpoolsOfParts(prints, print.spools, own, divided);
  if (spools === null || print.spools === null)
    return {
      totals: calculateTotals(own, spoolId, spool),
      isKnown,
      filament,
      isDivided,
      unbookedSlots: others,
      slotsFedWithoutSpool: emptied,
      parts: null,
    };
  const parts = removeUnusedParts(calculateParts(limitJobParts(own), print.spools, spools), spoolId);
  const { mmExtruded, gramsDerived, cost } = totalsOf(parts);
  const totals = { spoolId, mmExtruded, gramsDerived, costPerPrint: cost, autoDeriveGrams: false };
  return { totals, isKnown, filament, isDivided, unbookedSlots: others, slotsFedWithoutSpool: emptied, parts };
}

/** The job's own spool when it is made: that of the slot with the most planned grams, then of the lowest slot. */
export async function chooseJobSpool(
  prints: Pick<Prints, 'spool'>,
  print: StoredPrint,
  spoolBySlot: Record<string, string>,
): Promise<string> {
  const [only] = Object.values(spoolBySlot) as [string];
  const spools = await readSpoolsOfParts(prints, spoolBySlot, []);
  if (spools === null) return only;
  // What went on from another slot, or another spool, was not planned.
  const planned = calculateBookedFilament({ ...print, outcome: 'RUNNING', course: null });
  const parts = calculateParts(planned, spoolBySlot, spools);
  return parts.length === 0 ? only : ownSpoolOf(parts, '');
}

/** Of spools by slot, the ones that are not archived. */
export async function selectUnarchived(
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
async function readSpoolsOfParts(
  prints: Pick<Prints, 'spool'>,
  spoolBySlot: Record<string, string>,
  filament: readonly ObservedFilament[],
  isDivided = false,
): Promise<Map<string, Spool> | null> {
  const ids = new Set([...Object.values(spoolBySlot), ...filament.flatMap(({ spoolId }) => spoolId ?? [])]);
  if (ids.size < 2 && !isDivided) return null;
  const spools = new Map<string, Spool>();
  for (const id of ids) {
    const spool = await prints.spool(id);
    if (spool !== null) spools.set(id, spool);
  }
  return spools;
}

function calculateParts(
  filament: readonly ObservedFilament[],
  spoolBySlot: Record<string, string>,
  spools: ReadonlyMap<string, Spool>,
): JobPart[] {
  return filament.flatMap((one): JobPart[] => {
    const spool = spools.get(one.spoolId ?? spoolBySlot[one.slot] ?? '');
    if (spool === undefined) return [];
    const properties = propertiesOf(spool);
    const gramsDerived = calculateGrams(one, properties);
    return [
      {
        spoolId: spool.id,
        slot: one.slot,
        fromLayer: one.fromLayer ?? null,
        toLayer: one.toLayer ?? null,
        mmExtruded: one.mm ?? '0',
        gramsDerived,
        cost: pricedCostOf(gramsDerived, spool) ?? '0',
        filamentDiameterAtPrintMm: properties.filamentDiameterMm,
        materialDensityAtPrint: properties.densityGPerCm3,
        filamentBasis: one.basis,
      },
    ];
  });
}

/** The job's own spool stays, because clients hold its id. */
function removeUnusedParts(parts: readonly JobPart[], spoolId: string): JobPart[] {
  const used = parts.filter(({ mmExtruded, gramsDerived, filamentBasis }) =>
    isUsed({ mm: mmExtruded, grams: gramsDerived, basis: filamentBasis }),
  );
  const own = parts.find((one) => one.spoolId === spoolId);
  return own === undefined || used.some((one) => one.spoolId === spoolId) ? used : [own, ...used];
}

/** All slots of a print count for the one spool of its job. */
function calculateTotals(
  filament: readonly ObservedFilament[],
  spoolId: string,
  spool: Spool | null,
): JobAmounts['totals'] {
  const autoDeriveGrams = spool !== null && filament.every(({ mm }) => mm !== null);
  const mmExtruded = Decimal.sum(0, ...filament.map(({ mm }) => mm ?? 0)).toFixed();
  const gramsDerived = spool === null ? '0' : sumGrams(spool, filament, autoDeriveGrams ? mmExtruded : null);
  return { spoolId, mmExtruded, gramsDerived, costPerPrint: pricedCostOf(gramsDerived, spool) ?? '0', autoDeriveGrams };
}

/** @param mm of all slots; null where one of them has no millimetres */
function sumGrams(spool: Spool, filament: readonly ObservedFilament[], mm: string | null): string {
  const properties = propertiesOf(spool);
  if (mm !== null) return deriveGrams(mm, properties.filamentDiameterMm, properties.densityGPerCm3);
  return Decimal.sum(0, ...filament.map((one) => calculateGrams(one, properties))).toFixed();
}
