// Decides the colour of a camera's battery: that of its alert.
import { EMPTY_BATTERY_PCT, LOW_BATTERY_PCT } from '../../farm/alerts/alert.limits';

/** Returns `bad` if the alert about this battery is critical, and `warn` if it is a warning. */
export function batteryTone(percent: number): 'bad' | 'warn' | 'good' {
  if (percent <= EMPTY_BATTERY_PCT) return 'bad';
  return percent <= LOW_BATTERY_PCT ? 'warn' : 'good';
}
