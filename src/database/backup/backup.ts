// Writes a backup of a data directory to a file, through a running gateway or without one.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { USUAL_BUDGET } from '../../values/time-budget';
import { askForBackup } from '../embedded/backup-door';
import { openEmbedded } from '../embedded/embedded';
import { END } from './backup-form';
import { dump } from './dump';
import { wholeFile } from './whole-file';

interface Backup {
  rows: number;
  /** Whether a running gateway gave the rows. */
  throughGateway: boolean;
}

/** @param written is called with the number of bytes of each piece */
export async function backUp(path: string, file: string, written = (_bytes: number) => {}): Promise<Backup> {
  if (!existsSync(join(path, 'PG_VERSION'))) throw new Error(`There is no database in ${path}.`);
  const asked = await askForBackup(path);
  if (asked) return { rows: await write(asked, file, written), throughGateway: true };
  const driver = await openEmbedded({ kind: 'directory', path }, USUAL_BUDGET, dump);
  try {
    return { rows: await write(driver.dump(), file, written), throughGateway: false };
  } finally {
    await driver.close();
  }
}

function write(
  pieces: AsyncIterable<string | Buffer>,
  file: string,
  written: (bytes: number) => void,
): Promise<number> {
  return wholeFile({ file, mode: 0o600, stopped: 'The backup was stopped.' }, async (handle) => {
    let tail = '';
    for await (const piece of pieces) {
      await handle.writeFile(piece);
      written(Buffer.byteLength(piece));
      tail = (tail + piece.slice(-1000).toString()).slice(-1000);
    }
    const [, , rows] = END.exec(tail) ?? [];
    if (rows === undefined) throw new Error(reasonIn(tail));
    return Number(rows);
  });
}

function reasonIn(tail: string): string {
  const [, reason] = /\n-- The gateway says: (.*)\n$/s.exec(tail) ?? [];
  if (reason !== undefined) return `The backup broke off. The gateway says: ${reason}`;
  return tail === ''
    ? 'The gateway that has the directory is starting or stopping, and gives no backup now.'
    : 'The backup broke off: the gateway has ended.';
}
