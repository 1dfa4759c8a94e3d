// The configuration: read from the environment once, every fault reported at once. Only this file reads process.env.
import { resolve } from 'node:path';

export type DatabaseTarget =
  | { kind: 'directory'; path: string }
  | { kind: 'memory' }
  | { kind: 'server'; url: string; poolSize: number };

export interface Config {
  host: string;
  port: number;
  database: DatabaseTarget;
  printJobCasing: 'pascal' | 'camel';
  logLevel: string;
  /** The largest request body, in bytes. */
  bodyLimit: number;
  /** How long status records are kept, in days; null for good. */
  statusRetentionDays: number | null;
  /** How long requests that are under way may go on when the gateway is stopped. */
  shutdownTimeoutMs: number;
  production: boolean;
}

/** Thrown by readConfig with every fault that it found. */
export class ConfigError extends Error {
  constructor(readonly faults: string[]) {
    super(`The configuration has faults:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  }
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const faults: string[] = [];
  // An empty variable counts as unset: that is how shells and compose files clear one.
  const value = (name: string) => env[name] || undefined;
  const integer = <Otherwise extends number | null>(
    name: string,
    otherwise: Otherwise,
    least: number,
    most: number,
  ) => {
    const text = value(name);
    if (text === undefined) return otherwise;
    if (/^\d{1,15}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
    faults.push(`${name} must be an integer from ${least} to ${most}, not "${text}"`);
    return otherwise;
  };
  const oneOf = <Choice extends string>(name: string, choices: readonly Choice[], otherwise: Choice): Choice => {
    const text = value(name);
    if (text === undefined) return otherwise;
    const choice = choices.find((candidate) => candidate === text);
    if (choice === undefined) faults.push(`${name} must be one of ${choices.join(', ')}, not "${text}"`);
    return choice ?? otherwise;
  };

  const config: Config = {
    host: value('HOST') ?? '127.0.0.1',
    port: integer('PORT', 4000, 0, 65_535),
    database: readDatabase(value('DATABASE_URL'), integer('DATABASE_POOL_SIZE', 10, 1, 1000), faults),
    printJobCasing: oneOf('REST_PRINT_JOB_CASING', ['pascal', 'camel'], 'pascal'),
    logLevel: oneOf('LOG_LEVEL', LOG_LEVELS, 'info'),
    bodyLimit: integer('BODY_LIMIT_BYTES', 1_048_576, 1024, 1_073_741_824),
    statusRetentionDays: integer('STATUS_RETENTION_DAYS', null, 1, 36_500),
    shutdownTimeoutMs: integer('SHUTDOWN_TIMEOUT_MS', 10_000, 0, 600_000),
    production: value('NODE_ENV') === 'production',
  };
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

function readDatabase(text: string | undefined, poolSize: number, faults: string[]): DatabaseTarget {
  if (text === undefined) return { kind: 'directory', path: resolve('data') };
  if (text === 'memory:') return { kind: 'memory' };
  if (text.startsWith('file:') && text.length > 'file:'.length) {
    return { kind: 'directory', path: resolve(text.slice('file:'.length)) };
  }
  if (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text)) return { kind: 'server', url: text, poolSize };
  // The value itself may hold a password.
  faults.push('DATABASE_URL must be file:DIRECTORY, memory: or postgresql://USER:PASSWORD@HOST:PORT/DATABASE');
  return { kind: 'memory' };
}
