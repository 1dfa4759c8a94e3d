// Starts receivers of notifications on loopback that keep what they received and answer as the test says.
import type { IncomingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
import { startHttpServer, startHttpsServer } from './hostile-machine';

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receiver {
  url: string;
  received: ReceivedRequest[];
  /** How it answers from now on. */
  answer: (answer: ServerResponse, heard: ReceivedRequest) => void;
}

export const answerWith =
  (status: number, headers: Record<string, string> = {}) =>
  (answer: ServerResponse) =>
    void answer.writeHead(status, headers).end('words of the receiver');

/** Answers as ntfy does for a message that it has stored. */
export const answerAsNtfy = (answer: ServerResponse) =>
  void answer
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ id: 'hwQ2YpKdmg', time: 1635528741, event: 'message', topic: 'topic', message: 'x' }));

/** A receiver that accepts everything. `closeServers` closes it. */
export async function startReceiver(certificate?: { key: Buffer; cert: Buffer }): Promise<Receiver> {
  const self: Receiver = { url: '', received: [], answer: answerWith(204) };
  const listener: RequestListener = (request, answer) => {
    let body = '';
    request.on('data', (part) => {
      body += part;
    });
    request.on('end', () => {
      const heard = { method: String(request.method), path: String(request.url), headers: request.headers, body };
      self.received.push(heard);
      self.answer(answer, heard);
    });
  };
  const address = await (certificate ? startHttpsServer(certificate, listener) : startHttpServer(listener));
  self.url = `${certificate ? 'https' : 'http'}://${address}`;
  return self;
}
