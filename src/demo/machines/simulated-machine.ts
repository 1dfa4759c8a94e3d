// Provides what every simulated machine has: a print, a secret, and a server on loopback that can stop answering, drop its clients and restart.
import type { AddressInfo, Server, Socket } from 'node:net';
import { setInterval } from '../../values/timers';
import { drawPicture } from './preview-picture';
import { FakePrint, type PrintEvent, SCRIPT, type Script } from './simulated-print';

export interface FakeOptions {
  /** The port to listen on; 0 for any free port. */
  port?: number;
  /** The secret that clients must send; `null` if they need none. */
  secret?: string | null;
  script?: Partial<Script>;
  /** Whether a camera is in the network of the farm (COHN). It then has a self-signed certificate. */
  isInNetwork?: boolean;
}

/** A simulated machine of any kind. */
export abstract class FakeMachine {
  readonly print: FakePrint;
  readonly secret: string | null;
  /** The serial number and the fingerprint that a device of this machine needs beside its address and secret; `null` if it needs none. */
  readonly serial: string | null = null;
  readonly certificateFingerprint: string | null = null;
  /** The preview picture of the printed file, for kinds that have one; `null` for a file without a picture. */
  picture: Buffer | null;
  /** While this is true, the machine sends nothing, and its sockets stay open. */
  protected isSilent = false;
  private readonly sockets = new Set<Socket>();
  private clock: NodeJS.Timeout | undefined;

  constructor(
    { secret = null, script = {} }: FakeOptions,
    private readonly scheme: string,
    private readonly server: Server,
  ) {
    this.secret = secret;
    this.print = new FakePrint({ ...SCRIPT, ...script }, (event) => this.handlePrintEvent(event));
    this.picture = drawPicture(this.print.script.file);
    this.server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
    });
  }

  /** Sends the state of the print to the clients. */
  protected abstract handlePrintEvent(event: PrintEvent): void;
  /** Clears what the program loses when it restarts. */
  protected abstract loseState(): void;

  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `${this.scheme}://127.0.0.1:${this.port}`;
  }

  /** Starts a print, which from now on advances in real time. */
  run(): void {
    this.print.start();
    this.clock = setInterval(() => this.print.advance(1), 1000);
  }

  setSilent(isSilent: boolean): void {
    this.isSilent = isSilent;
  }

  drop(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  restart(): void {
    this.loseState();
    this.drop();
  }

  async close(): Promise<void> {
    clearInterval(this.clock);
    this.drop();
    await new Promise((done) => this.server.close(done));
  }
}
