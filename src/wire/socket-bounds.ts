// The messages of a socket: one that cannot be read is not the end.
import type { ConnectionLifetime } from './connection-lifetime';
import { parseMachineJson } from './received-json';

/** @param hear gets each message as parsed JSON */
export function readingJson(lifetime: ConnectionLifetime, hear: (message: unknown) => void): (bytes: Buffer) => void {
  let badMessages = 0;
  return (bytes) => {
    if (lifetime.signal.aborted) return;
    const message = lifetime.meter.chargedFor(() => readable(bytes));
    // One that cannot be read is left out in a running connection, two in a row are another protocol.
    badMessages = message === undefined ? badMessages + 1 : 0;
    if (message !== undefined) lifetime.guarded(() => hear(message));
    else if (!lifetime.isConnected || badMessages > 1) lifetime.end('PROTOCOL_ERROR');
  };
}

function readable(bytes: Buffer): unknown {
  try {
    return parseMachineJson(bytes);
  } catch {
    return undefined;
  }
}
