// Keys of an identity provider: fetched, refreshed when they change, and kept while the provider is away.
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SignJWT } from 'jose';
import { ProviderUnavailable } from '../../src/doors/auth/provider-keys';
import { createTokenCheck } from '../../src/doors/auth/tokens';
import { Unauthenticated } from '../../src/errors';

const pairs = { first: generateKeyPairSync('ed25519'), second: generateKeyPairSync('ed25519') };

const jwks = (...ids: (keyof typeof pairs)[]) =>
  JSON.stringify({
    keys: ids.map((kid) => ({ ...pairs[kid].publicKey.export({ format: 'jwk' }), kid, alg: 'EdDSA', use: 'sig' })),
  });

const token = (kid: string | undefined, key: KeyObject, alg = 'EdDSA') =>
  new SignJWT({ sub: 'somebody', scope: 'read' })
    .setProtectedHeader({ alg, ...(kid !== undefined && { kid }) })
    .setExpirationTime('5m')
    .sign(key);

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

/** The result for a token: accepted, wrong, or that it cannot be checked now. */
type Outcome = 'accepted' | 'refused' | 'unavailable';

async function checking(jwksUrl = url(), timeoutMs = 100_000): Promise<(credentials: string) => Promise<Outcome>> {
  const callerOf = await createTokenCheck({ keys: { jwksUrl }, issuer: null, audience: null }, timeoutMs);
  return (credentials) =>
    callerOf(credentials).then(
      () => 'accepted',
      (error) => {
        if (error instanceof ProviderUnavailable) return 'unavailable';
        if (error instanceof Unauthenticated) return 'refused';
        throw error;
      },
    );
}

const url = (path = 'jwks') => `http://127.0.0.1:${(provider.address() as AddressInfo).port}/${path}`;

test('a token that one of the published keys has signed is accepted, any other is not', async () => {
  answer = (_request, response) => response.setHeader('content-type', 'application/json').end(jwks('first'));
  const check = await checking();
  expect(await check(await token('first', pairs.first.privateKey))).toBe('accepted');
  expect(await check(await token('first', pairs.second.privateKey))).toBe('refused');
  expect(await check(await token('second', pairs.second.privateKey))).toBe('refused');
  expect(await check('no token at all')).toBe('refused');
});

test('a token without a key id is accepted when any of the published keys has signed it', async () => {
  answer = (_request, response) => response.end(jwks('first', 'second'));
  const check = await checking();
  for (const { privateKey } of Object.values(pairs))
    expect(await check(await token(undefined, privateKey))).toBe('accepted');
  expect(await check(await token(undefined, generateKeyPairSync('ed25519').privateKey))).toBe('refused');
});

test('a published key that is too short does not keep other keys from being tried', async () => {
  const rsa = [1024, 2048].map((modulusLength) => generateKeyPairSync('rsa', { modulusLength }));
  const keys = rsa.map(({ publicKey }) => ({ ...publicKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }));
  answer = (_request, response) => response.end(JSON.stringify({ keys }));
  const check = await checking();
  expect(await check(await token(undefined, (rsa[1] as (typeof rsa)[0]).privateKey, 'RS256'))).toBe('accepted');
});

function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write(' '), 100);
  response.on('close', () => clearInterval(timer));
}

/** As fast as it is read. */
function pour(response: ServerResponse): void {
  const piece = ' '.repeat(100_000);
  const more = () => {
    while (!response.destroyed && response.write(piece));
  };
  response.on('drain', more);
  more();
}

const AWAY: [string, RequestListener][] = [
  ['answers with a failure', (_request, response) => response.writeHead(503).end()],
  ['answers with no keys', (_request, response) => response.end('<html>')],
  ['never answers', () => {}],
  ['hangs up', (request) => request.socket.destroy()],
  ['answers a byte at a time', (_request, response) => drip(response)],
  ['answers without end', (_request, response) => pour(response)],
  ['sends to another address', (_request, response) => response.writeHead(302, { location: url() }).end()],
];

test.each(AWAY)('a provider that %s counts as away; once it is back, its keys are used', async (_what, listener) => {
  // Long enough for the answer of a busy machine. Three of the cases wait for it.
  const check = await checking(url(), 1500);
  const credentials = await token('first', pairs.first.privateKey);
  answer = listener;
  expect(await check(credentials)).toBe('unavailable');
  answer = (_request, response) => response.end(jwks('first'));
  expect(await check(credentials)).toBe('accepted');
});

test('an answer without an end is read only up to the size that keys can have', async () => {
  let poured = 0;
  const piece = ' '.repeat(100_000);
  answer = (_request, response) => {
    const more = () => {
      while (!response.destroyed && response.write(piece)) poured += piece.length;
    };
    response.on('drain', more);
    more();
  };
  const check = await checking();
  expect(await check(await token('first', pairs.first.privateKey))).toBe('unavailable');
  // The buffers of both sockets are filled too.
  expect(poured).toBeLessThan(20_000_000);
});

describe('keys that were fetched once', () => {
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

  test('are used while the provider is away; a token with another key cannot be checked then', async () => {
    serving('first');
    const check = await checking();
    const credentials = await token('first', pairs.first.privateKey);
    expect(await check(credentials)).toBe('accepted');
    away();
    for (const minutes of [11, 60, 600]) {
      later = minutes * MINUTE;
      expect(await check(credentials)).toBe('accepted');
      expect(await check(await token('second', pairs.second.privateKey))).toBe('unavailable');
      expect(await check(await token('first', pairs.second.privateKey))).toBe('refused');
    }
    expect(asked).toBe(4);
    serving('second');
    later += MINUTE;
    expect(await check(await token('second', pairs.second.privateKey))).toBe('accepted');
    expect(await check(credentials)).toBe('refused');
  });

  test('are refreshed: a new key is accepted, a withdrawn key is refused after ten minutes', async () => {
    serving('first');
    const check = await checking();
    const [first, second] = [
      await token('first', pairs.first.privateKey),
      await token('second', pairs.second.privateKey),
    ];
    expect(await check(first)).toBe('accepted');
    serving('second');
    expect(await check(first)).toBe('accepted');
    later = 11 * MINUTE;
    expect(await check(first)).toBe('refused');
    expect(await check(second)).toBe('accepted');
    later = 12 * MINUTE;
    serving('first', 'second');
    expect(await check(first)).toBe('accepted');
  });

  test('are refreshed within half a minute when another key gets the old id', async () => {
    const renamed = JSON.parse(jwks('second')).keys.map((key: object) => ({ ...key, kid: 'first' }));
    serving('first');
    const check = await checking();
    const old = await token('first', pairs.first.privateKey);
    expect(await check(old)).toBe('accepted');
    answer = (_request, response) => {
      asked += 1;
      response.end(JSON.stringify({ keys: renamed }));
    };
    const fresh = await token('first', pairs.second.privateKey);
    expect(await check(fresh)).toBe('refused');
    expect(asked).toBe(1);
    later = MINUTE / 2;
    expect(await check(fresh)).toBe('accepted');
    expect(await check(old)).toBe('refused');
    expect(asked).toBe(2);
  });

  test('tokens with invented key ids or signatures cause no storm of fetches', async () => {
    serving('first');
    const check = await checking();
    expect(await check(await token('first', pairs.first.privateKey))).toBe('accepted');
    later = MINUTE;
    const made = await Promise.all(
      Array.from({ length: 30 }, (_, n) => token(n % 2 ? 'first' : `made up ${n}`, pairs.second.privateKey)),
    );
    for (const outcome of await Promise.all(made.map(check))) expect(outcome).toBe('refused');
    expect(asked).toBe(2);
  });
});

test('tricks with the header and the claims of a token are refused', async () => {
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
  const check = await checking();
  expect(await check(signed({}, claims))).toBe('accepted');
  expect(await check(signed({ kid: undefined }, claims))).toBe('accepted');
  for (const trick of [
    hashed(JSON.stringify(jwk)),
    hashed(String(jwk.x)),
    `${encoded({ alg: 'none', kid: 'first' })}.${encoded(claims)}.`,
    signed({ alg: 'none' }, claims),
    signed({ alg: 'RS256' }, claims),
    signed({ kid: '../../first' }, claims),
    signed({ kid: '__proto__' }, claims),
    signed({ jwk: own }, claims, pairs.second.privateKey),
    signed({ jku: 'http://127.0.0.1:1/own' }, claims, pairs.second.privateKey),
    signed({ crit: ['unknown'], unknown: true }, claims),
    signed({}, { ...claims, exp: String(now + 300) }),
    signed({}, { sub: 'somebody', scope: 'read' }),
    signed({}, { scope: 'read', exp: now + 300 }),
    signed({}, { ...claims, sub: { name: 'somebody' } }),
    signed({}, { ...claims, camera_id: null }),
    signed({}, { ...claims, camera_id: ['cam'] }),
    `${signed({}, claims)}x`,
    signed({}, claims).replace(/\.[^.]*$/, '.'),
  ]) {
    expect({ trick, outcome: await check(trick) }).toEqual({ trick, outcome: 'refused' });
  }
});
