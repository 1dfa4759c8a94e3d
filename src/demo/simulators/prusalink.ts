// A printer behind PrusaLink, in the exact shapes of its answers.
import type { Ask, MachineMessage } from '../../machines/adapter';
import { Simulator } from './simulator';

interface Job {
  id: number;
  progress: number;
  time_remaining?: number;
  time_printing: number;
}

export class PrusaLink extends Simulator {
  state = 'IDLE';
  nextId = 42;
  /** It is missing as soon as it ended. */
  job: Job | null = null;
  file: Record<string, unknown> = {};
  /** Buddy boards tell one storage, the Raspberry a list of them. */
  isRaspberry = false;
  fault: string | null = null;

  override answer({ source, parameters }: Ask): MachineMessage {
    const body = this.bodyOf(source);
    return { source, parameters, body, ...(body === null ? { failed: true } : {}) };
  }

  private bodyOf(path: string): unknown {
    const { job, state, file } = this;
    switch (path) {
      case '/api/version':
        return { api: '2.0.0', server: '2.1.2', text: 'PrusaLink', original: 'PrusaLink MK4', hostname: 'fake' };
      case '/api/v1/info':
        return { nozzle_diameter: 0.4, mmu: false, serial: '10589-3742441630', hostname: 'fake' };
      case '/api/v1/status':
        return this.status();
      case '/api/v1/job':
        return job && { ...job, state, inaccurate_estimates: false, file };
      default:
        return null;
    }
  }

  protected status() {
    const { job, fault } = this;
    const storage = { path: '/usb/', name: 'usb', read_only: false };
    return {
      ...(job === null ? {} : { job }),
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
        ...(fault === null ? {} : { status_printer: { ok: false, message: fault } }),
      },
    };
  }

  /** @param meta of the file, which the Raspberry alone tells */
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
}
