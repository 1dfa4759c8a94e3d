// The JSON of machines, with all digits of its numbers. Some programs write numbers that JSON does not have, and one message that
// cannot be read is not the end of a connection.
import { parseExactJson } from '../values/json';
import type { ConnectionLifetime } from './connection-lifetime';
import { Failure } from './faults';

/** Each text as a whole, so that the words in it stay; a text without an end is one too. */
const QUOTED_OR_NOT_A_NUMBER = /"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|\\?$)|-?\b(?:NaN|Infinity)\b/g;

/** Python's json writes NaN, Infinity and -Infinity for a temperature that is not known: they are read as null. */
export function parseReceivedJson(bytes: Buffer): unknown {
  try {
    return parseExactJson(bytes.includes('NaN') || bytes.includes('Infinity') ? replaceNotANumber(bytes) : bytes);
  } catch {
    throw new Failure('PROTOCOL_ERROR');
  }
}

/** A byte is a character here: what is not ASCII stays as it is. */
function replaceNotANumber(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1').replace(QUOTED_OR_NOT_A_NUMBER, (found) => (found[0] === '"' ? found : 'null'));
  return Buffer.from(text, 'latin1');
}

/** @param onMessage gets each message as parsed JSON */
export function createJsonReader(
  lifetime: ConnectionLifetime,
  onMessage: (message: unknown) => void,
): (bytes: Buffer) => void {
  let badMessages = 0;
  return (bytes) => {
    if (lifetime.signal.aborted) return;
    const message = lifetime.meter.runCharged(() => tryParse(bytes));
    // One that cannot be read is left out in a running connection, two in a row are another protocol.
    badMessages = message === undefined ? badMessages + 1 : 0;
    if (message !== undefined) lifetime.runGuarded(() => onMessage(message));
    else if (!lifetime.isConnected || badMessages > 1) lifetime.end('PROTOCOL_ERROR');
  };
}

function tryParse(bytes: Buffer): unknown {
  try {
    return parseReceivedJson(bytes);
  } catch {
    return undefined;
  }
}
