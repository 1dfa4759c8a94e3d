// Copies the benchmark's dataset, ids and times included, from its own database into the gateway's (DATABASE_URL):
// npm run bench:load -- postgresql://USER@HOST:PORT/DATABASE
import { Client } from 'pg';
import { readConfig } from '../../src/config';
import { openDatabase } from '../../src/database/database';
import { Prisma } from '../../src/generated/prisma/client';

const TABLES = ['materials', 'printers', 'spools', 'cameras', 'camera_status', 'print_jobs'];
const ROWS_AT_ONCE = 5000;

async function main(sourceUrl: string | undefined): Promise<void> {
  if (sourceUrl === undefined) throw new Error('Usage: npm run bench:load -- SOURCE_URL (the database that is copied)');
  const source = new Client({ connectionString: sourceUrl });
  await source.connect();
  const target = await openDatabase(readConfig().database);
  try {
    // The order of the cursor is that of the log: by id, as the rows came in.
    await source.query("begin; set transaction isolation level repeatable read; set local timezone to 'UTC'");
    await target.prisma.$executeRaw`truncate ${Prisma.raw(TABLES.join(', '))} restart identity cascade`;
    for (const table of TABLES) {
      const columns = (
        await source.query<{ column_name: string }>(
          "select column_name from information_schema.columns where table_name = $1 and table_schema = 'public'",
          [table],
        )
      ).rows.map((row) => `"${row.column_name}"`);
      await source.query(
        `declare rows cursor for select to_json(t)::text as row from "${table}" t ${table === 'camera_status' ? 'order by id' : ''}`,
      );
      let count = 0;
      for (;;) {
        const { rows } = await source.query<{ row: string }>(`fetch ${ROWS_AT_ONCE} from rows`);
        if (rows.length === 0) break;
        count += rows.length;
        const json = `[${rows.map(({ row }) => row).join(',')}]`;
        await target.prisma.$executeRaw`
          insert into ${Prisma.raw(`"${table}" (${columns.join(', ')})`)}
          select ${Prisma.raw(columns.join(', '))}
          from json_populate_recordset(null::${Prisma.raw(`"${table}"`)}, ${json}::json)`;
      }
      await source.query('close rows');
      console.log(`${table}: ${count}`);
    }
    await target.prisma.$queryRaw`
      select setval(pg_get_serial_sequence('camera_status', 'id'), (select coalesce(max(id), 1) from camera_status))::text`;
    await target.prisma.$executeRaw`analyze`;
  } finally {
    await source.end();
    await target.close();
  }
}

main(process.argv[2]).catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
