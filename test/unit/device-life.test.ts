// The life of a connection, and what the failures of sockets mean.
import { networkOf } from '../../src/devices/address';
import type { Connect, Connection, Listener, Target } from '../../src/devices/connection';
import { Failure, faultOf } from '../../src/devices/faults';
import { Life } from '../../src/devices/life';
import { readingJson } from '../../src/devices/socket-bounds';

const IDENTITY = { model: null, serial: null, firmware: null, certificateFingerprint: null };

function listening() {
  const told: string[] = [];
  const listener: Listener = {
    connected: () => told.push('connected'),
    heard: ({ source }) => told.push(source),
    ended: (fault) => told.push(fault),
  };
  return { told, listener };
}

test('it is connected, heard and ended, and nothing is heard after it', () => {
  const { told, listener } = listening();
  const life = new Life(listener, 1000);
  let given = 0;
  life.onOver(() => given++);
  life.connected(IDENTITY);
  life.heard({ source: 'one', body: null });
  life.end('SILENT');
  life.end('TIMED_OUT');
  life.heard({ source: 'two', body: null });
  life.onOver(() => given++);
  expect(told).toEqual(['connected', 'one', 'SILENT']);
  expect(given).toBe(2);
});

test('a message that cannot be read ends it, and not the process', () => {
  const { told, listener } = listening();
  const failing = () => {
    throw new TypeError('Cannot convert object to primitive value');
  };
  const life = new Life({ ...listener, heard: failing }, 1000);
  life.heard({ source: 'one', body: null });
  expect(told).toEqual(['PROTOCOL_ERROR']);
  const other = new Life(listener, 1000);
  readingJson(other, failing)(Buffer.from('{}'));
  expect(told).toEqual(['PROTOCOL_ERROR', 'PROTOCOL_ERROR']);
});

test('nothing is told of a connection that was closed', () => {
  const { told, listener } = listening();
  const life = new Life(listener, 1000);
  life.close();
  life.connected(IDENTITY);
  life.end('SILENT');
  expect(told).toEqual([]);
});

const TARGET: Target = { address: 'x', serial: null, username: null, secret: null, certificateFingerprint: null };

test('a failure in its work ends it, later than the call', async () => {
  const { told, listener } = listening();
  const connect: Connect = (_target, its) => {
    const life = new Life(its, 1000);
    life.run(() => Promise.reject(new Failure('NOT_THIS_KIND')));
    return { ask: () => {}, printing: () => {}, close: () => life.close() };
  };
  const connection: Connection = connect(TARGET, listener, networkOf({ allowed: [], ownPort: null }));
  expect(told).toEqual([]);
  await new Promise((done) => setImmediate(done));
  expect(told).toEqual(['NOT_THIS_KIND']);
  connection.close();
  expect(told).toEqual(['NOT_THIS_KIND']);
});

test.each([
  ['ENOTFOUND', 'NOT_RESOLVED'],
  ['EAI_AGAIN', 'NOT_RESOLVED'],
  ['ECONNREFUSED', 'NOT_REACHABLE'],
  ['EHOSTUNREACH', 'TIMED_OUT'],
  ['ECONNRESET', 'NOT_REACHABLE'],
  ['ETIMEDOUT', 'TIMED_OUT'],
  ['UND_ERR_HEADERS_TIMEOUT', 'TIMED_OUT'],
  ['UND_ERR_RES_EXCEEDED_MAX_SIZE', 'TOO_MUCH_DATA'],
  ['WS_ERR_UNSUPPORTED_MESSAGE_LENGTH', 'TOO_MUCH_DATA'],
  ['WS_ERR_INVALID_UTF8', 'PROTOCOL_ERROR'],
  ['HPE_INVALID_CONSTANT', 'NOT_THIS_KIND'],
  ['EPROTO', 'NOT_THIS_KIND'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'NOT_THIS_KIND'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'CERTIFICATE_NOT_TRUSTED'],
  ['CERT_HAS_EXPIRED', 'CERTIFICATE_NOT_TRUSTED'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'CERTIFICATE_NOT_TRUSTED'],
])('%s is %s', (code, fault) => {
  expect(faultOf(Object.assign(new Error('x'), { code }))).toBe(fault);
});

test('what is no HTTP has a name instead of a code', () => {
  expect(faultOf(Object.assign(new Error('x'), { name: 'HTTPParserError' }))).toBe('NOT_THIS_KIND');
});

test('a failure without a code is one of the way', () => {
  expect(faultOf(new Error('other side closed'))).toBe('NOT_REACHABLE');
  expect(faultOf({})).toBe('NOT_REACHABLE');
});
