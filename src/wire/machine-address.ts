// Reads the address of a machine as a user types it, and checks that the gateway may connect to it.
import { BadInput } from '../errors';
import type { AddressFormat } from '../kind-facts';
import { copiedText } from '../values/copied-texts';
import { MAX_KEY_LENGTH } from '../values/text';
import { isForbidden, type Network } from './networks';

const SCHEMES = {
  http: { port: 80, secure: false },
  ws: { port: 80, secure: false },
  https: { port: 443, secure: true },
  wss: { port: 443, secure: true },
  mqtts: { port: 8883, secure: true },
} satisfies Record<AddressFormat['schemes'][number], { port: number; secure: boolean }>;

/** Reads the text of an address, with the same repairs as other copied text. */
const readText = copiedText(MAX_KEY_LENGTH);

/** Where to connect. An IPv6 address has no brackets here. */
export interface Endpoint {
  secure: boolean;
  host: string;
  port: number;
}

export interface Address extends Endpoint {
  /** The address as the user typed it, without surrounding white space. */
  text: string;
}

/** Reads a host, host:port or URL. A URL without a port gets the port of its scheme, as in a browser. */
export function parseAddress(value: unknown, form: AddressFormat, network: Network, member = 'address'): Address {
  const text = readText(value, member);
  // The messages do not repeat the value, because it may contain a password.
  const refuse = (message: string): never => {
    throw new BadInput(message, member);
  };
  if (text === '') refuse('must not be empty');
  const url = form.schemes.join(', ');
  const [, name, afterScheme] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(.*)$/i.exec(text) as unknown as [
    string,
    string?,
    string?,
  ];
  const scheme = name === undefined ? undefined : form.schemes.find((candidate) => candidate === name.toLowerCase());
  if (name !== undefined && scheme === undefined) refuse(`must be a host or a URL of ${url}`);
  if (afterScheme?.includes('@')) refuse('must not contain a user name or password. Enter them as username and secret');
  const [, head = '', path] = /^([^/?#]*)\/?(.*)$/.exec(afterScheme ?? '') ?? [];
  const [, written = '', digits] = /^(\[[^\]]*\]|[^:[\]]*)(?::(\d{1,5}))?$/.exec(head) ?? [];
  const port = Number(digits ?? (scheme === undefined ? form.port : SCHEMES[scheme].port));
  // A host with a space or an escape is a typing error. URL would silently repair it.
  const parsed = /^[^\s%\\]+$/.test(written) && URL.canParse(`http://${written}`) ? new URL(`http://${written}`) : null;
  if (parsed === null || port < 1 || port > 65_535) {
    return refuse(
      `must be HOST, HOST:PORT or a URL of ${url}, such as 192.168.1.20, printer.local:${form.port} or [fd00::20]`,
    );
  }
  // A user may have copied the address of one page of the machine from a browser.
  if (path !== '') refuse(`must have no path and no query. Enter ${scheme === undefined ? '' : `${scheme}://`}${head}`);
  // URL also turns 0x7f.1 and 2130706433 into 127.0.0.1, so the check below sees the real address.
  const host = parsed.hostname.replace(/^\[|\]$/g, '');
  if (isForbidden(host, port, network)) {
    refuse(
      'must be in a private network (10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 100.64.0.0/10, 127.0.0.0/8, fc00::/7) or in DEVICE_NETWORKS, and not this gateway itself',
    );
  }
  return { text, secure: SCHEMES[scheme ?? form.schemes[0]].secure, host, port };
}
