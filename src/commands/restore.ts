// The command `restore`: restores a backup into a new directory or an empty database of a server (DATABASE_URL).
import { readConfig } from '../config';
import { restore } from '../database/backup/restore';
import { megabytes, showProgress } from './progress';

export async function restoreBackup(file: string): Promise<void> {
  const { database } = readConfig();
  if (database.kind === 'memory') throw new Error('A database in memory would be gone at the end of this command.');
  const progress = showProgress((bytes) => `${megabytes(bytes)} restored`);
  const doubts: string[] = [];
  const rows = await restore(database, file, progress.add, (doubt) => doubts.push(doubt)).finally(progress.end);
  const place = database.kind === 'directory' ? database.path : 'the database of the server';
  console.log(`${rows} rows of ${file} are in ${place} now. Start the gateway with the same DATABASE_URL.`);
  for (const doubt of doubts) console.warn(doubt);
}
