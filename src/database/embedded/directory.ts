// Decides whether a directory has a database, needs a new one or must be refused, and prepares it for the start.
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { describeDamage } from '../start-failures';
import { HOLDER_FILE, LOCK_FILE } from './directory-lock';

/** The name of a file that exists until a new database is complete. */
const UNFINISHED = 'unfinished';

/** The length of a segment of the log: PostgreSQL's default, which PGlite uses. */
const SEGMENT_BYTES = 16 * 1024 * 1024;

/** The release of PostgreSQL inside PGlite 0.5. Another release has other files. */
const RELEASE = '18';

/** Folders that every database has. */
const FOLDERS = ['base', 'global', 'pg_wal'];

/** Makes the directory and its parents. Node's option `recursive` loops forever in a file system that refuses with ENOENT, such as /proc. */
export function makeDirectory(path: string): void {
  if (fs.statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(path) !== path) makeDirectory(dirname(path));
  fs.mkdirSync(path, { mode: 0o700 });
}

/** @returns whether the directory has a database or needs a new one */
export function prepareDirectory(path: string): 'existing' | 'new' {
  const entries = fs
    .readdirSync(path)
    .filter((name) => ![LOCK_FILE, HOLDER_FILE, 'lost+found'].includes(name) && name[0] !== '.');
  if (entries.includes(UNFINISHED)) {
    for (const name of entries.filter((name) => name !== UNFINISHED)) {
      fs.rmSync(join(path, name), { recursive: true, force: true });
    }
    return 'new';
  }
  if (entries.includes('PG_VERSION')) {
    refuseOtherRelease(path);
    const missing = FOLDERS.find((name) => !entries.includes(name));
    if (missing !== undefined) throw new Error(describeDamage(`the folder ${missing} is missing`));
    restoreLogLength(join(path, 'pg_wal'));
    return 'existing';
  }
  if (FOLDERS.every((name) => entries.includes(name)))
    throw new Error(describeDamage('the file PG_VERSION is missing'));
  if (entries.length > 0) {
    throw new Error(`it has other files (${entries.slice(0, 3).join(', ')}) but no database. Use an empty directory`);
  }
  fs.writeFileSync(join(path, UNFINISHED), '');
  sync(join(path, UNFINISHED));
  sync(path);
  return 'new';
}

function refuseOtherRelease(path: string): void {
  const file = join(path, 'PG_VERSION');
  const release = fs.statSync(file).isFile() ? fs.readFileSync(file, 'latin1').trim() : '';
  if (release === RELEASE) return;
  if (!/^\d[\d.]{0,7}$/.test(release))
    throw new Error(describeDamage('the file PG_VERSION does not contain a version'));
  throw new Error(
    `PostgreSQL ${release} wrote its files, but this gateway has PostgreSQL ${RELEASE}. ` +
      'Back it up with the version of the gateway that made it (npm run backup), and restore the backup into a new directory with this version (npm run restore)',
  );
}

/** Syncs the files of a new database to the disk, which PGlite does not do, and then marks the database as complete. */
export function finishDirectory(path: string): void {
  syncTree(path);
  fs.unlinkSync(join(path, UNFINISHED));
  sync(path);
}

/**
 * Fills segments of the log with zeros to their full length, which a segment has from the start. Of a segment that was cut,
 * PostgreSQL would not read the last page, and would lose its acknowledged commits. With the zeros it reads up to the cut.
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
  // Windows cannot open a directory to sync it. The sync of a file needs the right to write.
  if (isDirectory && process.platform === 'win32') return;
  const descriptor = fs.openSync(path, isDirectory ? 'r' : 'r+');
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}
