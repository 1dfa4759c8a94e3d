// What was in the slots of a printer between two instants, as far as the clocks that wrote it were right.
import type { Queryable } from '../../database/queryable';
import { asEvidence } from '../../values/evidence';
import { type Instant, instantNow } from '../../values/instant';

/** Null: its begin, or its end, is not known. */
interface KnownLoad {
  slot: string;
  spoolId: string;
  from: Instant | null;
  to: Instant | null;
}

export class SlotHistoryStore {
  constructor(private readonly database: Queryable) {}

  /** The oldest first. @param until null: to now */
  async between(printerId: string, after: Instant, until: Instant | null, now = instantNow()): Promise<KnownLoad[]> {
    const rows = await this.database.models('slotHistory.between', (prisma) =>
      prisma.slotLoad.findMany({
        where: {
          printerId,
          AND: [
            { OR: [{ to: null }, { to: { gt: after } }] },
            until === null ? {} : { OR: [{ from: { lte: until } }, { from: { gt: now } }] },
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
