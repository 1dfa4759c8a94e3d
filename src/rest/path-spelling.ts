// The spellings of a path that clients of the print job service may use.

/** A URL of the print job document, in any case and with a slash at the end of its path. */
const OF_PRINT_JOBS = /^((?:https?:\/\/[^/?#]*)?)\/api\/printjobs(\/[^/?#]+)?(\/status)?\/?(?=[?#]|$)/i;

/** The URL with its path as documented. ASP.NET, which served print jobs before, ignores the case and the slash. */
export const asDocumented = (url: string): string =>
  url.replace(
    OF_PRINT_JOBS,
    (_path, origin: string, id = '', status = '') => `${origin}/api/printjobs${id}${status.toLowerCase()}`,
  );
