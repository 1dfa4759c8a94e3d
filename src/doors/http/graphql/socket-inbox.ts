// The messages of one WebSocket that wait or are worked on: counted, in order, in turns with other sockets.
import type { Socket } from 'node:net';
import type { WebSocket } from '@fastify/websocket';
import { beginInRounds } from '../../../sharing/turns';
import type { HeldBytes } from '../limits/client-memory';
import { LONG_FROM } from '../request-bodies';

/** Messages of one socket that are worked on at the same time. Beyond them the socket is not read. */
const MAX_IN_WORK = 32;
/** Bytes of the messages of one socket that wait or are worked on. Beyond them the socket is not read. */
const MAX_BYTES = 1 << 18;

export class Inbox {
  private readonly waiting: Buffer[] = [];
  private bytes = 0;
  private inWork = 0;
  /** Messages wait, or a large one is worked on. */
  private isTaking = false;

  /** @param work begins the work on a message before it returns, and never fails; a large message may wait for its turn first */
  constructor(
    private readonly socket: WebSocket,
    private readonly net: Socket,
    private readonly held: HeldBytes,
    private readonly work: (data: Buffer) => Promise<void>,
  ) {}

  put(data: Buffer): void {
    this.waiting.push(data);
    this.bytes += data.length;
    this.recount();
    if (!this.isTaking) this.takeNext();
    this.brake();
  }

  /** A frame is whole: only the messages are held still. */
  recount(): void {
    this.held.forget(this.net);
    if (this.bytes > 0) this.held.add(this.net, this.bytes);
  }

  /** Counts as a message in work until the promise is settled. */
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
    beginInRounds(() => {
      const data = this.waiting.shift() as Buffer;
      const isGone = this.socket.readyState === this.socket.CLOSED;
      const done = this.during(isGone ? Promise.resolve() : this.work(data)).finally(() => {
        this.bytes -= data.length;
        this.held.taken(this.net, data.length);
        this.brake();
      });
      // A large message is answered before the next one begins.
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
