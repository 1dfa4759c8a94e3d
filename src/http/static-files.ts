// The files that the gateway serves as they are: a fixed list, each under one URL, read once and sent with an ETag.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { QUIET } from './observed';

export interface StaticFile {
  url: string;
  /** Absolute path of the file on disk. */
  path: string;
  type: string;
  /** For pages: what they may load and where they may connect. */
  contentSecurityPolicy?: string;
}

export const HTML = 'text/html; charset=utf-8';
export const CSS = 'text/css; charset=utf-8';
export const JAVASCRIPT = 'text/javascript; charset=utf-8';
export const SVG = 'image/svg+xml';

/** The folder of package.json, from src/http as well as from dist/src/http. */
const parent = join(__dirname, '..', '..');
const projectRoot = basename(parent) === 'dist' ? dirname(parent) : parent;

/** A file of this project, named from its root. */
export function projectFile(...names: string[]): string {
  return join(projectRoot, ...names);
}

/** A file inside an installed package, also one that its `exports` do not name. */
export function packageFile(name: string, ...names: string[]): string {
  return join(dirname(require.resolve(`${name}/package.json`)), ...names);
}

const contents = new Map<string, Promise<{ body: Buffer; etag: string }>>();

/** Files do not change while the process lives, and all of them together are under 2 MB: one read each. */
function contentOf(path: string) {
  let content = contents.get(path);
  if (content === undefined) {
    content = readFile(path).then((body) => ({
      body,
      etag: `"${createHash('sha256').update(body).digest('base64url')}"`,
    }));
    content.catch(() => contents.delete(path));
    contents.set(path, content);
  }
  return content;
}

export async function sendStaticFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: StaticFile,
): Promise<FastifyReply> {
  const { body, etag } = await contentOf(file.path);
  reply.header('etag', etag).header('cache-control', 'no-cache');
  if (file.contentSecurityPolicy !== undefined) {
    reply.header('content-security-policy', file.contentSecurityPolicy).header('referrer-policy', 'no-referrer');
  }
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  return reply.type(file.type).send(body);
}

export function mountStaticFiles(server: FastifyInstance, files: readonly StaticFile[]): void {
  for (const file of files) {
    server.get(file.url, QUIET, (request, reply) => sendStaticFile(request, reply, file));
  }
}
