// Decides which slots a printer has, and whether and when a spool is put into a slot or taken out.
import { archivedLink, BadInput, orNotFound, unknownLink } from '../../errors';
import { parseGuid } from '../../values/guid';
import { findLatest, type Instant, parseInstant } from '../../values/instant';
import { nullable, type Reader, readAll } from '../../values/members';
import { type RequestTime, refusePastDeadline } from '../../values/request-time';
import { compareSlots, readSlot } from '../../values/slot';
import type { Printer, Spool } from './inventory.types';
import { MAX_SLOTS_OF_PRINTER, type PrinterSlotStore, type SlotRow } from './printer-slot.store';
import { FIRST_SLOT } from './slot.types';
import type { SlotLoading, SlotSituation, SpoolLoadingStore } from './spool-loading.store';

/** Finds the printer and the spool; `null` if there is none. */
interface LookUps {
  printer(id: string): Promise<Printer | null>;
  spool(id: string): Promise<Spool | null>;
}

export interface LoadRequest {
  printerId: string;
  slot: string;
  /** `null` takes out the spool that is in the slot. */
  spoolId: string | null;
  /** `null` for now. */
  at: Instant | null;
}

/** From `at` on, the spool is in the slot. If the spool is `null`, the slot is empty. */
export type SlotChange = SlotLoading & { at: Instant };

/** Is called when the recorded spool of a slot changes, with the time from which on the slot has the new spool. */
export interface SlotChangeListener {
  slotChanged(change: SlotChange, time: RequestTime): Promise<void>;
}

export class SpoolLoadingService {
  constructor(
    private readonly slots: PrinterSlotStore,
    private readonly changes: SpoolLoadingStore,
    private readonly lookUps: LookUps,
    private readonly listener: SlotChangeListener,
  ) {}

  /** The slots of a printer in order. A printer whose machine reports no slots has FIRST_SLOT. */
  async ofPrinter(id: string): Promise<SlotRow[]> {
    const slots = (await this.slots.slotsOfPrinter.load(id)) ?? [];
    const hasFirst =
      slots.length >= MAX_SLOTS_OF_PRINTER ||
      slots.some(({ slot, reported }) => slot === FIRST_SLOT || reported !== null);
    return [...(hasFirst ? [] : [createEmptySlot(id)]), ...slots].sort((a, b) => compareSlots(a.slot, b.slot));
  }

  async load(request: LoadRequest, time: RequestTime): Promise<Printer> {
    const [printerId, slot, spoolId, at] = await readAll(
      () => parseGuid(request.printerId, 'printerId'),
      () => readSlot(request.slot, 'slot'),
      () => nullable(parseGuid)(request.spoolId, 'spoolId') ?? null,
      () => nullable(parsePastInstant(time.now))(request.at, 'at') ?? null,
    );
    for (;;) {
      refusePastDeadline(time);
      const found = orNotFound(await this.lookUps.printer(printerId), 'printer', request.printerId);
      // A spool may be taken out of an archived printer, so that it is free.
      if (spoolId !== null) {
        if (found.archivedAt !== null) throw archivedLink('printer', 'printerId');
        const spool = await this.lookUps.spool(spoolId);
        if (spool === null) throw unknownLink('spool', 'spoolId');
        if (spool.archivedAt !== null) throw archivedLink('spool', 'spoolId');
      }
      const loading = { printerId, slot, spoolId };
      let startedAt: Instant | null = null;
      const rememberStart = (situation: SlotSituation) => {
        startedAt = decideStart(situation, at, time.now);
        return startedAt;
      };
      if (!(await this.changes.change(loading, time, rememberStart))) continue;
      // A client may repeat a call that was cut off. The repeated call changes no slot, but the listener then finishes its work.
      const changedAt = startedAt ?? at;
      if (changedAt !== null) await this.listener.slotChanged({ ...loading, at: changedAt }, time);
      return found;
    }
  }
}

/** No filament printer is older. */
const EARLIEST: Instant = '1980-01-01T00:00:00.000Z';

const parsePastInstant =
  (now: Instant): Reader<Instant> =>
  (value, member) => {
    const at = parseInstant(value, member);
    if (at > now) throw new BadInput('must not be later than now', member);
    if (at < EARLIEST) throw new BadInput('must not be before 1980: no filament printer is older', member);
    return at;
  };

/**
 * Decides when a load starts, or when the slot becomes empty.
 * @param at the time that the request gives; null for now
 * @returns null if nothing changes
 */
function decideStart(situation: SlotSituation, at: Instant | null, now: Instant): Instant | null {
  const { isSame, loadedAt, changedAt, endedAt, latestNow } = situation;
  if (at === null) {
    if (isSame) return null;
    // If two calls arrive at the same time, the later call may have the earlier `now`. The clock of this gateway may also be behind.
    return changedAt !== null && changedAt >= now ? latestNow : now;
  }
  if (isSame && loadedAt !== null) {
    const start = findLatest([at, endedAt ?? at]);
    return start < loadedAt ? start : null;
  }
  if (changedAt !== null && at < changedAt)
    throw new BadInput(`must not be before ${changedAt}, when the spool or the slot was last changed`, 'at');
  return isSame ? null : at;
}

const createEmptySlot = (printerId: string): SlotRow => ({
  printerId,
  slot: FIRST_SLOT,
  spoolId: null,
  loadedAt: null,
  reported: null,
  tag: null,
});
