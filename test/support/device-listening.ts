// Listens to a machine as the gateway does: its messages go through the adapter of its kind, whose asks are asked.

import type { Reading } from '../../src/farm/print-rules/print.model';
import { type DeviceKind, KIND_CODE } from '../../src/machines/kind-code';
import {
  type AdapterOutput,
  type Ask,
  type CameraReading,
  FIRST_CONTACT,
  type MachineMessage,
} from '../../src/machines/machine-adapter';
import type { Connect, Connection, DeviceFault, Identity, Target } from '../../src/machines/machine-connection';
import { instantNow } from '../../src/values/instant';
import { createNetwork } from '../../src/wire/networks';
import { closeServers } from './hostile-machine';
import { inTime } from './waiting';

export const LOOPBACK = createNetwork({ allowed: [], gatewayPort: null });

export const targetOf = (address: string, members: Partial<Target> = {}): Target => ({
  address,
  serial: null,
  username: null,
  secret: null,
  certificateFingerprint: null,
  ...members,
});

/** Closes machines, connections and servers after each test, the last one first. */
export function closedAfterEach(): <One extends { close(): unknown }>(one: One) => One {
  const open: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await one.close();
    await closeServers();
  });
  return (one) => {
    open.push(one);
    return one;
  };
}

export class Listening {
  identity: Identity | null = null;
  fault: DeviceFault | null = null;
  readonly messages: MachineMessage[] = [];
  readonly readings: Reading[] = [];
  /** Of a camera. */
  readonly statuses: CameraReading[] = [];
  private readonly connection: Connection;
  private waiting: (() => void)[] = [];

  /** @param connect the kind's own, with other limits */
  constructor(
    kind: DeviceKind,
    target: Target,
    { connect = KIND_CODE[kind].connect, network = LOOPBACK }: { connect?: Connect; network?: typeof LOOPBACK } = {},
  ) {
    const { adapter } = KIND_CODE[kind];
    let memory: unknown = null;
    const heard = (output: AdapterOutput<unknown, Reading | CameraReading>) => {
      memory = output.memory;
      this.take(output.readings);
      for (const ask of output.asks) this.connection.ask(ask);
    };
    this.connection = connect(
      target,
      {
        onConnected: (identity) => {
          expect([this.identity, this.messages.length, this.fault]).toEqual([null, 0, null]);
          this.identity = identity;
          heard(adapter.start(FIRST_CONTACT, instantNow()));
        },
        onMessage: (message) => {
          expect([this.identity === null, this.fault]).toEqual([false, null]);
          this.messages.push(message);
          heard(adapter.receive(memory, message, instantNow()));
        },
        onEnded: (fault) => {
          expect(this.fault).toBeNull();
          this.fault = fault;
          this.wake();
        },
      },
      network,
    );
  }

  private take(readings: (Reading | CameraReading)[]): void {
    for (const reading of readings) {
      if (reading.kind === 'STATUS') this.statuses.push(reading);
      else this.readings.push(reading);
    }
    this.wake();
  }

  ask(ask: Ask): void {
    this.connection.ask(ask);
  }

  printing(is: boolean): void {
    this.connection.setPrinting(is);
  }

  close(): void {
    this.connection.close();
  }

  private wake(): void {
    const waiting = this.waiting;
    this.waiting = [];
    for (const one of waiting) one();
  }

  /** As soon as `find` finds it in what was heard. @param what a sentence that says what is waited for */
  until<Found>(what: string, find: (listening: this) => Found | undefined | null | false): Promise<Found> {
    const search = async (): Promise<Found> => {
      for (;;) {
        const found = find(this);
        if (found !== undefined && found !== null && found !== false) return found;
        if (this.fault !== null) throw new Error(`It ended (${this.fault}) before this came: ${what}`);
        await new Promise<void>((woken) => this.waiting.push(woken));
      }
    };
    return inTime(what, search(), () => ({
      messages: this.messages,
      readings: this.readings,
      statuses: this.statuses,
    }));
  }

  connected(): Promise<Identity> {
    return this.until('it is connected', ({ identity }) => identity);
  }

  activity(activity: string): Promise<Reading> {
    return this.until(`its activity is ${activity}`, ({ readings }) =>
      readings.find((reading) => reading.kind === 'STATE' && reading.activity === activity),
    );
  }

  /** Until it was told of a running print with this name. */
  named(name: string): Promise<Reading> {
    const isIt = ({ print }: Reading) => typeof print === 'object' && print.name === name && print.end === null;
    return this.until(`it prints ${name}`, ({ readings }) => readings.find(isIt));
  }

  ended(): Promise<DeviceFault> {
    return this.until('the connection ends', ({ fault }) => fault);
  }

  /** How the prints ended that it heard of. */
  get ends() {
    const states = this.readings.filter(({ kind }) => kind === 'STATE');
    const prints = states.flatMap(({ print }) => (typeof print === 'object' && print.end !== null ? [print] : []));
    return prints.map(({ name, end, measured }) => ({ name, outcome: end?.outcome, mm: measured[0]?.mm ?? null }));
  }
}
