// The one loop that hears a machine: each message goes through the adapter of its kind, whose memory is kept from one to the next.
import type { Reading } from '../farm/print-rules/readings';
import type { Instant } from '../values/instant';
import type { Adapter, AdapterOutput, Ask, CameraReading, MachineMessage, Opened } from './adapter';

/** Where what was heard goes: first the readings of a message, also when it has none, then what the adapter wants to know. */
interface Outlets<MachineReading> {
  pass(readings: MachineReading[]): void;
  ask(ask: Ask): void;
}

/** One connection to a machine, from its opening on. */
export class Hearing<MachineReading extends Reading | CameraReading = Reading> {
  private memory: unknown = null;

  constructor(
    private readonly adapter: Adapter<unknown, MachineReading>,
    private readonly outlets: Outlets<MachineReading>,
  ) {}

  open(opened: Opened, now: Instant): void {
    this.pass(this.adapter.open(opened, now));
  }

  hear(message: MachineMessage, now: Instant): void {
    this.pass(this.adapter.hear(this.memory, message, now));
  }

  private pass({ memory, readings, asks }: AdapterOutput<unknown, MachineReading>): void {
    this.memory = memory;
    this.outlets.pass(readings);
    for (const ask of asks) this.outlets.ask(ask);
  }
}
