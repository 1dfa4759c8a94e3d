// The log of the process: one JSON object a line on standard output.
import pino, { type Logger } from 'pino';

export type Log = Logger;

export function createLog(level: string): Log {
  // Lines that come while others are being written go with the next write; the process writes what is left when it ends.
  const destination = pino.destination({ sync: false });
  return pino({ level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}
