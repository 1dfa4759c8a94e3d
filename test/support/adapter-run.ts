// Feeds messages to an adapter at the seconds that a test gives, and keeps its readings and its requests.

import type { Reading } from '../../src/farm/print-rules/print.model';
import {
  type Adapter,
  type AdapterOutput,
  type Ask,
  FIRST_CONTACT,
  type LastKnown,
  type MachineMessage,
} from '../../src/machines/machine-adapter';
import { instant } from '../recordings/recording';

export class AdapterRun {
  readonly readings: Reading[] = [];
  readonly asks: { at: number; ask: Ask }[] = [];
  memory: unknown;

  constructor(
    // biome-ignore lint/suspicious/noExplicitAny: each adapter has a memory of its own, which only it reads.
    private readonly adapter: Adapter<any>,
    opened: Partial<LastKnown> = {},
    at = 0,
  ) {
    this.collect(at, adapter.start({ ...FIRST_CONTACT, ...opened }, instant(at)));
  }

  receive(at: number, message: MachineMessage): this {
    this.collect(at, this.adapter.receive(this.memory, message, instant(at)));
    return this;
  }

  private collect(at: number, { memory, readings, asks }: AdapterOutput<unknown>): void {
    this.memory = memory;
    this.readings.push(...readings);
    this.asks.push(...asks.map((ask) => ({ at, ask })));
  }

  /** The readings of one message. */
  receiveReadings(at: number, message: MachineMessage): Reading[] {
    const before = this.readings.length;
    return this.receive(at, message).readings.slice(before);
  }

  get last(): Reading {
    return this.readings.at(-1) as Reading;
  }
}
