// The filament of a print, divided among the spools that were in a slot one after the other.
import type { JobRow } from '../print-jobs/print-job.rows';
import type { ObservedFilament } from '../print-rules/print.model';
import { bySpools, changesOf, type SpoolChange } from '../print-rules/slot-spools';
import type { StoredPrint } from './observed-print.rows';
import { bookedFilamentOf } from './observed-print.status';
import { planned } from './print-planning.service';
import { endOf, spansOf } from './print-spools.service';
import type { Prints } from './prints.service';

/** @param job of the print; null: it is to be made */
export async function dividedFilament(
  prints: Prints,
  print: StoredPrint,
  job: Pick<JobRow, 'id' | 'spoolId' | 'divided'> | null,
): Promise<ObservedFilament[]> {
  const filament = bookedFilamentOf(print);
  const { spools, outcome } = print;
  const changes = spools === null ? [] : await changesIn(prints, { ...print, spools }, job);
  if (spools === null || changes.length === 0) return filament;
  const { layers } = await planned(prints, print, print);
  const isWhole = outcome !== 'CANCELLED' && outcome !== 'FAILED';
  // Where the end is not known, its time is not that of the whole amount.
  const endedAt = outcome === 'UNRESOLVED' ? null : endOf(print);
  return bySpools(filament, { ...print, endedAt }, isWhole, spools, changes, layers);
}

/** The spools that came into the slots of the job while these fed. */
async function changesIn(
  prints: Pick<Prints, 'spans' | 'spool' | 'parts'>,
  print: StoredPrint & { spools: Record<string, string> },
  job: Pick<JobRow, 'id' | 'spoolId' | 'divided'> | null,
): Promise<SpoolChange[]> {
  const spans = await spansOf(prints, print);
  const changes = changesOf({ ...print, endedAt: endOf(print) }, print.spools, spans);
  if (changes.length === 0) return changes;
  const held = job === null ? [] : await prints.parts.spoolsOf(job);
  const refused = new Set<string>();
  for (const { spoolId } of changes)
    if (!held.includes(spoolId) && (await prints.spool(spoolId))?.archivedAt !== null) refused.add(spoolId);
  // No job gets an archived spool, unless it has it.
  return changes.filter(({ spoolId }) => !refused.has(spoolId));
}
