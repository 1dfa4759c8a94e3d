// Writes the plans that slicers send, and finds the newest valid plan for a print by its name and plate.
import type { Queryable } from '../../database/queryable';
import { CLOCK, sql, withoutFutureTime } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { batchedRead } from '../../sharing/batch';
import type { Instant } from '../../values/instant';
import { PLAN_ENDINGS, type PlanKey, type SlicedPlan } from '../print-rules/sliced-plan';
import { PLAN_DAYS } from './print-plan.types';

const PLAN_LIFETIME = Prisma.sql`${PLAN_DAYS}::int * interval '1 day'`;

/** Whether a plan `p` is young enough to be used. */
const IS_YOUNG = Prisma.sql`p.recorded_at >= now() - ${PLAN_LIFETIME}`;

/** The order of plans `p`. A plan with a time in the future was written by a wrong clock, and counts as the oldest. */
const NEWEST_FIRST = Prisma.sql`${withoutFutureTime('p.recorded_at', CLOCK)} desc nulls last`;

/** The rule `planName` of print-rules/sliced-plan.ts in SQL, for a column. */
export const selectPlanName = (column: string) =>
  sql(
    `regexp_replace(normalize(regexp_replace(${column}, '^.*[/\\\\]', '')), '${PLAN_ENDINGS.source}', '', 'i') collate "C"`,
  );

/** The planned seconds of a job whose machine reports nothing, found by the name and the file of the job. */
export const selectPlannedSeconds = (name: string, file: string) => Prisma.sql`(
  select p.seconds from print_plans p
  where p.plate = 1 and p.name in (${selectPlanName(name)}, ${selectPlanName(file)}) and ${IS_YOUNG} order by ${NEWEST_FIRST} limit 1
)`;

/** The picture of the newest plan with one of these keys that has a picture; null in SQL if there is none. */
export const selectNewestPicture = (keys: readonly PlanKey[]) => Prisma.sql`(
  select p.picture from ${joinKeys(keys)} where p.picture is not null and ${IS_YOUNG} order by ${NEWEST_FIRST} limit 1
)`;

/** The plans `p` with one of these keys. */
const joinKeys = (keys: readonly PlanKey[]) => Prisma.sql`
  print_plans p join json_to_recordset(${JSON.stringify(keys)}::json) as wanted (name text, plate int)
    on p.name = wanted.name collate "C" and p.plate = wanted.plate`;

/** A plate as it is recorded. */
export type RecordedPlate = SlicedPlan & { plate: number; picture: Buffer | null };

/** Each list is a separate parameter. Inside one document of all plates, a table of a megabyte would be parsed twice. */
const toValues = ({ plate, seconds, slots, layers, picture }: RecordedPlate) =>
  Prisma.sql`(${plate}::int, ${seconds}::int, ${JSON.stringify(slots)}::json, ${layers && JSON.stringify(layers)}::json,
    decode(${picture?.toString('base64') ?? null}::text, 'base64'))`;

export class PrintPlanStore {
  constructor(private readonly database: Queryable) {}

  /** Writes in the order of the plates, so that two writers of the same file cannot deadlock. */
  async record(name: string, plates: readonly RecordedPlate[], now: Instant): Promise<void> {
    await this.database.attempt('printPlans.record', (database, statement) =>
      database.json(
        statement,
        Prisma.sql`
        with written as (
          insert into print_plans (name, plate, seconds, slots, layers, picture, recorded_at)
          select ${name}, plate, seconds, slots, layers, picture, ${now}::timestamptz
          from (values ${Prisma.join(plates.map(toValues))}) as given (plate, seconds, slots, layers, picture)
          order by plate
          on conflict (name, plate) do update set (seconds, slots, layers, picture, recorded_at)
            = (excluded.seconds, excluded.slots, excluded.layers, excluded.picture, excluded.recorded_at)
          returning 1
        )
        select to_json(count(*)) as value from written`,
      ),
    );
  }

  /** The newest plan with one of these keys; `null` if none is young enough. */
  newestPlan(keys: readonly PlanKey[]): Promise<SlicedPlan | null> {
    return this.database.json(
      'printPlans.newest',
      Prisma.sql`
      select json_build_object('seconds', p.seconds, 'slots', p.slots, 'layers', p.layers) as value
      from ${joinKeys(keys)}
      where ${IS_YOUNG} order by ${NEWEST_FIRST} limit 1`,
    );
  }

  /** As newestPlan, for many prints in one statement. */
  readonly newestPlanOf = batchedRead<readonly PlanKey[], SlicedPlan>(async (wanted) => {
    const plans = await this.database.json<(SlicedPlan | null)[]>(
      'printPlans.newestOf',
      Prisma.sql`
      select json_agg((
        select json_build_object('seconds', p.seconds, 'slots', p.slots, 'layers', p.layers)
        from print_plans p join json_to_recordset(k.keys) as wanted (name text, plate int)
          on p.name = wanted.name collate "C" and p.plate = wanted.plate
        where ${IS_YOUNG} order by ${NEWEST_FIRST} limit 1
      ) order by k.n) as value
      from json_array_elements(${JSON.stringify(wanted)}::json) with ordinality as k (keys, n)`,
    );
    return new Map(wanted.map((keys, at) => [JSON.stringify(keys), plans[at] ?? null]));
  }, JSON.stringify);

  async forgetOld(): Promise<void> {
    await this.database.json(
      'printPlans.forgetOld',
      Prisma.sql`delete from print_plans where recorded_at < now() - ${PLAN_LIFETIME}`,
    );
  }
}
