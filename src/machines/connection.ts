// What a connection is: the half of a kind of machine that has the sockets, between the machine and its adapter.

import type { Ask, Message } from './adapter';
import type { Network } from './address';
import type { Limits } from './limits';

/** Why a machine is not connected. */
export type DeviceFault =
  | 'NOT_REACHABLE'
  /** The name has no address, or none that a device may have. */
  | 'NOT_RESOLVED'
  | 'TIMED_OUT'
  /** It takes the connection, and closes it before it has said what it is. */
  | 'CLOSED_AT_ONCE'
  /** It speaks TLS, or leads to an address with TLS, and was asked without. */
  | 'HTTPS_REQUIRED'
  /** A proxy in front of it wants a password of its own. */
  | 'PROXY_REFUSED'
  | 'CREDENTIALS_REFUSED'
  | 'CERTIFICATE_NOT_TRUSTED'
  | 'WRONG_DEVICE'
  | 'NOT_THIS_KIND'
  | 'SILENT'
  | 'PROTOCOL_ERROR'
  | 'TOO_MUCH_DATA'
  | 'SECRET_NOT_READABLE';

/** A machine to connect to, with its secret in clear. */
export interface Target {
  /** As it was typed. */
  address: string;
  serial: string | null;
  username: string | null;
  secret: string | null;
  /** SHA-256 of the certificate that is trusted, as hex; null: one that an authority signed. */
  certificateFingerprint: string | null;
}

/** What a machine says that it is; null where it does not say. */
export interface Identity {
  model: string | null;
  serial: string | null;
  firmware: string | null;
  certificateFingerprint: string | null;
}

export interface Listener {
  /** Credentials were taken and it is a machine of this kind. Once, before any message. */
  connected(identity: Identity): void;
  /** A message, an answer, or `pong`: a sign of life that says nothing. */
  heard(message: Message): void;
  /** The connection is over, once; nothing is heard after it. It is not called after `close`. */
  ended(fault: DeviceFault): void;
}

export interface Connection {
  /** After `connected`. An ask that already waits is not asked twice. */
  ask(ask: Ask): void;
  /** Whether a print runs decides how often a polled machine is asked. */
  printing(is: boolean): void;
  /** Nothing is heard after it. */
  close(): void;
}

/** Never throws and never calls the listener before it returns. */
export type Connect = (target: Target, listener: Listener, network: Network, limits?: Limits) => Connection;
