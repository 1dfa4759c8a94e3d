// Keys of an identity provider: fetched, followed when they change, and kept while the provider is away.
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type KeyLike, SignJWT } from 'jose';
import { timeBudget, USUAL_REQUEST_MS } from '../../src/values/time-budget';
import { anyDatabase } from '../support/databases';
import { expectError, expectStatus, startGateway, test } from '../support/gateway';

const pairs = { first: generateKeyPairSync('ed25519'), second: generateKeyPairSync('ed25519') };

const jwks = (...ids: (keyof typeof pairs)[]) =>
  JSON.stringify({
    keys: ids.map((kid) => ({ ...pairs[kid].publicKey.export({ format: 'jwk' }), kid, alg: 'EdDSA', use: 'sig' })),
  });

const token = (kid: string | undefined, key: KeyObject, alg = 'EdDSA') =>
  new SignJWT({ sub: 'somebody', scope: 'read' })
    .setProtectedHeader({ alg, ...(kid !== undefined && { kid }) })
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
  work: (
    list: (credentials: string, path?: string) => ReturnType<Awaited<ReturnType<typeof startGateway>>['rest']>,
  ) => Promise<void>,
) {
  const gateway = await startGateway(anyDatabase, {
    // Half of the usual time, which the provider is given to answer.
    budget: timeBudget(USUAL_REQUEST_MS / 2),
    auth: { apiKeys: [], tokens: { keys: { jwksUrl }, issuer: null, audience: null } },
  });
  try {
    await work((credentials, path = '/cameras') =>
      gateway.rest('GET', path, undefined, { authorization: `Bearer ${credentials}` }),
    );
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

test('a token without a key id is accepted when any of the published keys has signed it', async () => {
  answer = (_request, response) => response.end(jwks('first', 'second'));
  await withGateway(url(), async (list) => {
    for (const { privateKey } of Object.values(pairs))
      expectStatus(await list(await token(undefined, privateKey)), 200);
    expectError(await list(await token(undefined, generateKeyPairSync('ed25519').privateKey)), 401);
  });
});

test('a published key that is too short to be used keeps no other key from being tried', async () => {
  const rsa = [1024, 2048].map((modulusLength) => generateKeyPairSync('rsa', { modulusLength }));
  const keys = rsa.map(({ publicKey }) => ({ ...publicKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }));
  answer = (_request, response) => response.end(JSON.stringify({ keys }));
  await withGateway(url(), async (list) => {
    expectStatus(await list(await token(undefined, (rsa[1] as (typeof rsa)[0]).privateKey, 'RS256')), 200);
  });
});

function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write(' '), 100);
  response.on('close', () => clearInterval(timer));
}

/** As fast as it is read. */
function pour(response: ServerResponse): void {
  const piece = ' '.repeat(100_000);
  poured = 0;
  const more = () => {
    while (!response.destroyed && response.write(piece)) poured += piece.length;
  };
  response.on('drain', more);
  more();
}
let poured = 0;

const AWAY: [string, RequestListener][] = [
  ['answers with a failure', (_request, response) => response.writeHead(503).end()],
  ['answers with no keys', (_request, response) => response.end('<html>')],
  ['never answers', () => {}],
  ['hangs up', (request) => request.socket.destroy()],
  ['stalls in the middle of its answer', (_request, response) => void response.write(jwks('first').slice(0, 20))],
  ['answers a byte at a time', (_request, response) => drip(response)],
  ['answers without end', (_request, response) => pour(response)],
  ['sends to another address', (_request, response) => response.writeHead(302, { location: url() }).end()],
];
for (const [what, listener] of AWAY) {
  test(`a provider that ${what} is a failure, not a token that is wrong; back again, the token is accepted`, async () => {
    await withGateway(url(), async (list) => {
      const credentials = await token('first', pairs.first.privateKey);
      answer = listener;
      expectError(await list(credentials), 500, 'could not complete');
      answer = (_request, response) => response.end(jwks('first'));
      expectStatus(await list(credentials), 200);
    });
  });
}

test('while the provider is away, clients are told to try again, as in an outage of the database', async () => {
  await withGateway(url(), async (list) => {
    const credentials = await token('first', pairs.first.privateKey);
    answer = (_request, response) => response.writeHead(503).end();
    // The document of cameras has no 503.
    for (const [path, status] of [
      ['/cameras', 500],
      ['/api/printjobs', 503],
      ['/graphql?query={__typename}', 503],
    ] as const) {
      const { headers } = expectStatus(await list(credentials, path), status);
      expect(headers).toMatchObject({ 'retry-after': '5' });
    }
  });
});

test('of an answer without end no more is read than keys can have', async () => {
  await withGateway(url(), async (list) => {
    answer = (_request, response) => pour(response);
    expectError(await list(await token('first', pairs.first.privateKey)), 500);
    // The buffers of both sockets are filled too.
    expect(poured).toBeLessThan(20_000_000);
  });
});

describe('keys that were had once', () => {
  const clock = performance.now.bind(performance);
  let later = 0;
  let asked = 0;
  const serving = (...ids: (keyof typeof pairs)[]) => {
    answer = (_request, response) => {
      asked += 1;
      response.end(jwks(...ids));
    };
  };
  const away = () => {
    answer = (_request, response) => {
      asked += 1;
      response.writeHead(503).end();
    };
  };
  beforeEach(() => {
    later = 0;
    asked = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => clock() + later);
  });
  afterEach(() => jest.restoreAllMocks());
  const MINUTE = 60_000;

  test('are used on while the provider is away; a token with another key cannot be checked then', async () => {
    serving('first');
    await withGateway(url(), async (list) => {
      const credentials = await token('first', pairs.first.privateKey);
      expectStatus(await list(credentials), 200);
      away();
      for (const minutes of [11, 60, 600]) {
        later = minutes * MINUTE;
        expectStatus(await list(credentials), 200);
        expectError(await list(await token('second', pairs.second.privateKey)), 500, 'could not complete');
        expectError(await list(await token('first', pairs.second.privateKey)), 401);
      }
      expect(asked).toBe(4);
      serving('second');
      later += MINUTE;
      expectStatus(await list(await token('second', pairs.second.privateKey)), 200);
      expectError(await list(credentials), 401);
    });
  });

  test('are followed: a new key is accepted, a withdrawn one is not after ten minutes', async () => {
    serving('first');
    await withGateway(url(), async (list) => {
      const [first, second] = [
        await token('first', pairs.first.privateKey),
        await token('second', pairs.second.privateKey),
      ];
      expectStatus(await list(first), 200);
      serving('second');
      expectStatus(await list(first), 200);
      later = 11 * MINUTE;
      expectError(await list(first), 401);
      expectStatus(await list(second), 200);
      later = 12 * MINUTE;
      serving('first', 'second');
      expectStatus(await list(first), 200);
    });
  });

  test('are followed within half a minute when another key gets the old id', async () => {
    const renamed = JSON.parse(jwks('second')).keys.map((key: object) => ({ ...key, kid: 'first' }));
    serving('first');
    await withGateway(url(), async (list) => {
      const old = await token('first', pairs.first.privateKey);
      expectStatus(await list(old), 200);
      answer = (_request, response) => {
        asked += 1;
        response.end(JSON.stringify({ keys: renamed }));
      };
      const fresh = await token('first', pairs.second.privateKey);
      expectError(await list(fresh), 401);
      expect(asked).toBe(1);
      later = MINUTE / 2;
      expectStatus(await list(fresh), 200);
      expectError(await list(old), 401);
      expect(asked).toBe(2);
    });
  });

  test('tokens with made-up key ids or signatures make no storm of fetches', async () => {
    serving('first');
    await withGateway(url(), async (list) => {
      expectStatus(await list(await token('first', pairs.first.privateKey)), 200);
      later = MINUTE;
      const made = await Promise.all(
        Array.from({ length: 30 }, (_, n) => token(n % 2 ? 'first' : `made up ${n}`, pairs.second.privateKey)),
      );
      for (const answer of await Promise.all(made.map((one) => list(one)))) expectError(answer, 401);
      expect(asked).toBe(2);
    });
  });
});

test('tricks with the header and the claims of a token: 401', async () => {
  answer = (_request, response) => response.end(jwks('first'));
  const encoded = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const now = Math.floor(Date.now() / 1000);
  const claims = { sub: 'somebody', scope: 'read', exp: now + 300 };
  const { privateKey, publicKey } = pairs.first;
  const signed = (header: object, payload: object, key = privateKey) => {
    const text = `${encoded({ alg: 'EdDSA', kid: 'first', ...header })}.${encoded(payload)}`;
    return `${text}.${sign(null, Buffer.from(text), key).toString('base64url')}`;
  };
  const hashed = (secret: string | Buffer) => {
    const text = `${encoded({ alg: 'HS256', kid: 'first' })}.${encoded(claims)}`;
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
  };
  const jwk = publicKey.export({ format: 'jwk' });
  const own = pairs.second.publicKey.export({ format: 'jwk' });
  await withGateway(url(), async (list) => {
    expectStatus(await list(signed({}, claims)), 200);
    expectStatus(await list(signed({ kid: undefined }, claims)), 200);
    for (const trick of [
      hashed(JSON.stringify(jwk)),
      hashed(String(jwk.x)),
      hashed(Buffer.from(String(jwk.x), 'base64url')),
      `${encoded({ alg: 'none', kid: 'first' })}.${encoded(claims)}.`,
      signed({ alg: 'none' }, claims),
      signed({ alg: 'RS256' }, claims),
      signed({ kid: '../../first' }, claims),
      signed({ kid: '__proto__' }, claims),
      signed({ jwk: own }, claims, pairs.second.privateKey),
      signed({ jku: 'http://127.0.0.1:1/own' }, claims, pairs.second.privateKey),
      signed({ crit: ['unknown'], unknown: true }, claims),
      signed({}, { ...claims, exp: now - 60 }),
      signed({}, { ...claims, exp: String(now + 300) }),
      signed({}, { ...claims, nbf: now + 60 }),
      signed({}, { sub: 'somebody', scope: 'read' }),
      signed({}, { scope: 'read', exp: now + 300 }),
      signed({}, { ...claims, sub: { name: 'somebody' } }),
      signed({}, { ...claims, sub: ['somebody'] }),
      signed({}, { ...claims, camera_id: null }),
      signed({}, { ...claims, camera_id: ['cam'] }),
      signed({}, { ...claims, camera_id: 0 }),
      `${signed({}, claims)}x`,
      signed({}, claims).replace(/\.[^.]*$/, '.'),
    ]) {
      expectError(await list(trick), 401);
    }
  });
});

test('a provider that is not there is a failure too', async () => {
  await withGateway('http://127.0.0.1:1/jwks', async (list) => {
    expectError(await list(await token('first', pairs.first.privateKey)), 500, 'could not complete');
  });
});
