// Decides when the gateway asks OctoPrint for the amounts of an ended print: OctoPrint analyses a file only when it is idle.
import type { Reading } from '../../farm/print-rules/print.model';
import { type Instant, msBetween } from '../../values/instant';
import type { Ask, MachineMessage, UnplannedPrint } from '../machine-adapter';
import { memberAt, readPath, toNumber } from '../message-values';
import { readPlan } from './status';

export const FILES = '/api/files/local/';

const ASK_FOR_MS = 60_000;
const ASK_AGAIN_MS = 10_000;
/**
 * How long ago a print may have ended: the analysis of its file may wait behind other prints. The limit is shorter if the time of the file is
 * unknown, because the file may have been replaced.
 */
const LATEST_MS = 24 * 3_600_000;
const LATEST_UNDATED_MS = 60_000;

/** An ended print whose amounts are unknown. */
export interface Unplanned extends UnplannedPrint {
  askedAt: Instant | null;
}

export const askAboutFile = (path: string): Ask => ({ source: FILES, parameters: { path } });

/** Whether to ask now: once in any case, and again for a minute after the end of the print. */
export function isTimeToAsk({ endedAt, askedAt }: Unplanned, now: Instant): boolean {
  if (askedAt === null) return true;
  return msBetween(endedAt, now) <= ASK_FOR_MS && msBetween(askedAt, now) >= ASK_AGAIN_MS;
}

/** Reads the plan for the ended prints of a file from the answer about this file. */
export function readLatePlan(
  { body, failed, parameters }: MachineMessage,
  now: Instant,
  clockOffMs: number | null,
): Reading[] {
  const filePath = readPath(memberAt(parameters, 'path'));
  const plan = failed ? null : readPlan(memberAt(body, 'gcodeAnalysis'));
  if (plan === null || filePath === null) return [];
  const changedMs = toNumber(memberAt(body, 'date')) * 1000 - (clockOffMs ?? 0);
  // A file cannot be replaced while it is printed, so all prints since its last change used this version.
  const sinceMs = Number.isNaN(changedMs)
    ? Date.parse(now) - LATEST_UNDATED_MS
    : Math.max(changedMs, Date.parse(now) - LATEST_MS);
  if (sinceMs > Date.parse(now)) return [];
  return [{ kind: 'PLAN', at: now, filePath, plan, since: new Date(sinceMs).toISOString(), print: 'PRINT_UNKNOWN' }];
}
