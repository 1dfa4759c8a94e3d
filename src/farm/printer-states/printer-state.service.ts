// Decides whether the stored state of a printer is stale, and which printers a subscription watches.
import { BadInput, orNotFound } from '../../errors';
import { BEFORE_ALL, WatchedEvents } from '../../sharing/feed';
import type { NewestEvent } from '../../sharing/newest';
import { parseGuid } from '../../values/guid';
import { type Instant, subtractMs } from '../../values/instant';
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

  /** `null` without a device, and before the first message of the printer. */
  async ofPrinter(id: string, now: Instant): Promise<ShownState | null> {
    const row = await this.store.byPrinter.load(id);
    // Without a known time, the last contact is at the earliest when the device was added.
    return row && { ...row, heardAt: row.heardAt ?? row.addedAt ?? now, stale: isStale(row, now) };
  }
}

/** First the newest states of these printers, then each newer state. */
export function watchStates(printerIds: readonly string[] | null | undefined): WatchedEvents {
  if (printerIds != null && printerIds.length > MAX_WATCHED)
    throw new BadInput(`must have at most ${MAX_WATCHED} items`, 'printerIds');
  const ids = printerIds == null ? null : new Set(printerIds.map((id) => parseGuid(id, 'printerIds')));
  return new WatchedEvents(BEFORE_ALL, ({ id }: NewestEvent) => ids?.has(id) ?? true, 'printerStates');
}

/**
 * The same rule as `isSilent` in printer-state.rows.ts; a test compares both. An OFFLINE without a message was set by the gateway and is stale. An
 * OFFLINE that a machine reports has a message, and is up to date.
 */
const isStale = ({ activity, message, heardAt, hasNoListener, silentAfterSec }: StateRow, now: Instant): boolean =>
  (activity === 'OFFLINE' && message === null) ||
  (heardAt === null ? hasNoListener : heardAt < subtractMs(now, silentAfterSec * 1000));
