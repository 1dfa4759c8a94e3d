// Reads what the amounts of a print depend on: the spools that were loaded while it was printing, and its slicer's plan.
import type { Instant } from '../../values/instant';
import type { Spool } from '../inventory/inventory.types';
import { calculateFilament, type Evidence, type FilamentProperties } from '../print-rules/amounts';
import type { Ending, EndingWithAmounts } from '../print-rules/decision';
import { assumeFirstSlot, mayFeedFirstSlot, measuresNothing } from '../print-rules/job-choice';
import { chooseFirstSpools, type PastLoad } from '../print-rules/loaded-spools';
import { withNewerFigures } from '../print-rules/newest-figures';
import { hasAmounts, type RunningPrint } from '../print-rules/print.model';
import { addPlan, listMissingPlanKeys, type Planned, type SlicedPlan } from '../print-rules/sliced-plan';
import type { StoredPrint } from './observed-print.rows';
import type { Prints } from './prints.transaction';

type FedPrintRow = Pick<
  StoredPrint,
  'printerId' | 'startedAt' | 'createdAt' | 'outcome' | 'endedAt' | 'seenAt' | 'course' | 'plan' | 'machine'
>;

/**
 * When a print ended, or else its last contact; `null` while it is running. A print may have ended while no gateway was connected. A job that
 * was queued after this time, or a spool that was loaded after it, is for the next print.
 */
export const endInstantOf = ({
  outcome,
  endedAt,
  seenAt,
}: Pick<FedPrintRow, 'outcome' | 'endedAt' | 'seenAt'>): Instant | null =>
  outcome === 'RUNNING' ? null : (endedAt ?? seenAt);

export const readLoadsDuring = (prints: Pick<Prints, 'loadsBetween'>, print: FedPrintRow): Promise<PastLoad[]> =>
  prints.loadsBetween(print.printerId, print.startedAt ?? print.createdAt, endInstantOf(print));

/** By slot, the spool with which the slot started to feed. Spools that were loaded later are left out. */
export async function findFirstSpools(
  prints: Pick<Prints, 'loadsBetween'>,
  print: FedPrintRow,
): Promise<Map<string, string>> {
  return chooseFirstSpools({ ...print, endedAt: endInstantOf(print) }, await readLoadsDuring(prints, print));
}

/**
 * Adds the slicer's plan to a print. The plan is not read if the machine itself reports amounts.
 * @param stored the print in the database; `null` if the print is new
 */
export async function addSlicedPlan<Print extends RunningPrint>(
  { newestPlan }: Pick<Prints, 'newestPlan'>,
  print: Print,
  stored: { sliced: SlicedPlan | null } | null,
): Promise<Planned<Print>> {
  const kept = stored?.sliced ?? null;
  if (kept === null && hasAmounts(print.plan)) return { print, sliced: null, layers: null };
  const keys = listMissingPlanKeys(print, kept);
  return addPlan(print, kept, keys && (await newestPlan(keys)));
}

/** Adds the slicer's plan and corrects the slot that the printer uses. The row of a print stores this plan. */
export async function addPlanOfPrinter<Print extends RunningPrint>(
  prints: Prints,
  print: Print,
  stored: { sliced: SlicedPlan | null } | null,
  { printerId, createdAt }: Pick<StoredPrint, 'printerId' | 'createdAt'>,
): Promise<Planned<Print>> {
  const planned = await addSlicedPlan(prints, print, stored);
  const running = { ...planned.print, printerId, createdAt, outcome: 'RUNNING', endedAt: null } as const;
  return { ...planned, print: { ...planned.print, plan: await correctFirstSlot(prints, running) } };
}

/** The plan of a print, with the first slot of the printer if the file names a slot that the printer does not use. */
export async function correctFirstSlot(
  prints: Prints,
  print: RunningPrint & FedPrintRow,
): Promise<RunningPrint['plan']> {
  if (!mayFeedFirstSlot(print)) return print.plan;
  const { plan } = assumeFirstSlot(print, await findFirstSpools(prints, print));
  const { printerId, startedAt, createdAt, machine } = print;
  const isGuess = plan !== print.plan && measuresNothing(print);
  const hadOtherSlot = isGuess && (await prints.hadSpoolBeside(printerId, machine.firstSlot, startedAt ?? createdAt));
  return hadOtherSlot ? print.plan : plan;
}

/**
 * Calculates the amounts of a print at its end.
 * @param row `spools` has the spools by slot if the print has its job; if it is `null`, the spools in the printer count
 */
export async function calculateEnding(
  prints: Prints,
  { print, layers }: Planned<RunningPrint>,
  row: Pick<StoredPrint, 'printerId' | 'spools' | 'createdAt'>,
  ending: Ending,
  { isEndSeen }: Pick<Evidence, 'isEndSeen'> = {},
): Promise<EndingWithAmounts> {
  const { printerId, spools, createdAt } = row;
  const ended = { ...print, printerId, createdAt, outcome: ending.outcome, endedAt: ending.at };
  const properties = needsDensities(print) ? await readPropertiesBySlot(prints, ended, spools) : undefined;
  return { ...ending, filament: calculateFilament(print, ending.outcome, layers, { isEndSeen, properties }) };
}

/** Reads a print, with what its machine has reported since the row was saved. */
export async function readNewestPrint({ store }: Pick<Prints, 'store'>, id: string): Promise<StoredPrint | null> {
  const print = await store.byId(id);
  return print?.outcome === 'RUNNING' ? withNewerFigures(print, await store.newestFigures(print)) : print;
}

/** The print as it would be if it were cancelled now. */
export async function cancelNow(prints: Prints, print: StoredPrint, now: Instant): Promise<StoredPrint> {
  const planned = await addSlicedPlan(prints, print, print);
  const cancelled = { outcome: 'CANCELLED', at: now, estimated: false, reason: null } as const;
  const { filament } = await calculateEnding(prints, planned, print, cancelled);
  return { ...print, ...planned.print, outcome: 'CANCELLED', endedAt: now, filament };
}

/** Whether a single length was measured for several tools, and the plan has weights only. */
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

export const propertiesOf = ({ filamentDiameterMm, material }: Spool): FilamentProperties => ({
  filamentDiameterMm,
  densityGPerCm3: material.densityGPerCm3,
});

/** Selects the spools that are not archived, by slot. */
export async function selectUnarchived(
  { spool }: Pick<Prints, 'spool'>,
  spools: Record<string, string>,
): Promise<Record<string, string>> {
  const selected: Record<string, string> = {};
  for (const [slot, id] of Object.entries(spools)) if ((await spool(id))?.archivedAt === null) selected[slot] = id;
  return selected;
}
