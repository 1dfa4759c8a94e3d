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
  private rest: Buffer | null = null;
  private isWanted = false;
  private isWaiting = false;
  /** The network's socket may end first: its last data are handed over before its end, because they may hold the reason. */
  private endings: (() => void)[] = [];

  constructor(
    private readonly raw: Socket,
    private readonly meter: Meter,
  ) {
    super({ allowHalfOpen: false });
    raw.on('data', (bytes) => {
      raw.pause();
      this.rest = bytes;
      this.handOver();
    });
    raw.on('end', () => this.behindRest(() => this.push(null)));
    raw.on('error', (error) => this.destroy(error));
    raw.on('close', () => this.behindRest(() => this.destroy()));
    raw.pause();
  }

  override _read(): void {
    this.isWanted = true;
    this.handOver();
  }

  private handOver(): void {
    if (!this.isWanted || this.isWaiting || this.destroyed) return;
    if (this.rest === null) {
      this.raw.resume();
      return;
    }
    this.isWaiting = true;
    this.meter.inTurn(() => {
      this.isWaiting = false;
      if (this.destroyed || this.rest === null) return;
      const bytes = this.rest.subarray(0, TURN_BYTES);
      this.rest = this.rest.length > bytes.length ? this.rest.subarray(bytes.length) : null;
      this.isWanted = false;
      this.meter.bytes(bytes.length);
      if (!this.destroyed) this.push(bytes);
      if (this.rest === null) for (const end of this.endings.splice(0)) this.meter.inTurn(end);
    });
  }

  private behindRest(end: () => void): void {
    if (this.rest === null) end();
    else this.endings.push(end);
  }

  override _write(bytes: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    const timer = setTimeout(() => this.meter.tooMuch(), UNREAD_MS);
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
    this.rest = null;
    this.raw.destroy();
    done(error);
  }
}
