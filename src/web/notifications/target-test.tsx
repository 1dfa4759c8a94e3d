// One test message to a channel: its answer, and the certificate to trust where none is trusted yet.
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
import type { Written } from './target-editor';

type Target = TargetDetailsFragment;
type Found = TestTargetMutation['testNotificationTarget'];

interface TargetTestProps {
  target: Target;
  onWritten: (written: Written) => void;
}

export function TargetTest({ target, onWritten }: TargetTestProps) {
  const { save, isBusy, faults } = useSaving();
  // Not that of the form below: it leaves with the answer, which holds the new secret of a webhook.
  const trusting = useSaving();
  const [tested, setTested] = useState<{ of: string; found: Found | undefined }>();
  // What another address or certificate answered says nothing of this one.
  const of = JSON.stringify([target.url, target.certificateFingerprint]);
  const test = async () => {
    const saved = await save(TestTargetDocument, { id: target.id });
    setTested({ of, found: saved?.testNotificationTarget });
  };
  const result = tested?.of === of && !isBusy ? tested : undefined;
  const found = result?.found;
  return (
    <Section
      title="Test"
      actions={
        <Button isBusy={isBusy} onClick={() => void test()}>
          Send test message
        </Button>
      }
    >
      <p className={styles['test']}>
        {isBusy ? (
          <Outcome>Sent. Waiting for an answer …</Outcome>
        ) : result === undefined ? (
          <span className={styles['quiet']}>Sends one message now, even if the channel is disabled.</span>
        ) : (
          <Outcome isBad={found?.delivered !== true}>
            {found ? sentenceOf(found) : Object.values(faults).join(' ')}
          </Outcome>
        )}
      </p>
      {found?.delivered === false &&
        found.certificateFingerprint !== null &&
        found.certificateFingerprint !== target.certificateFingerprint && (
          <Trust target={target} fingerprint={found.certificateFingerprint} saving={trusting} onWritten={onWritten} />
        )}
    </Section>
  );
}

const sentenceOf = ({ delivered, message }: Found) => (delivered ? 'The test message was delivered.' : (message ?? ''));

interface TrustProps extends TargetTestProps {
  fingerprint: string;
  saving: ReturnType<typeof useSaving>;
}

/** A stored token or password is forgotten with the certificate, so that it is not sent to another receiver. */
function Trust({ target, fingerprint, saving: { save, isBusy, faults }, onWritten }: TrustProps) {
  const [secret, setSecret] = useState('');
  const asks = target.hasSecret && target.kind !== 'WEBHOOK';
  const name = TARGET_KINDS[target.kind].secret;
  const lacks = asks && secret === '';
  const trust = async () => {
    if (lacks) return;
    const input = { certificateFingerprint: fingerprint, ...(secret !== '' && { secret }) };
    const saved = await save(UpdateTargetDocument, { id: target.id, input });
    if (saved === undefined) return;
    announce('Certificate trusted. Send a test message.');
    onWritten(saved.updateNotificationTarget);
  };
  return (
    <Form
      faults={faults}
      isEdited={secret !== ''}
      onSubmit={() => void trust()}
      actions={
        <Button type="submit" isBusy={isBusy} aria-disabled={lacks}>
          Trust this certificate
        </Button>
      }
    >
      <p>The receiver uses its own certificate. Check this fingerprint on your receiver, then trust it:</p>
      <code className={styles['fingerprint']}>{fingerprint}</code>
      {asks && (
        <Field
          name="secret"
          label={`${name}, again`}
          hint="The stored one belongs to the former certificate."
          type="password"
          autoComplete="new-password"
          value={secret}
          onChange={({ currentTarget }) => setSecret(currentTarget.value)}
        />
      )}
    </Form>
  );
}
