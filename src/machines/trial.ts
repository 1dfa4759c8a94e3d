// Tests a machine: connects once and reports what answers. Nothing is stored.
import type { DeviceTester } from '../farm/devices/device.service';
import type { Activity, Reading } from '../farm/print-rules/print.model';
import { instantNow } from '../values/instant';
import { createTimeoutSignal, setTimeout } from '../values/timers';
import { LIMITS, type Limits } from '../wire/connection-limits';
import { readFingerprint } from '../wire/dial';
import { parseAddress } from '../wire/machine-address';
import type { Network } from '../wire/networks';
import { type DeviceKind, KIND_CODE } from './kind-code';
import { type AdapterOutput, type CameraReading, FIRST_CONTACT } from './machine-adapter';
import type { DeviceFault, Identity, Target } from './machine-connection';

export interface Trial {
  /** Whether something answered at the address. */
  reached: boolean;
  fault: DeviceFault | null;
  /** Contains the fingerprint of a certificate that is not trusted, for a user to compare. */
  identity: Identity | null;
  activity: Activity | null;
}

const UNREACHED: DeviceFault[] = [
  'NOT_REACHABLE',
  'NOT_RESOLVED',
  'NOT_ALLOWED',
  'TIMED_OUT',
  'SILENT',
  'SECRET_NOT_READABLE',
];

export class MachineTester implements DeviceTester {
  /** Takes at most the time to connect. The activity is `null` if the machine has not reported it by then. */
  async test(kind: DeviceKind, target: Target, network: Network, limits = LIMITS): Promise<Trial> {
    const end = performance.now() + limits.connectMs;
    const trial = await connectOnce(kind, target, network, limits);
    if (trial.fault !== 'CERTIFICATE_NOT_TRUSTED') return trial;
    const endpoint = parseAddress(target.address, KIND_CODE[kind].address, network);
    const certificateFingerprint = await readFingerprint(
      endpoint,
      network,
      createTimeoutSignal(end - performance.now()),
    );
    return { ...trial, identity: { name: null, model: null, serial: null, firmware: null, certificateFingerprint } };
  }
}

function connectOnce(kind: DeviceKind, target: Target, network: Network, limits: Limits): Promise<Trial> {
  const { adapter, connect } = KIND_CODE[kind];
  let identity: Identity | null = null;
  return new Promise((resolve) => {
    const finish = (fault: DeviceFault | null, activity: Activity | null = null) => {
      clearTimeout(timer);
      connection.close();
      resolve({ reached: fault === null || !UNREACHED.includes(fault), fault, identity, activity });
    };
    let memory: unknown = null;
    const handleOutput = (output: AdapterOutput<unknown, Reading | CameraReading>) => {
      memory = output.memory;
      const reported = output.readings.findLast(({ kind }) => kind === 'STATE' || kind === 'STATUS');
      if (reported !== undefined) finish(null, reported.kind === 'STATE' ? reported.activity : null);
      for (const ask of output.asks) connection.ask(ask);
    };
    const connection = connect(
      target,
      {
        onConnected(found) {
          identity = found;
          handleOutput(adapter.start(FIRST_CONTACT, instantNow()));
        },
        onMessage: (message) => handleOutput(adapter.receive(memory, message, instantNow())),
        onEnded: finish,
      },
      network,
      // A user does not want to wait for a minute, and a printer answers a request within seconds.
      { ...limits, firstMessageMs: limits.connectMs / 2 },
    );
    const timer = setTimeout(() => finish(identity === null ? 'TIMED_OUT' : null), limits.connectMs);
  });
}
