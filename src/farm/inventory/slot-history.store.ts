// What was in the slots of a printer between two instants, as far as the clocks that wrote it were right.
import type { Queryable } from '../../database/queryable';
import type { SlotLoad } from '../../generated/prisma/client';
import { batchedRead } from '../../sharing/batch';
import { asEvidence } from '../../values/evidence';
import { type Instant, instantNow } from '../../values/instant';

/** Null: its begin, or its end, is not known. */
interface KnownLoad {
  slot: string;
  spoolId: string;
  from: Instant | null;
  to: Instant | null;
}

/** Of a printer. */
interface Span {
  printerId: string;
  after: Instant;
  /** Null: to now. */
  until: Instant | null;
  now: Instant;
}

export class SlotHistoryStore {
  constructor(private readonly database: Queryable) {}

  /** The oldest first. @param until null: to now */
  async between(printerId: string, after: Instant, until: Instant | null, now = instantNow()): Promise<KnownLoad[]> {
    return (await this.ofSpan.load({ printerId, after, until, now })) ?? [];
  }

  private readonly ofSpan = batchedRead<Span, KnownLoad[]>(async (spans) => {
    const rows = await this.database.models('slotHistory.between', (prisma) =>
      prisma.slotLoad.findMany({
        where: {
          OR: spans.map(({ printerId, after, until, now }) => ({
            printerId,
            AND: [
              { OR: [{ to: null }, { to: { gt: after } }] },
              until === null ? {} : { OR: [{ from: { lte: until } }, { from: { gt: now } }] },
            ],
          })),
        },
        orderBy: { from: 'asc' },
      }),
    );
    return new Map(spans.map((span) => [JSON.stringify(span), knownIn(rows, span)]));
  }, JSON.stringify);
}

function knownIn(rows: readonly SlotLoad[], { printerId, after, until, now }: Span): KnownLoad[] {
  const known: KnownLoad[] = [];
  for (const row of rows) {
    const [begin, end] = [row.from.toISOString(), row.to?.toISOString() ?? null];
    const isIn = (end === null || end > after) && (until === null || begin <= until || begin > now);
    if (row.printerId !== printerId || !isIn) continue;
    const { slot, spoolId } = row;
    const from = asEvidence(begin, now);
    // A clock that was ahead wrote both.
    if (from === null && end !== null) continue;
    const before = known.findLast((one) => one.slot === slot);
    known.push({ slot, spoolId, from: from ?? before?.to ?? null, to: end && asEvidence(end, now) });
  }
  return known;
}
