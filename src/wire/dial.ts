// Opens sockets to machines and receivers, only at addresses that the network permits and, with TLS, only if the certificate is trusted.
import { constants } from 'node:crypto';
import { isIP, connect as openTcp } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as openTls, type TLSSocket } from 'node:tls';
import pLimit from 'p-limit';
import { LIMITS } from './connection-limits';
import { Failure } from './faults';
import type { Endpoint } from './machine-address';
import { Meter } from './meter';
import { MeteredSocket } from './metered-socket';
import type { Network } from './networks';

/** Node has four threads for name lookups and for the disk. Looking up a name that no server knows can occupy a thread for 10 s. */
const lookUpLimit = pLimit(2);

export interface Dialled {
  socket: Duplex;
  /** SHA-256 of the certificate at the other end, as hex; `null` without TLS. */
  certificateFingerprint: string | null;
  /** The common name (CN) in the certificate; `null` if the certificate has none. */
  commonName: string | null;
}

interface DialOptions {
  network: Network;
  /** The trusted fingerprint; `null` if a certificate authority must have signed the certificate; `any` to accept every certificate. */
  trusted: string | null | 'any';
  /** The name in a certificate that an authority signed, if it is not the host. */
  servername?: string | undefined;
  /** Destroys the socket when it is aborted, even after the socket was opened. */
  signal: AbortSignal;
  /** Counts the received bytes, including the bytes of the TLS handshake. */
  meter: Meter;
}

/** Opens a socket. Nothing is sent before the certificate was checked. */
export async function dial(
  { secure, host, port }: Endpoint,
  { network, trusted, servername, signal, meter }: DialOptions,
): Promise<Dialled> {
  const addresses = await resolvePermitted(host, port, network, signal);
  signal.throwIfAborted();
  const options = {
    host,
    port,
    // The socket connects to the address that was checked: a second look-up could return another address.
    lookup: (_name: string, { all }: { all?: boolean }, done: (...found: never[]) => void) => {
      const [first] = addresses as [{ address: string; family: number }];
      const found = all ? [null, addresses] : [null, first.address, first.family];
      done(...(found as never[]));
    },
  };
  const raw = openTcp({ ...options, noDelay: true });
  await waitForEvent(raw, 'connect', signal);
  const metered = new MeteredSocket(raw, meter);
  const socket = secure
    ? openTls({
        socket: metered,
        host,
        servername: servername ?? (isIP(host) === 0 ? host : ''),
        rejectUnauthorized: trusted === null,
        // Repeated handshakes would cost more than all messages.
        secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
      })
    : metered;
  // A library closes only the socket that it was given, and Node leaves the socket below TLS open.
  socket.once('close', () => metered.destroy());
  if (secure) await waitForEvent(socket, 'secureConnect', signal);
  else destroyOnAbort(metered, signal);
  const certificate = secure ? (socket as TLSSocket).getPeerX509Certificate() : undefined;
  const certificateFingerprint = certificate?.fingerprint256.replaceAll(':', '').toLowerCase() ?? null;
  if (trusted !== null && trusted !== 'any' && secure && certificateFingerprint !== trusted.toLowerCase()) {
    socket.destroy();
    throw new Failure('CERTIFICATE_NOT_TRUSTED');
  }
  return { socket, certificateFingerprint, commonName: /^CN=(.+)$/m.exec(certificate?.subject ?? '')?.[1] ?? null };
}

/** Reads the fingerprint of the certificate, for a user to compare; `null` if no certificate was received in time. */
export async function readFingerprint(
  endpoint: Endpoint,
  network: Network,
  signal: AbortSignal,
): Promise<string | null> {
  const meter = new Meter(LIMITS, () => meter.close());
  try {
    const { socket, certificateFingerprint } = await dial(endpoint, { network, trusted: 'any', signal, meter });
    socket.destroy();
    return certificateFingerprint;
  } catch {
    return null;
  } finally {
    meter.close();
  }
}

async function resolvePermitted(host: string, port: number, network: Network, signal: AbortSignal) {
  const family = isIP(host);
  if (family !== 0) {
    if (!network.permits(host, port)) throw new Failure('NOT_ALLOWED');
    return [{ address: host, family }];
  }
  const found = await lookUpLimit(() => (signal.aborted ? [] : network.resolve(host)));
  const permitted = found.filter(({ address }) => network.permits(address, port));
  if (permitted.length === 0) throw new Failure(found.length === 0 ? 'NOT_RESOLVED' : 'NOT_ALLOWED');
  return permitted;
}

function waitForEvent(socket: Duplex, event: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    destroyOnAbort(socket, signal);
    socket.once(event, resolve);
    // The listener stays: a socket that fails before its library listens would end the process.
    socket.on('error', reject);
  });
}

function destroyOnAbort(socket: Duplex, signal: AbortSignal): void {
  const giveUp = () => socket.destroy(signal.reason as Error);
  signal.addEventListener('abort', giveUp, { once: true });
  socket.once('close', () => signal.removeEventListener('abort', giveUp));
  socket.on('error', () => {});
}
