// Wraps the socket to a machine or a receiver for libraries: it counts received bytes, and passes them on in turns with other connections.
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setTimeout } from '../values/timers';
import type { Meter } from './meter';

/** The bytes that are passed on in one turn. One byte of a message can arrive with 6 more bytes of HTTP, 22 of TLS or 3 of a WebSocket. */
const TURN_BYTES = 8192;
/** If the other end reads nothing for this long, the connection ends. Otherwise data to send would pile up without a limit. */
const UNREAD_MS = 30_000;

/** The library that reads this socket decides when more is read from the network: while the library waits, the network waits too. */
export class MeteredSocket extends Duplex {
  /** Received bytes that were not passed on yet. */
  private pendingBytes: Buffer | null = null;
  private isReadRequested = false;
  private isTurnRequested = false;
  /** What to do at the end of the network's socket. The last data are passed on first, because they may contain the reason of the end. */
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
    // It is no failure if the other end closed the socket before.
    this.raw.end(() => done());
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.pendingBytes = null;
    this.raw.destroy();
    done(error);
  }
}
