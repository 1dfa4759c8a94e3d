// Receivers of notifications on loopback: what they heard, and how they answer.
import type { IncomingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
import { httpServer, httpsServer } from './hostile-machine';

export interface Heard {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receiver {
  url: string;
  heard: Heard[];
  /** How it answers from now on. */
  answer: (answer: ServerResponse, heard: Heard) => void;
}

export const answering =
  (status: number, headers: Record<string, string> = {}) =>
  (answer: ServerResponse) =>
    void answer.writeHead(status, headers).end('words of the receiver');

/** As ntfy answers a message that it has stored. */
export const answeringAsNtfy = (answer: ServerResponse) =>
  void answer
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ id: 'hwQ2YpKdmg', time: 1635528741, event: 'message', topic: 'topic', message: 'x' }));

/** It takes what comes. It is closed with `closeServers`. */
export async function receiver(certificate?: { key: Buffer; cert: Buffer }): Promise<Receiver> {
  const self: Receiver = { url: '', heard: [], answer: answering(204) };
  const listener: RequestListener = (request, answer) => {
    let body = '';
    request.on('data', (part) => {
      body += part;
    });
    request.on('end', () => {
      const heard = { method: String(request.method), path: String(request.url), headers: request.headers, body };
      self.heard.push(heard);
      self.answer(answer, heard);
    });
  };
  const address = await (certificate ? httpsServer(certificate, listener) : httpServer(listener));
  self.url = `${certificate ? 'https' : 'http'}://${address}`;
  return self;
}
