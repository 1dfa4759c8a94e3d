// The times of a JWT: the clocks of the provider and of the gateway may differ by five seconds, in each direction.
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createTokenCheck } from '../../src/doors/auth/tokens';
import { Unauthenticated } from '../../src/errors';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const encoded = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url');
const signed = (claims: object, key: KeyObject = privateKey) => {
  const text = `${encoded({ alg: 'EdDSA' })}.${encoded({ sub: 'somebody', scope: 'read', ...claims })}`;
  return `${text}.${sign(null, Buffer.from(text), key).toString('base64url')}`;
};

const NOW = 1_790_000_000;
let callerOf: (token: string) => Promise<{ expiresAt: number | null }>;
beforeAll(async () => {
  jest.useFakeTimers({ now: NOW * 1000, doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'setTimeout'] });
  const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString();
  callerOf = await createTokenCheck({ keys: { publicKey: pem }, issuer: 'https://idp.example', audience: null }, 1000);
});
afterAll(() => {
  jest.useRealTimers();
});

const GOOD = { iss: 'https://idp.example', exp: NOW + 300 };

test.each([
  ['nbf', { nbf: NOW + 5 }, NOW + 305],
  ['iat', { iat: NOW + 5 }, NOW + 305],
  ['exp', { exp: NOW - 4 }, NOW + 1],
])('%s may be up to five seconds off', async (_claim, claims, expires) => {
  expect((await callerOf(signed({ ...GOOD, ...claims }))).expiresAt).toBe(expires * 1000);
});

test.each([
  ['nbf', signed({ ...GOOD, nbf: NOW + 6 }), /nbf/],
  ['exp', signed({ ...GOOD, exp: NOW - 5 }), /"exp"/],
  ['iss', signed({ ...GOOD, iss: 'https://other.example' }), /iss/],
  ['sub', signed({ ...GOOD, sub: ['somebody'] }), /sub/],
  ['the signature', signed(GOOD, generateKeyPairSync('ed25519').privateKey), /signature/],
  ['no token', 'pfg_something', /JWS/],
])('a refusal has its reason for the operator: %s', async (_name, token, reason) => {
  const refusal = await callerOf(token).catch((error: Error) => error);
  expect(refusal).toBeInstanceOf(Unauthenticated);
  expect((refusal as Error).message).not.toMatch(reason);
  expect(((refusal as Error).cause as Error).message).toMatch(reason);
  expect(((refusal as Error).cause as Error).message).not.toContain(token);
});
