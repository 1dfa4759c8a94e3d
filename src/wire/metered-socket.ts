// The socket to a machine or a receiver as libraries get it: what comes is counted, and handed over in turns with other connections.
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setTimeout } from '../values/timers';
import type { Meter } from './meter';

/** What is handed over in one turn. One byte of a message can cost six of HTTP, 22 of TLS or 3 of a WebSocket. */
const TURN_BYTES = 8192;
/** The other end reads nothing for so long: what the gateway has to say would wait without a bound. */
const UNREAD_MS = 30_000;

/** The library that reads it decides when more is read from the network: one that must wait is not heard either. */
export class MeteredSocket extends Duplex {
  /** What came and was not handed over. */
  private pendingBytes: Buffer | null = null;
  private isReadRequested = false;
  private isTurnRequested = false;
  /** The network's socket may end first: its last data are handed over before its end, because they may hold the reason. */
  private delayedEnds: (() => void)[] = [];

  constructor(
    private readonly raw: Socket,
    private readonly meter: Meter,
  ) {
    super({ allowHalfOpen: false });
    raw.on('data', (bytes) => {
      raw.pause();
      this.pendingBytes = bytes;
      this.handOver();
    });
    raw.on('end', () => this.runAfterPendingBytes(() => this.push(null)));
    raw.on('error', (error) => this.destroy(error));
    raw.on('close', () => this.runAfterPendingBytes(() => this.destroy()));
    raw.pause();
  }

  override _read(): void {
    this.isReadRequested = true;
    this.handOver();
  }

  private handOver(): void {
    if (!this.isReadRequested || this.isTurnRequested || this.destroyed) return;
    if (this.pendingBytes === null) {
      this.raw.resume();
      return;
    }
    this.isTurnRequested = true;
    this.meter.runInTurn(() => {
      this.isTurnRequested = false;
      if (this.destroyed || this.pendingBytes === null) return;
      const bytes = this.pendingBytes.subarray(0, TURN_BYTES);
      this.pendingBytes = this.pendingBytes.length > bytes.length ? this.pendingBytes.subarray(bytes.length) : null;
      this.isReadRequested = false;
      this.meter.countBytes(bytes.length);
      if (!this.destroyed) this.push(bytes);
      if (this.pendingBytes === null) for (const end of this.delayedEnds.splice(0)) this.meter.runInTurn(end);
    });
  }

  private runAfterPendingBytes(end: () => void): void {
    if (this.pendingBytes === null) end();
    else this.delayedEnds.push(end);
  }

  override _write(bytes: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    const timer = setTimeout(() => this.meter.onTooMuch(), UNREAD_MS);
    this.raw.write(bytes, encoding, (error) => {
      clearTimeout(timer);
      done(error);
    });
  }

  override _final(done: () => void): void {
    // The other end may have closed it before: that is no failure.
    this.raw.end(() => done());
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.pendingBytes = null;
    this.raw.destroy();
    done(error);
  }
}
