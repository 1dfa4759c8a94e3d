// Reads everything that a database holds: every row of every table, and the parts of the tables.
import { openDriver } from '../../src/database/database';
import type { DatabaseTarget, RunSql } from '../../src/database/driver/driver';

/** Row by row as texts, by table; equal for two databases that are the same for all users. */
export type Contents = Record<string, string[]>;

/** Of a database that no gateway has open. */
export async function contentsOf(target: DatabaseTarget): Promise<Contents> {
  const driver = await openDriver(target);
  try {
    return await driver.withSession((run) => readContents(run));
  } finally {
    await driver.close();
  }
}

export async function readContents(run: RunSql): Promise<Contents> {
  const contents: Contents = {};
  const texts = async (statement: string) => (await run(statement)).map((row) => String(row['text'])).sort();
  const names = await texts(
    `select relname::text as text from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace`,
  );
  for (const name of names) contents[name] = await texts(`select t::text as text from "${name}" t`);
  // Two databases of different clusters are the same for users.
  if (contents['change_feed'])
    contents['change_feed'] = await texts(`select (to_jsonb(t) - 'cluster')::text as text from change_feed t`);
  for (const [what, statement] of Object.entries(CATALOGUE)) contents[what] = await texts(statement);
  return contents;
}

/** PostgreSQL 18 lists NOT NULL among the constraints, older ones do not; the columns tell them in both. */
const CATALOGUE = {
  columns: `select concat_ws(' ', c.relname, a.attnum, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
      a.attcollation::regcollation, pg_get_expr(d.adbin, d.adrelid), c.reloptions) as text
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')`,
  constraints: `select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated) as text
    from pg_constraint where connamespace = current_schema()::regnamespace and contype <> 'n'`,
  indexes: `select pg_get_indexdef(indexrelid) || indisvalid as text
    from pg_index join pg_class c on c.oid = indexrelid where c.relnamespace = current_schema()::regnamespace`,
  partitions: `select concat_ws(' ', i.inhparent::regclass, c.relname, pg_get_expr(c.relpartbound, c.oid)) as text
    from pg_class c join pg_inherits i on i.inhrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'`,
  triggers: `select concat_ws(' ', pg_get_triggerdef(oid), tgenabled) as text from pg_trigger where not tgisinternal`,
  functions: `select pg_get_functiondef(oid) as text from pg_proc where pronamespace = current_schema()::regnamespace`,
  sequences: `select concat_ws(' ', sequencename, last_value) as text from pg_sequences where schemaname = current_schema()`,
};
