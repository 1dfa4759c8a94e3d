// The memory of bodies: what all of them may take together, and which one is refused when that is not enough. None waits for it.
import type { Readable } from 'node:stream';
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';
import { TooManyRequests } from '../../../errors';

declare module 'fastify' {
  interface FastifyRequest {
    /** Of its body. Undefined without a body that is read. */
    memory: Memory | undefined;
  }
}

/** Bytes of all bodies, and of what is read of them, until they are answered. One with the most values takes 13 MB. */
export const BODY_BYTES = 32 << 20;
/** A body that arrives has this time, when there is no memory for another one. */
const SLOW_MS = 2000;
/** Most bodies are answered within a second. */
const SOON_SECONDS = 1;
/** Any body may have so many pieces, and one more for each PIECE_BYTES: each takes time and this memory, and a chunk may have one byte. */
const FREE_PIECES = 1024;
const PIECE_BYTES = 256;

const refusal = (statusCode: number, message: string) => Object.assign(new Error(message), { statusCode });
const IN_PIECES = refusal(400, 'The body comes in too many small pieces: send it in larger ones');
const SLOW = refusal(408, 'The request took too long to arrive');
/** Nobody gets it. */
const LEFT = refusal(400, 'The client left before its body had arrived');
const noMemory = () =>
  new TooManyRequests('The gateway has no memory for another large body at the moment', SOON_SECONDS);

class Memory {
  bytes = 0;
  /** Ends the arrival; undefined when the body is whole. */
  stop: ((error: Error) => void) | undefined;
  readonly since = performance.now();
}

export class BodyMemory {
  private bytes = 0;
  /** In the order in which they began. */
  private readonly bodies = new Set<Memory>();

  constructor(
    private readonly maxBytes: number,
    /** The length of one body. */
    readonly maxLength: number,
  ) {}

  /** Counts the body of each request until its answer is sent or its connection ends: Node closes no answer that waits behind another one. */
  mount(app: FastifyInstance): void {
    app.decorateRequest('memory');
    app.addHook('preParsing', (request, reply, body, done) => {
      const memory = new Memory();
      const { socket } = request.raw;
      const over = () => {
        reply.raw.off('close', over);
        socket.off('close', over);
        this.remove(memory);
      };
      if (!reply.raw.destroyed && !socket.destroyed) {
        this.bodies.add(memory);
        // A client may send several requests at once.
        socket.setMaxListeners(0);
        reply.raw.once('close', over);
        socket.once('close', over);
      }
      request.memory = memory;
      done(null, body);
    });
  }

  /** The whole body. A client may leave at any byte of it. */
  arrived(request: FastifyRequest, body: Readable): Promise<Buffer> {
    const memory = request.memory as Memory;
    return new Promise((resolve, reject) => {
      if (Number(request.headers['content-length']) > this.maxLength) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
      if (body.destroyed) throw LEFT;
      const pieces: Buffer[] = [];
      let length = 0;
      memory.stop = (error) => {
        memory.stop = undefined;
        pieces.length = 0;
        this.remove(memory);
        // It flows on unread: Node would keep some hundred bytes for each chunk of a paused body.
        body.off('data', take).resume();
        reject(error);
      };
      const take = (piece: Buffer) => {
        length += piece.length;
        if (pieces.push(piece) > FREE_PIECES + length / PIECE_BYTES) memory.stop?.(IN_PIECES);
        else if (length > this.maxLength) memory.stop?.(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
        else if (!this.add(memory, piece.length + PIECE_BYTES)) memory.stop?.(noMemory());
      };
      body
        .on('data', take)
        .once('end', () => {
          memory.stop = undefined;
          resolve(Buffer.concat(pieces.splice(0)));
        })
        .once('error', () => reject(LEFT))
        .once('close', () => reject(LEFT));
    });
  }

  /** Counts what is read of a body, or refuses it. */
  take(request: FastifyRequest, bytes: number): void {
    if (!this.add(request.memory as Memory, bytes)) throw noMemory();
  }

  /** False when there is no room, though slow bodies were given up for it. Any body fits when it is alone. */
  private add(memory: Memory, bytes: number): boolean {
    if (!this.bodies.has(memory)) return true;
    const isSlow = ({ since }: Memory) => performance.now() > since + SLOW_MS;
    for (const oldest of this.bodies) {
      if (this.bytes + bytes <= this.maxBytes) break;
      if (oldest !== memory && oldest.stop !== undefined && isSlow(oldest)) oldest.stop(SLOW);
    }
    if (this.bytes + bytes > this.maxBytes && this.bytes > memory.bytes) return false;
    memory.bytes += bytes;
    this.bytes += bytes;
    return true;
  }

  private remove(memory: Memory): void {
    if (this.bodies.delete(memory)) this.bytes -= memory.bytes;
  }
}
