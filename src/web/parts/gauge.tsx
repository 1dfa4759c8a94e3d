// A bar with a number that shows a share, such as the charge of a battery.
import { Meter } from '@base-ui/react/meter';
import type { Tone } from './badge';
import styles from './gauge.module.css';

interface GaugeProps {
  label: string;
  value: number;
  text: string;
  tone: Tone;
  /** The bar fills its line, and the number is large. */
  isLarge?: boolean;
}

export function Gauge(props: GaugeProps) {
  return (
    <Meter.Root
      className={styles['gauge']}
      aria-label={props.label}
      value={Math.min(100, Math.max(0, props.value))}
      getAriaValueText={() => props.text}
      data-tone={props.tone}
      data-large={props.isLarge}
    >
      <Meter.Track className={styles['track']}>
        <Meter.Indicator className={styles['indicator']} />
      </Meter.Track>
      <span className={styles['text']}>{props.text}</span>
    </Meter.Root>
  );
}
