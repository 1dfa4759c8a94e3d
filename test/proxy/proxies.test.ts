// The recipes of docs/guides/proxy.md, as they are on the page: a path, Basic authentication, ids, streams, WebSockets, compression, floods.
import { connect, type Socket } from 'node:net';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { createClient as createGatewayClient } from '../../src/client/client';
import { generateApiKey } from '../../src/doors/auth/api-keys';
import { FarmChangesDocument } from '../../src/generated/operations';
import { pathOf } from '../support/programs';
import { type RunningGateway, runGateway } from '../support/running-gateway';
import { makeShownFarm } from '../support/shown-farm';
import { is, until } from '../support/waiting';
import { BASIC, type RunningProxy, startCaddy, startNginx } from './proxies';

const owner = generateApiKey('owner', 'read+write');
const credentials = { authorization: BASIC, 'x-api-key': owner.key };

const nginx = { name: 'nginx', start: startNginx, isThere: true };
const caddy = { name: 'Caddy', start: startCaddy, isThere: pathOf('caddy') !== undefined };

for (const { name, start, isThere } of [nginx, caddy]) {
  (isThere ? describe : describe.skip)(name, () => {
    let gateway: RunningGateway;
    let proxy: RunningProxy;
    let farm: Awaited<ReturnType<typeof makeShownFarm>>;

    beforeAll(async () => {
      const NODE_OPTIONS = '--max-old-space-size=160';
      gateway = await runGateway({ API_KEYS: owner.entry, TRUSTED_PROXIES: '127.0.0.1', NODE_OPTIONS });
      proxy = await start(gateway.url);
      farm = await makeShownFarm(proxy.url, credentials);
    });
    afterAll(async () => {
      await proxy?.stop();
      await gateway?.stop();
    });

    const get = (path: string, headers: Record<string, string> = {}) =>
      fetch(proxy.url + path, { headers: { ...credentials, ...headers } });

    test('a request without the name and password of the proxy is refused', async () => {
      const response = await fetch(`${proxy.url}/`);
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([
        401,
        expect.stringMatching(/^Basic realm=/),
      ]);
    });

    test.each(['/', '/jobs/1/edit', '/graphql', '/openapi'])(
      'the files of the page %s arrive, compressed',
      async (path) => {
        const page = await get(path, { accept: 'text/html' });
        const links = [...(await page.text()).matchAll(/(?:href|src)="([^"#]+)"/g)];
        expect(links.length).toBeGreaterThan(2);
        for (const [, link] of links) {
          const file = new URL(link as string, page.url).href;
          expect(file.startsWith(`${proxy.url}/`)).toBe(true);
          const answer = await fetch(file, { headers: { ...credentials, 'accept-encoding': 'gzip' } });
          const encoding = answer.headers.get('content-encoding');
          expect([file, answer.status, encoding]).toEqual([
            file,
            200,
            (await answer.text()).length > 2000 ? 'gzip' : encoding,
          ]);
        }
      },
    );

    test('a body that is too large is answered with 413, whether its length is announced or not, and an unknown path with 404', async () => {
      const body = Buffer.alloc(3 << 20, ' ');
      const sent = (body: Buffer | ReadableStream) =>
        fetch(`${proxy.url}/api/printjobs`, {
          method: 'POST',
          headers: credentials,
          body,
          duplex: 'half',
        } as RequestInit);
      expect((await sent(body)).status).toBe(413);
      expect((await sent(new Blob([body]).stream())).status).toBe(413);
      expect((await get('/api/nothing')).status).toBe(404);
    });

    test('Location leads to the new job', async () => {
      const { PrinterId, SpoolId } = await (await get(`/api/printjobs/${await farm.makeJob('Hook')}`)).json();
      const created = await fetch(`${proxy.url}/api/printjobs`, {
        method: 'POST',
        headers: credentials,
        body: JSON.stringify({ PrinterId, SpoolId, DataSource: 'Manual', PrintName: 'Clip' }),
      });
      const location = new URL(created.headers.get('location') ?? '', created.url).href;
      const found = await fetch(location, { headers: credentials });
      expect([created.status, location.startsWith(`${proxy.url}/api/printjobs/`), found.status]).toEqual([
        201,
        true,
        200,
      ]);
    });

    test('an event stream delivers a change when it happens', async () => {
      const states: string[] = [];
      const stop = new AbortController();
      const client = createGatewayClient({ url: `${proxy.url}/graphql`, headers: credentials });
      const onState = (state: string) => {
        states.push(state);
        void farm.makeCamera('streamed');
      };
      const options = { signal: stop.signal, onState };
      for await (const { changes } of client.subscribe(FarmChangesDocument, {}, options)) {
        // A job of the test before may be told behind the begin: transactions of other databases of the server hold the feed back.
        if (changes.__typename === 'CameraChanged') stop.abort();
      }
      expect(states).toEqual(['connected']);
    });

    test('a WebSocket delivers a change', async () => {
      class WithCredentials extends WebSocket {
        constructor(url: string, protocols: string[]) {
          super(url, protocols, { headers: { authorization: credentials.authorization } });
        }
      }
      const latest = await get(`/graphql?query=${encodeURIComponent('{ latestChangeCursor }')}`);
      const { latestChangeCursor: after } = (await latest.json()).data;
      const client = createClient({
        url: `${proxy.url.replace('http', 'ws')}/graphql`,
        webSocketImpl: WithCredentials,
        connectionParams: { 'x-api-key': owner.key },
        on: { connected: () => void farm.makeCamera('by-socket') },
      });
      const query = 'subscription ($after: String) { changes(after: $after) { __typename } }';
      for await (const answer of client.iterate({ query, variables: { after } })) {
        expect(answer.errors).toBeUndefined();
        // As above.
        if (JSON.stringify(answer.data) === '{"changes":{"__typename":"CameraChanged"}}') break;
      }
      await client.dispose();
    });

    /** Every kind of mark that an id may have, and what a URL gives a meaning. */
    const IDS = [
      'a/b',
      '/',
      'a//b',
      'a/../b',
      '100%',
      '%2F',
      'a#b',
      'a?b=c',
      'a b',
      '  ',
      'Tür',
      '...',
      'a.b',
      'a:b@c',
      "!'()*~",
      'a+b&c=d;e',
      '\\',
      '日本',
      '"<>',
    ];

    test('a camera with any id is found at its address and has its page, directly and through the proxy', async () => {
      for (const id of IDS) {
        const json = JSON.stringify({ camera_id: id, friendly_name: 'Door' });
        const options = { method: 'POST', headers: { ...credentials, 'content-type': 'application/json' }, body: json };
        expect([id, (await fetch(`${proxy.url}/cameras`, options)).status]).toEqual([id, 201]);
        for (const url of [gateway.url, proxy.url]) {
          const camera = await fetch(`${url}/cameras/${encodeURIComponent(id)}`, { headers: credentials });
          expect([id, camera.status, (await camera.json()).camera?.camera_id]).toEqual([id, 200, id]);
          // As notifications name it.
          const page = await fetch(`${url}/camera/${encodeURIComponent(id)}`, { headers: credentials });
          expect([id, page.status, page.headers.get('content-type')]).toEqual([id, 200, 'text/html; charset=utf-8']);
        }
      }
    });

    const HEAD = `Host: 127.0.0.1\r\nAuthorization: ${BASIC}\r\n`;
    const FLOODS: [string, string][] = [
      [
        'bodies that do not end',
        `POST /farm/cameras HTTP/1.1\r\n${HEAD}Content-Length: 1000000\r\n\r\n${' '.repeat(500_000)}`,
      ],
      [
        'chunks of a byte',
        `POST /farm/cameras HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(50_000)}`,
      ],
      ['heads that do not end', `GET /farm/ HTTP/1.1\r\n${HEAD}${'a:b\r\n'.repeat(1000)}`],
      ['pipelined requests', `GET /farm/graphql/assets/web/graphiql.js HTTP/1.1\r\n${HEAD}\r\n`.repeat(300)],
    ];

    test.each(FLOODS)('400 connections with %s do not end a gateway with a heap of 160 MB', async (_what, text) => {
      const bytes = Buffer.from(text);
      const sockets: Socket[] = [];
      for (let n = 0; n < 400; n += 1) {
        const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1').on('error', () => {});
        // Nothing is read.
        sockets.push(socket.pause());
        socket.write(bytes);
      }
      for (let n = 0; n < 3; n += 1) {
        expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
        expect((await fetch(`${gateway.url}/api/printjobs`, { headers: credentials })).status).toBe(200);
      }
      for (const socket of sockets) socket.destroy();
      // The proxy goes on, too.
      await until('the proxy answers', async () => (await get('/api/printjobs')).status, is(200));
    });
  });
}
