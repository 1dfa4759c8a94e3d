// Reads the JSON of machines with all digits of its numbers, and decides when unreadable messages end a connection.
import { parseExactJson } from '../values/json';
import type { ConnectionLifetime } from './connection-lifetime';
import { Failure } from './faults';

/** Matches each quoted text as a whole, so that NaN inside a text stays. A text without an end matches too. */
const QUOTED_OR_NOT_A_NUMBER = /"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|\\?$)|-?\b(?:NaN|Infinity)\b/g;

/** Reads JSON. Python writes NaN, Infinity or -Infinity for an unknown temperature, which JSON does not allow: they become null. */
export function parseReceivedJson(bytes: Buffer): unknown {
  try {
    return parseExactJson(bytes.includes('NaN') || bytes.includes('Infinity') ? replaceNotANumber(bytes) : bytes);
  } catch {
    throw new Failure('PROTOCOL_ERROR');
  }
}

/** Treats each byte as a character, so that bytes beyond ASCII stay as they are. */
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
    const message = tryParse(bytes);
    // A connection that works skips one unreadable message. Two unreadable messages in a row mean that the other end uses another protocol.
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
