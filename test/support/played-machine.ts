// The connection of a recording: what its machine says, and answers, at each step, for a follower of its prints.

import type { Reading } from '../../src/farm/print-rules/print.model';
import type { PrintFollower } from '../../src/machines/collector/print-follower';
import type { AdapterOutput, MachineMessage } from '../../src/machines/machine-adapter';
import { instant, type Recording, type Step } from '../recordings/recording';

/** One process, from its start to its end. */
export class PlayedMachine {
  lastContactAt: string | null = null;
  private isOpen = false;
  private step: Step | undefined;
  private readings: Reading[] = [];
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
    this.heard(this.adapter.open(opened, this.lastContactAt));
    for (const message of step.greeting) this.take(message);
    await this.followAll();
  }

  /** One step of the recording. */
  async hear(step: Step): Promise<void> {
    if (step.link === 'down') this.isOpen = false;
    else if (!this.isOpen) await this.open(step);
    this.step = step;
    if (step.message !== null && this.isOpen) this.take(step.message);
    await this.followAll();
  }

  private take(message: MachineMessage): void {
    this.lastContactAt = instant((this.step as Step).at);
    this.heard(this.adapter.hear(this.memory, message, this.lastContactAt));
  }

  private heard({ memory, readings, asks }: AdapterOutput<unknown>): void {
    this.memory = memory;
    this.readings.push(...readings);
    for (const ask of asks) this.take((this.step as Step).answer(ask));
  }

  private async followAll(): Promise<void> {
    for (const reading of this.readings.splice(0)) {
      if (!(await this.follower.follow(reading))) throw new Error('The rows are others than those of the decision');
    }
  }
}
