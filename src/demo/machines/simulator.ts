// A machine without a network. The machine has a state, answers asks, and pushes messages. Its player moves its clock.
import type { Ask, MachineMessage } from '../../machines/machine-adapter';

export abstract class Simulator {
  /** In seconds. */
  clock = 0;
  /** What the machine's own clock shows at 0, in seconds of the Unix epoch. */
  epoch = 0;
  /** Hears what the machine says. */
  said: (message: MachineMessage) => void = () => {};

  /** What a connection hears first. */
  greeting(): MachineMessage[] {
    return [];
  }

  answer({ source }: Ask): MachineMessage {
    throw new Error(`Nobody asks it for ${source}`);
  }

  get now(): number {
    return this.epoch + this.clock;
  }

  wait(seconds: number): this {
    this.clock += seconds;
    return this;
  }

  say(source: string, body: unknown): this {
    this.said({ source, body });
    return this;
  }
}

/** The machine runs on the clock of this computer: its player does not move it. */
export function live<Machine extends Simulator>(machine: Machine, said: Simulator['said']): Machine {
  const clock = { get: () => Date.now() / 1000, set: () => {} };
  return Object.defineProperty(Object.assign(machine, { said }), 'clock', clock);
}
