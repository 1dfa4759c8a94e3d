// Announces the outcome of a click whose dialog or page has gone: at the foot of the window, and to screen readers.
import { makeVar } from '@apollo/client';
import { useReactiveVar } from '@apollo/client/react';
import { useEffect } from 'react';
import styles from './loading-states.module.css';

const SHOWN_MS = 6_000;

/** An object: the same words may be said twice. */
const said = makeVar({ text: '' });

export const announce = (text: string): void => void said({ text });

export function Announcer() {
  const now = useReactiveVar(said);
  useEffect(() => {
    if (now.text === '') return;
    const timer = setTimeout(announce, SHOWN_MS, '');
    return () => clearTimeout(timer);
  }, [now]);
  return (
    <p className={styles['said']} role="status">
      {now.text}
    </p>
  );
}
