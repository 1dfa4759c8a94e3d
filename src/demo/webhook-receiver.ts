// Receives notifications on this computer, and checks the signature of each message as any receiver can.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export class Receiver {
  /** The signing secret of the target; `null` until the target exists. */
  secret: string | null = null;
  private readonly server = createServer(async (request, answer) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const isSigned = this.secret !== null && isSignedWith(this.secret, request.headers, body);
    answer.writeHead(isSigned ? 204 : 401).end();
    if (isSigned) this.received((JSON.parse(body) as { data: { text: string } }).data.text);
  });

  /** @param received is called with the text of each message whose signature is correct */
  constructor(private readonly received: (text: string) => void) {}

  /** @returns the URL of the receiver */
  async listen(): Promise<string> {
    await new Promise<void>((resolve, reject) => this.server.on('error', reject).listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

/** Checks a signature as Standard Webhooks 1.0 describes it. The clocks may differ by five minutes. */
function isSignedWith(secret: string, headers: IncomingHttpHeaders, body: string): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signatures } = headers;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = Buffer.from(`v1,${createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')}`);
  const isCorrect = String(signatures)
    .split(' ')
    .some((signature) => signature.length === expected.length && timingSafeEqual(Buffer.from(signature), expected));
  return isCorrect && Math.abs(Date.now() / 1000 - Number(at)) < 300;
}
