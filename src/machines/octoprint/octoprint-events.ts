// Decides what each event of OctoPrint means for its print: start, pause, continuation and end.
import type { End } from '../../farm/print-rules/print.model';
import type { Instant } from '../../values/instant';
import {
  type AdapterOutput,
  buildStateReading,
  createExactEnd,
  getNextOrdinal,
  isUnfinished,
  withReadings,
} from '../machine-adapter';
import { askAboutFile } from './late-plan';
import { decideEnd, endPrint, type Memory } from './prints';
import { CONNECTION_CLOSED, type Current, type Event, PRINTER_RESET, readCurrent, toActivity } from './status';
import { startTracking, type Tracked } from './tracked-print';

const NOTHING_SHOWN = readCurrent({ state: { flags: { operational: true } } }) as Current;

export function receiveEvent(memory: Memory, event: Event, now: Instant): AdapterOutput<Memory> {
  const { type, path, reason, error, isByUser } = event;
  if (type === 'PrintStarted') return receiveStart(memory, event, now);
  if (type === 'MetadataAnalysisFinished') {
    return withReadings(memory, [], path === null || !event.isLocal ? [] : [askAboutFile(path)]);
  }
  const { print } = memory;
  if (!isUnfinished(print) || (path !== null && path !== print.path)) return withReadings(memory);
  const changed = (members: Partial<Tracked>) => withReadings({ ...memory, print: { ...print, ...members } });
  const ended = (end: End) => endPrint(memory, print, end, withoutRunning(memory.current ?? NOTHING_SHOWN), now);
  switch (type) {
    case 'PrintPaused':
      return changed({ pause: 'PAUSED', isPausedByUser: isByUser, runningSince: null });
    case 'PrintResumed':
      return changed({ pause: 'RESUMED', isPausedByUser: false, runningSince: null });
    case 'PrintDone':
      return ended(createExactEnd('COMPLETED', now));
    case 'PrintCancelling':
      return changed({ wasCancelling: true, fault: print.fault ?? error });
    case 'PrintCancelled': {
      const fault = print.fault ?? error;
      const cancelled = { ...print, fault, wasCancelling: true, goneSince: print.goneSince ?? now };
      // After a cancel that no user requested, PrintFailed and sometimes PrinterReset follow. All of them report the same end.
      const isSure = isByUser || fault !== null;
      return isSure ? ended(decideEnd(cancelled, NOTHING_SHOWN, now)) : changed(cancelled);
    }
    case 'PrinterReset':
      return event.isIdle ? withReadings(memory) : changed({ fault: print.fault ?? PRINTER_RESET });
    case 'PrintFailed': {
      const fault = print.fault ?? error;
      const isCancel = reason === 'cancelled' || (reason === null && print.wasCancelling);
      if (isCancel) return ended(decideEnd({ ...print, wasCancelling: true, fault }, NOTHING_SHOWN, now));
      return ended(createExactEnd('FAILED', now, fault ?? CONNECTION_CLOSED));
    }
  }
}

function withoutRunning(current: Current): Current {
  const flagged = { ...current, isRunning: false };
  return { ...flagged, activity: toActivity(flagged) };
}

function receiveStart(memory: Memory, { path, name, isLocal, isByUser }: Event, now: Instant): AdapterOutput<Memory> {
  const { print } = memory;
  const current = memory.current ?? NOTHING_SHOWN;
  if (path === null || !memory.knowsState) return withReadings(memory);
  // A withheld print has had no event yet, so this event belongs to it.
  const isRunning = isUnfinished(print) && (print.isAnnounced || !print.isWithheld);
  // The flags have already reported this start.
  if (isRunning && print.path === path && !print.isAnnounced && print.pause === 'NONE') {
    return withReadings({ ...memory, startedAt: now, print: { ...print, isAnnounced: true } });
  }
  // If the printer itself continues a file from its card, OctoPrint reports a new start.
  if (isRunning && print.path === path && print.pause !== 'NONE' && !isLocal && !isByUser) {
    return withReadings({ ...memory, print: { ...print, pause: 'RESUMED', runningSince: null } });
  }
  // A print can be restarted only from a pause.
  const end = isRunning && print.pause !== 'NONE' ? createExactEnd('CANCELLED', now) : null;
  const before = isRunning
    ? endPrint(memory, print, end ?? decideEnd(print, current, now), current, now)
    : withReadings(memory);
  const start = { ordinal: getNextOrdinal(print), path, name, isLocal, printSec: 0, wasSeen: true, isAnnounced: true };
  const tracked = startTracking({ ...start, isWithheld: false, isFileOfBefore: false }, now);
  // Flags from before this event must not end the print.
  return withReadings({ ...before.memory, sawIdle: false, current: null, startedAt: now, print: tracked }, [
    ...before.readings,
    buildStateReading({ ...current, activity: 'PRINTING' }, tracked.last, now),
  ]);
}
