// How many bytes and seconds the reading of one file may take, in each of its forms: a slicer waits for the command.

/** What a large print takes: its G-code is read with some 250 MB a second. */
const MAX_BYTES = 1024 ** 3;
/** A command takes 10 seconds at most: the gateway has 5 of them, and a busy computer needs 2 to start. */
const MAX_MS = 3000;

/** A file that takes more than the command may. It is neither damaged nor of another kind. */
export class TooLarge extends Error {}

export class Bounds {
  private bytes = 0;
  private readonly end: number;

  /** @param clock milliseconds of a clock that never goes back */
  constructor(private readonly clock: () => number) {
    this.end = clock() + MAX_MS;
  }

  /** Is asked before a longer work, whose bytes are spent while it goes on. */
  expect(bytes: number): void {
    if (this.bytes + bytes > MAX_BYTES) throw new TooLarge(`it has more than ${MAX_BYTES / 1024 ** 3} GB to read`);
  }

  /** Is asked before each piece of work, which is small. @param bytes that were read or inflated */
  spend(bytes: number): void {
    this.expect(bytes);
    this.bytes += bytes;
    if (this.clock() > this.end) throw new TooLarge(`it takes more than ${MAX_MS / 1000} seconds to read`);
  }
}
