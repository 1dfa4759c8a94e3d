// Collects bytes that arrive in parts in one buffer. A list of a million parts of one byte each would take hundreds of times their memory.
import { Writable } from 'node:stream';
import { Failure } from './faults';

const FIRST_BYTES = 1024;

export class GatheredBytes extends Writable {
  private buffer = Buffer.alloc(0);
  private length = 0;

  constructor(private readonly maxBytes: number) {
    super({ decodeStrings: false });
  }

  append(part: Buffer): void {
    const length = this.length + part.length;
    if (length > this.maxBytes) throw new Failure('TOO_MUCH_DATA');
    if (length > this.buffer.length) {
      // The buffer doubles as bytes arrive, so a length that is only announced takes no memory.
      const longer = Buffer.allocUnsafe(Math.max(FIRST_BYTES, length, Math.min(2 * this.buffer.length, this.maxBytes)));
      this.toBuffer().copy(longer);
      this.buffer = longer;
    }
    part.copy(this.buffer, this.length);
    this.length = length;
  }

  toBuffer(): Buffer {
    return this.buffer.subarray(0, this.length);
  }

  override _write(part: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    try {
      this.append(part);
      done();
    } catch (error) {
      done(error as Error);
    }
  }
}
