// The first and the last 256 KB of a G-code file, where slicers write their figures. What lies between is never kept.
import type { FileHandle } from 'node:fs/promises';

const END_BYTES = 256 * 1024;

export async function endsOfFile(file: FileHandle, size: number): Promise<string> {
  const head = await bytesAt(file, 0, Math.min(size, END_BYTES));
  const tailAt = Math.max(head.length, size - END_BYTES);
  return textOf(head, await bytesAt(file, tailAt, size - tailAt), tailAt > head.length);
}

/** `onChunk` may throw, when the stream is longer than its reader allows. */
export async function endsOfStream(stream: AsyncIterable<Buffer>, onChunk: (chunk: Buffer) => void): Promise<string> {
  let head: Buffer = Buffer.alloc(0);
  let tail: Buffer = Buffer.alloc(0);
  let between = false;
  for await (const chunk of stream) {
    onChunk(chunk);
    const toHead = Math.min(END_BYTES - head.length, chunk.length);
    if (toHead > 0) head = Buffer.concat([head, chunk.subarray(0, toHead)]);
    const rest = Buffer.concat([tail, chunk.subarray(toHead)]);
    between ||= rest.length > END_BYTES;
    tail = rest.subarray(-END_BYTES);
  }
  return textOf(head, tail, between);
}

/** Fewer bytes where the file became shorter while it was read. */
export async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

/** A line that was cut is left out: `241.03` may be the beginning of `241.0351`, or the end of `1241.03`. */
function textOf(head: Buffer, tail: Buffer, between: boolean): string {
  const parts = between
    ? [head.subarray(0, head.lastIndexOf('\n') + 1), tail.subarray(tail.indexOf('\n') + 1 || tail.length)]
    : [head, tail];
  return Buffer.concat(parts)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
}
