// What the built-in database needs of memory: too little of it ends the process without a word.
import { totalmem } from 'node:os';

const MIB = 1024 * 1024;
/** PGlite's initdb took 800 MB at its peak, and a start with a database 290 MB; Node and the gateway come to that. */
const NEEDED_MIB = { new: 1000, existing: 500 };

/** What the container or the machine lets this process have, in MiB. Without a bound Node says 0, or more than the machine has. */
export function memoryMib(): number {
  const bound = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  return Math.floor(Math.min(bound, totalmem()) / MIB);
}

/** The sentence before a start that may be killed; null when there is enough. */
export function memoryWarning(state: 'new' | 'existing', mib: number): string | null {
  const needed = NEEDED_MIB[state];
  if (mib >= needed) return null;
  const start = state === 'new' ? 'its first start, which makes the database' : 'its start';
  return (
    `The built-in database needs up to ${needed} MB of memory at ${start}, and this process may have ${mib} MB: if it is killed without ` +
    'a word, give it more memory, or a PostgreSQL server (DATABASE_URL)'
  );
}
