// Writes the log of the process to standard output, one JSON object in each line.
import pino, { type Logger } from 'pino';

export type Log = Logger;

/** The maximum number of bytes that wait to be written. Further lines are lost. */
const MAX_WAITING = 16 * 1024 * 1024;
/** The bytes of one write. Writing each line alone would cost a single client 8 % of its requests (W5). */
const WRITE_BYTES = 4096;
/** The longest time before a line is written. */
const FLUSH_MS = 100;
/** How long the process waits at its end for a pipe that nothing reads. */
const END_MS = 1000;

const WARNING = pino.levels.values['warn'] as number;

type Output = ReturnType<typeof pino.destination>;
let standardOutput: Output | undefined;

/** Opens the standard output of the process, which all logs share. */
function openOutput(): Output {
  let deadline = Number.POSITIVE_INFINITY;
  const output = pino.destination({
    sync: false,
    minLength: WRITE_BYTES,
    periodicFlush: FLUSH_MS,
    maxLength: MAX_WAITING,
    retryEAGAIN: () => performance.now() < deadline,
  });
  // If a write fails because the disk is full, the lines wait. Without a listener, the event would end the process.
  let isBroken = false;
  output.on('error', () => {
    isBroken = true;
  });
  output.on('write', () => {
    isBroken = false;
  });
  // At exit, sonic-boom 4.2.1 would try forever to write to a full disk, or to a pipe that nothing reads. Remove this when its
  // flushSync has a time limit.
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
      // PostgreSQL's detail about a refused write contains the values of the row.
      redact: { paths: ['err.meta.driverAdapterError.cause.detail'], remove: true },
      hooks: {
        // A warning is written immediately, because it may be the last line of the process.
        logMethod(line, method, severity) {
          method.apply(this, line);
          if (severity >= WARNING) output.flush();
        },
      },
    },
    output,
  );
}
