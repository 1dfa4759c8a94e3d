// The colour of a filament as a dot, where it is known.
import styles from './swatch.module.css';

export const Swatch = ({ color }: { color: string | null }) =>
  color !== null && <i className={styles['swatch']} style={{ background: color }} title={color} />;
