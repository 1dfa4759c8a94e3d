// What was in a slot is told to have been otherwise: the running print is booked again, and what waits gets its job.
import { slotsOf } from '../print-rules/consumption';
import type { RequestTime } from '../values/deadline';
import type { StoredPrint } from './observed-print.rows';
import { inUse } from './print-amounts.service';
import { bookEnd, chooseJobOf } from './print-booking.service';
import { bookSlots } from './print-slots.service';
import type { Prints } from './prints.service';
import { isOurs } from './written-job.service';

/** The jobs of prints that are over stay as they are. */
export async function bookAgain(prints: Prints, printerId: string, slot: string, time: RequestTime): Promise<void> {
  for (const id of await prints.rows.openOf(printerId)) {
    const print = await prints.rows.locked(id);
    if (print === null || print.ignoredAt !== null) continue;
    if (print.jobId !== null) await correct(prints, print, slot, time);
    else if (slotsOf(print).includes(slot) && (await chooseJobOf(prints, print, time))) {
      const booked = await prints.rows.byId(id);
      if (booked !== null) await bookEnd(prints, booked, time);
    }
  }
}

/** The spool that the slot had when the print began, or when it began to feed. */
async function correct(prints: Prints, print: StoredPrint, slot: string, time: RequestTime): Promise<void> {
  const { jobId, spools, lacking } = print;
  const isUsed = Object.hasOwn(spools ?? {}, slot) || lacking?.includes(slot) === true;
  if (jobId === null || print.outcome !== 'RUNNING' || !isUsed) return;
  const loaded = await prints.slotsAt(print.printerId, print.startedAt ?? print.createdAt);
  const spoolId = loaded.get(slot);
  if (spoolId === undefined || spoolId === spools?.[slot]) return;
  const job = await prints.jobs.locked(jobId);
  const { [slot]: found } = await inUse(prints, { [slot]: spoolId });
  if (job === null || found === undefined || !(await isOurs(prints, job, print))) return;
  await bookSlots(prints, print, job, { ...spools, [slot]: found }, time);
}
