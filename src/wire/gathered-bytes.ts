// Bytes that come in parts, in one buffer: a list of a million parts of one byte each would take hundreds of times their memory.
import { Writable } from 'node:stream';
import { Failure } from './faults';

const FIRST_BYTES = 1024;

export class Gathered extends Writable {
  private store = Buffer.alloc(0);
  private length = 0;

  constructor(private readonly maxBytes: number) {
    super({ decodeStrings: false });
  }

  add(part: Buffer): void {
    const length = this.length + part.length;
    if (length > this.maxBytes) throw new Failure('TOO_MUCH_DATA');
    if (length > this.store.length) {
      // Twice as long each time: what is only announced takes no memory.
      const longer = Buffer.allocUnsafe(Math.max(FIRST_BYTES, length, Math.min(2 * this.store.length, this.maxBytes)));
      this.bytes().copy(longer);
      this.store = longer;
    }
    part.copy(this.store, this.length);
    this.length = length;
  }

  bytes(): Buffer {
    return this.store.subarray(0, this.length);
  }

  override _write(part: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    try {
      this.add(part);
      done();
    } catch (error) {
      done(error as Error);
    }
  }
}
