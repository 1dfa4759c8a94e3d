// The log of the process: one JSON object a line on standard output.
import pino, { type Logger } from 'pino';
import { instantNow } from '../values/instant';

export type Log = Logger;

/** Bytes; lines beyond are lost. */
const MOST_WAITING = 16 * 1024 * 1024;

const WARNING = pino.levels.values['warn'] as number;

export function createLog(level: string): Log {
  // A write for each line wakes a thread of its own, which cost a lone client's requests 8 % (and was no loss for many). The
  // process writes what is left when it ends.
  const destination = pino.destination({ sync: false, minLength: 4096, periodicFlush: 100, maxLength: MOST_WAITING });
  // What cannot be written, to a full disk for instance, waits: the event alone would end the process. If it is so at
  // the end, it is lost: the library would try for ever.
  const { flushSync } = destination;
  destination.on('error', () => {
    destination.flushSync = () => {};
  });
  destination.on('write', () => {
    destination.flushSync = flushSync;
  });
  return pino(
    {
      level,
      base: undefined,
      timestamp: () => `,"time":"${instantNow()}"`,
      hooks: {
        // What may be the last words comes at once.
        logMethod(line, method, severity) {
          method.apply(this, line);
          if (severity >= WARNING) destination.flush();
        },
      },
    },
    destination,
  );
}
