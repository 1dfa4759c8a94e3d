// Gives a job another spool. What was measured stays measured: only the weight that follows from the filament, and the cost, change.
import Decimal from 'decimal.js';
import { archivedLink, BadInput, orNotFound, unknownLink } from '../../errors';
import { isPositive } from '../../values/decimal';
import { parseGuid } from '../../values/guid';
import type { RequestTime } from '../../values/request-time';
import type { Spool } from '../inventory/inventory.types';
import { calculateCostByPrice, deriveGrams } from '../print-jobs/filament';
import type { JobRow } from '../print-jobs/print-job.rows';
import { noteJobInWeighings } from './earlier-weighings.service';
import { calculateAmountsOfSpool } from './job-amounts.service';
import type { StoredPrint } from './observed-print.rows';
import { fingerprintJob, isUnchangedSinceWritten } from './print-booking.service';
import type { Prints } from './prints.transaction';

interface Amounts {
  mmExtruded: string;
  gramsDerived: string;
  cost: string;
}

export async function changeJobSpool(prints: Prints, id: string, spoolId: string, time: RequestTime): Promise<JobRow> {
  const jobId = parseGuid(id, 'id');
  // Other decisions lock a print before its job.
  const print = await prints.store.lockedByJob(jobId);
  const job = orNotFound(await prints.jobStore.lockJob(jobId), 'print job', id);
  const spool = await findSpool(prints, job, parseGuid(spoolId, 'spoolId'));
  if (spool.id === job.spoolId) return job;
  if (job.divided) throw new BadInput('must be a job without parts. Set its parts instead', 'id');
  const isWritten = print !== null && (await isUnchangedSinceWritten(prints, job, print));
  const written = await writeSpool(
    prints,
    job,
    spool,
    (isWritten && reported(print, job, spool)) || entered(job, spool),
    time,
  );
  if (isWritten) await keepBooked(prints, print, job, written, time);
  return written;
}

/** A job that has ended may get an archived spool, because the spool may have been archived after it was used. */
async function findSpool(prints: Prints, { status, spoolId }: JobRow, id: string): Promise<Spool> {
  const spool = await prints.spool(id);
  if (spool === null) throw unknownLink('spool', 'spoolId');
  const isUnfinished = status === 'Queued' || status === 'Printing';
  if (spool.archivedAt !== null && isUnfinished && id !== spoolId) throw archivedLink('spool', 'spoolId');
  return spool;
}

/** The amounts that the machine reported, as filament of the spool. `null` if it did not report them. */
function reported(print: StoredPrint, job: JobRow, spool: Spool): Amounts | null {
  const amounts = calculateAmountsOfSpool(print, job.spoolId, spool);
  return amounts && { ...amounts, cost: amounts.costPerPrint };
}

/** Grams that follow from the length and the filament of the job are derived again. Other grams stay, and so does a cost without a price. */
function entered(job: JobRow, spool: Spool): Amounts {
  const { mmExtruded, filamentDiameterAtPrintMm, materialDensityAtPrint } = job;
  const derived = deriveGrams(mmExtruded, filamentDiameterAtPrintMm, materialDensityAtPrint);
  const isDerived = isPositive(mmExtruded) && new Decimal(derived).eq(job.gramsDerived);
  const gramsDerived = isDerived
    ? deriveGrams(mmExtruded, spool.filamentDiameterMm, spool.material.densityGPerCm3)
    : job.gramsDerived;
  const costBefore = calculateCostByPrice(job.gramsDerived, job.spool);
  const isCostDerived = costBefore !== null && new Decimal(costBefore).eq(job.costPerPrint);
  const cost = calculateCostByPrice(gramsDerived, spool) ?? (isCostDerived ? '0' : job.costPerPrint);
  return { mmExtruded, gramsDerived, cost };
}

async function writeSpool(
  prints: Prints,
  job: JobRow,
  spool: Spool,
  { mmExtruded, gramsDerived, cost }: Amounts,
  time: RequestTime,
): Promise<JobRow> {
  const part = {
    spoolId: spool.id,
    slot: null,
    fromLayer: null,
    toLayer: null,
    mmExtruded,
    gramsDerived,
    cost,
    filamentDiameterAtPrintMm: spool.filamentDiameterMm,
    materialDensityAtPrint: spool.material.densityGPerCm3,
    // A single part has the basis of its job.
    filamentBasis: 'UNKNOWN',
  };
  const written = await prints.parts.divide(job, [part], time);
  if (written === null) throw unknownLink('spool', 'spoolId');
  return written;
}

/** The gateway still knows the job as its own, and writes the end of a running print into it with the new spool. */
async function keepBooked(
  prints: Prints,
  print: StoredPrint,
  { spoolId }: JobRow,
  written: JobRow,
  time: RequestTime,
): Promise<void> {
  const spools =
    print.spools &&
    Object.fromEntries(Object.entries(print.spools).map(([slot, id]) => [slot, id === spoolId ? written.spoolId : id]));
  const booked = { ...fingerprintJob(written), spools };
  await prints.store.setJob(print.id, booked);
  await prints.sightings.add(print.id, [
    { key: time.newId(), at: time.now, kind: 'CORRECTED', text: 'A user changed the spool of the job' },
  ]);
  await noteJobInWeighings(prints, { ...print, ...booked }, written, time);
}
