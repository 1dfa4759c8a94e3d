// The messages of a socket: one that cannot be read is not the end.
import type { Life } from './life';
import { parseMachineJson } from './machine-json';

/** @param hear gets each message as parsed JSON */
export function readingJson(life: Life, hear: (message: unknown) => void): (bytes: Buffer) => void {
  let badMessages = 0;
  return (bytes) => {
    if (life.signal.aborted) return;
    const message = life.meter.charged(() => readable(bytes));
    // One that cannot be read is left out in a running connection, two in a row are another protocol.
    badMessages = message === undefined ? badMessages + 1 : 0;
    if (message !== undefined) life.guarded(() => hear(message));
    else if (!life.isConnected || badMessages > 1) life.end('PROTOCOL_ERROR');
  };
}

function readable(bytes: Buffer): unknown {
  try {
    return parseMachineJson(bytes);
  } catch {
    return undefined;
  }
}
