// The log of the process: one JSON object a line on standard output.
import pino, { type Logger } from 'pino';

export type Log = Logger;

/** Bytes that wait to be written; further lines are lost. */
const MAX_WAITING = 16 * 1024 * 1024;
/** Bytes that are written at once. A write for each line costs a single client 8 % of its requests (W5). */
const PIECE = 4096;
/** The longest wait of a line. */
const FLUSH_MS = 100;
/** The longest wait at the end of the process for a pipe without a reader. */
const END_MS = 1000;

const WARNING = pino.levels.values['warn'] as number;

type Output = ReturnType<typeof pino.destination>;
let standardOutput: Output | undefined;

/** The standard output of the process, shared by all logs. */
function openOutput(): Output {
  let deadline = Number.POSITIVE_INFINITY;
  const output = pino.destination({
    sync: false,
    minLength: PIECE,
    periodicFlush: FLUSH_MS,
    maxLength: MAX_WAITING,
    retryEAGAIN: () => performance.now() < deadline,
  });
  // After a failed write (full disk) the lines wait. Without a listener the event would end the process.
  let isBroken = false;
  output.on('error', () => {
    isBroken = true;
  });
  output.on('write', () => {
    isBroken = false;
  });
  // At exit sonic-boom 4.2.1 would try for ever to write to a full disk or to a pipe without a reader. Remove this
  // when its flushSync takes a time limit.
  process.prependListener('exit', () => {
    deadline = performance.now() + END_MS;
    try {
      if (!isBroken) output.flushSync();
    } catch {}
    output.destroy();
  });
  return output;
}

export function createLog(level: string): Log {
  standardOutput ??= openOutput();
  const output = standardOutput;
  return pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      // PostgreSQL's detail of a refused write has the values of the row.
      redact: { paths: ['err.meta.driverAdapterError.cause.detail'], remove: true },
      hooks: {
        // A warning may be the last line of the process.
        logMethod(line, method, severity) {
          method.apply(this, line);
          if (severity >= WARNING) output.flush();
        },
      },
    },
    output,
  );
}
