// The command `backup`: backs up the embedded database, with or without a running gateway.
import { readConfig } from '../config';
import { backUp } from '../database/backup/backup';
import { megabytes, showProgress } from './progress';

export async function backup(file: string): Promise<void> {
  const { database } = readConfig();
  if (database.kind !== 'directory') {
    throw new Error('This command backs up the embedded database in a directory. For a server, use pg_dump.');
  }
  const progress = showProgress((bytes) => `${megabytes(bytes)} written`);
  const { rows, throughGateway } = await backUp(database.path, file, progress.add).finally(progress.end);
  // Standard output may be the file.
  console.error(`${file} holds ${rows} rows of ${database.path}${throughGateway ? ', given by its gateway' : ''}.`);
}
