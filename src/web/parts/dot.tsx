// A state as a coloured dot. The text beside it names the state.
import type { Tone } from './badge';
import styles from './dot.module.css';

export const Dot = ({ tone }: { tone: Tone }) => <i className={styles['dot']} data-tone={tone} />;
