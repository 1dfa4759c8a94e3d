// Opens sockets to machines: only to addresses that the network permits, and with TLS only to a certificate that is trusted.
import { isIP, connect as openTcp, type Socket } from 'node:net';
import { connect as openTls, type TLSSocket } from 'node:tls';
import pLimit from 'p-limit';
import type { Endpoint, Network } from './address';
import { Failure } from './faults';

/** Node has four threads for looking names up and for the disk. A name that no server knows can occupy a thread for 10 s. */
const lookUpLimit = pLimit(2);

export interface Dialled {
  socket: Socket;
  /** Of the machine's certificate, SHA-256 as hex; null without TLS. */
  certificateFingerprint: string | null;
  /** The common name (CN) in the certificate; null where the certificate has none. */
  commonName: string | null;
}

interface Dialling {
  network: Network;
  /** null: an authority must have signed the certificate. `any`: it is only looked at. */
  trusted: string | null | 'any';
  /** Whom a certificate of an authority must name, where that is not the host. */
  servername?: string | undefined;
  /** Ends the socket, whenever it is aborted. */
  signal: AbortSignal;
}

/** Nothing is sent before the certificate was looked at. */
export async function dial(
  { secure, host, port }: Endpoint,
  { network, trusted, servername, signal }: Dialling,
): Promise<Dialled> {
  const addresses = await addressesOf(host, port, network, signal);
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
  const socket = secure
    ? openTls({
        ...options,
        servername: servername ?? (isIP(host) === 0 ? host : ''),
        rejectUnauthorized: trusted === null,
      })
    : openTcp({ ...options, noDelay: true });
  await opened(socket, secure ? 'secureConnect' : 'connect', signal);
  const certificate = secure ? (socket as TLSSocket).getPeerX509Certificate() : undefined;
  const certificateFingerprint = certificate?.fingerprint256.replaceAll(':', '').toLowerCase() ?? null;
  if (trusted !== null && trusted !== 'any' && secure && certificateFingerprint !== trusted.toLowerCase()) {
    socket.destroy();
    throw new Failure('CERTIFICATE_NOT_TRUSTED');
  }
  return { socket, certificateFingerprint, commonName: /^CN=(.+)$/m.exec(certificate?.subject ?? '')?.[1] ?? null };
}

async function addressesOf(host: string, port: number, network: Network, signal: AbortSignal) {
  const family = isIP(host);
  if (family !== 0) {
    if (!network.permits(host, port)) throw new Failure('NOT_REACHABLE');
    return [{ address: host, family }];
  }
  const found = await lookUpLimit(() => (signal.aborted ? [] : network.resolve(host)));
  const permitted = found.filter(({ address }) => network.permits(address, port));
  if (permitted.length === 0) throw new Failure('NOT_RESOLVED');
  return permitted;
}

function opened(socket: Socket, event: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = () => socket.destroy(signal.reason as Error);
    signal.addEventListener('abort', giveUp, { once: true });
    socket.once('close', () => signal.removeEventListener('abort', giveUp));
    socket.once(event, resolve);
    // It stays: a socket that fails before its library listens would end the process.
    socket.on('error', reject);
  });
}
