// Where the server listens, how many connections may wait for it, and why it cannot listen.

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

/** Names the next step. */
export function listenFailure(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const sentences: Record<string, string> = {
    EADDRINUSE: `The port ${port} of ${host} is in use by another program: stop that one, or set PORT to another port.`,
    EACCES: `This account may not use the port ${port}: set PORT to 1024 or higher.`,
    EADDRNOTAVAIL: `HOST ${host} is no address of this machine: set HOST to one of its addresses.`,
    ENOTFOUND: `HOST ${host} is an unknown name: set HOST to an address of this machine.`,
    EAI_AGAIN: `HOST ${host} is a name that cannot be looked up: set HOST to an address of this machine.`,
  };
  const sentence =
    sentences[error.code ?? ''] ?? `The gateway cannot listen at ${host}: ${error.message.replace(/\.$/, '')}.`;
  return new Error(sentence, { cause: error });
}
