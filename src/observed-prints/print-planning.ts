// What a machine told of a print, completed by the plan that its slicer sent.
import { consumption } from './consumption';
import type { Ending, RunningPrint } from './observed-print.model';
import type { PrintParts } from './print-booking.service';
import { completionOf, hasAmounts, type SlotLayer } from './print-plan.completion';
import type { SlicedPlan } from './print-plan.model';
import { planKeysOf } from './print-plan.names';
import type { StoredPrint } from './print-recorder.store';

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
  { plans, store }: Pick<PrintParts, 'plans' | 'store'>,
  print: Print,
  deviceId: string | null,
  stored: Pick<StoredPrint, 'sliced'> | null,
): Promise<Planned<Print>> {
  const kept = stored?.sliced ?? null;
  const isTold = hasAmounts(print.plan);
  if (kept === null && isTold) return { print, sliced: null, layers: null };
  const kind = await store.kindOf(deviceId);
  const isNumbered = kind !== 'BAMBU';
  const completed = (sliced: SlicedPlan | null) => sliced && completionOf(print, sliced, isNumbered);
  // What the print has does not fit any more when the printer tells of other filaments: it is that of another slicing.
  const isRefused = completed(kept) === null && print.plan !== null;
  const sliced = kept === null || isRefused ? ((await plans.newestOf(planKeysOf(print))) ?? kept) : kept;
  const completion = completed(sliced);
  const isOther = isTold && JSON.stringify(print.plan) !== JSON.stringify(completion?.plan);
  if (completion === null || isOther) return { print: { ...print, kind }, sliced, layers: null };
  return { print: { ...print, plan: completion.plan }, sliced, layers: completion.layers };
}

/** The end of a planned print. */
export const endingWith = <End extends Ending | null>({ print, layers }: Planned<RunningPrint>, ending: End): End =>
  ending && { ...ending, filament: consumption(print, ending.outcome, layers) };
