// Runs a supergraph in the process of a test: a small subgraph beside that of the farm, and the routers that join them.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type * as ofApollo from '@apollo/composition';
import type * as apollo from '@apollo/gateway';
import type * as apolloServer from '@apollo/server';
import type * as hive from '@graphql-hive/gateway-runtime';
import type * as ofTheGuild from '@theguild/federation-composition';
import type * as ofWunderGraph from '@wundergraph/composition';
import { buildASTSchema, graphql, parse } from 'graphql';
import type { Parsed } from './gateway';

/** Loaded outside Jest: Hive does not recognise an error whose class is loaded twice. */
const { requireOutside } = globalThis as unknown as { requireOutside: NodeJS.Require };
const { createGatewayRuntime }: typeof hive = requireOutside('@graphql-hive/gateway-runtime');
const { ApolloGateway, RemoteGraphQLDataSource }: typeof apollo = requireOutside('@apollo/gateway');
const { ApolloServer }: typeof apolloServer = requireOutside('@apollo/server');

export const composers = {
  ofTheGuild: requireOutside('@theguild/federation-composition') as typeof ofTheGuild,
  ofApollo: requireOutside('@apollo/composition') as typeof ofApollo,
  ofWunderGraph: requireOutside('@wundergraph/composition') as typeof ofWunderGraph,
};

/** The subgraph of another team, with its own PageInfo and `node`. */
export const ORDERS = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@key", "@shareable"])
  type Query {
    orders: OrderPage!
    node(id: ID!): Node
  }
  type Mutation { placeOrder(jobs: [ID!]!): Order! }
  interface Node { id: ID! }
  type Order implements Node @key(fields: "id") { id: ID! lines: [PrintJob]! }
  type OrderPage { nodes: [Order!]! pageInfo: PageInfo! }
  type PrintJob @key(fields: "id") { id: ID! order: Order }
  type Spool @key(fields: "nodeId") { nodeId: ID! supplier: String }
  type PageInfo @shareable { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
`;

const SERVED = `
  scalar _Any
  union _Entity = Order | PrintJob | Spool
  extend type Query { _entities(representations: [_Any!]!): [_Entity]! }
`;

interface Order {
  __typename: 'Order';
  id: string;
  lines: { __typename: 'PrintJob'; id: string }[];
}

/** The server of the other team. */
export async function serveOrders() {
  const orders: Order[] = [];
  const place = (jobs: string[]): Order => {
    const order: Order = { __typename: 'Order', id: `O-${orders.length + 1}`, lines: [] };
    order.lines = jobs.map((id) => ({ __typename: 'PrintJob', id }));
    orders.push(order);
    return order;
  };
  const found = (key: { __typename: string; id?: string; nodeId?: string }) => {
    if (key.__typename === 'Spool') return { ...key, supplier: `Supplier of ${key.nodeId}` };
    if (key.__typename === 'Order') return orders.find(({ id }) => id === key.id) ?? null;
    return { ...key, order: orders.find(({ lines }) => lines.some(({ id }) => id === key.id)) ?? null };
  };
  const rootValue = {
    orders: () => ({ nodes: orders, pageInfo: { hasNextPage: false, hasPreviousPage: false } }),
    node: ({ id }: { id: string }) => orders.find((order) => order.id === id) ?? null,
    placeOrder: ({ jobs }: { jobs: string[] }) => place(jobs),
    _entities: ({ representations }: { representations: Parameters<typeof found>[0][] }) => representations.map(found),
  };
  const schema = buildASTSchema(parse(ORDERS + SERVED), { assumeValidSDL: true });
  const server = createServer(async (request, response) => {
    const { query: source, variables: variableValues } = JSON.parse(await text(request));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(await graphql({ schema, source, variableValues, rootValue })));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`,
    place,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The headers that a router must forward. */
const PASSED_ON = ['authorization', 'idempotency-key'];

export type Headers = Record<string, string>;
export type Ask = (query: string, variables?: object, headers?: Headers) => Promise<Parsed>;

export interface Router {
  ask: Ask;
  close(): Promise<void>;
}

export interface HiveRouter extends Router {
  /** The answers of a subscription, as they arrive. */
  subscribe(query: string, variables: object, headers: Headers): AsyncIterable<Parsed>;
}

export function hiveGateway(supergraph: string): HiveRouter {
  const runtime = createGatewayRuntime({
    supergraph,
    logging: false,
    propagateHeaders: {
      fromClientToSubgraphs: ({ request: { headers } }) =>
        Object.fromEntries(
          PASSED_ON.flatMap((name) => (headers.has(name) ? [[name, headers.get(name) as string]] : [])),
        ),
    },
  });
  const post = (query: string, variables: object, headers: Headers, accept: string) =>
    runtime.fetch('http://hive/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept, ...headers },
      body: JSON.stringify({ query, variables }),
    });
  return {
    ask: async (query, variables = {}, headers = {}) =>
      (await post(query, variables, headers, 'application/json')).json(),
    async *subscribe(query, variables, headers) {
      const { body } = await post(query, variables, headers, 'text/event-stream');
      let pending = '';
      for await (const bytes of body as unknown as AsyncIterable<Uint8Array>) {
        const events = (pending + Buffer.from(bytes)).split('\n\n');
        pending = events.pop() ?? '';
        for (const event of events) {
          const [, data] = /^data: (.+)$/m.exec(event) ?? [];
          if (data !== undefined) yield JSON.parse(data);
        }
      }
    },
    close: async () => runtime[Symbol.asyncDispose](),
  };
}

export async function apolloGateway(supergraphSdl: string): Promise<Router> {
  const gateway = new ApolloGateway({
    supergraphSdl,
    buildService: ({ url }) =>
      new RemoteGraphQLDataSource<{ headers: Headers }>({
        ...(url !== undefined && { url }),
        willSendRequest({ request, context }) {
          // Without it the codes of requests that are refused as a whole are lost.
          request.http?.headers.set('accept', 'application/json');
          for (const name of PASSED_ON) {
            const value = context.headers?.[name];
            if (value !== undefined) request.http?.headers.set(name, value);
          }
        },
      }),
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  });
  const server = new ApolloServer<{ headers: Headers }>({ gateway, includeStacktraceInErrorResponses: false });
  await server.start();
  return {
    async ask(query, variables = {}, headers = {}) {
      const { body } = await server.executeOperation({ query, variables }, { contextValue: { headers } });
      return body.kind === 'single' ? JSON.parse(JSON.stringify(body.singleResult)) : body;
    },
    close: () => server.stop(),
  };
}
