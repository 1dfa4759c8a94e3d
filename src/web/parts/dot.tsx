// A state as a dot, beside words that say it too.
import type { Tone } from './badge';
import styles from './dot.module.css';

export const Dot = ({ tone }: { tone: Tone }) => <i className={styles['dot']} data-tone={tone} />;
