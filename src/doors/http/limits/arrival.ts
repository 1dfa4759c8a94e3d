// Large bodies: their bytes are bounded for the process, from the first byte to the answer.

import type { ServerResponse } from 'node:http';
import { Transform, type TransformCallback } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Leave, noRoomForBody, Room } from '../../../sharing/room';
import { setInterval } from '../../../values/timers';
import { ARRIVING_BYTES } from './client-memory';
import { countedAddressOf } from './forwarded';
import { askForBody, isUnread } from './unread-bodies';

/** A larger body needs room. */
export const NEEDS_ROOM_FROM = 1 << 16;
/** The memory of a piece of a body beside its bytes. */
const PIECE_BYTES = 256;
/** Any body may have so many pieces, and one more for each PIECE_BYTES: one that comes in far more needs more memory than it has bytes. */
const FREE_PIECES = 1024;
/** A large body that others wait for has this time to arrive. */
const CROWDED_MS = 2000;

declare module 'fastify' {
  interface FastifyRequest {
    /** Set when the request is admitted and its body may be read. */
    response: ServerResponse;
  }
}

const SLOW = Object.assign(new Error('The request took too long to arrive'), { statusCode: 408 });
const IN_PIECES = Object.assign(new Error('The body comes in too many small pieces: send it in larger ones'), {
  statusCode: 400,
});

/** Callers with credentials are distinguished by their credentials, all others by their address. */
export const clientOf = ({ caller, ip }: FastifyRequest): string => caller.name || countedAddressOf(ip);

/** @param waitMs the longest wait for room */
export function boundArrival(app: FastifyInstance, bodyBytes: number, waitMs: number): void {
  const room = new Room(ARRIVING_BYTES);
  /** Waits for room until the answer is sent, and gives up a slow body that others wait for. */
  const enter = async (body: Arriving, bytes: number, request: FastifyRequest): Promise<void> => {
    const client = clientOf(request);
    const leave = await room.enter(client, bytes, waitMs, noRoomForBody);
    const watch = setInterval(() => room.crowds(client) && body.destroy(SLOW), CROWDED_MS).unref();
    body.once('close', () => clearInterval(watch)).once('error', leave);
    whenOver(request, leave);
  };
  app.decorateRequest('response');
  app.addHook('preParsing', (request, reply, body, done) => {
    request.response = reply.raw;
    const { raw, headers, method } = request;
    // What has arrived already is in the buffers of Node. Nobody reads the body of a GET.
    if (!isUnread(raw) || method === 'GET' || method === 'HEAD') return done(null, body);
    const read = (arriving?: Arriving) => {
      askForBody(raw, reply.raw);
      done(null, arriving ? body.pipe(arriving) : body);
    };
    const length = headers['content-length'] === undefined ? undefined : Number(headers['content-length']);
    if (length !== undefined && length <= NEEDS_ROOM_FROM) return read();
    // Fastify refuses a body that is too long by its length.
    if (length !== undefined && length > bodyBytes) return done(null, body);
    const arriving = new Arriving((one) => enter(one, bodyBytes, request));
    body.once('error', (error) => arriving.destroy(error));
    if (length === undefined) return read(arriving);
    arriving.hasRoom = true;
    enter(arriving, length, request).then(() => read(arriving), done);
  });
}

/** A body that is large, or may become so: beyond NEEDS_ROOM_FROM it goes on when there is room for it. */
class Arriving extends Transform {
  hasRoom = false;
  private bytes = 0;
  private pieces = 0;

  constructor(private readonly enter: (body: Arriving) => Promise<void>) {
    super();
  }

  override _transform(piece: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.bytes += piece.length;
    this.pieces += 1;
    if (this.pieces > FREE_PIECES + this.bytes / PIECE_BYTES) return void done(IN_PIECES);
    if (this.hasRoom || this.bytes + this.pieces * PIECE_BYTES <= NEEDS_ROOM_FROM) return void done(null, piece);
    this.hasRoom = true;
    this.enter(this).then(() => done(null, piece), done);
  }
}

/**
 * Gives back when the answer is sent or its connection ends, and at once when the client is gone already. Node closes no answer
 * that waits behind another one on a connection that ends.
 */
export function whenOver({ raw: { socket }, response }: FastifyRequest, giveBack: Leave): void {
  if (response.destroyed || socket.destroyed) return void giveBack();
  const over = () => {
    response.off('close', over);
    socket.off('close', over);
    giveBack();
  };
  // A client may send several requests at once.
  socket.setMaxListeners(0);
  response.once('close', over);
  socket.once('close', over);
}
