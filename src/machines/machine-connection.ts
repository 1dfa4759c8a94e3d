// What a connection is: the half of a kind of machine that has the sockets, between the machine and its adapter.

import type { LifetimeListener } from '../wire/connection-lifetime';
import type { Limits } from '../wire/connection-limits';
import type { Network } from '../wire/networks';
import type { Ask, MachineMessage } from './machine-adapter';

export type { ConnectionFault as DeviceFault } from '../wire/faults';

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
  /** What its owner calls it, as its host name says. */
  name: string | null;
  model: string | null;
  serial: string | null;
  firmware: string | null;
  certificateFingerprint: string | null;
}

/** Credentials were taken and it is a machine of this kind; then messages, answers, and PONG. */
export type Listener = LifetimeListener<Identity, MachineMessage>;

/** A sign of life that says nothing. */
export const PONG: MachineMessage = { source: 'pong', body: null };

export interface Connection {
  /** After `connected`. An ask that already waits is not asked twice. */
  ask(ask: Ask): void;
  /** Whether a print runs decides how often a polled machine is asked. */
  setPrinting(is: boolean): void;
  /** Nothing is heard after it. */
  close(): void;
}

/** Never throws and never calls the listener before it returns. */
export type Connect = (target: Target, listener: Listener, network: Network, limits?: Limits) => Connection;
