// `npm run restore -- FILE`: restores a backup into a new directory or an empty database of a server (DATABASE_URL).
import { readConfig } from '../config';
import { restore } from '../database/backup/restore';

async function main([file, ...others]: string[]): Promise<void> {
  if (file === undefined || others.length > 0) throw new Error('Usage: DATABASE_URL=… npm run restore -- FILE');
  const { database } = readConfig();
  if (database.kind === 'memory') throw new Error('A database in memory would be gone at the end of this command.');
  const rows = await restore(database, file);
  const place = database.kind === 'directory' ? database.path : 'the database of the server';
  console.log(`${rows} rows of ${file} are in ${place} now. Start the gateway with the same DATABASE_URL.`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
