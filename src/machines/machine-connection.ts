// Defines a connection, the part of a machine kind that has the sockets and passes messages between the machine and its adapter.

import type { LifetimeListener } from '../wire/connection-lifetime';
import type { Limits } from '../wire/connection-limits';
import type { Network } from '../wire/networks';
import type { Ask, MachineMessage } from './machine-adapter';

export type { ConnectionFault as DeviceFault } from '../wire/faults';

/** A machine to connect to, with its secret in clear text. */
export interface Target {
  /** The address as the user typed it. */
  address: string;
  serial: string | null;
  username: string | null;
  secret: string | null;
  /** SHA-256 of the trusted certificate, as hex; `null` if a certificate authority must have signed the certificate. */
  certificateFingerprint: string | null;
}

/** What a machine reports about itself. A member is null if the machine does not report it. */
export interface Identity {
  /** The name that the owner gave to the machine, such as its host name. */
  name: string | null;
  model: string | null;
  serial: string | null;
  firmware: string | null;
  certificateFingerprint: string | null;
}

/** `onConnected` means that the machine accepted the credentials and is of this kind. Messages, answers and PONG follow. */
export type Listener = LifetimeListener<Identity, MachineMessage>;

/** A sign of life without content. */
export const PONG: MachineMessage = { source: 'pong', body: null };

/** The limits of a connection, and how often the gateway asks the machine. Each kind sets the limits that it needs in its connection.ts. */
export interface MachineLimits extends Limits {
  /** Between two polls of the state, while the machine prints. */
  pollPrintingMs: number;
  /** Between two polls of the state, while the machine does not print. */
  pollMs: number;
  /** Between two checks that a machine that pushes its state still accepts the credentials. */
  checkMs: number;
  /** How long the gateway waits for the first message after a broker accepted the credentials. The broker may belong to another machine. */
  firstMessageMs: number;
  /** How long after its first message a machine may still report its model and version. */
  versionMs: number;
  /** After this time without a message, a machine that pushes its state is asked for its whole state. */
  quietMs: number;
  /** The shortest time between two requests for the whole state. */
  askAgainMs: number;
}

export interface Connection {
  /** Sends a request, once the machine is connected. A request that already waits is not sent twice. */
  ask(ask: Ask): void;
  /** Sets whether a print is running, which decides how often the machine is polled. */
  setPrinting(isPrinting: boolean): void;
  /**
   * Reads the slicer's preview picture of the file that is printing; `null` if the machine offers no small picture. Never throws. Missing for kinds
   * of machines without pictures.
   */
  readThumbnail?(filePath: string): Promise<Buffer | null>;
  /** Closes the connection. No message follows. */
  close(): void;
}

/**
 * Connects to a machine. Never throws, and never calls the listener before it returns.
 * @param limits replace limits of the kind
 */
export type Connect = (
  target: Target,
  listener: Listener,
  network: Network,
  limits?: Partial<MachineLimits>,
) => Connection;
