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
