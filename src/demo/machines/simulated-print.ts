// Simulates the print of a machine from its start to its end, with the filament that it has used so far.

export interface Script {
  file: string;
  seconds: number;
  mm: number;
  /** The pause between two prints of a machine that starts prints by itself; `null` if only a test starts prints. */
  restSeconds: number | null;
  /** In the middle of each print the filament runs out, and the machine waits for this time; missing if it never runs out. */
  runoutSeconds?: number;
}

const RUNOUT = 'Filament ran out';

export const SCRIPT: Script = { file: 'cube.gcode', seconds: 600, mm: 990.25, restSeconds: null };

export type FakeState = 'IDLE' | 'PRINTING' | 'PAUSED' | 'COMPLETED' | 'CANCELLED' | 'FAILED';
/** What just happened to the print. `moved` means that only time has passed. */
export type PrintEvent = 'started' | 'paused' | 'resumed' | 'completed' | 'cancelled' | 'failed' | 'moved';

export class FakePrint {
  state: FakeState = 'IDLE';
  file: string;
  number = 0;
  /** How long the machine has printed, without pauses (`seconds`) and with pauses (`totalSeconds`). */
  seconds = 0;
  totalSeconds = 0;
  reason = '';
  private restedSeconds = 0;
  /** How long the machine has waited for filament in this print; `null` if its filament has not run out yet. */
  private runoutSeconds: number | null = null;

  constructor(
    readonly script: Script,
    /** Sends the news to the clients of the machine. */
    private readonly notify: (event: PrintEvent) => void,
  ) {
    this.file = script.file;
  }

  get isRunning(): boolean {
    return this.state === 'PRINTING' || this.state === 'PAUSED';
  }

  /** How much of the print is done, from 0 to 1. */
  get share(): number {
    return Math.min(1, this.seconds / this.script.seconds);
  }

  get mm(): number {
    return Math.round(this.script.mm * this.share * 100) / 100;
  }

  start(file = this.script.file): void {
    if (this.isRunning) this.cancel();
    this.number += 1;
    Object.assign(this, { file, state: 'PRINTING', seconds: 0, totalSeconds: 0, reason: '', runoutSeconds: null });
    this.notify('started');
  }

  pause(): void {
    if (this.state === 'PRINTING') this.setState('PAUSED', 'paused');
  }

  resume(): void {
    if (this.state === 'PAUSED') this.setState('PRINTING', 'resumed');
  }

  cancel(): void {
    if (this.isRunning) this.setState('CANCELLED', 'cancelled');
  }

  fail(reason: string): void {
    if (!this.isRunning) return;
    this.reason = reason;
    this.setState('FAILED', 'failed');
  }

  complete(): void {
    if (!this.isRunning) return;
    this.seconds = this.script.seconds;
    this.setState('COMPLETED', 'completed');
  }

  /** The plate was cleared, or the machine has forgotten its print. */
  forget(): void {
    this.state = 'IDLE';
    this.notify('moved');
  }

  advance(seconds: number): void {
    if (!this.isRunning) {
      this.restedSeconds += seconds;
      const { restSeconds } = this.script;
      if (restSeconds !== null && this.restedSeconds >= restSeconds) this.start();
      else this.notify('moved');
      return;
    }
    this.totalSeconds += seconds;
    if (this.state === 'PRINTING') this.seconds += seconds;
    this.restedSeconds = 0;
    if (this.script.runoutSeconds !== undefined) this.advanceRunout(seconds, this.script.runoutSeconds);
    if (this.share === 1) this.complete();
    else this.notify('moved');
  }

  private advanceRunout(seconds: number, waitSeconds: number): void {
    if (this.runoutSeconds === null) {
      if (this.share < 0.5) return;
      this.runoutSeconds = 0;
      this.reason = RUNOUT;
      this.pause();
    } else if (this.state === 'PAUSED') {
      this.runoutSeconds += seconds;
      if (this.runoutSeconds < waitSeconds) return;
      this.reason = '';
      this.resume();
    }
  }

  private setState(state: FakeState, event: PrintEvent): void {
    this.state = state;
    this.notify(event);
  }
}
