// Decides in SQL whether a silence of an alert is in force and when it ends, and holds the statements that write silences.
import type { Queryable } from '../../database/queryable';
import { columnMember, rowShape } from '../../database/rows';
import { sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { type Instant, subtractMs } from '../../values/instant';
import { STEADY_MS } from './alert.limits';
import type { Alert, AlertKind, AlertSeverity, AlertSilence } from './alert.types';

const isInForce = (now: Prisma.Sql) => Prisma.sql`(s.until is null or s.until > ${now})`;

/**
 * Whether the silence `s` is in force for its alert. A silence ends early if the alert was a WARNING when it was silenced and is CRITICAL now.
 * @param severity the severity of the alert now; null if the alert is gone
 */
export const isInForceFor = (now: Prisma.Sql, severity: Prisma.Sql) =>
  Prisma.sql`(${isInForce(now)} and (s.severity = 'CRITICAL' or ${severity} is distinct from 'CRITICAL'))`;

/**
 * Whether the alert of a kind about an object is silenced, for statements that do not know the severity of the alert. The severity is not
 * needed, because the next check of the alerts deletes the silence of an alert that has become CRITICAL.
 */
export const isSilenced = (kind: Prisma.Sql, id: Prisma.Sql, now: Prisma.Sql) =>
  Prisma.sql`exists (select from alert_silences s where s.kind = ${kind} and s.object_id = ${id} and ${isInForce(now)})`;

/** The columns of a silence `s`. */
export const SILENCE = rowShape<AlertSilence, 'by' | 'at'>(
  's',
  { until: 'timestamptz' },
  { by: columnMember('s.silenced_by', 'text'), at: columnMember('s.silenced_at', 'timestamptz') },
);

type JudgedAlert = Pick<Alert, 'kind' | 'id' | 'severity'>;

export class SilenceStore {
  constructor(private readonly database: Queryable) {}

  /** Replaces an earlier silence of the alert: the last call decides until when. */
  async write({ kind, id, severity }: JudgedAlert, { by, at, until }: AlertSilence): Promise<void> {
    await this.database.json(
      'alertSilences.write',
      Prisma.sql`
      with written as (
        insert into alert_silences (kind, object_id, severity, silenced_by, silenced_at, until)
        values (${kind}, ${id}, ${severity}, ${by}, ${at}::timestamptz, ${until}::timestamptz)
        on conflict (kind, object_id) do update set (severity, silenced_by, silenced_at, until, gone_since) =
          (excluded.severity, excluded.silenced_by, excluded.silenced_at, excluded.until, null)
        returning 1
      ) select to_json(count(*)) as value from written`,
    );
  }

  /**
   * @param ids the possible spellings of the id of the object
   * @param severity the severity of the alert now; `null` if the alert is gone
   * @returns the id of the object; `null` if the alert was not silenced
   */
  async end(
    kind: AlertKind,
    ids: readonly string[],
    severity: AlertSeverity | null,
    now: Instant,
  ): Promise<string | null> {
    const [ended] = await this.database.json<string[]>(
      'alertSilences.end',
      Prisma.sql`
      with ended as (
        delete from alert_silences s where s.kind = ${kind} and s.object_id = any(${ids}::text[])
        returning s.object_id, ${isInForceFor(Prisma.sql`${now}::timestamptz`, Prisma.sql`${severity}::text`)} as was_in_force
      ) select coalesce(json_agg(object_id), '[]') as value from ended where was_in_force`,
    );
    return ended ?? null;
  }

  /**
   * Ends each silence whose time is over or whose alert has become CRITICAL. A silence without a time ends when its alert has been gone for a
   * minute. Silences that were written after the alerts were read are not touched.
   */
  async endFinished(active: readonly JudgedAlert[], now: Instant): Promise<void> {
    const clock = Prisma.sql`${now}::timestamptz`;
    const steady = Prisma.sql`${subtractMs(now, STEADY_MS)}::timestamptz`;
    await this.database.json(
      'alertSilences.endOver',
      Prisma.sql`
      with active as materialized (
        select kind, id, severity from json_to_recordset(${JSON.stringify(active.map(({ kind, id, severity }) => ({ kind, id, severity })))}::json)
          as g (kind text, id text, severity text)
      ), examined as materialized (
        select s.kind, s.object_id, s.until is null and t.id is null as is_gone,
          not ${isInForceFor(clock, sql('t.severity'))} or (s.until is null and t.id is null and coalesce(s.gone_since <= ${steady}, false)) as is_over
        from alert_silences s left join active t on t.kind = s.kind and t.id = s.object_id
        where s.silenced_at <= ${clock}
      ), ended as (
        delete from alert_silences s using examined l
        where l.is_over and s.kind = l.kind and s.object_id = l.object_id and s.silenced_at <= ${clock}
      ), seen as (
        update alert_silences s set gone_since = case when l.is_gone then ${clock} end from examined l
        where not l.is_over and s.kind = l.kind and s.object_id = l.object_id and s.silenced_at <= ${clock}
          and l.is_gone <> (s.gone_since is not null)
        returning 1
      ) select to_json(count(*)) as value from seen`,
    );
  }
}
