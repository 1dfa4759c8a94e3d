// Runs the command `backup`, which backs up the built-in database, whether its gateway runs or not.
import { readConfig } from '../config';
import { backUp } from '../database/backup/backup';
import { megabytes, showProgress } from './progress';

export async function backup(file: string): Promise<void> {
  const { database } = readConfig();
  if (database.kind !== 'directory') {
    throw new Error(
      'This command can back up only the built-in database, but DATABASE_URL names another database. For a PostgreSQL server, use pg_dump.',
    );
  }
  const progress = showProgress((bytes) => `${megabytes(bytes)} written`);
  const { rows, throughGateway } = await backUp(database.path, file, progress.add).finally(progress.end);
  // Standard output may be the backup file itself.
  console.error(
    `Backed up ${rows} rows of ${database.path} to ${file}${throughGateway ? ', while its gateway is running' : ''}.`,
  );
}
