// Where the gateway is: at the root of its host, or at a path that a proxy takes off.

/** The scripts are one folder below the root, built or not. Vite would take the URL for a file. */
const script = import.meta.url;
export const ROOT = new URL('../', script);

export const gatewayUrl = (path: string): string => new URL(path, ROOT).href;
