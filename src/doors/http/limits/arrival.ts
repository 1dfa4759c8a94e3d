// Which bodies may arrive now: the bytes of large ones are bounded for the process, and the number of unfinished ones for strangers.
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyRequest, RequestPayload } from 'fastify';
import { TooManyRequests } from '../../../errors';
import { type Leave, noRoomForBody, Room } from '../../../sharing/room';
import { setInterval } from '../../../values/timers';
import { countedAddressOf } from './forwarded';
import { ARRIVING_BYTES } from './memory';
import { giveUp, PIECE_BYTES, refusalOf } from './pieces';
import { askForBody, isUnread } from './unread';

/** A larger body needs room. */
export const LARGE = 1 << 16;
/** Unfinished bodies of callers without credentials, of one address and of all: each holds up to LARGE bytes. */
const MAX_OF_ADDRESS = 128;
const MAX_OF_STRANGERS = 512;
/** A body that others wait for has this time to arrive. */
const CROWDED_MS = 2000;

declare module 'fastify' {
  interface FastifyRequest {
    /** Set when the request is admitted and its body may be read. */
    response: ServerResponse;
  }
}

const SLOW = Object.assign(new Error('The request took too long to arrive'), { statusCode: 408 });

const CROWDED = new TooManyRequests('Too many requests without credentials have not arrived yet');

/** Callers with credentials are told apart by them, all others by their address. */
export const clientOf = ({ caller, ip }: FastifyRequest): string => caller.name || countedAddressOf(ip);

/** @param waitMs the longest wait for room @param clock milliseconds of a clock that is not set */
export function boundArrival(
  app: FastifyInstance,
  bodyBytes: number,
  waitMs: number,
  clock = () => performance.now(),
): void {
  const room = new Room(ARRIVING_BYTES);
  const strangers = new Strangers();
  /** Waits for room until the answer is sent, and gives up a slow body that others wait for. */
  const enter = async (client: string, bytes: number, body: RequestPayload, request: FastifyRequest): Promise<void> => {
    const leave = await room.enter(client, bytes, waitMs, noRoomForBody);
    const watch = setInterval(() => room.crowds(client) && giveUp(request.raw, SLOW), CROWDED_MS).unref();
    body.once('end', () => clearInterval(watch));
    whenOver(request, () => {
      clearInterval(watch);
      leave();
    });
  };
  app.decorateRequest('response');
  app.addHook('preParsing', (request, reply, body, done) => {
    request.response = reply.raw;
    const { raw, headers, method } = request;
    const refusal = refusalOf(raw);
    if (refusal) return done(refusal as FastifyError);
    const length = Number(headers['content-length'] ?? LARGE);
    // What has arrived already is in the buffers of Node. Nobody reads the body of a GET, nor one that is too long.
    if (!isUnread(raw) || method === 'GET' || method === 'HEAD' || length > bodyBytes) return done(null, body);
    const client = clientOf(request);
    if (request.caller.name === '') {
      const end = strangers.begin(client, clock(), () => giveUp(raw, SLOW));
      // A short body comes in the packet of its head, and is there when this turn of the event loop is over.
      if (!end) return void setImmediate(() => done(raw.complete ? (refusalOf(raw) as FastifyError) : CROWDED, body));
      body.once('end', end);
      whenOver(request, end);
    }
    const begin = () => {
      // It may have been given up while it waited.
      const refusal = refusalOf(raw);
      if (refusal) return done(refusal as FastifyError);
      askForBody(raw, reply.raw);
      done(null, body);
    };
    if (length > LARGE) return void enter(client, length, body, request).then(begin, done);
    if (headers['content-length'] === undefined) watchChunks(body, () => enter(client, bodyBytes, body, request));
    begin();
  });
}

/** Reads no more than LARGE bytes of a body of unknown length before there is room. */
function watchChunks(body: RequestPayload, enter: () => Promise<void>): void {
  let bytes = 0;
  const count = ({ length }: Buffer) => {
    bytes += length + PIECE_BYTES;
    if (bytes <= LARGE) return;
    body.on('error', () => {});
    body.off('data', count);
    body.pause();
    enter().then(
      () => body.resume(),
      (error) => body.emit('error', error),
    );
  };
  body.on('data', count);
}

/** What the requests of each connection give back at its end. */
const untilClose = new WeakMap<Socket, Set<Leave>>();

/**
 * Gives back when the answer is sent or its connection ends, and at once when the client is gone already. Node closes no answer
 * that waits behind another one on a connection that ends.
 */
export function whenOver({ raw: { socket }, response }: FastifyRequest, giveBack: Leave): void {
  if (response.destroyed || socket.destroyed) {
    giveBack();
    return;
  }
  const open = untilClose.get(socket) ?? new Set();
  if (!untilClose.has(socket)) {
    untilClose.set(socket, open);
    socket.once('close', () => {
      for (const each of open) each();
    });
  }
  open.add(giveBack);
  response.once('close', () => {
    open.delete(giveBack);
    giveBack();
  });
}

interface Unfinished {
  since: number;
  giveUp(): void;
  end: Leave;
}

/** Counts the unfinished bodies of callers without credentials. */
class Strangers {
  /** In the order of their beginnings. */
  private readonly all = new Set<Unfinished>();
  private readonly ofAddress = new Map<string, Set<Unfinished>>();

  /** Where all places are taken, the longest unfinished body makes room. @returns undefined when none is slow */
  begin(address: string, since: number, giveUp: () => void): Leave | undefined {
    const own = this.ofAddress.get(address) ?? new Set();
    const crowd = own.size >= MAX_OF_ADDRESS ? own : this.all;
    if (crowd === own || crowd.size >= MAX_OF_STRANGERS) {
      const [longest] = crowd;
      if (!longest || since - longest.since <= CROWDED_MS) return undefined;
      longest.end();
      longest.giveUp();
    }
    const end = () => {
      this.all.delete(one);
      own.delete(one);
      if (own.size === 0 && this.ofAddress.get(address) === own) this.ofAddress.delete(address);
    };
    const one: Unfinished = { since, giveUp, end };
    this.all.add(one);
    this.ofAddress.set(address, own.add(one));
    return end;
  }
}
