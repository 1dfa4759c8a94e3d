// A state as a word with a colour. The word alone is enough to understand the state.
import styles from './badge.module.css';

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'muted';

export function Badge({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className={styles['badge']} data-tone={tone}>
      {children}
    </span>
  );
}
