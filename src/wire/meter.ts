// What one connection to a machine or a receiver may send: the bytes of its sockets, and its messages.

import type { Limits } from './connection-limits';
import { type MemoryUser, WAITING_BYTES, type WaitingBytes } from './waiting-bytes';

/** What a message costs beside its bytes: a million of three bytes each would keep the process busy. */
const MESSAGE_BYTES = 256;

export class Meter implements MemoryUser {
  private countedAt = performance.now();
  private counted = 0;
  /** Bytes of the sockets since the last whole message or answer. */
  private unfinished = 0;
  /** Bytes of messages that wait until others are heard. */
  private waiting = 0;
  /** Bytes of what was heard, and is remembered as long as the connection lasts. */
  private kept = 0;
  private isOver = false;

  /** @param tooMuch ends the connection with TOO_MUCH_DATA */
  constructor(
    private readonly limits: Pick<Limits, 'floodBytes' | 'steadyBytes' | 'maxBytes'>,
    readonly tooMuch: () => void,
    private readonly waitingBytes: WaitingBytes = WAITING_BYTES,
  ) {}

  /** The work is done in the next round of the event loop, where clients and other connections come between. When the connection is over by then, the work is left out. */
  inTurn(work: () => void): void {
    setImmediate(() => {
      if (!this.isOver) work();
    });
  }

  /** Bytes as they came through the network: those of TLS, of heads and of frames are among them. */
  bytes(length: number): void {
    this.unfinished += length;
    this.hold();
    // Around a message of the greatest size an honest sender needs a few hundredths more.
    if (this.unfinished > 2 * this.limits.maxBytes) this.tooMuch();
    this.count(length);
  }

  /** A message is whole, or an answer; its bytes are not held any longer. */
  messageEnded(): void {
    this.unfinished = 0;
    this.hold();
    this.count(MESSAGE_BYTES);
  }

  /** A frame or packet without a message, such as a ping. */
  controlFrame(): void {
    this.count(MESSAGE_BYTES);
  }

  /** @param bytes of all messages that wait in this connection */
  waits(bytes: number): void {
    this.waiting = bytes;
    this.hold();
  }

  /** @param bytes of all that is remembered of what this connection heard */
  keeps(bytes: number): void {
    this.kept = bytes;
    this.hold();
  }

  private hold(): void {
    this.waitingBytes.set(this, this.isOver ? 0 : this.unfinished + this.waiting + this.kept);
  }

  private count(bytes: number): void {
    const now = performance.now();
    this.counted = Math.max(0, this.counted - ((now - this.countedAt) / 1000) * this.limits.steadyBytes) + bytes;
    this.countedAt = now;
    if (this.counted > this.limits.floodBytes) this.tooMuch();
  }

  close(): void {
    this.isOver = true;
    this.waitingBytes.set(this, 0);
  }
}
