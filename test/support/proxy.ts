// Starts a proxy before a gateway: it removes a path, requires Basic credentials, and forwards or refuses WebSockets.
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

interface ProxySettings {
  /** Such as `/farm`. */
  path?: string;
  /** `user:password` */
  basic?: string;
  leadsSockets?: boolean;
}

export async function startProxy(gateway: string, { path = '', basic, leadsSockets = true }: ProxySettings) {
  /** The requests for other paths. */
  const outside: string[] = [];
  const wanted = basic === undefined ? undefined : `Basic ${Buffer.from(basic).toString('base64')}`;
  const passedOn = ({ method, url = '', headers }: IncomingMessage) => {
    return request(gateway + url.slice(path.length), { method, headers });
  };
  const isOutside = ({ url = '' }: IncomingMessage) => !url.startsWith(`${path}/`);
  const isRefused = ({ headers }: IncomingMessage) => wanted !== undefined && headers.authorization !== wanted;
  const server = createServer((asked, answered) => {
    if (isOutside(asked)) {
      outside.push(`${asked.url}`);
      return void answered.writeHead(404).end();
    }
    if (isRefused(asked)) return void answered.writeHead(401, { 'www-authenticate': 'Basic realm="farm"' }).end();
    const passed = passedOn(asked).on('response', (answer) => {
      answered.writeHead(answer.statusCode as number, answer.headers);
      answer.pipe(answered);
    });
    passed.on('error', () => answered.destroy());
    answered.on('close', () => passed.destroy());
    asked.pipe(passed);
  });
  server.on('upgrade', (asked: IncomingMessage, client: Duplex) => {
    if (!leadsSockets || isOutside(asked) || isRefused(asked)) return client.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    const passed = passedOn(asked).on('upgrade', (answer, socket) => {
      const headers = answer.rawHeaders.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('');
      client.write(`HTTP/1.1 101 Switching Protocols\r\n${headers}\r\n`);
      for (const [one, other] of [
        [client, socket],
        [socket, client],
      ] as const) {
        one.pipe(other);
        one.on('error', () => other.destroy());
      }
    });
    passed.on('error', () => client.destroy()).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    outside,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
