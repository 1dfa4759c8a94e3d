// Reads the configuration from the environment and reports all faults together. Only this file reads process.env.
import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { databaseTarget } from './database/driver/database-url';
import type { DatabaseTarget } from './database/driver/driver';
import { type ApiKey, parseApiKeys } from './doors/auth/api-keys';
import type { AuthRules } from './doors/auth/authentication';
import type { GraphSettings } from './doors/graphql/apollo-server';
import { type PersistedOperation, readManifest } from './doors/graphql/operation-manifest';
import type { HttpSettings } from './doors/http/http-server';
import { JOB_CASINGS } from './doors/rest/casing';
import { isLoopback } from './values/loopback';
import type { Spelling } from './values/spelling';
import { type TimeBudget, timeBudget, USUAL_REQUEST_MS } from './values/time-budget';
import { parseNetwork } from './wire/networks';
import { parseDeviceKey } from './wire/secrets';

export interface Config {
  port: number;
  /** Where the command `collect` answers the probes; null without PORT, where it listens at no port. */
  probePort: number | null;
  database: DatabaseTarget;
  budget: TimeBudget;
  /** The spelling of print job members on REST. */
  jobSpelling: Spelling;
  logLevel: string;
  /** The currency of prices and costs, a code of ISO 4217; null for none. */
  currency: string | null;
  http: HttpSettings;
  /** The rights of keys and tokens. Without keys and tokens, every caller may do everything. */
  auth: AuthRules;
  graph: GraphSettings;
  devices: {
    /** Encrypts their secrets; null where none is given. */
    key: Buffer | null;
    /** Where machines may be, as CIDR, beside the private networks. */
    networks: string[];
    /** Whether this process listens to machines. */
    collect: boolean;
  };
  notifications: {
    /** Whether this process sends notifications. */
    send: boolean;
    /** Where targets may be beside the networks of devices: `ntfy.sh`, and `*.example.org` for all below it; in lower case. */
    hosts: string[];
    /** The URL at which people reach the dashboard, without a slash at its end; null where PUBLIC_URL is not set. */
    publicUrl: string | null;
  };
  /** The days for which status records are kept; null for ever. */
  statusRetentionDays: number | null;
  /** The recording states in which a camera records, in lower case. */
  recordingStates: string[];
  /** How long the feed of changes keeps a change. */
  changesRetentionHours: number;
  /** The URL for traces (OTLP over HTTP); null for no traces. */
  tracesUrl: string | null;
}

/** Thrown by readConfig with all faults. */
export class ConfigError extends Error {
  constructor(readonly faults: string[]) {
    super(`The configuration has faults:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  }
}

/** Twice the requests of a thousand cameras that report every second through one address. */
const SHARED_PER_MINUTE = 120_000;
const USUAL_HOST = '127.0.0.1';
const USUAL_PORT = 4000;
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** An empty variable counts as unset, because shells and compose files clear variables in this way. */
const variablesOf = (env: NodeJS.ProcessEnv) => (name: string) => env[name]?.trim() || undefined;

export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const faults: string[] = [];
  const given = variablesOf(env);
  const value = (name: string) => {
    const text = given(name);
    // Files of variables that no shell reads, such as those of Docker, take the marks for a part of the value.
    if (text === undefined || !/^(["']).*\1$/s.test(text)) return text;
    const fault = `${name} has quotation marks around its value: leave them out`;
    if (!faults.includes(fault)) faults.push(fault);
    return undefined;
  };
  const integer = <Otherwise extends number | null>(name: string, otherwise: Otherwise, min: number, max: number) => {
    const text = value(name);
    if (text === undefined) return otherwise;
    if (/^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
    faults.push(`${name} must be an integer from ${min} to ${max}, not "${text}"`);
    return otherwise;
  };
  const oneOf = <Choice extends string, Otherwise extends Choice | undefined>(
    name: string,
    choices: readonly Choice[],
    otherwise: Otherwise,
  ): Choice | Otherwise => {
    const text = value(name);
    if (text === undefined) return otherwise;
    const choice = choices.find((candidate) => candidate === text);
    if (choice === undefined) faults.push(`${name} must be one of ${choices.join(', ')}, not "${text}"`);
    return choice ?? otherwise;
  };
  const flag = (name: string, otherwise: boolean) =>
    oneOf(name, ['true', 'false'], String(otherwise) as 'true' | 'false') === 'true';

  const host = readHost(value('HOST'), faults);
  const port = integer('PORT', USUAL_PORT, 0, 65_535);
  const auth = readAuth(value, faults);
  const open = auth.apiKeys.length === 0 && auth.tokens === null;
  const config: Config = {
    port,
    probePort: value('PORT') === undefined ? null : port,
    database: readDatabase(value('DATABASE_URL'), integer('DATABASE_POOL_SIZE', 10, 1, 1000), faults),
    budget: timeBudget(integer('REQUEST_TIMEOUT_MS', USUAL_REQUEST_MS, 100, 600_000)),
    jobSpelling: JOB_CASINGS[oneOf('REST_PRINT_JOB_CASING', ['pascal', 'camel'], 'pascal')],
    logLevel: oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    currency: readCurrency(value('CURRENCY'), faults),
    http: {
      host,
      bodyBytes: integer('BODY_LIMIT_BYTES', 1_048_576, 1024, 1_073_741_824),
      connections: integer('MAX_CONNECTIONS', 10_000, 1, 1_000_000),
      operationsPerSocket: integer('MAX_SUBSCRIPTIONS', 100, 1, 100_000),
      // No limit on loopback without authentication: all callers are on this machine.
      ratePerMinute:
        integer('RATE_LIMIT_PER_MINUTE', open && isLoopback(host) ? 0 : SHARED_PER_MINUTE, 0, 1_000_000_000) || null,
      trustedProxies: readProxies(value('TRUSTED_PROXIES'), faults),
      corsOrigins: readOrigins(value('CORS_ORIGINS'), faults),
      // `docker stop` kills after 10 s.
      shutdownTimeoutMs: integer('SHUTDOWN_TIMEOUT_MS', 8000, 0, 600_000),
    },
    auth,
    graph: {
      limits: {
        depth: integer('GRAPHQL_MAX_DEPTH', 15, 1, 1000),
        aliases: integer('GRAPHQL_MAX_ALIASES', 500, 0, 100_000),
        cost: integer('GRAPHQL_MAX_COST', 500_000, 1, 1_000_000_000),
        tokens: integer('GRAPHQL_MAX_TOKENS', 5000, 10, 1_000_000),
      },
      introspection: flag('GRAPHQL_INTROSPECTION', value('NODE_ENV') !== 'production'),
      persistedOnly: flag('PERSISTED_ONLY', false),
      trusted: readTrusted(value('TRUSTED_OPERATIONS'), auth, faults),
      operations: readManifests(value('PERSISTED_MANIFEST'), faults),
    },
    devices: {
      key: readDeviceKey(value('DEVICE_KEY'), faults),
      networks: readNetworks(value('DEVICE_NETWORKS'), faults),
      collect: flag('COLLECT', true),
    },
    notifications: {
      send: flag('NOTIFY', true),
      hosts: readHosts(value('NOTIFY_HOSTS'), faults),
      publicUrl: readPublicUrl(value('PUBLIC_URL'), faults),
    },
    changesRetentionHours: integer('CHANGES_RETENTION_HOURS', 72, 1, 876_000),
    recordingStates: readStates(value('RECORDING_STATES')),
    statusRetentionDays: integer('STATUS_RETENTION_DAYS', null, 1, 36_500),
    tracesUrl: readTracesUrl(value('OTEL_EXPORTER_OTLP_ENDPOINT'), faults),
  };
  const declared = oneOf('AUTH', ['none'], undefined);
  if (open && declared === undefined && !isLoopback(host)) {
    faults.push(
      `HOST ${host} can be reached by others: set API_KEYS, JWT_JWKS_URL or JWT_PUBLIC_KEY, or AUTH=none where every caller may do everything`,
    );
  }
  if (!open && declared === 'none') faults.push('AUTH=none means no authentication, but keys or tokens are set');
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

/** Where a command finds the running gateway, and the key or token that it sends; null for none. */
export function readGateway(env: NodeJS.ProcessEnv = process.env): { url: string; key: string | null } {
  const value = variablesOf(env);
  const host = readHost(value('HOST'), []);
  // A gateway on every network interface is on the loopback one too.
  const name = { '0.0.0.0': USUAL_HOST, '::': '[::1]' }[host] ?? (isIP(host) === 6 ? `[${host}]` : host);
  const url = value('GATEWAY_URL') ?? `http://${name}:${value('PORT') ?? USUAL_PORT}`;
  return { url: url.replace(/\/+$/, ''), key: value('GATEWAY_KEY') ?? null };
}

/** The name that a slicer will give the file, where it calls a command as its post-processing script; null elsewhere. */
export const readSlicerOutput = (env: NodeJS.ProcessEnv = process.env): string | null =>
  variablesOf(env)('SLIC3R_PP_OUTPUT_NAME') ?? null;

function readCurrency(text: string | undefined, faults: string[]): string | null {
  if (text === undefined || Intl.supportedValuesOf('currency').includes(text)) return text ?? null;
  faults.push(`CURRENCY must be a code of ISO 4217 such as EUR, not "${text}"`);
  return null;
}

function readDatabase(text: string | undefined, poolSize: number, faults: string[]): DatabaseTarget {
  const target = databaseTarget(text, poolSize);
  if (typeof target !== 'string') return target;
  faults.push(target);
  return { kind: 'memory' };
}

/** An address, or a name. An IPv6 address may stand in the brackets that a URL wants. */
function readHost(text: string | undefined, faults: string[]): string {
  if (text === undefined) return USUAL_HOST;
  const host = /^\[(.*)\]$/.exec(text)?.[1] ?? text;
  if (isIP(host) > 0 || /^[^\s:/[\]]+$/.test(host)) return host;
  faults.push(`HOST must be an address or a name alone, not "${text}": PORT is the port`);
  return USUAL_HOST;
}

type Value = (name: string) => string | undefined;

function readAuth(value: Value, faults: string[]): AuthRules {
  const apiKeys: ApiKey[] = [];
  for (const key of parseApiKeys(value('API_KEYS'))) {
    if (key) apiKeys.push(key);
    // The message leaves out the entry, which may hold a key in place of the hash.
    else
      faults.push(
        'API_KEYS must be entries NAME:read+write:HASH or NAME:write:HASH:CAMERA_ID (the command key makes one), separated by commas',
      );
  }
  const names = apiKeys.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  // Idempotency keys and the share of requests belong to the name of a caller.
  if (twice !== undefined) faults.push(`API_KEYS has two entries with the name ${twice}`);
  const jwksUrl = value('JWT_JWKS_URL');
  const publicKey = value('JWT_PUBLIC_KEY');
  if (jwksUrl !== undefined && publicKey !== undefined)
    faults.push('JWT_JWKS_URL and JWT_PUBLIC_KEY exclude each other');
  if (jwksUrl !== undefined && !isHttpUrl(jwksUrl)) faults.push('JWT_JWKS_URL must be an http or https URL');
  const keys =
    jwksUrl !== undefined
      ? { jwksUrl }
      : publicKey !== undefined
        ? { publicKey: readPublicKey(publicKey, faults) }
        : null;
  const issuer = value('JWT_ISSUER') ?? null;
  const audience = value('JWT_AUDIENCE') ?? null;
  return { apiKeys, tokens: keys && { keys, issuer, audience } };
}

function readPublicKey(text: string, faults: string[]): string {
  try {
    const pem = text.includes('-----BEGIN') ? text : readFileSync(text, 'utf8');
    createPublicKey(pem);
    return pem;
  } catch {
    faults.push('JWT_PUBLIC_KEY must be a public key in PEM, or the path of a file that holds one');
    return '';
  }
}

const isHttpUrl = (text: string) => /^https?:\/\//.test(text) && URL.canParse(text);

const listed = (text: string | undefined) => text?.split(',').map((item) => item.trim()) ?? [];

/** In small letters as the database writes those of records: only A to Z have one. */
const readStates = (text = 'recording') =>
  listed(text)
    .filter((state) => state !== '')
    .map((state) => state.replace(/[A-Z]/g, (letter) => letter.toLowerCase()));

function readOrigins(text: string | undefined, faults: string[]): string[] {
  const origins = listed(text);
  for (const origin of origins) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
      faults.push(`CORS_ORIGINS must be origins such as https://farm.example, separated by commas, not "${origin}"`);
    }
  }
  return origins;
}

function readProxies(text: string | undefined, faults: string[]): string[] {
  const proxies = listed(text);
  for (const proxy of proxies) {
    const [, address = '', bits = '1'] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(proxy) ?? [];
    if (isIP(address) === 0 || Number(bits) < 1 || Number(bits) > (isIP(address) === 6 ? 128 : 32)) {
      faults.push(
        `TRUSTED_PROXIES must be addresses or networks such as 10.0.0.0/8, separated by commas, not "${proxy}"`,
      );
    }
  }
  return proxies;
}

/** The messages leave out the values. */
function readDeviceKey(key: string | undefined, faults: string[]): Buffer | null {
  if (key === undefined) return null;
  const given = parseDeviceKey(key);
  if (given === undefined) faults.push('DEVICE_KEY must be 64 hexadecimal digits; openssl rand -hex 32 makes them');
  return given ?? null;
}

function readNetworks(text: string | undefined, faults: string[]): string[] {
  const networks = listed(text);
  for (const network of networks) {
    if (parseNetwork(network) === undefined) {
      faults.push(
        `DEVICE_NETWORKS must be addresses or networks such as 203.0.113.0/24, separated by commas, not "${network}"`,
      );
    }
  }
  return networks;
}

/** A token may have any subject, and a key must be there. */
function readTrusted(text: string | undefined, { apiKeys, tokens }: AuthRules, faults: string[]): string[] {
  const names = listed(text);
  for (const name of names) {
    if (name !== '' && (tokens !== null || apiKeys.some((key) => key.name === name))) continue;
    faults.push(`TRUSTED_OPERATIONS must be names of keys in API_KEYS, separated by commas, not "${name}"`);
  }
  return names;
}

function readHosts(text: string | undefined, faults: string[]): string[] {
  const hosts = listed(text).map((host) => host.toLowerCase());
  for (const host of hosts) {
    if (!/^(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(host) && isIP(host) === 0) {
      faults.push(`NOTIFY_HOSTS must be hosts such as ntfy.sh or *.example.org, separated by commas, not "${host}"`);
    }
  }
  return hosts;
}

function readPublicUrl(text: string | undefined, faults: string[]): string | null {
  if (text === undefined) return null;
  if (isHttpUrl(text) && !/[?#@]/.test(text)) return text.replace(/\/+$/, '');
  faults.push('PUBLIC_URL must be an http or https URL such as https://farm.example');
  return null;
}

function readManifests(text: string | undefined, faults: string[]): PersistedOperation[] {
  return listed(text).flatMap((path) => {
    try {
      return readManifest(readFileSync(path, 'utf8'));
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      faults.push(`PERSISTED_MANIFEST: ${path} ${code === undefined ? message : `cannot be read (${code})`}`);
      return [];
    }
  });
}

/** OpenTelemetry's rule: the endpoint is a base URL, and traces have the path /v1/traces below it. */
function readTracesUrl(text: string | undefined, faults: string[]): string | null {
  if (text === undefined) return null;
  if (isHttpUrl(text)) return `${text.replace(/\/+$/, '')}/v1/traces`;
  faults.push('OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https URL such as http://127.0.0.1:4318');
  return null;
}
