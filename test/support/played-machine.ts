// Plays the connection of a recording: its machine sends messages and answers requests at each step, for a follower of its prints.

import type { PrintFollower } from '../../src/machines/collector/print-follower';
import { WaitingReadings } from '../../src/machines/collector/waiting-readings';
import type { AdapterOutput, MachineMessage } from '../../src/machines/machine-adapter';
import { instant, type Recording, type Step } from '../recordings/recording';

/** One process, from its start to its end. */
export class PlayedMachine {
  lastContactAt: string | null = null;
  private isOpen = false;
  private step: Step | undefined;
  private readonly waiting = new WaitingReadings();
  private memory: unknown = null;

  constructor(
    private readonly adapter: Recording['adapter'],
    private readonly follower: PrintFollower,
  ) {}

  async open(step: Step): Promise<void> {
    this.isOpen = true;
    this.step = step;
    const opened = await this.follower.open();
    this.lastContactAt = instant(step.at);
    this.handleOutput(this.adapter.start(opened, this.lastContactAt));
    for (const message of step.greeting) this.receive(message);
    await this.followAll();
  }

  /** Plays one step. @param waits whether its readings wait for those of the next step, as while the database is busy */
  async playStep(step: Step, waits = false): Promise<void> {
    if (step.link === 'down') this.isOpen = false;
    else if (!this.isOpen) await this.open(step);
    this.step = step;
    if (step.message !== null && this.isOpen) this.receive(step.message);
    if (!waits) await this.followAll();
  }

  private receive(message: MachineMessage): void {
    this.lastContactAt = instant((this.step as Step).at);
    this.handleOutput(this.adapter.receive(this.memory, message, this.lastContactAt));
  }

  private handleOutput({ memory, readings, asks }: AdapterOutput<unknown>): void {
    this.memory = memory;
    for (const reading of readings) this.waiting.add(reading);
    for (const ask of asks) this.receive((this.step as Step).answer(ask));
  }

  private async followAll(): Promise<void> {
    for (let reading = this.waiting.next(); reading !== undefined; reading = this.waiting.next()) {
      if (!(await this.follower.follow(reading))) throw new Error('The rows have changed since the decision');
    }
  }
}
