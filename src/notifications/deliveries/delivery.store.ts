// Holds the statements that list the deliveries of a channel, send a delivery again, and delete old deliveries.
import { limitAndOffset, readPagesByOwner } from '../../database/pages';
import type { Queryable } from '../../database/queryable';
import { joinConditions, sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { batchedPages } from '../../sharing/batch';
import { defineCursors, type PageRange } from '../../values/page';
import { KEPT_DAYS } from '../target.limits';
import { DELIVERY_ROW, DELIVERY_TABLES, type DeliveryRow } from '../target.rows';

const CURSORS = defineCursors('deliveries of a target', (value) => {
  if (typeof value === 'string' && /^\d{1,18}$/.test(value)) return value;
  throw new Error('This cursor does not hold the number of a notification');
});

export class DeliveryStore {
  constructor(private readonly database: Queryable) {}

  /** Newest first. */
  readonly listByTarget = batchedPages<PageRange, DeliveryRow>((range) => {
    const conditions = [sql('d.target_id = k.id')];
    if (range.after !== null) {
      conditions.push(Prisma.sql`d.notification_id < ${CURSORS.keyOf(range.after)[0]}::bigint`);
    }
    const page = {
      rows: Prisma.sql`
        select ${DELIVERY_ROW.json} as row from ${DELIVERY_TABLES} where ${joinConditions(conditions)}
        order by d.notification_id desc ${limitAndOffset(range)}`,
      total: sql('null'),
    };
    return (targets) =>
      readPagesByOwner(this.database, 'deliveries.ofTarget', DELIVERY_ROW, targets, page, range, ({ number }) =>
        CURSORS.to(number),
      );
  });

  async byId(targetId: string, id: string): Promise<DeliveryRow | null> {
    const [row] = await this.database.rows(
      'deliveries.byId',
      DELIVERY_ROW,
      Prisma.sql`select ${DELIVERY_ROW.json} as row from ${DELIVERY_TABLES} where d.id = ${id}::uuid and d.target_id = ${targetId}::uuid`,
    );
    return row ?? null;
  }

  /** Returns false if the delivery is waiting already or its channel is disabled. */
  resend(targetId: string, id: string): Promise<boolean> {
    return this.database.json(
      'deliveries.resend',
      Prisma.sql`
      with again as (
        update notification_deliveries d set state = 'WAITING', waiting_since = clock_timestamp(), attempts = 0,
          next_attempt_at = clock_timestamp(), http_status = null, fault = null
        from notification_targets t
        where d.id = ${id}::uuid and d.target_id = ${targetId}::uuid and d.state <> 'WAITING' and t.id = d.target_id and t.enabled
        returning d.id
      )
      select to_json(count(*) > 0) as value from again`,
    );
  }

  /**
   * Deletes old notifications and their deliveries, unless a delivery still waits. Also deletes old notes of changes, which remain if no
   * process reports: for example when notifications are switched off.
   */
  async forgetOld(): Promise<void> {
    await this.database.json(
      'deliveries.forgetUnreported',
      Prisma.sql`
      with gone as (delete from unreported_changes where at < now() - interval '${sql(String(KEPT_DAYS))} days' returning 1)
      select to_json(count(*)) as value from gone`,
    );
    await this.database.json(
      'deliveries.forgetOld',
      Prisma.sql`
      delete from notifications n where n.at < now() - interval '${sql(String(KEPT_DAYS))} days'
        and not exists (select from notification_deliveries d where d.notification_id = n.id and d.state = 'WAITING')`,
    );
  }
}
