// The two parts of a request's URL.

export function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

/** The query string without its question mark. */
export function searchOf(url: string): string {
  const end = url.indexOf('?');
  return end < 0 ? '' : url.slice(end + 1);
}
