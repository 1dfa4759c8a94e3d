// Decides whether the process has enough memory for the built-in database. With too little, the system kills it without a message.
import { totalmem } from 'node:os';

const MIB = 1024 * 1024;
/** PGlite's initdb took up to 800 MB, and a start with an existing database 290 MB. Node and the gateway need the rest. */
const NEEDED_MIB = { new: 1000, existing: 500 };

/** The memory in MiB that the container or the computer allows this process. If there is no limit, Node reports 0 or more than the computer has. */
export function memoryMib(): number {
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  return Math.floor(Math.min(limit, totalmem()) / MIB);
}

/** The warning before a start for which the memory may be too small; null if there is enough. */
export function memoryWarning(state: 'new' | 'existing', mib: number): string | null {
  const needed = NEEDED_MIB[state];
  if (mib >= needed) return null;
  const start = state === 'new' ? 'the first start, which creates its files' : 'the start';
  return (
    `The built-in database needs up to ${needed} MB of memory at ${start}, and this process may use only ${mib} MB. If the system kills ` +
    'the process, give it more memory, or set DATABASE_URL to a PostgreSQL server.'
  );
}
