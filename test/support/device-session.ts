// Connects to a machine as the gateway does: its messages go through the adapter of its kind, and the adapter's requests are sent.

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

export const createTarget = (address: string, members: Partial<Target> = {}): Target => ({
  address,
  serial: null,
  username: null,
  secret: null,
  certificateFingerprint: null,
  ...members,
});

/** Closes machines, connections and servers after each test, the last one first. */
export function closeAfterEach(): <One extends { close(): unknown }>(one: One) => One {
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

export class DeviceSession {
  identity: Identity | null = null;
  fault: DeviceFault | null = null;
  readonly messages: MachineMessage[] = [];
  readonly readings: Reading[] = [];
  /** Only for cameras. */
  readonly statuses: CameraReading[] = [];
  private readonly connection: Connection;
  private waiting: (() => void)[] = [];

  /** @param connect the connection of the kind, with other limits */
  constructor(
    kind: DeviceKind,
    target: Target,
    { connect = KIND_CODE[kind].connect, network = LOOPBACK }: { connect?: Connect; network?: typeof LOOPBACK } = {},
  ) {
    const { adapter } = KIND_CODE[kind];
    let memory: unknown = null;
    const handleOutput = (output: AdapterOutput<unknown, Reading | CameraReading>) => {
      memory = output.memory;
      this.keepReadings(output.readings);
      for (const ask of output.asks) this.connection.ask(ask);
    };
    this.connection = connect(
      target,
      {
        onConnected: (identity) => {
          expect([this.identity, this.messages.length, this.fault]).toEqual([null, 0, null]);
          this.identity = identity;
          handleOutput(adapter.start(FIRST_CONTACT, instantNow()));
        },
        onMessage: (message) => {
          expect([this.identity === null, this.fault]).toEqual([false, null]);
          this.messages.push(message);
          handleOutput(adapter.receive(memory, message, instantNow()));
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

  private keepReadings(readings: (Reading | CameraReading)[]): void {
    for (const reading of readings) {
      if (reading.kind === 'STATUS') this.statuses.push(reading);
      else this.readings.push(reading);
    }
    this.wake();
  }

  ask(ask: Ask): void {
    this.connection.ask(ask);
  }

  setPrinting(is: boolean): void {
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

  /** Resolves as soon as `find` finds something in what was received. @param what a sentence that says what the test waits for */
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

  waitForConnection(): Promise<Identity> {
    return this.until('it is connected', ({ identity }) => identity);
  }

  waitForActivity(activity: string): Promise<Reading> {
    return this.until(`its activity is ${activity}`, ({ readings }) =>
      readings.find((reading) => reading.kind === 'STATE' && reading.activity === activity),
    );
  }

  /** Waits for a running print with this name. */
  waitForPrint(name: string): Promise<Reading> {
    const isIt = ({ print }: Reading) => typeof print === 'object' && print.name === name && print.end === null;
    return this.until(`it prints ${name}`, ({ readings }) => readings.find(isIt));
  }

  waitForEnd(): Promise<DeviceFault> {
    return this.until('the connection ends', ({ fault }) => fault);
  }

  /** How each print ended of which the end was received. */
  get endedPrints() {
    const states = this.readings.filter(({ kind }) => kind === 'STATE');
    const prints = states.flatMap(({ print }) => (typeof print === 'object' && print.end !== null ? [print] : []));
    return prints.map(({ name, end, measured }) => ({ name, outcome: end?.outcome, mm: measured[0]?.mm ?? null }));
  }
}
