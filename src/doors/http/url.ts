// Splits the URL of a request into host, path and query string.

/** The path of a URL. Some proxies send a whole URL instead of a path. */
export function readPath(url: string): string {
  return /^(?:https?:\/\/[^/?]*)?([^?]*)/i.exec(url)?.[1] || '/';
}

/** The host and port of a whole URL; undefined for a path. */
export function readAuthority(url: string): string | undefined {
  return /^https?:\/\/(?:[^/?]*@)?([^/?]*)/i.exec(url)?.[1];
}

/** The query string without its question mark. */
export function readQueryString(url: string): string {
  const end = url.indexOf('?');
  return end < 0 ? '' : url.slice(end + 1);
}
