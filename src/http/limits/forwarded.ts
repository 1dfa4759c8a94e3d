// The addresses of clients, as trusted proxies tell them.
import type { onRequestHookHandler } from 'fastify';

/** Some proxies write a port behind each address. A client has another port on every connection. */
export const forgetPorts: onRequestHookHandler = ({ headers }, _reply, done) => {
  const addresses = headers['x-forwarded-for'];
  if (typeof addresses === 'string') headers['x-forwarded-for'] = addresses.split(',').map(withoutPort).join();
  done();
};

/** Each pattern is bound to the begin and the end: in a text of any length it is tried at one place. */
function withoutPort(text: string): string {
  const [, v6, v4] = /^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text.trim()) ?? [];
  return v6 ?? v4 ?? text;
}
