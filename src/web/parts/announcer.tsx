// Announces the outcome of an action whose dialog or page has closed, at the bottom of the window and to screen readers.
import { makeVar } from '@apollo/client';
import { useReactiveVar } from '@apollo/client/react';
import { useEffect } from 'react';
import styles from './loading-states.module.css';

const SHOWN_MS = 6_000;

/** An object, so that the same text can be announced twice in a row. */
const announcement = makeVar({ text: '' });

export const announce = (text: string): void => void announcement({ text });

export function Announcer() {
  const current = useReactiveVar(announcement);
  useEffect(() => {
    if (current.text === '') return;
    const timer = setTimeout(announce, SHOWN_MS, '');
    return () => clearTimeout(timer);
  }, [current]);
  return (
    <p className={styles['announcement']} role="status">
      {current.text}
    </p>
  );
}
