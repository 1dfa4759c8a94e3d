// The progress of long work: one line on a terminal, written again and again. In a pipe there is none.

const PAUSE_MS = 100;
const CLEARED = '\r\x1b[K';

interface Progress {
  add(count: number): void;
  /** Removes the line. */
  end(): void;
}

/** Adds up the counts, and shows their sum in the words of `text`. */
export function showProgress(
  text: (done: number) => string,
  stderr: { isTTY?: boolean; write(text: string): unknown } = process.stderr,
): Progress {
  let done = 0;
  let shown = Number.NEGATIVE_INFINITY;
  return {
    add(count) {
      done += count;
      if (!stderr.isTTY || performance.now() < shown + PAUSE_MS) return;
      shown = performance.now();
      stderr.write(`${CLEARED}${text(done)}`);
    },
    end() {
      if (Number.isFinite(shown)) stderr.write(CLEARED);
    },
  };
}

export const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
