// Limits the memory of all request bodies together, and decides which body is refused when the memory is used up. No body waits.
import type { Readable } from 'node:stream';
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';
import { TooManyRequests } from '../../../errors';

declare module 'fastify' {
  interface FastifyRequest {
    /** The memory that its body occupies. Undefined if no body is read. */
    memory: Memory | undefined;
  }
}

/**
 * The bytes of all bodies, and of the values parsed from them, until their requests are answered. A body with the maximum number
 * of values takes 13 MB.
 */
export const BODY_BYTES = 32 << 20;
/** When memory is used up, a body that has been arriving for longer than this is given up for a new body. */
const SLOW_MS = 2000;
/** The suggested wait before a retry: most requests are answered within a second. */
const SOON_SECONDS = 1;
/**
 * A body may arrive in FREE_CHUNKS chunks, plus one for each CHUNK_BYTES of its length. Each chunk costs time and CHUNK_BYTES of
 * memory, and a client may send chunks of one byte.
 */
const FREE_CHUNKS = 1024;
const CHUNK_BYTES = 256;

const makeRefusal = (statusCode: number, message: string) => Object.assign(new Error(message), { statusCode });
const TOO_MANY_CHUNKS = makeRefusal(400, 'The body arrives in too many small pieces. Send it in larger chunks.');
const SLOW = makeRefusal(408, 'The request took too long to arrive');
/** No client gets this error, because the client has left. */
const LEFT = makeRefusal(400, 'The client left before its body had arrived');
const makeNoMemoryError = () =>
  new TooManyRequests('The gateway has no memory for another large body at the moment. Try again soon.', SOON_SECONDS);

class Memory {
  bytes = 0;
  /** Stops receiving the body; undefined when the body is complete. */
  stop: ((error: Error) => void) | undefined;
  readonly since = performance.now();
}

export class BodyMemory {
  private bytes = 0;
  /** The bodies in the order in which they started to arrive. */
  private readonly bodies = new Set<Memory>();

  constructor(
    private readonly maxBytes: number,
    /** The maximum length of one body, in bytes. */
    readonly maxLength: number,
  ) {}

  /**
   * Counts the body of each request until its response is sent or its connection closes. Both events are needed, because Node
   * sends no close event for a response that waits behind another response.
   */
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
        // A client may send several requests on one connection, and each adds a listener.
        socket.setMaxListeners(0);
        reply.raw.once('close', over);
        socket.once('close', over);
      }
      request.memory = memory;
      done(null, body);
    });
  }

  /** Receives a whole body. The client may leave at any byte. */
  receive(request: FastifyRequest, body: Readable): Promise<Buffer> {
    const memory = request.memory as Memory;
    return new Promise((resolve, reject) => {
      if (Number(request.headers['content-length']) > this.maxLength) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
      if (body.destroyed) throw LEFT;
      const chunks: Buffer[] = [];
      let length = 0;
      memory.stop = (error) => {
        memory.stop = undefined;
        chunks.length = 0;
        this.remove(memory);
        // The body continues to flow unread, because Node would keep some hundred bytes for each chunk of a paused body.
        body.off('data', take).resume();
        reject(error);
      };
      const take = (piece: Buffer) => {
        length += piece.length;
        if (chunks.push(piece) > FREE_CHUNKS + length / CHUNK_BYTES) memory.stop?.(TOO_MANY_CHUNKS);
        else if (length > this.maxLength) memory.stop?.(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
        else if (!this.add(memory, piece.length + CHUNK_BYTES)) memory.stop?.(makeNoMemoryError());
      };
      body
        .on('data', take)
        .once('end', () => {
          memory.stop = undefined;
          resolve(Buffer.concat(chunks.splice(0)));
        })
        .once('error', () => reject(LEFT))
        .once('close', () => reject(LEFT));
    });
  }

  /** Counts the values parsed from a body; throws if there is no memory for them. */
  take(request: FastifyRequest, bytes: number): void {
    if (!this.add(request.memory as Memory, bytes)) throw makeNoMemoryError();
  }

  /** Counts bytes; returns false if they do not fit, even after slow bodies were given up. A body that is alone always fits. */
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
