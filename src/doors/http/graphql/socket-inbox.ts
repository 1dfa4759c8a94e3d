// Decides when the messages of a WebSocket are read: in order, in turns with other sockets, and within limits of number and bytes.
import type { Socket } from 'node:net';
import type { WebSocket } from '@fastify/websocket';
import { startInRounds } from '../../../sharing/turns';
import type { ClientMemory } from '../limits/client-memory';
import { LONG_FROM } from '../request-bodies';

/** How many messages of one socket may be in work at the same time. At the limit, the socket is paused. */
const MAX_IN_WORK = 32;
/** How many bytes the messages of one socket that wait or are in work may have. Above the limit, the socket is paused. */
const MAX_BYTES = 1 << 18;

export class Inbox {
  private readonly waiting: Buffer[] = [];
  private bytes = 0;
  private inWork = 0;
  /** Whether messages are waiting, or a large message is in work. */
  private isTaking = false;

  /** @param work starts the work on a message before it returns, and never rejects; a large message may wait for its turn first */
  constructor(
    private readonly socket: WebSocket,
    private readonly net: Socket,
    private readonly clientMemory: ClientMemory,
    private readonly work: (data: Buffer) => Promise<void>,
  ) {}

  put(data: Buffer): void {
    this.waiting.push(data);
    this.bytes += data.length;
    this.recount();
    if (!this.isTaking) this.takeNext();
    this.brake();
  }

  /** Called when a frame is complete. From then on only the waiting messages count, not the received bytes. */
  recount(): void {
    this.clientMemory.forget(this.net);
    if (this.bytes > 0) this.clientMemory.add(this.net, this.bytes);
  }

  /** Counts `work` as a message in work until its promise is settled. */
  async during<T>(work: Promise<T>): Promise<T> {
    this.inWork += 1;
    if (this.inWork === MAX_IN_WORK) this.brake();
    try {
      return await work;
    } finally {
      this.inWork -= 1;
      this.brake();
    }
  }

  private takeNext(): void {
    this.isTaking = this.waiting.length > 0;
    if (!this.isTaking) {
      this.brake();
      return;
    }
    startInRounds(() => {
      const data = this.waiting.shift() as Buffer;
      const isGone = this.socket.readyState === this.socket.CLOSED;
      const done = this.during(isGone ? Promise.resolve() : this.work(data)).finally(() => {
        this.bytes -= data.length;
        this.clientMemory.release(this.net, data.length);
        this.brake();
      });
      // The next message waits until a large message is answered.
      if (data.length > LONG_FROM) done.then(() => this.takeNext());
      else this.takeNext();
    });
  }

  private brake(): void {
    const isFull = this.isTaking || this.bytes > MAX_BYTES || this.inWork >= MAX_IN_WORK;
    if (isFull && !this.socket.isPaused) this.socket.pause();
    else if (!isFull && this.socket.isPaused) this.socket.resume();
  }
}
