// An adapter that hears messages at the seconds of a test, and keeps what comes out.

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

export class AdapterListening {
  readonly readings: Reading[] = [];
  readonly asks: { at: number; ask: Ask }[] = [];
  memory: unknown;

  constructor(
    // biome-ignore lint/suspicious/noExplicitAny: each adapter has a memory of its own, which only it reads.
    private readonly adapter: Adapter<any>,
    opened: Partial<LastKnown> = {},
    at = 0,
  ) {
    this.keep(at, adapter.start({ ...FIRST_CONTACT, ...opened }, instant(at)));
  }

  hear(at: number, message: MachineMessage): this {
    this.keep(at, this.adapter.receive(this.memory, message, instant(at)));
    return this;
  }

  private keep(at: number, { memory, readings, asks }: AdapterOutput<unknown>): void {
    this.memory = memory;
    this.readings.push(...readings);
    this.asks.push(...asks.map((ask) => ({ at, ask })));
  }

  /** The readings of one message. */
  told(at: number, message: MachineMessage): Reading[] {
    const before = this.readings.length;
    return this.hear(at, message).readings.slice(before);
  }

  get last(): Reading {
    return this.readings.at(-1) as Reading;
  }
}
