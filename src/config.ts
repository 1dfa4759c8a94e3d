// Reads the settings from the environment variables and reports all their faults together. Only this file reads process.env.
import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { readDatabaseTarget } from './database/driver/database-url';
import type { DatabaseTarget } from './database/driver/driver';
import { type ApiKey, parseApiKeys } from './doors/auth/api-keys';
import type { AuthRules } from './doors/auth/authentication';
import type { GraphSettings } from './doors/graphql/apollo-server';
import { type PersistedOperation, readManifest } from './doors/graphql/operation-manifest';
import type { HttpSettings } from './doors/http/http-server';
import { JOB_CASINGS } from './doors/rest/casing';
import { isLoopback } from './values/loopback';
import type { Spelling } from './values/spelling';
import { createTimeBudget, type TimeBudget, USUAL_REQUEST_MS } from './values/time-budget';
import { parseNetwork } from './wire/networks';
import { parseDeviceKey } from './wire/secrets';

export interface Config {
  port: number;
  /** The port at which the command `collect` answers health probes. Without PORT it is null, and the command opens no port. */
  probePort: number | null;
  database: DatabaseTarget;
  budget: TimeBudget;
  /** The spelling of print job members on REST. */
  jobSpelling: Spelling;
  logLevel: string;
  /** The currency of prices and costs, a code of ISO 4217; null for none. */
  currency: string | null;
  http: HttpSettings;
  /** The rights of API keys and tokens. If neither is configured, every caller may do everything. */
  auth: AuthRules;
  graph: GraphSettings;
  devices: {
    /** Encrypts the secrets of devices; null without DEVICE_KEY. */
    key: Buffer | null;
    /** Networks in CIDR form in which machines may be, in addition to the private networks. */
    networks: string[];
    /** Whether this process collects from machines. */
    collect: boolean;
    /** Whether the gateway keeps the preview pictures that machines and slicers offer of prints. */
    thumbnails: boolean;
  };
  notifications: {
    /** Whether this process sends notifications. */
    send: boolean;
    /**
     * Hosts to which notifications may go, in addition to the networks of devices: `ntfy.sh`, or `*.example.org` for all
     * hosts below a domain. In lower case.
     */
    hosts: string[];
    /** The URL at which users reach the dashboard, without a slash at its end; null without PUBLIC_URL. */
    publicUrl: string | null;
  };
  /** How many days status records are kept; null: they are never deleted. */
  statusRetentionDays: number | null;
  /** The values of a status record's `recordingState` that mean that the camera records, in lower case. */
  recordingStates: string[];
  /** How many hours the feed of changes keeps a change. */
  changesRetentionHours: number;
  /** The URL that receives traces (OTLP over HTTP); null: no traces are sent. */
  tracesUrl: string | null;
}

/** `readConfig` throws this error with one sentence for each fault. */
export class ConfigError extends Error {
  constructor(readonly faults: string[]) {
    super(`The gateway cannot start with these settings:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  }
}

/** The default limit of requests per minute. A thousand cameras behind one address that report every second send half as many. */
const SHARED_PER_MINUTE = 120_000;
const USUAL_HOST = '127.0.0.1';
const USUAL_PORT = 4000;
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** An empty variable counts as unset, because shells and Compose files clear variables in this way. */
const readVariables = (env: NodeJS.ProcessEnv) => (name: string) => env[name]?.trim() || undefined;

export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const faults: string[] = [];
  const variable = readVariables(env);
  const value = (name: string) => {
    const text = variable(name);
    // A shell removes quotation marks. Docker's --env-file does not: there they become a part of the value.
    if (text === undefined || !/^(["']).*\1$/s.test(text)) return text;
    const fault = `${name} has quotation marks around its value. Remove them`;
    if (!faults.includes(fault)) faults.push(fault);
    return undefined;
  };
  const integer = <Otherwise extends number | null>(name: string, otherwise: Otherwise, min: number, max: number) => {
    const text = value(name);
    if (text === undefined) return otherwise;
    if (/^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
    faults.push(`${name} must be a whole number from ${min} to ${max}, not "${text}"`);
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
  const isUnprotected = auth.apiKeys.length === 0 && auth.tokens === null;
  const config: Config = {
    port,
    probePort: value('PORT') === undefined ? null : port,
    database: readDatabase(value('DATABASE_URL'), integer('DATABASE_POOL_SIZE', 10, 1, 1000), faults),
    budget: createTimeBudget(integer('REQUEST_TIMEOUT_MS', USUAL_REQUEST_MS, 100, 600_000)),
    jobSpelling: JOB_CASINGS[oneOf('REST_PRINT_JOB_CASING', ['pascal', 'camel'], 'pascal')],
    logLevel: oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    currency: readCurrency(value('CURRENCY'), faults),
    http: {
      host,
      bodyBytes: integer('BODY_LIMIT_BYTES', 1_048_576, 1024, 1_073_741_824),
      connections: integer('MAX_CONNECTIONS', 10_000, 1, 1_000_000),
      operationsPerSocket: integer('MAX_SUBSCRIPTIONS', 100, 1, 100_000),
      // Without authentication the gateway listens on loopback only, so all callers are on this machine and need no limit.
      ratePerMinute:
        integer('RATE_LIMIT_PER_MINUTE', isUnprotected && isLoopback(host) ? 0 : SHARED_PER_MINUTE, 0, 1_000_000_000) ||
        null,
      trustedProxies: readProxies(value('TRUSTED_PROXIES'), faults),
      corsOrigins: readOrigins(value('CORS_ORIGINS'), faults),
      spoolman: oneOf('SPOOLMAN_API', ['keys', 'open', 'off'], 'keys'),
      // `docker stop` kills the process after 10 s.
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
      thumbnails: flag('PRINT_THUMBNAILS', true),
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
  if (isUnprotected && declared === undefined && !isLoopback(host)) {
    faults.push(
      `HOST ${host} lets other computers reach the gateway, and no authentication is set. Set API_KEYS, JWT_JWKS_URL or JWT_PUBLIC_KEY. ` +
        'If every caller may do everything, set AUTH=none',
    );
  }
  if (!isUnprotected && declared === 'none') {
    faults.push(
      'AUTH=none turns authentication off, but API_KEYS, JWT_JWKS_URL or JWT_PUBLIC_KEY is set. Remove one of them',
    );
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

/** The address of the running gateway for the commands that call it, and the key or token that they send; null: they send none. */
export function readGateway(env: NodeJS.ProcessEnv = process.env): { url: string; key: string | null } {
  const value = readVariables(env);
  const host = readHost(value('HOST'), []);
  // A gateway that listens on every network interface can be reached on loopback, too.
  const name = { '0.0.0.0': USUAL_HOST, '::': '[::1]' }[host] ?? (isIP(host) === 6 ? `[${host}]` : host);
  const url = value('GATEWAY_URL') ?? `http://${name}:${value('PORT') ?? USUAL_PORT}`;
  return { url: url.replace(/\/+$/, ''), key: value('GATEWAY_KEY') ?? null };
}

/** The credentials of a Spoolman for the command that imports it; null for none. They are no argument, because other users see arguments. */
export function readSpoolmanLogin(env: NodeJS.ProcessEnv = process.env): string | null {
  const value = readVariables(env);
  return value('SPOOLMAN_LOGIN') ?? null;
}

/** The name that the slicer will give the file, if a slicer runs this program as its post-processing script; otherwise null. */
export const readSlicerOutput = (env: NodeJS.ProcessEnv = process.env): string | null =>
  readVariables(env)('SLIC3R_PP_OUTPUT_NAME') ?? null;

function readCurrency(text: string | undefined, faults: string[]): string | null {
  if (text === undefined || Intl.supportedValuesOf('currency').includes(text)) return text ?? null;
  faults.push(`CURRENCY must be an ISO 4217 code such as EUR, not "${text}"`);
  return null;
}

function readDatabase(text: string | undefined, poolSize: number, faults: string[]): DatabaseTarget {
  const target = readDatabaseTarget(text, poolSize);
  if (typeof target !== 'string') return target;
  faults.push(target);
  return { kind: 'memory' };
}

/** An IP address or a host name. An IPv6 address may be in brackets, as in a URL. */
function readHost(text: string | undefined, faults: string[]): string {
  if (text === undefined) return USUAL_HOST;
  const host = /^\[(.*)\]$/.exec(text)?.[1] ?? text;
  if (isIP(host) > 0 || /^[^\s:/[\]]+$/.test(host)) return host;
  faults.push(`HOST must be an IP address or a host name without a port, not "${text}". Set the port with PORT`);
  return USUAL_HOST;
}

type Value = (name: string) => string | undefined;

function readAuth(value: Value, faults: string[]): AuthRules {
  const apiKeys: ApiKey[] = [];
  for (const key of parseApiKeys(value('API_KEYS'))) {
    if (key) apiKeys.push(key);
    // The message does not show the entry, because it may hold a key instead of the key's hash.
    else
      faults.push(
        'API_KEYS must be entries NAME:read+write:HASH or NAME:write:HASH:CAMERA_ID, separated by commas. The command "print-farm-gateway key" makes an entry',
      );
  }
  const names = apiKeys.map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  // Idempotency keys and the limit of requests are counted by the caller's name.
  if (repeated !== undefined)
    faults.push(`API_KEYS has two entries with the name ${repeated}. Give each key its own name`);
  const jwksUrl = value('JWT_JWKS_URL');
  const publicKey = value('JWT_PUBLIC_KEY');
  if (jwksUrl !== undefined && publicKey !== undefined)
    faults.push('JWT_JWKS_URL and JWT_PUBLIC_KEY are both set. Set only one of them');
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
    faults.push('JWT_PUBLIC_KEY must be a public key in PEM form, or the path of a file with such a key');
    return '';
  }
}

const isHttpUrl = (text: string) => /^https?:\/\//.test(text) && URL.canParse(text);

const splitList = (text: string | undefined) => text?.split(',').map((item) => item.trim()) ?? [];

/** Reads the states in lower case. Only A to Z change, because the database compares them with states that it lowers in this way. */
const readStates = (text = 'recording') =>
  splitList(text)
    .filter((state) => state !== '')
    .map((state) => state.replace(/[A-Z]/g, (letter) => letter.toLowerCase()));

function readOrigins(text: string | undefined, faults: string[]): string[] {
  const origins = splitList(text);
  for (const origin of origins) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
      faults.push(`CORS_ORIGINS must be origins such as https://farm.example, separated by commas, not "${origin}"`);
    }
  }
  return origins;
}

function readProxies(text: string | undefined, faults: string[]): string[] {
  const proxies = splitList(text);
  for (const proxy of proxies) {
    const [, address = '', bits = '1'] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(proxy) ?? [];
    if (isIP(address) === 0 || Number(bits) < 1 || Number(bits) > (isIP(address) === 6 ? 128 : 32)) {
      faults.push(
        `TRUSTED_PROXIES must be IP addresses or networks such as 10.0.0.0/8, separated by commas, not "${proxy}"`,
      );
    }
  }
  return proxies;
}

/** The message does not show the key. */
function readDeviceKey(text: string | undefined, faults: string[]): Buffer | null {
  if (text === undefined) return null;
  const key = parseDeviceKey(text);
  if (key === undefined) {
    faults.push('DEVICE_KEY must be 64 hexadecimal digits. The command "openssl rand -hex 32" makes such a key');
  }
  return key ?? null;
}

function readNetworks(text: string | undefined, faults: string[]): string[] {
  const networks = splitList(text);
  for (const network of networks) {
    if (parseNetwork(network) === undefined) {
      faults.push(
        `DEVICE_NETWORKS must be IP addresses or networks such as 203.0.113.0/24, separated by commas, not "${network}"`,
      );
    }
  }
  return networks;
}

/** With tokens, any name is accepted, because a token can have any subject. Without tokens, each name must belong to an API key. */
function readTrusted(text: string | undefined, { apiKeys, tokens }: AuthRules, faults: string[]): string[] {
  const names = splitList(text);
  for (const name of names) {
    if (name !== '' && (tokens !== null || apiKeys.some((key) => key.name === name))) continue;
    faults.push(`TRUSTED_OPERATIONS must be names of keys in API_KEYS, separated by commas, not "${name}"`);
  }
  return names;
}

function readHosts(text: string | undefined, faults: string[]): string[] {
  const hosts = splitList(text).map((host) => host.toLowerCase());
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
  return splitList(text).flatMap((path) => {
    try {
      return readManifest(readFileSync(path, 'utf8'));
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      faults.push(`PERSISTED_MANIFEST: ${path} ${code === undefined ? message : `cannot be read (${code})`}`);
      return [];
    }
  });
}

/** OpenTelemetry defines the endpoint as a base URL: traces are sent to /v1/traces below it. */
function readTracesUrl(text: string | undefined, faults: string[]): string | null {
  if (text === undefined) return null;
  if (isHttpUrl(text)) return `${text.replace(/\/+$/, '')}/v1/traces`;
  faults.push('OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https URL such as http://127.0.0.1:4318');
  return null;
}
