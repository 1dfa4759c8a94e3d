// A printer behind PrusaLink that plays by the steps of a recording, polled each five seconds.
import { PrusaLink } from '../../../src/demo/machines/prusalink';
import { recordSteps } from '../recording';

export class PrusaLinkMachine extends recordSteps(PrusaLink) {
  poll(): this {
    return this.send('/api/v1/status', this.status());
  }

  /** Shows a state for that many seconds. */
  show(state: string, seconds: number): this {
    this.state = state;
    for (let gone = 0; gone < seconds; gone += 5) this.wait(5).poll();
    return this;
  }

  /** Prints for that many seconds. @param progress percent at the end */
  print(seconds: number, progress: number): this {
    const job = this.job as NonNullable<PrusaLinkMachine['job']>;
    const from = job.progress;
    this.state = 'PRINTING';
    for (let gone = 5; gone <= seconds; gone += 5) {
      this.wait(5);
      job.progress = from + ((progress - from) * gone) / seconds;
      job.time_printing += 5;
      job.time_remaining = seconds - gone;
      this.poll();
    }
    return this;
  }

  /** The job is missing from here on. */
  over(state: 'FINISHED' | 'STOPPED'): this {
    this.show('BUSY', 5);
    this.job = null;
    return this.show(state, 20);
  }

  stayIdle(): this {
    return this.show('IDLE', 30);
  }
}
