// The URLs of notification targets: how each kind reads them, and which hosts are allowed.

import { parseTargetUrl, readTargetUrl } from '../../src/notifications/target.address';
import type { NotificationKind } from '../../src/notifications/target.types';
import { createNetwork, Reach } from '../../src/wire/networks';

const near = createNetwork({ allowed: ['198.51.100.0/24'], gatewayPort: 4000 });
const far = createNetwork({ allowed: ['0.0.0.0/0', '::/0'], gatewayPort: 4000 });
const reach = new Reach(near, far, ['ntfy.sh', '*.example.org', '203.0.113.9']);
const read = (kind: NotificationKind, url: string) => readTargetUrl(kind, reach)(url, 'url');
const readRefusal = (kind: NotificationKind, url: string) => {
  try {
    return read(kind, url);
  } catch (error) {
    return (error as Error).message;
  }
};

test.each<[NotificationKind, string, object]>([
  ['WEBHOOK', 'http://home.local', { secure: false, host: 'home.local', port: 80, path: '/' }],
  ['WEBHOOK', 'HTTPS://home.local:8443/hook/a%20b?key=1', { secure: true, port: 8443, path: '/hook/a%20b?key=1' }],
  ['WEBHOOK', 'http://[fd00::20]:81/x', { host: 'fd00::20', port: 81, path: '/x' }],
  ['WEBHOOK', 'http://0x7f.1/', { host: '127.0.0.1' }],
  ['NTFY', 'https://ntfy.sh/my_topic-1', { secure: true, host: 'ntfy.sh', port: 443, path: 'my_topic-1' }],
  ['NTFY', 'http://10.0.0.2:8080/t/', { port: 8080, path: 't' }],
  ['MQTT', 'mqtt://broker', { secure: false, host: 'broker', port: 1883, path: 'print-farm' }],
  ['MQTT', 'mqtts://broker:80/', { secure: true, port: 80, path: 'print-farm' }],
  ['MQTT', 'mqtt://broker/homeassistant/prints', { path: 'homeassistant/prints' }],
  ['MQTT', 'mqtt://2130706433/home/prints/', { host: '127.0.0.1', path: 'home/prints' }],
])('%s reads %s', (kind, url, address) => {
  expect(read(kind, ` ${url}\n`)).toBe(url);
  expect(parseTargetUrl(kind, url)).toMatchObject(address);
});

test.each<[NotificationKind, string, RegExp]>([
  ['WEBHOOK', 'home.local/hook', /^url must be a URL of http:\/\/ or https:\/\/, such as/],
  ['WEBHOOK', 'ftp://home.local', /^url must be a URL of/],
  ['WEBHOOK', 'http://home.local/#part', /^url must be a URL of/],
  ['WEBHOOK', 'http://home.local:0/', /^url must be a URL of/],
  ['WEBHOOK', 'http://home.local:65536/', /^url must be a URL of/],
  [
    'WEBHOOK',
    'http://home.local:004000/',
    /^url must be a URL of .*, with a port from 1 to 65535 without leading zeros$/,
  ],
  ['NTFY', 'https://ntfy.sh:00443/topic', /^url must be a URL of .* without leading zeros$/],
  ['MQTT', 'mqtt://broker:65536', /^url must be a URL of .*, with a port from 1 to 65535 without leading zeros$/],
  ['WEBHOOK', 'http:///hook', /^url must be a URL of/],
  ['WEBHOOK', `http://home.local/${'x'.repeat(2000)}`, /^url must have at most 2000 characters$/],
  ['WEBHOOK', 'http://user:pa55@home.local', /^url must not contain a user name or password/],
  ['NTFY', 'https://ntfy.sh', /^url must be a URL of .*my-topic$/],
  ['NTFY', 'https://ntfy.sh/a/b', /^url must be a URL of/],
  ['NTFY', 'https://ntfy.sh/topic?up=1', /^url must be a URL of/],
  ['NTFY', 'https://ntfy.sh/to.pic', /^url must be a URL of/],
  ['MQTT', 'http://broker', /^url must be a URL of mqtt:\/\/ or mqtts:\/\//],
  ['MQTT', 'mqtt://broker/a/+/b', /^url must be a URL of/],
  ['MQTT', 'mqtt://broker/a%23', /^url must have a prefix without spaces/],
  ['MQTT', 'mqtt://broker/my farm', /^url must have a prefix without spaces/],
  ['MQTT', 'mqtt://broker/Süd', /^url must have a prefix without spaces, umlauts/],
  ['MQTT', 'mqtt://broker/homeassistant', /^url must be a URL of/],
  ['MQTT', 'mqtt://broker/a//b', /^url must be a URL of/],
])('%s refuses %s, and its message contains no byte of it', (kind, url, naming) => {
  expect(readRefusal(kind, url)).toMatch(naming);
  expect(readRefusal(kind, url)).not.toMatch(/pa55|home\.local|up=1/);
});

const FORBIDDEN =
  /^url must have a host in a private network, in DEVICE_NETWORKS or in NOTIFY_HOSTS. This gateway itself/;

test('literal addresses must be in the local network or in the settings', () => {
  for (const host of ['192.168.1.5', '127.0.0.1', '198.51.100.7', '[::1]', '203.0.113.9', '[::ffff:10.0.0.1]']) {
    expect(read('WEBHOOK', `http://${host}/`)).toBe(`http://${host}/`);
  }
  for (const host of [
    '8.8.8.8',
    '203.0.113.10',
    '169.254.169.254',
    '[::ffff:169.254.1.1]',
    '0.0.0.0',
    '[fe80::1]',
    '[fd00:ec2::254]',
  ]) {
    expect(readRefusal('WEBHOOK', `http://${host}/`)).toMatch(FORBIDDEN);
  }
  for (const host of ['127.0.0.1:4000', '127.1:4000', '[::1]:4000']) {
    expect(readRefusal('WEBHOOK', `http://${host}/`)).toMatch(FORBIDDEN);
  }
  expect(readRefusal('MQTT', 'mqtt://1.1.1.1')).toMatch(FORBIDDEN);
});

test('a host name in the settings may lead anywhere except to forbidden addresses', () => {
  const permits = (host: string, ip: string) => reach.networkOf(host).permits(ip, 443);
  for (const host of ['ntfy.sh', 'NTFY.sh.', 'a.example.org', 'b.a.Example.org']) {
    expect([host, permits(host, '8.8.8.8')]).toEqual([host, true]);
    expect([host, permits(host, '169.254.169.254')]).toEqual([host, false]);
    expect(reach.networkOf(host).permits('127.0.0.1', 4000)).toBe(false);
  }
  for (const host of ['example.org', 'evilexample.org', 'ntfy.sh.evil.com', 'sub.ntfy.sh']) {
    expect([host, permits(host, '8.8.8.8')]).toEqual([host, false]);
    expect([host, permits(host, '10.0.0.1')]).toEqual([host, true]);
  }
});
