// `npm run backup -- FILE`: backs up the embedded database, with or without a running gateway.
import { readConfig } from '../config';
import { backUp } from '../database/backup/backup';

async function main([file, ...others]: string[]): Promise<void> {
  if (file === undefined || others.length > 0) throw new Error('Usage: npm run backup -- FILE');
  const { database } = readConfig();
  if (database.kind !== 'directory') {
    throw new Error('This command backs up the embedded database in a directory. For a server, use pg_dump.');
  }
  const { rows, throughGateway } = await backUp(database.path, file);
  console.log(`${file} holds ${rows} rows of ${database.path}${throughGateway ? ', given by its gateway' : ''}.`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
