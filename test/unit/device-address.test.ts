// The addresses of devices: what users type, and what may be dialled.
import { networkInterfaces } from 'node:os';
import { BadInput } from '../../src/errors';
import type { AddressFormat } from '../../src/kind-facts';
import { parseAddress } from '../../src/wire/machine-address';
import { createNetwork, parseNetwork } from '../../src/wire/networks';

const FORM: AddressFormat = { schemes: ['http', 'https', 'ws', 'wss'], port: 7125 };
const network = createNetwork({ allowed: [], gatewayPort: 4000 });
const read = (text: unknown) => parseAddress(text, FORM, network);

test.each([
  ['192.168.1.20', false, '192.168.1.20', 7125],
  ['printer.local', false, 'printer.local', 7125],
  ['PRINTER.local:8080', false, 'printer.local', 8080],
  ['voron', false, 'voron', 7125],
  ['http://voron.local', false, 'voron.local', 80],
  ['https://voron.local', true, 'voron.local', 443],
  ['WS://voron.local:7125', false, 'voron.local', 7125],
  ['wss://10.0.0.4:7130', true, '10.0.0.4', 7130],
  ['[fd00::20]', false, 'fd00::20', 7125],
  ['[::ffff:10.0.0.1]', false, '::ffff:a00:1', 7125],
  ['http://[::1]:8080/', false, '::1', 8080],
  [' \t192.168.1.20\r\n', false, '192.168.1.20', 7125],
  ['Küche.local', false, 'xn--kche-0ra.local', 7125],
  ['2130706433', false, '127.0.0.1', 7125],
  ['0x7f.1:5000', false, '127.0.0.1', 5000],
])('%s', (text, secure, host, port) => {
  expect(read(text)).toEqual({ text: text.trim(), secure, host, port });
});

const FORMS = /^address must be HOST, HOST:PORT or a URL of http, https, ws, wss, such as/;
const INVISIBLE =
  /^address must not contain line breaks, control characters or invisible characters\. Type the text instead of pasting it$/;
const PRIVATE = /^address must be in a private network .* or in DEVICE_NETWORKS/;

test.each([
  ['', /^address must not be empty$/],
  [null, /^address must be a text$/],
  [`${'a'.repeat(255)}b`, /^address must have at most 255 characters$/],
  ['a\0b', /^address must not contain NUL/],
  ['ftp://10.0.0.1', /^address must be a host or a URL of http, https, ws, wss$/],
  ['http://maker:secret@10.0.0.1', /^address must not contain a user name or password/],
  ['maker@10.0.0.1', /^address must not contain a user name or password/],
  ['http://10.0.0.1/octoprint', /^address must have no path and no query\. Enter http:\/\/10\.0\.0\.1$/],
  ['10.0.0.1?key=1', /^address must have no path and no query\. Enter 10\.0\.0\.1$/],
  ['10.0.0.1#x', /^address must have no path and no query\. Enter 10\.0\.0\.1$/],
  ['http://voron.local/#/files', /\. Enter http:\/\/voron\.local$/],
  ['HTTPS://octopi.local:8443/?#temp', /\. Enter https:\/\/octopi\.local:8443$/],
  ['http://mainsail.local/#/', /\. Enter http:\/\/mainsail\.local$/],
  ['[fd00::20]:80/#', /\. Enter \[fd00::20\]:80$/],
  ['ws://voron.local:7125/websocket', /\. Enter ws:\/\/voron\.local:7125$/],
  ['http:///files', FORMS],
  ['10.0.0.1:0', FORMS],
  ['10.0.0.1:http', FORMS],
  ['fd00::20', FORMS],
  ['[voron]', FORMS],
  ['[fd00::20%eth0]', FORMS],
  ['http://', FORMS],
  ['10.0.0 .1', FORMS],
  [' \u200b', /^address must not be empty$/],
  ['10.0.0.1\nx', INVISIBLE],
  ['http://\r\n10.0.0.1', INVISIBLE],
  ['10.0.\u200b0.1', INVISIBLE],
  ['10.0.0.1\u202e80', INVISIBLE],
  ['vor\u00adon.local', INVISIBLE],
  ['voron\u2028.local', INVISIBLE],
  ['voron\ud800', /^address must not contain half of a surrogate pair$/],
  ['xn--a.local', FORMS],
  ['vor%6fn', FORMS],
  ['8.8.8.8', PRIVATE],
  ['134744072', PRIVATE],
  ['[2001:db8::1]', PRIVATE],
  ['[::ffff:8.8.8.8]', PRIVATE],
  ['169.254.169.254', PRIVATE],
  ['0', PRIVATE],
  ['[::]', PRIVATE],
  ['[fe80::1]', PRIVATE],
  ['[fd00:ec2::254]', PRIVATE],
  ['100.100.100.200', PRIVATE],
  ['224.0.0.251', PRIVATE],
  ['127.0.0.1:4000', PRIVATE],
  ['[::1]:4000', PRIVATE],
])('%j is refused', (text, message) => {
  const refused = () => read(text);
  expect(refused).toThrow(BadInput);
  expect(refused).toThrow(message);
  expect(refused).not.toThrow(/secret@/);
});

test('DEVICE_NETWORKS allows other networks, but never link-local, multicast and credential-serving addresses', () => {
  const wide = createNetwork({ allowed: ['203.0.113.0/24', '0.0.0.0/0', '::/0'], gatewayPort: null });
  for (const ip of ['203.0.113.9', '8.8.8.8', '2001:db8::1', '127.0.0.1'])
    expect([ip, wide.permits(ip, 80)]).toEqual([ip, true]);
  const never = ['169.254.169.254', '::ffff:169.254.169.254', '0.0.0.0', '::', 'fe80::1', 'ff02::fb', '224.0.0.1'];
  for (const ip of [...never, 'fd00:ec2::254', '::ffff:100.100.100.200'])
    expect([ip, wide.permits(ip, 80)]).toEqual([ip, false]);
  expect(wide.permits('voron.local', 80)).toBe(false);
});

test('the port of the gateway is refused on every address of its machine, and on no other', () => {
  const own = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  for (const { address } of own) expect([address, network.permits(address, 4000)]).toEqual([address, false]);
  expect(network.permits('::ffff:127.0.0.1', 4000)).toBe(false);
  expect(network.permits('127.0.0.1', 4001)).toBe(true);
  expect(network.permits('10.255.254.253', 4000)).toBe(true);
});

test.each([
  ['10.0.0.0/8', { address: '10.0.0.0', bits: 8 }],
  ['203.0.113.7', { address: '203.0.113.7', bits: 32 }],
  ['fd00::/8', { address: 'fd00::', bits: 8 }],
  ['10.0.0.0/33', undefined],
  ['fd00::/129', undefined],
  ['10.0.0.0/', undefined],
  ['', undefined],
])('the network %s', (text, network) => {
  expect(parseNetwork(text)).toEqual(network);
});
