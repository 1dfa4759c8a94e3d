// What a machine told of a print, completed by the plan that its slicer sent.
import { amountsOf, type Evidence, type Thread } from '../print-rules/amounts';
import { completionOf, contradicts, hasAmounts, type SlotLayer } from '../print-rules/plan-completion';
import { planKeysOf } from '../print-rules/plan-names';
import type { Ending, RunningPrint } from '../print-rules/print.model';
import type { SlicedPlan } from '../print-rules/sliced-plan';
import type { StoredPrint } from './observed-print.rows';
import { firstSpools } from './print-spools.service';
import type { Prints } from './prints.service';

interface Planned<Print> {
  print: Print;
  /** The plan of the slicer, which the print keeps when a newer one comes; null: none was sent so far. */
  sliced: SlicedPlan | null;
  layers: SlotLayer[] | null;
}

/**
 * Amounts that the machine itself tells come first.
 * @param stored the print as it is in the database; null: it is new
 */
export async function planned<Print extends RunningPrint>(
  { newestPlan }: Pick<Prints, 'newestPlan'>,
  print: Print,
  stored: Pick<StoredPrint, 'sliced'> | null,
): Promise<Planned<Print>> {
  const kept = stored?.sliced ?? null;
  if (kept === null && hasAmounts(print.plan)) return { print, sliced: null, layers: null };
  const isOther = (sliced: SlicedPlan | null) => sliced !== null && contradicts(print, sliced);
  const own = isOther(kept) ? withoutOthers(print, kept) : print;
  const completed = (sliced: SlicedPlan | null) =>
    sliced === null || isOther(sliced) ? null : completionOf(own, sliced);
  // What the print has does not fit any more when the printer tells of other filaments: it is that of another slicing.
  const isRefused = isOther(kept) || (completed(kept) === null && own.plan !== null);
  const newest = kept === null || isRefused ? ((await newestPlan(planKeysOf(own))) ?? kept) : kept;
  const sliced = isOther(newest) ? kept : newest;
  const completion = completed(sliced);
  const isOwn = hasAmounts(own.plan) && JSON.stringify(own.plan) !== JSON.stringify(completion?.plan);
  if (completion === null || isOwn) return { print: own, sliced, layers: null };
  return { print: { ...own, plan: completion.plan }, sliced, layers: completion.layers };
}

/** Without the amounts of a plan that turns out to be that of another print. The slots are the machine's. */
function withoutOthers<Print extends RunningPrint>(print: Print, kept: SlicedPlan | null): Print {
  const { plan } = print;
  if (plan === null || kept === null) return print;
  if (JSON.stringify(plan) !== JSON.stringify(completionOf(print, kept)?.plan)) return print;
  const slots = plan.slots.map(({ slot }) => ({ slot, mm: null, grams: null }));
  return { ...print, plan: { ...plan, seconds: null, slots } };
}

/**
 * The end of a planned print, with its amounts.
 * @param spools by slot, where the print has its job; null: those that were in the printer count
 */
export async function endingWith<End extends Ending | null>(
  prints: Prints,
  { print, layers }: Planned<RunningPrint>,
  { printerId, spools, createdAt }: Pick<StoredPrint, 'printerId' | 'spools' | 'createdAt'>,
  ending: End,
  evidence: Pick<Evidence, 'isEndSeen'> = {},
): Promise<End> {
  if (ending === null) return ending;
  const fed = { ...print, printerId, createdAt, outcome: ending.outcome, endedAt: ending.at };
  const bySlot = isDivided(print) ? (spools ?? (await firstSpools(prints, fed))) : {};
  const threads = await threadsOf(prints, bySlot instanceof Map ? Object.fromEntries(bySlot) : bySlot);
  return { ...ending, filament: amountsOf(print, ending.outcome, layers, { ...evidence, threads }) };
}

/** One measure for several tools, of which the plan tells weights. */
const isDivided = ({ measured, plan }: RunningPrint) =>
  measured.length === 1 && plan !== null && plan.slots.length > 1 && plan.slots.some(({ mm }) => mm === null);

async function threadsOf({ spool }: Prints, spools: Record<string, string>): Promise<Map<string, Thread>> {
  const threads = new Map<string, Thread>();
  for (const [slot, id] of Object.entries(spools)) {
    const found = await spool(id);
    if (found === null) continue;
    const { filamentDiameterMm, material } = found;
    threads.set(slot, { filamentDiameterMm, densityGPerCm3: material.densityGPerCm3 });
  }
  return threads;
}
