// What was in the slots of a printer at an instant, and what changed between two instants.
import type { Queryable } from '../database/queryable';
import { asEvidence } from '../values/evidence';
import { type Instant, instantNow } from '../values/instant';
import type { SlotChange } from './slot.types';

/** Null: its begin, or its end, is not known. */
interface KnownLoad {
  slot: string;
  spoolId: string;
  from: Instant | null;
  to: Instant | null;
}

export class SlotHistoryStore {
  constructor(private readonly database: Queryable) {}

  /** The spools by their slots. */
  async loadedAt(printerId: string, at: Instant, now = instantNow()): Promise<Map<string, string>> {
    const loads = await this.between(printerId, at, at, now);
    const then = loads.filter(({ from, to }) => (from === null || from <= at) && (to === null || to > at));
    return new Map(then.map(({ slot, spoolId }) => [slot, spoolId]));
  }

  /** After the first instant, and not after the second one; the oldest first. */
  async changes(printerId: string, after: Instant, until: Instant, now = instantNow()): Promise<SlotChange[]> {
    const loads = await this.between(printerId, after, until, now);
    const isIn = (at: Instant | null): at is Instant => at !== null && at > after && at <= until;
    const changes = loads.flatMap(({ slot, spoolId, from, to }): SlotChange[] => {
      const isReplaced = loads.some((next) => next.slot === slot && next.from === to);
      return [
        ...(isIn(from) ? [{ slot, at: from, spoolId }] : []),
        ...(isIn(to) && !isReplaced ? [{ slot, at: to, spoolId: null }] : []),
      ];
    });
    return changes.sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
  }

  /** The oldest first. */
  private async between(printerId: string, after: Instant, until: Instant, now: Instant): Promise<KnownLoad[]> {
    const rows = await this.database.models('slotHistory.between', (prisma) =>
      prisma.slotLoad.findMany({
        where: {
          printerId,
          AND: [
            { OR: [{ to: null }, { to: { gt: after } }] },
            { OR: [{ from: { lte: until } }, { from: { gt: now } }] },
          ],
        },
        orderBy: { from: 'asc' },
      }),
    );
    const known: KnownLoad[] = [];
    for (const row of rows) {
      const { slot, spoolId } = row;
      const from = asEvidence(row.from.toISOString(), now);
      const to = row.to && asEvidence(row.to.toISOString(), now);
      // A clock that was ahead wrote both.
      if (from === null && row.to !== null) continue;
      const before = known.findLast((one) => one.slot === slot);
      known.push({ slot, spoolId, from: from ?? before?.to ?? null, to });
    }
    return known;
  }
}
