// Decides whether two addresses lead to the same machine or receiver, by the IP addresses that their names have now.
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import pLimit from 'p-limit';
import { sleep } from '../values/timers';
import type { Network } from './networks';

export interface MachineAddress {
  kind: string;
  address: string;
  serial?: string | null;
}

/** Where an address leads: a host, a port, and a part of the program there, such as a prefix of topics. */
export interface ComparedEndpoint {
  host: string;
  port: number;
  part?: string;
}

/** How long the addresses of a name count as current. */
const FRESH_MS = 60_000;
/** More names than a farm has devices. When the limit is reached, all names are forgotten, so names of removed devices do not stay. */
const MAX_NAMES = 4000;
/** Limits look-ups to one at a time. Node has four threads for them, which connections need too, and an unknown name occupies a thread for 10 s. */
const lookUpLimit = pLimit(1);
const THIS_COMPUTER = '127.0.0.1';
const SERIAL = 'serial number ';

export class Duplicates {
  private readonly names = new Map<string, { addresses: readonly string[]; until: number }>();
  private readonly endpoints = new Map<string, ComparedEndpoint | null>();
  private readonly pendingLookUps = new Map<string, Promise<void>>();

  /** @param parseEndpoint returns `null` if the gateway may no longer connect to the address */
  constructor(
    private readonly network: Pick<Network, 'resolve'>,
    private readonly parseEndpoint: (device: MachineAddress) => ComparedEndpoint | null,
  ) {}

  /** Looks up the names that are unknown or out of date, and waits for them for this time at most. */
  async lookUp(devices: readonly MachineAddress[], ms: number): Promise<void> {
    const names = devices.flatMap((device) => this.findNameToLookUp(device));
    if (names.length === 0) return;
    await Promise.race([
      Promise.all(names.map((name) => this.resolveName(name))),
      sleep(ms, undefined, { ref: false }),
    ]);
  }

  /**
   * Returns each device that is the same machine as another device, with the first such device. Unknown and outdated names
   * are looked up in the background, for the next call.
   */
  findAmong<Device extends MachineAddress>(devices: readonly Device[]): Map<Device, Device> {
    const localAddresses = listLocalAddresses();
    const firstByKey = new Map<string, Device>();
    const duplicates = new Map<Device, Device>();
    for (const device of devices) {
      for (const name of this.findNameToLookUp(device)) void this.resolveName(name);
      for (const key of this.listKeys(device, localAddresses)) {
        const first = firstByKey.get(key);
        if (first === undefined) firstByKey.set(key, device);
        else if (!duplicates.has(device)) duplicates.set(device, first);
        if (first !== undefined && !duplicates.has(first)) duplicates.set(first, device);
      }
    }
    return duplicates;
  }

  private listKeys(device: MachineAddress, localAddresses: ReadonlySet<string>): Set<string> {
    const keys = new Set<string>();
    if (device.serial != null) keys.add(SERIAL + device.serial.toUpperCase());
    const endpoint = this.findEndpoint(device);
    if (endpoint === null) return keys.add(device.address.toLowerCase());
    const { host, port, part = '' } = endpoint;
    for (const address of [host, ...(this.names.get(host)?.addresses ?? [])]) {
      const plain = unwrapIpv4(address);
      keys.add(`${localAddresses.has(plain) ? THIS_COMPUTER : plain} ${port} ${part}`);
    }
    return keys;
  }

  private findNameToLookUp(device: MachineAddress): string[] {
    const host = this.findEndpoint(device)?.host;
    if (host === undefined || isIP(host) !== 0) return [];
    return (this.names.get(host)?.until ?? 0) > performance.now() ? [] : [host];
  }

  /** Finds the endpoint of an address. The results are kept: parsing takes 20 µs, and a farm may have a thousand addresses. */
  private findEndpoint(device: MachineAddress): ComparedEndpoint | null {
    const { kind, address } = device;
    const key = `${kind} ${address}`;
    const knownEndpoint = this.endpoints.get(key);
    if (knownEndpoint !== undefined) return knownEndpoint;
    const parsed = this.parseEndpoint(device);
    const endpoint = parsed && { ...parsed, host: parsed.host.replace(/\.$/, '') };
    if (this.endpoints.size >= MAX_NAMES) this.endpoints.clear();
    this.endpoints.set(key, endpoint);
    return endpoint;
  }

  private resolveName(name: string): Promise<void> {
    const pending = this.pendingLookUps.get(name);
    if (pending !== undefined) return pending;
    const lookUp = lookUpLimit(() => this.network.resolve(name))
      .then(
        (found) => found.map(({ address }) => address),
        () => [],
      )
      .then((addresses) => {
        if (this.names.size >= MAX_NAMES) this.names.clear();
        this.names.set(name, { addresses, until: performance.now() + FRESH_MS });
        this.pendingLookUps.delete(name);
      });
    this.pendingLookUps.set(name, lookUp);
    return lookUp;
  }
}

/** Lists the names and addresses of this computer, which all lead to the same programs. */
const listLocalAddresses = (): ReadonlySet<string> =>
  new Set([
    'localhost',
    '127.0.0.1',
    '::1',
    ...Object.values(networkInterfaces()).flatMap((found) => (found ?? []).map(({ address }) => address)),
  ]);

/** Turns an IPv4 address inside IPv6 into IPv4: ::ffff:a00:1 is 10.0.0.1. */
function unwrapIpv4(address: string): string {
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(address) ?? [];
  if (high === undefined || low === undefined) return address.replace(/^::ffff:(?=\d+\.)/i, '');
  const bytes = [high, low].flatMap((part) => {
    const number = Number.parseInt(part, 16);
    return [number >> 8, number & 255];
  });
  return bytes.join('.');
}
