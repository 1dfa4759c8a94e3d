// Cuts a file into lines while it is read, for all that look at its lines.

/** A longer line is no move and no figure of a slicer. Its bytes are not kept. */
const MAX_LINE_BYTES = 4096;
const LF = 10;

export interface LineReader {
  /** The bytes of a line are those before `end`; at `end` is its line feed, or the end of the file. */
  line(bytes: Buffer, from: number, end: number): void;
}

export class Lines {
  private rest: Buffer = Buffer.alloc(0);

  /** @param isInside whether the first bytes are the rest of a line, which is left out */
  constructor(
    private readonly readers: readonly LineReader[],
    private isInside = false,
  ) {}

  add(chunk: Buffer): void {
    const bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    let from = 0;
    for (let end = bytes.indexOf(LF, this.rest.length); end >= 0; end = bytes.indexOf(LF, from)) {
      this.read(bytes, from, end);
      from = end + 1;
    }
    const isLong = bytes.length - from > MAX_LINE_BYTES;
    this.isInside ||= isLong;
    // A copy, because the rest would hold the whole chunk.
    this.rest = Buffer.from(isLong || this.isInside ? '' : bytes.subarray(from));
  }

  /** The last line may have no line feed. */
  end(): void {
    if (this.rest.length > 0) this.read(this.rest, 0, this.rest.length);
    this.rest = Buffer.alloc(0);
  }

  private read(bytes: Buffer, from: number, end: number): void {
    if (!this.isInside && end - from <= MAX_LINE_BYTES)
      for (const reader of this.readers) reader.line(bytes, from, end);
    this.isInside = false;
  }
}
