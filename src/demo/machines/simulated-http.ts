// Provides the network of a simulated machine with HTTP and WebSockets.
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type WebSocket, WebSocketServer } from 'ws';
import { FakeMachine, type FakeOptions } from './simulated-machine';

export interface FakeAnswer {
  status?: number;
  headers?: Record<string, string>;
  /** JSON, or bytes of any type. */
  body?: unknown;
}

export abstract class FakeHttpMachine extends FakeMachine {
  private readonly webSockets = new WebSocketServer({ noServer: true, autoPong: false, perMessageDeflate: false });

  /** @param certificate the certificate and its key in PEM; `null` for a machine without TLS */
  constructor(options: FakeOptions, certificate: { key: string; cert: string } | null = null) {
    const serve: RequestListener = (request, response) => this.serve(request, response);
    const server = certificate === null ? createServer(serve) : createTlsServer(certificate, serve);
    super(options, certificate === null ? 'http' : 'https', server);
    server.on('upgrade', (request, socket, head) => {
      socket.on('error', () => {});
      if (this.isSilent) return;
      if (request.url !== this.webSocketPath) return void socket.end('HTTP/1.1 404 Not Found\r\n\r\n');
      this.webSockets.handleUpgrade(request, socket, head, (client) => this.greet(client));
    });
  }

  /** The path of the WebSocket; `null` if the machine has no WebSocket. */
  protected abstract readonly webSocketPath: string | null;
  protected abstract answer(request: IncomingMessage, path: string): FakeAnswer;
  protected handleMessage(_client: WebSocket, _message: unknown): void {}
  protected opened(_client: WebSocket): void {}

  protected get clients(): Set<WebSocket> {
    return this.webSockets.clients;
  }

  protected send(client: WebSocket, message: unknown): void {
    if (!this.isSilent) client.send(JSON.stringify(message));
  }

  private greet(client: WebSocket): void {
    client.on('error', () => {});
    client.on('ping', (data) => {
      if (!this.isSilent) client.pong(data);
    });
    client.on('message', (data: Buffer) => {
      if (!this.isSilent) this.read(client, data);
    });
    this.opened(client);
  }

  /** Reads a message. If another program sends something wrong, only its connection ends, not the machine. */
  private read(client: WebSocket, data: Buffer): void {
    try {
      this.handleMessage(client, JSON.parse(data.toString()));
    } catch {
      client.close(1003);
    }
  }

  private serve(request: IncomingMessage, response: ServerResponse): void {
    request.on('error', () => {}).on('end', () => this.finish(request, response));
    request.resume();
  }

  private finish(request: IncomingMessage, response: ServerResponse): void {
    if (this.isSilent) return;
    const { status = 200, headers = {}, body } = this.answerSafely(request);
    response.writeHead(status, { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers });
    response.end(body === undefined || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  }

  private answerSafely(request: IncomingMessage): FakeAnswer {
    try {
      return this.answer(request, request.url ?? '/');
    } catch {
      return { status: 400 };
    }
  }
}
