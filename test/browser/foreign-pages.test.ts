// Pages of other origins in a real browser: they change nothing and read nothing, unless their origin is configured.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { startBrowser, visit } from '../support/browser';
import { type RunningGateway, runGateway } from '../support/running-gateway';

let browser: Browser;
let site: Server;
/** One server, two origins: the first is in the CORS_ORIGINS of the gateway that is open to it. */
let trusted: string;
let foreign: string;
let closed: RunningGateway;
let open: RunningGateway;

beforeAll(async () => {
  site = createServer((request, response) => {
    // With this policy a browser sends `Origin: null`.
    if (request.url === '/unnamed') response.setHeader('referrer-policy', 'no-referrer');
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Elsewhere</title><body>');
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const { port } = site.address() as AddressInfo;
  trusted = `http://127.0.0.1:${port}`;
  foreign = `http://localhost:${port}`;
  [browser, closed, open] = await Promise.all([startBrowser(), runGateway(), runGateway({ CORS_ORIGINS: trusted })]);
});

afterAll(async () => {
  await browser?.close();
  await Promise.all([closed?.stop(), open?.stop()]);
  site?.close();
});

/** JSON that a plain form can send, as its one field NAME=VALUE. */
const field = { name: '{"camera_id": "form", "friendly_name": "', value: '"}' };
const camera = (id: string) => JSON.stringify({ camera_id: id, friendly_name: id });
const mutation = JSON.stringify({
  query: 'mutation { registerCamera(input: { id: "graph", friendlyName: "g" }) { id } }',
});

async function camerasOf({ url }: RunningGateway): Promise<string[]> {
  const response = await fetch(`${url}/cameras`);
  const text = await response.text();
  if (!response.ok) throw new Error(`GET ${url}/cameras → ${response.status} ${text}`);
  return [...text.matchAll(/"camera_id":\s*"([^"]*)"/g)].map(([, id]) => id as string);
}

/** Submits a plain form and returns what the browser sent and then shows as a page. */
async function submitForm(page: Page, url: string) {
  const answered = page.waitForResponse(url);
  await page.evaluate(
    ([action, input]) => {
      const form = document.createElement('form');
      Object.assign(form, { action, method: 'post', enctype: 'text/plain' });
      form.append(Object.assign(document.createElement('input'), input));
      document.body.append(form);
      form.submit();
    },
    [url, field] as const,
  );
  const answer = await answered;
  const { origin } = await answer.request().allHeaders();
  await page.getByText('error').waitFor();
  return { status: answer.status(), origin, text: await answer.text() };
}

interface Sent {
  method?: string;
  mode?: 'no-cors';
  headers?: Record<string, string>;
  body?: string;
}

/** What a script of the page learns of an answer. */
function fetchFrom(page: Page, url: string, init: Sent = {}) {
  return page.evaluate(
    ([target, options]) =>
      fetch(target, options).then(
        async (answer) => ({
          type: answer.type,
          status: answer.status,
          requestId: answer.headers.get('x-request-id'),
          text: await answer.text(),
        }),
        (error) => String(error),
      ),
    [url, init] as const,
  );
}

const UNSEEN = { type: 'opaque', status: 0, requestId: null, text: '' };

test('what the pages here send would be done for a client that is no browser', async () => {
  const gateway = await runGateway();
  try {
    const post = (path: string, body: string, headers = {}) =>
      fetch(gateway.url + path, { method: 'POST', body, headers });
    await post('/cameras', `${field.name}=${field.value}\r\n`);
    await post('/cameras', camera('fetch'));
    await post('/graphql', mutation, { 'content-type': 'application/json' });
    expect((await camerasOf(gateway)).sort()).toEqual(['fetch', 'form', 'graph']);
  } finally {
    await gateway.stop();
  }
});

// To a browser the ports of one host are one site, and another name of it is another site.
test.each([
  { page: 'of the same site', path: '/', host: 'localhost', gateway: () => closed, origin: () => foreign },
  { page: 'of another site', path: '/', host: '127.0.0.1', gateway: () => closed, origin: () => foreign },
  { page: 'that hides its name', path: '/unnamed', host: '127.0.0.1', gateway: () => closed, origin: () => 'null' },
  { page: 'beside the trusted one', path: '/', host: '127.0.0.1', gateway: () => open, origin: () => foreign },
])('a page $page changes nothing and reads nothing', async ({ path, host, gateway, origin }) => {
  const url = gateway().url.replace('127.0.0.1', host);
  const { page, step } = await visit(browser, foreign + path);
  await step('requests whose answer the page does not want to see', async () => {
    for (const [target, body] of [
      ['/cameras', camera('fetch')],
      ['/graphql', mutation],
    ] as const) {
      expect(await fetchFrom(page, url + target, { method: 'POST', mode: 'no-cors', body })).toEqual(UNSEEN);
    }
  });
  await step('requests whose answer it wants to see', async () => {
    const json = { 'content-type': 'application/json' };
    for (const [target, init] of [
      ['/cameras', {}],
      ['/cameras', { method: 'POST', body: camera('fetch') }],
      ['/cameras', { method: 'POST', headers: json, body: camera('fetch') }],
      ['/graphql', { method: 'POST', headers: json, body: mutation }],
      ['/graphql?query={cameras{totalCount}}', {}],
    ] as const) {
      expect(await fetchFrom(page, url + target, init)).toBe('TypeError: Failed to fetch');
    }
  });
  await step('a form', async () => {
    expect(await submitForm(page, `${url}/cameras`)).toMatchObject({ status: 403, origin: origin() });
  });
  await step('nothing came of it', async () => expect(await camerasOf(gateway())).toEqual([]));
});

test('a page whose origin is configured reads and writes', async () => {
  const { page, step } = await visit(browser, trusted);
  await step('both doors', async () => {
    const seen = { type: 'cors', requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) };
    for (const [target, body, status] of [
      ['/cameras', camera('trusted'), 201],
      ['/graphql', mutation, 200],
    ] as const) {
      // Neither header is one that a page may send without asking first.
      const headers = { 'content-type': 'application/json', 'idempotency-key': `trusted${target}` };
      const answer = await fetchFrom(page, open.url + target, { method: 'POST', headers, body });
      expect(answer).toMatchObject({ ...seen, status });
    }
    expect(await fetchFrom(page, `${open.url}/cameras`)).toMatchObject({
      ...seen,
      text: expect.stringContaining('"camera_id":"trusted"'),
    });
  });
});
