// Says to screen readers what a click did where the page shows it by itself. Outcome in states.tsx shows it too.
import { makeVar } from '@apollo/client';
import { useReactiveVar } from '@apollo/client/react';
import styles from './states.module.css';

const said = makeVar('');

export const announce = (text: string): void => void said(text);

export function Announcer() {
  const text = useReactiveVar(said);
  return (
    <p className={styles['unseen']} role="status">
      {text}
    </p>
  );
}
