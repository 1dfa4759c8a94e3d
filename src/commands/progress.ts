// Shows the progress of a long command as one line on a terminal, which is overwritten. It shows nothing in a pipe.

const PAUSE_MS = 100;
const CLEARED = '\r\x1b[K';

interface Progress {
  add(count: number): void;
  /** Removes the line. */
  end(): void;
}

/** Sums up the counts, and shows the text that `text` makes of the sum. */
export function showProgress(
  text: (done: number) => string,
  stderr: { isTTY?: boolean; write(text: string): unknown } = process.stderr,
): Progress {
  let done = 0;
  let writtenMs = Number.NEGATIVE_INFINITY;
  return {
    add(count) {
      done += count;
      if (!stderr.isTTY || performance.now() < writtenMs + PAUSE_MS) return;
      writtenMs = performance.now();
      stderr.write(`${CLEARED}${text(done)}`);
    },
    end() {
      if (Number.isFinite(writtenMs)) stderr.write(CLEARED);
    },
  };
}

export const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
