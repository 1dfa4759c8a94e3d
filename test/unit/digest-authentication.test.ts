// HTTP digest authentication with the vectors of RFC 2617, and with the challenges of PrusaLink's two programs.
import { answerChallenge, readChallenge } from '../../src/machines/prusalink/digest-authentication';

const MUFASA = { username: 'Mufasa', password: 'Circle Of Life' };
const REQUEST = { method: 'GET', uri: '/dir/index.html', count: 1 };
const RFC = {
  realm: 'testrealm@host.com',
  nonce: 'dcd98b7102dd2f0e8b11d0f600bfb0c093',
  opaque: '5ccc069c403ebaf9f0171e9517f40e41',
  isSession: false,
  hasQop: true,
  stale: false,
};

test('the example of RFC 2617, 3.5', () => {
  const header =
    'Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"';
  expect(readChallenge(header)).toEqual(RFC);
  expect(answerChallenge(RFC, MUFASA, REQUEST, '0a4f113b')).toBe(
    'Digest username="Mufasa", realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", uri="/dir/index.html", qop=auth, nc=00000001, cnonce="0a4f113b", opaque="5ccc069c403ebaf9f0171e9517f40e41", response="6629fae49393a05397450978507c4ef1"',
  );
});

test('without qop, as RFC 2069 has it', () => {
  const header = answerChallenge({ ...RFC, hasQop: false, opaque: null }, MUFASA, REQUEST, '0a4f113b');
  expect(header).toMatch(/response="670fd8c2df070c60b045671b8b24ff02"$/);
  expect(header).not.toMatch(/qop|nc=|cnonce|opaque|algorithm/);
});

test('MD5-sess', () => {
  const header = answerChallenge({ ...RFC, isSession: true }, MUFASA, { ...REQUEST, count: 2 }, '0a4f113b');
  expect(header).toContain('algorithm=MD5-sess, qop=auth, nc=00000002, cnonce="0a4f113b"');
  expect(header).toMatch(/response="d16df0df0d92cef8935129145e21b5e1"$/);
});

test('quotes of a name', () => {
  expect(answerChallenge(RFC, { ...MUFASA, username: 'a"b\\' }, REQUEST)).toContain('username="a\\"b\\\\"');
});

test.each([
  [
    'a Buddy board',
    'Digest realm="Printer API", nonce="4ff1a7d900000001", stale="false"',
    { realm: 'Printer API', hasQop: false, stale: false },
  ],
  [
    'the Raspberry',
    'Digest realm="Administrator",qop="auth",nonce="2",algorithm="MD5-sess"',
    { isSession: true, hasQop: true },
  ],
  ['a choice', 'Basic realm="x", Digest realm="y", nonce="3", Basic realm="z"', { realm: 'y', nonce: '3' }],
  [
    'another algorithm first',
    'Digest realm="a", nonce="1", algorithm=SHA-256, Digest realm="b", nonce="2", algorithm=MD5',
    { realm: 'b' },
  ],
] as const)('the challenge of %s', (_what, header, members) => {
  expect(readChallenge(header as string)).toMatchObject(members);
});

test.each([
  ['Basic', 'Basic realm="Printer API"'],
  ['no nonce', 'Digest realm="x"'],
  ['an unknown algorithm', 'Digest realm="x", nonce="1", algorithm=SHA-256'],
  ['a qop that signs bodies', 'Digest realm="x", nonce="1", qop=auth-int'],
  ['much that is nothing', `Digest ${'a='.repeat(8000)}`],
])('no challenge: %s', (_what, header) => {
  expect(readChallenge(header)).toBeNull();
});
