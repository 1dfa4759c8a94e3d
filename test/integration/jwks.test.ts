// Keys of an identity provider: fetched, followed when they change, and what a provider that is away means.
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type KeyLike, SignJWT } from 'jose';
import { expectError, expectStatus, startGateway, test } from '../support/gateway';

const pairs = { first: generateKeyPairSync('ed25519'), second: generateKeyPairSync('ed25519') };

const jwks = (...ids: (keyof typeof pairs)[]) =>
  JSON.stringify({
    keys: ids.map((kid) => ({ ...pairs[kid].publicKey.export({ format: 'jwk' }), kid, alg: 'EdDSA', use: 'sig' })),
  });

const token = (kid: string, key: KeyObject) =>
  new SignJWT({ sub: 'somebody', scope: 'read' })
    .setProtectedHeader({ alg: 'EdDSA', kid })
    .setExpirationTime('5m')
    .sign(key as KeyLike);

let answer: RequestListener = () => {};
let provider: Server;
beforeAll(async () => {
  provider = createServer((request, response) => answer(request, response)).listen(0, '127.0.0.1');
  await once(provider, 'listening');
});
afterAll(() => {
  provider.closeAllConnections();
  provider.close();
});

async function withGateway(
  jwksUrl: string,
  work: (list: (credentials: string) => ReturnType<Awaited<ReturnType<typeof startGateway>>['rest']>) => Promise<void>,
) {
  const gateway = await startGateway('server', {
    auth: { apiKeys: [], tokens: { keys: { jwksUrl }, issuer: null, audience: null } },
  });
  try {
    await work((credentials) => gateway.rest('GET', '/cameras', undefined, { authorization: `Bearer ${credentials}` }));
  } finally {
    await gateway.close();
  }
}

const url = () => `http://127.0.0.1:${(provider.address() as AddressInfo).port}/jwks`;

test('a token that one of the published keys has signed is accepted, another is not', async () => {
  answer = (_request, response) => response.setHeader('content-type', 'application/json').end(jwks('first'));
  await withGateway(url(), async (list) => {
    expectStatus(await list(await token('first', pairs.first.privateKey)), 200);
    expectError(await list(await token('first', pairs.second.privateKey)), 401);
    expectError(await list(await token('second', pairs.second.privateKey)), 401);
    expectError(await list('no token at all'), 401);
  });
});

const AWAY: [string, RequestListener][] = [
  ['answers with a failure', (_request, response) => response.writeHead(503).end()],
  ['answers with no keys', (_request, response) => response.end('<html>')],
  ['never answers', () => {}],
  ['hangs up', (request) => request.socket.destroy()],
];
for (const [what, listener] of AWAY) {
  test(`a provider that ${what} is a failure, not a token that is wrong; back again, the token is accepted`, async () => {
    await withGateway(url(), async (list) => {
      const credentials = await token('first', pairs.first.privateKey);
      answer = listener;
      const began = performance.now();
      expectError(await list(credentials), 500, 'could not complete');
      expect(performance.now() - began).toBeLessThan(5000);
      answer = (_request, response) => response.end(jwks('first'));
      expectStatus(await list(credentials), 200);
    });
  });
}

test('a provider that is not there is a failure too', async () => {
  await withGateway('http://127.0.0.1:1/jwks', async (list) => {
    expectError(await list(await token('first', pairs.first.privateKey)), 500, 'could not complete');
  });
});
