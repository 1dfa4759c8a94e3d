// Where the server listens, and how many connections may wait for it.

/**
 * Connections that wait while the process is busy. Node's 511 are few when all clients come back after an outage: those
 * beyond try again after 1, 3, 7 and 15 s. Linux takes no more than 4,096 by default.
 */
const BACKLOG = 4096;

/** For localhost Fastify starts a second server at ::1, which would have no bounds of connections. */
export const listenOptions = (host: string, port: number) => ({
  host: host.toLowerCase() === 'localhost' ? '127.0.0.1' : host,
  port,
  backlog: BACKLOG,
});
