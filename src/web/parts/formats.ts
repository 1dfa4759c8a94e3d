// Formats durations, times and names, and compares names, in the same manner on every page.

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** Compares names in natural order: "Printer 2" comes before "Printer 19". */
export const compareNaturally = (a: string, b: string): number => collator.compare(a, b);

/** "Prusament PLA Galaxy Black": the name of a product is unique only together with its vendor. */
export const filamentName = ({ vendor, name }: { vendor: string | null; name: string }): string =>
  [vendor, name].filter(Boolean).join(' ');

/** "3 d 4 h", "2 h 5 min", "7 min", "40 s": two units at most. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [days, hours, minutes] = [
    Math.floor(whole / 86_400),
    Math.floor(whole / 3_600) % 24,
    Math.floor(whole / 60) % 60,
  ];
  if (days > 0) return hours > 0 ? `${days} d ${hours} h` : `${days} d`;
  if (hours > 0) return minutes > 0 ? `${hours} h ${minutes} min` : `${hours} h`;
  return minutes > 0 ? `${minutes} min` : `${whole} s`;
}

const DAY_MS = 86_400_000;

/** "16:40", with the weekday if it is more than a day away. */
export const clockTime = (at: number): string =>
  new Date(at).toLocaleTimeString(undefined, {
    hour: 'numeric',
    minute: '2-digit',
    ...(Math.abs(at - Date.now()) > DAY_MS && { weekday: 'short' }),
  });

/** The full date and time in the time zone and language of the user. */
export const exactTime = (instant: string): string =>
  new Date(instant).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
