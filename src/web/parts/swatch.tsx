// The colour of a filament as a dot. Nothing is shown if the colour is unknown.
import styles from './swatch.module.css';

export const Swatch = ({ color }: { color: string | null }) =>
  color !== null && <i className={styles['swatch']} style={{ background: color }} title={color} />;
