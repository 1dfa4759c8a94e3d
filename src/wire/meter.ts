// What one connection to a machine or a receiver may send, and what it has cost: the bytes of its sockets, its messages, and time of the process.

import type { Limits } from './connection-limits';
import { type Account, MESSAGE_TURNS, type MessageTurns } from './message-turns';
import { type MemoryUser, WAITING_BYTES, type WaitingBytes } from './waiting-bytes';

/** What a message costs beside its bytes: a million of three bytes each would keep the process busy. */
const MESSAGE_BYTES = 256;

export class Meter implements Account, MemoryUser {
  spentMs = 0;
  private chargedAt = performance.now();
  private chargedBytes = 0;
  /** Bytes of the sockets since the last whole message or answer. */
  private unfinishedBytes = 0;
  /** Bytes of messages that wait until others are heard. */
  private waitingMessageBytes = 0;
  /** Bytes of what was heard, and is remembered as long as the connection lasts. */
  private keptBytes = 0;
  private isClosed = false;

  /** @param onTooMuch ends the connection with TOO_MUCH_DATA */
  constructor(
    private readonly limits: Pick<Limits, 'floodBytes' | 'steadyBytes' | 'maxBytes'>,
    readonly onTooMuch: () => void,
    private readonly turns: MessageTurns = MESSAGE_TURNS,
    private readonly waitingBytes: WaitingBytes = WAITING_BYTES,
  ) {}

  /** The work is done in a turn of this connection, unless the connection is over by then. */
  runInTurn(work: () => void): void {
    this.turns.enqueue(this, () => {
      if (!this.isClosed) work();
    });
  }

  /** Work that the connection makes, in a turn or outside. */
  runCharged<Result>(work: () => Result): Result {
    return this.turns.runCharged(this, work);
  }

  /** Bytes as they came through the network: those of TLS, of heads and of frames are among them. */
  countBytes(length: number): void {
    this.unfinishedBytes += length;
    this.reportMemory();
    // Around a message of the greatest size an honest sender needs a few hundredths more.
    if (this.unfinishedBytes > 2 * this.limits.maxBytes) this.onTooMuch();
    this.chargeBytes(length);
  }

  /** A message is whole, or an answer; its bytes are not held any longer. */
  endMessage(): void {
    this.unfinishedBytes = 0;
    this.reportMemory();
    this.chargeBytes(MESSAGE_BYTES);
  }

  /** A frame or packet without a message, such as a ping. */
  countControlFrame(): void {
    this.chargeBytes(MESSAGE_BYTES);
  }

  /** @param bytes of all messages that wait in this connection */
  setWaitingBytes(bytes: number): void {
    this.waitingMessageBytes = bytes;
    this.reportMemory();
  }

  /** @param bytes of all that is remembered of what this connection heard */
  keeps(bytes: number): void {
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
