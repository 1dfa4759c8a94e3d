// A small receiver of notifications on this computer, which checks the signature of each message as every receiver can.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export class Receiver {
  /** The signing secret of the target, once there is one. */
  secret: string | null = null;
  private readonly server = createServer(async (request, answer) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const isSigned = this.secret !== null && isSignedWith(this.secret, request.headers, body);
    answer.writeHead(isSigned ? 204 : 401).end();
    if (isSigned) this.received((JSON.parse(body) as { data: { text: string } }).data.text);
  });

  /** @param received gets the text of each message with a right signature */
  constructor(private readonly received: (text: string) => void) {}

  /** @returns its URL */
  async listen(): Promise<string> {
    await new Promise<void>((resolve, reject) => this.server.on('error', reject).listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

/** Standard Webhooks 1.0, with five minutes for the clocks. */
function isSignedWith(secret: string, headers: IncomingHttpHeaders, body: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signatures } = headers;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const own = Buffer.from(`v1,${createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')}`);
  const isOurs = String(signatures)
    .split(' ')
    .some((one) => one.length === own.length && timingSafeEqual(Buffer.from(one), own));
  return isOurs && Math.abs(Date.now() / 1000 - Number(at)) < 300;
}
