// Reads the first and the last 256 KB of a G-code file, where slicers write their figures. Embedded images are left out and not counted.
import type { FileHandle } from 'node:fs/promises';
import { type LineReader, LineSplitter } from './file-lines';
import type { Bounds } from './read-bounds';

const END_BYTES = 256 * 1024;
/** How far from each end of the file the search goes. The images at an end can have several MB. */
const MAX_REACH_BYTES = 64 * 1024 ** 2;
const STEP_BYTES = 256 * 1024;
const [LF, SEMICOLON, M] = Buffer.from('\n;M') as unknown as [number, number, number];

/**
 * A line of an image: either only digits of base 64 or base 16, or a line of a format that names the image. A figure never looks
 * like that. So images are found whatever the slicer calls them, and even if their first or last line is missing.
 */
const IMAGE = /^(?:M10086 )?;+ ?(?:[gs]image:.*|[A-Za-z0-9+/]{16,}={0,2})\r?$/;

export class FileEnds implements LineReader {
  private readonly firstLines: Buffer[] = [];
  private readonly lastLines: Buffer[] = [];
  private lastBytes = 0;
  /** The lines between `from` and `to` in `bytes` are kept with the next flush. */
  private bytes: Buffer = Buffer.alloc(0);
  private from = 0;
  private to = 0;

  /** @param room how many more bytes of first lines fit */
  constructor(private room = END_BYTES) {}

  line(bytes: Buffer, from: number, end: number): void {
    if (bytes !== this.bytes || from !== this.to) this.flush(bytes, from);
    if (isImage(bytes, from, end)) this.flush(bytes, end + 1);
    else this.to = end + 1;
  }

  hasFirst(): boolean {
    this.flush(this.bytes, this.to);
    return this.room === 0;
  }

  hasLast(): boolean {
    this.flush(this.bytes, this.to);
    return this.lastBytes >= END_BYTES;
  }

  /** @param end the reader of the last lines, if another reader read them */
  text(end: FileEnds = this): string {
    this.flush(this.bytes, this.to);
    end.flush(end.bytes, end.to);
    const last = Buffer.concat(end.lastLines);
    // An incomplete first line is left out, because `241.03` may be the end of `1241.03`.
    const whole = last.length > END_BYTES ? last.subarray(last.indexOf(LF, last.length - END_BYTES - 1) + 1) : last;
    return Buffer.concat([...this.firstLines, whole])
      .toString('utf8')
      .replace(/^\uFEFF/, '');
  }

  private flush(bytes: Buffer, at: number): void {
    const lines = this.bytes.subarray(this.from, this.to);
    this.bytes = bytes;
    this.from = at;
    this.to = at;
    const isFitting = lines.length <= this.room;
    const toFirst = isFitting ? lines.length : lines.subarray(0, this.room).lastIndexOf(LF) + 1;
    if (toFirst > 0) this.firstLines.push(Buffer.from(lines.subarray(0, toFirst)));
    this.room = isFitting ? this.room - toFirst : 0;
    if (toFirst === lines.length) return;
    this.lastLines.push(Buffer.from(lines.subarray(toFirst)));
    this.lastBytes += lines.length - toFirst;
    while (this.lastBytes - (this.lastLines[0]?.length ?? 0) >= END_BYTES)
      this.lastBytes -= this.lastLines.shift()?.length ?? 0;
  }
}

/** @param atStart reads the lines at the start of the file too, with its images */
export async function readEnds(
  file: FileHandle,
  size: number,
  bounds: Bounds,
  atStart: readonly LineReader[] = [],
): Promise<string> {
  const ends = new FileEnds();
  const lines = new LineSplitter([ends, ...atStart]);
  let at = 0;
  for (; at < Math.min(size, MAX_REACH_BYTES) && !ends.hasFirst(); at += STEP_BYTES)
    await addPart(lines, file, at, Math.min(size, at + STEP_BYTES), bounds);
  for (let reach = 4 * STEP_BYTES; reach < size - at; reach *= 4) {
    const last = new FileEnds(0);
    const lastLines = new LineSplitter([last], true);
    await addPart(lastLines, file, size - reach, size, bounds);
    lastLines.end();
    if (last.hasLast() || reach === MAX_REACH_BYTES) return ends.text(last);
  }
  await addPart(lines, file, at, size, bounds);
  lines.end();
  return ends.text();
}

async function addPart(lines: LineSplitter, file: FileHandle, from: number, to: number, bounds: Bounds): Promise<void> {
  for (let at = from; at < to; at += STEP_BYTES) {
    const bytes = await readBytes(file, at, Math.min(STEP_BYTES, to - at));
    bounds.spend(bytes.length);
    lines.add(bytes);
  }
}

/** Reads bytes at a position. It returns fewer bytes if the file became shorter while it was read. */
export async function readBytes(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

function isImage(bytes: Buffer, from: number, end: number): boolean {
  const first = bytes[from];
  return (first === SEMICOLON || first === M) && IMAGE.test(bytes.toString('latin1', from, end));
}
