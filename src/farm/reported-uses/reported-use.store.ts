// The SQL of reports of other programs: stores reports, notes which were answered, and reads them in runs that count or do not count.
import { limitAndOffset, readPagesByOwner } from '../../database/pages';
import type { Queryable } from '../../database/queryable';
import { columnMember, rowShape } from '../../database/rows';
import { AFTER_WAIT, arrayParameter, joinConditions, matchesOneOf, sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { batchedPages, batchedRead } from '../../sharing/batch';
import { groupCommit } from '../../sharing/group-commit';
import { roundGrams } from '../../values/decimal';
import { type Instant, parseInstant } from '../../values/instant';
import { defineCursors, type PageRange } from '../../values/page';
import { parseText } from '../../values/text';
import type { ReportedUse } from './reported-use.types';

/** A report as the gateway stores it. */
interface NewReport {
  id: string;
  /** The number of the spool. */
  number: number;
  caller: string;
  /** In millimetres or in grams. Below 0 if it gives filament back. */
  given: string;
  isLength: boolean;
  /** Whether the program holds reports back that it cannot send, so that a report may cover hours. */
  holdsBack: boolean;
  now: Instant;
  /** When the report first reached the database, if it had to wait for another process. */
  arrived: string | null;
}

/** `null` if the client closed the connection before the gateway started to store the report. */
export type ReportOutcome = { spoolId: string | null } | { wait: string } | null;

interface ReportToStore {
  report: NewReport;
  isOpen(): boolean;
}

/** Consecutive reports of a row that all count, or all do not. */
export interface ReportedUseRow extends ReportedUse {
  id: string;
}

const REPORTED_USE_ROW = rowShape<ReportedUseRow, 'millimetres' | 'grams'>(
  'r',
  { id: 'bigint', from: 'timestamptz', to: 'timestamptz', by: 'text', counts: 'boolean' },
  {
    millimetres: columnMember('case when r.grams_per_mm is not null then trim_scale(r.amount) end', 'numeric'),
    grams: {
      sql: `json_build_array(r.grams_per_mm is not null, trim_scale(r.amount * coalesce(r.grams_per_mm, 1))::text)`,
      read: ([isConverted, grams]: [boolean, string]) => (isConverted ? roundGrams(grams) : grams),
    },
  },
);

const CURSORS = defineCursors('reported uses of a spool', parseInstant, parseText);

/** When a spool was used, as reports show it. */
export interface ReportedTimes {
  id: string;
  first: Instant;
  last: Instant;
}

const REPORTED_TIMES_ROW = rowShape<ReportedTimes>('t', { id: 'uuid', first: 'timestamptz', last: 'timestamptz' });

export class ReportedUseStore {
  /**
   * @param process the id of this process
   * @param listOpen lists the reports that this process is answering
   */
  constructor(
    private readonly database: Queryable,
    private readonly open: { readonly process: string; list(): string[] },
  ) {}

  /** Stores reports. Those of one program and spool are stored one after the other, whichever process stores them. */
  readonly add = groupCommit<ReportToStore, ReportOutcome>(async (items, lockMs) => {
    const started = items.filter((item) => item.isOpen());
    if (started.length === 0) return items.map(() => null);
    // Two processes that store reports of the same programs wait for each other, and must do so in the same order.
    const ordered = started.toSorted((a, b) =>
      orderKeyOf(a) < orderKeyOf(b) ? -1 : orderKeyOf(a) > orderKeyOf(b) ? 1 : 0,
    );
    const outcomes = await this.database.attempt('reportedUses.add', (database, name) =>
      database.json<ReportOutcome[]>(
        name,
        Prisma.sql`
        with ${database.lockWait(lockMs)}
        select report_uses(case when ${AFTER_WAIT} then ${JSON.stringify(ordered.map(({ report }) => report))}::json end,
          ${this.open.process}::uuid, ${arrayParameter(this.open.list(), 'uuid')}) as value
        from wait`,
      ),
    );
    const outcomeOf = new Map(ordered.map((item, at) => [item, outcomes[at] ?? null]));
    return items.map((item) => outcomeOf.get(item) ?? null);
  });

  /** The reports of a spool, newest first. */
  readonly ofSpool = batchedPages<PageRange, ReportedUseRow>((range) => {
    const conditions: Prisma.Sql[] = [];
    if (range.after !== null) {
      const [to, id] = CURSORS.keyOf(range.after);
      conditions.push(Prisma.sql`(r.to, r.id) < (${to}::timestamptz, ${id}::bigint)`);
    }
    const page = {
      rows: Prisma.sql`
        select ${REPORTED_USE_ROW.json} as row from (${SELECT_RUNS}) r
        where ${joinConditions(conditions)} order by r.to desc, r.id desc ${limitAndOffset(range)}`,
      total: sql('null'),
    };
    return (spools) =>
      readPagesByOwner(this.database, 'reportedUses.ofSpool', REPORTED_USE_ROW, spools, page, range, ({ to, id }) =>
        CURSORS.to(to, id),
      );
  });

  /** The start of the first period and the end of the last report of spools. A spool without reports has none. */
  readonly timesOfSpool = batchedRead<string, ReportedTimes>(async (ids) => {
    const rows = await this.database.rows(
      'reportedUses.timesOfSpool',
      REPORTED_TIMES_ROW,
      Prisma.sql`
      select ${REPORTED_TIMES_ROW.json} as row from (
        select r.spool_id as id, min(r.since) as first, max(r.ended_at) as last from reported_uses r
        where ${matchesOneOf('r.spool_id', ids, 'uuid')} group by r.spool_id
      ) t`,
    );
    return new Map(rows.map((row) => [row.id, row]));
  });

  /** Notes that the clients of these reports have got their answers. */
  async noteAnswered(ids: readonly string[]): Promise<void> {
    await this.database.json(
      'reportedUses.noteAnswered',
      Prisma.sql`
      with noted as (delete from unanswered_reports where id = any(${arrayParameter(ids, 'uuid')}::uuid[]) returning 1)
      select to_json(count(*)) as value from noted`,
    );
  }

  /** Deletes old rows whose reports do not count, and reports whose clients did not repeat them. */
  async forgetOld(): Promise<void> {
    await this.database.json(
      'reportedUses.forgetOld',
      Prisma.sql`
      with old as materialized (
        select distinct r.spool_id from reported_uses r where r.started_at < now() - ${LIFETIME}
      ), forgotten as (
        delete from reported_uses r using old o, lateral (
          select u.id from reports_of_spool(o.spool_id) u group by u.id having not bool_or(u.counts)
        ) u where r.id = u.id and r.started_at < now() - ${LIFETIME} returning 1
      ), given_up as (
        delete from unanswered_reports u where u.stored_at < now() - interval '1 hour' returning 1
      )
      select to_json((select count(*) from forgotten) + (select count(*) from given_up)) as value`,
    );
  }
}

/** How long reports that do not count are kept. */
const LIFETIME = sql(`interval '30 days'`);

const orderKeyOf = ({ report }: ReportToStore) => `${report.number} ${report.caller}`;

/** The reports of the spool `k` in runs: the consecutive reports of a row that all count, or all do not. */
const SELECT_RUNS = sql(`
  select r.id, r.by, r.grams_per_mm, r.counts, min(r.from) as from, max(r.to) as to, sum(r.amount) as amount from (
    select r.*, count(*) filter (where r.is_first) over (partition by r.id order by r.position) as run from (
      select r.*, r.counts is distinct from lag(r.counts) over (partition by r.id order by r.position) as is_first
      from reports_of_spool(k.id) with ordinality r (id, by, "from", "to", amount, grams_per_mm, counts, position)
    ) r
  ) r group by r.id, r.by, r.grams_per_mm, r.counts, r.run`);
