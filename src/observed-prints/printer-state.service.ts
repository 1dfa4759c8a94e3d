// What a printer does now, and whether that is what it still does.
import { before, type Instant } from '../values/instant';
import type { StateRow } from './printer-state.rows';
import type { PrinterStateStore } from './printer-state.store';
import type { StateOfPrinter } from './printer-state.types';

export type ShownState = StateOfPrinter & Pick<StateRow, 'printId'>;

export class PrinterStateService {
  constructor(private readonly store: PrinterStateStore) {}

  /** Null without a device, and before its first word. */
  async ofPrinter(id: string, now: Instant): Promise<ShownState | null> {
    const row = await this.store.ofPrinter.load(id);
    return row && { ...row, stale: isStale(row, now) };
  }
}

const isStale = ({ activity, heardAt, silentAfterSec }: StateRow, now: Instant): boolean =>
  activity === 'OFFLINE' || heardAt < before(now, silentAfterSec * 1000);
