// Calculates the grams on a spool over time: from the grams that remain now, back through its jobs and adjustments.
import type { PrintJobStatus } from '../../generated/web-operations';

type Parts = readonly { gramsDerived: string; spool: { id: string } | null }[];

export interface SpoolJob {
  status: PrintJobStatus;
  startedAt: string | null;
  completedAt: string | null;
  parts: Parts;
}

export interface Adjustment {
  at: string;
  netGrams: string | null;
  grams: string;
  printingGrams: string;
  takenBack: object | null;
}

/** What another program reported as used. */
interface Report {
  to: string;
  grams: string;
  counts: boolean;
}

export interface Point {
  at: number;
  grams: number;
}

/** What a job used of a spool: the sum of its parts. Numbers are precise enough for it: they hold 15 digits, and grams and costs have fewer. */
export function sumParts<Member extends string>(
  { parts }: { parts: readonly ({ spool: { id: string } | null } & Record<Member, string>)[] },
  spoolId: string,
  member: Member,
): string {
  const amounts = parts.filter(({ spool }) => spool?.id === spoolId).map((part) => part[member]);
  if (amounts.length === 1) return amounts[0] as string;
  const decimals = Math.max(0, ...amounts.map((amount) => amount.split('.')[1]?.length ?? 0));
  return amounts.reduce((sum, amount) => sum + Number(amount), 0).toFixed(Math.min(decimals, 20));
}

/** The rule of the gateway: a job that was cancelled before its start has used nothing. */
const hasUsedFilament = ({ status, startedAt, completedAt }: SpoolJob): boolean =>
  completedAt !== null &&
  (status === 'COMPLETED' || status === 'FAILED' || (status === 'CANCELLED' && startedAt !== null));

interface Step {
  at: number;
  /** The grams on the spool after a weighing; `null` if nobody weighed the spool in this step. */
  net: number | null;
  grams: number;
}

/**
 * Returns a step at the end of each job, at each adjustment and at the end of each report that counts, oldest first.
 * @param adjustments the newest first
 * @param start when the spool was added; the oldest of the jobs may be older
 */
export function calculateSpoolPoints(
  { id, remainingGrams }: { id: string; remainingGrams: string },
  jobs: readonly SpoolJob[],
  adjustments: readonly Adjustment[],
  start: number,
  now: number,
  reports: readonly Report[] = [],
): Point[] {
  const countedAdjustments = adjustments.filter(({ takenBack }) => takenBack === null);
  // A job or a report that ended at the time of a weighing ended before the weighing. The sort keeps this order of equal times, newest first.
  const steps = [
    ...countedAdjustments.map(toStep),
    ...jobs.filter(hasUsedFilament).map((job) => ({
      at: Date.parse(job.completedAt as string),
      net: null,
      grams: findWeighedGrams(job, countedAdjustments) - Number(sumParts(job, id, 'gramsDerived')),
    })),
    ...reports
      .filter(({ counts }) => counts)
      .map(({ to, grams }) => ({ at: Date.parse(to), net: null, grams: -Number(grams) })),
  ].sort((a, b) => b.at - a.at);
  let remaining = Number(remainingGrams);
  const points: Point[] = [{ at: now, grams: remaining }];
  for (const { net, grams, ...step } of steps) {
    const at = Math.min(step.at, now);
    remaining = net ?? remaining;
    points.push({ at, grams: remaining });
    remaining -= grams;
    points.push({ at, grams: remaining });
  }
  const first = points.at(-1)?.at ?? now;
  points.push({ at: Math.min(start, first), grams: remaining });
  return points.reverse();
}

/** The grams that a running job used until the weighing belong to the step of the weighing. */
function toStep({ at, netGrams, grams, printingGrams }: Adjustment): Step {
  const [net, change] = [netGrams === null ? null : Number(netGrams), Number(grams) - Number(printingGrams)];
  return { at: Date.parse(at), net, grams: change };
}

/** The grams of a job that its last weighing during the print has already counted. */
function findWeighedGrams({ startedAt, completedAt }: SpoolJob, adjustments: readonly Adjustment[]): number {
  if (startedAt === null) return 0;
  const [startedMs, endedMs] = [Date.parse(startedAt), Date.parse(completedAt as string)];
  const weighing = adjustments.find(
    ({ at, netGrams }) => netGrams !== null && Date.parse(at) >= startedMs && Date.parse(at) < endedMs,
  );
  return Number(weighing?.printingGrams ?? 0);
}
