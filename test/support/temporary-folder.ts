// Creates the folders of test databases in memory, because a run creates and removes a hundred thousand files.
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const IN_MEMORY = '/dev/shm';
/** Containers often have 64 MB there, and a database takes 40. */
const ENOUGH_BYTES = 2 * 1024 ** 3;

/** A new folder, which the caller removes. */
export function temporaryFolder(prefix: string): string {
  return fs.mkdtempSync(join(hasRoom(IN_MEMORY) ? IN_MEMORY : tmpdir(), `gateway-test-${prefix}-${process.pid}-`));
}

/** Removes the folders of processes that were killed. */
export function sweepTemporaryFolders(): void {
  for (const parent of new Set([IN_MEMORY, tmpdir()])) {
    if (!fs.existsSync(parent)) continue;
    for (const name of fs.readdirSync(parent)) {
      const pid = /^gateway-test-[a-z-]+-(\d+)-\w{6}$/.exec(name)?.[1];
      if (pid !== undefined && !isAlive(Number(pid))) fs.rmSync(join(parent, name), { recursive: true, force: true });
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another account is alive too.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = fs.statfsSync(folder);
    return bavail * bsize >= ENOUGH_BYTES;
  } catch {
    // Only Linux has this folder.
    return false;
  }
}
