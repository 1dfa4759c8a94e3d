// The numbers that an existing farm gets at the upgrade.
import { openDriver } from '../../src/database/database';
import { applyMigrations, readMigrations } from '../../src/database/migrations';
import { applySqlFiles } from '../../src/database/sql-files';
import { databaseKinds, emptyDatabase } from '../support/databases';

const shipped = readMigrations();
const before = shipped.slice(
  0,
  shipped.findIndex(({ name }) => name.endsWith('_stock')),
);
const MATERIAL = '00000000-0000-4000-8000-00000000000f';
const spool = (n: number, day: number) =>
  `insert into spools (id, spool_serial, filament_diameter_mm, weight_total_grams, material_id, created_at)
   values ('00000000-0000-4000-8000-00000000000${n}', 'SP ${n}', 1.75, 1000, '${MATERIAL}', '2026-11-0${day}Z')`;

test.each(databaseKinds)('(%s) spools are numbered by their time, then their id, and new ones follow', async (kind) => {
  const fresh = await emptyDatabase(kind);
  const driver = await openDriver(fresh.target);
  try {
    const numbers = await driver.withSession(async (run) => {
      await applyMigrations(run, before);
      await run(`insert into materials (id, name, density_g_per_cm3) values ('${MATERIAL}', 'PLA', 1.24)`);
      for (const [n, day] of [
        [3, 2],
        [2, 2],
        [4, 1],
      ] as const) {
        await run(spool(n, day));
      }
      await applyMigrations(run);
      await applySqlFiles(run);
      await run('delete from spools where number = 3');
      await run(spool(5, 1));
      return run('select spool_serial, number from spools order by number');
    });
    expect(numbers.map((row) => [row['spool_serial'], row['number']])).toEqual([
      ['SP 4', 1],
      ['SP 2', 2],
      ['SP 5', 4],
    ]);
  } finally {
    await driver.close();
    await fresh.drop();
  }
});

test.each(databaseKinds)(
  '(%s) whoever writes as an import gets only skipped numbers, and each of them once',
  async (kind) => {
    const fresh = await emptyDatabase(kind);
    const driver = await openDriver(fresh.target);
    const importId = '00000000-0000-4000-8000-0000000000aa';
    const spoolId = '00000000-0000-4000-8000-000000000009';
    try {
      await driver.withSession(async (run) => {
        await applyMigrations(run);
        await applySqlFiles(run);
        await run(`insert into materials (id, name, density_g_per_cm3) values ('${MATERIAL}', 'PLA', 1.24)`);
        await run(spool(1, 1));
        // The trigger decides where the skipped numbers start, whatever the row says.
        await run('insert into skipped_stock_numbers ("from", "to") values (1, 2000)');
        expect(await run('select * from skipped_stock_numbers')).toEqual([{ from: 2, to: 2000 }]);
        await run(
          `insert into spoolman_imports (id, source, state, active, from_url) values ('${importId}', 's', 'WRITING', true, false)`,
        );
        const imported = async (number: number) => {
          await run(`delete from spools where id = '${spoolId}'; delete from spoolman_import_rows`);
          await run(`insert into spoolman_import_rows (import_id, position, kind, action, number, name, changes, object, creates_id)
          values ('${importId}', 0, 'SPOOL', 'CREATE', ${number}, 'x', '[]', '{}', '${spoolId}')`);
          await run(`begin; update spoolman_imports set transaction = pg_current_xact_id()::text`);
          try {
            await run(spool(9, 1));
            await run('commit');
          } catch (error) {
            await run('rollback');
            return (error as Error).message;
          }
          return (await run(`select number from spools where id = '${spoolId}'`))[0]?.['number'];
        };
        expect(await imported(1)).toContain('imported_stock_numbers_skipped');
        expect(await imported(2001)).toContain('imported_stock_numbers_skipped');
        expect(await imported(77)).toBe(77);
        expect(await imported(77)).toContain('imported_stock_numbers_pkey');
        // The transaction that the row names has ended, so its spool gets the next number of the series.
        await run(`delete from spoolman_import_rows`);
        await run(spool(5, 1));
        expect(await run(`select number from spools where spool_serial = 'SP 5'`)).toEqual([{ number: 2001 }]);
        // Whoever empties the list of given numbers leaves no number to choose.
        await run('truncate imported_stock_numbers');
        expect(await imported(77)).toContain('imported_stock_numbers_skipped');
      });
    } finally {
      await driver.close();
      await fresh.drop();
    }
  },
);
