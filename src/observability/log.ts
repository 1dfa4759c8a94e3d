// The log of the process: one JSON object a line on standard output.
import pino, { type Logger } from 'pino';
import { instantNow } from '../values/instant';

export type Log = Logger;

/** Bytes; lines beyond are lost. */
const MOST_WAITING = 16 * 1024 * 1024;
/** Characters that are written at once. */
const PIECE = 4096;

const WARNING = pino.levels.values['warn'] as number;

/** Standard output, of which the process writes what is left when it ends. */
function standardOutput() {
  // A write for each line wakes a thread of its own, which cost a lone client's requests 8 % (and was no loss for many).
  const output = pino.destination({ sync: false, minLength: PIECE, periodicFlush: 100, maxLength: MOST_WAITING });
  const { write, flush, flushSync } = output;
  // It would join the lines that wait, and count them, anew for each of them: 3 of 5 µs a line.
  let lines = '';
  const handOn = () => {
    const piece = lines;
    lines = '';
    return piece === '' || write.call(output, piece);
  };
  output.write = (line) => {
    lines += line;
    return lines.length < PIECE || handOn();
  };
  output.flush = (done) => {
    handOn();
    flush.call(output, done);
  };
  // What cannot be written, to a full disk for instance, waits: the event alone would end the process. If it is so at
  // the end, it is lost: the library would try for ever.
  let isBroken = false;
  output.on('error', () => {
    isBroken = true;
  });
  output.on('write', () => {
    isBroken = false;
  });
  output.flushSync = () => {
    handOn();
    if (!isBroken) flushSync.call(output);
  };
  return output;
}

export function createLog(level: string): Log {
  const output = standardOutput();
  return pino(
    {
      level,
      base: undefined,
      timestamp: () => `,"time":"${instantNow()}"`,
      hooks: {
        // What may be the last words comes at once.
        logMethod(line, method, severity) {
          method.apply(this, line);
          if (severity >= WARNING) output.flush();
        },
      },
    },
    output,
  );
}
