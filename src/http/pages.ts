// The pages that the gateway serves from its own files, without internet: the dashboard at `/`, the playground at /graphql,
// and the description of REST at /openapi.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { variesByCoding } from './compression';
import { QUIET } from './observed';

const DASHBOARD_CONTENT_SECURITY_POLICY =
  "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/**
 * Of the playground and the description: nothing from elsewhere, no eval. GraphiQL's dialogs and Swagger UI insert styles,
 * hence the exception.
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

/** The folder of package.json, from src/http as well as from dist/src/http. */
const parent = join(__dirname, '..', '..');
const ROOT = basename(parent) === 'dist' ? dirname(parent) : parent;
const WEB = join(ROOT, 'src', 'web');
const BUILT = join(ROOT, 'dist', 'web');

/** A file of an installed package, also a file that its `exports` do not name. */
const packaged = (name: string, ...path: string[]) => join(dirname(require.resolve(`${name}/package.json`)), ...path);

/** Compiled modules keep the folders of src, so that their imports of each other hold. */
const CLIENT = ['client', 'event-stream', 'request-error', 'watch'].map((name) => `client/${name}.js`);
const DASHBOARD = ['app', 'cards-view', 'elements', 'jobs-view', 'sign-in'].map((name) => `web/${name}.js`);
const GENERATED = ['operations', 'web-operations'].map((name) => `generated/${name}.js`);
const PLAYGROUND = ['client/event-stream.js', 'web/playground.js', 'web/playground-examples.js'];

const modules = (prefix: string, paths: string[]) =>
  Object.fromEntries(paths.map((path) => [`${prefix}/${path}`, join(BUILT, path)]));

/** The files by their URL. GraphiQL 5 ships no prebuilt bundle, and React 19 neither. */
const FILES: Record<string, string> = {
  '/assets/styles.css': join(WEB, 'styles.css'),
  '/assets/icon.svg': join(WEB, 'icon.svg'),
  ...modules('/assets', [...CLIENT, ...DASHBOARD, ...GENERATED]),
  '/graphql/assets/react.js': packaged('react', 'umd', 'react.production.min.js'),
  '/graphql/assets/react-dom.js': packaged('react-dom', 'umd', 'react-dom.production.min.js'),
  '/graphql/assets/graphiql.js': packaged('graphiql', 'graphiql.min.js'),
  '/graphql/assets/graphiql.css': packaged('graphiql', 'graphiql.min.css'),
  '/graphql/assets/playground.css': join(WEB, 'playground.css'),
  ...modules('/graphql/assets', PLAYGROUND),
  '/openapi/assets/swagger-ui.js': packaged('swagger-ui-dist', 'swagger-ui-bundle.js'),
  '/openapi/assets/swagger-ui.css': packaged('swagger-ui-dist', 'swagger-ui.css'),
  '/openapi/assets/rest.js': join(BUILT, 'web', 'rest.js'),
};

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export function mountPages(app: FastifyInstance): void {
  app.get('/', QUIET, (_request, reply) => page(reply, 'index.html', DASHBOARD_CONTENT_SECURITY_POLICY));
  app.get('/openapi', QUIET, (_request, reply) => page(reply, 'rest.html', TOOL_CONTENT_SECURITY_POLICY));
  for (const [url, file] of Object.entries(FILES)) app.get(url, QUIET, (_request, reply) => send(reply, file));
}

export const sendPlayground = (reply: FastifyReply) => page(reply, 'playground.html', TOOL_CONTENT_SECURITY_POLICY);

function page(reply: FastifyReply, name: string, policy: string): FastifyReply {
  reply.header('content-security-policy', policy).header('referrer-policy', 'no-referrer');
  return send(reply, join(WEB, name));
}

/** Bytes and hash by path, kept from the first request on: the same bytes are compressed once. They are 3 MB in all. */
const known = new Map<string, { bytes: Buffer; tag: string }>();

function fileAt(path: string) {
  const bytes = readFileSync(path);
  const file = { bytes, tag: `"${createHash('sha256').update(bytes).digest('base64url')}"` };
  known.set(path, file);
  return file;
}

/** A browser asks each time whether its copy is still the same. The tag is weak: all codings have the same one. */
function send(reply: FastifyReply, path: string): FastifyReply {
  const { bytes, tag } = known.get(path) ?? fileAt(path);
  reply.header('cache-control', 'no-cache').header('etag', `W/${tag}`);
  const isKept = reply.request.headers['if-none-match']?.includes(tag);
  if (!isKept) return reply.type(TYPES[extname(path)] as string).send(bytes);
  variesByCoding(reply);
  return reply.code(304).send();
}
