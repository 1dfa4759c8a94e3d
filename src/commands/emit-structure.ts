// Writes prisma/structure.sql: each table, function and trigger once, as it is after all migrations.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDriver } from '../database/database';
import type { DatabaseTarget } from '../database/driver';
import { applyMigrations } from '../database/migrations';

const OURS = 'current_schema()::regnamespace';

/** The order is that of the file. Partitions are left out, because they change every week. */
const STATEMENTS = [
  `select format('CREATE SEQUENCE %I AS %s;', sequencename, data_type) as text
    from pg_sequences where schemaname = current_schema() order by sequencename`,
  `select concat('CREATE TABLE ', quote_ident(c.relname), E' (\\n  ', string_agg(part.text, E',\\n  ' order by part.place), E'\\n)',
      ' PARTITION BY ' || pg_get_partkeydef(c.oid), ' WITH (' || array_to_string(c.reloptions, ', ') || ')', ';') as text
    from pg_class c cross join lateral (
      select a.attnum::int as place, concat(quote_ident(a.attname), ' ', format_type(a.atttypid, a.atttypmod),
        case when a.attcollation = '"C"'::regcollation then ' COLLATE "C"' end,
        case when a.attnotnull then ' NOT NULL' end, ' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid)) as text
      from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      union all
      select 1000 + row_number() over (order by k.contype desc, k.conname),
        format('CONSTRAINT %I %s', k.conname, pg_get_constraintdef(k.oid))
      from pg_constraint k where k.conrelid = c.oid and k.contype <> 'n'
    ) part
    where c.relnamespace = ${OURS} and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> '_prisma_migrations'
    group by c.oid, c.relname, c.reloptions order by c.relname`,
  `select replace(pg_get_indexdef(i.indexrelid), current_schema() || '.', '') || ';' as text
    from pg_index i join pg_class c on c.oid = i.indrelid
    where c.relnamespace = ${OURS} and not c.relispartition and c.relname <> '_prisma_migrations'
      and not exists (select from pg_constraint k where k.conindid = i.indexrelid) order by i.indexrelid::regclass::text`,
  `select replace(pg_get_functiondef(p.oid), current_schema() || '.', '') || ';' as text
    from pg_proc p where p.pronamespace = ${OURS} order by p.proname`,
  `select replace(pg_get_triggerdef(t.oid), current_schema() || '.', '') || ';' as text
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where not t.tgisinternal and t.tgparentid = 0 and c.relnamespace = ${OURS} order by c.relname, t.tgname`,
];

export async function structureText(target: DatabaseTarget = { kind: 'memory' }): Promise<string> {
  const driver = await openDriver(target);
  try {
    return await driver.withSession(async (run) => {
      await applyMigrations(run);
      const sections: string[] = [
        '-- The tables, functions and triggers as they are now, to read. The migrations make them; `npm run codegen` writes this.',
      ];
      for (const statement of STATEMENTS) {
        for (const { text } of await run(statement, [])) sections.push(String(text).replace(/[ \t]+$/gm, ''));
      }
      return `${sections.join('\n\n')}\n`;
    });
  } finally {
    await driver.close();
  }
}

if (require.main === module) {
  structureText().then((text) => writeFileSync(join(process.cwd(), 'prisma/structure.sql'), text));
}
