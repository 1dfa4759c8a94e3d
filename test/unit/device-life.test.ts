// What the failures of sockets mean, and what a message does that cannot be read.
import { faultOf } from '../../src/devices/faults';
import { Life } from '../../src/devices/life';
import { LIMITS } from '../../src/devices/limits';
import { readingJson } from '../../src/devices/socket-bounds';

test('a message that cannot be read ends its connection, and not the process', () => {
  const told: string[] = [];
  const failing = () => {
    throw new TypeError('Cannot convert object to primitive value');
  };
  const listener = { connected: () => {}, heard: failing, ended: (fault: string) => void told.push(fault) };
  const life = new Life(listener, LIMITS);
  life.heard({ source: 'one', body: null });
  life.end('SILENT');
  readingJson(new Life(listener, LIMITS), failing)(Buffer.from('{}'));
  expect(told).toEqual(['PROTOCOL_ERROR', 'PROTOCOL_ERROR']);
});

test.each([
  ['ENOTFOUND', 'NOT_RESOLVED'],
  ['EAI_AGAIN', 'NOT_RESOLVED'],
  ['ECONNREFUSED', 'NOT_REACHABLE'],
  ['EHOSTUNREACH', 'TIMED_OUT'],
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
  [undefined, 'NOT_REACHABLE'],
])('%s is %s', (code, fault) => {
  expect(faultOf(Object.assign(new Error('x'), { code }))).toBe(fault);
});
