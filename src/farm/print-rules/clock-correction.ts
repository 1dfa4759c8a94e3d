// Corrects the times of a print after the gateway's clock was set. Durations do not change; the machine's counter is their best source.
import { addMs, CLOCKS_DIFFER_MS, discardFutureTime, type Instant, msBetween, subtractMs } from '../../values/instant';
import type { EndedPrint, FollowedPrint, PrintReading } from './print.model';

/** A time so long ago that the next checkpoint is due now. */
const LONG_AGO: Instant = '0001-01-01T00:00:00.000Z';

/**
 * The print at the time of a reading, without times in the future, which the gateway wrote while its clock was ahead. The last contact then
 * becomes the time of the reading minus what the machine has counted since that contact.
 */
export function correctFutureTimes(print: FollowedPrint, reading: PrintReading | null, at: Instant): FollowedPrint {
  const [seenAt, savedAt] = [discardFutureTime(print.seenAt, at), discardFutureTime(print.savedAt, at)];
  const startedAt = discardFutureTime(print.startedAt, at);
  const isCorrect = seenAt !== null && (startedAt !== null || print.startedAt === null);
  if (isCorrect) return { ...print, seenAt, startedAt, savedAt: savedAt ?? LONG_AGO };
  const lastContact = seenAt ?? subtractMs(reading?.end?.at ?? at, calculateCountedMsSince(print, reading));
  return { ...print, ...correctStart(print, reading, lastContact), seenAt: lastContact, savedAt: LONG_AGO };
}

/** The start as the machine reports it now, or else an estimate. */
function correctStart(
  print: FollowedPrint,
  reading: PrintReading | null,
  lastContact: Instant,
): Pick<FollowedPrint, 'startedAt' | 'startedAtEstimated'> {
  if (reading?.startedAt != null && !reading.startedAtEstimated && reading.startedAt <= lastContact) {
    return { startedAt: reading.startedAt, startedAtEstimated: false };
  }
  if (print.startedAt === null) return print;
  const startedAt = estimateStart(print.startedAt, print, lastContact);
  return { startedAt, startedAtEstimated: print.startedAtEstimated || startedAt !== print.startedAt };
}

/** @param lastContact the last contact, which is not in the future */
function estimateStart(startedAt: Instant, print: FollowedPrint, lastContact: Instant): Instant {
  const counted = subtractMs(lastContact, calculateCountedMs(print));
  // The print started before the gateway's clock was ahead.
  if (startedAt <= addMs(counted, CLOCKS_DIFFER_MS)) return startedAt;
  const moved = addMs(startedAt, msBetween(print.seenAt, lastContact));
  // The print started while the gateway's clock was ahead, and the last contact has the right time.
  return moved > lastContact ? counted : moved;
}

/**
 * The print after the gateway's clock was set forward by `ms` since the last contact. If the machine counted that time too, the time really
 * passed, for example because the gateway's computer slept.
 */
export function shiftAfterClockChange(print: FollowedPrint, reading: PrintReading | null, ms: number): FollowedPrint {
  if (ms < CLOCKS_DIFFER_MS || calculateCountedMsSince(print, reading) >= ms - CLOCKS_DIFFER_MS) return print;
  const { startedAt, seenAt } = print;
  return {
    ...print,
    startedAt: startedAt && addMs(startedAt, ms),
    seenAt: addMs(seenAt, ms),
    savedAt: LONG_AGO,
  };
}

/**
 * An ended print at the time of a reading. An end in the future was written by a wrong clock. It becomes a time long ago, so that the print
 * that is running now counts as a new print. If the outcome of the ended print is unknown, its end becomes now, so that the print may continue.
 */
export function correctEndedPrint(print: EndedPrint, now: Instant): EndedPrint {
  if (print.endedAt <= now) return print;
  const endedAt = discardFutureTime(print.endedAt, now) ?? (print.outcome === 'UNRESOLVED' ? now : LONG_AGO);
  return {
    ...print,
    endedAt,
    startedAt: discardFutureTime(print.startedAt, now),
    seenAt: discardFutureTime(print.seenAt, now) ?? endedAt,
  };
}

/** The milliseconds that the machine has counted since the last contact. */
const calculateCountedMsSince = (print: FollowedPrint, reading: PrintReading | null) =>
  reading?.counter && print.counter ? Math.max(0, (reading.counter.seconds - print.counter.seconds) * 1000) : 0;

const calculateCountedMs = ({ counter }: FollowedPrint) => (counter?.seconds ?? 0) * 1000;
