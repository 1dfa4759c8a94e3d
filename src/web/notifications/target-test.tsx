// Sends a test message to a channel and shows the result. If the receiver has an unknown certificate, the user can trust it here.
import { useState } from 'react';
import {
  type TargetDetailsFragment,
  TestTargetDocument,
  type TestTargetMutation,
  UpdateTargetDocument,
} from '../../generated/web-operations';
import { announce } from '../parts/announcer';
import { Button } from '../parts/button';
import { Field, Form } from '../parts/form';
import { Outcome } from '../parts/loading-states';
import { Section } from '../parts/page';
import { useSaving } from '../parts/saving';
import { TARGET_KINDS } from './notification-texts';
import styles from './notifications.module.css';
import type { SavedTarget } from './target-editor';

type Target = TargetDetailsFragment;
type TestResult = TestTargetMutation['testNotificationTarget'];

interface TargetTestProps {
  target: Target;
  onSaved: (saved: SavedTarget) => void;
}

export function TargetTest({ target, onSaved }: TargetTestProps) {
  const { save, isBusy, faults } = useSaving();
  // Kept here and not in the form below: the form disappears with the answer, and the answer holds the new secret of a webhook.
  const trustSaving = useSaving();
  const [tested, setTested] = useState<{ settings: string; testResult: TestResult | undefined }>();
  // A result is shown only for the URL and the certificate that were tested.
  const settings = JSON.stringify([target.url, target.certificateFingerprint]);
  const test = async () => {
    const saved = await save(TestTargetDocument, { id: target.id });
    setTested({ settings, testResult: saved?.testNotificationTarget });
  };
  const shown = tested?.settings === settings && !isBusy ? tested : undefined;
  const testResult = shown?.testResult;
  return (
    <Section
      title="Test message"
      actions={
        <Button isBusy={isBusy} onClick={() => void test()}>
          Send test message
        </Button>
      }
    >
      <p className={styles['test']}>
        {isBusy ? (
          <Outcome>Sent. Waiting for an answer …</Outcome>
        ) : shown === undefined ? (
          <span className={styles['quiet']}>Sends one message now, even if the channel is disabled.</span>
        ) : (
          <Outcome isBad={testResult?.delivered !== true}>
            {testResult ? describeResult(testResult) : Object.values(faults).join(' ')}
          </Outcome>
        )}
      </p>
      {testResult?.delivered === false &&
        testResult.certificateFingerprint !== null &&
        testResult.certificateFingerprint !== target.certificateFingerprint && (
          <TrustCertificate
            target={target}
            fingerprint={testResult.certificateFingerprint}
            saving={trustSaving}
            onSaved={onSaved}
          />
        )}
    </Section>
  );
}

const describeResult = ({ delivered, message }: TestResult) =>
  delivered ? 'The test message was delivered.' : (message ?? '');

interface TrustProps extends TargetTestProps {
  fingerprint: string;
  saving: ReturnType<typeof useSaving>;
}

/** The gateway deletes a stored token or password when the certificate changes, so that no other receiver gets it. The user enters it again. */
function TrustCertificate({ target, fingerprint, saving: { save, isBusy, faults }, onSaved }: TrustProps) {
  const [secret, setSecret] = useState('');
  const needsSecret = target.hasSecret && target.kind !== 'WEBHOOK';
  const name = TARGET_KINDS[target.kind].secret;
  const isSecretMissing = needsSecret && secret === '';
  const trust = async () => {
    if (isSecretMissing) return;
    const input = { certificateFingerprint: fingerprint, ...(secret !== '' && { secret }) };
    const saved = await save(UpdateTargetDocument, { id: target.id, input });
    if (saved === undefined) return;
    announce('Certificate trusted. Send a test message.');
    onSaved(saved.updateNotificationTarget);
  };
  return (
    <Form
      faults={faults}
      isEdited={secret !== ''}
      onSubmit={() => void trust()}
      actions={
        <Button type="submit" isBusy={isBusy} aria-disabled={isSecretMissing}>
          Trust this certificate
        </Button>
      }
    >
      <p>The receiver uses its own certificate. Check this fingerprint on your receiver, then trust it:</p>
      <code className={styles['fingerprint']}>{fingerprint}</code>
      {needsSecret && (
        <Field
          name="secret"
          label={`${name}, again`}
          hint={`The stored ${name.toLowerCase()} belongs to the previous certificate.`}
          type="password"
          autoComplete="new-password"
          value={secret}
          onChange={({ currentTarget }) => setSecret(currentTarget.value)}
        />
      )}
    </Form>
  );
}
