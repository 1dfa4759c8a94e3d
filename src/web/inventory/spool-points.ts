// The grams on a spool over time: from what is left now back through its jobs and its ledger.
import type { PrintJobStatus } from '../../generated/web-operations';

type Parts = readonly { gramsDerived: string; spool: { id: string } | null }[];

export interface Used {
  status: PrintJobStatus;
  startedAt: string | null;
  completedAt: string | null;
  parts: Parts;
}

export interface Adjusted {
  at: string;
  netGrams: string | null;
  grams: string;
  printingGrams: string;
  takenBack: object | null;
}

export interface Point {
  at: number;
  grams: number;
}

/** What a job used of a spool: the sum of its parts. A number has 15 digits, and grams and costs have fewer. */
export function partOf<Member extends string>(
  { parts }: { parts: readonly ({ spool: { id: string } | null } & Record<Member, string>)[] },
  spoolId: string,
  member: Member,
): string {
  const amounts = parts.filter(({ spool }) => spool?.id === spoolId).map((part) => part[member]);
  if (amounts.length === 1) return amounts[0] as string;
  const decimals = Math.max(0, ...amounts.map((amount) => amount.split('.')[1]?.length ?? 0));
  return amounts.reduce((sum, amount) => sum + Number(amount), 0).toFixed(Math.min(decimals, 20));
}

/** As the gateway counts: a job that was cancelled before it started has used nothing. */
const hasUsed = ({ status, startedAt, completedAt }: Used): boolean =>
  completedAt !== null &&
  (status === 'COMPLETED' || status === 'FAILED' || (status === 'CANCELLED' && startedAt !== null));

interface Step {
  at: number;
  /** What was left behind it; null: as what follows says. */
  net: number | null;
  grams: number;
}

/**
 * A step at the end of each job and at each row of the ledger, from the oldest on.
 * @param adjustments the newest first
 * @param begin of the spool; the first of these jobs may be older
 */
export function spoolPointsOf(
  { id, remainingGrams }: { id: string; remainingGrams: string },
  jobs: readonly Used[],
  adjustments: readonly Adjusted[],
  begin: number,
  now: number,
): Point[] {
  const counting = adjustments.filter(({ takenBack }) => takenBack === null);
  // An end at the time of a weighing is before it: the sort keeps this order for equal times.
  const steps = [
    ...counting.map(stepOf),
    ...jobs.filter(hasUsed).map((job) => ({
      at: Date.parse(job.completedAt as string),
      net: null,
      grams: notedOf(job, counting) - Number(partOf(job, id, 'gramsDerived')),
    })),
  ].sort((one, other) => other.at - one.at);
  let left = Number(remainingGrams);
  const points: Point[] = [{ at: now, grams: left }];
  for (const { net, grams, ...step } of steps) {
    const at = Math.min(step.at, now);
    left = net ?? left;
    points.push({ at, grams: left });
    left -= grams;
    points.push({ at, grams: left });
  }
  const first = points.at(-1)?.at ?? now;
  points.push({ at: Math.min(begin, first), grams: left });
  return points.reverse();
}

/** What a job used until then is a step at the weighing too. */
function stepOf({ at, netGrams, grams, printingGrams }: Adjusted): Step {
  const [net, change] = [netGrams === null ? null : Number(netGrams), Number(grams) - Number(printingGrams)];
  return { at: Date.parse(at), net, grams: change };
}

/** What the last weighing while it printed found used of a job. */
function notedOf({ startedAt, completedAt }: Used, adjustments: readonly Adjusted[]): number {
  if (startedAt === null) return 0;
  const [began, ended] = [Date.parse(startedAt), Date.parse(completedAt as string)];
  const weighing = adjustments.find(
    ({ at, netGrams }) => netGrams !== null && Date.parse(at) >= began && Date.parse(at) < ended,
  );
  return Number(weighing?.printingGrams ?? 0);
}
