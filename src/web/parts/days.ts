// Days of the reader's zone, as date fields write them: 2026-11-23.

export const dayOf = (date: Date): string => date.toLocaleDateString('sv');

/** The day so many days later. */
export function dayAfter(day: string, days = 1): string {
  const date = new Date(`${day}T12:00`);
  date.setDate(date.getDate() + days);
  return dayOf(date);
}

/** When a day begins; undefined for a text that is no day. */
export function beginOf(day: string): string | undefined {
  const date = new Date(`${day}T00:00`);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

export const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
