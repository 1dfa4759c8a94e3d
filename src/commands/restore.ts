// Runs the command `restore`, which restores a backup into a new directory or into an empty database on a server.
import { readConfig } from '../config';
import { restore } from '../database/backup/restore';
import { megabytes, showProgress } from './progress';

export async function restoreBackup(file: string): Promise<void> {
  const { database } = readConfig();
  if (database.kind === 'memory') {
    throw new Error(
      'DATABASE_URL is memory:, and a database in memory would be lost at the end of this command. Set it to file:DIRECTORY or postgresql://…',
    );
  }
  const progress = showProgress((bytes) => `${megabytes(bytes)} restored`);
  const warnings: string[] = [];
  const rows = await restore(database, file, progress.add, (warning) => warnings.push(warning)).finally(progress.end);
  const target = database.kind === 'directory' ? database.path : 'the database on the server';
  console.log(`Restored ${rows} rows of ${file} to ${target}. Start the gateway with the same DATABASE_URL.`);
  for (const warning of warnings) console.warn(warning);
}
