// The colours of a filament as a dot. Nothing is shown if the colour is unknown.
import styles from './swatch.module.css';

interface SwatchProps {
  color: string | null;
  /** All colours, if the filament has several: side by side, or one after the other. */
  colors?: readonly string[];
}

export const Swatch = ({ color, colors = [] }: SwatchProps) =>
  (color !== null || colors.length > 0) && (
    <i
      className={styles['swatch']}
      style={{ background: colors.length > 1 ? createStripes(colors) : (color ?? '') }}
      title={colors.length > 1 ? colors.join(', ') : (color ?? '')}
    />
  );

const createStripes = (colors: readonly string[]) =>
  `linear-gradient(90deg, ${colors.map((color, n) => `${color} ${(100 * n) / colors.length}% ${(100 * (n + 1)) / colors.length}%`).join(', ')})`;
