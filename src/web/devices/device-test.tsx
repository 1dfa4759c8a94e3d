// Tests a connection: the gateway connects once, and the page shows what answered or what to correct. The user can trust a certificate that the test found.
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
import { SECRET_NAMES } from './device-texts';
import styles from './devices.module.css';

interface DeviceTestProps {
  input: AddDeviceInput;
  /** Whether the gateway has a stored secret. The test does not use it. */
  isStored: boolean;
  trust: (fingerprint: string) => void;
  onFound: ((result: TestResult) => void) | undefined;
}

export type TestResult = TestDeviceMutation['testDevice'];

export function DeviceTest({ input, isStored, trust, onFound }: DeviceTestProps) {
  const { save, isBusy, faults } = useSaving();
  const [tested, setTested] = useState<{ inputText: string; testResult: TestResult | undefined }>();
  const inputText = JSON.stringify(input);
  const test = async () => {
    const saved = await save(TestDeviceDocument, { input });
    setTested({ inputText, testResult: saved?.testDevice });
    if (saved?.testDevice.fault === null) onFound?.(saved.testDevice);
  };
  // A result is shown only for the input that was tested.
  const shown = tested?.inputText === inputText && !isBusy ? tested : undefined;
  const testResult = shown?.testResult;
  const needsSecret = isStored && !input.secret;
  return (
    <div className={styles['test']}>
      <Button isBusy={isBusy} aria-disabled={needsSecret} onClick={needsSecret ? undefined : () => void test()}>
        Test connection
      </Button>
      <div>
        {isBusy && <Outcome>Testing …</Outcome>}
        {needsSecret && (
          <span
            className={styles['quiet']}
          >{`To test the connection, enter the ${SECRET_NAMES[input.kind]} again.`}</span>
        )}
        {shown && (
          <Outcome isBad={testResult === undefined || testResult.fault !== null}>
            {testResult === undefined
              ? formatFaults(faults, input.kind)
              : testResult.fault === 'CERTIFICATE_NOT_TRUSTED' && testResult.certificateFingerprint !== null
                ? OWN_CERTIFICATE
                : (testResult.message ?? describeResult(testResult))}
          </Outcome>
        )}
        {testResult?.fault === 'CERTIFICATE_NOT_TRUSTED' && testResult.certificateFingerprint !== null && (
          <>
            <code className={styles['quiet']}>{testResult.certificateFingerprint}</code>
            <Button onClick={() => trust(testResult.certificateFingerprint as string)}>Trust this certificate</Button>
          </>
        )}
      </div>
    </div>
  );
}

const OWN_CERTIFICATE =
  'This machine uses its own certificate. On your own network, check this fingerprint and trust it.';

/** Joins the faults, each with the label of its field. */
function formatFaults(faults: Record<string, string>, kind: DeviceKind): string {
  const labels: Record<string, string> = {
    '': '',
    address: 'Address',
    secret: SECRET_NAMES[kind],
    serial: 'Serial number',
    username: 'User name',
  };
  return Object.entries(faults)
    .map(([member, fault]) => `${labels[member] ?? member} ${fault}`.trim())
    .join(' ');
}

function describeResult({ model, firmware, serial, activity }: TestResult): string {
  const facts = [model, firmware && `version ${firmware}`, serial && `serial number ${serial}`].filter(Boolean);
  const now = activity === null ? '' : ` Its state is ${ACTIVITIES[activity].name.toLowerCase()}.`;
  return `Connected${facts.length > 0 ? `: ${facts.join(', ')}` : ''}.${now}`;
}
