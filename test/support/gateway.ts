// Runs the gateway for tests as clients see it: REST and GraphQL without a socket, SQL beside it, and the last exchange in every failure.
import type { InjectOptions } from 'fastify';
import { Client } from 'pg';
import { type App, createApp } from '../../src/app';
import { type Config, readConfig } from '../../src/config';
import { type Database, openDatabase } from '../../src/database/database';
import { anyDatabase, type DatabaseKind, type FreshDatabase, freshDatabase } from './databases';

// biome-ignore lint/suspicious/noExplicitAny: what a body looks like is what the tests find out
export type Parsed = any;

export type Headers = Record<string, string | string[] | number | undefined>;

/** A request with its answer, so that a failure can print both. */
export interface Exchange {
  request: { method: string; path: string; headers: Record<string, string>; body: string | undefined };
  status: number;
  headers: Headers;
  /** The body as it was sent, digit for digit. */
  text: string;
}

export interface RestResponse extends Exchange {
  /** The parsed body; undefined if it is not JSON. */
  body: Parsed;
}

export interface GraphqlResponse extends Exchange {
  data: Parsed;
  errors: { message: string; path?: (string | number)[]; extensions: { code: string; [key: string]: unknown } }[];
}

export interface Gateway {
  /** Sends a text unchanged and without a content type, any other body as JSON, and undefined as no body. */
  rest(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<RestResponse>;
  graphql(document: string, variables?: unknown): Promise<GraphqlResponse>;
  /** Runs one statement directly in the database, beside the gateway. */
  sql(text: string): Promise<Parsed[]>;
  /** The database of the gateway, for objects that the test creates on it. */
  database(): Database;
  /** Closes the gateway and starts it again on the same database. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** A busy machine must not make a request fail; tests of deadlines set their own time limits. */
export const PATIENT = readConfig({ LOG_LEVEL: 'silent', REQUEST_TIMEOUT_MS: '100000' });

export async function startGateway(kind: DatabaseKind, overrides: Partial<Config> = {}): Promise<Gateway> {
  const fresh = await freshDatabase(kind);
  const config = { ...PATIENT, database: fresh.target, ...overrides };
  let app = await createApp(config);
  let beside = await besideOf(config);
  return {
    rest: (method, path, body, headers) => rest(app, method, path, body, headers),
    graphql: async (document, variables) => {
      const answer = await rest(app, 'POST', '/graphql', { query: document, variables });
      return { ...answer, data: answer.body?.data, errors: answer.body?.errors ?? [] };
    },
    sql: async (text) => (beside ? (await beside.query(text)).rows : app.database.prisma.$queryRawUnsafe(text)),
    database: () => app.database,
    restart: async () => {
      await beside?.end();
      await app.close();
      app = await createApp(config);
      beside = await besideOf(config);
    },
    close: async () => {
      await beside?.end();
      await app.close();
      await fresh.drop();
    },
  };
}

/** A separate connection if the database is a server; the embedded database has only the connection of the gateway. */
async function besideOf({ database }: Config): Promise<Client | undefined> {
  if (database.kind !== 'server') return undefined;
  const client = new Client({ connectionString: database.url });
  await client.connect();
  return client;
}

/** Gateways with the usual configuration that the tests of this file share, because a start takes 1.5 s. */
const shared = new Map<DatabaseKind, Promise<Gateway>>();
globalThis.afterAll?.(async () => {
  for (const gateway of shared.values()) await (await gateway).close();
});

function sharedGateway(kind: DatabaseKind): Promise<Gateway> {
  const gateway = shared.get(kind) ?? startGateway(kind);
  shared.set(kind, gateway);
  return gateway;
}

/** A gateway for the tests of the surrounding describe: the shared gateway of the file, or a separate one with overrides. */
export function useGateway(kind: DatabaseKind, overrides?: Partial<Config>): Gateway {
  let started: Gateway | undefined;
  const running = () => {
    if (started === undefined) throw new Error('the gateway runs in tests and hooks only');
    return started;
  };
  beforeAll(async () => {
    started = await (overrides ? startGateway(kind, overrides) : sharedGateway(kind));
  });
  afterAll(async () => {
    if (overrides) await started?.close();
  });
  return {
    rest: (...request) => running().rest(...request),
    graphql: (...request) => running().graphql(...request),
    sql: (text) => running().sql(text),
    database: () => running().database(),
    restart: () => running().restart(),
    close: () => running().close(),
  };
}

/** A database without a gateway, for all tests of the surrounding describe or file. */
export function provideDatabase(kind = anyDatabase): () => Database {
  let fresh: FreshDatabase;
  let database: Database;
  beforeAll(async () => {
    fresh = await freshDatabase(kind);
    database = await openDatabase(fresh.target, undefined, PATIENT.budget);
  });
  afterAll(async () => {
    await database.close();
    await fresh.drop();
  });
  return () => database;
}

async function rest(
  app: App,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<RestResponse> {
  const asIs = body === undefined || typeof body === 'string';
  const payload = asIs ? body : JSON.stringify(body);
  const sent = { ...(asIs ? {} : { 'content-type': 'application/json' }), ...headers };
  const answer = await app.inject({ method: method as InjectOptions['method'], url: path, headers: sent, payload });
  const exchange: Exchange = {
    request: { method, path, headers: sent, body: payload },
    status: answer.statusCode,
    headers: answer.headers,
    text: answer.payload,
  };
  exchanges.push(exchange);
  return { ...exchange, body: parsed(answer.payload) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// ---- failures that show the exchange ---------------------------------------------------------------------------------

const exchanges: Exchange[] = [];
const EXCHANGES_SHOWN = 5;
const CHARACTERS_SHOWN = 3000;
const TITLE = '--- request and response ---';

/** Jest's `test`. Its failure prints the last exchanges of the test. */
export function test(name: string, run: () => Promise<void> | void): void {
  globalThis.test(name, async () => {
    exchanges.length = 0;
    try {
      await run();
    } catch (error) {
      throw addExchanges(error, exchanges.slice(-EXCHANGES_SHOWN));
    }
  });
}

/** Rewrites the stack with the message, because Jest prints the stack. */
function addExchanges(error: unknown, shown: Exchange[]): unknown {
  const { message, stack = '' } = error as Error;
  if (typeof message !== 'string' || message.includes(TITLE) || shown.length === 0) return error;
  const frames = stack.slice(stack.search(/\n\s+at /));
  const extended = `${message}\n\n${shown.map(formatExchange).join('\n\n')}`;
  return Object.assign(new Error(extended), { stack: `Error: ${extended}\n${frames}` });
}

export function formatExchange({ request, status, headers, text }: Exchange): string {
  const cut = (body: string | undefined) =>
    body !== undefined && body.length > CHARACTERS_SHOWN
      ? `${body.slice(0, CHARACTERS_SHOWN)}… (${body.length} characters)`
      : (body ?? '(no body)');
  return [
    TITLE,
    `${request.method} ${request.path}`,
    JSON.stringify(request.headers),
    cut(request.body),
    `→ ${status}`,
    JSON.stringify(headers),
    cut(text),
  ].join('\n');
}

export function expectStatus<R extends Exchange>(response: R, status: number): R {
  if (response.status !== status) throw createFailure(`expected status ${status}, got ${response.status}`, response);
  return response;
}

/** Expects a REST error: the status, the exact content type, and one member with a message that names its subject. */
export function expectError(response: RestResponse, status: number, naming?: string | RegExp): string {
  expectStatus(response, status);
  if (response.headers['content-type'] !== 'application/json') {
    throw createFailure('expected the content type application/json', response);
  }
  const members = Object.keys(response.body ?? {});
  const message = response.body?.error;
  if (members.length !== 1 || typeof message !== 'string' || message === '') {
    throw createFailure('expected a body with the one member error, a text', response);
  }
  const named = typeof naming === 'string' ? message.includes(naming) : (naming?.test(message) ?? true);
  if (!named) throw createFailure(`expected the message to name ${naming}`, response);
  return message;
}

/** The data of a GraphQL answer without errors. */
export function expectData(response: GraphqlResponse): Parsed {
  if (response.errors.length > 0 || response.status !== 200 || !response.data) {
    throw createFailure('expected data without errors', response);
  }
  return response.data;
}

/** Expects every error of a GraphQL answer to have one of the codes. */
export function expectCode(response: GraphqlResponse, ...codes: string[]): string {
  const [first] = response.errors;
  if (first === undefined || response.errors.some((error) => !codes.includes(error.extensions?.code))) {
    throw createFailure(`expected an error with the code ${codes.join(' or ')}`, response);
  }
  return first.message;
}

function createFailure(problem: string, response: Exchange): Error {
  return new Error(`${problem}\n${formatExchange(response)}`);
}
