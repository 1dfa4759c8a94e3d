// The SQL of the plans that are found: by which name, how young, and which one first.
import { CLOCK, evidence, sql } from '../../database/sql';
import { Prisma } from '../../generated/prisma/client';
import { PLAN_ENDINGS } from '../print-rules/sliced-plan';
import { PLAN_DAYS } from './print-plan.types';

export const PLAN_LIFETIME = Prisma.sql`${PLAN_DAYS}::int * interval '1 day'`;

/** A plan `p`. */
export const IS_YOUNG = Prisma.sql`p.recorded_at >= now() - ${PLAN_LIFETIME}`;

/** Plans `p`. One that a clock wrote which was ahead is older than all that came since. */
export const NEWEST_FIRST = Prisma.sql`${evidence('p.recorded_at', CLOCK)} desc nulls last`;

/** The rule `planName` of print-rules for a column. */
export const planNameIn = (column: string) =>
  sql(
    `regexp_replace(normalize(regexp_replace(${column}, '^.*[/\\\\]', '')), '${PLAN_ENDINGS.source}', '', 'i') collate "C"`,
  );

/** The seconds of the plan of a job whose machine is not heard, by its name and its file. */
export const secondsOfPlan = (name: string, file: string) => Prisma.sql`(
  select p.seconds from print_plans p
  where p.plate = 1 and p.name in (${planNameIn(name)}, ${planNameIn(file)}) and ${IS_YOUNG} order by ${NEWEST_FIRST} limit 1
)`;
