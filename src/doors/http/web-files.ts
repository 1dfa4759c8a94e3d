// Serves the gateway's web pages from local files, without internet: the dashboard at `/`, the playground at /graphql, and the
// REST reference at /openapi.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { errorBody } from '../rest/rest-errors';
import { sendJson } from './answers';
import { addVaryHeader } from './compression';
import { ADDRESSES } from './dashboard-addresses';
import { QUIET } from './observed-requests';
import { readPath } from './url';

/** The preview pictures of prints are data URLs. A picture in an <img> runs no script. */
const DASHBOARD_CONTENT_SECURITY_POLICY =
  "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/**
 * The policy of the playground and the REST reference: nothing from other origins, and no eval. Inline styles are allowed, because
 * GraphiQL's dialogs and Swagger UI insert them.
 */
const TOOL_CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Finds a file of an installed package, even if the package's `exports` do not name the file. */
const findPackageFile = (name: string, ...path: string[]) =>
  join(dirname(require.resolve(`${name}/package.json`)), ...path);

const ROOT = findPackageFile('print-farm-gateway');
const WEB = join(ROOT, 'src', 'web');
const BUILT = join(ROOT, 'dist', 'web');
const DASHBOARD = join(ROOT, 'dist', 'dashboard');

/** Compiled modules keep the folder structure of src, so that their relative imports still work. */
const TOOL = ['web/tool-page.js', 'web/app/kept-key.js', 'web/app/kept-appearance.js'];
const PLAYGROUND = [
  ...TOOL,
  'client/event-stream.js',
  'client/request-error.js',
  'web/playground.js',
  'web/playground-examples.js',
];
const REST = [...TOOL, 'web/rest.js'];

/** The files by their URL. */
const FILES: Record<string, string> = {
  '/assets/icon.svg': join(WEB, 'icon.svg'),
  '/graphql/assets/web/graphiql.js': join(ROOT, 'dist', 'playground', 'graphiql.js'),
  '/graphql/assets/graphiql.css': join(ROOT, 'dist', 'playground', 'graphiql.css'),
  '/graphql/assets/tool-page.css': join(WEB, 'tool-page.css'),
  '/graphql/assets/playground.css': join(WEB, 'playground.css'),
  ...Object.fromEntries(PLAYGROUND.map((path) => [`/graphql/assets/${path}`, join(BUILT, path)])),
  '/openapi/assets/swagger-ui.js': findPackageFile('swagger-ui-dist', 'swagger-ui-bundle.js'),
  '/openapi/assets/swagger-ui.css': findPackageFile('swagger-ui-dist', 'swagger-ui.css'),
  '/openapi/assets/tool-page.css': join(WEB, 'tool-page.css'),
  ...Object.fromEntries(REST.map((path) => [`/openapi/assets/${path}`, join(BUILT, path)])),
};

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export function mountWebFiles(app: FastifyInstance): void {
  for (const url of ADDRESSES) {
    app.get(url, QUIET, (request, reply) =>
      sendPage(reply, makeDashboardPage(readPath(request.url)), DASHBOARD_CONTENT_SECURITY_POLICY),
    );
  }
  app.get<{ Params: { name: string } }>('/assets/:name', QUIET, ({ params: { name } }, reply) => {
    const path = join(DASHBOARD, 'assets', name);
    // Vite's file names are plain. Any other name could lead out of the folder.
    if (!/^[\w-]+(\.[\w-]+)+$/.test(name) || !existsSync(path)) {
      return sendJson(reply, 404, errorBody('This file does not exist'));
    }
    return sendFile(reply, readWebFile(path), 'public, max-age=31536000, immutable');
  });
  app.get('/openapi', QUIET, (_request, reply) =>
    sendPage(reply, readWebFile(join(WEB, 'rest.html')), TOOL_CONTENT_SECURITY_POLICY),
  );
  for (const [url, file] of Object.entries(FILES))
    app.get(url, QUIET, (_request, reply) => sendFile(reply, readWebFile(file)));
}

export const sendPlayground = (reply: FastifyReply) =>
  sendPage(reply, readWebFile(join(WEB, 'playground.html')), TOOL_CONTENT_SECURITY_POLICY);

/** Sends the dashboard with status 404; it shows that the page does not exist. Not cached, because a later version may have it. */
export function sendNoPage(reply: FastifyReply, path: string): FastifyReply {
  const { type, bytes } = makeDashboardPage(path);
  return setPolicy(reply, DASHBOARD_CONTENT_SECURITY_POLICY).code(404).type(type).send(bytes);
}

const sendPage = (reply: FastifyReply, file: WebFile, policy: string) => sendFile(setPolicy(reply, policy), file);

const setPolicy = (reply: FastifyReply, policy: string) =>
  reply.header('content-security-policy', policy).header('referrer-policy', 'no-referrer');

/**
 * The files by path, read once and kept in memory (3 MB in all), so that each is compressed only once. @fastify/static is not used:
 * it builds an ETag from size and time, but npm packs every file with the same time. After an upgrade, a browser would keep an
 * index.html of equal size, which names the files of the old version. It would also compress each response again.
 */
const files = new Map<string, WebFile>();

interface WebFile {
  type: string;
  bytes: Buffer;
  tag: string;
}

function readWebFile(path: string): WebFile {
  const file = files.get(path) ?? makeWebFile(TYPES[extname(path)] as string, readFileSync(path));
  files.set(path, file);
  return file;
}

function makeWebFile(type: string, bytes: Buffer): WebFile {
  return { type, bytes, tag: `"${createHash('sha256').update(bytes).digest('base64url')}"` };
}

/** Makes the dashboard's page for a path. Its links to files are relative, because a proxy may add a path that the gateway does not see. */
function makeDashboardPage(path: string): WebFile {
  const index = readWebFile(join(DASHBOARD, 'index.html'));
  const depth = path.split('/').length - 2;
  if (depth === 0) return index;
  return makeWebFile(index.type, Buffer.from(String(index.bytes).replaceAll('"./', `"${'../'.repeat(depth)}`)));
}

/**
 * Sends a file. With the default caching, a browser asks each time whether its copy is current; files whose names change with their
 * content are cached for a year instead. The ETag is weak, because all compressed forms share it.
 */
function sendFile(reply: FastifyReply, { type, bytes, tag }: WebFile, caching = 'no-cache'): FastifyReply {
  reply.header('cache-control', caching).header('etag', `W/${tag}`);
  const isUnchanged = reply.request.headers['if-none-match']?.includes(tag);
  if (!isUnchanged) return reply.type(type).send(bytes);
  addVaryHeader(reply);
  return reply.code(304).send();
}
