// The connection of a recording: what its machine says, and answers, at each step, for a follower of its prints.

import type { Reading } from '../../src/farm/print-rules/readings';
import { Hearing } from '../../src/machines/adapter';
import type { PrintFollower } from '../../src/machines/collector/print-follower';
import { instant, type Recording, type Step } from '../recordings/recording';

/** One process, from its start to its end. */
export class PlayedMachine {
  lastContactAt: string | null = null;
  private isOpen = false;
  private step: Step | undefined;
  private readings: Reading[] = [];
  private readonly hearing: Hearing;

  constructor(
    adapter: Recording['adapter'],
    private readonly follower: PrintFollower,
  ) {
    this.hearing = new Hearing<Reading>(adapter, {
      pass: (readings) => void this.readings.push(...readings),
      ask: (ask) => this.take((this.step as Step).answer(ask)),
    });
  }

  async open(step: Step): Promise<void> {
    this.isOpen = true;
    this.step = step;
    const opened = await this.follower.open();
    this.lastContactAt = instant(step.at);
    this.hearing.open(opened, this.lastContactAt);
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

  private take(message: Parameters<Hearing['hear']>[0]): void {
    this.lastContactAt = instant((this.step as Step).at);
    this.hearing.hear(message, this.lastContactAt);
  }

  private async followAll(): Promise<void> {
    for (const reading of this.readings.splice(0)) {
      if (!(await this.follower.follow(reading))) throw new Error('The rows are others than those of the decision');
    }
  }
}
