// The SQL of plans that slicers send: how they are written, and by which name, how young and which one first they are found.
import type { Queryable } from '../../database/queryable';
import { CLOCK, evidence, sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import type { Instant } from '../../values/instant';
import { PLAN_ENDINGS, type PlanKey, type SlicedPlan } from '../print-rules/sliced-plan';
import { PLAN_DAYS } from './print-plan.types';

const PLAN_LIFETIME = Prisma.sql`${PLAN_DAYS}::int * interval '1 day'`;

/** A plan `p`. */
const IS_YOUNG = Prisma.sql`p.recorded_at >= now() - ${PLAN_LIFETIME}`;

/** Plans `p`. One that a clock wrote which was ahead is older than all that came since. */
const NEWEST_FIRST = Prisma.sql`${evidence('p.recorded_at', CLOCK)} desc nulls last`;

/** The rule `planName` of print-rules for a column. */
export const selectPlanName = (column: string) =>
  sql(
    `regexp_replace(normalize(regexp_replace(${column}, '^.*[/\\\\]', '')), '${PLAN_ENDINGS.source}', '', 'i') collate "C"`,
  );

/** The seconds of the plan of a job whose machine is not heard, by its name and its file. */
export const secondsOfPlan = (name: string, file: string) => Prisma.sql`(
  select p.seconds from print_plans p
  where p.plate = 1 and p.name in (${selectPlanName(name)}, ${selectPlanName(file)}) and ${IS_YOUNG} order by ${NEWEST_FIRST} limit 1
)`;

/** Each list is a value of its own: taken out of a document of all plates, a table of a megabyte would be read twice. */
const toValues = ({ plate, seconds, slots, layers }: SlicedPlan & { plate: number }) =>
  Prisma.sql`(${plate}::int, ${seconds}::int, ${JSON.stringify(slots)}::json, ${layers && JSON.stringify(layers)}::json)`;

export class PrintPlanStore {
  constructor(private readonly database: Queryable) {}

  /** In the order of the plates, so that two writers of one file do not wait for each other in a ring. */
  async record(name: string, plates: readonly (SlicedPlan & { plate: number })[], now: Instant): Promise<void> {
    await this.database.attempt('printPlans.record', (database, statement) =>
      database.json(
        statement,
        Prisma.sql`
        with written as (
          insert into print_plans (name, plate, seconds, slots, layers, recorded_at)
          select ${name}, plate, seconds, slots, layers, ${now}::timestamptz
          from (values ${Prisma.join(plates.map(toValues))}) as given (plate, seconds, slots, layers)
          order by plate
          on conflict (name, plate) do update set (seconds, slots, layers, recorded_at)
            = (excluded.seconds, excluded.slots, excluded.layers, excluded.recorded_at)
          returning 1
        )
        select to_json(count(*)) as value from written`,
      ),
    );
  }

  /** The newest of these; null without one that is young enough. */
  newestPlan(keys: readonly PlanKey[]): Promise<SlicedPlan | null> {
    return this.database.json(
      'printPlans.newest',
      Prisma.sql`
      select json_build_object('seconds', p.seconds, 'slots', p.slots, 'layers', p.layers) as value
      from print_plans p join json_to_recordset(${JSON.stringify(keys)}::json) as wanted (name text, plate int)
        on p.name = wanted.name collate "C" and p.plate = wanted.plate
      where ${IS_YOUNG} order by ${NEWEST_FIRST} limit 1`,
    );
  }

  async forgetOld(): Promise<void> {
    await this.database.json(
      'printPlans.forgetOld',
      Prisma.sql`delete from print_plans where recorded_at < now() - ${PLAN_LIFETIME}`,
    );
  }
}
