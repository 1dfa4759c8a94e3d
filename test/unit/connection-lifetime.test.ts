// What the failures of sockets mean, and what an unreadable message does.

import { ConnectionLifetime } from '../../src/wire/connection-lifetime';
import { LIMITS } from '../../src/wire/connection-limits';
import { toConnectionFault } from '../../src/wire/faults';
import { createJsonReader, parseReceivedJson } from '../../src/wire/received-json';

test('an unreadable message ends its connection, and not the process', () => {
  const faults: string[] = [];
  const failing = () => {
    throw new TypeError('Cannot convert object to primitive value');
  };
  const listener = { onConnected: () => {}, onMessage: failing, onEnded: (fault: string) => void faults.push(fault) };
  const lifetime = new ConnectionLifetime(listener, LIMITS);
  lifetime.reportMessage({ source: 'one', body: null });
  lifetime.end('SILENT');
  createJsonReader(new ConnectionLifetime(listener, LIMITS), failing)(Buffer.from('{}'));
  expect(faults).toEqual(['PROTOCOL_ERROR', 'PROTOCOL_ERROR']);
});

test.each<[string, unknown]>([
  ['{"actual":NaN,"target":-Infinity,"off":[Infinity, 1.50]}', { actual: null, target: null, off: [null, '1.50'] }],
  ['NaN', null],
  // A text is not one of them, whatever it contains.
  [
    '{"NaN":"NaN, \\"Infinity\\" \\\\","a":NaN,"b":"ü -Infinity"}',
    { NaN: 'NaN, "Infinity" \\', a: null, b: 'ü -Infinity' },
  ],
])('a machine sends %s', (text, expected) => {
  expect(JSON.parse(JSON.stringify(parseReceivedJson(Buffer.from(text))))).toEqual(expected);
});

test.each(['{"a":NaNo}', '{"a":nan}', '{"a":NaN', '{"a":"NaN', '{"a":--Infinity}', '{"a":NaN,"b":"\\', ''])(
  'invalid JSON beside such a number stays invalid: %s',
  (text) => {
    expect(() => parseReceivedJson(Buffer.from(text))).toThrow('PROTOCOL_ERROR');
  },
);

test('bytes that are not UTF-8 are refused, and a long text costs no more than its length', () => {
  expect(() => parseReceivedJson(Buffer.from('{"a":NaN,"b":"\xff"}', 'latin1'))).toThrow('PROTOCOL_ERROR');
  const quotes = '\\"'.repeat(200_000);
  expect(() => parseReceivedJson(Buffer.from(`{"a":NaN,"b":"${quotes}`))).toThrow('PROTOCOL_ERROR');
  expect(parseReceivedJson(Buffer.from(`{"a":NaN,"b":"${quotes}"}`))).toMatchObject({ a: null });
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
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'TLS_NOT_SPOKEN'],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'TLS_TOO_OLD'],
  ['ERR_SSL_UNSUPPORTED_PROTOCOL', 'TLS_TOO_OLD'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'CERTIFICATE_NOT_TRUSTED'],
  ['CERT_HAS_EXPIRED', 'CERTIFICATE_NOT_TRUSTED'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'CERTIFICATE_NOT_TRUSTED'],
  [undefined, 'NOT_REACHABLE'],
])('%s is %s', (code, fault) => {
  expect(toConnectionFault(Object.assign(new Error('x'), { code }))).toBe(fault);
});
