// A process that stops inside a migration until it is killed: argument: the target as JSON.
import { writeSync } from 'node:fs';
import { openDriver } from '../../src/database/database';
import { applyMigrations, readMigrations } from '../../src/database/migrations';

async function main(): Promise<void> {
  const driver = await openDriver(JSON.parse(process.argv[2] ?? ''));
  const interrupted = { name: '99990101000000_interrupted', sql: 'create table half (); create table other_half ()' };
  await driver.withSession((run) =>
    applyMigrations(
      async (text, values) => {
        const rows = await run(text, values);
        if (text === interrupted.sql) {
          writeSync(1, 'waiting inside the migration\n');
          await new Promise((resolve) => setTimeout(resolve, 60_000));
        }
        return rows;
      },
      [...readMigrations(), interrupted],
    ),
  );
}

void main();
