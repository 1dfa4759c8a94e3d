// Writes a backup of a data directory to a file. If a gateway uses the directory, it gets the backup from that gateway.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { USUAL_BUDGET } from '../../values/time-budget';
import { requestBackup } from '../embedded/backup-door';
import { openEmbedded } from '../embedded/embedded';
import { END } from './backup-form';
import { dump } from './dump';
import { writeWholeFile } from './whole-file';

interface Backup {
  rows: number;
  /** Whether a running gateway sent the rows. */
  throughGateway: boolean;
}

/** @param written is called with the number of bytes of each chunk that was written */
export async function backUp(path: string, file: string, written = (_bytes: number) => {}): Promise<Backup> {
  if (!existsSync(join(path, 'PG_VERSION'))) {
    throw new Error(`There is no database in ${path}. Set DATABASE_URL to the directory of the gateway.`);
  }
  const chunksOfGateway = await requestBackup(path);
  if (chunksOfGateway) return { rows: await write(chunksOfGateway, file, written), throughGateway: true };
  const driver = await openEmbedded({ kind: 'directory', path }, USUAL_BUDGET, dump);
  try {
    return { rows: await write(driver.dump(), file, written), throughGateway: false };
  } finally {
    await driver.close();
  }
}

function write(
  chunks: AsyncIterable<string | Buffer>,
  file: string,
  written: (bytes: number) => void,
): Promise<number> {
  return writeWholeFile(
    { file, mode: 0o600, stopped: 'The backup was stopped. The file was not changed.' },
    async (handle) => {
      let tail = '';
      for await (const chunk of chunks) {
        await handle.writeFile(chunk);
        written(Buffer.byteLength(chunk));
        tail = (tail + chunk.slice(-1000).toString()).slice(-1000);
      }
      const [, , rows] = END.exec(tail) ?? [];
      if (rows === undefined) throw new Error(findReason(tail));
      return Number(rows);
    },
  );
}

function findReason(tail: string): string {
  const [, reason] = /\n-- The gateway says: (.*)\n$/s.exec(tail) ?? [];
  if (reason !== undefined) return `The gateway could not finish the backup: ${reason}`;
  return tail === ''
    ? 'The gateway that uses the directory is starting or stopping, so it cannot make a backup now. Try again in a moment.'
    : 'The backup is incomplete, because the gateway stopped while it wrote the backup. Try again.';
}
