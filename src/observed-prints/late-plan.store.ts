// The rows of prints that are over and whose amounts nobody told so far.
import type { Queryable } from '../database/queryable';
import type { Prisma, ObservedPrint as Row } from '../generated/prisma/client';
import { hasAmounts } from '../print-rules/plan-completion';
import type { ObservedFilament, PrintOutcome, RunningPrint } from '../print-rules/print.model';
import type { Amount, Plan } from '../print-rules/readings';
import { asEvidence } from '../values/evidence';
import { type Instant, instantNow } from '../values/instant';
import { MAX_AMENDED } from './observed-print.limits';

type Told = Pick<RunningPrint, 'plan' | 'measured'>;

export class LatePlanStore<Print extends Told & { outcome: PrintOutcome }> {
  constructor(
    private readonly database: Queryable,
    private readonly locked: (id: string) => Promise<Print | null>,
  ) {}

  /** The last print of a device that is over, if it has no amounts. */
  async last(deviceId: string): Promise<{ filePath: string; endedAt: Instant } | null> {
    const row = await this.database.models('latePlans.last', (prisma) =>
      prisma.observedPrint.findFirst({
        where: { deviceId, outcome: { not: 'RUNNING' } },
        orderBy: [{ seenAt: 'desc' }, { id: 'desc' }],
        select: { filePath: true, endedAt: true, seenAt: true, plan: true, measured: true },
      }),
    );
    if (row === null || row.filePath === null || !isUnplanned(toldOf(row))) return null;
    const now = instantNow();
    // A clock that was ahead told its end: the machine is asked for as long as if it ended now.
    return { filePath: row.filePath, endedAt: asEvidence((row.endedAt ?? row.seenAt).toISOString(), now) ?? now };
  }

  /** Whether a print of the file waits for its amounts. */
  async isMissed(deviceId: string, filePath: string, since: Instant): Promise<boolean> {
    return (await this.idsOf(deviceId, filePath, since)).length > 0;
  }

  /** Of the latest prints of a file that are over and were heard of since then, those without amounts; locked, oldest first. */
  async of(deviceId: string, filePath: string, since: Instant): Promise<Print[]> {
    const prints: Print[] = [];
    for (const id of (await this.idsOf(deviceId, filePath, since)).reverse()) {
      const print = await this.locked(id);
      // Another process may have been faster.
      if (print !== null && print.outcome !== 'RUNNING' && isUnplanned(print)) prints.push(print);
    }
    return prints;
  }

  private async idsOf(deviceId: string, filePath: string, since: Instant): Promise<string[]> {
    const rows = await this.database.models('latePlans.of', (prisma) =>
      prisma.observedPrint.findMany({
        where: { deviceId, filePath, outcome: { not: 'RUNNING' }, seenAt: { gte: since } },
        orderBy: [{ seenAt: 'desc' }, { id: 'desc' }],
        select: { id: true, plan: true, measured: true },
        take: MAX_AMENDED,
      }),
    );
    return rows.filter((row) => isUnplanned(toldOf(row))).map(({ id }) => id);
  }

  async amend(id: string, plan: Plan, filament: readonly ObservedFilament[]): Promise<void> {
    const data = { plan: asJson(plan), filament: asJson(filament) };
    await this.database.attempt('latePlans.amend', ({ prisma }) =>
      prisma.observedPrint.update({ where: { id }, data, select: { id: true } }),
    );
  }
}

const asJson = (value: unknown) => value as Prisma.InputJsonValue;

const toldOf = ({ plan, measured }: Pick<Row, 'plan' | 'measured'>): Told => ({
  plan: plan as unknown as Plan | null,
  measured: measured as unknown as Amount[],
});

const isUnplanned = ({ plan, measured }: Told) => measured.length === 0 && !hasAmounts(plan);
