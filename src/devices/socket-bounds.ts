// What a socket with messages keeps to: bounded bytes, and messages that can be read.
import type { Life } from './life';
import { FLOOD_MS, type Limits } from './limits';
import { parseMachineJson } from './machine-json';

/** What a message costs beside its bytes: a million of three bytes each would keep the process busy. */
export const MESSAGE_BYTES = 256;

/** Counts what a machine sends. More than it may send in a time ends the connection. */
export function floodGate(life: Life, { floodBytes }: Limits): (bytes: number) => void {
  let [since, bytes] = [performance.now(), 0];
  return (more) => {
    if (performance.now() - since > FLOOD_MS) [since, bytes] = [performance.now(), 0];
    bytes += more;
    if (bytes > floodBytes) life.end('TOO_MUCH_DATA');
  };
}

/** @param hear gets each message as parsed JSON */
export function readingJson(life: Life, hear: (message: unknown) => void): (bytes: Buffer) => void {
  let badMessages = 0;
  return (bytes) => {
    const message = readable(bytes);
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
