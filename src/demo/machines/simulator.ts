// Simulates a machine without a network: it has a state, answers requests, and sends messages. A test moves its clock.
import type { Ask, MachineMessage } from '../../machines/machine-adapter';

export abstract class Simulator {
  /** The seconds since the machine was made. */
  clock = 0;
  /** The time of the machine when `clock` is 0, in seconds of the Unix epoch. */
  epoch = 0;
  /** Called with each message of the machine. */
  onMessage: (message: MachineMessage) => void = () => {};

  /** The messages that a new connection gets first. */
  greeting(): MachineMessage[] {
    return [];
  }

  answer({ source }: Ask): MachineMessage {
    throw new Error(`The simulated machine has no answer for ${source}`);
  }

  get now(): number {
    return this.epoch + this.clock;
  }

  wait(seconds: number): this {
    this.clock += seconds;
    return this;
  }

  send(source: string, body: unknown): this {
    this.onMessage({ source, body });
    return this;
  }
}

/** Makes the machine use the clock of this computer, which nothing moves. */
export function setRealClock<Machine extends Simulator>(machine: Machine, onMessage: Simulator['onMessage']): Machine {
  const clock = { get: () => Date.now() / 1000, set: () => {} };
  return Object.defineProperty(Object.assign(machine, { onMessage }), 'clock', clock);
}
