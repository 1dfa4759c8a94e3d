// The amounts of a print that is over: OctoPrint analyses its file when it is idle, so the gateway asks for a minute and at each news.
import type { Reading } from '../../farm/print-rules/print.model';
import { type Instant, msBetween } from '../../values/instant';
import type { Ask, MachineMessage, UnplannedPrint } from '../machine-adapter';
import { memberAt, readPath, toNumber } from '../message-values';
import { readPlan } from './status';

export const FILES = '/api/files/local/';

const ASK_FOR_MS = 60_000;
const ASK_AGAIN_MS = 10_000;
/** An analysis may wait behind other prints. Without the time of the file it may be another one than was printed. */
const LATEST_MS = 24 * 3_600_000;
const LATEST_UNDATED_MS = 60_000;

/** A print without amounts. */
export interface Unplanned extends UnplannedPrint {
  askedAt: Instant | null;
}

export const askAboutFile = (path: string): Ask => ({ source: FILES, parameters: { path } });

/** Once in any case, and again while the print is young. */
export function isTimeToAsk({ endedAt, askedAt }: Unplanned, now: Instant): boolean {
  if (askedAt === null) return true;
  return msBetween(endedAt, now) <= ASK_FOR_MS && msBetween(askedAt, now) >= ASK_AGAIN_MS;
}

/** What the answer about a file says of the prints of it that are over. */
export function readLatePlan(
  { body, failed, parameters }: MachineMessage,
  now: Instant,
  clockOffMs: number | null,
): Reading[] {
  const filePath = readPath(memberAt(parameters, 'path'));
  const plan = failed ? null : readPlan(memberAt(body, 'gcodeAnalysis'));
  if (plan === null || filePath === null) return [];
  const changedMs = toNumber(memberAt(body, 'date')) * 1000 - (clockOffMs ?? 0);
  // A file is not replaced while it is printed: what was printed since it changed is this one.
  const sinceMs = Number.isNaN(changedMs)
    ? Date.parse(now) - LATEST_UNDATED_MS
    : Math.max(changedMs, Date.parse(now) - LATEST_MS);
  if (sinceMs > Date.parse(now)) return [];
  return [{ kind: 'PLAN', at: now, filePath, plan, since: new Date(sinceMs).toISOString(), print: 'PRINT_UNKNOWN' }];
}
