// Opens the WebSockets of Spoolman's API: changes of spools, filaments and vendors, and scans of tags.
import type { WebSocket } from '@fastify/websocket';
import type { FastifyRequest } from 'fastify';
import { Unavailable } from '../../errors';
import type { ChangeEvents, Resource } from '../spoolman/change-events';
import type { TagScans } from '../spoolman/tag-scans';

/** Clients that lose their sockets connect again, so a farm with more clients than this gets 503, not a full memory. */
const MAX_SOCKETS = 1000;
/** The number of bytes that may wait for a client. */
const MAX_UNREAD_BYTES = 1 << 20;
/** The close codes of RFC 6455, 7.4.1, and of IANA's registry for a client that should try again later. */
const POLICY_VIOLATION = 1008;
const INTERNAL_ERROR = 1011;
const TRY_AGAIN_LATER = 1013;
/** A text of a client is answered at most once in this time. */
const HEALTH_MS = 1000;
const HEALTHY = '{"status":"healthy"}';

/** What a socket listens to. */
export type SocketTopic = { resource: Resource | null; id: number | null } | { readerId: string | null };

/** @returns null if there is no WebSocket at this path below /api/v1 */
export function readSocketTopic(path: string): SocketTopic | null {
  if (path === '/') return { resource: null, id: null };
  const [, resource, id] = /^\/(spool|filament|vendor)(?:\/(\d{1,15}))?$/.exec(path) ?? [];
  if (resource !== undefined) return { resource: resource as Resource, id: id === undefined ? null : Number(id) };
  const [isScan, readerId] = /^\/tag\/scan(?:\/([A-Za-z0-9._:-]{1,64}))?$/.exec(path) ?? [];
  return isScan === undefined ? null : { readerId: readerId ?? null };
}

export class SpoolmanSockets {
  private open = 0;

  constructor(
    private readonly events: ChangeEvents,
    private readonly scans: TagScans,
  ) {}

  /** Called before the handshake is answered: a client that is connected misses nothing. */
  async admit(topic: SocketTopic): Promise<void> {
    if (this.open >= MAX_SOCKETS) throw new Unavailable('too many WebSockets are open', 'SOCKETS');
    if ('resource' in topic) await this.events.ready();
  }

  serve(socket: WebSocket, { caller }: FastifyRequest, topic: SocketTopic): void {
    this.open += 1;
    const send = (text: string) => {
      if (caller.expiresAt !== null && caller.expiresAt <= Date.now()) return socket.close(POLICY_VIOLATION);
      if (socket.bufferedAmount > MAX_UNREAD_BYTES) {
        // A client that does not read would not answer the close frame either.
        socket.close(TRY_AGAIN_LATER, 'This client reads too slowly');
        stop();
        return;
      }
      if (socket.readyState === socket.OPEN) socket.send(text);
    };
    const stop =
      'resource' in topic
        ? this.events.listen({ ...topic, send, fail: () => socket.close(INTERNAL_ERROR, 'Connect again') })
        : this.scans.listen({ ...topic, send });
    let answeredAt = Number.NEGATIVE_INFINITY;
    socket.on('message', () => {
      if (performance.now() - answeredAt < HEALTH_MS) return;
      answeredAt = performance.now();
      send(HEALTHY);
    });
    // ws closes the connection after an error.
    socket.on('error', () => {});
    socket.once('close', () => {
      this.open -= 1;
      stop();
    });
  }
}
