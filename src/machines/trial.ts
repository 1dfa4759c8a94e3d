// Connects to a machine once, to see whether it can be listened to. Nothing is stored.
import type { Activity, Reading } from '../farm/print-rules/readings';
import { instantNow } from '../values/instant';
import { setTimeout, timeoutSignal } from '../values/timers';
import { type CameraReading, FIRST_CONTACT } from './adapter';
import { type Network, parseAddress } from './address';
import type { DeviceFault, Identity, Target } from './connection';
import { dial } from './dial';
import { Hearing } from './hearing';
import { type DeviceKind, KINDS } from './kinds';
import { LIMITS, type Limits } from './limits';
import { Meter } from './meter';

export interface Trial {
  /** Whether anything answered at the address. */
  reached: boolean;
  fault: DeviceFault | null;
  /** Where the certificate is not trusted, it holds the fingerprint, for a person to compare. */
  identity: Identity | null;
  activity: Activity | null;
}

const UNREACHED: DeviceFault[] = ['NOT_REACHABLE', 'NOT_RESOLVED', 'TIMED_OUT', 'SILENT', 'SECRET_NOT_READABLE'];

/** Takes at most the time to connect. A machine that has not said by then what it does has no activity. */
export async function tryDevice(kind: DeviceKind, target: Target, network: Network, limits = LIMITS): Promise<Trial> {
  const end = performance.now() + limits.connectMs;
  const trial = await connectOnce(kind, target, network, limits);
  if (trial.fault !== 'CERTIFICATE_NOT_TRUSTED') return trial;
  const certificateFingerprint = await fingerprintOf(kind, target, network, end - performance.now());
  return { ...trial, identity: { model: null, serial: null, firmware: null, certificateFingerprint } };
}

function connectOnce(kind: DeviceKind, target: Target, network: Network, limits: Limits): Promise<Trial> {
  const { adapter, connect } = KINDS[kind];
  let identity: Identity | null = null;
  return new Promise((resolve) => {
    const finish = (fault: DeviceFault | null, activity: Activity | null = null) => {
      clearTimeout(timer);
      connection.close();
      resolve({ reached: fault === null || !UNREACHED.includes(fault), fault, identity, activity });
    };
    const hearing = new Hearing<Reading | CameraReading>(adapter, {
      tell(readings) {
        const told = readings.findLast(({ kind }) => kind === 'STATE' || kind === 'STATUS');
        if (told !== undefined) finish(null, told.kind === 'STATE' ? told.activity : null);
      },
      ask: (ask) => connection.ask(ask),
    });
    const connection = connect(
      target,
      {
        connected(found) {
          identity = found;
          hearing.open(FIRST_CONTACT, instantNow());
        },
        heard: (message) => hearing.hear(message, instantNow()),
        ended: finish,
      },
      network,
      // A person does not wait for a minute, and a printer that was asked answers at once.
      { ...limits, firstMessageMs: limits.connectMs / 2 },
    );
    const timer = setTimeout(() => finish(identity === null ? 'TIMED_OUT' : null), limits.connectMs);
  });
}

async function fingerprintOf(kind: DeviceKind, { address }: Target, network: Network, ms: number) {
  const signal = timeoutSignal(ms);
  const meter = new Meter(LIMITS, () => meter.close());
  try {
    const endpoint = parseAddress(address, KINDS[kind].address, network);
    const { socket, certificateFingerprint } = await dial(endpoint, { network, trusted: 'any', signal, meter });
    socket.destroy();
    return certificateFingerprint;
  } catch {
    return null;
  } finally {
    meter.close();
  }
}
