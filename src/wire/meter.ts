// Limits what the other end of one connection may send: the bytes of its sockets and its messages, and the memory that they take.

import type { Limits } from './connection-limits';
import { type MemoryUser, WAITING_BYTES, type WaitingBytes } from './waiting-bytes';

/** What a message costs in addition to its bytes. A million messages of three bytes each would keep the process busy. */
const MESSAGE_BYTES = 256;

export class Meter implements MemoryUser {
  private chargedAt = performance.now();
  private chargedBytes = 0;
  /** Received bytes since the last complete message or answer. */
  private unfinishedBytes = 0;
  /** Bytes of messages that wait until others are handled. */
  private waitingMessageBytes = 0;
  /** Bytes of received data that is kept as long as the connection lasts. */
  private keptBytes = 0;
  private isClosed = false;

  /** @param onTooMuch ends the connection with TOO_MUCH_DATA */
  constructor(
    private readonly limits: Pick<Limits, 'floodBytes' | 'steadyBytes' | 'maxBytes'>,
    readonly onTooMuch: () => void,
    private readonly waitingBytes: WaitingBytes = WAITING_BYTES,
  ) {}

  /**
   * Runs work in the next round of the event loop, so that clients and other connections come in between. The work is left out if the
   * connection has ended by then.
   */
  runInTurn(work: () => void): void {
    setImmediate(() => {
      if (!this.isClosed) work();
    });
  }

  /** Counts all bytes that came through the network, including the bytes of TLS, headers and frames. */
  countBytes(length: number): void {
    this.unfinishedBytes += length;
    this.reportMemory();
    // A normal sender needs only a few percent more than the message itself, so twice its greatest size is not normal.
    if (this.unfinishedBytes > 2 * this.limits.maxBytes) this.onTooMuch();
    this.chargeBytes(length);
  }

  /** A message or an answer is complete, so its bytes no longer wait. */
  endMessage(): void {
    this.unfinishedBytes = 0;
    this.reportMemory();
    this.chargeBytes(MESSAGE_BYTES);
  }

  /** Counts a frame or packet without a message, such as a ping. */
  countControlFrame(): void {
    this.chargeBytes(MESSAGE_BYTES);
  }

  /** @param bytes the size of all messages that wait in this connection */
  setWaitingBytes(bytes: number): void {
    this.waitingMessageBytes = bytes;
    this.reportMemory();
  }

  /** @param bytes the size of all received data that the connection keeps */
  setKeptBytes(bytes: number): void {
    this.keptBytes = bytes;
    this.reportMemory();
  }

  private reportMemory(): void {
    this.waitingBytes.set(this, this.isClosed ? 0 : this.unfinishedBytes + this.waitingMessageBytes + this.keptBytes);
  }

  private chargeBytes(bytes: number): void {
    const now = performance.now();
    this.chargedBytes =
      Math.max(0, this.chargedBytes - ((now - this.chargedAt) / 1000) * this.limits.steadyBytes) + bytes;
    this.chargedAt = now;
    if (this.chargedBytes > this.limits.floodBytes) this.onTooMuch();
  }

  close(): void {
    this.isClosed = true;
    this.waitingBytes.set(this, 0);
  }
}
