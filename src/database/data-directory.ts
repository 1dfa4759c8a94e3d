// The directory of an embedded database before and after its making: found, new, left half made, or not ours.
import fs from 'node:fs';
import { join } from 'node:path';
import { LOCK_FILE } from './directory-lock';

/** Present while a new database is being made: what lies beside it is no database yet. */
const UNFINISHED = 'unfinished';

/** PostgreSQL's own default, which PGlite's databases are made with. */
const SEGMENT_BYTES = 16 * 1024 * 1024;

/** Makes the directory fit for opening. Returns whether a database has to be made in it. */
export function prepareDirectory(path: string): 'existing' | 'new' {
  const entries = fs.readdirSync(path).filter((name) => ![LOCK_FILE, 'lost+found'].includes(name) && name[0] !== '.');
  if (entries.includes(UNFINISHED)) {
    for (const name of entries.filter((name) => name !== UNFINISHED)) {
      fs.rmSync(join(path, name), { recursive: true, force: true });
    }
    return 'new';
  }
  if (entries.includes('PG_VERSION')) {
    restoreLogLength(join(path, 'pg_wal'));
    return 'existing';
  }
  if (entries.length > 0) {
    throw new Error(
      `${path} holds files (${entries.slice(0, 3).join(', ')}) but no database: give a directory of its own.`,
    );
  }
  fs.writeFileSync(join(path, UNFINISHED), '');
  sync(join(path, UNFINISHED));
  sync(path);
  return 'new';
}

/** PGlite copies a new database file by file without syncing any, so that is done here before it counts as made. */
export function finishDirectory(path: string): void {
  syncTree(path);
  fs.unlinkSync(join(path, UNFINISHED));
  sync(path);
}

/**
 * A segment of the log has its full length from the start. One that was cut short would be read without its last page,
 * acknowledged commits in it included; filled up with zeros it is read to the byte where it was cut.
 */
function restoreLogLength(log: string): void {
  for (const name of fs.readdirSync(log).filter((name) => /^[0-9A-F]{24}$/.test(name))) {
    const segment = join(log, name);
    if (fs.statSync(segment).size < SEGMENT_BYTES) fs.truncateSync(segment, SEGMENT_BYTES);
  }
}

function syncTree(directory: string): void {
  for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
    if (entry.isDirectory()) syncTree(join(directory, entry.name));
    else if (entry.isFile()) sync(join(directory, entry.name));
  }
  sync(directory);
}

function sync(path: string): void {
  const isDirectory = fs.statSync(path).isDirectory();
  // Windows cannot open a directory to sync it, and needs the right to write to sync a file.
  if (isDirectory && process.platform === 'win32') return;
  const descriptor = fs.openSync(path, isDirectory ? 'r' : 'r+');
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}
