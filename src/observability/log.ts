// The log of the process: one JSON object a line on standard output.
import type { FastifyBaseLogger } from 'fastify';
import pino from 'pino';

export type Log = FastifyBaseLogger;

export function createLog(level: string): Log {
  return pino({ level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime });
}
