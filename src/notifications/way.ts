// The way to a receiver: whether its addresses are allowed, and what its certificate is.
import type { Network } from '../machines/address';
import { dial } from '../machines/dial';
import { faultOf } from '../machines/error-faults';
import type { Meter } from '../machines/meter';
import type { TargetAddress } from './address';
import type { SendFault } from './faults';

/** The network, and whether a name led to addresses of which it permits none. */
export function watched(network: Network): { network: Network; isForbidden(): boolean } {
  let isForbidden = false;
  return {
    isForbidden: () => isForbidden,
    network: {
      permits: (ip, port) => {
        const isPermitted = network.permits(ip, port);
        isForbidden = !isPermitted;
        return isPermitted;
      },
      resolve: (host) => network.resolve(host),
    },
  };
}

/** For a person to compare; null where the certificate was not seen in time. */
export async function fingerprintAt(address: TargetAddress, network: Network, meter: Meter, signal: AbortSignal) {
  try {
    const { socket, certificateFingerprint } = await dial(address, { network, trusted: 'any', signal, meter });
    socket.destroy();
    return certificateFingerprint;
  } catch {
    return null;
  }
}

/** What only machines are told to be is no such receiver. */
export function sendFaultOf(error: unknown): SendFault {
  const fault = faultOf(error);
  if (fault === 'PROXY_REFUSED' || fault === 'WRONG_DEVICE' || fault === 'SILENT' || fault === 'PROTOCOL_ERROR')
    return 'NOT_THIS_KIND';
  return fault;
}
