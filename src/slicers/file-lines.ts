// Splits a file into lines while it is read, and passes each line to several readers.

/** A longer line is neither a move nor a figure of a slicer, so it is skipped and its bytes are not kept. */
const MAX_LINE_BYTES = 4096;
const LF = 10;

export interface LineReader {
  /** The line has the bytes from `from` up to `end`. At `end` is its line feed, or the end of the file. */
  line(bytes: Buffer, from: number, end: number): void;
}

export class LineSplitter {
  /** The start of a line whose end has not been read yet. */
  private unfinished: Buffer = Buffer.alloc(0);

  /** @param isInside whether the first bytes are in the middle of a line, which is then skipped */
  constructor(
    private readonly readers: readonly LineReader[],
    private isInside = false,
  ) {}

  add(chunk: Buffer): void {
    const bytes = this.unfinished.length === 0 ? chunk : Buffer.concat([this.unfinished, chunk]);
    let from = 0;
    for (let end = bytes.indexOf(LF, this.unfinished.length); end >= 0; end = bytes.indexOf(LF, from)) {
      this.read(bytes, from, end);
      from = end + 1;
    }
    const isLong = bytes.length - from > MAX_LINE_BYTES;
    this.isInside ||= isLong;
    // A copy, because a part of the chunk would keep the whole chunk in memory.
    this.unfinished = Buffer.from(isLong || this.isInside ? '' : bytes.subarray(from));
  }

  /** Reads the last line, which may have no line feed. */
  end(): void {
    if (this.unfinished.length > 0) this.read(this.unfinished, 0, this.unfinished.length);
    this.unfinished = Buffer.alloc(0);
  }

  private read(bytes: Buffer, from: number, end: number): void {
    if (!this.isInside && end - from <= MAX_LINE_BYTES)
      for (const reader of this.readers) reader.line(bytes, from, end);
    this.isInside = false;
  }
}
