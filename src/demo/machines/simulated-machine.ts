// What every fake machine has: a print, a secret, and a server on loopback, which can fall silent, drop everybody and come back.
import type { AddressInfo, Server, Socket } from 'node:net';
import { setInterval } from '../../values/timers';
import { FakePrint, type Happening, SCRIPT, type Script } from './simulated-print';

export interface FakeOptions {
  /** 0: any that is free. */
  port?: number;
  /** What clients must show; null: nothing. */
  secret?: string | null;
  script?: Partial<Script>;
  /** Whether a camera is in the network of the farm (COHN), with a certificate that it signed itself. */
  isInNetwork?: boolean;
}

/** A kind of machine speaks with these. */
export abstract class FakeMachine {
  readonly print: FakePrint;
  readonly secret: string | null;
  /** What a device of this machine has beside its address and its secret. */
  readonly serial: string | null = null;
  readonly certificateFingerprint: string | null = null;
  /** Nothing is answered and nothing is sent, and the sockets stay open. */
  protected isSilent = false;
  private readonly sockets = new Set<Socket>();
  private clock: NodeJS.Timeout | undefined;

  constructor(
    { secret = null, script = {} }: FakeOptions,
    private readonly scheme: string,
    private readonly server: Server,
  ) {
    this.secret = secret;
    this.print = new FakePrint({ ...SCRIPT, ...script }, (happening) => this.happened(happening));
    this.server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
    });
  }

  /** Sends the print to the clients. */
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
    return `${this.scheme}://127.0.0.1:${this.port}`;
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
}
