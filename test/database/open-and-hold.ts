// Opens a database in a separate process and holds it until it is killed. Argument: the target as JSON.
import { writeSync } from 'node:fs';
import { openDatabase } from '../../src/database/database';

async function main(): Promise<void> {
  const database = await openDatabase(JSON.parse(process.argv[2] ?? ''));
  writeSync(1, 'opened\n');
  await database.prisma.$executeRaw`insert into cameras (camera_id, friendly_name) values ('written', 'x')`;
  writeSync(1, 'written\n');
  setInterval(() => {}, 1000);
}

main().catch((error: Error) => {
  writeSync(2, `${error.message}\n`);
  process.exitCode = 1;
});
