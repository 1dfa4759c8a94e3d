// Opens subscriptions of running gateways: sockets, event streams, and the metrics of both.
import type { ClientOptions, WebSocket } from 'ws';
import { openSocket } from './graph-socket';
import { ask } from './requests';
import { type RunningGateway, runGateway } from './running-gateway';
import { until } from './waiting';

export const WATCH = 'subscription ($after: String) { changes(after: $after) { cursor __typename } }';

const gateways: RunningGateway[] = [];
/** They are closed after the test. */
export const sockets: WebSocket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate();
  await Promise.all(gateways.splice(0).map((gateway) => gateway.stop('SIGKILL')));
});

/** Starts a gateway for one test. */
export async function start(env: Record<string, string> = {}): Promise<RunningGateway> {
  const gateway = await runGateway(env);
  gateways.push(gateway);
  return gateway;
}

type Addressed = Pick<RunningGateway, 'url'>;

export const open = (gateway: Addressed, options?: ClientOptions) => openSocket(gateway, sockets, options);

/** Opens a socket and sends connection_init. */
export async function openInitialised(gateway: Addressed, payload?: unknown, options?: ClientOptions) {
  const opened = await open(gateway, options);
  opened.send({ type: 'connection_init', payload });
  await until(
    'the socket is initialised',
    () => opened.came,
    (came) => came.some(({ type }) => type === 'connection_ack'),
  );
  const answer = async (id: string, query: string, variables = {}) => {
    opened.send({ type: 'subscribe', id, payload: { query, variables } });
    return until(
      `operation ${id} is answered`,
      () => opened.came,
      (came) => came.find((message) => message.id === id),
    );
  };
  return { ...opened, answer };
}

export const openStream = (gateway: Addressed, query: string, headers: Record<string, string> = {}, method = 'POST') =>
  fetch(`${gateway.url}/graphql${method === 'GET' ? `?query=${encodeURIComponent(query)}` : ''}`, {
    method,
    headers: {
      accept: 'text/event-stream',
      ...(method === 'POST' && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: method === 'GET' ? null : JSON.stringify({ query }),
  });

export const readMetric = async ({ url }: Addressed, name: string, headers = {}) => {
  const text = await (await fetch(`${url}/metrics`, { headers })).text();
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${name} `))
      ?.slice(name.length),
  );
};

export const registerCamera = (gateway: RunningGateway, headers?: Record<string, string>) =>
  ask(
    gateway,
    '/graphql',
    { query: `mutation { registerCamera(input: { id: "${Math.random()}", friendlyName: "c" }) { id } }` },
    'POST',
    headers,
  );
