// Limits how many bytes and seconds the reading of one file may take, because a slicer waits for the command that reads it.

/** Enough for large prints. G-code is read at about 250 MB a second. */
const MAX_BYTES = 1024 ** 3;
/** A command may take 10 seconds in all: 5 of them are for the gateway, and a busy computer needs 2 to start the command. */
const MAX_MS = 3000;

/** Thrown for a file that is too large to be read in time. The file is neither damaged nor of an unknown format. */
export class TooLarge extends Error {}

export class Bounds {
  private bytes = 0;
  private readonly end: number;

  /** @param clock returns the milliseconds of a clock that never goes back */
  constructor(private readonly clock: () => number) {
    this.end = clock() + MAX_MS;
  }

  /** Throws if this many more bytes would exceed the limit. Call it before long work, which then counts its bytes with `spend`. */
  expect(bytes: number): void {
    if (this.bytes + bytes > MAX_BYTES) throw new TooLarge(`it has more than ${MAX_BYTES / 1024 ** 3} GB to read`);
  }

  /** Counts bytes that were read or inflated, and throws if the limit of bytes or of time is reached. Call it for each small step. */
  spend(bytes: number): void {
    this.expect(bytes);
    this.bytes += bytes;
    if (this.clock() > this.end) throw new TooLarge(`it takes more than ${MAX_MS / 1000} seconds to read`);
  }
}
