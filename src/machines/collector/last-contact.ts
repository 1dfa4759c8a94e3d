// When a machine was last heard of: an instant by the computer's clock at that time, and the time since by performance.now().
import { asEvidence } from '../../values/evidence';
import { type Instant, instantNow, msBetween } from '../../values/instant';

export class LastContact {
  private instant: Instant | null;
  /** null: not known. */
  private steadyMs: number | null;
  private wasHeard = false;

  /** @param stored in the row of the device */
  constructor(stored: Instant | null) {
    const now = instantNow();
    this.instant = asEvidence(stored, now);
    this.steadyMs = this.instant === null ? null : performance.now() - msBetween(this.instant, now);
  }

  heard(): void {
    this.instant = instantNow();
    this.steadyMs = performance.now();
    this.wasHeard = true;
  }

  get at(): Instant | null {
    return this.instant;
  }

  /** null: not known. */
  get agoMs(): number | null {
    return this.steadyMs === null ? null : performance.now() - this.steadyMs;
  }

  /** The last contact in this process; null: this process has heard nothing of the machine. */
  get heardAgoMs(): number | null {
    return this.wasHeard ? this.agoMs : null;
  }
}
