// A Klipper behind Moonraker that plays by the steps of a recording.
import { Moonraker } from '../../../src/demo/machines/moonraker';
import { recordSteps } from '../recording';

export class MoonrakerMachine extends recordSteps(Moonraker) {
  protected override fraction = 0.1234567;

  /** Prints for that many seconds, with a message every ten. @param mm the length at the end @param progress the progress at the end */
  print(seconds: number, mm: number, progress: number, layer: number | null = null): this {
    const from = { mm: this.stats['filament_used'] as number, total: this.stats['total_duration'] as number };
    const steps = seconds / 10;
    for (let step = 1; step <= steps; step += 1) {
      this.wait(10);
      const used = step === steps ? mm : Math.round((from.mm + ((mm - from.mm) * step) / steps) * 100) / 100;
      const total = from.total + step * 10;
      this.update({
        print_stats: {
          filament_used: used,
          total_duration: total,
          print_duration: Math.max(0, total - 5),
          ...(layer === null ? {} : { info: { total_layer: 50, current_layer: layer } }),
        },
        virtual_sdcard: { progress: (progress * step) / steps },
      });
      this.sendHeartbeat();
    }
    return this;
  }

  pause(seconds: number): this {
    this.update({ print_stats: { state: 'paused' } });
    const total = this.stats['total_duration'] as number;
    for (let gone = 10; gone <= seconds; gone += 10) {
      this.wait(10);
      this.update({ print_stats: { total_duration: total + gone } });
    }
    return this.update({ print_stats: { state: 'printing' } });
  }

  /** Klipper continues while Moonraker restarts. A kill leaves the row unchanged; a stop notes a part. */
  restartMoonraker(how: 'killed' | 'stopped', seconds: number): this {
    if (how === 'stopped') this.finish('server_exit');
    this.down().interrupt();
    return this.print(seconds, (this.stats['filament_used'] as number) + 100, 0.6).up();
  }

  /** Klipper disappears during a print and returns without it. */
  restartKlipper(seconds: number): this {
    return this.disconnectKlipper().stayIdle(seconds).reconnectKlipper();
  }

  stayIdle(seconds = 50): this {
    for (let gone = 0; gone < seconds; gone += 10) this.wait(10).sendHeartbeat();
    return this;
  }
}
