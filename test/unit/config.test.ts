// The configuration: its defaults, the values of each variable, and every fault in one message.
import { resolve } from 'node:path';
import { ConfigError, readConfig, readGateway, readSlicerOutput } from '../../src/config';
import { generateApiKey } from '../../src/doors/auth/api-keys';
import { camel, pascal } from '../../src/doors/rest/casing';
import fc from '../support/generated';

test('without any variable the gateway runs for one user on one machine', () => {
  expect(readConfig({})).toEqual({
    port: 4000,
    probePort: null,
    database: { kind: 'directory', path: resolve('data') },
    budget: { requestMs: 4500, connectionMs: 2000, statementMs: 3000, silenceMs: 3500, transactionMs: 4500 },
    jobSpelling: pascal,
    logLevel: 'info',
    currency: null,
    http: {
      host: '127.0.0.1',
      bodyBytes: 1_048_576,
      connections: 10_000,
      operationsPerSocket: 100,
      ratePerMinute: null,
      trustedProxies: [],
      corsOrigins: [],
      spoolman: 'keys',
      shutdownTimeoutMs: 8000,
    },
    auth: { apiKeys: [], tokens: null },
    devices: { key: null, networks: [], collect: true, thumbnails: true },
    notifications: { send: true, hosts: [], publicUrl: null },
    graph: {
      limits: { depth: 15, aliases: 500, cost: 500_000, tokens: 5000 },
      introspection: true,
      persistedOnly: false,
      trusted: [],
      operations: [],
    },
    changesRetentionHours: 72,
    recordingStates: ['recording'],
    statusRetentionDays: null,
    tracesUrl: null,
  });
});

const EVERY = {
  HOST: '0.0.0.0',
  PORT: '8080',
  DATABASE_URL: 'postgresql://user:pass@db:5432/farm?sslmode=require',
  DATABASE_POOL_SIZE: '25',
  REST_PRINT_JOB_CASING: 'camel',
  CURRENCY: 'EUR',
  LOG_LEVEL: 'warn',
  BODY_LIMIT_BYTES: '2048',
  MAX_CONNECTIONS: '77',
  MAX_SUBSCRIPTIONS: '7',
  RATE_LIMIT_PER_MINUTE: '600',
  TRUSTED_PROXIES: '10.0.0.0/8, ::1',
  PERSISTED_ONLY: 'true',
  TRUSTED_OPERATIONS: 'app, router',
  PERSISTED_MANIFEST: 'src/generated/persisted-operations.json',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
  API_KEYS: `app:read+write:${'a'.repeat(64)}, cam:write:${'b'.repeat(64)}:cam:01`,
  JWT_JWKS_URL: 'https://id.example/jwks',
  JWT_ISSUER: 'https://id.example',
  JWT_AUDIENCE: 'farm',
  DEVICE_KEY: 'c4'.repeat(32),
  DEVICE_NETWORKS: '203.0.113.0/24, 2001:db8::7',
  COLLECT: 'false',
  PRINT_THUMBNAILS: 'false',
  NOTIFY: 'false',
  NOTIFY_HOSTS: 'ntfy.sh, *.Example.org',
  PUBLIC_URL: 'https://farm.example/gateway/',
  CORS_ORIGINS: 'https://farm.example, http://localhost:5173',
  SPOOLMAN_API: 'open',
  GRAPHQL_MAX_DEPTH: '9',
  GRAPHQL_MAX_ALIASES: '8',
  GRAPHQL_MAX_COST: '6',
  GRAPHQL_MAX_TOKENS: '50',
  REQUEST_TIMEOUT_MS: '2000',
  STATUS_RETENTION_DAYS: '90',
  RECORDING_STATES: 'REC, Läuft',
  CHANGES_RETENTION_HOURS: '5',
  SHUTDOWN_TIMEOUT_MS: '500',
  NODE_ENV: 'production',
};

test('every variable has an effect', () => {
  expect(readConfig(EVERY)).toEqual({
    port: 8080,
    probePort: 8080,
    database: { kind: 'server', url: EVERY.DATABASE_URL, poolSize: 25 },
    budget: { requestMs: 2000, connectionMs: 889, statementMs: 1334, silenceMs: 1556, transactionMs: 2000 },
    jobSpelling: camel,
    logLevel: 'warn',
    currency: 'EUR',
    http: {
      host: '0.0.0.0',
      bodyBytes: 2048,
      connections: 77,
      operationsPerSocket: 7,
      ratePerMinute: 600,
      trustedProxies: ['10.0.0.0/8', '::1'],
      corsOrigins: ['https://farm.example', 'http://localhost:5173'],
      spoolman: 'open',
      shutdownTimeoutMs: 500,
    },
    auth: {
      apiKeys: [
        { name: 'app', scopes: ['read', 'write'], hash: 'a'.repeat(64), cameraId: null },
        { name: 'cam', scopes: ['write'], hash: 'b'.repeat(64), cameraId: 'cam:01' },
      ],
      tokens: { keys: { jwksUrl: 'https://id.example/jwks' }, issuer: 'https://id.example', audience: 'farm' },
    },
    devices: {
      key: Buffer.alloc(32, 0xc4),
      networks: ['203.0.113.0/24', '2001:db8::7'],
      collect: false,
      thumbnails: false,
    },
    notifications: { send: false, hosts: ['ntfy.sh', '*.example.org'], publicUrl: 'https://farm.example/gateway' },
    graph: {
      limits: { depth: 9, aliases: 8, cost: 6, tokens: 50 },
      introspection: false,
      persistedOnly: true,
      trusted: ['app', 'router'],
      operations: expect.arrayContaining([expect.objectContaining({ name: 'Cameras', id: expect.any(String) })]),
    },
    changesRetentionHours: 5,
    recordingStates: ['rec', 'läuft'],
    statusRetentionDays: 90,
    tracesUrl: 'http://collector:4318/v1/traces',
  });
});

test('an empty variable counts as unset', () => {
  const names = [...Object.keys(EVERY), 'AUTH', 'GRAPHQL_INTROSPECTION', 'JWT_PUBLIC_KEY'];
  expect(readConfig(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(readConfig({}));
});

test.each([
  ['memory:', { kind: 'memory' }],
  ['file:/var/lib/farm', { kind: 'directory', path: '/var/lib/farm' }],
  ['file:./farm data', { kind: 'directory', path: resolve('farm data') }],
  ['postgresql://db/farm', { kind: 'server', url: 'postgresql://db/farm', poolSize: 10 }],
  ['postgres://db/farm', { kind: 'server', url: 'postgres://db/farm', poolSize: 10 }],
  [
    'postgresql://me@/farm?host=/run/pg',
    { kind: 'server', url: 'postgresql://me@localhost/farm?host=/run/pg', poolSize: 10 },
  ],
])('DATABASE_URL may be %s', (url, database) => {
  expect(readConfig({ DATABASE_URL: url }).database).toEqual(database);
});

test.each([
  ['file:~/farm', /~ and variables are not replaced in it$/],
  ['file:~', /~ and variables are not replaced in it$/],
  ['file:$HOME/farm', /~ and variables are not replaced in it$/],
  ['file://localhost/x', /without a host: file:\/srv\/farm is an absolute path/],
  ['file://farm', /without a host/],
  ['postgresql://db1,db2/farm', /name one host\. If you have several servers/],
  ['postgresql://me:secret@db1:5432,db2:5433/farm', /name one host/],
  ['postgresql://me:secret@/farm?host=db1,db2', /name one host/],
])('DATABASE_URL cannot be %s, and the message says why', (DATABASE_URL, sentence) => {
  expect(readFaults({ DATABASE_URL })).toEqual([expect.stringMatching(/^DATABASE_URL must /)]);
  expect(readFaults({ DATABASE_URL })).toEqual([expect.stringMatching(sentence)]);
  expect(readFaults({ DATABASE_URL }).join()).not.toContain('secret');
});

test('a comma in a password or a parameter is not a second host', () => {
  const DATABASE_URL = 'postgresql://me:a,b@db/farm?options=-c%20search_path%3Da,b';
  expect(readConfig({ DATABASE_URL }).database).toMatchObject({ url: DATABASE_URL });
});

test.each([
  ['DATABASE_URL', '"postgresql://me:secret@db/farm"'],
  ['HOST', "'0.0.0.0'"],
  ['API_KEYS', `"app:read:${'a'.repeat(64)}"`],
])('quotation marks around %s are reported, without its value', (name, value) => {
  expect(readFaults({ [name]: value })).toEqual([`${name} has quotation marks around its value. Remove them`]);
});

test('white space around a value is ignored', () => {
  expect(readConfig({ PORT: ' 8080\r', HOST: '127.0.0.1 ', CURRENCY: ' ' })).toEqual(readConfig({ PORT: '8080' }));
});

test.each([
  ['[::1]', '::1'],
  ['[fe80::1%eth0]', 'fe80::1%eth0'],
  ['localhost', 'localhost'],
])('HOST may be %s', (HOST, host) => expect(readConfig({ HOST, AUTH: 'none' }).http.host).toBe(host));

test.each([
  ['PORT', '65536'],
  ['PORT', '80.5'],
  ['DATABASE_POOL_SIZE', '0'],
  ['DATABASE_POOL_SIZE', '1001'],
  ['BODY_LIMIT_BYTES', '1MB'],
  ['REST_PRINT_JOB_CASING', 'Pascal'],
  ['LOG_LEVEL', 'verbose'],
  ['HOST', 'http://farm'],
  ['HOST', '127.0.0.1:4000'],
  ['HOST', '[::1]:4000'],
  ['CURRENCY', 'euro'],
  ['CURRENCY', 'XYZ'],
  ['TRUSTED_PROXIES', 'balancer'],
  ['TRUSTED_PROXIES', '10.0.0.0/33'],
  ['TRUSTED_PROXIES', '10.0.0.1,'],
  ['TRUSTED_PROXIES', '0.0.0.0/0'],
  ['JWT_JWKS_URL', 'http://'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'ftp://collector'],
  ['DATABASE_URL', 'mysql://db/farm'],
  ['DATABASE_URL', 'file:'],
  ['DATABASE_URL', 'postgresql://user:pa ss@[db/farm'],
])('%s cannot be "%s"', (name, value) => {
  const faults = readFaults({ [name]: value });
  expect(faults).toHaveLength(1);
  expect(faults[0]).toMatch(new RegExp(`^${name} must be `));
});

test('all faults are reported together, one per line', () => {
  const env = {
    PORT: 'x',
    DATABASE_URL: 'x',
    DATABASE_POOL_SIZE: 'x',
    REST_PRINT_JOB_CASING: 'x',
    LOG_LEVEL: 'x',
    BODY_LIMIT_BYTES: 'x',
  };
  expect(
    readFaults(env)
      .map((fault) => fault.split(' ')[0])
      .sort(),
  ).toEqual(Object.keys(env).sort());
  expect(() => readConfig(env)).toThrow(/^The gateway cannot start with these settings:(\n {2}\w+ must be .+){6}$/);
});

test.each(['0.0.0.0', '::', '192.0.2.1', 'farm.example'])(
  'at %s others could reach the gateway, and every caller could do everything',
  (HOST) => {
    expect(readFaults({ HOST })).toEqual([
      `HOST ${HOST} lets other computers reach the gateway, and no authentication is set. Set API_KEYS, JWT_JWKS_URL or JWT_PUBLIC_KEY. ` +
        'If every caller may do everything, set AUTH=none',
    ]);
  },
);

test('a fault of DATABASE_URL does not print its password', () => {
  expect(readFaults({ DATABASE_URL: 'mysql://root:secret@db/farm' }).join()).not.toContain('secret');
});

function readFaults(env: NodeJS.ProcessEnv): string[] {
  try {
    readConfig(env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).faults;
  }
  return [];
}

test('two API keys with one name are refused, because a caller is identified by its name', () => {
  const API_KEYS = `app:read:${'a'.repeat(64)},app:write:${'b'.repeat(64)}`;
  expect(() => readConfig({ API_KEYS })).toThrow(
    'API_KEYS has two entries with the name app. Give each key its own name',
  );
});

test('without tokens TRUSTED_OPERATIONS names existing keys', () => {
  const API_KEYS = `app:read:${'a'.repeat(64)}`;
  expect(readConfig({ API_KEYS, TRUSTED_OPERATIONS: 'app' }).graph.trusted).toEqual(['app']);
  const fault = (name: string) =>
    `TRUSTED_OPERATIONS must be names of keys in API_KEYS, separated by commas, not "${name}"`;
  expect(readFaults({ API_KEYS, TRUSTED_OPERATIONS: 'app, ap' })).toEqual([fault('ap')]);
  expect(readFaults({ TRUSTED_OPERATIONS: 'app' })).toEqual([fault('app')]);
  expect(readFaults({ API_KEYS, JWT_JWKS_URL: 'https://id.example', TRUSTED_OPERATIONS: 'app,,any' })).toEqual([
    fault(''),
  ]);
});

test('an API key is accepted only if its entry is read exactly as it was entered', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', ':', ',', ' ', '\n', '%', 'ä'), maxLength: 6 });
  let made = 0;
  fc.assert(
    fc.property(
      texts,
      fc.constantFrom('read', 'write', 'read+write', 'devices', 'read+write+devices'),
      fc.option(texts),
      (name, scopes, cameraId) => {
        let entry: string;
        try {
          entry = generateApiKey(name, scopes, cameraId ?? undefined).entry;
        } catch (error) {
          expect((error as Error).message).toMatch(/^A name must not contain a colon/);
          return;
        }
        made += 1;
        const { apiKeys } = readConfig({
          API_KEYS: `one:read:${'a'.repeat(64)},${entry},two:read:${'b'.repeat(64)}`,
        }).auth;
        expect(apiKeys).toMatchObject([
          { name: 'one' },
          { name, scopes: scopes.split('+'), cameraId },
          { name: 'two' },
        ]);
      },
    ),
    { numRuns: 1000, seed: 1 },
  );
  expect(made).toBeGreaterThan(50);
});

test('an API key is refused for an empty camera id and for unknown scopes', () => {
  expect(() => generateApiKey('app', 'write', '')).toThrow('A camera id must not be empty');
  for (const scopes of ['', 'admin', 'write+read+', 'read read']) {
    expect(() => generateApiKey('app', scopes)).toThrow('The scopes must be');
  }
});

test.each([
  [{}, null],
  [{ HOST: '::1' }, null],
  [{ HOST: '0.0.0.0', AUTH: 'none' }, 120_000],
  [{ API_KEYS: `app:read:${'a'.repeat(64)}` }, 120_000],
  [{ API_KEYS: `app:read:${'a'.repeat(64)}`, RATE_LIMIT_PER_MINUTE: '0' }, null],
  [{ RATE_LIMIT_PER_MINUTE: '10' }, 10],
])('with %j at most %s requests a minute are allowed', (env, rate) => {
  expect(readConfig(env).http.ratePerMinute).toBe(rate);
});

test.each([
  [{}, 'http://127.0.0.1:4000'],
  [{ PORT: '8080' }, 'http://127.0.0.1:8080'],
  [{ HOST: '0.0.0.0' }, 'http://127.0.0.1:4000'],
  [{ HOST: '::', PORT: '1' }, 'http://[::1]:1'],
  [{ HOST: '[::1]' }, 'http://[::1]:4000'],
  [{ HOST: 'fd00::1' }, 'http://[fd00::1]:4000'],
  [{ HOST: 'farm.example', GATEWAY_URL: 'https://farm.example/gateway/' }, 'https://farm.example/gateway'],
])('with %j commands find the gateway at %s', (env, url) => {
  expect(readGateway(env)).toEqual({ url, key: null });
  expect(readGateway({ ...env, GATEWAY_KEY: 'k' })).toEqual({ url, key: 'k' });
});

test.each([
  [{}, null],
  [{ SLIC3R_PP_OUTPUT_NAME: '' }, null],
  [{ SLIC3R_PP_OUTPUT_NAME: 'C:\\part.gcode' }, 'C:\\part.gcode'],
])('with %j a slicer names the file %j', (env, name) => expect(readSlicerOutput(env)).toBe(name));
