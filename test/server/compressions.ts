// Counts how often this process compresses bytes while something runs.
import { createHook } from 'node:async_hooks';

export async function compressionsOf(run: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const hook = createHook({
    init: (_id, type) => {
      if (type === 'ZLIB') count += 1;
    },
  }).enable();
  try {
    await run();
  } finally {
    hook.disable();
  }
  return count;
}
