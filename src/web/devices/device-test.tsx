// The test of a machine: it connects once, and says what answers, or what to mend. A certificate that it found can be trusted.
import { useState } from 'react';
import {
  type AddDeviceInput,
  type DeviceKind,
  TestDeviceDocument,
  type TestDeviceMutation,
} from '../../generated/web-operations';
import { Button } from '../parts/button';
import { Outcome } from '../parts/loading-states';
import { useSaving } from '../parts/saving';
import { ACTIVITIES } from '../prints/print-texts';
import { SECRETS } from './device-texts';
import styles from './devices.module.css';

interface DeviceTestProps {
  input: AddDeviceInput;
  /** The gateway has a secret, which this test does not use. */
  isStored: boolean;
  trust: (fingerprint: string) => void;
  onFound: ((found: Found) => void) | undefined;
}

export type Found = TestDeviceMutation['testDevice'];

/** Connects once with what the fields say. */
export function DeviceTest({ input, isStored, trust, onFound }: DeviceTestProps) {
  const { save, isBusy, faults } = useSaving();
  const [tested, setTested] = useState<{ of: string; found: Found | undefined }>();
  const of = JSON.stringify(input);
  const test = async () => {
    const saved = await save(TestDeviceDocument, { input });
    setTested({ of, found: saved?.testDevice });
    if (saved?.testDevice.fault === null) onFound?.(saved.testDevice);
  };
  // What was found at another address says nothing of this one.
  const result = tested?.of === of && !isBusy ? tested : undefined;
  const found = result?.found;
  const needsSecret = isStored && !input.secret;
  return (
    <div className={styles['test']}>
      <Button isBusy={isBusy} aria-disabled={needsSecret} onClick={needsSecret ? undefined : () => void test()}>
        Test connection
      </Button>
      <div>
        {isBusy && <Outcome>Testing …</Outcome>}
        {needsSecret && (
          <span className={styles['quiet']}>{`To test the connection, enter the ${SECRETS[input.kind]} again.`}</span>
        )}
        {result && (
          <Outcome isBad={found === undefined || found.fault !== null}>
            {found === undefined
              ? faultsIn(faults, input.kind)
              : found.fault === 'CERTIFICATE_NOT_TRUSTED' && found.certificateFingerprint !== null
                ? OWN_CERTIFICATE
                : (found.message ?? sentenceOf(found))}
          </Outcome>
        )}
        {found?.fault === 'CERTIFICATE_NOT_TRUSTED' && found.certificateFingerprint !== null && (
          <>
            <code className={styles['quiet']}>{found.certificateFingerprint}</code>
            <Button onClick={() => trust(found.certificateFingerprint as string)}>Trust this certificate</Button>
          </>
        )}
      </div>
    </div>
  );
}

const OWN_CERTIFICATE =
  'This machine uses its own certificate. On your own network, check this fingerprint and trust it.';

/** The faults with the labels of their fields, as a form shows them. */
function faultsIn(faults: Record<string, string>, kind: DeviceKind): string {
  const labels: Record<string, string> = {
    '': '',
    address: 'Address',
    secret: SECRETS[kind],
    serial: 'Serial number',
    username: 'User name',
  };
  return Object.entries(faults)
    .map(([member, fault]) => `${labels[member] ?? member} ${fault}`.trim())
    .join(' ');
}

function sentenceOf({ model, firmware, serial, activity }: Found): string {
  const facts = [model, firmware && `version ${firmware}`, serial && `serial number ${serial}`].filter(Boolean);
  const now = activity === null ? '' : ` Its state is ${ACTIVITIES[activity].name.toLowerCase()}.`;
  return `Connected${facts.length > 0 ? `: ${facts.join(', ')}` : ''}.${now}`;
}
