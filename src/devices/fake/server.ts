// The network of a fake machine: HTTP with WebSockets on loopback, which can fall silent, drop everybody and come back.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { FakePrint, type Happening, SCRIPT, type Script } from './print';

export interface FakeOptions {
  /** 0: any that is free. */
  port?: number;
  /** What clients must show; null: nothing. */
  secret?: string | null;
  script?: Partial<Script>;
}

interface FakeAnswer {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** A kind of machine speaks with these. */
export abstract class FakeMachine {
  readonly print: FakePrint;
  readonly secret: string | null;
  /** Nothing is answered and nothing is sent, and the sockets stay open. */
  private isSilent = false;
  private readonly server: Server;
  private readonly webSockets = new WebSocketServer({ noServer: true, autoPong: false, perMessageDeflate: false });
  private readonly sockets = new Set<Socket>();
  private clock: NodeJS.Timeout | undefined;

  constructor({ secret = null, script = {} }: FakeOptions) {
    this.secret = secret;
    this.print = new FakePrint({ ...SCRIPT, ...script }, (happening) => this.happened(happening));
    this.server = createServer((request, response) => void this.serve(request, response));
    this.server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
    });
    this.server.on('upgrade', (request, socket, head) => {
      if (this.isSilent) return;
      if (request.url !== this.webSocketPath) return void socket.end('HTTP/1.1 404 Not Found\r\n\r\n');
      this.webSockets.handleUpgrade(request, socket, head, (client) => this.greet(client));
    });
  }

  /** null: it has none. */
  protected abstract readonly webSocketPath: string | null;
  protected abstract answer(request: IncomingMessage, path: string): FakeAnswer;
  protected abstract hear(client: WebSocket, message: unknown): void;
  protected abstract opened(client: WebSocket): void;
  /** Tells the clients of the print. */
  protected abstract happened(happening: Happening): void;
  /** What the program loses when it is started again. */
  protected abstract restarted(): void;

  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Begins a print, and lets time go on by itself, a second each second. */
  run(): void {
    this.print.begin();
    this.clock = setInterval(() => this.print.advance(1), 1000);
  }

  silence(is: boolean): void {
    this.isSilent = is;
  }

  drop(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  restart(): void {
    this.restarted();
    this.drop();
  }

  async close(): Promise<void> {
    clearInterval(this.clock);
    this.drop();
    await new Promise((done) => this.server.close(done));
  }

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
      if (!this.isSilent) this.hear(client, JSON.parse(data.toString()));
    });
    this.opened(client);
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for await (const _ of request.on('error', () => {}));
    if (this.isSilent) return;
    const { status = 200, headers = {}, body } = this.answer(request, request.url ?? '/');
    response.writeHead(status, { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  }
}
