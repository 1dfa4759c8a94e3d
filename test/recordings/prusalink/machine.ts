// A printer behind PrusaLink in the exact shapes of its answers, polled each five seconds.
import type { Ask, Message } from '../../../src/devices/adapter';
import { copy, RecordedMachine } from '../recording';

export class PrusaLinkMachine extends RecordedMachine {
  state = 'IDLE';
  nextId = 42;
  job: { id: number; progress: number; time_remaining?: number; time_printing: number } | null = null;
  file: Record<string, unknown> = {};
  /** Buddy boards tell one storage, the Raspberry a list of them. */
  isRaspberry = false;
  fault: string | null = null;

  protected greeting(): Message[] {
    return [];
  }

  protected answer() {
    const { job, state } = copy({ job: this.job, state: this.state });
    const file = copy(this.file);
    return ({ source, parameters }: Ask): Message =>
      job === null
        ? { source, parameters, body: null, failed: true }
        : { source, parameters, body: { ...job, state, inaccurate_estimates: false, file } };
  }

  poll(): this {
    const storage = { path: '/usb/', name: 'usb', read_only: false };
    const body = {
      ...(this.job === null ? {} : { job: { ...this.job } }),
      storage: this.isRaspberry ? [storage, { ...storage, name: 'sdcard' }] : storage,
      printer: {
        state: this.state,
        temp_bed: 59.9,
        target_bed: 60.0,
        temp_nozzle: 214.9,
        target_nozzle: 215.0,
        axis_z: 6.4,
        flow: 100,
        speed: 100,
        fan_hotend: 4882,
        fan_print: 5234,
        ...(this.fault === null ? {} : { status_printer: { ok: false, message: this.fault } }),
      },
    };
    this.push({ source: '/api/v1/status', body });
    return this;
  }

  /** Shows a state for so many seconds. */
  show(state: string, seconds: number): this {
    this.state = state;
    for (let gone = 0; gone < seconds; gone += 5) {
      this.wait(5);
      this.poll();
    }
    return this;
  }

  begin(name: string, meta?: Record<string, unknown>): this {
    this.job = { id: this.nextId, progress: 0, time_printing: 0 };
    this.nextId = (this.nextId + 1) % 65536;
    this.file = {
      refs: { icon: '/thumb/s/usb/CUBE~1.BGC', thumbnail: '/thumb/l/usb/CUBE~1.BGC', download: '/usb/CUBE~1.BGC' },
      name: 'CUBE~1.BGC',
      display_name: name,
      path: '/usb',
      size: 1_245_312,
      m_timestamp: 1_763_000_000,
      ...(meta === undefined ? {} : { meta }),
    };
    return this;
  }

  /** Prints for so many seconds. @param progress percent at the end */
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
    this.show(state, 20);
    return this;
  }

  rest(): this {
    this.show('IDLE', 30);
    return this;
  }
}
