// Writes a backup of a data directory to a file, through a running gateway or without one.
import { existsSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { USUAL_BUDGET } from '../../values/time-budget';
import { askForBackup } from '../embedded/backup-door';
import { DUMP_END } from '../embedded/dump';
import { openEmbedded } from '../embedded/embedded';

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
  const driver = await openEmbedded({ kind: 'directory', path }, USUAL_BUDGET);
  try {
    return { rows: await write(driver.dump(), file, written), throughGateway: false };
  } finally {
    await driver.close();
  }
}

/**
 * Under the file's name there is always a complete backup: the previous one until the new one is on the disk. A device or
 * a pipe is written to, and stays; so does a link, whose file is replaced.
 */
async function write(
  pieces: AsyncIterable<string | Buffer>,
  file: string,
  written: (bytes: number) => void,
): Promise<number> {
  const known = statSync(file, { throwIfNoEntry: false });
  const isFile = known?.isFile() ?? true;
  const whole = known && isFile ? realpathSync(file) : file;
  const unfinished = isFile ? `${whole}.unfinished` : file;
  let tail = '';
  try {
    const handle = await open(unfinished, 'w', 0o600);
    try {
      for await (const piece of pieces) {
        await handle.writeFile(piece);
        written(Buffer.byteLength(piece));
        tail = (tail + piece.slice(-1000).toString()).slice(-1000);
      }
      if (isFile) await handle.sync();
    } finally {
      await handle.close();
    }
    const [, , rows] = DUMP_END.exec(tail) ?? [];
    if (rows === undefined) throw new Error(reasonIn(tail));
    if (isFile) renameSync(unfinished, whole);
    return Number(rows);
  } catch (error) {
    if (isFile) rmSync(unfinished, { force: true });
    throw error;
  }
}

function reasonIn(tail: string): string {
  const [, reason] = /\n-- The gateway says: (.*)\n$/s.exec(tail) ?? [];
  if (reason !== undefined) return `The backup broke off. The gateway says: ${reason}`;
  return tail === ''
    ? 'The gateway that has the directory is starting or stopping, and gives no backup now.'
    : 'The backup broke off: the gateway has ended.';
}
