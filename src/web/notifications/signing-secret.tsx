// Shows the signing secret of a webhook. The gateway shows a secret only once, so it stays on the page until the user confirms that it is saved.
import { useState } from 'react';
import { Button } from '../parts/button';
import { Command } from '../parts/command';
import { useUnsaved } from '../parts/unsaved';
import styles from './notifications.module.css';
import type { SavedTarget } from './target-editor';

interface ShownSecret {
  name: string;
  /** `null` if the answer with the secret was lost. */
  secret: string | null;
}

/** Holds the secret to show. `show` takes the secret of an answer, and ignores answers without a secret. */
export function useSigningSecret() {
  const [shown, setShown] = useState<ShownSecret>();
  const show = ({ target, secret }: SavedTarget, isLost = false) => {
    if (secret !== null || isLost) setShown({ name: target.name, secret });
  };
  return { shown, show, hide: () => setShown(undefined) };
}

const LEAVE_QUESTION = {
  title: 'Leave this page?',
  text: 'The signing secret is not shown again. Copy it first.',
  action: 'Leave page',
  dismiss: 'Stay on page',
};

export function SigningSecret({ shown, hide }: Pick<ReturnType<typeof useSigningSecret>, 'shown' | 'hide'>) {
  useUnsaved(typeof shown?.secret === 'string', LEAVE_QUESTION);
  if (shown === undefined) return null;
  return (
    <section className={styles['once']} aria-label="Signing secret">
      <h2>{`Signing secret of ${shown.name}`}</h2>
      {shown.secret === null ? (
        <p>The connection broke off before the secret arrived. Open the channel and create a new secret.</p>
      ) : (
        <CopySecret text={shown.secret} />
      )}
      <div>
        <Button kind="main" onClick={hide}>
          {shown.secret === null ? 'OK' : 'Done, I saved it'}
        </Button>
      </div>
    </section>
  );
}

function CopySecret({ text }: { text: string }) {
  return (
    <>
      <p>
        Copy the secret now: it is shown only this once. Paste it into the program that receives the messages, which
        uses it to check that a message comes from your farm.
      </p>
      <Command label="the signing secret" text={text} />
    </>
  );
}
