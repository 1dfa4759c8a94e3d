// Decides the addresses of the gateway: it can be at the root of its host, or under a path that a proxy removes.

/**
 * The scripts are one folder below the root. The variable keeps Vite from treating `new URL(…, import.meta.url)` as a file to
 * bundle.
 */
const script = import.meta.url;
export const ROOT = new URL('../', script);

export const gatewayUrl = (path: string): string => new URL(path, ROOT).href;
