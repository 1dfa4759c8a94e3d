// The rules of slots: which a printer has, how a spool gets into one and out of it, and when.
import { archivedLink, BadInput, orNotFound, unknownLink } from '../../errors';
import { parseGuid } from '../../values/guid';
import { type Instant, latestOf, parseInstant } from '../../values/instant';
import { allRead, nullable, type Reader } from '../../values/members';
import { type RequestTime, refuseLate } from '../../values/request-time';
import { compareSlots, readSlot } from '../../values/slot';
import type { Printer, Spool } from './inventory.types';
import { MAX_SLOTS_OF_PRINTER, type SlotRow, type SlotStore } from './slot.store';
import { FIRST_SLOT } from './slot.types';
import type { SlotChangeStore, SlotLoading, SlotSituation } from './slot-change.store';

/** Finds the printer and the spool; null when there is none. */
interface LookUps {
  printer(id: string): Promise<Printer | null>;
  spool(id: string): Promise<Spool | null>;
}

export interface LoadRequest {
  printerId: string;
  slot: string;
  /** Null takes the spool out that is in the slot. */
  spoolId: string | null;
  /** Null: now. */
  at: Instant | null;
}

/** From then on the spool is in the slot; null: nothing is. */
export type SlotChange = SlotLoading & { at: Instant };

export class SlotService {
  constructor(
    private readonly slots: SlotStore,
    private readonly changes: SlotChangeStore,
    private readonly lookUps: LookUps,
    /** What was in the slot from then on is another thing than was said before. */
    private readonly changed: (change: SlotChange, time: RequestTime) => Promise<void>,
  ) {}

  /** In order. A printer whose machine names no slots has the first one. */
  async ofPrinter(id: string): Promise<SlotRow[]> {
    const slots = (await this.slots.slotsOfPrinter.load(id)) ?? [];
    const hasFirst =
      slots.length >= MAX_SLOTS_OF_PRINTER ||
      slots.some(({ slot, reported }) => slot === FIRST_SLOT || reported !== null);
    return [...(hasFirst ? [] : [createEmptySlot(id)]), ...slots].sort((a, b) => compareSlots(a.slot, b.slot));
  }

  async load(request: LoadRequest, time: RequestTime): Promise<Printer> {
    const [printerId, slot, spoolId, at] = await allRead(
      () => parseGuid(request.printerId, 'printerId'),
      () => readSlot(request.slot, 'slot'),
      () => nullable(parseGuid)(request.spoolId, 'spoolId') ?? null,
      () => nullable(parsePastInstant(time.now))(request.at, 'at') ?? null,
    );
    for (;;) {
      refuseLate(time);
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
      const decideStartOnce = (situation: SlotSituation) => {
        startedAt = decideStart(situation, at, time.now);
        return startedAt;
      };
      if (!(await this.changes.change(loading, time, decideStartOnce))) continue;
      // A call that is sent again with its time does the rest of one that was cut off.
      const changedAt = startedAt ?? at;
      if (changedAt !== null) await this.changed({ ...loading, at: changedAt }, time);
      return found;
    }
  }
}

/** No printer for filament is older. */
const EARLIEST: Instant = '1980-01-01T00:00:00.000Z';

const parsePastInstant =
  (now: Instant): Reader<Instant> =>
  (value, member) => {
    const at = parseInstant(value, member);
    if (at > now) throw new BadInput('must not be later than now', member);
    if (at < EARLIEST) throw new BadInput('must not be before 1980: no printer for filament is older', member);
    return at;
  };

/**
 * When the spool is put in or taken out; null: nothing changes.
 * @param at as it was said; null: now
 */
function decideStart(situation: SlotSituation, at: Instant | null, now: Instant): Instant | null {
  const { isSame, loadedAt, changedAt, endedAt, latestNow } = situation;
  if (at === null) {
    if (isSame) return null;
    // The later one of two calls at once may have the earlier `now`, and the clock of this gateway may be behind.
    return changedAt !== null && changedAt >= now ? latestNow : now;
  }
  if (isSame && loadedAt !== null) {
    const begin = latestOf([at, endedAt ?? at]);
    return begin < loadedAt ? begin : null;
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
});
