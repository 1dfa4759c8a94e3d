// The filament of a print, divided among the spools that were in a slot one after the other.
import type { ObservedFilament } from '../print-rules/print.model';
import { bySpools } from '../print-rules/division';
import { changesOf } from '../print-rules/loaded-spools';
import type { StoredPrint } from './observed-print.rows';
import { bookedFilamentOf } from './observed-print.status';
import { planned } from './print-planning.service';
import { endOf, spansOf } from './print-spools.service';
import type { Prints } from './prints.service';

export async function dividedFilament(prints: Prints, print: StoredPrint): Promise<ObservedFilament[]> {
  const filament = bookedFilamentOf(print);
  const { spools, outcome } = print;
  if (spools === null) return filament;
  const fed = { ...print, endedAt: endOf(print) };
  const changes = changesOf(fed, spools, await spansOf(prints, print));
  if (changes.length === 0) return filament;
  const { layers } = await planned(prints, print, print);
  // Where the end is not known, its time is not that of the whole amount.
  const endedAt = outcome === 'UNRESOLVED' ? null : fed.endedAt;
  return bySpools(filament, { ...print, endedAt }, spools, changes, layers);
}
