// What a printer does now, and whether that is what it still does.
import { BadInput, orNotFound } from '../../errors';
import { BEFORE_ALL, WatchedEvents } from '../../sharing/feed';
import type { NewestEvent } from '../../sharing/newest';
import { parseGuid } from '../../values/guid';
import { before, type Instant } from '../../values/instant';
import type { Printer } from '../inventory/inventory.types';
import type { StateRow } from './printer-state.rows';
import type { PrinterStateStore } from './printer-state.store';
import { MAX_WATCHED, type StateOfPrinter } from './printer-state.types';

export type ShownState = StateOfPrinter & Pick<StateRow, 'printId'>;

export class PrinterStateService {
  constructor(
    private readonly store: PrinterStateStore,
    private readonly lookUps: { printer(id: string): Promise<Printer | null> },
  ) {}

  /** The printer of an event. */
  async printer(id: string): Promise<Printer> {
    return orNotFound(await this.lookUps.printer(id), 'printer', id);
  }

  /** Null without a device, and before its first message. */
  async ofPrinter(id: string, now: Instant): Promise<ShownState | null> {
    const row = await this.store.ofPrinter.load(id);
    // Not before its device was added.
    return row && { ...row, heardAt: row.heardAt ?? row.addedAt ?? now, stale: isStale(row, now) };
  }
}

/** The newest states of these printers, then each newer one. */
export function watchStates(printerIds: readonly string[] | null | undefined): WatchedEvents {
  if (printerIds != null && printerIds.length > MAX_WATCHED)
    throw new BadInput(`must have at most ${MAX_WATCHED} items`, 'printerIds');
  const ids = printerIds == null ? null : new Set(printerIds.map((id) => parseGuid(id, 'printerIds')));
  return new WatchedEvents(BEFORE_ALL, ({ id }: NewestEvent) => ids?.has(id) ?? true, 'printerStates');
}

/** The rule of `isSilent` in printer-state.rows.ts, which a test compares; and OFFLINE by the gateway itself: a machine that says OFFLINE says why. */
const isStale = ({ activity, message, heardAt, isAlone, silentAfterSec }: StateRow, now: Instant): boolean =>
  (activity === 'OFFLINE' && message === null) ||
  (heardAt === null ? isAlone : heardAt < before(now, silentAfterSec * 1000));
