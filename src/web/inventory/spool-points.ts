// The grams on a spool over time: from what is left now back through its jobs.
import type { PrintJobStatus } from '../../generated/web-operations';

type Parts = readonly { gramsDerived: string; spool: { id: string } | null }[];

export interface Used {
  status: PrintJobStatus;
  startedAt: string | null;
  completedAt: string | null;
  parts: Parts;
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

/**
 * A step at the end of each job, from the oldest on.
 * @param jobs the latest ended first
 * @param begin of the spool; the first of these jobs may be older
 */
export function pointsOf(
  { id, remainingGrams }: { id: string; remainingGrams: string },
  jobs: readonly Used[],
  begin: number,
  now: number,
): Point[] {
  let left = Number(remainingGrams);
  const points: Point[] = [{ at: now, grams: left }];
  for (const job of jobs.filter(hasUsed)) {
    const at = Math.min(Date.parse(job.completedAt as string), now);
    points.push({ at, grams: left });
    left += Number(partOf(job, id, 'gramsDerived'));
    points.push({ at, grams: left });
  }
  const first = points.at(-1)?.at ?? now;
  points.push({ at: Math.min(begin, first), grams: left });
  return points.reverse();
}
