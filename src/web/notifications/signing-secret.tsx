// The signing secret of a webhook, which the gateway shows once: it stays on the page until the user has it.
import { useState } from 'react';
import { Button } from '../parts/button';
import { Command } from '../parts/command';
import { useUnsaved } from '../parts/unsaved';
import styles from './notifications.module.css';
import type { Written } from './target-editor';

interface Shown {
  name: string;
  /** null: the answer with it was lost. */
  secret: string | null;
}

/** The secret that was made last, and a way to show that of another answer. */
export function useShownOnce() {
  const [shown, setShown] = useState<Shown>();
  const show = ({ target, secret }: Written, isLost = false) => {
    if (secret !== null || isLost) setShown({ name: target.name, secret });
  };
  return { shown, show, hide: () => setShown(undefined) };
}

const QUESTION = {
  title: 'Leave this page?',
  text: 'The signing secret is not shown again. Copy it first.',
  action: 'Leave page',
  dismiss: 'Stay on page',
};

export function ShownOnce({ shown, hide }: Pick<ReturnType<typeof useShownOnce>, 'shown' | 'hide'>) {
  useUnsaved(typeof shown?.secret === 'string', QUESTION);
  if (shown === undefined) return null;
  return (
    <section className={styles['once']} aria-label="Signing secret">
      <h2>{`Signing secret of ${shown.name}`}</h2>
      {shown.secret === null ? (
        <p>The connection broke off before the secret arrived. Open the channel and create a new secret.</p>
      ) : (
        <Secret text={shown.secret} />
      )}
      <div>
        <Button kind="main" onClick={hide}>
          {shown.secret === null ? 'OK' : 'Done, I saved it'}
        </Button>
      </div>
    </section>
  );
}

function Secret({ text }: { text: string }) {
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
