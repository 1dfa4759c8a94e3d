// The gateway vacuums the embedded database, as autovacuum does on a server.
import { openDriver } from '../../src/database/database';
import type { Driver } from '../../src/database/driver/driver';
import { vacuum } from '../../src/database/vacuum';
import { type FreshDatabase, freshDatabase } from '../support/databases';

const LONG_AGO = "timestamptz '2020-01-01Z'";

describe('the embedded database', () => {
  let fresh: FreshDatabase;
  let driver: Driver;
  const sql = (text: string) => driver.withSession((run) => run(text));

  beforeAll(async () => {
    fresh = await freshDatabase('embedded');
    driver = await openDriver(fresh.target);
  });
  afterAll(async () => {
    await driver.close();
    await fresh.drop();
  });

  test('reuses the space of deleted rows', async () => {
    const sizes: unknown[] = [];
    for (let day = 1; day <= 3; day += 1) {
      await sql(`insert into idempotency_keys (caller, key, fingerprint, answer, created_at)
        select 'caller', 'key ' || n, repeat('f', 64), '{}', ${LONG_AGO} from generate_series(1, 2000) n`);
      sizes.push((await sql(`select pg_relation_size('idempotency_keys')::int as size`))[0]?.size);
      await sql('delete from idempotency_keys');
      await vacuum(driver);
    }
    expect(sizes).toEqual(Array(3).fill(sizes[0]));
  });

  test('vacuums all of its tables, also those of PostgreSQL, and analyzes those that changed much', async () => {
    const untouched = `select s.relname from pg_stat_all_tables s join pg_class c on c.oid = s.relid
      where c.relkind = 'r' and s.vacuum_count = 0`;
    const analyses = `select relname, analyze_count::int from pg_stat_user_tables
      where relname in ('cameras', 'printers') order by 1`;
    await sql(`insert into cameras (camera_id, friendly_name) select 'cam ' || n, 'c' from generate_series(1, 1000) n`);
    for (const [change, analyzed] of [
      ['select 1', 1],
      [`update cameras set friendly_name = 'd' where camera_id < 'cam 104'`, 1],
      [`update cameras set friendly_name = 'e'`, 2],
    ] as const) {
      await sql(change);
      // PostgreSQL counts changes with a second's delay otherwise.
      await sql('select pg_stat_force_next_flush()');
      await vacuum(driver);
      expect(await sql(untouched)).toEqual([]);
      expect(await sql(analyses)).toEqual([
        { relname: 'cameras', analyze_count: analyzed },
        { relname: 'printers', analyze_count: 0 },
      ]);
    }
  });
});
