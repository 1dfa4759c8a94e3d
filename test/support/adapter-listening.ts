// An adapter that hears messages at the seconds of a test, in the loop of the gateway.

import type { Reading } from '../../src/farm/print-rules/readings';
import {
  type Adapter,
  type AdapterOutput,
  type Ask,
  FIRST_CONTACT,
  Hearing,
  type MachineMessage,
  type Opened,
} from '../../src/machines/adapter';
import { instant } from '../recordings/recording';

export class AdapterListening {
  readonly readings: Reading[] = [];
  readonly asks: { at: number; ask: Ask }[] = [];
  memory: unknown;
  private at = 0;
  private readonly hearing: Hearing;

  // biome-ignore lint/suspicious/noExplicitAny: each adapter has a memory of its own, which only it reads.
  constructor(adapter: Adapter<any>, opened: Partial<Opened> = {}, at = 0) {
    const kept = (heard: AdapterOutput<unknown>) => {
      this.memory = heard.memory;
      return heard;
    };
    const watched: Adapter<unknown> = {
      open: (known, now) => kept(adapter.open(known, now)),
      hear: (memory, message, now) => kept(adapter.hear(memory, message, now)),
    };
    this.hearing = new Hearing(watched, {
      pass: (readings) => void this.readings.push(...readings),
      ask: (ask) => void this.asks.push({ at: this.at, ask }),
    });
    this.at = at;
    this.hearing.open({ ...FIRST_CONTACT, ...opened }, instant(at));
  }

  hear(at: number, message: MachineMessage): this {
    this.at = at;
    this.hearing.hear(message, instant(at));
    return this;
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
