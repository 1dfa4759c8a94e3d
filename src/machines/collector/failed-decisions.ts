// Decisions that could not be written: each is tried again, and after its third failure put aside, so that the next ones go on.
import type { Step } from '../../farm/prints/print-writing.service';

const MAX_TRIES = 3;
/** Then it may be tried once more: what failed may be mended. */
const RETRY_MS = 600_000;
/** A machine tells the same four times a second. */
const PUT_ASIDE_MS = 10_000;
/** A machine may make up names without end. */
const MAX_KEPT = 100;

export class FailedDecisions {
  private readonly failed = new Map<string, { times: number; at: number; asideAt?: number }>();

  constructor(private readonly clock: () => number = () => performance.now()) {}

  /** Whether it is not to be tried now. */
  isAside(step: Step): boolean {
    const found = this.failed.get(keyOf(step));
    return found !== undefined && found.times >= MAX_TRIES && this.clock() - found.at < RETRY_MS;
  }

  /** @returns whether it is put aside */
  hasFailed(step: Step): boolean {
    const key = keyOf(step);
    const before = this.failed.get(key);
    const times = (before?.times ?? 0) + 1;
    this.failed.delete(key);
    this.failed.set(key, { ...before, times, at: this.clock() });
    const [oldest] = this.failed.keys();
    if (oldest !== undefined && this.failed.size > MAX_KEPT) this.failed.delete(oldest);
    return times >= MAX_TRIES;
  }

  /** Whether what can be kept of it is to be written now, which may fail too. */
  isToKeep(step: Step): boolean {
    const found = this.failed.get(keyOf(step));
    if (found === undefined || this.clock() - (found.asideAt ?? -PUT_ASIDE_MS) < PUT_ASIDE_MS) return false;
    found.asideAt = this.clock();
    return true;
  }

  wasWritten(step: Step): void {
    if (this.failed.size > 0) this.failed.delete(keyOf(step));
  }

  /** Whether one was put aside, and was not written since. */
  hasAside(): boolean {
    return [...this.failed.values()].some(({ times }) => times >= MAX_TRIES);
  }
}

/** The key of a decision. A decision that is made again has the same key. */
function keyOf({ printId, decision }: Step): string {
  switch (decision.do) {
    case 'BEGIN':
    case 'RECORD': {
      const { externalId, filePath, name } = decision.print;
      return `${decision.do} ${externalId ?? filePath ?? name}`;
    }
    case 'REOPEN':
    case 'RESOLVE':
      return `${decision.do} ${decision.id}`;
    case 'AMEND':
      return `${decision.do} ${decision.filePath}`;
    default:
      return `${decision.do} ${printId}`;
  }
}
