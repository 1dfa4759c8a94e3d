// The nginx recipe of docs/proxies.md, as it is on the page: a path, Basic authentication, streams, WebSockets, compression.
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { createClient as createGatewayClient } from '../../src/client/client';
import { newApiKey } from '../../src/doors/auth/api-keys';
import { FarmChangesDocument } from '../../src/generated/operations';
import { type RunningGateway, runGateway } from '../support/running-gateway';
import { makeShownFarm } from '../support/shown-farm';
import { startNginx } from './nginx';

const owner = newApiKey('owner', 'read+write');
const credentials = { authorization: `Basic ${Buffer.from('shop:secret').toString('base64')}`, 'x-api-key': owner.key };

let gateway: RunningGateway;
let nginx: Awaited<ReturnType<typeof startNginx>>;
let farm: Awaited<ReturnType<typeof makeShownFarm>>;

beforeAll(async () => {
  gateway = await runGateway({ API_KEYS: owner.entry, TRUSTED_PROXIES: '127.0.0.1' });
  nginx = await startNginx(gateway.url, 'shop:{PLAIN}secret\n');
  farm = await makeShownFarm(`${nginx.url}`, credentials);
});
afterAll(async () => {
  await nginx?.stop();
  await gateway?.stop();
});

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(nginx.url + path, { headers: { ...credentials, ...headers } });

test('nobody comes in without the name and password of the proxy', async () => {
  const response = await fetch(`${nginx.url}/`);
  expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="Print farm"']);
});

test.each(['/', '/jobs/1/edit', '/graphql', '/openapi'])(
  'the files of the page %s arrive, compressed',
  async (path) => {
    const page = await get(path, { accept: 'text/html' });
    const links = [...(await page.text()).matchAll(/(?:href|src)="([^"#]+)"/g)];
    expect(links.length).toBeGreaterThan(2);
    for (const [, link] of links) {
      const file = new URL(link as string, page.url).href;
      expect(file.startsWith(`${nginx.url}/`)).toBe(true);
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

test('Location leads to the new job', async () => {
  const { PrinterId, SpoolId } = await (await get(`/api/printjobs/${await farm.makeJob('Hook')}`)).json();
  const created = await fetch(`${nginx.url}/api/printjobs`, {
    method: 'POST',
    headers: credentials,
    body: JSON.stringify({ PrinterId, SpoolId, DataSource: 'Manual', PrintName: 'Clip' }),
  });
  const location = new URL(created.headers.get('location') ?? '', created.url).href;
  const found = await fetch(location, { headers: credentials });
  expect([created.status, location.startsWith(`${nginx.url}/api/printjobs/`), found.status]).toEqual([201, true, 200]);
});

test('an event stream brings a change when it happens', async () => {
  const states: string[] = [];
  const stop = new AbortController();
  const client = createGatewayClient({ url: `${nginx.url}/graphql`, headers: credentials });
  const onState = (state: string) => {
    states.push(state);
    void farm.makeCamera('streamed');
  };
  for await (const { changes } of client.subscribe(FarmChangesDocument, {}, { signal: stop.signal, onState })) {
    // A job of the test before may be told behind the begin: transactions of other databases of the server hold the feed back.
    if (changes.__typename === 'CameraChanged') stop.abort();
  }
  expect(states).toEqual(['connected']);
});

test('a WebSocket brings a change', async () => {
  class WithCredentials extends WebSocket {
    constructor(url: string, protocols: string[]) {
      super(url, protocols, { headers: { authorization: credentials.authorization } });
    }
  }
  const latest = await get(`/graphql?query=${encodeURIComponent('{ latestChangeCursor }')}`);
  const { latestChangeCursor: after } = (await latest.json()).data;
  const client = createClient({
    url: `${nginx.url.replace('http', 'ws')}/graphql`,
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
