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
  /** Given by a form that tests the connection before it saves. */
  tester: DeviceTester | undefined;
}

export type TestResult = TestDeviceMutation['testDevice'];

export type DeviceTester = ReturnType<typeof useDeviceTester>;

/** @param onFound called with the result of a successful test */
export function useDeviceTester(onFound?: (result: TestResult) => void) {
  const { save, isBusy, faults } = useSaving();
  const [tested, setTested] = useState<{ inputText: string; testResult: TestResult | undefined }>();
  /** @returns undefined if the gateway rejected the input */
  const test = async (input: AddDeviceInput): Promise<TestResult | undefined> => {
    const testResult = (await save(TestDeviceDocument, { input }))?.testDevice;
    setTested({ inputText: JSON.stringify(input), testResult });
    if (testResult?.fault === null) onFound?.(testResult);
    return testResult;
  };
  /** A result is shown only for the input that was tested. */
  const findTested = (input: AddDeviceInput) =>
    tested?.inputText === JSON.stringify(input) && !isBusy ? tested : undefined;
  return { test, findTested, isBusy, faults };
}

export function DeviceTest({ input, isStored, trust, tester }: DeviceTestProps) {
  const ownTester = useDeviceTester();
  const { test, findTested, isBusy, faults } = tester ?? ownTester;
  const shown = findTested(input);
  const testResult = shown?.testResult;
  const needsSecret = isStored && !input.secret;
  return (
    <div className={styles['test']}>
      <Button isBusy={isBusy} aria-disabled={needsSecret} onClick={needsSecret ? undefined : () => void test(input)}>
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

function describeResult({ name, model, firmware, serial, activity }: TestResult): string {
  const facts = [name, model, firmware && `version ${firmware}`, serial && `serial number ${serial}`].filter(Boolean);
  const now = activity === null ? '' : ` Its state is ${ACTIVITIES[activity].name.toLowerCase()}.`;
  return `Connected${facts.length > 0 ? `: ${facts.join(', ')}` : ''}.${now}`;
}
