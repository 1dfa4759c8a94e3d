// What was in a slot is told: the running print is booked again, and what waits gets its job.

import type { RequestTime } from '../../values/deadline';
import type { Instant } from '../../values/instant';
import { changesOf, firstSpoolsOf } from '../print-rules/loaded-spools';
import type { StoredPrint } from './observed-print.rows';
import { neededSlots } from './observed-print.status';
import { inUse } from './print-amounts.service';
import { bookEnd, chooseJobOf } from './print-booking.service';
import { bookSlots } from './print-slots.service';
import { endOf, spansOf } from './print-spools.service';
import type { InTransaction, Prints } from './prints.service';
import { isOurs } from './written-job.service';

/** A spool that was put into a slot, or null taken out of it. */
export interface Told {
  printerId: string;
  slot: string;
  spoolId: string | null;
  at: Instant;
}

/** The jobs of prints that are over stay as they are. @param rows outside of a transaction: most printers have no such print */
export async function bookAgain(
  rows: Pick<Prints['rows'], 'openOf'>,
  inTransaction: InTransaction,
  told: Told,
  time: RequestTime,
): Promise<void> {
  for (const id of await rows.openOf(told.printerId))
    await inTransaction((prints) => bookOneAgain(prints, id, told, time));
}

async function bookOneAgain(prints: Prints, id: string, told: Told, time: RequestTime): Promise<void> {
  const print = await prints.rows.locked(id);
  const end = print && endOf(print);
  if (print === null || print.ignoredAt !== null || (end !== null && end < told.at)) return;
  if (print.jobId !== null) return correct(prints, print, told, time);
  if (!neededSlots(print).includes(told.slot) || !(await chooseJobOf(prints, print, time))) return;
  const booked = await prints.rows.byId(id);
  if (booked !== null) await bookEnd(prints, booked, time);
}

/** The spool was in the slot when that began to feed, or it came into it since, or it did not after all. */
async function correct(prints: Prints, print: StoredPrint, { slot, spoolId }: Told, time: RequestTime): Promise<void> {
  const { jobId, lacking } = print;
  const spools = print.spools ?? {};
  const isUsed = Object.hasOwn(spools, slot) || lacking?.includes(slot) === true;
  if (jobId === null || print.outcome !== 'RUNNING' || !isUsed) return;
  const spans = await spansOf(prints, print);
  const fed = { ...print, endedAt: null };
  const isFirst = spoolId !== null && spoolId !== spools[slot] && firstSpoolsOf(fed, spans).get(slot) === spoolId;
  const found = isFirst ? await inUse(prints, { [slot]: spoolId }) : {};
  const now = { ...spools, ...found };
  const job = await prints.jobs.locked(jobId);
  if (job === null || !(await isOurs(prints, job, print))) return;
  const isChanged = changesOf(fed, now, spans).some((one) => one.slot === slot);
  const held = await prints.parts.spoolsOf(job);
  const isLeft = held.some((id) => !Object.values(now).includes(id));
  if (Object.hasOwn(found, slot) || isChanged || isLeft) await bookSlots(prints, print, job, now, time);
}
